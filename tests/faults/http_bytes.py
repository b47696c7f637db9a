"""HTTP/1.1 as bytes: requests with their header lines as they came, answers, event streams."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from faults.headers import Headers

BODY_LIMIT = 4 * 1024 * 1024
SKIP_LIMIT = 64 * 1024 * 1024
KEEP_ALIVE_POLLS = 150
POLL_SECONDS = 0.1
EXACT_NAMES = ("Mcp-Method", "Mcp-Name")


class Refused(Exception):
    """Bytes that are not a request that this server reads; the connection ends after the answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@dataclass
class Incoming:
    """A request of HTTP."""

    verb: str
    target: str
    headers: Headers
    body: bytes


async def read_request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, faulty: Callable[[str], bool]
) -> Incoming | None:
    """The next request of a connection, or None at its end."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError as error:
        raise Refused(431, "Headers too large") from error
    first, *lines = head.strip("\r\n").split("\r\n")
    verb, target, protocol = [*first.split(" "), "", ""][:3]
    if not protocol.startswith("HTTP/1.") or not all(":" in line for line in lines):
        raise Refused(400, "Malformed request")
    headers = Headers([_split(line, faulty) for line in lines])
    if (headers.get("Expect") or "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return Incoming(verb, target, headers, await _read_body(reader, headers, faulty))


def _split(line: str, faulty: Callable[[str], bool]) -> tuple[str, str]:
    name, value = line.split(":", 1)
    padded = faulty("padded-header-refused") and name.lower().startswith("mcp-")
    value = value.removeprefix(" ") if padded else value.strip(" \t")
    if faulty("header-names-case-sensitive") and name.title() in EXACT_NAMES and name not in EXACT_NAMES:
        name = f"X-Unknown-{name}"
    return name, value


async def _read_body(reader: asyncio.StreamReader, headers: Headers, faulty: Callable[[str], bool]) -> bytes:
    if (headers.get("Transfer-Encoding") or "").lower() == "chunked":
        return await _read_chunks(reader)
    length = headers.get("Content-Length") or "0"
    if not length.isdecimal():
        raise Refused(400, "Malformed Content-Length")
    if int(length) > BODY_LIMIT and faulty("dies-on-big-body"):
        os._exit(5)
    if int(length) > BODY_LIMIT:
        await _skip(reader, min(int(length), SKIP_LIMIT))
        raise Refused(413, "Body too large")
    return await reader.readexactly(int(length))


async def _skip(reader: asyncio.StreamReader, left: int) -> None:
    """Read a refused body, as most clients look at the answer only when they have sent everything."""
    while left > 0 and (part := await reader.read(min(left, BODY_LIMIT))):
        left -= len(part)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while True:
        try:
            size = int((await reader.readline()).split(b";")[0], 16)
        except ValueError as error:
            raise Refused(400, "Malformed chunk") from error
        if len(body) + size > BODY_LIMIT:
            raise Refused(413, "Body too large")
        chunk = await reader.readexactly(size + 2)
        if size == 0:
            return body
        body += chunk[:-2]


class Wire:
    """The answering half of a connection; `broken` when no further request can come over it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.broken = False
        self.peer = str(writer.get_extra_info("peername"))

    def client_is_gone(self) -> bool:
        return self.reader.at_eof() or self.writer.is_closing()

    async def respond(self, status: int, extra: list[tuple[str, str]], kind: str, body: bytes) -> None:
        lines = [*extra, ("Content-Length", str(len(body)))]
        if kind:
            lines.append(("Content-Type", kind))
        await self._write(self._head(status, lines) + body)

    async def start_stream(self, extra: list[tuple[str, str]], *, buffered: bool = False) -> None:
        lines = [
            *extra,
            ("Content-Type", "text/event-stream"),
            ("Cache-Control", "no-cache, no-transform"),
            ("Transfer-Encoding", "chunked"),
        ]
        await self._write(self._head(200, lines if buffered else [*lines, ("X-Accel-Buffering", "no")]))

    async def event(self, message: bytes, name: str = "") -> None:
        head = f"id: {name}\n".encode() if name else b""
        await self._chunk(head + b"event: message\ndata: " + message + b"\n\n")

    async def end_stream(self) -> None:
        await self._write(b"0\r\n\r\n")

    async def hold_open(self, wanted: Callable[[], bool]) -> None:
        """Keep a stream open, with comments now and then, until the client goes or it is not wanted."""
        polls = 0
        while wanted() and not self.client_is_gone():
            await asyncio.sleep(POLL_SECONDS)
            polls += 1
            if polls % KEEP_ALIVE_POLLS == 0:
                await self._chunk(b": keep-alive\n\n")
        await self.end_stream()

    async def _chunk(self, data: bytes) -> None:
        await self._write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def _write(self, data: bytes) -> None:
        if self.broken:
            return
        try:
            self.writer.write(data)
            await self.writer.drain()
        except ConnectionError:
            self.broken = True

    @staticmethod
    def _head(status: int, lines: list[tuple[str, str]]) -> bytes:
        first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
        return "\r\n".join([first, *(f"{name}: {value}" for name, value in lines), "", ""]).encode("latin-1")
