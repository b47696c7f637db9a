"""Checks of ``_meta``: the names of its keys, what is reserved for MCP, and the trace context (META-09, META-10, META-16)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from ..session import envelope

_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_KEY = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL})*/)?(?:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)?", re.ASCII)
_RESERVED = (["modelcontextprotocol"], ["mcp"])

KNOWN_KEYS = frozenset({
    envelope.VERSION_KEY, envelope.CLIENT_INFO_KEY, envelope.CAPABILITIES_KEY, envelope.SERVER_INFO_KEY,
    envelope.SUBSCRIPTION_KEY, envelope.LOG_LEVEL_KEY,
    f"{envelope.META_PREFIX}related-task", f"{envelope.META_PREFIX}model-immediate-response",
})  # fmt: skip
"""The keys under a reserved prefix that some revision defines."""

OPAQUE = frozenset({
    "structuredContent", "inputSchema", "outputSchema", "requestedSchema", "arguments", "data", "experimental",
    "extensions", "input",
})  # fmt: skip
"""Members whose values are the author's own: a ``_meta`` in there is not the protocol's."""

_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")
_STATE_MEMBER = re.compile(
    r"[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]"
)
_NAME = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_BAGGAGE_VALUE = r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*"
_BAGGAGE_MEMBER = re.compile(
    rf"{_NAME}[ \t]*=[ \t]*{_BAGGAGE_VALUE}(?:[ \t]*;[ \t]*{_NAME}(?:[ \t]*=[ \t]*{_BAGGAGE_VALUE})?)*"
)


def meta_objects(message: Any) -> Iterator[tuple[str, Any]]:
    """Every ``_meta`` of a message, with the path to it; not those inside data that is the author's own."""
    stack = [("", message)]
    while stack:
        where, node = stack.pop()
        if isinstance(node, dict):
            if "_meta" in node:
                yield f"{where}_meta", node["_meta"]
            stack += [(f"{where}{k}.", v) for k, v in node.items() if k not in OPAQUE and k != "_meta"]
        elif isinstance(node, list):
            stack += [(f"{where[:-1]}[{i}].", item) for i, item in enumerate(node)]


def key_problems(message: Any) -> list[str]:
    """Keys of ``_meta`` that do not follow the grammar: labels with dots, a slash, a name (META-09)."""
    problems = []
    for where, meta in meta_objects(message):
        if not isinstance(meta, dict):
            problems.append(f"{where} must be an object, got {meta!r}")
            continue
        problems += [
            f"{where} has the key {key!r}, which is no name with an optional prefix such as com.example/name"
            for key in meta
            if not _KEY.fullmatch(key)
        ]
    return problems


def reserved_problems(message: Any, extensions: Collection[str] = ()) -> list[str]:
    """Keys under a prefix that is reserved for MCP, which no revision and none of these extensions defines (META-10).

    Reserved is a prefix whose second label is ``modelcontextprotocol`` or ``mcp``. The wider wording of 2025-06-18 is not
    followed: what the later ones allow harms nobody.
    """
    problems = []
    for where, meta in meta_objects(message):
        for key in meta if isinstance(meta, dict) else ():
            prefix, slash, _ = key.partition("/")
            reserved = slash and prefix.split(".")[1:2] in _RESERVED
            if reserved and key not in KNOWN_KEYS and not key.startswith(tuple(extensions)):
                problems.append(f"{where} has the key {key!r}; the prefix is reserved for MCP, which knows no such key")
    return problems


def trace_problems(message: Any) -> list[str]:
    """Trace keys whose values are not in the formats of W3C Trace Context and W3C Baggage (META-16)."""
    problems = []
    for where, meta in meta_objects(message):
        for key, is_right in _TRACE_KEYS.items():
            if isinstance(meta, dict) and key in meta and not (isinstance(meta[key], str) and is_right(meta[key])):
                problems.append(f"{where} has {key!r} in another format than that of the W3C: {meta[key]!r}")
    return problems


def has_trace_keys(message: Any) -> bool:
    return any(key in meta for _, meta in meta_objects(message) if isinstance(meta, dict) for key in _TRACE_KEYS)


def _members(text: str, member: re.Pattern[str]) -> bool:
    parts = [part.strip(" \t") for part in text.split(",")]
    return any(parts) and all(member.fullmatch(part) for part in parts if part)


_TRACE_KEYS: dict[str, Callable[[str], bool]] = {
    "traceparent": lambda text: _TRACEPARENT.fullmatch(text) is not None,
    "tracestate": lambda text: _members(text, _STATE_MEMBER),
    "baggage": lambda text: _members(text, _BAGGAGE_MEMBER),
}
