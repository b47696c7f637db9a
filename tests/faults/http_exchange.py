"""The answer to one POST, as JSON or as an event stream, and the events of legacy streams that can be resumed."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

from faults.headers import Headers
from faults.http_bytes import Wire
from faults.messages import (
    HEADER_MISMATCH,
    LATEST_LEGACY,
    LEGACY,
    METHOD_NOT_FOUND,
    MODERN,
    Answer,
    Message,
    Session,
)
from faults.replies import encode, encode_answer

if TYPE_CHECKING:
    from faults.over_http import Endpoint

JSON_TYPE, TEXT_TYPE = "application/json", "text/plain"
PARTNER_SECONDS = 0.3


class Exchange:
    """The answer to one POST: JSON, or a stream as soon as something is sent before the answer."""

    def __init__(self, endpoint: Endpoint, wire: Wire, headers: Headers) -> None:
        self.endpoint, self.server, self.wire = endpoint, endpoint.server, wire
        self.session = Session()
        self.era = LEGACY
        self.streaming = False
        self.stream = 0
        """Number of the stream in its session; 0 while there is none."""

    async def send(self, message: Message) -> None:
        """Send a message before the answer."""
        faulty, listeners = self.server.faulty, self.session.listeners
        if "id" in message and listeners and faulty("questions-on-get-stream"):
            await listeners[-1].event(encode(message))
            return
        target = self
        if "progressToken" in message.get("params", {}) and faulty("progress-on-other-streams"):
            target = next((other for other in self.endpoint.open if other is not self), self)
        await target.deliver(encode(message))
        if faulty("messages-on-all-streams"):
            for listener in listeners:
                await listener.event(encode(message))

    async def deliver(self, message: bytes) -> None:
        await self._open_stream()
        await self._event(message)

    async def finish(self, answer: Answer) -> None:
        if self.wire.broken:
            return
        if answer.method == "tools/call" and self.server.faulty("answers-on-other-streams"):
            answer = await self.endpoint.swapped(answer)
        if answer.body is None:
            await self.wire.respond(202, self._extra(), "", b"")
        elif self.streaming or self._is_doubled(answer):
            await self._open_stream()
            for _ in range(2 if self._is_doubled(answer) else 1):
                await self._event(encode_answer(answer, self.server.faulty))
            if answer.late is not None:
                await self._event(encode(answer.late))
            await self._end_stream()
        else:
            await self._finish_plainly(answer)
        if answer.body is not None and self.server.faulty("answers-on-get-stream"):
            for listener in self.session.listeners:
                await listener.event(encode(answer.body))

    async def _finish_plainly(self, answer: Answer) -> None:
        faulty, error = self.server.faulty, (isinstance(answer.body, dict) and answer.body.get("error")) or {}
        body = encode_answer(answer, faulty)
        kind = TEXT_TYPE if faulty("wrong-content-type") else JSON_TYPE
        if error.get("code") == METHOD_NOT_FOUND and answer.era == MODERN and faulty("unknown-method-without-body"):
            body, kind = b"Not Found", TEXT_TYPE
        if error.get("code") == HEADER_MISMATCH and faulty("header-error-without-body"):
            body, kind = b"", ""
        await self.wire.respond(answer.status, self._extra(), kind, body)

    async def end_without_answer(self) -> None:
        """A cancelled request gets no message, so its stream just ends."""
        await self._open_stream()
        await self._end_stream()

    async def _open_stream(self) -> None:
        if self.streaming:
            return
        self.streaming = True
        buffered = self.server.faulty("stream-may-be-buffered")
        await self.wire.start_stream(self._extra(), buffered=buffered)
        if self.session.identifier:
            self.stream = self.session.open_stream()
            if self.session.version >= LATEST_LEGACY and not self.server.faulty("stream-not-primed"):
                await self._event(b"")

    async def _event(self, message: bytes) -> None:
        if not self.stream:
            self.endpoint.sent_before.append(message)
            await self.wire.event(message)
            return
        place = self.session.log(self.stream, message)
        name = f"{place}" if self.server.faulty("event-ids-repeat") else f"{self.stream}-{place}"
        await self.wire.event(message, name)

    async def _end_stream(self) -> None:
        if self.server.faulty("stream-stays-open"):
            await self.wire.hold_open(lambda: True)
        await self.wire.end_stream()

    def _is_doubled(self, answer: Answer) -> bool:
        return answer.method == "tools/call" and self.server.faulty("double-answer")

    def _extra(self) -> list[tuple[str, str]]:
        if self.era == MODERN:
            minted = self.server.faulty("mints-session-on-modern")
            return [("Mcp-Session-Id", secrets.token_hex(16))] if minted else []
        return [("Mcp-Session-Id", self.session.identifier)] if self.session.identifier else []


class Swap:
    """Gives two answers that come at the same time to each other."""

    def __init__(self) -> None:
        self._held: tuple[Answer, asyncio.Future[Answer]] | None = None

    async def __call__(self, answer: Answer) -> Answer:
        if self._held:
            other, future = self._held
            self._held = None
            future.set_result(answer)
            return other
        future = asyncio.get_running_loop().create_future()
        self._held = (answer, future)
        await asyncio.wait({future}, timeout=PARTNER_SECONDS)
        if future.done():
            return future.result()
        self._held = None
        return answer


async def replay(session: Session, last: str, wire: Wire, *, everything: bool) -> bool:
    """Send what came after an event again; whether there is such an event. A stream in progress is not waited for."""
    stream, _, place = last.partition("-")
    if not (stream.isdecimal() and place.isdecimal() and int(stream) in session.streams):
        return False
    await wire.start_stream([("Mcp-Session-Id", session.identifier)])
    for number, messages in session.streams.items():
        after = int(place) + 1 if number == int(stream) else 0
        if number == int(stream) or everything:
            for position, message in enumerate(messages[after:], after):
                await wire.event(message, f"{number}-{position}")
    await wire.end_stream()
    return True
