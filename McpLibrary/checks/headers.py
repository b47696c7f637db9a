"""Checks of what a tool publishes for HTTP headers: its ``x-mcp-header`` annotations (HDR-20 to HDR-31)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..session.client_side import from_schema
from ..session.envelope import PARAM_PREFIX, header_annotations

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


_SENSITIVE = re.compile(
    r"passwords?|passwd|passphrase|secrets?|credentials?|authorization|cookie|"
    r"(?:api|private|access|secret)_key|apikey|(?:access|auth|bearer|refresh|api|session|secret)_token|card_number|"
    r"=(?:token|pin|pwd|ssn|iban|cvv|cvc)"
)
"""A word of a name, two that follow each other, or (after ``=``) the whole name: ``page_token`` is no secret."""


def sensitive_annotations(input_schema: Any) -> list[str]:
    """Mirrored arguments whose names say that they are secret: proxies read and log headers (HDR-30)."""
    return [
        f"the argument {'.'.join(path)!r} looks like a secret and is mirrored as {PARAM_PREFIX}{token}"
        for path, token in header_annotations(input_schema)
        if any(_SENSITIVE.fullmatch(word) for name in (path[-1], token) for word in _words(name))
    ]


def _words(name: str) -> list[str]:
    parts = [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return [*parts, *("_".join(pair) for pair in itertools.pairwise(parts)), f"={''.join(parts)}"]


def has_annotations(input_schema: Any) -> bool:
    """Whether any argument is mirrored, rightly or not."""
    return any(ANNOTATION in schema for _, _, schema in _positions(input_schema, "#", True))


@dataclass(frozen=True, slots=True)
class Mirrored:
    """An argument that is mirrored in a header, with a value for it."""

    path: tuple[str, ...]
    header: str
    value: Any

    def arguments(self, arguments: dict[str, Any], value: Any = ...) -> dict[str, Any]:
        """A copy of the arguments with this value for it; without one it is left out."""
        return _changed(arguments, self.path, value)


_IS_OF = {
    "string": lambda value: isinstance(value, str) and value != "",
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
}


def mirrored_arguments(input_schema: Any, arguments: dict[str, Any], kind: str) -> list[Mirrored]:
    """The mirrored arguments of this type that have a value, in ``arguments`` or by the schema."""
    found = []
    for path, token in header_annotations(input_schema):
        schema, name = input_schema, ""
        value: Any = arguments
        for name in path:
            parent, schema = schema, schema["properties"][name]
            value = value.get(name) if isinstance(value, dict) else None
        if value is None:
            value = from_schema({**parent, "required": [name]}).get(name)
        if schema.get("type") == kind and _IS_OF[kind](value):
            found.append(Mirrored(path, PARAM_PREFIX + token, value))
    return found


def _changed(arguments: Any, path: tuple[str, ...], value: Any) -> dict[str, Any]:
    inner = dict(arguments) if isinstance(arguments, dict) else {}
    name, *rest = path
    if rest:
        inner[name] = _changed(inner.get(name), tuple(rest), value)
    elif value is ...:
        inner.pop(name, None)
    else:
        inner[name] = value
    return inner


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
