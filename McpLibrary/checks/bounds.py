"""Checks that a connection keeps within its revision and within what the client declared (HS-10, HS-17, HS-18, HS-20)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..session.revisions import (
    ASKING_NEEDS,
    ELICITATION_BY_URL_SINCE,
    ELICITATION_SINCE,
    MEMBERS_SINCE,
    REVISIONS,
    Revision,
)


def newer_members(kind: str, value: Any, revision: Revision, name: str = "") -> list[str]:
    """Members of a tool, a prompt, a result … that came with a later revision; ``kind`` is a key of `MEMBERS_SINCE`."""
    if not isinstance(value, dict):
        return []
    label = f"{kind} {name!r}" if name else f"the {kind}"
    return [
        f"{label} has {member!r}, which came with {since}"
        for member, since in MEMBERS_SINCE[kind].items()
        if member in value and since > revision.name
    ]


def newer_items(kind: str, items: Iterable[Any], revision: Revision) -> list[str]:
    """The same for all items of a list."""
    return [
        problem
        for item in items
        for problem in newer_members(kind, item, revision, str(item.get("name")) if isinstance(item, dict) else "")
    ]


def newer_content(result: Any, revision: Revision) -> list[str]:
    """Members and content blocks of a tool result that came with a later revision (HS-17, X-16)."""
    problems = newer_members("result", result, revision)
    content = result.get("content") if isinstance(result, dict) else None
    for block in content if isinstance(content, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        since = next((r.name for r in REVISIONS.values() if isinstance(kind, str) and kind in r.content_types), None)
        if since is not None and since > revision.name:
            problems.append(f"there is a content block of type {kind!r}, which came with {since}")
        problems += newer_members("content block", block, revision, str(kind))
    return problems


def forbidden_question(method: str | None, params: Any, declared: Any, revision: Revision) -> str | None:
    """Why a server of this revision must not send this request to a client that declared this, or ``None``."""
    if method == "elicitation/create":
        if revision.name < ELICITATION_SINCE:
            return f"{revision.name} has no elicitation (it came with {ELICITATION_SINCE})"
        by_url = isinstance(params, dict) and params.get("mode") == "url"
        if by_url and revision.name < ELICITATION_BY_URL_SINCE:
            return f"{revision.name} has no elicitation by URL (it came with {ELICITATION_BY_URL_SINCE})"
    needed = ASKING_NEEDS.get(method or "")
    if needed and not (isinstance(declared, dict) and isinstance(declared.get(needed), dict)):
        return f"the client did not declare {needed!r}"
    return None


def early_requests(methods: Iterable[str | None]) -> list[str]:
    """Requests that must wait for ``notifications/initialized``: all but ping (HS-10)."""
    return [str(method) for method in methods if method != "ping"]
