"""The one object that all keyword groups share: loop, connections, defaults, the current test and its failures."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from robot.api import logger
from robot.api.types import Secret

from .failures import McpFailure, RuleBroken, ServerDefect, WrongUse, compose
from .logs import Masker, log_exchanges, log_frames
from .types import AutoClose, plain
from .verdicts import Deviation
from .version import __version__
from .wire.frame import Exchange, Outcome
from .wire.loop import Loop, WaitTooLong

if TYPE_CHECKING:
    from .session.connections import Connection, Connections

T = TypeVar("T")

GRACE = 8.0
"""Seconds beyond a timeout after which a wait in the main thread gives up on the loop."""

CLOSE_LIMIT = 15.0
"""Seconds that closing one connection may take."""

SHARED = "server-under-test"
"""Alias prefix of the connections that the ready-made suites share."""

CLIENT_INFO = {"name": "McpLibrary", "version": __version__}


@dataclass(slots=True)
class ServerUnderTest:
    """What the ready-made suites judge, and by which profile."""

    target: Any
    protocol: str
    options: dict[str, Any]
    strict: bool = False
    claimed: list[str] = field(default_factory=list)
    """The eras that the server speaks."""
    eras: list[str] = field(default_factory=list)
    """Those of them that are judged in this run."""
    roles: dict[str, Any] = field(default_factory=dict)
    deviations: list[Deviation] = field(default_factory=list)
    results: dict[str, list[Any]] = field(default_factory=dict)
    """Replies of the tools that may be called, by era, so that the tests of a suite call each only once."""
    changed_by: Any = None
    """The role that changed the server and is to be called once more to change it back."""

    @property
    def reached_as(self) -> tuple[Any, ...]:
        """What decides whether an open connection is one to this server."""
        return self.target, self.protocol, self.options


class Context:
    def __init__(self, *, timeout: float, auto_close: AutoClose, log_limit: int) -> None:
        self.loop = Loop()
        self.timeout = timeout
        self.auto_close = auto_close
        self.log_limit = log_limit
        self.masker = Masker()
        self.level = 0
        """Depth in the run: 1 in the top suite, one more in each child suite, one more in a test."""
        self.suite_level = 0
        self.test_metadata: dict[str, str] = {}
        self.test_era: str | None = None
        """The era that the current test judges, once it is known."""
        self.test_table: tuple[str, str] | None = None
        """A line and a table (HTML) that the message of the current test shows."""
        self.under_test: ServerUnderTest | None = None
        self.eras_of: dict[Any, list[str]] = {}
        """Eras that servers were found to speak, so that one run asks once."""
        self.announced: set[str] = set()
        """Servers under test that the console was told of."""
        self.failures: list[McpFailure] = []
        """What our keywords raised in the current test."""
        self.processes: dict[str, Any] = {}
        """Server processes started by keyword, by alias."""
        self._connections: Connections | None = None
        self._client_side: Any = None

    @property
    def connections(self) -> Connections:
        if self._connections is None:
            from .session.connections import Connections

            self._connections = Connections()
        return self._connections

    def judge_server(self, under_test: ServerUnderTest) -> None:
        """Make this the server under test; shared connections to another one are closed."""
        before, self.under_test = self.under_test, under_test
        if before is not None and before.reached_as != under_test.reached_as:
            self.close_shared()

    @property
    def client_side(self) -> Any:
        """The scripted answers; one set for all connections."""
        if self._client_side is None:
            from .session.client_side import ClientSide

            self._client_side = ClientSide()
        return self._client_side

    def reveal(self, value: Any) -> Any:
        """Plain data of an argument that may hold secrets, which are masked from now on."""
        self.masker.learn(*_secrets(value))
        return plain(value)

    def connection(self, alias: str | None = None) -> Connection:
        from .session.connections import UnknownAlias

        try:
            return self.connections.get(alias)
        except UnknownAlias as error:
            raise WrongUse(str(error)) from None

    # -- waiting ------------------------------------------------------------------------------------------------

    def wait(self, function: Callable[..., Awaitable[T]], *args: Any, timeout: float | None = None) -> T:
        """Run a coroutine function in the loop. Its own timeout should end it; this one is the safety net."""
        try:
            return self.loop.wait(function, *args, limit=(self.timeout if timeout is None else timeout) + GRACE)
        except WaitTooLong as error:
            raise self.defect(f"The library waited in vain: {error}.") from None

    # -- failures -----------------------------------------------------------------------------------------------

    def broken(
        self, problem: str, exchange: Exchange | None = None, *, where: str = "", evidence: Any = "", hint: str = ""
    ) -> RuleBroken:
        """A failure to raise: the server answered, but wrongly."""
        return self._remember(RuleBroken(self._text(problem, exchange, where, evidence, hint)))

    def defect(
        self, problem: str, exchange: Exchange | None = None, *, where: str = "", evidence: Any = "", hint: str = ""
    ) -> ServerDefect:
        """A failure to raise: no usable answer. Never softened to a warning."""
        return self._remember(ServerDefect(self._text(problem, exchange, where, evidence, hint)))

    def _remember(self, failure: T) -> T:
        assert isinstance(failure, McpFailure)
        self.failures.append(failure)
        return failure

    def _text(self, problem: str, exchange: Exchange | None, where: str, evidence: Any, hint: str) -> str:
        if exchange is not None:
            where = where or self.where(exchange)
            evidence = evidence or self.evidence(exchange)
        rule, level = self.test_metadata.get("Rule"), self.test_metadata.get("Level")
        if rule:
            where = f"{where} Rule {rule}{f' ({level})' if level else ''}.".strip()
        if str(evidence) in problem:
            evidence = ""
        # Masked before it is shortened: half a secret would not be known as one.
        problem, evidence = self.masker.mask(problem), self.masker.mask(str(evidence))
        return self.masker.mask(compose(problem, where=where, evidence=evidence, hint=hint))

    def where(self, exchange: Exchange) -> str:
        for connection in self.connections:
            if connection.session.transcript.exchange(exchange.number) is exchange:
                return f"Server {connection.described}, exchange {exchange.number}: {_named(exchange)}."
        return f"Exchange {exchange.number}: {_named(exchange)}."

    @staticmethod
    def evidence(exchange: Exchange) -> str:
        status = f"HTTP {exchange.status}, " if exchange.status is not None else ""
        if exchange.answer is not None:
            value = exchange.answer.value
            member = next((value[m] for m in ("error", "result") if isinstance(value, dict) and m in value), None)
            shown = exchange.answer.raw.decode("utf-8", "backslashreplace")
            if member is not None:
                from .wire.jsonrpc import to_json

                shown = to_json(member)
            return f"{status}{shown}"
        if exchange.http is not None and exchange.http.body:
            return f"{status}{exchange.http.body[:300].decode('utf-8', 'backslashreplace')}"
        return f"{status}{exchange.problem}"

    def no_answer(self, exchange: Exchange, connection: Connection | None) -> ServerDefect:
        """The failure for an exchange that has no answer."""
        hint = ""
        unanswered = [
            q for q in (connection.session.client_side.unanswered() if connection else []) if q.at >= exchange.started
        ]
        if unanswered and exchange.outcome is Outcome.NO_ANSWER:
            hint = self.hint_for(unanswered[-1])
        elif connection is not None and exchange.outcome is Outcome.NO_ANSWER:
            odd = [
                f
                for f in connection.session.transcript.frames()
                if f.at >= exchange.started and f.direction == "received"
            ]
            odd = [f for f in odd if f.problem or f.is_answer]
            if odd:
                shown = odd[0].raw[:80].decode("utf-8", "backslashreplace")
                hint = f"meanwhile came {len(odd)} message(s) that fit no request, first {odd[0].problem or 'an answer'}: {shown!r}"
        return self.defect(
            f"{exchange.method or 'The message'} got no answer: {exchange.problem}.", exchange, hint=hint
        )

    @staticmethod
    def hint_for(question: Any) -> str:
        from .session.client_side import KEYWORD_FOR

        keyword = KEYWORD_FOR.get(question.method)
        asked = f"the server asked {question}"
        return f"{asked}; use '{keyword}' before the call." if keyword else f"{asked}, which no client answers."

    # -- logging ------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def logged(self, connection: Connection) -> Any:
        """Log whatever travels on this connection while the block runs, also when it fails."""
        transcript = connection.session.transcript
        self.flush(connection)
        exchanges_before = connection.session.transcript.count
        try:
            yield
        finally:
            log_exchanges(transcript.exchanges(exchanges_before), self.masker, self.log_limit)
            connection.seen = transcript.seen

    def flush(self, connection: Connection) -> None:
        """Log messages that came in between keywords."""
        transcript = connection.session.transcript
        if transcript.seen > connection.seen:
            frames = [f for f in transcript.frames(connection.seen) if f.direction == "received"]
            log_frames(frames[-50:], self.masker, self.log_limit)
            connection.seen = transcript.seen

    def level_for(self, close: AutoClose | None) -> int:
        """The level of the run with whose end a connection that is opened now is closed."""
        return {AutoClose.LEVEL: self.level, AutoClose.SUITE: self.suite_level, AutoClose.RUN: 0}[
            close or self.auto_close
        ]

    # -- closing ------------------------------------------------------------------------------------------------

    def close_connection(self, alias: str) -> None:
        connection = self.connections.remove(alias)
        self.close_session(connection)

    def close_session(self, connection: Connection) -> None:
        try:
            self.loop.wait(connection.session.close, limit=CLOSE_LIMIT)
        except WaitTooLong:
            logger.warn(
                f"Connection {connection.alias!r} did not close within {CLOSE_LIMIT:g} seconds; it was abandoned."
            )
        finally:
            if connection.holder is not None:
                connection.holder.cancel()

    def close_level(self, level: int) -> None:
        """Close what was opened at this level of the run or deeper, and forget what was scripted there."""
        if self._client_side is not None:
            self._client_side.end_level(level)
        if self._connections is not None:
            for connection in self._connections:
                if connection.level >= level:
                    self.flush(connection)
                    self.close_connection(connection.alias)
        for alias, process in list(self.processes.items()):
            if process.level >= level:
                del self.processes[alias]
                process.stop()

    def close_shared(self) -> None:
        """Close the connections that the suites share, so that the next test begins with a fresh one."""
        for connection in self._connections or ():
            if connection.alias.startswith(SHARED):
                self.flush(connection)
                self.close_connection(connection.alias)

    def close(self) -> None:
        started = time.monotonic()
        with contextlib.suppress(Exception):
            self.close_level(0)
        self.loop.close()
        if time.monotonic() - started > CLOSE_LIMIT:
            logger.console("McpLibrary: closing the connections took long; a server did not end by itself.")


def _named(exchange: Exchange) -> str:
    """The method of its message; of a plain HTTP request the method of that."""
    if exchange.http is not None and not exchange.request.raw:
        return exchange.http.method
    return exchange.method or exchange.request.kind


def _secrets(value: Any) -> Iterator[Secret]:
    if isinstance(value, Secret):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _secrets(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _secrets(item)
