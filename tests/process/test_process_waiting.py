"""Rows of traffic and time: notifications and floods between keywords, timeouts in mid-call, and what they leave."""

from __future__ import annotations

import pytest
from robot_process import RobotRun
from toy_records import LIMIT


def test_notifications_are_seen_in_real_time_while_other_keywords_run(robot: RobotRun) -> None:
    robot.start("""
*** Test Cases ***
Watch
    Connect To Server    ${TOY}
    Call Tool    tick    arguments={"count": 20, "pace": 0.05}
    ${first} =    Wait Until Seen    tick    1
    Should Be True    ${first}[0][received] > ${first}[0][sent]
    ${seen} =    Wait Until Seen    tick    20
    # The first was received before the last was sent: nothing waited for a keyword of ours.
    Should Be True    ${seen}[0][received] < ${seen}[19][sent]
    ${n} =    Get Notifications    tick
    Length Should Be    ${n}    20
""")
    assert robot.finish() == 0, robot.console()


def test_flood_does_not_block_the_server_while_the_test_does_something_else(robot: RobotRun) -> None:
    robot.start("""
*** Test Cases ***
Flood
    Connect To Server    ${TOY}
    Call Tool    flood    arguments={"count": 100, "size": 20000}
    # No keyword of ours runs until the server has written all of it.
    Wait Until Recorded    ${RECORD}    flooded
    Wait Until Seen    flood    100
""")
    assert robot.finish() == 0, robot.console()


def test_flood_of_notifications_keeps_memory_and_log_small_and_calls_work(robot: RobotRun) -> None:
    robot.start("""
*** Test Cases ***
Flood
    Connect To Server    ${TOY}
    Call Tool    flood    arguments={"count": 1000, "size": 100000}
    ${r} =    Call Tool    echo    arguments={"text": "amid the flood"}
    Should Be Equal    ${r.text}    amid the flood
    Wait Until Recorded    ${RECORD}    flooded
    ${r} =    Call Tool    echo    arguments={"text": "after the flood"}
    Should Be Equal    ${r.text}    after the flood
    ${kept} =    Kept Bytes
    Should Be True    ${kept} <= 64 * 1024 * 1024
""")
    assert robot.finish(60) == 0, robot.console()
    assert robot.output.stat().st_size < 1_000_000


MID_CALL = """
*** Test Cases ***
{name}
    [Setup]    Prepare
    {timeout}
    {keyword}    wait    arguments={{"seconds": 60}}

Next Keyword On The Same Connection
    ${{r}} =    Call Tool    echo    arguments={{"text": "still here"}}
    Should Be Equal    ${{r.text}}    still here

*** Keywords ***
Prepare
    {windows}

Slow Call
    [Arguments]    ${{name}}    ${{arguments}}
    [Timeout]    1 s
    Call Tool    ${{name}}    arguments=${{arguments}}
"""


@pytest.mark.parametrize("system", ["here", "windows"])
@pytest.mark.parametrize(
    ("name", "timeout", "keyword", "message"),
    [
        ("Keyword Timeout", "No Operation", "Slow Call", "Keyword timeout 1 second exceeded."),
        ("Test Timeout", "[Timeout]    1 s", "Call Tool", "Test timeout 1 second exceeded."),
    ],
)
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_timeout_of_robot_fails_in_time_cancels_and_leaves_a_working_connection(
    robot: RobotRun, system: str, name: str, timeout: str, keyword: str, message: str, era: str
) -> None:
    windows = "Use Windows Timeouts" if system == "windows" else "No Operation"
    suite = MID_CALL.format(name=name, timeout=timeout, keyword=keyword, windows=windows)
    toy = robot.toy("--modern") if era == "modern" else robot.toy()
    robot.start(f"Suite Setup    Connect To Server    {toy}\n" + suite)
    assert robot.finish() == 1, robot.console()
    assert robot.failures() == {name: message}
    assert robot.tests()[name].elapsed_time.total_seconds() < LIMIT
    waiting, cancelled = robot.records("waiting"), robot.records("received", method="notifications/cancelled")
    assert [record["message"]["params"] for record in cancelled] == [
        {"requestId": waiting[0]["id"], "reason": "interrupted"}
    ]
    assert len(robot.records("cancelled")) == 1
    assert len(robot.records("started")) == 1


def test_exception_injected_into_the_main_thread_interrupts_a_waiting_keyword(robot: RobotRun) -> None:
    robot.start("""
*** Test Cases ***
Injected
    Connect To Server    ${TOY}
    Inject When Recorded    ${RECORD}    waiting
    Run Keyword And Expect Error    Injected    Call Tool    wait    arguments={"seconds": 60}
    Wait Until Recorded    ${RECORD}    cancelled
    ${r} =    Call Tool    echo    arguments={"text": "still here"}
    Should Be Equal    ${r.text}    still here
""")
    assert robot.finish() == 0, robot.console()
    assert robot.took < LIMIT


def test_own_timeout_of_a_call_says_so_and_cancels(robot: RobotRun) -> None:
    robot.start("""
*** Test Cases ***
Slow
    Connect To Server    ${TOY}    alias=toy    protocol=legacy
    Call Tool    wait    arguments={"seconds": 60}    timeout=1s

*** Settings ***
Test Teardown    Wait Until Recorded    ${RECORD}    cancelled
""")
    assert robot.finish() == 1, robot.console()
    assert robot.failures() == {
        "Slow": "tools/call got no answer: no answer within 1 seconds.\n"
        "Server 'toy' (stdio, 2025-11-25), exchange 3: tools/call."
    }
    (cancelled,) = robot.records("received", method="notifications/cancelled")
    assert cancelled["message"]["params"]["reason"] == "timeout"
