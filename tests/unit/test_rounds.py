"""Rounds: their shape, states that are spoilt or can be read, refusals that differ, answers that do not fit."""

import base64
import json

import pytest

from McpLibrary.checks import rounds

FORM = {"method": "elicitation/create", "params": {"message": "How many?"}}


def problems(raw=None, **result):
    return rounds.round_problems(result, raw or json.dumps({"result": result}))


def test_a_good_round_has_no_problems():
    assert problems(inputRequests={"q": FORM, "r": {"method": "roots/list"}}, requestState="s") == []
    assert problems(inputRequests={"q": FORM}) == []
    assert problems(requestState="") == []


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({}, "neither 'inputRequests' nor 'requestState'"),
        ({"inputRequests": {}}, "neither 'inputRequests' nor 'requestState'"),
        ({"requestState": 5}, "'requestState' must be a string, got 5"),
        ({"inputRequests": [FORM]}, "'inputRequests' must be an object"),
        ({"inputRequests": {"q": "x"}}, "the question 'q' must be an object"),
        ({"inputRequests": {"q": {"method": "ping"}}}, "the question 'q' has the method 'ping'"),
        ({"inputRequests": {"q": {**FORM, "params": [1]}}}, "the params of the question 'q' must be an object"),
        ({"inputRequests": {"q": {**FORM, "id": 1}}}, "the question 'q' has the member 'id'"),
    ],
)
def test_a_bad_round_is_told(result, words):
    assert words in problems(**result)[0]


def test_a_key_that_stands_twice_is_seen_in_the_raw_text():
    raw = '{"result":{"inputRequests":{"q":{"method":"roots/list"},"q":{"method":"roots/list"}},"requestState":"s"}}'
    result = json.loads(raw)["result"]
    assert "the key 'q' stands twice" in rounds.round_problems(result, raw)[0]
    assert rounds.twice_in('{"a": 1, "a": 2}', "inputRequests") == set()
    assert rounds.twice_in("{bad", "inputRequests") == set()


@pytest.mark.parametrize("size", [3, 20, 21, 22, 23])
@pytest.mark.parametrize("way", ["changed", "shortened", "longer"])
def test_a_spoilt_state_decodes_to_something_else(size, way):
    state = base64.urlsafe_b64encode(bytes(range(200, 200 + size))).decode()
    spoilt = rounds.tampered(state, way)
    assert spoilt != state
    decoded = spoilt.rstrip("=")
    decoded = base64.urlsafe_b64decode(decoded[: len(decoded) // 4 * 4 if len(decoded) % 4 == 1 else None] + "==")
    assert decoded != bytes(range(200, 200 + size))


def test_every_way_spoils_a_state():
    spoilt = [rounds.tampered("v1.abcdef.ghijkl", way) for way in rounds.WAYS]
    assert len({repr(value) for value in spoilt}) == len(rounds.WAYS) and "v1.abcdef.ghijkl" not in spoilt
    assert rounds.tampered('{"step": 1}', "changed") != '{"step": 1}'
    assert rounds.tampered("", "changed") == "A"


def encoded(text):
    return base64.urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("topic=jasmine", "shows the argument 'jasmine'"),
        (encoded("topic=jasmine"), "shows the argument 'jasmine'"),
        ("v1." + encoded('{"p":{"step":1}}').rstrip("=") + ".bWFj", 'shows {"p":{"step":1}}'),
        (b'{"step":1}'.hex(), 'shows {"step":1}'),
        ('{"step":1}', 'shows {"step":1}'),
    ],
)
def test_what_can_be_read_in_a_state_is_told(state, words):
    assert any(words in part for part in rounds.readable_parts(state, {"topic": ["jasmine"]}))


@pytest.mark.parametrize(
    "state", ["", "5", "v1.Q3xI0siETkaAbCdEfGh", "not base64 at all!", encoded("\x00\x01\x02\x03secret?")]
)
def test_a_state_that_tells_nothing_is_opaque(state):
    assert rounds.readable_parts(state, {"topic": "jasmine", "short": "Q3x"}) == []


def test_refusals_are_compared_with_the_first():
    error = {"code": -32602, "message": "Invalid requestState"}
    assert rounds.differences([("a", 400, error), ("b", 400, dict(error))]) == []
    assert rounds.differences([("a", 400, error), ("b", 200, error)]) == ["'b' has HTTP status 200, 'a' has 400"]
    other = {**error, "message": "Expired requestState", "data": {"reason": "expired"}}
    assert rounds.differences([("a", None, error), ("b", None, other)]) == [
        "'b' has the message \"Expired requestState\", 'a' has \"Invalid requestState\"",
        "'b' has the data {\"reason\": \"expired\"}, 'a' has none",
    ]


def test_a_misfit_breaks_each_field():
    schema = {"properties": {"qty": {"type": "integer"}, "note": {"type": "string"}}}
    assert rounds.misfit(schema) == {"qty": "misfit", "note": ["misfit"]}
    assert rounds.misfit(None) == {} == rounds.misfit({"properties": []})
