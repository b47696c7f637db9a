"""Named values of Call Tool: our options, and the tool's arguments by its schema."""

import datetime

import pytest
from robot.api.types import Secret
from robot.utils import DotDict

from McpLibrary.failures import WrongUse
from McpLibrary.keywords.tool_arguments import CallOptions, allowed_types, convert, convert_named, take_options
from McpLibrary.types import Expect
from McpLibrary.wire.jsonrpc import MISSING

ALL = {"string", "integer", "number", "boolean", "array", "object", "null"}


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        ("5", {"integer"}, 5),
        (" 5 ", {"integer"}, 5),
        ("-5", {"number"}, -5),
        ("5.5", {"number"}, 5.5),
        ("5.0", {"integer"}, 5.0),
        ("1e3", {"integer"}, 1000.0),
        ("5.5", {"integer"}, "5.5"),
        ("abc", {"integer"}, "abc"),
        ("05", {"integer"}, "05"),
        ("", {"integer"}, ""),
        ("true", {"boolean"}, True),
        ("FALSE", {"boolean"}, False),
        ("yes", {"boolean"}, "yes"),
        ("1", {"boolean"}, "1"),
        ("true", {"integer"}, "true"),
        ("[1, 2]", {"array"}, [1, 2]),
        ("[1, 2]", {"object"}, "[1, 2]"),
        ("a, b", {"array"}, "a, b"),
        ('{"a": 1}', {"object"}, {"a": 1}),
        ('{"a": 1}', {"array"}, '{"a": 1}'),
        ('"5"', {"integer"}, '"5"'),
        ("null", {"integer", "null"}, None),
        ("None", {"string", "null"}, None),
        ("null", {"string"}, "null"),
        ("null", {"integer"}, "null"),
        ("5", {"string", "integer"}, "5"),
        ("true", {"string", "boolean"}, "true"),
        ("5", {"boolean", "integer"}, 5),
        ("5", set(), "5"),
        ("5", {"unknown"}, "5"),
    ],
)
def test_text_becomes_what_the_schema_asks_for_or_stays(text, types, value):
    converted = convert(text, types)
    assert converted == value and type(converted) is type(value)


@pytest.mark.parametrize(
    ("text", "types"), [("NaN", {"number"}), ("Infinity", {"number"}), ("1e999", {"number"}), ("[NaN]", {"array"})]
)
def test_python_constants_stay_text(text, types):
    assert convert(text, types) == text


def test_text_too_deep_to_be_read_stays_text():
    text = "[" * 100_000
    assert convert(text, {"array"}) == text


ROOT = {
    "$defs": {"count": {"type": "integer"}, "a/b~c": {"type": "boolean"}, "loop": {"$ref": "#/$defs/loop"}},
    "properties": {"x": {"type": "array"}},
}


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "integer"}, {"integer"}),
        ({"type": ["integer", "null", 7]}, {"integer", "null"}),
        ({"$ref": "#/$defs/count"}, {"integer"}),
        ({"$ref": "#/$defs/a~1b~0c"}, {"boolean"}),
        ({"$ref": "#/properties/x"}, {"array"}),
        ({"$ref": "#/$defs/absent"}, set()),
        ({"$ref": "#/$defs/loop"}, set()),
        ({"$ref": "https://example.com/schema", "type": "string"}, {"string"}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"integer", "null"}),
        ({"oneOf": [{"$ref": "#/$defs/count"}, {"const": "all"}]}, {"integer", "string"}),
        ({"allOf": [{"type": "number"}]}, {"number"}),
        ({"enum": [1, 2.5, "x", None, True, [], {}]}, ALL),
        ({"const": False}, {"boolean"}),
        ({"const": None}, {"null"}),
        ({"enum": "text"}, set()),
        ({}, set()),
        (True, set()),
        (None, set()),
    ],
)
def test_the_types_that_a_property_may_have(schema, types):
    assert allowed_types(schema, ROOT) == types


SCHEMA = {
    "properties": {
        "qty": {"type": "integer"},
        "name": {"type": "string"},
        "day": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "any": {},
    }
}


@pytest.mark.parametrize(
    ("named", "arguments", "note"),
    [
        ({"qty": "2"}, {"qty": 2}, "Argument 'qty': text '2' sent as 2, as the inputSchema asks."),
        ({"qty": "two"}, {"qty": "two"}, "Argument 'qty': 'two' does not read as integer; sent as text."),
        ({"qty": 2}, {"qty": 2}, None),
        ({"qty": 2.5}, {"qty": 2.5}, None),
        ({"qty": None}, {"qty": None}, None),
        ({"name": "2"}, {"name": "2"}, None),
        ({"day": "null"}, {"day": None}, "Argument 'day': text 'null' sent as null, as the inputSchema asks."),
        ({"any": "5"}, {"any": "5"}, None),
        ({"other": "5"}, {"other": "5"}, "Argument 'other' is not declared by the tool's inputSchema; sent as text."),
        ({"other": 5}, {"other": 5}, None),
        ({"qty": DotDict(a=(1,))}, {"qty": {"a": [1]}}, None),
        ({"name": Secret("s3cret")}, {"name": "s3cret"}, None),
        ({}, {}, None),
    ],
)
def test_named_values_become_arguments(named, arguments, note):
    assert convert_named(named, SCHEMA) == (arguments, [note] if note else [])


def test_as_text_nothing_is_converted():
    assert convert_named({"qty": "2", "other": "x", "name": 7}, SCHEMA, as_text=True) == (
        {"qty": "2", "other": "x", "name": 7},
        [],
    )


@pytest.mark.parametrize("schema", [None, {}, {"properties": None}, {"properties": []}])
def test_without_declared_properties_text_is_sent(schema):
    arguments, notes = convert_named({"qty": "2"}, schema)
    assert arguments == {"qty": "2"} and "is not declared" in notes[0]


def test_options_have_defaults():
    assert take_options({}) == CallOptions(Expect.RESULT, None, None, 10, False, MISSING)


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("expect", "tool error", Expect.TOOL_ERROR),
        ("expect", "Protocol-Error", Expect.PROTOCOL_ERROR),
        ("expect", Expect.ANY, Expect.ANY),
        ("timeout", "5 s", 5.0),
        ("timeout", "1 minute", 60.0),
        ("timeout", 0.5, 0.5),
        ("timeout", datetime.timedelta(seconds=3), 3.0),
        ("server", "shop", "shop"),
        ("max_rounds", "3", 3),
        ("as_text", "yes", True),
        ("as_text", "no", False),
        ("as_text", True, True),
        ("progress_token", "7", 7),
        ("progress_token", '"7"', "7"),
        ("progress_token", "abc", "abc"),
        ("progress_token", "null", None),
    ],
)
def test_options_are_converted(name, given, value):
    converted = getattr(take_options({name: given}), name)
    assert converted == value and type(converted) is type(value)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        (
            "expect",
            "success",
            "expect=success is not understood: expected one of RESULT, TOOL_ERROR, PROTOCOL_ERROR, NO_ANSWER, ANY.",
        ),
        ("timeout", "soon", "timeout=soon is not understood"),
        ("timeout", "soon", "if it is meant for the tool, the tool does not declare it."),
        ("timeout", "0", "a timeout must be longer than nothing"),
        ("timeout", -1, "a timeout must be longer than nothing"),
        ("max_rounds", "many", "max_rounds=many is not understood"),
        ("max_rounds", None, "max_rounds=None is not understood"),
        ("progress_token", object, "has no JSON form"),
    ],
)
def test_options_that_are_not_understood_say_what_is_right(name, given, words):
    with pytest.raises(WrongUse) as caught:
        take_options({name: given})
    assert words in str(caught.value)
