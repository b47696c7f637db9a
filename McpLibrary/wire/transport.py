"""What every transport fulfils, and the pairing of answers with requests on one shared stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import anyio

from . import jsonrpc
from .frame import Exchange, Frame, Headers, Outcome, progress_token
from .jsonrpc import MISSING
from .transcript import Transcript

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

BYTE_CEILING = 32 * 1024 * 1024
"""Bytes of one message that are read before we stop: a clear failure instead of a full memory."""


class TransportError(Exception):
    """The connection could not be opened or used; the text is written for the reader of a test log."""


Sink = Callable[[Frame, "Exchange | None"], None]
"""Takes each received frame that is no answer: (frame, the exchange it came in for, if known)."""


class Transport(ABC):
    """A way to exchange messages. Open it in a task that stays, close it in the same."""

    kind: ClassVar[str]
    """``stdio``, ``http``, ``sse`` or ``memory``."""

    def __init__(self, transcript: Transcript, *, byte_ceiling: int = BYTE_CEILING) -> None:
        self.transcript = transcript
        self.byte_ceiling = byte_ceiling
        self.sink: Sink = lambda frame, exchange: None
        self.closed_because: str | None = None
        """Why no more messages can travel, once that is so."""

    @abstractmethod
    async def open(self, tasks: TaskGroup) -> None:
        """Make the connection; background readers run in ``tasks``. Raises `TransportError`."""

    @abstractmethod
    async def exchange(self, exchange: Exchange, headers: Headers, *, wait: bool) -> None:
        """Send the request of ``exchange``; with ``wait`` stay until it is finished."""

    @abstractmethod
    async def close(self) -> None:
        """End the connection. Bounded; never raises."""

    def abandon(self, reason: str) -> None:
        """Say that no more messages can travel, to whoever waits for one."""
        self.closed_because = self.closed_because or reason

    @property
    @abstractmethod
    def channel(self) -> str:
        """Name of the way out, for the frames that are sent."""


class StreamTransport(Transport):
    """A transport on which all answers come back on one stream and are told apart by id."""

    def __init__(self, transcript: Transcript, *, byte_ceiling: int = BYTE_CEILING) -> None:
        super().__init__(transcript, byte_ceiling=byte_ceiling)
        self._pending: dict[tuple[str, Any], deque[tuple[Exchange, anyio.Event]]] = {}
        self._unanswerable: deque[tuple[Exchange, anyio.Event]] = deque()
        self._recent: deque[Exchange] = deque(maxlen=64)

    @abstractmethod
    async def write(self, raw: bytes, headers: Headers) -> None:
        """Put one message on the wire. Raises `TransportError`."""

    async def exchange(self, exchange: Exchange, headers: Headers, *, wait: bool) -> None:
        if self.closed_because:
            exchange.finish(Outcome.CLOSED, self.closed_because)
            return
        done = anyio.Event()
        waiting = self._register(exchange, done) if wait else None
        try:
            try:
                await self.write(exchange.request.raw, headers)
            except TransportError as error:
                exchange.finish(Outcome.FAILED, self.closed_because or str(error))
                return
            if wait:
                await done.wait()
            else:
                exchange.finish(Outcome.SENT)
        finally:
            if waiting is not None:
                self._forget(exchange, waiting)

    def _register(self, exchange: Exchange, done: anyio.Event) -> deque[tuple[Exchange, anyio.Event]]:
        identifier = exchange.id
        if exchange.request.kind != "request" or type(identifier) not in (int, str):
            # A batch, garbage or an id that is none: an error that names no request can only be meant for these.
            waiting = self._unanswerable
        else:
            waiting = self._pending.setdefault(jsonrpc.id_key(identifier), deque())
        waiting.append((exchange, done))
        return waiting

    def _forget(self, exchange: Exchange, waiting: deque[tuple[Exchange, anyio.Event]]) -> None:
        for entry in waiting:
            if entry[0] is exchange:
                waiting.remove(entry)
                break
        if not waiting and waiting is not self._unanswerable:
            self._pending.pop(jsonrpc.id_key(exchange.id), None)
        self._recent.append(exchange)

    def deliver(self, frame: Frame) -> None:
        """Record a received frame and give it to whom it belongs."""
        self.transcript.add(frame)
        if frame.is_answer:
            self._answer(frame)
        elif frame.kind == "batch" and self._unanswerable:
            self._finish_first(self._unanswerable, frame)
        else:
            exchange_of = self._exchange_of(frame)
            if exchange_of is not None:
                exchange_of.keep(frame)
            self.sink(frame, exchange_of)

    def _answer(self, frame: Frame) -> None:
        identifier = frame.member("id")
        key = jsonrpc.id_key(identifier)
        waiting = self._pending.get(key)
        earlier = None if identifier in (MISSING, None) else self._answered_before(key, waiting)
        if not waiting and earlier is None:
            # A response that fits no request of ours is for what cannot be answered by id, if such a thing is in flight.
            waiting = self._unanswerable
        if not waiting and frame.kind == "error" and identifier in (MISSING, None) and len(self._pending) == 1:
            # An error without an id, and one request in flight: the server did not trust that request's id.
            waiting = next(iter(self._pending.values()))
        if self._finish_first(waiting or (), frame):
            return
        if earlier is not None:
            earlier.more_answers.append(frame)
        self.sink(frame, None)

    @staticmethod
    def _finish_first(waiting: Iterable[tuple[Exchange, anyio.Event]], frame: Frame) -> bool:
        for exchange, done in waiting:
            if exchange.outcome is Outcome.OPEN:
                exchange.finish(Outcome.ANSWERED, answer=frame)
                done.set()
                return True
        return False

    def _answered_before(
        self, key: tuple[str, Any], waiting: Iterable[tuple[Exchange, anyio.Event]] | None
    ) -> Exchange | None:
        """The newest exchange of this id that is over: answered, or given up."""
        over = [exchange for exchange, _ in waiting or () if exchange.outcome is not Outcome.OPEN]
        return next((e for e in [*over, *reversed(self._recent)] if jsonrpc.id_key(e.id) == key), None)

    def _exchange_of(self, frame: Frame) -> Exchange | None:
        """The one exchange in flight, or the one whose progress token the frame carries."""
        if len(self._pending) == 1:
            waiting = next(iter(self._pending.values()))
            return waiting[0][0] if waiting else None
        params = frame.member("params")
        token = params.get("progressToken", MISSING) if isinstance(params, dict) else MISSING
        if token is MISSING:
            return None
        for waiting in self._pending.values():
            for exchange, _ in waiting:
                if jsonrpc.id_key(progress_token(exchange.request.value)) == jsonrpc.id_key(token):
                    return exchange
        return None

    def abandon(self, reason: str) -> None:
        self.fail_pending(reason)

    def fail_pending(self, reason: str) -> None:
        """The stream ended: no exchange in flight will be answered any more."""
        self.closed_because = self.closed_because or reason
        for waiting in [*self._pending.values(), self._unanswerable]:
            for exchange, done in waiting:
                exchange.finish(Outcome.CLOSED, self.closed_because)
                done.set()
