"""One HTTP/1.1 request with exactly the header bytes asked for: padded, doubled, non-ASCII.

Common HTTP clients refuse to send such headers. The bytes are written by hand; the answer is read by ``h11``, the parser
that httpx itself uses, and handed over as an ordinary `httpx.Response`.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator

import anyio
import h11
import httpx
from anyio.abc import ByteStream

from .frame import Headers
from .transport import TransportError

CONNECT_LIMIT = 10.0


class _Body(httpx.AsyncByteStream):
    def __init__(self, stream: ByteStream, parser: h11.Connection) -> None:
        self._stream, self._parser = stream, parser

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            event = await _next_event(self._stream, self._parser)
            if isinstance(event, h11.Data):
                yield bytes(event.data)
            elif isinstance(event, (h11.EndOfMessage, h11.ConnectionClosed)):
                return

    async def aclose(self) -> None:
        await anyio.aclose_forcefully(self._stream)


async def _next_event(stream: ByteStream, parser: h11.Connection) -> h11.Event | type[h11.PAUSED]:
    while True:
        try:
            event = parser.next_event()
        except h11.RemoteProtocolError as error:
            raise TransportError(f"the answer is not valid HTTP/1.1: {error}") from None
        if event is not h11.NEED_DATA:
            return event  # type: ignore[return-value]
        try:
            parser.receive_data(await stream.receive(65536))
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            parser.receive_data(b"")


def _header_bytes(text: str) -> bytes:
    """Latin-1 where it fits, as HTTP has it, else UTF-8."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def needs_raw_socket(headers: Headers) -> bool:
    """Whether an ordinary client would refuse or repair these headers."""
    return any(
        value != value.strip() or not value.isascii() or not name.isascii() or not value.isprintable()
        for name, value in headers
    )


async def send(method: str, url: httpx.URL, headers: Headers, body: bytes) -> httpx.Response:
    """Send one request with these headers in this order and return the answer, its body still streaming.

    ``Host`` and ``Content-Length`` are added unless the headers hold them. Raises `TransportError`.
    """
    names = {name.lower() for name, _ in headers}
    lines = list(headers)
    if "host" not in names:
        lines.insert(0, ("Host", url.netloc.decode("ascii")))
    if body and not names & {"content-length", "transfer-encoding"}:
        lines.append(("Content-Length", str(len(body))))
    head = b"".join(_header_bytes(f"{name}: {value}\r\n") for name, value in lines)
    request_line = f"{method} {url.raw_path.decode('ascii')} HTTP/1.1\r\n".encode("latin-1")
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        with anyio.fail_after(CONNECT_LIMIT):
            stream: ByteStream
            if url.scheme == "https":
                stream = await anyio.connect_tcp(url.host, port, tls=True, ssl_context=ssl.create_default_context())
            else:
                stream = await anyio.connect_tcp(url.host, port)
    except (OSError, TimeoutError) as error:
        raise TransportError(f"cannot connect to {url.host}:{port}: {error}") from None
    try:
        await stream.send(request_line + head + b"\r\n" + body)
        parser = h11.Connection(h11.CLIENT)
        # h11 only reads an answer after it believes to have sent a request; a plain one of the same method will do.
        parser.send(h11.Request(method=method, target=url.raw_path, headers=[("Host", "x")]))
        parser.send(h11.EndOfMessage())
        event = await _next_event(stream, parser)
        while isinstance(event, h11.InformationalResponse):
            event = await _next_event(stream, parser)
    except (anyio.BrokenResourceError, OSError) as error:
        await anyio.aclose_forcefully(stream)
        raise TransportError(f"the server closed the connection: {str(error) or type(error).__name__}") from None
    except BaseException:
        await anyio.aclose_forcefully(stream)
        raise
    if not isinstance(event, h11.Response):
        await anyio.aclose_forcefully(stream)
        raise TransportError("the server closed the connection without an answer")
    return httpx.Response(
        event.status_code,
        headers=[(bytes(n), bytes(v)) for n, v in event.headers],
        stream=_Body(stream, parser),
        request=httpx.Request(method, url),
    )
