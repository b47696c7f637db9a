"""Messages against the schema of their revision: what fits, what does not, and what the schema says nothing of."""

import pytest

from McpLibrary.checks.errors import range_problems, unreadable_id_problems
from McpLibrary.checks.messages import message_problems
from McpLibrary.checks.streams import answer_counts
from McpLibrary.session.revisions import LATEST_LEGACY, LATEST_MODERN
from McpLibrary.wire.frame import Frame

OLD, NEW = "2025-11-25", "2026-07-28"
LIST, CALL = {"method": "tools/list"}, {"method": "tools/call"}
HINTS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
SCHEMA = {"type": "object"}


def result(**members):
    return {"jsonrpc": "2.0", "id": 1, "result": members}


@pytest.mark.parametrize(
    ("message", "version", "request_"),
    [
        (result(tools=[]), OLD, LIST),
        (result(tools=[{"name": "a", "inputSchema": SCHEMA, "vendor": 1}]), "2025-03-26", LIST),
        (result(tools=[], **HINTS), NEW, LIST),
        (result(content=[{"type": "text", "text": "x"}]), OLD, CALL),
        (result(resultType="input_required", requestState="s"), NEW, CALL),
        ({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "x"}}, NEW, None),
        ({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, OLD, None),
        ({"jsonrpc": "2.0", "id": 1, "method": "roots/list"}, OLD, None),
        (result(resources=[{"name": "a", "uri": "a:b", "size": 5.0}]), OLD, {"method": "resources/list"}),
        (result(content=[{"type": "text", "text": "x"}], structuredContent={"a": None}), OLD, CALL),
        (result(content=[], structuredContent=None, resultType="complete"), NEW, CALL),
        (result(tools=[{"name": "a", "inputSchema": SCHEMA, "_meta": {"a": None}, "vendor": None}]), OLD, LIST),
        ({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": None}}, OLD, None),
    ],
)
def test_what_fits(message, version, request_):
    assert message_problems(message, version, request_) == []


@pytest.mark.parametrize(
    ("message", "version", "request_", "words"),
    [
        (result(tools="none"), OLD, LIST, "tools: input should be a valid"),
        (result(tools=[{"name": 5, "inputSchema": SCHEMA}]), OLD, LIST, "tools.0.name: input should be a valid string, got 5"),
        (result(tools=[]), NEW, LIST, "field required"),
        (result(tools=[], **{**HINTS, "ttlMs": "5"}), NEW, LIST, "ttlMs: input should be a valid integer"),
        (result(content=[{"type": "text", "text": 5}]), OLD, CALL, "TextContent.text"),
        (result(content=[{"type": "video"}], resultType="complete"), NEW, CALL, "content.0"),
        (result(), OLD, CALL, "content: field required"),
        (result(tools=[], nextCursor=None), OLD, LIST, "nextCursor: what is not there is left out, got null"),
        (result(tools=[{"name": "a", "inputSchema": SCHEMA, "title": None}]), OLD, LIST, "tools.0.title: what is not"),
        (result(content=[], structuredContent=None), OLD, CALL, "structuredContent: what is not there"),
        (result(resources=[{"name": "a", "uri": "a:b", "size": 5.5}]), OLD, {"method": "resources/list"}, "resources.0.size"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "y"}}, OLD, None, "error.code"),
        ({"id": 1, "result": {"tools": []}}, OLD, LIST, "jsonrpc"),
        (
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "loud", "data": 1}},
            OLD, None, "params.level",
        ),
        (
            {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": "5"}},
            OLD, None, "params.progress: input should be a valid number",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit(message, version, request_, words):
    assert words in message_problems(message, version, request_)[0]


@pytest.mark.parametrize(
    ("message", "request_"),
    [
        (result(resultType="task", taskId="t"), CALL),
        (result(task={}), {"method": "tools/call", "params": {"task": {"ttl": 1}}}),
        (result(anything=1), {"method": "tasks/get"}),
        ({"jsonrpc": "2.0", "method": "notifications/vendor/news"}, None),
        ([1], None),
        ("text", None),
    ],
)
def test_what_the_schema_says_nothing_of(message, request_):
    assert message_problems(message, NEW, request_) is None


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (-32602, None), (-32022, None), (-32002, None), (-32050, None), (-1, None), (4711, None), ("x", None),
        (-32000, "-32019 to -32000"), (-32019, "-32019 to -32000"), (-32100, "JSON-RPC reserves"), (-32768, "JSON-RPC reserves"),
    ],
)  # fmt: skip
def test_codes_in_reserved_ranges(code, words):
    problems = range_problems(code, LATEST_MODERN)
    assert problems == [] if words is None else words in problems[0]
    assert range_problems(code, LATEST_LEGACY) == []


def test_errors_to_the_unreadable_have_no_id():
    assert unreadable_id_problems({"jsonrpc": "2.0", "error": {}}) == []
    assert "None" in unreadable_id_problems({"id": None, "error": {}})[0]
    assert "0" in unreadable_id_problems({"id": 0, "error": {}})[0]


def test_answers_are_counted_by_id_and_type():
    frames = [Frame.sent(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % i, "stdin") for i in (b"1", b'"1"', b"2")]
    frames += [
        Frame.received(b'{"jsonrpc":"2.0","id":%s,"result":{}}' % i, "stdout")
        for i in (b"1", b"1", b"2", b"9", b"null")
    ]
    assert answer_counts(frames) == {("int", 1): 2, ("str", "1"): 0, ("int", 2): 1}
