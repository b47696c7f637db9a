"""What every failing test checks beside its message: the failure left nothing open, and the next test starts clean."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEALTHY = shlex.join([sys.executable, str(Path(__file__).resolve().parent / "script_server.py")])

SUITE = """\
*** Settings ***
Library    McpLibrary    timeout=10s
*** Test Cases ***
Failing
{body}
    [Teardown]    Nothing Should Be Open
Next
    Connect To Server    {healthy}    alias=next    protocol=legacy
    ${{r}} =    Call Tool    echo    arguments={{"text": "clean"}}
    Should Be Equal    ${{r.text}}    {{"text": "clean"}}
*** Keywords ***
Nothing Should Be Open
    Run Keyword And Expect Error    No server is connected. Use 'Connect To Server' first.    Get Server Info
"""


def fail_to_connect(run: Callable[..., Any], body: str) -> str:
    """Run keywords that must fail with nothing open after them; the message of the failure."""
    finished = run(SUITE.format(body=indent(body), healthy=HEALTHY))
    assert finished.statuses == {"Failing": "FAIL", "Next": "PASS"}, finished.failures
    message: str = finished.failures["Failing"]
    assert "Also teardown failed" not in message, message
    return message


def fail(run: Callable[..., Any], body: str, server: str = HEALTHY) -> str:
    """Run keywords that must fail on a connection named `shop`; the message of the failure."""
    connect = f"Connect To Server    {server}    alias=shop    protocol=legacy"
    failure: str = run(f"{connect}\n{body}").failure
    return failure


def indent(body: str) -> str:
    return "\n".join(f"    {line.strip()}" for line in body.strip().splitlines())
