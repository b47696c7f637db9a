"""Keywords of the benchmark's generated suite: an empty one to compare with, and a clock around a loop."""

from __future__ import annotations

import json
import time
from pathlib import Path

_started = 0.0
_times: dict[str, list[float]] = {}


def empty_keyword() -> None:
    pass


def start_watch() -> None:
    global _started
    _started = time.perf_counter()


def stop_watch(name: str, calls: int) -> None:
    """Note the time per call of the loop that ends here."""
    _times.setdefault(name, []).append((time.perf_counter() - _started) / calls)


def write_times(file: str) -> None:
    Path(file).write_text(json.dumps(_times))
