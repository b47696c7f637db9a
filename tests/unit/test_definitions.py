"""Parts of tool definitions, lists against each other, permission, structured content, portability."""

from __future__ import annotations

import pytest

from McpLibrary.checks import arguments, portability, results
from McpLibrary.checks.definitions import PARTS, doubled_names
from McpLibrary.checks.permission import may_be_called, needs_arguments
from McpLibrary.session.revisions import REVISIONS

MODERN, LEGACY, OLD = REVISIONS["2026-07-28"], REVISIONS["2025-11-25"], REVISIONS["2025-03-26"]
GOOD = {
    "name": "get_order.v2-x",
    "description": "Looks up an order.",
    "inputSchema": {"type": "object"},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True, "title": "Get"},
    "icons": [{"src": "data:image/png;base64,"}, {"src": "https://a.example/i.png"}],
    "execution": {"taskSupport": "optional"},
}


@pytest.mark.parametrize("part", PARTS)
def test_good_tools(part):
    assert PARTS[part].problems(GOOD, LEGACY) == []


@pytest.mark.parametrize(
    ("part", "tool", "said"),
    [
        ("shapes", "add", "a tool must be an object, got str"),
        ("shapes", {}, "'name' must be a string, got 'none'"),
        ("shapes", {"name": "a", "description": 5}, "'description' must be a string"),
        ("names", {"name": ""}, "an empty one"),
        ("names", {"name": "a b/ü"}, "got ' ' '/' 'ü'"),
        ("names", {"name": "x" * 129}, "at most 128 characters, got 129"),
        ("descriptions", {}, "got None"),
        ("descriptions", {"description": " "}, "got ' '"),
        ("input roots", {}, "'inputSchema' must be an object, got None"),
        ("input roots", {"inputSchema": True}, "'inputSchema' must be an object, got True"),
        ("input roots", {"inputSchema": {}}, "'inputSchema.type' must be \"object\", got None"),
        ("output roots", {"outputSchema": {"type": "array"}}, "'outputSchema.type' must be"),
        ("annotations", {"annotations": None}, "must be an object"),
        ("annotations", {"annotations": {"openWorldHint": 1}}, "'annotations.openWorldHint' must be true or false, got 1"),
        ("icons", {"icons": "x"}, "must be an array"),
        ("icons", {"icons": [{"src": "file:///etc/x"}]}, "'src' of icon 1 must be an https: or data: URI"),
        ("icons", {"icons": [{}]}, "'src' of icon 1"),
        ("executions", {"execution": {"taskSupport": True}}, "must be forbidden, optional or required, got True"),
        ("executions", {"execution": "x"}, "must be an object"),
    ],
)  # fmt: skip
def test_bad_tools(part, tool, said):
    (problem,) = PARTS[part].problems(tool, LEGACY)
    assert said in problem


def test_revisions_differ():
    assert PARTS["output roots"].problems({"outputSchema": {"type": "array"}}, MODERN) == []
    assert not PARTS["output roots"].applies(OLD)
    assert not PARTS["executions"].applies(MODERN)
    assert [r.name for r in REVISIONS.values() if PARTS["names"].applies(r)] == ["2025-11-25", "2026-07-28"]


def test_doubled_names():
    one, two, other = {"name": "a", "x": 1}, {"name": "b"}, {"name": "a", "x": 2}
    assert doubled_names([one, two, other, one]) == ["a"]
    assert doubled_names([one, {"name": "A"}]) == []


@pytest.mark.parametrize(
    ("annotations", "allowed"),
    [
        (None, False),
        ({}, False),
        ({"readOnlyHint": True}, True),
        ({"readOnlyHint": "true"}, False),
        ({"readOnlyHint": 1}, False),
        ({"readOnlyHint": True, "openWorldHint": False, "destructiveHint": False}, True),
        ({"readOnlyHint": True, "openWorldHint": True}, False),
        ({"readOnlyHint": True, "openWorldHint": "yes"}, False),
        ({"readOnlyHint": True, "destructiveHint": True}, False),
        ([], False),
    ],
)
def test_permission(annotations, allowed):
    assert may_be_called({"name": "x", "annotations": annotations}) is allowed
    assert not may_be_called({"annotations": annotations})
    assert not may_be_called("x")


def test_what_needs_arguments():
    assert not needs_arguments({"inputSchema": {"type": "object"}})
    for schema in ({"required": ["a"]}, {"anyOf": [{"required": ["a"]}]}, {"minProperties": 1}, None):
        assert needs_arguments({"inputSchema": schema})


def test_structured_content():
    tool = {"outputSchema": {"type": "object", "required": ["n"]}}
    assert results.output_problems({"structuredContent": {"n": 1}}, tool) == []
    assert "'n' is a required property" in results.output_problems({"structuredContent": {}}, tool)[0]
    assert results.missing_output_problems({}, tool)
    text = {"content": [{"type": "image"}, {"text": "no"}, {"text": '{ "n": 1 }'}], "structuredContent": {"n": 1}}
    assert results.text_copy_problems(text) == []
    assert results.text_copy_problems({"content": None, "structuredContent": 1})
    assert results.kind_problems({"structuredContent": [1]}, MODERN) == []
    assert "must be an object in 2025-11-25, got list" in results.kind_problems({"structuredContent": [1]}, LEGACY)[0]
    assert "2025-03-26 has no" in results.kind_problems({"structuredContent": {}}, OLD)[0]
    assert not results.is_success({"isError": True})
    assert not results.is_success({"resultType": "input_required"})
    assert results.is_success({})


def test_arguments_out_of_bounds():
    schema = {
        "properties": {
            "qty": {"type": "integer", "minimum": 1, "exclusiveMaximum": 100},
            "item": {"enum": ["tea", "coffee"]},
            "name": {"type": "string", "minLength": 1, "maxLength": 3},
            "free": {"type": "string", "maxLength": 10**9},
            "id": {"type": "string", "format": "uuid", "minLength": 36},
        }
    }
    tried = dict(arguments.out_of_bounds(schema, {"qty": 2}))
    assert [next(v for k, v in case.items() if k != "qty" or v != 2) for case in tried.values()] == [
        0, 100, "coffee-mcplibrary", "", "xxxx"
    ]  # fmt: skip
    assert list(arguments.out_of_bounds(None, {})) == []
    assert next(arguments.with_unknown({"additionalProperties": False}, {"a": 1}))[1] == {
        "a": 1,
        "mcplibrary-unknown": 1,
    }
    assert list(arguments.with_unknown({}, {})) == []


def _rules(schema, *consumers, member="inputSchema", name="x"):
    return [(f.rule, f.severity) for f in portability.findings([{"name": name, member: schema}], consumers)]


OBJECT = {"type": "object", "properties": {}}


def test_portable_schemas():
    assert _rules(OBJECT) == []
    plain = {
        **OBJECT,
        "properties": {"a": {"type": "array", "items": {"type": "string"}}},
        "additionalProperties": False,
    }
    assert _rules(plain) == []


@pytest.mark.parametrize(
    ("extra", "found"),
    [
        ({"properties": {"a": True}}, ("boolean-schema", "error")),
        ({"anyOf": [{"required": ["a"]}]}, ("root-combiner", "error")),
        ({"properties": {"a b": {"type": "string"}}}, ("property-name", "error")),
        ({"properties": {"a": {"type": "array"}}}, ("array-without-items", "error")),
        ({"properties": {"a": {"type": "array", "prefixItems": [{"type": "string"}]}}}, ("tuple-items", "error")),
        ({"properties": {"a": {"type": ["string", "null"]}}}, ("type-union", "warning")),
        ({"properties": {"a": {"description": "x"}}}, ("untyped-schema", "warning")),
        ({"properties": {"a": {"$ref": "https://a.example/s"}}}, ("remote-ref", "warning")),
        ({"properties": {"a": {"enum": [1, 2]}}}, ("enum-not-of-text", "warning")),
        ({"properties": {"a": {"type": "string", "format": "uri"}}}, ("unknown-format", "warning")),
        ({"definitions": {}}, ("draft-keyword", "warning")),
        ({"properties": None}, ("no-properties", "warning")),
    ],
)
def test_findings(extra, found):
    assert found in _rules({**OBJECT, **extra})


def test_findings_by_consumer():
    assert ("recursive-ref", "error") in _rules({**OBJECT, "properties": {"a": {"$ref": "#"}}})
    root = {**OBJECT, "oneOf": [{"type": "object"}]}
    assert _rules(root, "openai") == []
    assert _rules(root, "anthropic") == [("root-combiner", "error")]
    assert _rules(root, member="outputSchema") == []
    assert _rules(OBJECT, name="a.b") == [("tool-name", "warning")]
    many = portability.findings([{"name": f"t{n}", "inputSchema": OBJECT} for n in range(129)])
    assert [f.rule for f in many] == ["many-tools"]
    assert str(portability.findings([{"name": "x", "inputSchema": root}])[0]) == (
        "x.inputSchema.oneOf: root-combiner (anthropic): describe the alternatives inside a property"
    )
