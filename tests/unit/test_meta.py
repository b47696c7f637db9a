"""Checks of `_meta`: where it stands, the grammar of its keys, reserved prefixes, trace context."""

import pytest

from McpLibrary.checks import meta


def with_key(key):
    return {"result": {"_meta": {key: 1}}}


def test_every_meta_of_a_message_is_found():
    message = {"params": {"_meta": {}}, "result": {"_meta": {}, "tools": [{"name": "a"}, {"_meta": {}}]}}
    assert sorted(where for where, _ in meta.meta_objects(message)) == [
        "params._meta", "result._meta", "result.tools[1]._meta",
    ]  # fmt: skip
    assert [where for where, _ in meta.meta_objects([with_key("a")])] == ["[0].result._meta"]


@pytest.mark.parametrize("message", [None, 7, "x", {"_meta_": {}}, {"result": {}}])
def test_a_message_without_meta(message):
    assert list(meta.meta_objects(message)) == []


@pytest.mark.parametrize("member", ["structuredContent", "inputSchema", "arguments", "data", "extensions"])
def test_data_of_the_author_is_left_alone(member):
    message = {"result": {member: {"properties": {"_meta": {"-": {}}}, "_meta": {"1/x": 1}}}}
    assert meta.key_problems(message) == []


def test_very_deep_messages_are_walked():
    message = with_key("a-")
    for _ in range(5000):
        message = [message]
    assert len(meta.key_problems(message)) == 1


@pytest.mark.parametrize(
    "key",
    [
        "a",
        "A-b_c.9",
        "traceparent",
        "com.example/x",
        "com.example/",
        "a/b",
        "a-1.b2/9",
        "io.modelcontextprotocol/x",
        "",
    ],
)
def test_keys_that_follow_the_grammar(key):
    assert meta.key_problems(with_key(key)) == []


@pytest.mark.parametrize(
    "key",
    [
        "-a",
        "a-",
        "a b",
        "com.example/a/b",
        "1com.example/x",
        "com..example/x",
        "com-/x",
        "/x",
        "é",
        "a\n",
        "com.ex_a/x",
    ],
)
def test_keys_that_do_not(key):
    (problem,) = meta.key_problems(with_key(key))
    assert problem.startswith("result._meta has the key") and repr(key) in problem


def test_meta_that_is_no_object():
    assert meta.key_problems({"result": {"_meta": 7}}) == ["result._meta must be an object, got 7"]
    assert meta.reserved_problems({"result": {"_meta": 7}}) == meta.trace_problems({"result": {"_meta": 7}}) == []


@pytest.mark.parametrize(
    "key", ["io.modelcontextprotocol/serverInfo", "io.modelcontextprotocol/related-task", "com.example.mcp/x", "mcp/x",
            "com.example/mcp", "progressToken"],
)  # fmt: skip
def test_keys_that_may_be_used(key):
    assert meta.reserved_problems(with_key(key)) == []


@pytest.mark.parametrize(
    "key", ["io.modelcontextprotocol/x", "dev.mcp/x", "org.modelcontextprotocol.api/", "com.mcp.tools/x"]
)
def test_reserved_keys_that_nobody_knows(key):
    (problem,) = meta.reserved_problems(with_key(key))
    assert "the prefix is reserved for MCP" in problem


def test_an_extension_brings_its_own_keys():
    key = with_key("io.modelcontextprotocol/ui-theme")
    assert meta.reserved_problems(key, ["io.modelcontextprotocol/ui"]) == []
    assert len(meta.reserved_problems(key, ["io.modelcontextprotocol/tasks"])) == 1


TRACE = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("traceparent", TRACE),
        ("tracestate", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
        ("tracestate", "1a@b=x, ,c= y"),
        ("baggage", "userId=alice, isProduction=false"),
        ("baggage", "k=v;p1;p2=x , l="),
        ("other", "garbage"),
    ],
)
def test_trace_context_in_the_formats_of_the_w3c(key, value):
    assert meta.trace_problems({"_meta": {key: value}}) == []
    assert meta.has_trace_keys({"_meta": {key: value}}) == (key != "other")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("traceparent", "garbage"),
        ("traceparent", TRACE.upper()),
        ("traceparent", "ff" + TRACE[2:]),
        ("traceparent", f"00-{'0' * 32}-00f067aa0ba902b7-01"),
        ("traceparent", f"00-0af7651916cd43dd8448eb211c80319c-{'0' * 16}-01"),
        ("traceparent", TRACE[:-3]),
        ("traceparent", 7),
        ("tracestate", ""),
        ("tracestate", "=x"),
        ("tracestate", "a=b=c"),
        ("baggage", ";;"),
        ("baggage", "k=a b"),
        ("baggage", {"k": "v"}),
    ],
)
def test_trace_context_in_others(key, value):
    (problem,) = meta.trace_problems({"_meta": {key: value}})
    assert key in problem
