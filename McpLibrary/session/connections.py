"""The open connections: by alias, the current one, and the level of the run at which each was opened."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .session import Session


class UnknownAlias(ValueError):
    pass


@dataclass(slots=True)
class Call:
    """A request that was started and not waited for."""

    future: concurrent.futures.Future[Any]
    limit: float
    """Seconds that its answer may take."""
    id: Any


@dataclass(slots=True)
class Connection:
    """A session with what the library keeps beside it."""

    alias: str
    session: Session
    shown: str
    """The target as the user gave it."""
    level: int
    """Depth in the run: closed with the suite or test of that depth."""
    holder: concurrent.futures.Future[None] | None = None
    seen: int = 0
    """Mark in the transcript up to which frames were logged."""
    read_mark: int = 0
    """Mark in the transcript up to which *Read Next Message* has read."""
    notification_marks: dict[str, int] = field(default_factory=dict)
    """Marks up to which *Wait For Notification* has read, by method."""
    calls: dict[str, Call] = field(default_factory=dict)
    """Calls that were started and not yet waited for, and subscriptions, by handle."""

    @property
    def described(self) -> str:
        """``'shop' (stdio, 2026-07-28)``, for messages."""
        revision = self.session.revision
        spoken = revision.name if revision else "no handshake"
        return f"{self.alias!r} ({self.session.transport.kind}, {spoken})"


class Connections:
    def __init__(self) -> None:
        self._by_alias: dict[str, Connection] = {}
        self._current: str | None = None
        self._number = 0

    def new_alias(self) -> str:
        self._number += 1
        return f"server-{self._number}"

    def add(self, connection: Connection) -> None:
        self._by_alias[connection.alias] = connection
        self._current = connection.alias

    def get(self, alias: str | None = None) -> Connection:
        """The named connection, or the current one. Raises `UnknownAlias`."""
        alias = alias or self._current
        if alias is None:
            raise UnknownAlias("No server is connected. Use 'Connect To Server' first.")
        if alias not in self._by_alias:
            raise UnknownAlias(
                f"There is no connection {alias!r}. Open are: {', '.join(map(repr, self._by_alias)) or 'none'}."
            )
        return self._by_alias[alias]

    def __contains__(self, alias: object) -> bool:
        return alias in self._by_alias

    def __iter__(self) -> Iterator[Connection]:
        return iter(list(self._by_alias.values()))

    @property
    def current(self) -> str | None:
        return self._current

    def switch(self, alias: str) -> str | None:
        """Make a connection current; the alias that was current before."""
        before, self._current = self._current, self.get(alias).alias
        return before

    def remove(self, alias: str) -> Connection:
        connection = self._by_alias.pop(alias)
        if self._current == alias:
            self._current = next(reversed(self._by_alias), None)
        return connection
