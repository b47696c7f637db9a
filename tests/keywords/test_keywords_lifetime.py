"""Connections end with the test or suite that opened them, and switching between them is sure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from failing import HEALTHY
from robot.api.deco import keyword, library

Run = Callable[..., Any]


@library
class ChildProcesses:
    """Robot library of this file: how many servers run now."""

    @keyword
    def servers_should_run(self, count: int) -> None:
        children = psutil.Process().children()
        assert len(children) == count, f"{len(children)} server processes run, not {count}: {children}"


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)


SETTINGS = """\
*** Settings ***
Library    McpLibrary    {options}
Library    test_keywords_lifetime.ChildProcesses
"""


def settings(options: str = "") -> str:
    return SETTINGS.format(options=options)


def connect(alias: str) -> str:
    return f"Connect To Server    {HEALTHY}    alias={alias}    protocol=legacy"


def test_connections_close_with_the_level_that_opened_them(run: Run) -> None:
    run(f"""{settings()}
Suite Setup    {connect("suite")}
Suite Teardown    Servers Should Run    1
*** Test Cases ***
One
    Servers Should Run    1
    {connect("test")}
    Servers Should Run    2
    Call Tool    echo    arguments={{}}    server=suite
    [Teardown]    Call Tool    echo    arguments={{}}    server=test
Two
    Servers Should Run    1
    Call Tool    echo    arguments={{}}
    Run Keyword And Expect Error    There is no connection 'test'. Open are: 'suite'.    Switch Server    test
""").passed()


def test_connection_of_a_failing_test_is_closed_too(run: Run) -> None:
    finished = run(f"""{settings()}
*** Test Cases ***
One
    {connect("test")}
    Fail    on purpose
Two
    Servers Should Run    0
""")
    assert finished.failures == {"One": "on purpose"}


@pytest.mark.parametrize(("option", "in_suite", "after"), [("LEVEL", 0, 0), ("SUITE", 1, 0), ("RUN", 1, 1)])
def test_auto_close(run: Run, tmp_path: Path, option: str, in_suite: int, after: int) -> None:
    folder = tmp_path / "suites"
    folder.mkdir()
    head = settings(f"auto_close={option}")
    (folder / "1.robot").write_text(
        f"{head}\n*** Test Cases ***\nOpen\n    {connect('kept')}\nNext\n    Servers Should Run    {in_suite}\n",
        encoding="utf-8",
    )
    (folder / "2.robot").write_text(
        f"{head}\n*** Test Cases ***\nAfter\n    Servers Should Run    {after}\n", encoding="utf-8"
    )
    run(folder).passed()


def test_started_process_ends_with_its_level(run: Run) -> None:
    run(f"""{settings()}
*** Test Cases ***
One
    ${{port}} =    Evaluate    (s := __import__('socket').socket(), s.bind(('127.0.0.1', 0)), s.getsockname()[1], s.close())[2]
    ${{python}} =    Evaluate    __import__('sys').executable
    VAR    @{{command}}    ${{python}}    -m    http.server    --bind    127.0.0.1    ${{port}}
    ${{url}} =    Start Server Process    ${{command}}    http://127.0.0.1:${{port}}/    alias=web
    Should Be Equal    ${{url}}    http://127.0.0.1:${{port}}/
    Servers Should Run    1
    Run Keyword And Expect Error    There is a server process 'web' already.
    ...    Start Server Process    ${{command}}    http://127.0.0.1:1/    alias=web
Two
    Servers Should Run    0
""").passed()


def test_switch_server_returns_the_one_before(run: Run) -> None:
    run(f"""{settings()}
*** Test Cases ***
Switch
    {connect("one")}
    {connect("two")}
    ${{before}} =    Switch Server    one
    Should Be Equal    ${{before}}    two
    ${{r}} =    Call Tool    echo    arguments={{}}
    Should Be Equal    ${{r.server}}    one
    ${{r}} =    Call Tool    echo    arguments={{}}    server=two
    Should Be Equal    ${{r.server}}    two
    ${{r}} =    Call Tool    echo    arguments={{}}
    Should Be Equal    ${{r.server}}    one
    Disconnect From Server
    ${{r}} =    Call Tool    echo    arguments={{}}
    Should Be Equal    ${{r.server}}    two
    Disconnect From All Servers
    Servers Should Run    0
""").passed()


def test_alias_is_free_again_after_disconnecting(run: Run) -> None:
    run(f"""{settings()}
*** Test Cases ***
Again
    {connect("one")}
    Disconnect From Server    one
    {connect("one")}
    Call Tool    echo    arguments={{}}
""").passed()


def test_scripted_answers_end_with_the_test_that_made_them(run: Run) -> None:
    run(f"""{settings()}
Suite Setup    Answer Roots    file:///shop
*** Test Cases ***
One
    Answer Elicitation    ACCEPT    {{"qty": 2}}
    {connect("one")}
    ${{sent}} =    Get Transcript
    Should Be Equal    ${{{{sorted($sent[0].message.params.capabilities)}}}}    ${{{{['elicitation', 'roots']}}}}
Two
    {connect("two")}
    ${{sent}} =    Get Transcript
    Should Be Equal    ${{{{sorted($sent[0].message.params.capabilities)}}}}    ${{{{['roots']}}}}
""").passed()
