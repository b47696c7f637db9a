"""Arguments that a tool's own schema forbids, made from good ones, one defect each (TOOL-28, TOOL-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

LONGEST = 10_000
"""Characters beyond which no text is made to break a limit."""

WRONG_VALUES: dict[str, Any] = {
    "string": {"mcplibrary": "an object"},
    "integer": "not a number",
    "number": "not a number",
    "boolean": "not a boolean",
    "array": "not an array",
    "object": "not an object",
}
"""A value of another type for each JSON type, far enough that no lenient conversion fits."""


def without_required(schema: Any, good: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The good arguments without each required one: (what is wrong, arguments)."""
    required = schema.get("required") if isinstance(schema, dict) else None
    for name in required if isinstance(required, list) else ():
        if name in good:
            yield f"required argument {name!r} missing", {k: v for k, v in good.items() if k != name}


def with_wrong_types(schema: Any, good: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The good arguments with a value of a wrong type for each typed one: (what is wrong, arguments)."""
    for name, kind in _typed(schema):
        if kind in WRONG_VALUES:
            yield f"argument {name!r} of type {kind} given another type", {**good, name: WRONG_VALUES[kind]}


def with_numeric_text(schema: Any, good: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The good arguments with the text of a number where the schema says number or integer."""
    for name, kind in _typed(schema):
        if kind in ("integer", "number") and isinstance(good.get(name), (int, float)):
            yield f"argument {name!r} of type {kind} given as text", {**good, name: str(good[name])}


def out_of_bounds(schema: Any, good: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The good arguments with a value of the right type that an ``enum``, a minimum, a maximum or a length forbids."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, child in properties.items() if isinstance(properties, dict) else ():
        for what, value in _forbidden(child) if isinstance(child, dict) else ():
            yield f"argument {name!r} {what}", {**good, name: value}


def _forbidden(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    choices, kind = schema.get("enum"), schema.get("type")
    if isinstance(choices, list) and choices and all(isinstance(choice, str) for choice in choices):
        yield f"none of its enum {choices[:5]}", f"{max(choices, key=len)}-mcplibrary"
    for keyword, step in (("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1), ("exclusiveMaximum", 0)):
        limit = schema.get(keyword)
        if isinstance(limit, (int, float)) and not isinstance(limit, bool) and kind in ("integer", "number"):
            yield f"beyond its {keyword} {limit}", limit + step
    for keyword, change in (("minLength", -1), ("maxLength", 1)):
        length = schema.get(keyword)
        if isinstance(length, int) and kind == "string" and 0 <= length + change <= LONGEST and "format" not in schema:
            yield f"beyond its {keyword} {length}", "x" * (length + change)


def with_unknown(schema: Any, good: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The good arguments and one more, where the schema says that there are no others."""
    if isinstance(schema, dict) and schema.get("additionalProperties") is False and not schema.get("patternProperties"):
        yield "an argument that the schema excludes by additionalProperties: false", {**good, "mcplibrary-unknown": 1}


def _typed(schema: Any) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, child in properties.items() if isinstance(properties, dict) else ():
        kind = child.get("type") if isinstance(child, dict) else None
        if isinstance(kind, str):
            yield name, kind
