"""The checks of notifications and subscriptions: silent on what is right, clear about each thing that is wrong."""

import pytest

from McpLibrary.checks import notifications as n
from McpLibrary.checks.leaks import find_secrets
from McpLibrary.session.revisions import LATEST_LEGACY, LATEST_MODERN

MODERN = LATEST_MODERN.name
ACK = "subscriptions/acknowledged"


def note(method, params=None):
    message = {"jsonrpc": "2.0", "method": f"notifications/{method}"}
    return message if params is None else {**message, "params": params}


def of(identifier, method, **params):
    return note(method, {**params, "_meta": {n.SUBSCRIPTION_ID: identifier}})


def one(problems, words):
    assert len(problems) == 1 and words in problems[0], problems


@pytest.mark.parametrize(
    "message",
    [
        note("tools/list_changed"),
        note("tools/list_changed", {"_meta": {}}),
        note("progress", {"progressToken": 7, "progress": 0.5, "total": 1, "message": "half"}),
        note("progress", {"progressToken": "t", "progress": 1}),
        note("message", {"level": "notice", "data": None}),
        note("message", {"level": "info", "data": {"a": 1}, "logger": "x"}),
        note("resources/updated", {"uri": "shop://x"}),
        note("cancelled", {"requestId": 1}),
        note(ACK, {"notifications": {}}),
        note("vendor/anything", {"whatever": [1]}),
    ],
)
def test_healthy_shapes(message):
    assert n.shape_problems(message, MODERN) == []


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (note("tools/list_changed", [1]), "the params of notifications/tools/list_changed must be an object"),
        (note("tools/list_changed", {"_meta": 1}), "the _meta of notifications/tools/list_changed must be an object"),
        (note("progress", {"progress": 1}), "notifications/progress must have 'progressToken'"),
        (
            note("progress", {"progressToken": True, "progress": 1}),
            "'progressToken' of notifications/progress must be a string",
        ),
        (
            note("progress", {"progressToken": 1.5, "progress": 1}),
            "'progressToken' of notifications/progress must be a string",
        ),
        (
            note("progress", {"progressToken": 1, "progress": True}),
            "'progress' of notifications/progress must be a number",
        ),
        (
            note("progress", {"progressToken": 1, "progress": 1, "total": "3"}),
            "'total' of notifications/progress must be",
        ),
        (
            note("progress", {"progressToken": 1, "progress": 1, "message": 1}),
            "'message' of notifications/progress must be",
        ),
        (note("message", {"level": "trace", "data": 1}), "'level' of notifications/message must be one of debug,"),
        (note("message", {"level": ["info"], "data": 1}), "'level' of notifications/message must be one of debug,"),
        (note("message", {"level": "info"}), "notifications/message must have 'data'"),
        (
            note("message", {"level": "info", "data": 1, "logger": 1}),
            "'logger' of notifications/message must be a text",
        ),
        (note("resources/updated"), "notifications/resources/updated must have 'uri'"),
        (note("cancelled", {"requestId": None}), "'requestId' of notifications/cancelled must be"),
        (note(ACK, {"notifications": []}), f"'notifications' of notifications/{ACK} must be an object"),
    ],
)
def test_each_defect_of_a_shape(message, words):
    one(n.shape_problems(message, MODERN), words)


def test_one_member_alone_can_be_looked_at():
    message = note("message", {"level": "trace"})
    assert len(n.shape_problems(message, MODERN)) == 2
    one(n.shape_problems(message, MODERN, "level"), "'level'")


def test_progress_has_a_message_since_2025_03_26():
    message = note("progress", {"progressToken": 1, "progress": 1, "message": 5})
    assert n.shape_problems(message, "2024-11-05") == []
    assert n.shape_problems(message, LATEST_LEGACY.name)


@pytest.mark.parametrize(
    ("method", "capabilities", "flag"),
    [
        ("message", {}, "logging"),
        ("message", {"logging": {}}, None),
        ("tools/list_changed", {"tools": {}}, "tools.listChanged"),
        ("tools/list_changed", {"tools": {"listChanged": False}}, "tools.listChanged"),
        ("tools/list_changed", {"tools": {"listChanged": True}}, None),
        ("resources/updated", {"resources": {"listChanged": True}}, "resources.subscribe"),
        ("resources/updated", {"resources": {"subscribe": True}}, None),
        ("prompts/list_changed", {"prompts": True}, "prompts.listChanged"),
        ("prompts/list_changed", None, "prompts.listChanged"),
        ("progress", {}, None),
    ],
)
def test_the_capability_behind_a_notification(method, capabilities, flag):
    assert n.undeclared(f"notifications/{method}", capabilities) == flag


def test_declared_kinds():
    assert n.declared_kinds({"tools": {"listChanged": True}, "resources": {"subscribe": True}, "prompts": {}}) == [
        "toolsListChanged",
        "resourceSubscriptions",
    ]


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([], "nothing came on the subscription"),
        ([of(1, "tools/list_changed"), of(1, ACK)], "but was notifications/tools/list_changed"),
        ([{"id": 1, "result": {}}], "but was a response"),
        ([of(1, ACK), of(1, ACK)], "was acknowledged twice"),
    ],
)
def test_each_defect_of_a_beginning(messages, words):
    one(n.acknowledgment_problems(messages), words)
    assert n.acknowledgment_problems([of(1, ACK), of(1, "tools/list_changed")]) == []


@pytest.mark.parametrize("wrong", ["1", True, 1.0, None, 2])
def test_ids_are_compared_with_their_type(wrong):
    assert n.id_problems(1, [of(1, ACK), {"id": 1, "result": {"_meta": {n.SUBSCRIPTION_ID: 1}}}]) == []
    one(n.id_problems(1, [of(1, ACK), of(wrong, "tools/list_changed")]), "notifications/tools/list_changed must carry")
    one(n.id_problems(1, [note(ACK)]), "got None")


def test_what_is_honoured():
    assert n.honoured([of(1, "x"), of(1, ACK, notifications={"a": True})]) == {"a": True}
    assert n.honoured([of(1, ACK)]) is None and n.honoured([of(1, ACK, notifications=[])]) is None
    asked = {"toolsListChanged": True, "resourceSubscriptions": ["a:1", "a:2"]}
    for good in ({}, {"toolsListChanged": True, "promptsListChanged": False}, {"resourceSubscriptions": ["a:2"]}):
        assert n.honoured_problems(asked, good) == []
    one(n.honoured_problems(asked, None), "must say in 'notifications'")
    one(n.honoured_problems(asked, {"promptsListChanged": True}), "lists 'promptsListChanged', which was not asked for")
    one(n.honoured_problems(asked, {"resourceSubscriptions": ["a:3"]}), "lists other resourceSubscriptions")
    one(n.honoured_problems(asked, {"resourceSubscriptions": True}), "lists other resourceSubscriptions")


def test_what_is_not_supported():
    declared = {"tools": {"listChanged": True}}
    kinds = {"toolsListChanged": True, "promptsListChanged": True, "x": True, "resourceSubscriptions": []}
    assert n.unsupported_kinds(kinds, declared) == ["promptsListChanged", "x"]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (of(1, "prompts/list_changed"), "did not ask for promptsListChanged (SUB-03)"),
        (
            of(1, "progress", progressToken=1, progress=1),
            "notifications/progress belongs to the stream of its own request",
        ),
        (of(1, "message", level="info", data=1), "notifications/message belongs to the stream of its own request"),
        (of(1, "resources/updated", uri="b:1"), "came for 'b:1', subscribed were only a:1 (SUB-06)"),
        (of(1, "resources/updated"), "came for None"),
    ],
)
def test_each_thing_that_a_subscription_did_not_ask_for(message, words):
    asked = {"toolsListChanged": True, "resourceSubscriptions": ["a:1"]}
    one(n.kind_problems(asked, [of(1, ACK), message]), words)


def test_what_a_subscription_may_get():
    asked = {"toolsListChanged": True, "resourceSubscriptions": ["a:1"]}
    messages = [
        of(1, ACK),
        of(1, "tools/list_changed"),
        of(1, "resources/updated", uri="a:1/below"),
        {"id": 1, "result": {}},
    ]
    assert n.kind_problems(asked, [*messages, of(1, "vendor/other"), note("cancelled", {"requestId": 1})]) == []


def test_levels_below():
    logs = [note("message", {"level": level, "data": 1}) for level in ("debug", "warning", "error", "odd")]
    assert n.below(logs, "warning") == ["debug"]
    assert n.below([note("message"), *logs], "debug") == []


@pytest.mark.parametrize(
    "text",
    [
        "password=hunter2", '{"pwd": "s3cret!"}', "Secret: abcdef", "postgres://shop:pw@db/orders",
        "Authorization: Bearer abcdefghijklmnop123", "-----BEGIN RSA PRIVATE KEY-----", "AKIAABCDEFGHIJKLMNOP",
    ],
)  # fmt: skip
def test_credentials_are_seen(text):
    assert find_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "The password is wrong", "password: ****", "password=null", "https://example.com/a@b", "token refreshed",
        "Bearer token was missing", "secretary: Ann", "http://host:8000/mcp",
    ],
)  # fmt: skip
def test_words_about_credentials_are_none(text):
    assert find_secrets(text) == []
