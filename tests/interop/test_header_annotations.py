"""Our verdict on ``x-mcp-header`` annotations against the one of the official SDK."""

from __future__ import annotations

from typing import Any

import pytest

from McpLibrary.checks.headers import annotation_problems


def prop(token: Any = "Region", kind: Any = "string", **more: Any) -> dict[str, Any]:
    return {"type": kind, "x-mcp-header": token, **more}


def tool(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


GOOD: dict[str, Any] = {
    "none": tool(a={"type": "number"}),
    "string": tool(a=prop()),
    "integer": tool(a=prop(kind="integer")),
    "boolean": tool(a=prop(kind="boolean")),
    "nested": tool(a=tool(b=prop("A"), c=prop("B"))),
    "all token characters": tool(a=prop("!#$%&'*+-.^_`|~09azAZ")),
    "only data": tool(a={"type": "object", "default": {"x-mcp-header": 7}, "examples": [{"x-mcp-header": ""}]}),
    "a property of that name": tool(**{"x-mcp-header": {"type": "number"}}),
    "no schema": None,
}
BAD: dict[str, Any] = {
    "empty": tool(a=prop("")),
    "space": tool(a=prop("My Region")),
    "colon": tool(a=prop("Region:x")),
    "not ASCII": tool(a=prop("Région")),
    "control character": tool(a=prop("Region\t1")),
    "newline at the end": tool(a=prop("Region\n")),
    "not text": tool(a=prop(7)),
    "number": tool(a=prop(kind="number")),
    "object": tool(a=prop(kind="object")),
    "array": tool(a=prop(kind="array")),
    "null": tool(a=prop(kind="null")),
    "union": tool(a=prop(kind=["string", "null"])),
    "no type": tool(a={"x-mcp-header": "Region"}),
    "twice": tool(a=prop(), b=prop()),
    "twice in other case": tool(a=prop("MyField"), b=prop("myfield")),
    "twice at other depth": tool(a=prop(), b=tool(c=prop("REGION"))),
    "on the root": {**tool(), "x-mcp-header": "Region"},
    "in items": tool(a={"type": "array", "items": prop()}),
    "in properties of items": tool(a={"type": "array", "items": tool(b=prop())}),
    "in anyOf": tool(a={"anyOf": [prop()]}),
    "in $defs": {**tool(a={"$ref": "#/$defs/A"}), "$defs": {"A": prop()}},
    "in patternProperties": {**tool(), "patternProperties": {"^a": prop()}},
    "in additionalProperties": {**tool(), "additionalProperties": prop()},
    "in then": {**tool(), "if": {}, "then": tool(a=prop())},
}


@pytest.mark.parametrize("name", [*GOOD, *BAD])
def test_same_verdict_as_the_official_sdk(name: str) -> None:
    inbound = pytest.importorskip("mcp.shared.inbound")
    schema = GOOD.get(name, BAD.get(name))
    problems = annotation_problems(schema)
    assert bool(problems) is (name in BAD), problems
    assert bool(problems) is (inbound.find_invalid_x_mcp_header(schema) is not None)


def test_every_problem_is_named() -> None:
    problems = annotation_problems(tool(a=prop("", kind="number"), b=tool(c=prop()), d=prop("region")))
    assert problems == [
        "#/properties/a: x-mcp-header needs type string, integer, boolean, not 'number'",
        "#/properties/a: x-mcp-header '' is empty",
        "#/properties/d: x-mcp-header 'region' is taken by #/properties/b/properties/c (case does not count)",
    ]
