"""Rows of servers that die, lie or say too much: a clear failure in time, and the next test starts clean."""

from __future__ import annotations

import pytest
from robot_process import RobotRun
from toy_records import LIMIT

NEXT = """
Next
    Connect To Server    ${TOY}
    ${r} =    Call Tool    echo    arguments={"text": "clean"}
    Should Be Equal    ${r.text}    clean
"""


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_server_that_exits_in_mid_call(robot: RobotRun, era: str) -> None:
    toy, revision = (robot.toy("--modern"), "2026-07-28") if era == "modern" else (robot.toy(), "2025-11-25")
    robot.start(
        f"""
*** Test Cases ***
Die
    Connect To Server    {toy}    alias=toy    protocol={era}
    Call Tool    die    arguments={{"code": 7, "say": "the shop burns"}}
"""
        + NEXT
    )
    assert robot.finish() == 1, robot.console()
    number = 2 if era == "modern" else 3
    assert robot.failures() == {
        "Die": "tools/call got no answer: the server process exited with code 7; its stderr ends with: the shop burns.\n"
        f"Server 'toy' (stdio, {revision}), exchange {number}: tools/call."
    }
    assert robot.took < LIMIT


def test_server_that_is_killed_in_mid_call(robot: RobotRun) -> None:
    robot.start(
        """
*** Test Cases ***
Killed
    Connect To Server    ${TOY}    alias=toy    protocol=legacy
    Kill When Recorded    ${RECORD}    waiting
    Call Tool    wait    arguments={"seconds": 60}

"""
        + NEXT
    )
    assert robot.finish() == 1, robot.console()
    assert robot.failures() == {
        "Killed": "tools/call got no answer: the server process was ended by SIGKILL and wrote nothing to stderr.\n"
        "Server 'toy' (stdio, 2025-11-25), exchange 3: tools/call."
    }
    assert robot.took < LIMIT


def test_next_call_to_a_dead_server_fails_at_once_with_the_same_reason(robot: RobotRun) -> None:
    robot.start("""
*** Test Cases ***
Die
    Connect To Server    ${TOY}    alias=toy    protocol=legacy
    Call Tool    die    arguments={"code": 3}    expect=ANY
    Call Tool    echo    arguments={}
""")
    assert robot.finish() == 1, robot.console()
    assert robot.failures() == {
        "Die": "tools/call got no answer: the server process exited with code 3 and wrote nothing to stderr.\n"
        "Server 'toy' (stdio, 2025-11-25), exchange 4: tools/call."
    }


def test_answer_beyond_the_ceiling_is_a_clear_failure(robot: RobotRun) -> None:
    robot.start(
        """
*** Test Cases ***
Huge
    Connect To Server    ${TOY}    alias=toy    protocol=legacy
    Call Tool    huge    arguments={"size": 34000000}
"""
        + NEXT
    )
    assert robot.finish() == 1, robot.console()
    assert robot.failures() == {
        "Huge": "tools/call got no answer: the server wrote a line of more than 33554432 bytes; reading stopped.\n"
        "Server 'toy' (stdio, 2025-11-25), exchange 3: tools/call."
    }
    assert robot.output.stat().st_size < 1_000_000


def test_answer_below_the_ceiling_arrives_whole_and_the_log_stays_small(robot: RobotRun) -> None:
    robot.start("""
*** Test Cases ***
Big
    Connect To Server    ${TOY}
    ${r} =    Call Tool    huge    arguments={"size": 20000000}
    Length Should Be    ${r.text}    20000000
""")
    assert robot.finish(60) == 0, robot.console()
    assert robot.output.stat().st_size < 1_000_000


def test_garbage_lines_do_not_disturb_and_are_told(robot: RobotRun) -> None:
    toy = robot.toy("--garbage", "Toy server is ready!", "--garbage", '{"jsonrpc":', "--garbage", '"text"')
    robot.start(f"""
*** Test Cases ***
Garbage
    Connect To Server    {toy}    alias=toy    protocol=legacy
    ${{r}} =    Call Tool    echo    arguments={{"text": "amid garbage"}}
    Should Be Equal    ${{r.text}}    amid garbage
    Stdout Should Carry Only Messages
""")
    assert robot.finish() == 1, robot.console()
    message = robot.failures()["Garbage"]
    assert message.startswith(
        "Stdout should carry only JSON-RPC messages, but 3 line(s) are none.\nServer 'toy' (stdio, 2025-11-25).\nEvidence: "
    )
    assert "Toy server is ready!" in message
    assert "Hint: log lines and banners belong on stderr" in message


@pytest.mark.parametrize("protocol", ["auto", "legacy", "modern"])
def test_server_that_exits_at_once(robot: RobotRun, protocol: str) -> None:
    toy = robot.toy("--exit", "3", "--say", "no database")
    robot.start(
        f"""
*** Test Cases ***
Connect
    Connect To Server    {toy}    alias=toy    protocol={protocol}
"""
        + NEXT
    )
    assert robot.finish() == 1, robot.console()
    message = robot.failures()["Connect"]
    era = {"modern": "no modern connection (2026-07-28): "}.get(protocol, "")
    assert message.splitlines()[0] == (
        f"Cannot connect to {toy}: {era}the server process exited with code 3; its stderr ends with: no database."
    )
    assert robot.took < LIMIT


@pytest.mark.parametrize("protocol", ["auto", "legacy", "modern"])
def test_server_that_never_answers(robot: RobotRun, protocol: str) -> None:
    robot.start(
        f"""
*** Test Cases ***
Connect
    Connect To Server    {robot.toy("--mute", "--say", "I sleep")}    alias=toy    protocol={protocol}    timeout=1s
"""
        + NEXT
    )
    assert robot.finish() == 1, robot.console()
    lines = robot.failures()["Connect"].splitlines()
    assert lines[0].endswith("connection (2026-07-28): no answer within 1 seconds." if protocol == "modern" else
                             "no answer within 1 seconds.")  # fmt: skip
    assert lines[-1] == "Hint: the server's stderr ends with: I sleep"
    assert robot.took < LIMIT
