"""The connections to the server under test: pinned to a revision, or skipped with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
