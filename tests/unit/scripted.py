"""What the unit tests talk to: scripted transports without a process, and an HTTP server that answers scripted bytes."""

from __future__ import annotations

import functools
import inspect
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream

from McpLibrary.session.client_side import ClientSide
from McpLibrary.session.session import Session
from McpLibrary.wire import jsonrpc
from McpLibrary.wire.frame import Exchange, Frame, Headers, HttpFacts, Outcome
from McpLibrary.wire.transcript import Transcript
from McpLibrary.wire.transport import StreamTransport, Transport, TransportError

LIMIT = 20.0
"""Seconds after which a test that waits for something is stopped; never reached by a healthy one."""

INFO = {"name": "unit-tests", "version": "1"}


def in_loop(test: Callable[..., Any]) -> Callable[..., None]:
    """Run an async test in an event loop of its own, bounded."""

    @functools.wraps(test)
    def bounded(*args: Any, **kwargs: Any) -> None:
        async def run() -> None:
            with anyio.fail_after(LIMIT):
                await test(*args, **kwargs)

        anyio.run(run)

    return bounded


async def until(condition: Callable[[], Any]) -> None:
    """Let other tasks run until the condition holds; the test's own limit bounds it."""
    while not condition():
        await anyio.lowlevel.checkpoint()


def call(identifier: Any = 1, method: str = "tools/list", **params: Any) -> dict[str, Any]:
    return jsonrpc.request(method, params or jsonrpc.MISSING, id=identifier)


def answer(identifier: Any = 1, **members: Any) -> bytes:
    return jsonrpc.encode({"jsonrpc": "2.0", "id": identifier, **(members or {"result": {}})})


# -- transports -----------------------------------------------------------------------------------------------------


class ScriptedStream(StreamTransport):
    """A shared stream without a wire: what is written is kept, what the server says is delivered by the test."""

    kind = "stdio"
    channel = "stdin"

    def __init__(self, transcript: Transcript, on_write: Callable[[ScriptedStream, Any], None] | None = None) -> None:
        super().__init__(transcript)
        self.written: list[bytes] = []
        self.strays: list[tuple[Frame, Exchange | None]] = []
        self.on_write = on_write
        self.broken: str | None = None
        self.sink = lambda frame, exchange: self.strays.append((frame, exchange))

    async def open(self, tasks: Any) -> None:
        pass

    async def close(self) -> None:
        self.fail_pending("the connection was closed by us")

    async def write(self, raw: bytes, headers: Headers) -> None:
        if self.broken:
            raise TransportError(self.broken)
        self.written.append(raw)
        if self.on_write:
            self.on_write(self, jsonrpc.parse(raw)[0])

    def says(self, raw: bytes) -> None:
        self.deliver(Frame.received(raw, "stdout"))

    @property
    def messages(self) -> list[Any]:
        return [jsonrpc.parse(raw)[0] for raw in self.written]


SILENT = object()
"""A scripted reply: nothing ever comes back."""


@dataclass
class Gone:
    """A scripted reply: the connection ends."""

    reason: str = "the server process exited with code 1"


@dataclass
class Http:
    """A scripted reply with an HTTP side; without members there is no JSON-RPC message."""

    status: int
    members: dict[str, Any] | None = None
    headers: Headers = field(default_factory=list)


class ScriptedTransport(Transport):
    """Answers each message by a function: members of a response, `SILENT`, `Gone`, `Http`, or an exception to raise."""

    channel = "memory"

    def __init__(self, transcript: Transcript, reply: Callable[[Any], Any], kind: str = "stdio") -> None:
        super().__init__(transcript)
        self.kind = kind  # type: ignore[misc]
        self.reply = reply
        self.messages: list[Any] = []
        self.headers: list[Headers] = []
        self.raw: list[bytes] = []

    async def open(self, tasks: Any) -> None:
        pass

    async def close(self) -> None:
        self.closed_because = self.closed_because or "the connection was closed by us"

    @property
    def methods(self) -> list[str | None]:
        return [m.get("method") if isinstance(m, dict) else None for m in self.messages]

    async def exchange(self, exchange: Exchange, headers: Headers, *, wait: bool) -> None:
        message = exchange.request.value
        self.messages.append(message)
        self.headers.append(headers)
        self.raw.append(exchange.request.raw)
        if not wait:
            exchange.finish(Outcome.SENT)
            return
        reply = self.reply(message)
        if inspect.isawaitable(reply):
            reply = await reply
        if reply is SILENT:
            await anyio.sleep_forever()
        elif isinstance(reply, Gone):
            self.closed_because = reply.reason
            exchange.finish(Outcome.CLOSED, reply.reason)
        elif isinstance(reply, TransportError):
            exchange.finish(Outcome.FAILED, str(reply))
        elif isinstance(reply, Http):
            exchange.http = HttpFacts("POST", "http://127.0.0.1/mcp", headers, reply.status, headers=reply.headers)
            if reply.members is None:
                exchange.finish(Outcome.REFUSED, f"HTTP {reply.status} without a body")
            else:
                self._answer(exchange, reply.members)
        else:
            self._answer(exchange, reply)

    def _answer(self, exchange: Exchange, members: dict[str, Any]) -> None:
        frame = Frame.received(answer(exchange.id, **members), "memory")
        self.transcript.add(frame)
        exchange.finish(Outcome.ANSWERED, answer=frame)


@asynccontextmanager
async def session_over(
    make: Callable[[Transcript], Transport],
    *,
    timeout: float = LIMIT,
    client_side: ClientSide | None = None,
    **more: Any,
) -> AsyncIterator[Session]:
    """An open session, closed at the end; its transport is ``session.transport``."""
    session = Session(make, client_info=INFO, client_side=client_side or ClientSide(), timeout=timeout, **more)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(session.hold)
        await session.ready()
        try:
            yield session
        finally:
            await session.close()


def by_method(**replies: Any) -> Callable[[Any], Any]:
    """A reply function from a table; ``server_discover`` means ``server/discover``. A list is used up in its order."""
    table = {name.replace("_", "/", 1): reply for name, reply in replies.items()}

    def reply(message: Any) -> Any:
        found = table.get(message["method"], {"error": {"code": -32601, "message": "method not found"}})
        if isinstance(found, list):
            found = found.pop(0)
        return found(message) if callable(found) else found

    return reply


# -- HTTP -----------------------------------------------------------------------------------------------------------


@dataclass
class Received:
    """One HTTP request as it came in: its head byte for byte, and its body."""

    head: bytes
    body: bytes

    @property
    def method(self) -> str:
        return self.head.split(b" ", 1)[0].decode()

    @property
    def path(self) -> str:
        return self.head.split(b" ", 2)[1].decode()

    @property
    def lines(self) -> list[bytes]:
        return self.head.split(b"\r\n")[1:]

    def header(self, name: str) -> str | None:
        for line in self.lines:
            key, _, value = line.partition(b":")
            if key.decode("latin-1").lower() == name.lower():
                return value.decode("latin-1").strip()
        return None


Piece = bytes | anyio.Event
"""Bytes to write at once, or an event to wait for before the next piece."""


class HttpScript:
    """An HTTP/1.1 server on loopback: each request gets the next scripted answer, then the connection ends."""

    def __init__(self, *answers: Sequence[Piece] | bytes) -> None:
        self.answers = deque([answer] if isinstance(answer, bytes) else list(answer) for answer in answers)
        self.requests: list[Received] = []
        self.port = 0

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/mcp"

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[HttpScript]:
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
        async with listener, anyio.create_task_group() as tasks:
            self.port = listener.extra(anyio.abc.SocketAttribute.local_port)
            tasks.start_soon(listener.serve, self._serve)
            yield self
            tasks.cancel_scope.cancel()

    async def _serve(self, stream: anyio.abc.ByteStream) -> None:
        buffered = BufferedByteReceiveStream(stream)
        try:
            async with stream:
                head = await buffered.receive_until(b"\r\n\r\n", 65536)
                request = Received(head, b"")
                length = int(request.header("content-length") or 0)
                request.body = await buffered.receive_exactly(length) if length else b""
                self.requests.append(request)
                for piece in self.answers.popleft() if self.answers else [http(500, b"the script is over")]:
                    if isinstance(piece, anyio.Event):
                        await piece.wait()
                    else:
                        await stream.send(piece)
        except (anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass


def http(
    status: int, body: bytes = b"", content_type: str | None = None, *headers: str, length: int | None = None
) -> bytes:
    lines = [
        f"HTTP/1.1 {status} Scripted",
        f"Content-Length: {len(body) if length is None else length}",
        "Connection: close",
    ]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    return "\r\n".join([*lines, *headers, "", ""]).encode("latin-1") + body


def json_answer(body: bytes, status: int = 200, *headers: str) -> bytes:
    return http(status, body, "application/json", *headers)


def stream_head(status: int = 200, *headers: str, content_type: str = "text/event-stream") -> bytes:
    """The head of an event stream that ends with its connection."""
    lines = [f"HTTP/1.1 {status} Scripted", f"Content-Type: {content_type}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")


def chunked_head() -> bytes:
    """The head of an event stream whose early end can be told from a good one."""
    return stream_head(200, "Transfer-Encoding: chunked")


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def event(data: bytes | str, *, id: str | None = None, name: str | None = None, retry: int | None = None) -> bytes:
    text = data.decode() if isinstance(data, bytes) else data
    lines = [f"event: {name}"] if name else []
    lines += [f"id: {id}"] if id is not None else []
    lines += [f"retry: {retry}"] if retry is not None else []
    return "\n".join([*lines, *(f"data: {line}" for line in text.split("\n")), "", ""]).encode()
