"""The append-only record of one connection: every frame and every exchange, bounded in memory."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Iterable

from .frame import Exchange, Frame

MEMORY_LIMIT = 64 * 1024 * 1024
"""Bytes of raw frames kept; beyond it the oldest frames are dropped and counted."""


class Transcript:
    """Filled by the loop thread, read by keywords."""

    def __init__(self, memory_limit: int = MEMORY_LIMIT) -> None:
        self._lock = threading.Lock()
        self._frames: deque[Frame] = deque()
        self._exchanges: deque[Exchange] = deque()
        self._bytes = 0
        self._limit = memory_limit
        self._number = 0
        self.dropped = 0
        """How many of the oldest frames were dropped for memory."""
        self.seen = 0
        """How many frames were ever added; a mark to ask later for what is new."""

    def add(self, frame: Frame) -> None:
        with self._lock:
            self._frames.append(frame)
            self.seen += 1
            self._bytes += len(frame.raw)
            while self._bytes > self._limit and len(self._frames) > 1:
                self._bytes -= len(self._frames.popleft().raw)
                self.dropped += 1
                if self._exchanges and self._exchanges[0].request.at < self._frames[0].at:
                    self._exchanges.popleft()

    def open(self, request: Frame) -> Exchange:
        """Record a frame of ours and open its exchange."""
        self.add(request)
        with self._lock:
            self._number += 1
            exchange = Exchange(request, self._number)
            self._exchanges.append(exchange)
            return exchange

    @property
    def count(self) -> int:
        """How many exchanges were ever opened."""
        return self._number

    def frames(self, since: int = 0) -> list[Frame]:
        """The kept frames, oldest first; ``since`` is an earlier value of ``seen``."""
        with self._lock:
            newest = list(itertools.islice(reversed(self._frames), max(0, self.seen - since)))
        return newest[::-1]

    def position(self, frame: Frame) -> int:
        """The mark just behind a kept frame."""
        with self._lock:
            behind = next((i for i, kept in enumerate(reversed(self._frames)) if kept is frame), 0)
            return self.seen - behind

    def exchanges(self, since: int = 0) -> list[Exchange]:
        """The kept exchanges with a number above ``since``, oldest first."""
        with self._lock:
            newest = list(itertools.takewhile(lambda e: e.number > since, reversed(self._exchanges)))
        return newest[::-1]

    def exchange(self, number: int) -> Exchange | None:
        """The exchange of that number; negative numbers count from the end."""
        with self._lock:
            if number < 0:
                return self._exchanges[number] if -number <= len(self._exchanges) else None
            return next((e for e in self._exchanges if e.number == number), None)


def received(frames: Iterable[Frame]) -> list[Frame]:
    return [frame for frame in frames if frame.direction == "received"]
