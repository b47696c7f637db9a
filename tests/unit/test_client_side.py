"""What our client answers when a server asks."""

import pytest

from McpLibrary.session.client_side import (
    ELICITATION,
    ROOTS,
    SAMPLING,
    ClientSide,
    Question,
    Refusal,
    elicitation_answer,
    from_schema,
    roots_answer,
    sampling_answer,
)
from McpLibrary.wire.jsonrpc import METHOD_NOT_FOUND


def says(word):
    return lambda params: {"said": word, **params}


def asked(client, times, method=ELICITATION):
    return [(client.ask(method, {}).answer or {}).get("said") for _ in range(times)]


def test_answers_to_use_once_come_in_their_order_before_the_one_for_all():
    client = ClientSide()
    client.script(ELICITATION, says("always"))
    client.script(ELICITATION, says("first"), times=2)
    client.script(ELICITATION, says("second"), times=1)
    assert asked(client, 5) == ["first", "first", "second", "always", "always"]


def test_the_last_answer_for_all_counts():
    client = ClientSide()
    client.script(ELICITATION, says("old"))
    client.script(ELICITATION, says("new"))
    assert asked(client, 2) == ["new", "new"]


def test_used_up_scripts_answer_no_more_and_other_methods_never():
    client = ClientSide()
    client.script(ELICITATION, says("once"), times=1)
    assert asked(client, 2) == ["once", None]
    assert asked(client, 1, SAMPLING) == [None]
    assert [question.method for question in client.unanswered()] == [ELICITATION, SAMPLING]


@pytest.mark.parametrize(("params", "seen"), [({"a": 1}, {"a": 1}), (None, {}), ([1], {}), ("x", {})])
def test_questions_are_recorded_and_answers_see_their_params(params, seen):
    client = ClientSide()
    client.script(ELICITATION, lambda given: {"got": given})
    question = client.ask(ELICITATION, params)
    assert question.answer == {"got": seen}
    assert client.questions == [question]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (Question(ELICITATION, {"message": "How many?"}), "elicitation/create ('How many?')"),
        (Question(ELICITATION, {"message": 7}), "elicitation/create"),
        (Question(SAMPLING, {"message": "x"}), "sampling/createMessage"),
    ],
)
def test_a_question_has_words(question, text):
    assert str(question) == text


@pytest.mark.parametrize(
    ("methods", "declared"),
    [
        ([], {}),
        ([ELICITATION], {"elicitation": {"form": {}, "url": {}}}),
        ([SAMPLING, ROOTS], {"sampling": {}, "roots": {}}),
        (["custom/ask"], {}),
    ],
)
def test_capabilities_follow_the_scripts(methods, declared):
    client = ClientSide()
    for method in methods:
        client.script(method, says("x"))
    assert client.capabilities() == declared


def test_a_used_up_script_still_declares_its_capability():
    client = ClientSide()
    client.script(ROOTS, says("x"), times=1)
    asked(client, 2, ROOTS)
    assert client.capabilities() == {"roots": {}}


@pytest.mark.parametrize("declared", [{}, {"elicitation": {}}])
def test_declared_capabilities_stand_and_scripts_are_shared(declared):
    client = ClientSide()
    client.script(ROOTS, says("x"))
    twin = client.declaring(declared)
    assert twin.capabilities() == declared and client.capabilities() == {"roots": {}}
    client.script(SAMPLING, says("later"))
    assert asked(twin, 1, SAMPLING) == ["later"]
    assert client.questions is twin.questions


def test_the_end_of_a_level_brings_back_what_was_before():
    client = ClientSide()
    client.script(ELICITATION, says("suite"), level=1)
    client.script(ELICITATION, says("test"), level=2)
    client.script(ELICITATION, says("once"), times=3, level=2)
    client.script(SAMPLING, says("test"), level=2)
    assert asked(client, 1) == ["once"]
    client.end_level(2)
    assert asked(client, 1) == ["suite"]
    assert client.capabilities() == {"elicitation": {"form": {}, "url": {}}}
    client.end_level(1)
    assert client.capabilities() == {}


def test_scripts_are_forgotten_by_method_or_all():
    client = ClientSide()
    for method in (ELICITATION, SAMPLING, ROOTS):
        client.script(method, says("x"))
    client.forget(SAMPLING)
    client.forget("never scripted")
    assert set(client.capabilities()) == {"elicitation", "roots"}
    client.forget()
    assert client.capabilities() == {}


def test_responses_to_a_legacy_server():
    client = ClientSide()
    client.script(ROOTS, lambda params: {"roots": []})
    assert client.respond("ping", None) == ({"result": {}}, 0)
    assert client.respond(ROOTS, None) == ({"result": {"roots": []}}, 0)
    refused, _ = client.respond(SAMPLING, {})
    assert refused["error"]["code"] == METHOD_NOT_FOUND and SAMPLING in refused["error"]["message"]
    assert [question.method for question in client.questions] == [ROOTS, SAMPLING]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"type": "string"}, "text"),
        ({}, "text"),
        ({"type": "string", "format": "email"}, "qa@example.com"),
        ({"type": "string", "format": "uri"}, "https://example.com/"),
        ({"type": "string", "format": "date"}, "2026-01-31"),
        ({"type": "string", "format": "date-time"}, "2026-01-31T12:00:00Z"),
        ({"type": "string", "format": "unknown"}, "text"),
        ({"type": "string", "minLength": 6}, "textxx"),
        ({"type": "string", "maxLength": 2}, "te"),
        ({"type": "string", "minLength": 1, "maxLength": 0}, ""),
        ({"type": "boolean"}, False),
        ({"type": "integer"}, 0),
        ({"type": "number"}, 0),
        ({"type": "integer", "minimum": 3, "maximum": 9}, 3),
        ({"type": "number", "minimum": 0.5}, 0.5),
        ({"type": "integer", "maximum": -5}, -5),
        ({"type": "string", "enum": ["b", "a"]}, "b"),
        ({"enum": ["", "a"]}, ""),
        ({"type": "string", "oneOf": [{"const": "x", "title": "X"}, {"const": "y"}]}, "x"),
        ({"anyOf": [{"const": 7}]}, 7),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, []),
        ({"type": "array", "minItems": 1, "items": {"enum": ["a", "b"]}}, ["a"]),
        ({"type": "array", "minItems": 1, "items": {"anyOf": [{"const": "c"}]}}, ["c"]),
        ({"type": "integer", "default": 5, "minimum": 1}, 5),
        ({"type": "string", "default": None}, None),
        (True, "text"),
    ],
)
def test_a_required_field_gets_its_default_or_the_first_value_that_fits(field, value):
    content = from_schema({"type": "object", "properties": {"f": field}, "required": ["f"]})
    assert content == {"f": value} and type(content["f"]) is type(value)


def test_a_choice_of_several_gets_different_values():
    field = {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"enum": ["a", "b"]}}
    assert from_schema({"properties": {"f": field}, "required": ["f"]}) == {"f": ["a", "b"]}


@pytest.mark.parametrize(
    ("schema", "content"),
    [
        ({"properties": {"a": {"type": "string"}}}, {}),
        ({"properties": {"a": {"default": 1}, "b": {"type": "string"}}}, {"a": 1}),
        ({"properties": {"a": {"type": "string"}}, "required": ["a", "absent"]}, {"a": "text"}),
        ({"properties": {"a": {"type": "string"}}, "required": "a"}, {}),
        ({"properties": []}, {}),
        ({}, {}),
        (None, {}),
        (True, {}),
    ],
)
def test_a_form_gets_its_defaults_and_required_fields(schema, content):
    assert from_schema(schema) == content


@pytest.mark.parametrize(
    "field",
    [
        {"enum": 5},
        {"oneOf": {"a": 1}},
        {"minLength": "x"},
        {"maxLength": "x"},
        {"format": ["email"]},
        {"type": "array", "minItems": "2"},
        {"type": "array", "minItems": 1, "items": True},
    ],
)
def test_a_malformed_schema_of_the_server_raises_nothing(field):
    assert "f" in from_schema({"properties": {"f": field}, "required": ["f"]})


def test_a_script_about_something_answers_only_that():
    client = ClientSide()
    client.script(ELICITATION, says("all"))
    client.script(ELICITATION, says("once about tea"), times=1, about="TEA")
    client.script(ELICITATION, says("about cake"), about="cake")
    asked = [client.ask(ELICITATION, {"message": text}).answer["said"] for text in ("bun", "Tea?", "tea", "a Cake")]
    assert asked == ["all", "once about tea", "all", "about cake"]


def test_a_script_can_refuse_or_be_silent_and_counts_as_answered():
    client = ClientSide()
    client.script(ELICITATION, Refusal(-1, "no"), times=1)
    client.script(ELICITATION, None, times=1)
    client.script(ELICITATION, says("late"), delay=2.5)
    assert client.respond(ELICITATION, {}) == ({"error": {"code": -1, "message": "no"}}, 0)
    assert client.respond(ELICITATION, {}) == (None, 0)
    assert client.respond(ELICITATION, {}) == ({"result": {"said": "late"}}, 2.5)
    assert client.unanswered() == []


def test_tools_of_a_model_are_declared_with_sampling():
    client = ClientSide()
    client.script(SAMPLING, says("x"), declares={"tools": {}})
    assert client.capabilities() == {"sampling": {"tools": {}}}


def test_declared_by_hand_ends_with_its_level():
    client = ClientSide()
    client.script(ROOTS, says("x"), level=1)
    client.declare({"elicitation": {"url": {}}}, level=2)
    assert client.capabilities() == {"elicitation": {"url": {}}}
    client.end_level(2)
    assert client.capabilities() == {"roots": {}}


def test_answers_have_the_shape_of_their_kind():
    form = {"requestedSchema": {"properties": {"qty": {"type": "integer", "default": 3}}}}
    assert elicitation_answer(form, "accept") == {"action": "accept", "content": {"qty": 3}}
    assert elicitation_answer(form, "decline", {"qty": 1}) == {"action": "decline"}
    assert elicitation_answer({"mode": "url", "url": "https://x.example"}, "accept") == {"action": "accept"}
    assert sampling_answer("hi")["content"] == {"type": "text", "text": "hi"}
    used = sampling_answer("", tool="look_up", given={"word": "tea"})
    assert (used["stopReason"], used["content"]["type"], used["content"]["input"]) == (
        "toolUse",
        "tool_use",
        {"word": "tea"},
    )
    assert roots_answer(["file:///a"]) == {"roots": [{"uri": "file:///a"}]}
