"""Questions of servers: scripted answers of all kinds, and rounds that are walked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]

HEAD = """
*** Settings ***
Library    McpLibrary
*** Test Cases ***
"""


def test_rounds_by_hand(run: Run) -> None:
    finished = run(
        HEAD
        + """
Answered
    Connect To Server    demo    protocol=modern
    ${round} =    Call Tool One Round    gift_order    {"item": "tea"}
    ${questions} =    Round Should Ask    ${round}
    Answer Input Request    ${round}    {"qty": 2}
    ${end} =    Retry With Answers    ${round}
    Round Should Complete    ${end}    Wrapped 2 x tea for 5.00 EUR
    Should Not Be Equal    ${end.sent.id}    ${round.sent.id}
    Should Be Equal    ${end.sent.params.requestState}    ${round.state}
    Request State Should Be Opaque    ${round}
    Run Keyword And Expect Error    *Expected a round*    Answer Input Request    nothing
    Run Keyword And Expect Error    *asks nothing under 'zzz'*    Answer Input Request    ${round}    key=zzz
    Run Keyword And Expect Error    *should ask (input_required), but was*    Round Should Ask    ${end}
    Run Keyword And Expect Error    *should complete, but was a new question*    Round Should Complete    ${round}
Partly And Wrongly Answered
    Connect To Server    demo    protocol=modern
    ${round} =    Call Tool One Round    gift_order    {"item": "tea"}
    ${again} =    Retry With Answers    ${round}    without=requestState
    Round Should Ask    ${again}
    ${key} =    Evaluate    list($round.questions)[0]
    Answer Input Request    ${round}    key=${key}    response={"bogus": 1}
    ${refused} =    Retry With Answers    ${round}    expect=PROTOCOL_ERROR
    Answer Input Request    ${again}    action=DECLINE
    Retry With Answers    ${again}    expect=TOOL_ERROR
States
    Connect To Server    demo    protocol=modern
    ${round} =    Call Tool One Round    gift_order    {"item": "tea"}
    Answer Input Request    ${round}
    ${spoilt} =    Tamper Request State    ${round}
    ${one} =    Retry With Answers    ${round}    state=${spoilt}
    ${two} =    Replay Request State    ${round}    arguments={"item": "cake"}
    ${three} =    Retry With Answers    ${round}    state={"step": 1}
    Request State Should Not Be Taken    ${one}
    Request State Should Be Refused By An Error    ${one}
    Refused States Should Be Indistinguishable    ${one}    ${two}    ${three}
    ${good} =    Replay Request State    ${round}
    Run Keyword And Expect Error    *should be refused, but completed*    Request State Should Not Be Taken    ${good}
    Run Keyword And Expect Error    *JSON-RPC error, but was a result*    Request State Should Be Refused By An Error    ${good}
Legacy
    Connect To Server    demo    protocol=legacy
    Run Keyword And Expect Error    *Rounds exist on modern connections only*    Call Tool One Round    gift_order
"""
    )
    assert finished.failures == {}


def test_answers_in_both_eras(run: Run) -> None:
    finished = run(
        HEAD
        + "".join(
            f"""
Scripts {era}
    Answer Elicitation    DECLINE
    Answer Elicitation    ACCEPT    {{"qty": 2}}    about=of tea
    Answer Elicitation    CANCEL    times=1    about=of cake
    Answer Sampling    Tea for two    after=10 ms
    Answer Roots    file:///shop
    Connect To Server    demo    protocol={era}
    ${{r}} =    Call Tool    gift_order    item=tea
    Should Contain    ${{r.text}}    2 x tea
    ${{r}} =    Call Tool    gift_order    item=cake    expect=TOOL_ERROR
    Should Contain    ${{r.text}}    cancel
    ${{r}} =    Call Tool    gift_order    item=cake    expect=TOOL_ERROR
    Should Contain    ${{r.text}}    decline
    ${{r}} =    Call Tool    suggest_slogan    item=tea
    Should Contain    ${{r.text}}    Tea for two
    Call Tool    count_folders
    Server Should Have Asked For    elicitation    times=3
    Server Should Have Asked For    elicitation    about=OF CAKE    times=2
    Server Should Have Asked For    sampling
    ${{asked}} =    Get Server Requests    roots
    Should Be Equal    ${{asked}}[0][method]    roots/list
    Run Keyword And Expect Error    *asked for elicitation about 'soup' at least once, but did so 0 time(s)*
    ...    Server Should Have Asked For    elicitation    about=soup
Only This Test Counts {era}
    Server Should Have Asked For    elicitation    times=0
Wrong Values {era}
    Answer Elicitation Wrongly
    Connect To Server    demo    protocol={era}
    Call Tool    gift_order    item=tea    expect=TOOL_ERROR
Declared By Hand {era}
    Answer Elicitation
    Declare Client Capabilities    {{"elicitation": {{"url": {{}}}}}}
    Connect To Server    demo    protocol={era}
    ${{r}} =    Call Tool    gift_order    item=tea    expect=ANY
    Server Should Have Asked For    elicitation    times=0
"""
            for era in ("legacy", "modern")
        )
    )
    assert finished.failures == {}


def test_no_answer_and_an_error(run: Run) -> None:
    finished = run(
        HEAD
        + """
Error
    Answer With Error    elicitation    No thanks    code=-1
    Connect To Server    demo    protocol=legacy
    ${r} =    Call Tool    gift_order    item=tea    expect=ANY
    Should Be True    $r.error is not None or $r.is_error
Silence
    Give No Answer    elicitation
    Connect To Server    demo    protocol=legacy
    Call Tool    gift_order    item=tea    expect=NO_ANSWER    timeout=0.3 s
Endless
    Give No Answer    elicitation
    Connect To Server    demo    protocol=modern
    Call Tool    gift_order    item=tea    max_rounds=3
Unscripted
    Connect To Server    demo    protocol=modern    client_capabilities={"elicitation": {}}
    Call Tool    gift_order    item=tea
"""
    )
    assert set(finished.failures) == {"Endless", "Unscripted"}
    assert finished.failures["Endless"].startswith("tools/call: the server still asked after 3 rounds.")
    assert finished.failures["Unscripted"].splitlines()[0] == (
        "tools/call needs an answer: the server asked elicitation/create ('How many gifts of tea shall we wrap?'), "
        "and none was scripted."
    )
    assert "use 'Answer Elicitation' before the call" in finished.failures["Unscripted"]


def test_a_state_alone_is_retried_at_once(run: Run, http_server: Callable[..., str]) -> None:
    seen: list[Any] = []

    def answer(method: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        request = json.loads(body)
        params = request["params"]
        result: dict[str, Any] = {"resultType": "complete", "tools": [], "content": [{"type": "text", "text": "done"}]}
        if request["method"] == "tools/call":
            seen.append((request["id"], params.get("requestState"), params.get("inputResponses")))
            if len(seen) < 3:
                result = {"resultType": "input_required", "requestState": f"s{len(seen)}"}
        reply = {"jsonrpc": "2.0", "id": request["id"], "result": result}
        return 200, {"Content-Type": "application/json"}, json.dumps(reply).encode()

    finished = run(
        HEAD
        + f"""
State Alone
    Connect To Server    {http_server(answer)}    protocol=modern    handshake=False
    ${{r}} =    Call Tool    wait    arguments={{}}
    Should Be Equal    ${{r.text}}    done
"""
    )
    assert finished.failures == {}
    assert [(state, responses) for _, state, responses in seen] == [(None, None), ("s1", None), ("s2", None)]
    assert len({identifier for identifier, _, _ in seen}) == 3
