"""Checks of JSON Schemas: valid in their own dialect, references, size; and of values against them.

The dialect is what ``$schema`` names, 2020-12 when it names none (TOOL-11, X-18). Nothing is ever fetched: a reference that
leaves the schema is not followed (TOOL-14). ``jsonschema`` is imported when it is first needed.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urljoin

_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "contains", "not", "propertyNames", "if", "then", "else", "additionalProperties",
           "unevaluatedProperties", "additionalItems", "unevaluatedItems", "contentSchema")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subschema:
    """One schema inside another, or the whole one."""

    path: str
    """Where it stands: ``properties.qty``, empty for the whole."""
    schema: Any
    depth: int
    keyword: str
    """The keyword that it stands under, empty for the whole."""


def subschemas(schema: Any) -> Iterator[Subschema]:
    """A schema and all schemas inside it. Values such as ``default`` and ``enum`` are no schemas."""
    todo = [Subschema("", schema, 0, "")]
    while todo:
        here = todo.pop()
        yield here
        if isinstance(here.schema, dict):
            found = [
                Subschema(f"{here.path}.{place}".lstrip("."), child, here.depth + 1, keyword)
                for keyword, place, child in _children(here.schema)
            ]
            todo += reversed(found)


def _children(schema: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for keyword in _MAPS:
        members = schema.get(keyword)
        for name, child in members.items() if isinstance(members, dict) else ():
            yield keyword, f"{keyword}.{name}", child
    for keyword in (*_LISTS, "items"):
        members = schema.get(keyword)
        for number, child in enumerate(members) if isinstance(members, list) else ():
            yield keyword, f"{keyword}.{number}", child
    for keyword in _SINGLE:
        if isinstance(schema.get(keyword), (dict, bool)):
            yield keyword, keyword, schema[keyword]


def known_dialect(schema: Any) -> bool:
    """Whether we know the dialect that a schema names."""
    return _validator_class(schema) is not None


def _validator_class(schema: Any) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    named = schema.get("$schema") if isinstance(schema, dict) else None
    if named is None:
        return Draft202012Validator
    return validator_for(schema, default=None) if isinstance(named, str) else None


@functools.cache
def _specifications() -> Any:
    """The dialects themselves and nothing else, so that no other document can be reached."""
    from jsonschema_specifications import REGISTRY

    return REGISTRY


def schema_problems(schema: Any) -> list[str]:
    """What makes a schema useless in its own dialect: invalid keywords, references to nothing (TOOL-10, TOOL-11).

    A dialect that we do not know is not judged.
    """
    from jsonschema.exceptions import best_match

    kind = _validator_class(schema)
    if kind is None:
        return []
    try:
        error = best_match(kind(kind.META_SCHEMA, registry=_specifications()).iter_errors(schema))
    except RecursionError:
        return ["the schema is nested too deeply to be read"]
    if error is not None:
        return [_worded(error)]
    return [f"{place}: '$ref' points to nothing: {reference}" for place, reference in _dangling(schema)]


def external_references(schema: Any) -> list[str]:
    """Each ``$ref`` that leaves the schema, with its place (TOOL-15)."""
    known = _identifiers(schema)
    return [
        f"{place}: '$ref' leaves the schema: {reference}"
        for place, base, reference in _references(schema)
        if not reference.startswith("#") and urljoin(base, reference).partition("#")[0] not in known
    ]


def value_problems(schema: Any, value: Any) -> list[str]:
    """What a schema has against a value (TOOL-17). Where the schema cannot be applied, nothing is said."""
    from referencing.exceptions import Unresolvable

    kind = _validator_class(schema)
    if kind is None:
        return []
    try:
        errors = list(kind(schema, registry=_specifications()).iter_errors(value))
    except (Unresolvable, RecursionError, re.error, TypeError, AttributeError):
        return []  # No usable schema; that is told by `schema_problems` and `external_references`.
    return [_worded(error) for error in errors]


def is_recursive(schema: Any) -> bool:
    """Whether a local reference leads back to a schema that holds it."""
    edges: dict[str, set[str]] = {}
    for place, _, reference in _references(schema):
        if reference == "#" or reference.startswith("#/"):
            edges.setdefault(place, set()).add(".".join(_steps(reference)))
    for start, targets in edges.items():
        reached, todo = set(targets), list(targets)
        while todo:
            inside = todo.pop()
            for place, further in edges.items():
                if _holds(inside, place):
                    todo += further - reached
                    reached |= further
        if any(_holds(target, start) for target in reached):
            return True
    return False


def _holds(outer: str, inner: str) -> bool:
    return not outer or inner == outer or inner.startswith(f"{outer}.")


@dataclass(frozen=True, slots=True)
class Size:
    depth: int
    count: int
    octets: int


def size_of(schema: Any) -> Size:
    """How deep a schema is nested, how many schemas it holds, and its bytes as compact JSON (SCHEMA-04)."""
    parts = list(subschemas(schema))
    octets = len(json.dumps(schema, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return Size(max(part.depth for part in parts), len(parts), octets)


def _references(schema: Any) -> Iterator[tuple[str, str, str]]:
    """Each ``$ref``: its place, the base URI that holds there, and where it points."""
    bases: dict[str, str] = {}
    for part in subschemas(schema):
        if not isinstance(part.schema, dict):
            continue
        outer = next((base for path, base in reversed(bases.items()) if _holds(path, part.path)), "")
        own = part.schema.get("$id")
        base = bases[part.path] = urljoin(outer, own) if isinstance(own, str) else outer
        if isinstance(part.schema.get("$ref"), str):
            yield part.path, base, part.schema["$ref"]


def _identifiers(schema: Any) -> set[str]:
    """The URIs under which the schema or a part of it is known, its dialect among them."""
    found, base = set(), ""
    for part in subschemas(schema):
        own = part.schema.get("$id") if isinstance(part.schema, dict) else None
        if isinstance(own, str):
            base = base or own
            found |= {own.partition("#")[0], urljoin(base, own).partition("#")[0]}
    return found | set(_specifications())


def _dangling(schema: Any) -> Iterator[tuple[str, str]]:
    if any(part.path and isinstance(part.schema, dict) and "$id" in part.schema for part in subschemas(schema)):
        return  # Pointers are then relative to an inner schema; not judged.
    anchors = {
        name
        for part in subschemas(schema)
        if isinstance(part.schema, dict)
        for keyword in ("$anchor", "$dynamicAnchor", "$recursiveAnchor")
        if isinstance(name := part.schema.get(keyword), str)
    }
    for place, _, reference in _references(schema):
        if (reference.startswith("#/") and not _leads_somewhere(schema, _steps(reference))) or (
            re.fullmatch(r"#[^/]+", reference) and reference[1:] not in anchors
        ):
            yield place, reference


def _steps(reference: str) -> list[str]:
    pointer = unquote(reference[1:])
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _leads_somewhere(value: Any, steps: list[str]) -> bool:
    for step in steps:
        if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return False
    return True


def _worded(error: Any) -> str:
    place = ".".join(str(step) for step in error.absolute_path)
    said = error.message if len(error.message) <= 160 else f"{error.message[:159]}…"
    return f"{place}: {said}" if place else said
