"""Checks of what a tool publishes for HTTP headers: its ``x-mcp-header`` annotations (HDR-29)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

ANNOTATION = "x-mcp-header"
MIRRORED_TYPES = ("string", "integer", "boolean")

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_ONE_SCHEMA = (
    "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "additionalItems", "unevaluatedItems",
    "contains", "not", "if", "then", "else", "contentSchema",
)  # fmt: skip
_MANY_SCHEMAS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_NAMED_SCHEMAS = ("patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")


def annotation_problems(input_schema: Any) -> list[str]:
    """What is wrong with the ``x-mcp-header`` annotations of an inputSchema; a tool with any must not be called.

    An annotation is an RFC 9110 token, unique ignoring case, on a property of type string, integer or boolean that is
    reached from the root through ``properties`` alone. References are not followed.
    """
    problems: list[str] = []
    owners: dict[str, str] = {}
    for where, reachable, schema in _positions(input_schema, "#", True):
        if ANNOTATION not in schema:
            continue
        if not reachable or where == "#":
            problems.append(f"{where}: {ANNOTATION} stands where it is not reached through 'properties' alone")
            continue
        token, kind = schema[ANNOTATION], schema.get("type")
        if kind not in MIRRORED_TYPES:
            problems.append(f"{where}: {ANNOTATION} needs type {', '.join(MIRRORED_TYPES)}, not {kind!r}")
        if not isinstance(token, str):
            problems.append(f"{where}: {ANNOTATION} must be a string, got {type(token).__name__}")
        elif not _TOKEN.fullmatch(token):
            problems.append(f"{where}: {ANNOTATION} {token!r} is {'no token of a header name' if token else 'empty'}")
        elif token.lower() in owners:
            problems.append(
                f"{where}: {ANNOTATION} {token!r} is taken by {owners[token.lower()]} (case does not count)"
            )
        else:
            owners[token.lower()] = where
    return problems


def _positions(schema: Any, where: str, reachable: bool) -> Iterator[tuple[str, bool, dict[str, Any]]]:
    """Every schema inside a schema: (JSON pointer, reached through ``properties`` alone, the schema)."""
    stack = [(schema, where, reachable)]
    while stack:
        node, pointer, pure = stack.pop()
        if not isinstance(node, dict):
            continue
        yield pointer, pure, node
        inner = [(child, f"{pointer}/{_escape(key)}", chain) for key, child, chain in _children(node)]
        stack += [(child, path, pure and chain) for child, path, chain in reversed(inner)]


def _children(node: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], Any, bool]]:
    properties = node.get("properties")
    for name, child in properties.items() if isinstance(properties, dict) else ():
        yield ("properties", name), child, True
    for keyword in _NAMED_SCHEMAS:
        named = node.get(keyword)
        for name, child in named.items() if isinstance(named, dict) else ():
            yield (keyword, name), child, False
    for keyword in _MANY_SCHEMAS:
        many = node.get(keyword)
        for index, child in enumerate(many if isinstance(many, list) else ()):
            yield (keyword, str(index)), child, False
    for keyword in _ONE_SCHEMA:
        yield (keyword,), node.get(keyword), False


def _escape(key: tuple[str, ...]) -> str:
    return "/".join(part.replace("~", "~0").replace("/", "~1") for part in key)
