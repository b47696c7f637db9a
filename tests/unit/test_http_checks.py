"""What counts as right over Streamable HTTP, and what is said about what is not."""

from __future__ import annotations

import uuid

import pytest

from McpLibrary.checks import http
from McpLibrary.wire.frame import Event


@pytest.mark.parametrize(
    ("media_type", "value", "said"),
    [
        ("application/json", {"id": 1}, ""),
        ("text/event-stream", None, ""),
        ("application/json", [{"id": 1}], "no single object but list"),
        ("application/json", None, "no single object but NoneType"),
        ("text/plain", {"id": 1}, "its content type is text/plain, not application/json or text/event-stream"),
        ("", {"id": 1}, "its content type is missing"),
    ],
)
def test_form_of_an_answer(media_type, value, said):
    problems = http.form_problems(media_type, value)
    assert said in problems[0] if said else problems == []


def test_session_ids_of_visible_ascii():
    assert http.visible_ascii_problems(["!~", str(uuid.uuid4()), "a.b-c_d="]) == []
    for identifier in ("a b", "", "a\tb", "naïve", "a\x7f"):
        assert http.visible_ascii_problems([identifier]) != []


def test_repeated_ids():
    assert http.repeated(["b", "a", "b", "c", "a"]) == ["a", "b"]
    assert http.repeated(["a", "b"]) == []


@pytest.mark.parametrize("make", [lambda: str(uuid.uuid4()), lambda: uuid.uuid4().hex, lambda: f"s-{uuid.uuid4()}.x"])
def test_random_ids_are_hard_to_guess(make):
    assert http.chance_problems([make() for _ in range(10)]) == []


@pytest.mark.parametrize(
    "identifiers",
    [
        [f"session-{number}" for number in range(10)],
        [f"{1764500000000 + 37 * number}" for number in range(10)],
        [f"{number:032}" for number in range(10)],
        ["same"] * 10,
        ["", "a"],
        [],
    ],
    ids=["counter", "clock", "padded counter", "same", "empty", "none"],
)
def test_ids_that_can_be_guessed(identifiers):
    problems = http.chance_problems(identifiers)
    assert len(problems) == 1 and "bits" in problems[0]


def progress(token):
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}}


LOG = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}


def test_foreign_progress():
    assert http.foreign_progress([("a", [progress("a"), LOG]), ("b", [progress("b"), None, {"params": []}])]) == []
    assert http.foreign_progress([("a", [progress("a"), progress("b")])]) == [
        "progress of 'b' came on the stream of 'a'"
    ]
    assert http.foreign_progress([("1", [progress(1)])]) == ["progress of 1 came on the stream of '1'"]


def test_spread_messages():
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert http.spread_messages({"POST": [progress("a"), progress("a"), answer], "GET": [LOG, answer]}) == []
    problems = http.spread_messages({"POST": [progress("a")], "GET": [dict(reversed(progress("a").items()))]})
    assert len(problems) == 1 and problems[0].startswith("one message came on POST and on GET: ")


def events(*ids, empty=()):
    return [Event(name, None, name in empty) for name in ids]


def test_event_ids():
    assert http.event_id_problems({"one": events("1-0", "1-1", ""), "two": events("2-0", "", "")}) == []
    assert http.event_id_problems({"one": events("0", "1"), "two": events("1")}) == [
        "the event id '1' of two was given before, on one"
    ]
    assert "on the same stream" in http.event_id_problems({"one": events("0", "0")})[0]


@pytest.mark.parametrize(
    ("stream", "answered", "said"),
    [
        (events("0", "1", empty="0"), True, []),
        ([], True, []),
        (events("0", "1"), True, ["does not begin"]),
        (events("", "1"), True, ["does not begin"]),
        (events("0", empty="0"), False, ["without having sent a 'retry'"]),
        ([*events("0", empty="0"), Event("", 500, True)], False, []),
    ],
)
def test_priming(stream, answered, said):
    problems = http.priming_problems(stream, answered=answered)
    assert len(problems) == len(said) and all(text in problem for text, problem in zip(said, problems, strict=True))


def test_replay():
    own, other = progress("a"), progress("b")
    assert http.replay_problems([own, LOG], [own], [other]) == []
    assert http.replay_problems([], [own], [other]) == []
    assert http.replay_problems([LOG], [own, LOG], [LOG]) == []
    assert "another stream" in http.replay_problems([own, other], [own], [other])[0]
