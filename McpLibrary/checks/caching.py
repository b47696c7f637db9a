"""Checks of the caching hints of modern results (CACHE, DISC-04)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..session.revisions import CACHEABLE

HINTS = ("ttlMs", "cacheScope")
SCOPES = ("public", "private")


def hint_problems(method: str, result: Any) -> list[str]:
    """Missing or wrong ``ttlMs`` and ``cacheScope`` of a complete result that may be cached, each with its rule."""
    if method not in CACHEABLE or not isinstance(result, dict) or result.get("resultType") == "input_required":
        return []
    problems = [f"{hint!r} is missing (CACHE-01)" for hint in HINTS if hint not in result]
    ttl, scope = result.get("ttlMs", 0), result.get("cacheScope", SCOPES[0])
    if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
        problems.append(f"'ttlMs' must be an integer of 0 or more, got {ttl!r} (CACHE-02)")
    if scope not in SCOPES:
        problems.append(f"'cacheScope' must be public or private, got {scope!r} (CACHE-03)")
    return problems


def question_problems(result: Any) -> list[str]:
    """Hints on a result that asks for input, which belongs to one request alone (CACHE-04)."""
    return [f"it has {hint!r}: {result[hint]!r}" for hint in HINTS if isinstance(result, dict) and hint in result]


def scope_problems(pages: Iterable[Any]) -> list[str]:
    """Pages of one list of which some may be shared and others not (CACHE-05)."""
    scopes = [page.get("cacheScope") if isinstance(page, dict) else None for page in pages]
    return [f"page {n} says {scope!r}, page 1 {scopes[0]!r}" for n, scope in enumerate(scopes, 1) if scope != scopes[0]]
