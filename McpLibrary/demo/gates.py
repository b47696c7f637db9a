"""Gates before the SDK's HTTP and stdio transports, which answer what the SDK answers wrongly or never."""

import contextlib
import json
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, BinaryIO
from weakref import WeakValueDictionary

import anyio
from anyio.abc import ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import CONNECTION_CLOSED, JSONRPCError
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from McpLibrary.demo.envelope import Fault, check_era, check_header_bytes, parse_message

CANCELLED_REPLY = b'"code":-32800'


class HttpGate:
    """ASGI gate: refuses broken messages and mends what the SDK's session transport answers.

    It sits behind authorization and the size limit, so the body of a POST arrives here in one piece.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turns: WeakValueDictionary[tuple[str, str], anyio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        # Streams are not resumable here, and the SDK answers an attempt to resume with HTTP 500.
        scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"last-event-id"]}
        send = _mended(send)
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        first = await receive()
        try:
            message = parse_message(first.get("body", b""))
            check_era(message, headers.get("mcp-protocol-version"))
            check_header_bytes(message, scope["headers"])
        except Fault as fault:
            await Response(fault.json(), 400, media_type="application/json")(scope, receive, send)
            return
        async with self._turn(headers.get("mcp-session-id"), message):
            await self._app(scope, _replayed(first, receive), send)

    def _turn(self, session: str | None, message: dict[str, Any]) -> contextlib.AbstractAsyncContextManager[Any]:
        """Requests of a session that share an id wait for each other: the SDK would mix up their answers."""
        if session is None or "id" not in message or "method" not in message:
            return contextlib.nullcontext()
        return self._turns.setdefault((session, str(message["id"])), anyio.Lock())


def _replayed(first: Message, receive: Receive) -> Receive:
    pending = [first]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


def _mended(send: Send) -> Send:
    """A refusal mints no session and names no null id; a cancelled request gets no answer."""
    refusal: Message | None = None
    body = b""

    async def mend(message: Message) -> None:
        nonlocal refusal, body
        if message["type"] == "http.response.start" and message["status"] >= 400:
            refusal = message
        elif refusal is None:
            if CANCELLED_REPLY in message.get("body", b""):
                message = {**message, "body": b""}
            await send(message)
        else:
            body += message.get("body", b"")
            if not message.get("more_body", False):
                body = _without_null_id(body)
                headers = MutableHeaders(scope=refusal)
                del headers["mcp-session-id"]
                headers["content-length"] = str(len(body))
                await send(refusal)
                await send({"type": "http.response.body", "body": body})

    return mend


def _without_null_id(body: bytes) -> bytes:
    try:
        answer = json.loads(body)
    except ValueError:
        return body
    if not isinstance(answer, dict) or answer.get("id", "") is not None:
        return body
    return json.dumps({name: value for name, value in answer.items() if name != "id"}).encode()


class StdioGate:
    """Lines of stdin for the SDK's transport, less those that are no message: these are answered at once."""

    def __init__(self, pipe: BinaryIO, at_end: Callable[[], None]) -> None:
        self._pipe = anyio.wrap_file(pipe)
        self._at_end = at_end
        self._replies: ObjectSendStream[SessionMessage] | Any = None

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._pipe:
            if not line.strip():
                continue
            try:
                parse_message(line)
            except Fault as fault:
                await self._replies.send(SessionMessage(fault.answer))
            else:
                yield line.decode("utf-8")
        self._at_end()
        await anyio.sleep(0.1)  # open subscriptions send their last frame before the SDK hears of the end

    def guard(self, stream: Any) -> "QuietEnd":
        """The write side, to be given to the SDK in place of `stream`."""
        self._replies = stream
        return QuietEnd(stream)


class QuietEnd:
    """A write stream that holds back the SDK's -32000 for calls cut off by the end of stdin.

    The code lies in a range that new servers leave alone, and nobody is left to read it.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def send(self, item: SessionMessage, /) -> None:
        message = item.message
        if not (isinstance(message, JSONRPCError) and message.error.code == CONNECTION_CLOSED):
            await self._stream.send(item)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> "QuietEnd":
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()
