"""Arguments that are mirrored in headers: which have a value, how they are changed, and which look like secrets."""

import pytest

from McpLibrary.checks.headers import has_annotations, mirrored_arguments, sensitive_annotations

SCHEMA = {
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "limit": {"type": "integer", "minimum": 3, "x-mcp-header": "Limit"},
        "fresh": {"type": "boolean", "x-mcp-header": "Fresh"},
        "at": {"type": "object", "properties": {"zone": {"type": "string", "enum": ["a"], "x-mcp-header": "Zone"}}},
        "query": {"type": "string"},
    }
}


@pytest.mark.parametrize(
    ("kind", "arguments", "found"),
    [
        ("string", {"region": "eu"}, [("region", "eu"), ("zone", "a")]),
        ("string", {"region": "", "at": {"zone": "b"}}, [("zone", "b")]),
        ("integer", {"limit": 42}, [("limit", 42)]),
        ("integer", {"limit": True}, []),
        ("integer", {}, [("limit", 3)]),
        ("boolean", {"fresh": True}, [("fresh", True)]),
        ("boolean", {}, [("fresh", False)]),
    ],
)
def test_mirrored_arguments_with_their_values(kind, arguments, found):
    assert [(m.path[-1], m.value) for m in mirrored_arguments(SCHEMA, arguments, kind)] == found


def test_a_mirrored_argument_is_changed_in_a_copy():
    given = {"query": "tea", "at": {"zone": "b", "street": 1}}
    region, zone = mirrored_arguments(SCHEMA, {"region": "eu", **given}, "string")
    assert (region.header, zone.header) == ("Mcp-Param-Region", "Mcp-Param-Zone")
    assert region.arguments(given, "us") == {**given, "region": "us"}
    assert zone.arguments(given) == {"query": "tea", "at": {"street": 1}}
    assert zone.arguments({}, None) == {"at": {"zone": None}}
    assert given == {"query": "tea", "at": {"zone": "b", "street": 1}}


@pytest.mark.parametrize("schema", [None, {}, True, {"properties": {"x-mcp-header": {"type": "string"}}}])
def test_a_tool_without_mirrored_arguments(schema):
    assert mirrored_arguments(schema, {}, "string") == []
    assert not has_annotations(schema)


def test_wrong_annotations_are_annotations():
    assert has_annotations({"properties": {"a": {"type": "number", "x-mcp-header": ""}}})
    assert has_annotations({"allOf": [SCHEMA]})


def mirrored(name, token="X"):
    return {"properties": {name: {"type": "string", "x-mcp-header": token}}}


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "userPassword",
        "api_key",
        "apiKey",
        "API-KEY",
        "client_secret",
        "token",
        "accessToken",
        "pin",
        "X-Cookie",
    ],
)
def test_names_of_secrets(name):
    (problem,) = sensitive_annotations(mirrored(name))
    assert "looks like a secret and is mirrored as Mcp-Param-X" in problem
    assert len(sensitive_annotations(mirrored("a", name))) == 1


@pytest.mark.parametrize(
    "name", ["region", "max_tokens", "page_token", "key", "keyword", "pinned", "secretary", "tokenizer", "id"]
)
def test_names_of_other_things(name):
    assert sensitive_annotations(mirrored(name)) == []
