"""Reads what toy servers wrote down, and waits for it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

LIMIT = 20.0
"""Seconds that anything may take here: against hangs, not for speed."""


def records(file: str | Path, what: str | None = None, **facts: Any) -> list[dict[str, Any]]:
    """What was written down so far, of one kind and with these facts if given."""
    path = Path(file)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    found = [json.loads(line) for line in lines if line.endswith("\n")]
    wanted = facts if what is None else {"what": what, **facts}
    return [record for record in found if all(record.get(key) == value for key, value in wanted.items())]


def await_record(file: str | Path, what: str, *, count: int = 1, limit: float = LIMIT, **facts: Any) -> dict[str, Any]:
    """The ``count``-th record of this kind, once it is there."""
    end = time.monotonic() + limit
    while len(found := records(file, what, **facts)) < count:
        if time.monotonic() > end:
            raise TimeoutError(f"no {what} {facts} in {[r['what'] for r in records(file)]} within {limit:g} seconds")
        time.sleep(0.02)
    return found[count - 1]
