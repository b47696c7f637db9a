"""Checks of lists of tools, prompts, resources and templates: of their pages, and of one list against another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..wire.jsonrpc import to_json

IDENTITIES = ("uriTemplate", "uri", "name")
"""The members by which an item of a list is known, the first that it has."""


def identity(item: Any) -> str:
    """What an item is called: its URI, its template, or its name."""
    if isinstance(item, dict):
        return str(next((item[member] for member in IDENTITIES if member in item), None))
    return repr(item)


def repeated(items: Iterable[Any]) -> list[str]:
    """The items that are there more than once, word for word (PAGE-01)."""
    seen: set[str] = set()
    found: dict[str, None] = {}
    for item in items:
        text = to_json(item)
        if text in seen:
            found[identity(item)] = None
        seen.add(text)
    return list(found)


def list_differences(before: list[Any], after: list[Any]) -> list[str]:
    """What differs between two lists of the same kind, order aside (TOOL-03, RES-02, PROMPT-02)."""
    old, new = {identity(item): item for item in before}, {identity(item): item for item in after}
    differences = [f"{name!r} is gone" for name in old if name not in new]
    differences += [f"{name!r} is new" for name in new if name not in old]
    differences += [
        f"{name!r} has another {_member_that_differs(item, new[name])}"
        for name, item in old.items()
        if name in new and new[name] != item
    ]
    if not differences and len(before) != len(after):
        differences.append(f"there were {len(before)} items, now there are {len(after)}")
    return differences


def order_difference(before: list[Any], after: list[Any]) -> str:
    """Where two lists of the same items part, in words; empty when they do not (TOOL-05, PAGE-05)."""
    pairs = zip(map(identity, before), map(identity, after), strict=False)
    return next((f"place {n} held {old!r}, then {new!r}" for n, (old, new) in enumerate(pairs, 1) if old != new), "")


def _member_that_differs(one: Any, other: Any) -> str:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return "type"
    return next(f"{key!r}" for key in [*one, *other] if one.get(key, ...) != other.get(key, ...))
