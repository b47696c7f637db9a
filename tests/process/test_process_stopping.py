"""Rows of endings: signals to Robot, forgotten connections, launchers, and servers that do not want to leave."""

from __future__ import annotations

import shlex
import signal
import time

import pytest
from robot_process import RobotRun, lives
from toy_records import LIMIT

LONG_CALL = """
*** Test Cases ***
Long Call
    Connect To Server    ${TOY}
    Call Tool    wait    arguments={"seconds": 60}
"""


@pytest.mark.parametrize(
    ("number", "group"),
    [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGINT, True)],
    ids=["SIGINT to robot only", "SIGTERM to robot only", "SIGINT to the whole process group"],
)
def test_signal_ends_robot_in_time_cancels_and_writes_the_log(robot: RobotRun, number: int, group: bool) -> None:
    robot.start(LONG_CALL)
    robot.await_record("waiting")
    at = time.monotonic()
    robot.send(number, group=group)
    assert robot.finish(LIMIT) == 1, robot.console()
    assert time.monotonic() - at < LIMIT
    assert robot.failures() == {"Long Call": "Execution terminated by signal"}
    assert (robot.folder / "log.html").exists()
    # The server lives in a group of its own: the signal did not reach it, the cancellation and the closing did.
    assert not robot.records("SIGINT")
    assert not robot.records("SIGTERM")
    assert len(robot.records("received", method="notifications/cancelled")) == 1
    assert len(robot.records("end of input")) == 1
    assert len(robot.records("exited", code=0)) == 1


@pytest.mark.parametrize("server", ["polite", "stubborn"])
def test_second_interrupt_while_a_teardown_waits_ends_robot_at_once(robot: RobotRun, server: str) -> None:
    toy = robot.toy("--stubborn") if server == "stubborn" else robot.toy()
    robot.start(f"""
*** Test Cases ***
Long Call
    Connect To Server    {toy}
    Call Tool    wait    arguments={{"seconds": 60, "label": "body"}}
    [Teardown]    Call Tool    wait    arguments={{"seconds": 60, "label": "teardown"}}
""")
    robot.await_record("waiting", label="body")
    robot.send(signal.SIGINT)
    robot.await_record("waiting", label="teardown")
    robot.send(signal.SIGINT)
    assert robot.finish(LIMIT) == 253, robot.console()


def test_second_interrupt_leaves_no_started_server_process(robot: RobotRun) -> None:
    robot.start(f"""
*** Test Cases ***
Long Call
    ${{port}} =    Evaluate    (s := __import__('socket').socket(), s.bind(('127.0.0.1', 0)), s.getsockname()[1], s.close())[2]
    ${{python}} =    Evaluate    __import__('sys').executable
    ${{command}} =    Create List    ${{python}}    -m    http.server    --bind    127.0.0.1    ${{port}}
    Start Server Process    ${{command}}    http://127.0.0.1:${{port}}/
    Connect To Server    {robot.toy()}
    Call Tool    wait    arguments={{"seconds": 60, "label": "body"}}
    [Teardown]    Call Tool    wait    arguments={{"seconds": 60, "label": "teardown"}}
""")
    robot.await_record("waiting", label="body")
    robot.send(signal.SIGINT)
    robot.await_record("waiting", label="teardown")
    robot.send(signal.SIGINT)
    assert robot.finish(LIMIT) == 253, robot.console()


@pytest.mark.parametrize("auto_close", ["LEVEL", "SUITE", "RUN"])
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_forgotten_connection_is_closed_and_robot_ends(robot: RobotRun, auto_close: str, era: str) -> None:
    toy = robot.toy("--modern") if era == "modern" else robot.toy()
    robot.start(
        f"""
*** Test Cases ***
Forget
    Connect To Server    {toy}
    Start Call    tools/call    {{"name": "wait", "arguments": {{"seconds": 60}}}}
    Wait Until Recorded    ${{RECORD}}    waiting
""",
        auto_close=auto_close,
    )
    assert robot.finish(LIMIT) == 0, robot.console()
    assert len(robot.records("end of input")) == 1
    assert len(robot.records("exited", code=0)) == 1


def test_launcher_leaves_no_children(robot: RobotRun) -> None:
    # `&` gives the server /dev/null as stdin, so the pipe is handed on as descriptor 3.
    launcher = shlex.join(["sh", "-c", f"exec 3<&0; {robot.toy('--child', '--stubborn')} <&3 & wait"])
    robot.start(f"""
*** Variables ***
${{LAUNCHER}}    {launcher}
*** Test Cases ***
Launch
    Connect To Server    ${{LAUNCHER}}
    ${{r}} =    Call Tool    echo    arguments={{"text": "through the launcher"}}
    Should Be Equal    ${{r.text}}    through the launcher
""")
    assert robot.finish() == 0, robot.console()
    (started,), (child,) = robot.records("started"), robot.records("child")
    assert not lives(started["pid"])
    assert not lives(child["child"])


def test_server_that_left_a_child_behind_is_cleaned_up(robot: RobotRun) -> None:
    robot.start(f"""
*** Test Cases ***
Leave A Child
    Connect To Server    {robot.toy("--child")}
    Disconnect From Server
""")
    assert robot.finish() == 0, robot.console()
    assert len(robot.records("exited", code=0)) == 1
    assert not lives(robot.records("child")[0]["child"])


def test_server_that_ignores_the_end_of_input_and_sigterm_is_killed(robot: RobotRun) -> None:
    robot.start(f"""
*** Test Cases ***
Stubborn
    Connect To Server    {robot.toy("--stubborn")}
    Disconnect From Server

Next
    Connect To Server    ${{TOY}}
    Call Tool    echo
""")
    assert robot.finish() == 0, robot.console()
    stubborn = robot.records("started")[0]["pid"]
    assert [r["what"] for r in robot.records(pid=stubborn)][-2:] == ["end of input", "SIGTERM"]


def test_keyword_timeout_while_disconnecting_still_ends_the_server(robot: RobotRun) -> None:
    robot.start(f"""
*** Test Cases ***
Stubborn
    Connect To Server    {robot.toy("--stubborn")}
    Hasty Disconnect

*** Keywords ***
Hasty Disconnect
    [Timeout]    1 s
    Disconnect From Server
""")
    assert robot.finish() == 1, robot.console()
    assert robot.failures() == {"Stubborn": "Keyword timeout 1 second exceeded."}


def test_no_thread_is_left_after_the_run(robot: RobotRun) -> None:
    (robot.folder / "twice.py").write_text(
        """
import io, sys, threading
from pathlib import Path
from robot.api import TestSuite
for run in range(2):
    result = TestSuite.from_file_system(sys.argv[1]).run(output=None, stdout=io.StringIO())
    assert result.return_code == 0, result.return_code
    assert threading.enumerate() == [threading.main_thread()], threading.enumerate()
Path(sys.argv[2]).write_text("all threads are gone")
""",
        encoding="utf-8",
    )
    robot.start(
        """
*** Test Cases ***
Inner
    ${python} =    Evaluate    __import__('sys').executable
    ${code} =    Evaluate    __import__('subprocess').run([$python, 'twice.py', 'inner.robot', 'done.txt'], cwd=$FOLDER, timeout=60).returncode
    Should Be Equal As Integers    ${code}    0
""",
        "--variable", f"FOLDER:{robot.folder}",
    )  # fmt: skip
    (robot.folder / "inner.robot").write_text(
        f"""
*** Settings ***
Library    McpLibrary
*** Test Cases ***
Use
    Connect To Server    {robot.toy()}
    Call Tool    echo
""",
        encoding="utf-8",
    )
    assert robot.finish(80) == 0, robot.console()
    assert (robot.folder / "done.txt").read_text(encoding="utf-8") == "all threads are gone"
