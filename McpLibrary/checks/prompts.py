"""Checks of what prompts give: their messages, and what these hold (PROMPT-03, PROMPT-07)."""

from __future__ import annotations

from typing import Any

from ..session.revisions import Revision
from .content import ROLES, block_problems, embedded_problems, link_problems, media_problems


def message_problems(result: Any, revision: Revision) -> list[str]:
    """A result whose messages are not those of user and assistant, each with one content block (PROMPT-03)."""
    messages = result.get("messages") if isinstance(result, dict) else None
    if not isinstance(messages, list):
        return [f"'messages' must be an array, got {'none' if messages is None else type(messages).__name__}"]
    problems = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict):
            problems.append(f"message {number} must be an object, got {type(message).__name__}")
            continue
        role, content = message.get("role"), message.get("content")
        if role not in ROLES:
            problems.append(f"message {number}: 'role' must be user or assistant, got {role!r}")
        found = block_problems(content, revision) + link_problems(content)
        problems += [f"message {number}: {problem}" for problem in found]
    return problems


def media_and_resource_problems(result: Any) -> list[str]:
    """Image and audio that is no Base64 or has no MIME type, embedded resources that are not whole (PROMPT-07)."""
    return _of_each(result, lambda content: media_problems(content) + embedded_problems(content))


def untyped_resource_problems(result: Any) -> list[str]:
    """Embedded resources without a MIME type (PROMPT-07)."""

    def problems(content: Any) -> list[str]:
        resource = content.get("resource") if content.get("type") == "resource" else None
        return ["the resource has no 'mimeType'"] if isinstance(resource, dict) and "mimeType" not in resource else []

    return _of_each(result, problems)


def holds_media_or_resources(result: Any) -> bool:
    return any(isinstance(c, dict) and c.get("type") in ("image", "audio", "resource") for c in contents_of(result))


def contents_of(result: Any) -> list[Any]:
    """The content of each message."""
    messages = result.get("messages") if isinstance(result, dict) else None
    return [m.get("content") for m in messages if isinstance(m, dict)] if isinstance(messages, list) else []


def _of_each(result: Any, check: Any) -> list[str]:
    return [
        f"message {number}: {problem}"
        for number, content in enumerate(contents_of(result), 1)
        if isinstance(content, dict)
        for problem in check(content)
    ]
