"""JSON-RPC texts: what is read as JSON and what is not, what is written, and what a message is."""

import json

import pytest

from McpLibrary.wire import jsonrpc
from McpLibrary.wire.jsonrpc import MISSING


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"{}", {}),
        (b" [1] ", [1]),
        (b"null", None),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        ('"\u2028"'.encode(), "\u2028"),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b"7.0", 7.0),
        (b"12345678901234567890123", 12345678901234567890123),
    ],
)
def test_json_is_read(raw, value):
    assert jsonrpc.parse(raw) == (value, None)
    assert type(jsonrpc.parse(raw)[0]) is type(value)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "not JSON: Expecting value at character 1"),
        (b"NaN", "not JSON: NaN is not JSON"),
        (b'{"a": Infinity}', "not JSON: Infinity is not JSON"),
        (b"[-Infinity]", "not JSON: -Infinity is not JSON"),
        (b'{"a":"\xff"}', "not valid UTF-8 at byte 6"),
        (b'"\xed\xa0\x80"', "not valid UTF-8 at byte 1"),
        (b'\xef\xbb\xbf{"a":1}', "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b"{} {}", "not JSON: Extra data at character 4"),
        (b'"a\nb"', "not JSON: Invalid control character"),
        (b"[1,]", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "not JSON"),
        (b"<html>", "not JSON"),
    ],
)
def test_what_is_no_json_says_why(raw, problem):
    value, found = jsonrpc.parse(raw)
    assert value is MISSING
    assert found is not None and found.startswith(problem)


def test_a_number_too_large_for_a_float_does_not_become_infinity():
    value, problem = jsonrpc.parse(b"[1e999]")
    assert problem or "Infinity" not in jsonrpc.to_json(value)


def test_an_integer_of_many_digits_is_named_as_our_limit():
    assert jsonrpc.parse(b"1" * 5000)[1] == "not JSON: more digits or levels than this library reads"


@pytest.mark.parametrize("value", ["\ud800", {"a": ["x\udfffy"]}, {"\udc00": 1}])
def test_lone_surrogates_travel_as_json_escapes(value):
    raw = jsonrpc.encode(value)
    raw.decode("ascii")
    assert json.loads(raw) == value


def test_encoding_is_compact_and_keeps_other_characters():
    assert jsonrpc.encode({"a": ["é", "\u2028"]}) == '{"a":["é","\u2028"]}'.encode()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"method": "m", "id": 1}, "request"),
        ({"method": "m", "id": None}, "request"),
        ({"method": "m"}, "notification"),
        ({"method": "m", "result": {}}, "notification"),
        ({"id": 1, "result": {}}, "result"),
        ({"id": 1, "error": {}}, "error"),
        ({"id": 1, "error": {}, "result": {}}, "error"),
        ({"id": 1}, "invalid"),
        ({}, "invalid"),
        ([{"id": 1, "result": {}}, {"method": "m"}], "batch"),
        ([], "invalid"),
        ([{"id": 1}], "invalid"),
        ([[{"method": "m"}]], "invalid"),
        ([1], "invalid"),
        ("text", "invalid"),
        (None, "invalid"),
        (MISSING, "invalid"),
    ],
)
def test_a_message_is_told_by_its_members(value, kind):
    assert jsonrpc.kind(value) == kind
    assert jsonrpc.is_response(value) == (kind in ("result", "error"))


def test_lists_in_lists_have_a_kind_at_any_depth_that_is_read():
    value, problem = jsonrpc.parse(b"[" * 150 + b"]" * 150)
    assert problem is None
    assert jsonrpc.kind(value) == "invalid"


def test_more_levels_than_can_be_handled_are_a_problem():
    deep = b'{"a":' * 300 + b"1" + b"}" * 300
    assert jsonrpc.parse(deep) == (MISSING, "JSON of more than 200 levels, which this library does not read")
    assert jsonrpc.parse(b"[" + b"[]," * 500 + b"[]]")[1] is None


def test_ids_are_keys_with_their_json_type():
    identifiers = [7, "7", 7.0, True, 1, None, "", [7], {"a": 7}]
    assert len({jsonrpc.id_key(identifier) for identifier in identifiers}) == len(identifiers)


@pytest.mark.parametrize("identifier", [7, "7", None, [1, "a"], {"a": [1]}])
def test_the_same_id_is_the_same_key(identifier):
    assert jsonrpc.id_key(identifier) == jsonrpc.id_key(json.loads(json.dumps(identifier)))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (-32601, "-32601 (method not found)"),
        (-32022, "-32022 (unsupported protocol version)"),
        (-1, "-1"),
        (True, "true"),
        ("-32601", '"-32601"'),
        (None, "null"),
        ([1], "[1]"),
        (-32601.0, "-32601.0"),
    ],
)
def test_a_code_is_described_with_its_name(code, text):
    assert jsonrpc.describe_code(code) == text


def test_a_code_that_is_not_there_can_be_described():
    assert isinstance(jsonrpc.describe_code(MISSING), str)


def test_messages_are_built_exactly():
    assert jsonrpc.request("m", id=1) == {"jsonrpc": "2.0", "id": 1, "method": "m"}
    assert jsonrpc.request("m", None, id=None) == {"jsonrpc": "2.0", "id": None, "method": "m", "params": None}
    assert jsonrpc.notification("m") == {"jsonrpc": "2.0", "method": "m"}
    assert jsonrpc.notification("m", {}) == {"jsonrpc": "2.0", "method": "m", "params": {}}


def test_missing_is_false_and_not_null():
    assert not MISSING
    assert MISSING is not None
    assert repr(MISSING) == "<missing>"
