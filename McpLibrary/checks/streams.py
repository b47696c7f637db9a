"""Checks of what a server sends by itself: progress, and what stands on stdout (PROG, STDIO-01)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol


class _Line(Protocol):
    channel: str
    raw: bytes

    @property
    def kind(self) -> str: ...


def progress_problems(request: Any, notifications: Iterable[Any]) -> list[str]:
    """What is wrong with the progress of one request: foreign token, no number, not rising (PROG-01 to PROG-03)."""
    params = request.get("params") if isinstance(request, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    problems = []
    last: float | None = None
    for message in notifications:
        params = message.get("params") if isinstance(message, dict) else None
        if not isinstance(params, dict):
            problems.append("a progress notification has no params")
            continue
        got = params.get("progressToken")
        if token is None:
            problems.append(f"progress was sent for a request without a token, under {got!r}")
        elif type(got) is not type(token) or got != token:
            problems.append(f"the progress token must be {token!r} with its type, got {got!r}")
        value = params.get("progress")
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            problems.append(f"'progress' must be a number, got {value!r}")
            continue
        if last is not None and value <= last:
            problems.append(f"progress must rise, but went from {last} to {value} (PROG-03)")
        last = value
    return problems


def stdout_problems(frames: Iterable[_Line]) -> list[str]:
    """The lines on stdout that are no JSON-RPC message (STDIO-01)."""
    return [
        frame.raw.decode("utf-8", "backslashreplace")
        for frame in frames
        if frame.channel == "stdout" and frame.kind in ("garbage", "invalid")
    ]


def answer_counts(frames: Iterable[Any]) -> dict[tuple[str, Any], int]:
    """How many responses came for each id that a request of ours had, by type and value (STDIO-06, STDIO-10)."""
    counts: dict[tuple[str, Any], int] = {}
    for frame in frames:
        identifier = frame.member("id")
        if type(identifier) not in (int, str):
            continue
        key = (type(identifier).__name__, identifier)
        if frame.direction == "sent" and frame.kind == "request":
            counts.setdefault(key, 0)
        elif frame.direction == "received" and frame.kind in ("result", "error") and key in counts:
            counts[key] += 1
    return counts
