"""Checks of the results of tool calls: structured content against what the tool publishes (TOOL-17 to TOOL-20)."""

from __future__ import annotations

import json
from typing import Any

from ..session.revisions import Revision
from .schemas import value_problems


def is_success(result: Any) -> bool:
    """Whether a result is whole and no error: only such a one must fit the ``outputSchema``."""
    return (
        isinstance(result, dict)
        and result.get("isError") is not True
        and result.get("resultType", "complete") == "complete"
    )


def output_problems(result: dict[str, Any], tool: dict[str, Any]) -> list[str]:
    """Structured content that does not fit the tool's ``outputSchema`` (TOOL-17)."""
    if "structuredContent" not in result:
        return []
    return [f"'structuredContent' breaks the outputSchema: {problem}"
            for problem in value_problems(tool.get("outputSchema"), result["structuredContent"])]  # fmt: skip


def missing_output_problems(result: dict[str, Any], tool: dict[str, Any]) -> list[str]:
    """A result without the structured content that the tool's ``outputSchema`` promises (TOOL-18)."""
    return (
        [] if "structuredContent" in result else ["the tool has an outputSchema, but there is no 'structuredContent'"]
    )


def text_copy_problems(result: dict[str, Any]) -> list[str]:
    """Structured content that older clients cannot read, since no text block holds it as JSON (TOOL-19)."""
    wanted = result["structuredContent"]
    for block in result.get("content") or ():
        text = block.get("text") if isinstance(block, dict) else None
        try:
            if isinstance(text, str) and json.loads(text) == wanted:
                return []
        except (ValueError, RecursionError):
            continue
    return ["no text block holds the JSON of 'structuredContent'"]


def kind_problems(result: dict[str, Any], revision: Revision) -> list[str]:
    """Structured content of a kind that the revision does not have (TOOL-20)."""
    value = result["structuredContent"]
    if not revision.structured_content:
        return [f"{revision.name} has no 'structuredContent', but it was sent"]
    if not revision.output_of_any_type and not isinstance(value, dict):
        return [f"'structuredContent' must be an object in {revision.name}, got {type(value).__name__}"]
    return []
