"""What *Call Tool* makes of its arguments, and what a tester reads when they or a reply are wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from failing import fail

Run = Callable[..., Any]
Scripted = Callable[..., str]

OPTIONS = "expect, timeout, server, max_rounds, as_text, progress_token"
SCHEMA = {
    "type": "object",
    "$defs": {
        "Size": {"enum": ["small", "big"]},
        "Count": {"$ref": "#/$defs/Whole"},
        "Whole": {"type": "integer"},
        "Box": {"type": "object", "properties": {"w": {"type": "integer"}}},
    },
    "properties": {
        "qty": {"type": "integer"},
        "price": {"type": "number"},
        "express": {"type": "boolean"},
        "text": {"type": "string"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "either": {"type": ["integer", "string"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "box": {"$ref": "#/$defs/Box"},
        "count": {"$ref": "#/$defs/Count"},
        "size": {"$ref": "#/$defs/Size"},
        "level": {"enum": [1, 2, 3]},
        "nothing": {"type": "null"},
        "free": {},
        "loop": {"$ref": "#/properties/loop"},
    },
}
COLLIDING = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "timeout": {"type": "integer"},
        "server": {"type": "string"},
        "expect": {"type": "string"},
    },
}


def tool(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "inputSchema": schema}


def sent(run: Run, server: str, call: str) -> Any:
    """The arguments that a call sent, as the server saw them."""
    finished = run(
        f"Connect To Server    {server}    protocol=legacy    alias=shop\n${{r}} =    {call}\nLog    got: ${{r.text}}"
    )
    finished.passed()
    return json.loads(next(m.message for m in finished.messages() if m.message.startswith("got: "))[5:])


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("qty=2", 2),
        ("qty=-3", -3),
        ("qty=two", "two"),
        ("qty=2.5", "2.5"),
        ("qty=true", "true"),
        ("qty=${2}", 2),
        ("price=2.5", 2.5),
        ("price=2", 2),
        ("express=true", True),
        ("express=False", False),
        ("express=1", "1"),
        ("express=${True}", True),
        ("text=2", "2"),
        ("text=true", "true"),
        ("text=null", "null"),
        ('text={"a": 1}', '{"a": 1}'),
        ("text=${2}", 2),
        ("note=abc", "abc"),
        ("note=null", None),
        ("note=${NONE}", None),
        ("limit=5", 5),
        ("limit=null", None),
        ("limit=many", "many"),
        ("either=5", "5"),
        ('tags=["a", "b"]', ["a", "b"]),
        ("tags=a", "a"),
        ('tags={"a": 1}', '{"a": 1}'),
        ('box={"w": 2}', {"w": 2}),
        ("box=[1]", "[1]"),
        ("count=7", 7),
        ("size=small", "small"),
        ("level=2", 2),
        ("nothing=null", None),
        ("free=2", "2"),
        ("loop=2", "2"),
        ("undeclared=2", "2"),
    ],
)
def test_named_value_is_converted_as_the_schema_asks(run: Run, scripted: Scripted, named: str, expected: Any) -> None:
    got = sent(run, scripted(tools=[tool("order", SCHEMA)]), f"Call Tool    order    {named}")
    assert list(got.values()) == [expected]
    assert type(next(iter(got.values()))) is type(expected)


def test_conversion_is_told_in_the_log(run: Run, scripted: Scripted) -> None:
    server = scripted(tools=[tool("order", SCHEMA)])
    finished = run(
        f"Connect To Server    {server}    protocol=legacy\nCall Tool    order    qty=2    price=cheap    odd=1"
    )
    for note in (
        "Argument 'qty': text '2' sent as 2, as the inputSchema asks.",
        "Argument 'price': 'cheap' does not read as number; sent as text.",
        "Argument 'odd' is not declared by the tool's inputSchema; sent as text.",
    ):
        assert note in finished.log


def test_as_text_converts_nothing(run: Run, scripted: Scripted) -> None:
    call = "Call Tool    order    qty=2    express=true    note=null    as_text=True"
    assert sent(run, scripted(tools=[tool("order", SCHEMA)]), call) == {"qty": "2", "express": "true", "note": "null"}


def test_arguments_are_sent_untouched(run: Run, scripted: Scripted) -> None:
    call = 'Call Tool    order    arguments={"qty": "2", "deep": {"list": [1, null]}, "timeout": 1}    timeout=5s'
    assert sent(run, scripted(tools=[tool("order", SCHEMA)]), call) == {
        "qty": "2", "deep": {"list": [1, None]}, "timeout": 1,
    }  # fmt: skip


def test_names_of_options_that_the_tool_declares_are_the_tools(run: Run, scripted: Scripted) -> None:
    call = "Call Tool    greet    name=Bob    timeout=5    server=shop two    expect=joy"
    assert sent(run, scripted(tools=[tool("greet", COLLIDING)]), call) == {
        "name": "Bob", "timeout": 5, "server": "shop two", "expect": "joy",
    }  # fmt: skip


def test_server_that_the_tool_declares_is_the_tools_even_when_it_is_an_open_alias(run: Run, scripted: Scripted) -> None:
    call = "Call Tool    greet    name=Bob    server=shop"
    assert sent(run, scripted(tools=[tool("greet", COLLIDING)]), call) == {"name": "Bob", "server": "shop"}


def test_names_of_options_that_the_tool_does_not_declare_are_ours(run: Run, scripted: Scripted) -> None:
    call = "Call Tool    order    name=Bob    timeout=5s    server=shop    expect=RESULT    max_rounds=2"
    assert sent(run, scripted(tools=[tool("order", SCHEMA)]), call) == {"name": "Bob"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("echo    arguments={text", "ValueError: Argument 'arguments' got value '{text' that cannot be converted to Json: "
            'expected JSON such as {"qty": 2}, true or "text" with its quotes, but \'{text\' is none: '
            "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("echo    arguments={'qty': 2}", "ValueError: Argument 'arguments' got value '{'qty': 2}' that cannot be converted "
            "to Json: expected JSON such as {\"qty\": 2}, true or \"text\" with its quotes, but \"{'qty': 2}\" is none: "
            "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("echo    arguments=[1]", 'arguments= takes the whole JSON object, got [1]. For a tool argument that is itself '
            'called "arguments" write arguments={"arguments": ...}. To send something else than an object, use '
            "'Send Raw Request'."),
        ("echo    arguments=7", 'arguments= takes the whole JSON object, got 7. For a tool argument that is itself '
            'called "arguments" write arguments={"arguments": ...}. To send something else than an object, use '
            "'Send Raw Request'."),
        ("echo    arguments={}    qty=2", "arguments= is sent untouched, so these named values have no place: qty. "
            f"Options are: {OPTIONS}."),
        ("echo    expect=maybe", "expect=maybe is not understood: expected one of RESULT, TOOL_ERROR, PROTOCOL_ERROR, "
            "NO_ANSWER, ANY."),
        ("echo    timeout=soon", "timeout=soon is not understood: Invalid time string 'soon'. A time looks like 5 s or "
            "1 minute; if it is meant for the tool, the tool does not declare it."),
        ("echo    timeout=0", "timeout=0 is not understood: a timeout must be longer than nothing. A time looks like 5 s "
            "or 1 minute; if it is meant for the tool, the tool does not declare it."),
        ("echo    max_rounds=many", "max_rounds=many is not understood: invalid literal for int() with base 10: 'many'."),
        ("echo    server=nope", "There is no connection 'nope'. Open are: 'shop'."),
    ],
)  # fmt: skip
def test_wrong_use_of_call_tool(run: Run, scripted: Scripted, call: str, message: str) -> None:
    assert fail(run, f"Call Tool    {call}", scripted(tools=[tool("echo", {"type": "object"})])) == message


def test_arguments_that_have_no_json_form(run: Run) -> None:
    assert fail(run, "${o} =    Evaluate    {'a': object()}\nCall Tool    echo    arguments=${o}").startswith(
        "ValueError: Argument 'arguments' got value "
    )


@pytest.mark.parametrize(
    "keyword",
    [
        "Assert Error Code    {}    -32601", "Call Should Succeed    {}", "Call Should Be Tool Error    {}",
        "Call Should Be Protocol Error    {}", "Answer Should Have Http Status    {}    200", "Progress Should Increase    {}",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("reply", "kind"), [("text", "str"), ("${7}", "int"), ("${NONE}", "NoneType"), ("${{{}}}", "dict")]
)
def test_reply_of_the_wrong_type(run: Run, keyword: str, reply: str, kind: str) -> None:
    assert run(keyword.replace("{}", reply)).failure == (
        f"Expected the reply that 'Call Tool', 'Send Raw Request' or another asking keyword returned, got {kind}."
    )


def test_error_code_that_does_not_exist(run: Run) -> None:
    assert fail(run, "${r} =    Call Tool    echo\nAssert Error Code    ${r}    wrong thing").startswith(
        "ValueError: Argument 'codes' got value 'wrong thing' that cannot be converted to ErrorCode: "
        "'wrong thing' is no number and none of: parse error, invalid request, method not found, invalid params, "
    )


def test_error_code_that_is_left_out(run: Run) -> None:
    assert fail(run, "${r} =    Call Tool    echo\nAssert Error Code    ${r}") == (
        "'Assert Error Code' needs at least one code, such as -32601 or 'method not found'."
    )


TOOL_ERROR = {"result": {"isError": True, "content": [{"type": "text", "text": "no tea left"}]}}
PROTOCOL_ERROR = {"error": {"code": -32602, "message": "qty must be positive", "data": {"qty": -1}}}


def failing_call(run: Run, scripted: Scripted, answer: dict[str, Any], body: str) -> str:
    return fail(run, body, scripted(answers={"order": answer}))


@pytest.mark.parametrize(
    ("answer", "body", "lines"),
    [
        (TOOL_ERROR, "Call Tool    order    arguments={}", [
            "Expected a result, but got a tool error: 'no tea left'.",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"isError":true,"content":[{"type":"text","text":"no tea left"}]}',
        ]),
        (PROTOCOL_ERROR, "Call Tool    order    arguments={}", [
            "Expected a result, but got error -32602 (invalid params): 'qty must be positive'.",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"code":-32602,"message":"qty must be positive","data":{"qty":-1}}',
        ]),
        (TOOL_ERROR, "Call Tool    order    arguments={}    expect=PROTOCOL_ERROR", [
            "Expected a protocol error (JSON-RPC error), but got a tool error: 'no tea left'.",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"isError":true,"content":[{"type":"text","text":"no tea left"}]}',
        ]),
        (PROTOCOL_ERROR, "Call Tool    order    arguments={}    expect=tool error", [
            "Expected a tool error (isError: true), but got error -32602 (invalid params): 'qty must be positive'.",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"code":-32602,"message":"qty must be positive","data":{"qty":-1}}',
        ]),
        (PROTOCOL_ERROR, "${r} =    Call Tool    order    arguments={}    expect=ANY\n"
                         "Assert Error Code    ${r}    method not found", [
            "Error code should be -32601 (method not found), but was -32602 (invalid params).",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"code":-32602,"message":"qty must be positive","data":{"qty":-1}}',
        ]),
        (PROTOCOL_ERROR, "${r} =    Call Tool    order    arguments={}    expect=ANY\n"
                         "Assert Error Code    ${r}    -32602    message=*negative*", [
            "Error message should match '*negative*', but was 'qty must be positive'.",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"code":-32602,"message":"qty must be positive","data":{"qty":-1}}',
        ]),
        (PROTOCOL_ERROR, "${r} =    Call Tool    order    arguments={}    expect=ANY\n"
                         'Assert Error Code    ${r}    -32602    data={"qty": 2}', [
            "Member 'qty' of the error data should be 2, but was -1.",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"code":-32602,"message":"qty must be positive","data":{"qty":-1}}',
        ]),
        (TOOL_ERROR, "${r} =    Call Tool    order    arguments={}    expect=ANY\nCall Should Be Tool Error    ${r}    *milk*", [
            "The text of the tool error should match '*milk*', but was 'no tea left'.",
            "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
            'Evidence: {"isError":true,"content":[{"type":"text","text":"no tea left"}]}',
        ]),
    ],
)  # fmt: skip
def test_failure_of_a_verdict_has_three_lines(
    run: Run, scripted: Scripted, answer: dict[str, Any], body: str, lines: list[str]
) -> None:
    assert failing_call(run, scripted, answer, body).splitlines() == lines


def test_unknown_tool_lists_the_known_ones(run: Run, scripted: Scripted) -> None:
    server = scripted(tools=[tool("order", {}), tool("echo", {})])
    assert fail(run, "Get Tool    nope", server) == (
        "The server has no tool 'nope'. It has: order, echo.\nServer 'shop' (stdio, 2025-11-25), tools/list."
    )


def test_unknown_handles(run: Run) -> None:
    assert fail(run, "Wait For Call    nope") == "There is no call 'nope' in flight. In flight: none."
    assert fail(run, "Get Exchange    99") == "There is no exchange 99; this connection has had 2 of them."


def test_bytes_that_are_none(run: Run) -> None:
    assert fail(run, "Send Raw Bytes    ${7}") == (
        "'Send Raw Bytes' takes bytes or text, got int; JSON goes by 'Send Raw Message'."
    )


def test_call_that_hangs_because_the_server_asks_says_so_and_a_later_one_does_not(run: Run, scripted: Scripted) -> None:
    server = scripted(answers={"asks": "ask", "sleeps": None})
    finished = run(f"""
*** Settings ***
Library    McpLibrary
Suite Setup    Connect To Server    {server}    protocol=legacy    alias=shop
*** Test Cases ***
Asks
    Call Tool    asks    arguments={{}}    timeout=0.5s
Sleeps
    Call Tool    sleeps    arguments={{}}    timeout=0.5s
""")
    assert finished.failures["Asks"].splitlines() == [
        "tools/call got no answer: no answer within 0.5 seconds.",
        "Server 'shop' (stdio, 2025-11-25), exchange 3: tools/call.",
        "Hint: the server asked elicitation/create ('How many?'); use 'Answer Elicitation' before the call.",
    ]
    assert finished.failures["Sleeps"].splitlines() == [
        "tools/call got no answer: no answer within 0.5 seconds.",
        "Server 'shop' (stdio, 2025-11-25), exchange 6: tools/call.",
    ]
