"""Arguments that a tool's own schema forbids, made from good ones, one defect each (TOOL-28, TOOL-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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


def _typed(schema: Any) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, child in properties.items() if isinstance(properties, dict) else ():
        kind = child.get("type") if isinstance(child, dict) else None
        if isinstance(kind, str):
            yield name, kind
