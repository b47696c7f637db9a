"""What the schemas of tools need to pass through the clients and models that people use (SCHEMA-02).

None of it is forbidden by the specification: a tool whose schema breaks one of these is refused, dropped or misread by the
named consumers. The ids and severities of ``boolean-schema``, ``type-union``, ``remote-ref`` and ``untyped-schema`` are those
of the official inspector.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .schemas import Subschema, external_references, is_recursive, subschemas

ANTHROPIC, OPENAI, GEMINI, VSCODE, CURSOR, ALL = "anthropic", "openai", "gemini", "vscode", "cursor", "all"
CONSUMERS = (ANTHROPIC, OPENAI, GEMINI, VSCODE, CURSOR)
MANY_TOOLS = 128

_BOOLEANS_ARE_NORMAL = ("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems")
_DECORATION = {"title", "description", "default", "examples", "nullable", "deprecated", "readOnly", "writeOnly",
               "$comment", "$schema", "$id"}  # fmt: skip
_OLD_KEYWORDS = {"definitions": "$defs", "dependencies": "dependentRequired or dependentSchemas", "id": "$id",
                 "nullable": "anyOf with a null type"}  # fmt: skip
_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Finding:
    """One place that a consumer stumbles over."""

    rule: str
    severity: str
    """``error``: the tool or the whole request is refused. ``warning``: something is dropped or misread."""
    consumers: tuple[str, ...]
    place: str
    """Tool, schema and path: ``book_order.inputSchema.properties.qty``."""
    suggestion: str

    def __str__(self) -> str:
        return f"{self.place}: {self.rule} ({', '.join(self.consumers)}): {self.suggestion}"


def findings(tools: Iterable[Any], consumers: Iterable[str] = ()) -> list[Finding]:
    """All findings in the schemas of these tools, errors first; with ``consumers`` only what concerns those."""
    wanted = set(consumers) or {*CONSUMERS, ALL}
    tools = [tool for tool in tools if isinstance(tool, dict)]
    found = [*_about_the_list(tools)]
    for tool in tools:
        name = str(tool.get("name"))
        if not _TOOL_NAME.fullmatch(name):
            found.append(Finding("tool-name", "warning", (ANTHROPIC, OPENAI), name,
                                 "use at most 64 characters of A-Z a-z 0-9 _ and -"))  # fmt: skip
        for member in ("inputSchema", "outputSchema"):
            if isinstance(tool.get(member), dict):
                found += _in_schema(f"{name}.{member}", tool[member], is_input=member == "inputSchema")
    found = [f for f in found if ALL in f.consumers or wanted & set(f.consumers)]
    return sorted(found, key=lambda finding: finding.severity != "error")


def _about_the_list(tools: list[Any]) -> Iterator[Finding]:
    if len(tools) > MANY_TOOLS:
        yield Finding("many-tools", "warning", (OPENAI, VSCODE, CURSOR), f"{len(tools)} tools",
                      f"offer at most {MANY_TOOLS}; more are cut or refused")  # fmt: skip


def _in_schema(place: str, schema: dict[str, Any], *, is_input: bool) -> Iterator[Finding]:
    for part in subschemas(schema):
        here = f"{place}.{part.path}" if part.path else place
        yield from _inspector(here, part)
        if is_input and isinstance(part.schema, dict):
            yield from _in_part(here, part.schema)
    for reference in external_references(schema):
        yield Finding("remote-ref", "warning", (ALL,), f"{place}.{reference}", "put the schema into $defs")
    if is_recursive(schema):
        yield Finding("recursive-ref", "error" if is_input else "warning", (GEMINI, OPENAI), place,
                      "limit the depth; a schema that holds itself cannot be written out")  # fmt: skip
    if is_input:
        yield from _at_the_root(place, schema)


def _inspector(here: str, part: Subschema) -> Iterator[Finding]:
    schema = part.schema
    if isinstance(schema, bool) and part.keyword not in _BOOLEANS_ARE_NORMAL:
        advice = "declare the type" if schema else 'write {"not": {}}'
        yield Finding("boolean-schema", "error", (ALL,), here, advice)
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("type"), list) and schema["type"]:
        yield Finding("type-union", "warning", (GEMINI,), here, "write anyOf with one type each")
    if part.path and part.keyword != "not" and not set(schema) - _DECORATION:
        yield Finding("untyped-schema", "warning", (ALL,), here, "declare the type")


def _in_part(here: str, schema: dict[str, Any]) -> Iterator[Finding]:
    if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
        yield Finding("array-without-items", "error", (VSCODE, OPENAI), here, "say what the items are")
    if "prefixItems" in schema or isinstance(schema.get("items"), list):
        yield Finding("tuple-items", "error", (OPENAI, GEMINI, VSCODE), here, "use an object with named members")
    for keyword, instead in _OLD_KEYWORDS.items():
        if keyword in schema and (keyword != "id" or isinstance(schema["id"], str)):
            yield Finding("draft-keyword", "warning", (ALL,), here, f"write {instead} instead of {keyword}")
    if isinstance(schema.get("format"), str) and schema["format"] not in _FORMATS:
        yield Finding("unknown-format", "warning", (OPENAI,), here, f"say in the description what {schema['format']} means")  # fmt: skip
    if isinstance(schema.get("enum"), list) and not all(isinstance(value, str) for value in schema["enum"]):
        yield Finding("enum-not-of-text", "warning", (GEMINI,), here, "use texts only")
    if "$ref" in schema:
        yield Finding("local-ref", "warning", (GEMINI,), here, "write the schema out in place")


def _at_the_root(place: str, schema: dict[str, Any]) -> Iterator[Finding]:
    for keyword in ("oneOf", "anyOf", "allOf"):
        if keyword in schema:
            yield Finding("root-combiner", "error", (ANTHROPIC,), f"{place}.{keyword}",
                          "describe the alternatives inside a property")  # fmt: skip
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        yield Finding("no-properties", "warning", (OPENAI,), place, 'add "properties": {}')
    for name in properties if isinstance(properties, dict) else ():
        if not _PROPERTY.fullmatch(name):
            yield Finding("property-name", "error", (ANTHROPIC,), f"{place}.properties.{name[:80]}",
                          "use at most 64 characters of A-Z a-z 0-9 _ . and -")  # fmt: skip
