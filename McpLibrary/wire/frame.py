"""Frames and exchanges: what was sent and what came back, byte for byte, with times."""

from __future__ import annotations

import enum
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from . import jsonrpc
from .jsonrpc import MISSING

Direction = Literal["sent", "received"]


@dataclass(slots=True)
class Frame:
    """One message on the wire: its exact bytes, and the value they hold or why they hold none."""

    direction: Direction
    raw: bytes
    channel: str
    """Where it travelled: ``stdin``, ``stdout``, ``POST``, ``GET``, ``memory``."""
    value: Any = MISSING
    problem: str | None = None
    at: float = field(default_factory=time.monotonic)
    event_id: str | None = None
    """The SSE event id it came with, if any."""

    @classmethod
    def received(cls, raw: bytes, channel: str, event_id: str | None = None) -> Frame:
        value, problem = jsonrpc.parse(raw)
        return cls("received", raw, channel, value, problem, event_id=event_id)

    @classmethod
    def sent(cls, raw: bytes, channel: str, value: Any = MISSING) -> Frame:
        problem = None
        if value is MISSING:
            value, problem = jsonrpc.parse(raw)
        return cls("sent", raw, channel, value, problem)

    @property
    def kind(self) -> str:
        """request, notification, result, error, batch, invalid, or garbage for bytes that are not JSON."""
        return "garbage" if self.problem else jsonrpc.kind(self.value)

    @property
    def is_answer(self) -> bool:
        """Whether it is meant as a response: a result, an error, or an object with an id that is neither."""
        return self.kind in ("result", "error") or (self.kind == "invalid" and self.member("id") is not MISSING)

    @property
    def method(self) -> str | None:
        method = self.value.get("method") if isinstance(self.value, dict) else None
        return method if isinstance(method, str) else None

    def member(self, name: str) -> Any:
        """A top-level member, or ``MISSING``."""
        return self.value.get(name, MISSING) if isinstance(self.value, dict) else MISSING


BETWEEN_LIMIT = 5_000
"""Frames kept of those that come in before an answer."""

Headers = list[tuple[str, str]]


def header(headers: Headers, name: str) -> str | None:
    """The first value of a header, names compared without case."""
    wanted = name.lower()
    return next((value for key, value in headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class Event:
    """An event of an event stream as it came, without its data."""

    id: str
    """Empty when it has none."""
    retry: int | None
    """Milliseconds after which the stream may be resumed."""
    empty: bool
    """Whether its data is empty: such an event only tells its id."""


@dataclass(slots=True)
class HttpFacts:
    """The HTTP side of an exchange: request line and headers as sent, answer as received."""

    method: str
    url: str
    request_headers: Headers
    status: int | None = None
    reason: str = ""
    headers: Headers = field(default_factory=list)
    buffer: bytearray = field(default_factory=bytearray)
    events: list[Event] = field(default_factory=list)
    """The events of an event stream, up to a limit."""

    @property
    def body(self) -> bytes:
        """The body as received so far; of a long event stream only its beginning."""
        return bytes(self.buffer)

    def header(self, name: str) -> str | None:
        return header(self.headers, name)

    def note(self, event: Event) -> None:
        if len(self.events) < BETWEEN_LIMIT:
            self.events.append(event)

    @property
    def media_type(self) -> str:
        """The content type without parameters, in lower case."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()


class Outcome(enum.Enum):
    """How an exchange ended."""

    OPEN = "still open"
    SENT = "sent, no answer was waited for"
    ANSWERED = "answered by a JSON-RPC message"
    ACCEPTED = "accepted by HTTP without a message"
    REFUSED = "answered by HTTP with something that is no JSON-RPC message"
    NO_ANSWER = "no answer within the timeout"
    CLOSED = "the connection ended before the answer"
    FAILED = "could not be sent"


@dataclass(slots=True)
class Exchange:
    """A message of ours and everything that came back for it."""

    request: Frame
    number: int = 0
    """Its place in the transcript, counted from 1."""
    answer: Frame | None = None
    between: list[Frame] = field(default_factory=list)
    """Frames that came in for this exchange before its answer: notifications, requests of the server."""
    http: HttpFacts | None = None
    outcome: Outcome = Outcome.OPEN
    problem: str = ""
    """In words, why there is no answer."""
    finished: float | None = None
    more_answers: list[Frame] = field(default_factory=list)
    """Responses after the first one; a healthy server sends none."""

    left_out: int = 0
    """How many frames that came in between were not kept, when it was a flood."""

    def keep(self, frame: Frame) -> None:
        """Take a frame that came in between, up to a limit."""
        if len(self.between) < BETWEEN_LIMIT:
            self.between.append(frame)
        else:
            self.left_out += 1

    @property
    def id(self) -> Any:
        return self.request.member("id")

    @property
    def method(self) -> str | None:
        return self.request.method

    @property
    def started(self) -> float:
        return self.request.at

    @property
    def elapsed(self) -> float:
        """Seconds from sending to the end."""
        return (self.finished if self.finished is not None else time.monotonic()) - self.request.at

    def finish(self, outcome: Outcome, problem: str = "", answer: Frame | None = None) -> None:
        """Close the exchange; only the first ending counts."""
        if self.outcome is Outcome.OPEN:
            self.outcome, self.problem, self.answer = outcome, problem, answer
            self.finished = time.monotonic()

    @property
    def result(self) -> Any:
        return self.answer.member("result") if self.answer else MISSING

    @property
    def error(self) -> Any:
        return self.answer.member("error") if self.answer else MISSING

    @property
    def error_code(self) -> Any:
        error = self.error
        return error.get("code", MISSING) if isinstance(error, dict) else MISSING

    @property
    def status(self) -> int | None:
        return self.http.status if self.http else None

    @property
    def is_tool_error(self) -> bool:
        result = self.result
        return isinstance(result, dict) and result.get("isError") is True


def progress_token(message: Any) -> Any:
    """The progress token that a request of ours carries, or ``MISSING``."""
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get("progressToken", MISSING) if isinstance(meta, dict) else MISSING
