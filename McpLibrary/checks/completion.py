"""Checks of completions (COMPL-02, COMPL-03)."""

from __future__ import annotations

from typing import Any

MOST_VALUES = 100


def completion_problems(result: Any) -> list[str]:
    """No ``completion.values`` of at most 100 texts, or ``total`` and ``hasMore`` of wrong types (COMPL-02)."""
    completion = result.get("completion") if isinstance(result, dict) else None
    if not isinstance(completion, dict):
        return [f"'completion' must be an object, got {'none' if completion is None else type(completion).__name__}"]
    values = completion.get("values")
    if not isinstance(values, list):
        return [f"'completion.values' must be an array, got {'none' if values is None else type(values).__name__}"]
    problems = [f"value {n} must be a text, got {v!r}" for n, v in enumerate(values, 1) if not isinstance(v, str)][:1]
    if len(values) > MOST_VALUES:
        problems.append(f"there may be at most {MOST_VALUES} values, got {len(values)}")
    total = completion.get("total", 0)
    if not isinstance(total, (int, float)) or isinstance(total, bool) or total % 1:
        problems.append(f"'total' must be an integer, got {total!r}")
    if not isinstance(completion.get("hasMore", False), bool):
        problems.append(f"'hasMore' must be true or false, got {completion['hasMore']!r}")
    return problems


def count_problems(result: Any) -> list[str]:
    """``total`` and ``hasMore`` that contradict the number of values (COMPL-03). For results without other problems."""
    completion = result["completion"]
    count, total, more = len(completion["values"]), completion.get("total"), completion.get("hasMore")
    if total is None:
        return []
    if total < count:
        return [f"'total' is {total}, but there are {count} values"]
    if more is False and total > count:
        return [f"'total' is {total} and there are {count} values, but 'hasMore' is false"]
    if more is True and total == count:
        return [f"'total' is {total}, all of which are there, but 'hasMore' is true"]
    return []
