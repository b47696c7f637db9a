"""What counts as a good schema, in which dialect, and what a schema has against a value. Nothing is ever fetched."""

from __future__ import annotations

import http.server
import threading

import pytest

from McpLibrary.checks import definitions, schemas

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}},
        {"properties": {"a": {"$ref": "#"}}},
        {"$defs": {"x": {"$anchor": "here"}}, "properties": {"a": {"$ref": "#here"}}},
        {"$defs": {"a/b~c": {}}, "$ref": "#/$defs/a~1b~0c"},
        {"$schema": DRAFT_7, "definitions": {"x": {}}, "items": [{"$ref": "#/definitions/x"}]},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{}]},
        {"$schema": "https://schemas.example/unknown", "type": "str"},
        {"$schema": 5},
        {"pattern": r"^\p{L}+$"},  # Good in JavaScript, which is what the specification of JSON Schema means.
        {"properties": {"$ref": {"type": "string"}}},
        {"default": {"$ref": "#/nowhere"}, "enum": [{"$ref": "x"}]},
        {"$id": "https://a.example/s", "$defs": {"x": {"$id": "x.json"}}, "$ref": "x.json"},
    ],
)
def test_good_schemas(schema):
    assert schemas.schema_problems(schema) == []
    assert schemas.external_references(schema) == []


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "str"}, "type: 'str' is not valid"),
        ({"properties": {"a": {"minimum": "1"}}}, "properties.a.minimum: '1' is not of type 'number'"),
        ({"required": "a"}, "required: 'a' is not of type 'array'"),
        ({"$schema": DRAFT_7, "type": "str"}, "type: 'str' is not valid"),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "properties.a: '$ref' points to nothing: #/$defs/b"),
        ({"properties": {"a": {"$ref": "#nowhere"}}}, "points to nothing: #nowhere"),
        ({"items": [{"type": "string"}]}, "items"),  # An array is draft-07, the default is 2020-12.
    ],
)
def test_bad_schemas(schema, said):
    (problem,) = schemas.schema_problems(schema)
    assert said in problem


def test_references_that_leave():
    schema = {"properties": {"a": {"$ref": "https://a.example/s"}, "b": {"$ref": "other.json#/x"}}}
    assert schemas.external_references(schema) == [
        "properties.a: '$ref' leaves the schema: https://a.example/s",
        "properties.b: '$ref' leaves the schema: other.json#/x",
    ]


def test_values():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert schemas.value_problems(schema, {"n": 3}) == []
    assert schemas.value_problems(schema, {"n": "3"}) == ["n: '3' is not of type 'integer'"]
    assert schemas.value_problems(schema, {}) == ["'n' is a required property"]
    # Where a schema cannot be applied, another check tells.
    for unusable in ({"$ref": "#"}, {"$ref": "#/x"}, {"pattern": "(?<n"}, {"type": 5}, None, {"$schema": "x:y"}):
        assert schemas.value_problems(unusable, "text") == []


def test_nothing_is_fetched():
    hits: list[str] = []

    class Canary(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_error(404)

        def log_message(self, *arguments: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Canary) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/schema.json"
        for schema in ({"$ref": url}, {"$schema": url}, {"$id": url, "$ref": "more.json"}, {"$dynamicRef": url}):
            schemas.schema_problems(schema)
            schemas.external_references(schema)
            schemas.value_problems(schema, {})
            schemas.is_recursive(schema)
        server.shutdown()
    assert hits == []


def test_recursion():
    assert schemas.is_recursive({"properties": {"child": {"$ref": "#"}}})
    assert schemas.is_recursive({"$defs": {"n": {"properties": {"c": {"$ref": "#/$defs/n"}}}}})
    two = {"$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"items": {"$ref": "#/$defs/a"}}}}
    assert schemas.is_recursive(two)
    assert not schemas.is_recursive({"$defs": {"a": {}, "ab": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/ab"})


def test_size():
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}
    assert schemas.size_of(schema) == schemas.Size(2, 3, 79)
    deep: dict = {}
    for _ in range(5000):
        deep = {"items": deep}
    assert max(part.depth for part in schemas.subschemas(deep)) == 5000


def test_many_references_are_quick():
    schema = {"properties": {f"p{n}": {"$ref": "#/$defs/x"} for n in range(3000)}, "$defs": {"x": {}}}
    assert schemas.schema_problems(schema) == []


def test_schemas_of_a_tool():
    tool = {"name": "x", "inputSchema": {"type": "str"}, "outputSchema": None}
    said = definitions.dialect_problems(tool, None)  # type: ignore[arg-type]
    assert said[0].startswith("in 'inputSchema', type: 'str' is not valid")
    assert said[1] == "'outputSchema' must be an object, got None"
