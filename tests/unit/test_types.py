"""Argument types: what is understood, and what is said about the rest."""

import pytest
from robot.api.types import Secret
from robot.utils import DotDict

from McpLibrary.types import (
    plain,
    to_error_code,
    to_headers,
    to_json_or_text,
    to_json_value,
    to_protocol,
    to_tool_option,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"qty": 2}', {"qty": 2}),
        ("true", True),
        ("null", None),
        ("7", 7),
        ("7.0", 7.0),
        ('"7"', "7"),
        (" [1] ", [1]),
        ('"\\ud800"', "\ud800"),
    ],
)
def test_json_text_is_read(text, value):
    for convert in (to_json_value, to_json_or_text):
        assert convert(text) == value and type(convert(text)) is type(value)


@pytest.mark.parametrize("text", ["abc", "True", "{'a': 1}", "", "01", "{", "1 2"])
def test_text_that_is_no_json(text):
    assert to_json_or_text(text) == text
    with pytest.raises(
        ValueError, match=r'expected JSON such as \{"qty": 2\}, true or "text" with its quotes, but'
    ) as caught:
        to_json_value(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "[NaN]"])
def test_python_constants_are_no_json(text):
    assert to_json_or_text(text) == text
    with pytest.raises(ValueError):
        to_json_value(text)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (DotDict(a=DotDict(b=(1, 2))), {"a": {"b": [1, 2]}}),
        ([1, {"x": None}], [1, {"x": None}]),
        (Secret("s3cret"), "s3cret"),
        ({"token": Secret("s3cret")}, {"token": "s3cret"}),
        ({1: 2}, {"1": 2}),
        (True, True),
        (None, None),
    ],
)
def test_variables_are_taken_as_plain_data(value, result):
    for converted in (to_json_value(value), to_json_or_text(value), plain(value)):
        assert converted == result and type(converted) is type(result)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", {"a": object()}])
def test_variables_without_a_json_form_are_refused(value):
    with pytest.raises(ValueError, match="has no JSON form"):
        to_json_value(value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (-32601, -32601),
        ("-32601", -32601),
        (" 5 ", 5),
        ("method not found", -32601),
        ("METHOD_NOT_FOUND", -32601),
        ("MethodNotFound", -32601),
        ("parse-error", -32700),
        ("unsupported protocol version", -32022),
        ("header mismatch", -32020),
    ],
)
def test_error_codes_by_number_or_name(value, code):
    assert to_error_code(value) == code


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no such error", "'no such error' is no number and none of: parse error, invalid request, method not found"),
        ("1.5", "'1.5' is no number"),
        (True, "expected a number or a name, got bool"),
        (1.0, "expected a number or a name, got float"),
        (None, "expected a number or a name, got NoneType"),
    ],
)
def test_other_error_codes_are_refused(value, words):
    with pytest.raises(ValueError) as caught:
        to_error_code(value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("auto", "auto"),
        (" Modern ", "modern"),
        ("LEGACY", "legacy"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2026-07-28"),
    ],
)
def test_protocol_words(value, word):
    assert to_protocol(value) == word


@pytest.mark.parametrize("value", ["2025", "stateless", "", None, 7])
def test_other_protocol_words_are_refused_with_the_right_ones(value):
    with pytest.raises(ValueError, match=r"is not supported\. Use one of: auto, legacy, modern, 2024-11-05"):
        to_protocol(value)


@pytest.mark.parametrize(
    ("value", "pairs"),
    [
        ({"A": "1", "B": 2}, [("A", "1"), ("B", 2)]),
        ('{"A": "1"}', [("A", "1")]),
        ('["A: 1", "A: 2"]', [("A", "1"), ("A", "2")]),
        (["A: 1", "a:2"], [("A", "1"), ("a", "2")]),
        (["A:  padded "], [("A", " padded ")]),
        (["A:"], [("A", "")]),
        (["A: b: c"], [("A", "b: c")]),
        ([("A", "1"), ["B", "2"]], [("A", "1"), ("B", "2")]),
        ("A: 1\nB: 2", [("A", "1"), ("B", "2")]),
        ("", []),
        ([], []),
    ],
)
def test_headers_in_every_form(value, pairs):
    assert to_headers(value) == pairs


def test_secrets_in_headers_stay_closed():
    secret = Secret("s3cret")
    assert to_headers({"Authorization": secret}) == [("Authorization", secret)]
    assert to_headers([("Authorization", secret)])[0][1] is secret


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no colon", "a header line looks like 'Name: value', got 'no colon'"),
        (["A: 1", "no colon"], "got 'no colon'"),
        ([("A",)], "a header is a 'Name: value' line or a pair"),
        ([7], "a header is a 'Name: value' line or a pair, got 7"),
        (7, "expected a dictionary or a list of 'Name: value' lines, got int"),
    ],
)
def test_other_headers_are_refused(value, words):
    with pytest.raises(ValueError) as caught:
        to_headers(value)
    assert words in str(caught.value)


def test_tool_options_pass_as_they_are():
    value = object()
    assert to_tool_option(value) is value
