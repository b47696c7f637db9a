"""The connections to the server under test: pinned to a revision, or skipped; the matrix of eras as it is shown."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

FAULTS_SERVER = str(Path(__file__).resolve().parents[1] / "faults" / "server.py")

TESTS = """\
*** Test Cases ***
Negotiated
    Set Server Under Test    {0}    protocol={1}    claimed=${{{{['legacy']}}}}
    Connect To Server Under Test    2025-11-25    handshake=True
    Negotiated Revision Should Be    2025-11-25

Older
    Set Server Under Test    {0}    protocol={1}    claimed=${{{{['legacy']}}}}
    Connect To Server Under Test    2025-03-26    handshake=True

Other Era
    Set Server Under Test    {0}    protocol={1}    claimed=${{{{['legacy']}}}}
    Connect To Server Under Test    2026-07-28
"""
OTHER_ERA = "Not applicable: the modern era is not spoken by this server or not judged in this run."


def test_a_revision_that_is_not_negotiated_skips(run: Callable[..., Any], scripted: Callable[..., str]) -> None:
    done = run(TESTS.format(scripted(), "auto"))
    assert done.statuses == {"Negotiated": "PASS", "Older": "SKIP", "Other Era": "SKIP"}
    assert done.tests["Older"].message == "Not applicable: the server does not negotiate revision 2025-03-26."
    assert done.tests["Other Era"].message == OTHER_ERA


def test_a_revision_beside_the_pinned_one_skips(run: Callable[..., Any], scripted: Callable[..., str]) -> None:
    done = run(TESTS.format(scripted(), "2025-11-25"))
    assert done.statuses == {"Negotiated": "PASS", "Older": "SKIP", "Other Era": "SKIP"}
    assert done.tests["Older"].message == (
        "Not applicable: revision 2025-03-26 is not judged in this run, which is pinned to 2025-11-25."
    )


MATRIX = """\
*** Test Cases ***
Matrix
    [Metadata]    Rule    VER-12
    Set Server Under Test    {0}    protocol={1}    claimed=${{{{{2}}}}}
    Era Matrix Should Fit The Claims

After It
    Log    no table here
"""


def test_the_matrix_is_the_message_of_a_passed_test(run: Callable[..., Any], scripted: Callable[..., str]) -> None:
    done = run(MATRIX.format(scripted(), "auto", ["legacy"])).passed()
    message = done.tests["Matrix"].message
    assert message.startswith("*HTML*3 of 3 meetings of clients with this server (legacy only) went as expected.<table")
    assert "server/discover: error -32601 (method not found): 'no method server/discover', initialize: a result" in (
        message.replace("&#x27;", "'")
    )
    assert message[message.index("<table") :] in done.log
    assert done.tests["After It"].message == ""


def test_a_failure_comes_before_the_matrix_and_is_judged_as_always(run: Callable[..., Any]) -> None:
    command = shlex.join([sys.executable, FAULTS_SERVER, "--fault", "modern-lists-need-a-session"])
    done = run(MATRIX.format(command, "modern", ["legacy", "modern"]))
    text, table, rest = done.failure.partition("<table")
    assert text.splitlines()[0].startswith(
        "*HTML*Client 'modern', server 'both eras': expected both are served, but tools/list was error -32600"
    )
    assert "BROKEN (VER-12)" in rest
    assert "&lt;" not in table and "*HTML*" not in rest
