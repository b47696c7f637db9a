"""Checks of tasks: the core tasks of 2025-11-25 (TASK-L) and the extension ``io.modelcontextprotocol/tasks`` (TASK-X)."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

EXTENSION = "io.modelcontextprotocol/tasks"
RELATED_KEY = "io.modelcontextprotocol/related-task"

TERMINAL = ("completed", "failed", "cancelled")
STATUSES = ("working", "input_required", *TERMINAL)

_INLINED = {"completed": "result", "failed": "error", "input_required": "inputRequests"}
"""What the extension's ``tasks/get`` carries beside the task, by status."""

_GUESSABLE = 16
"""Characters below which an id cannot hold the randomness that keeps it from being guessed."""


@dataclass(frozen=True, slots=True)
class TaskDialect:
    """How the two generations of tasks name things."""

    wrapped: bool
    """Whether the task is a member of the creating result, not that result itself."""
    ttl: str
    poll_interval: str
    inlined: bool
    """Whether ``tasks/get`` carries result, error or questions."""


CORE = TaskDialect(True, "ttl", "pollInterval", False)
"""Core tasks of 2025-11-25, asked for by ``task`` in the params."""

BY_EXTENSION = TaskDialect(False, "ttlMs", "pollIntervalMs", True)
"""Tasks of the extension, made by the server when the client declared it."""


def task_support(capabilities: Any, *, modern: bool) -> bool:
    """Whether these server capabilities offer tasks for ``tools/call``."""
    path = ("extensions", EXTENSION) if modern else ("tasks", "requests", "tools", "call")
    value = capabilities
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return isinstance(value, dict)


def created_task(result: Any, dialect: TaskDialect) -> dict[str, Any] | None:
    """The task that a ``tools/call`` result creates; ``None`` when it is an ordinary result."""
    if not isinstance(result, dict):
        return None
    if dialect.wrapped:
        task = result.get("task")
        return task if isinstance(task, dict) else None
    return result if result.get("resultType") == "task" or "taskId" in result else None


def task_problems(task: Any, dialect: TaskDialect) -> list[str]:
    """What a task lacks or has wrong: id, status, times, time to live (TASK-L02, TASK-X05)."""
    if not isinstance(task, dict):
        return [f"a task must be an object, got {type(task).__name__}"]
    problems = []
    if not isinstance(task.get("taskId"), str) or not task["taskId"]:
        problems.append(f"'taskId' must be a string that is not empty, got {task.get('taskId', 'none')!r}")
    if task.get("status") not in STATUSES:
        problems.append(f"'status' must be one of {', '.join(STATUSES)}, got {task.get('status', 'none')!r}")
    for member in ("createdAt", "lastUpdatedAt"):
        if not _is_time(task.get(member)):
            problems.append(f"'{member}' must be an ISO 8601 time, got {task.get(member, 'none')!r}")
    ttl = task.get(dialect.ttl, "none")
    if ttl is not None and (not _is_whole(ttl) or ttl < 0):
        problems.append(f"'{dialect.ttl}' must be whole milliseconds or null, got {ttl!r}")
    interval = task.get(dialect.poll_interval, 0)
    if not _is_whole(interval) or interval < 0:
        problems.append(f"'{dialect.poll_interval}' must be whole milliseconds, got {interval!r}")
    return problems


def state_problems(result: Any, dialect: TaskDialect) -> list[str]:
    """What is wrong with the answer of ``tasks/get``: the task, and what its status brings along (TASK-X05)."""
    problems = task_problems(result, dialect)
    if problems or not dialect.inlined:
        return problems
    status = result["status"]
    for owner, member in _INLINED.items():
        if owner == status and not isinstance(result.get(member), dict):
            problems.append(
                f"a task that is {status} must carry '{member}' as an object, got {result.get(member, 'none')!r}"
            )
        elif owner != status and member in result:
            problems.append(f"a task that is {status} must not carry '{member}'")
    return problems


def creation_problems(result: Any, dialect: TaskDialect) -> list[str]:
    """What is wrong with a result that creates a task (TASK-L02, TASK-X03)."""
    if not dialect.wrapped and isinstance(result, dict) and result.get("resultType") != "task":
        return [f"'resultType' of a created task must be 'task', got {result.get('resultType', 'none')!r}"]
    task = created_task(result, dialect)
    if task is None:
        return ["the result has no task"]
    problems = task_problems(task, dialect)
    if dialect.wrapped and task.get("status") in STATUSES and task["status"] != "working":
        problems.append(f"a new task must be working, got {task['status']!r}")
    return problems


def transition_problems(statuses: Sequence[Any]) -> list[str]:
    """Steps of a task's status that are not allowed: out of a terminal one, or to an unknown one (TASK-L04)."""
    problems = []
    for before, after in itertools.pairwise(statuses):
        if before in TERMINAL and after != before:
            problems.append(f"the task went from {before}, which is final, to {after}")
    unknown = [status for status in statuses if status not in STATUSES]
    return problems + [f"the status {status!r} does not exist" for status in unknown]


def acknowledgement_problems(result: Any) -> list[str]:
    """What ``tasks/update`` and ``tasks/cancel`` of the extension must answer: complete and empty (TASK-X10)."""
    if not isinstance(result, dict):
        return [f"the acknowledgement must be a result object, got {type(result).__name__}"]
    problems = []
    if result.get("resultType") != "complete":
        problems.append(f"'resultType' must be 'complete', got {result.get('resultType', 'none')!r}")
    more = sorted(set(result) - {"resultType", "_meta"})
    if more:
        problems.append(f"the acknowledgement must be empty, but has {', '.join(more)}")
    return problems


def demand_problems(error: Any, extension: str) -> list[str]:
    """Whether an error -32021 names the extension that the client must declare (TASK-X02, TASK-X08, CAP-06)."""
    data = error.get("data") if isinstance(error, dict) else None
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    extensions = required.get("extensions") if isinstance(required, dict) else None
    if not isinstance(extensions, dict) or extension not in extensions:
        return [f"'data.requiredCapabilities.extensions' must name {extension}, got data {data!r}"]
    return []


def related_problems(result: Any, task_id: str) -> list[str]:
    """Whether a ``tasks/result`` says which task it belongs to (TASK-L05)."""
    meta = result.get("_meta") if isinstance(result, dict) else None
    related = meta.get(RELATED_KEY) if isinstance(meta, dict) else None
    if not isinstance(related, dict) or related.get("taskId") != task_id:
        return [f"'_meta' must have '{RELATED_KEY}' with taskId {task_id!r}, got {related!r}"]
    return []


def id_problems(identifiers: Sequence[str]) -> list[str]:
    """Task ids that can be guessed: repeated, short, or counted up (TASK-X14)."""
    problems = []
    if len(set(identifiers)) < len(identifiers):
        problems.append("the same id was given to two tasks")
    for identifier in identifiers:
        if len(identifier) < _GUESSABLE:
            problems.append(f"the id {identifier!r} has only {len(identifier)} characters")
    shapes = {re.sub(r"\d+", "#", identifier) for identifier in identifiers}
    numbers = [[int(n) for n in re.findall(r"\d+", identifier)] for identifier in identifiers]
    if len(identifiers) > 1 and len(shapes) == 1 and all(numbers):
        last = [n[-1] for n in numbers]
        if all(after - before == 1 for before, after in itertools.pairwise(last)):
            problems.append(f"the ids count up: {', '.join(identifiers[:3])}")
    return problems


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_time(value: Any) -> bool:
    try:
        datetime.datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True
