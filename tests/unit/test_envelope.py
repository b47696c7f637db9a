"""The modern envelope and the headers that mirror a message."""

import base64
import copy

import pytest

from McpLibrary.session import envelope
from McpLibrary.session.revisions import LATEST_LEGACY, LATEST_MODERN

INFO = {"name": "n", "version": "1"}


def sentinel(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def test_the_meta_of_a_modern_request():
    assert envelope.meta(LATEST_MODERN, INFO, {"roots": {}}) == {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": INFO,
        "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
    }


@pytest.mark.parametrize("value", ["add", "", "a b", "=?base64?", "?=", "=?utf-8?q?x?=", "x=?base64?YQ==?=", "~!@#"])
def test_plain_values_are_headers_as_they_are(value):
    assert envelope.encode_header(value) == value


@pytest.mark.parametrize(
    "value",
    ["é", "日本", " padded", "padded ", "\t", "a\nb", "a\r\nX-Evil: 1", "a\x00", "a\x7f", "\u2028",
     "=?base64?YQ==?=", "=?base64?literal?=", "=?base64??=", "=?base64?a\nb?="],
)  # fmt: skip
def test_other_values_travel_in_the_sentinel(value):
    encoded = envelope.encode_header(value)
    assert encoded == sentinel(value)
    assert encoded.isascii() and encoded.isprintable()


def test_lone_surrogates_can_travel_too():
    assert envelope.encode_header("\ud800").startswith("=?base64?")


def string(token=None, **more):
    return {"type": "string", **({"x-mcp-header": token} if token is not None else {}), **more}


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"properties": {"region": string("Region")}}, [(("region",), "Region")]),
        ({"properties": {"a": {"type": "object", "properties": {"b": string("B")}}}}, [(("a", "b"), "B")]),
        (
            {
                "properties": {
                    "a": {
                        "type": "object",
                        "properties": {"b": {"properties": {"c": {"type": "integer", "x-mcp-header": "C"}}}},
                    },
                    "d": string("D"),
                }
            },
            [(("a", "b", "c"), "C"), (("d",), "D")],
        ),
        ({"properties": {"a": {"type": "boolean", "x-mcp-header": "A"}}}, [(("a",), "A")]),
        ({"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}, []),
        ({"properties": {"a": {"x-mcp-header": "A"}}}, []),
        ({"properties": {"a": string("")}}, []),
        ({"properties": {"a": string("has space")}}, []),
        ({"properties": {"a": string("é")}}, []),
        ({"properties": {"a": string(7)}}, []),
        ({"properties": {"a": {"anyOf": [string("A")]}}}, []),
        ({"properties": {"a": {"type": "array", "items": string("A")}}}, []),
        ({"properties": {"a": True, "b": None}}, []),
        ({"properties": []}, []),
        (True, []),
        (None, []),
    ],
)
def test_annotations_are_found_through_properties_alone(schema, found):
    assert list(envelope.header_annotations(schema)) == found


SCHEMA = {
    "properties": {
        "s": string("S"),
        "i": {"type": "integer", "x-mcp-header": "I"},
        "b": {"type": "boolean", "x-mcp-header": "B"},
        "o": {"type": "object", "properties": {"inner": string("Inner")}},
        "plain": string(),
    }
}


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"s": "us"}, [("Mcp-Param-S", "us")]),
        ({"s": ""}, [("Mcp-Param-S", "")]),
        ({"s": "ü"}, [("Mcp-Param-S", sentinel("ü"))]),
        ({"i": 42}, [("Mcp-Param-I", "42")]),
        ({"i": 0}, [("Mcp-Param-I", "0")]),
        ({"i": -(10**20)}, [("Mcp-Param-I", str(-(10**20)))]),
        ({"b": True}, [("Mcp-Param-B", "true")]),
        ({"b": False}, [("Mcp-Param-B", "false")]),
        ({"s": None, "i": None, "b": None}, []),
        ({"s": ["list"]}, []),
        ({"o": {"inner": "x"}}, [("Mcp-Param-Inner", "x")]),
        ({"o": {}}, []),
        ({"o": "no object"}, []),
        ({"plain": "x"}, []),
        ({}, []),
        (None, []),
        ([], []),
    ],
)
def test_annotated_arguments_are_mirrored(arguments, headers):
    assert envelope.param_headers(SCHEMA, arguments) == headers


def test_without_a_schema_nothing_is_mirrored():
    assert envelope.param_headers(None, {"s": "us"}) == []


VERSION = ("MCP-Protocol-Version", "2026-07-28")


@pytest.mark.parametrize(
    ("message", "headers"),
    [
        ({"method": "tools/list"}, [("Mcp-Method", "tools/list")]),
        ({"method": "tools/call", "params": {"name": "add"}}, [("Mcp-Method", "tools/call"), ("Mcp-Name", "add")]),
        ({"method": "prompts/get", "params": {"name": "p"}}, [("Mcp-Method", "prompts/get"), ("Mcp-Name", "p")]),
        (
            {"method": "resources/read", "params": {"uri": "x://é"}},
            [("Mcp-Method", "resources/read"), ("Mcp-Name", sentinel("x://é"))],
        ),
        ({"method": "tools/call", "params": {"name": 7}}, [("Mcp-Method", "tools/call")]),
        ({"method": "tools/call", "params": []}, [("Mcp-Method", "tools/call")]),
        ({"method": "tools/list", "params": {"name": "x"}}, [("Mcp-Method", "tools/list")]),
        ({"method": "größe"}, [("Mcp-Method", sentinel("größe"))]),
        ({"method": 7}, []),
        ({}, []),
        ([], []),
        ("text", []),
    ],
)
def test_headers_mirror_the_message(message, headers):
    assert envelope.mirror_headers(message, LATEST_MODERN) == [VERSION, *headers]
    assert envelope.mirror_headers(message, LATEST_LEGACY)[0] == ("MCP-Protocol-Version", LATEST_LEGACY.name)


@pytest.mark.parametrize(
    ("extra", "merged"),
    [
        ([], [("A", "1"), ("B", "2"), ("a", "3")]),
        ([("X", "9")], [("A", "1"), ("B", "2"), ("a", "3"), ("X", "9")]),
        ([("a", "9")], [("B", "2"), ("a", "9")]),
        ([("b", "8"), ("B", "9")], [("A", "1"), ("a", "3"), ("b", "8"), ("B", "9")]),
    ],
)
def test_given_headers_replace_and_may_be_doubled(extra, merged):
    base = [("A", "1"), ("B", "2"), ("a", "3")]
    assert envelope.merge_headers(base, extra) == merged
    assert base == [("A", "1"), ("B", "2"), ("a", "3")]


def test_headers_are_left_out_without_case():
    headers = [("Mcp-Method", "1"), ("Accept", "2"), ("mcp-method", "3")]
    assert envelope.without_headers(headers, ["MCP-METHOD"]) == [("Accept", "2")]
    assert envelope.without_headers(headers, []) == headers


META = envelope.meta(LATEST_MODERN, INFO, {})


def message():
    return {"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"name": "n", "_meta": {**META, "own": 1}}}


def without_meta(*keys):
    changed = message()
    for key in keys:
        del changed["params"]["_meta"][key]
    return changed


@pytest.mark.parametrize(
    ("names", "shortened", "headers"),
    [
        ([], message(), []),
        (["jsonrpc"], {k: v for k, v in message().items() if k != "jsonrpc"}, []),
        (["id", "method"], {k: v for k, v in message().items() if k not in ("id", "method")}, []),
        (["params"], {k: v for k, v in message().items() if k != "params"}, []),
        (["_meta"], {**message(), "params": {"name": "n"}}, []),
        (["protocolVersion"], without_meta(envelope.VERSION_KEY), []),
        (["CLIENTINFO", "clientCapabilities"], without_meta(envelope.CLIENT_INFO_KEY, envelope.CAPABILITIES_KEY), []),
        ([envelope.VERSION_KEY], without_meta(envelope.VERSION_KEY), []),
        (["own"], without_meta("own"), []),
        (["Mcp-Method", "Accept"], message(), ["Mcp-Method", "Accept"]),
        (["_meta", "protocolVersion"], {**message(), "params": {"name": "n"}}, ["protocolVersion"]),
        (["params", "_meta"], {k: v for k, v in message().items() if k != "params"}, ["_meta"]),
    ],
)
def test_members_are_left_out_by_name_and_the_rest_are_headers(names, shortened, headers):
    given = message()
    before = copy.deepcopy(given)
    assert envelope.leave_out(given, names) == (shortened, headers)
    assert given == before
