"""The Streamable HTTP transport: a POST a message, answered by JSON or by an event stream; a GET stream beside it.

Content encodings are not asked for and redirects are not followed, so that what is recorded is what was sent.
"""

from __future__ import annotations

import codecs
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio
import httpx
from httpx_sse import EventSource, ServerSentEvent, SSEError

from . import rawsocket
from .frame import Event, Exchange, Frame, Headers, HttpFacts, Outcome
from .transcript import Transcript
from .transport import BYTE_CEILING, Transport, TransportError

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

CONNECT_LIMIT = 10.0
RECONNECTS = 3
"""How often in a row a broken stream is resumed before it counts as ended."""

DEFAULT_RETRY = 1.0
"""Seconds before a stream is resumed when the server gave no ``retry``."""

DRAIN = 0.05
"""Seconds that a call waits for the end of its stream after its answer, so that the connection can be used again."""

LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=100)
TIMEOUT = httpx.Timeout(None, connect=CONNECT_LIMIT).as_dict()

DEFAULT_HEADERS: Headers = [("User-Agent", "McpLibrary"), ("Accept-Encoding", "identity")]
"""Sent unless a test gives its own."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")

HeadersFor = Callable[[str | None], Headers]
"""Headers of a GET; the argument is the Last-Event-ID."""


class TooBig(Exception):
    pass


# Every exchange is in our own transcript; httpx would tell each request once more to whoever logs at INFO.
logging.getLogger("httpx").setLevel(logging.WARNING)


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for a URL; never one for loopback."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in LOOPBACK or proxy_bypass(host):
        return None
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")


def _delay(retry: int | None) -> float:
    """Seconds before a stream is resumed; what a server asks for is kept within reason."""
    return DEFAULT_RETRY if retry is None else min(max(retry, 50), 60_000) / 1000


def explain(error: Exception, url: str) -> str:
    """An httpx error in words for the reader of a test log."""
    where = urlsplit(url).netloc
    if isinstance(error, httpx.ConnectTimeout):
        return f"no connection to {where} within {CONNECT_LIMIT:g} seconds"
    if isinstance(error, httpx.ConnectError):
        text = str(error)
        if isinstance(_root(error), socket.gaierror):
            return f"the host name {urlsplit(url).hostname} is not known ({text})"
        if "CERTIFICATE" in text.upper():
            return f"the TLS certificate of {where} was not accepted: {text}"
        return f"{where} refused the connection: is the server running there? ({text})"
    if isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)):
        return f"the server closed the connection before its answer was complete ({str(error) or type(error).__name__})"
    return f"{type(error).__name__}: {str(error).removesuffix('.')}"


def _root(error: BaseException) -> BaseException:
    """The exception at the beginning of the chain."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error


class Tee(httpx.AsyncByteStream):
    """Keeps the body bytes while they are read, and stops a message that passes the ceiling."""

    def __init__(self, inner: Any, facts: HttpFacts, ceiling: int, *, keep: int) -> None:
        self._inner, self._facts, self._ceiling, self._keep = inner, facts, ceiling, keep
        self.seen = 0
        """Bytes since the last complete message."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            self.seen += len(chunk)
            if self.seen > self._ceiling:
                raise TooBig(f"the answer has more than {self._ceiling} bytes; reading stopped")
            self._facts.buffer += chunk[: max(0, self._keep - len(self._facts.buffer))]
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Utf8:
    """A response as `EventSource` reads it, but as UTF-8 whatever its header says, and with broken bytes kept apart."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.headers = response.headers

    async def aiter_text(self) -> AsyncIterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
        async for chunk in self._response.aiter_bytes():
            text = decoder.decode(chunk)
            if text:
                yield text


def data_bytes(event: ServerSentEvent) -> bytes:
    """The data of an event as it came."""
    return event.data.encode("utf-8", "surrogateescape")


class Events:
    """The events of one response, one after the other. Raises `TooBig` when one passes the ceiling of its tee."""

    def __init__(self, response: httpx.Response) -> None:
        self._tee = response.stream
        self._iterator = EventSource(_Utf8(response)).aiter_sse()  # type: ignore[arg-type]

    def __aiter__(self) -> Events:
        return self

    async def __anext__(self) -> ServerSentEvent:
        event = await self._iterator.__anext__()
        assert isinstance(self._tee, Tee)
        self._tee.seen = 0
        return event


class HttpTransport(Transport):
    kind = "http"
    channel = "POST"

    def __init__(self, url: str, transcript: Transcript, *, byte_ceiling: int = BYTE_CEILING) -> None:
        super().__init__(transcript, byte_ceiling=byte_ceiling)
        self.url = url
        self.resume: HeadersFor | None = None
        """Set in the legacy era: how to ask for the rest of a stream that broke."""
        self.drain = DRAIN
        """Seconds that an event stream may stay open after its answer."""
        self.get_stream: HttpFacts | None = None
        """The answer to the GET of the standing stream, once there is one."""
        self._pool: httpx.AsyncHTTPTransport
        self._cookies: httpx.Cookies
        self._tasks: TaskGroup

    async def open(self, tasks: TaskGroup) -> None:
        if httpx.URL(self.url).scheme not in ("http", "https"):
            raise TransportError(f"a URL must begin with http:// or https://, got {self.url!r}")
        # The client's own transport, without the client: nothing is added, repaired or followed on the way.
        self._pool = httpx.AsyncHTTPTransport(limits=LIMITS, proxy=proxy_for(self.url))
        self._cookies = httpx.Cookies()
        self._tasks = tasks

    async def close(self) -> None:
        self.closed_because = self.closed_because or "the connection was closed by us"
        with anyio.CancelScope(shield=True), anyio.move_on_after(2), contextlib.suppress(Exception):
            await self._pool.aclose()

    async def exchange(self, exchange: Exchange, headers: Headers, *, wait: bool) -> None:
        await self.request("POST", exchange, headers, exchange.request.raw)

    async def request(
        self,
        method: str,
        exchange: Exchange,
        headers: Headers,
        body: bytes,
        *,
        bare: bool = False,
        peek: bool = False,
    ) -> None:
        """Perform one HTTP request for an exchange and read its answer to the end that matters.

        ``bare`` sends no header but these, Host, and the length of the body. ``peek`` reads no events: it is enough
        that a stream of them opened.
        """
        facts = exchange.http = HttpFacts(method, self.url, headers)
        response: httpx.Response | None = None
        try:
            response = await self._send(method, headers, body, facts, bare=bare)
            if peek and facts.media_type == "text/event-stream":
                exchange.finish(Outcome.ACCEPTED, f"HTTP {facts.status} with an event stream")
            else:
                await self._read(response, exchange, facts)
        except (TooBig, TransportError) as error:
            exchange.finish(Outcome.FAILED, str(error))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            outcome = Outcome.CLOSED if response is not None else Outcome.FAILED
            exchange.finish(outcome, explain(error, self.url))
        except Exception as error:
            # Whatever else a library below stumbles over (a port out of range, odd headers) ends this exchange only.
            exchange.finish(Outcome.FAILED, explain(error, self.url))
        finally:
            if response is not None:
                with anyio.CancelScope(shield=True), anyio.move_on_after(1):
                    await response.aclose()

    async def _send(
        self, method: str, headers: Headers, body: bytes, facts: HttpFacts, *, bare: bool = False
    ) -> httpx.Response:
        url = httpx.URL(self.url)
        if rawsocket.needs_raw_socket(headers):
            response = await rawsocket.send(method, url, headers, body)
        else:
            request = httpx.Request(method, url, headers=headers, content=body or None, extensions={"timeout": TIMEOUT})
            if not bare:
                for name, value in DEFAULT_HEADERS:
                    request.headers.setdefault(name, value)
                if len(self._cookies):
                    with contextlib.suppress(UnicodeError):  # A cookie that is not ASCII cannot be sent back.
                        self._cookies.set_cookie_header(request)
            facts.request_headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in request.headers.raw]
            response = await self._pool.handle_async_request(request)
            response.request = request
            if "set-cookie" in response.headers:  # A load balancer keeps a session at its server by a cookie.
                self._cookies.extract_cookies(response)
        facts.status, facts.reason = response.status_code, response.reason_phrase
        facts.headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in response.headers.raw]
        stream = facts.media_type == "text/event-stream"
        response.stream = Tee(
            response.stream, facts, self.byte_ceiling, keep=256 * 1024 if stream else self.byte_ceiling
        )
        return response

    async def _read(self, response: httpx.Response, exchange: Exchange, facts: HttpFacts) -> None:
        if facts.media_type == "text/event-stream" and response.is_success:
            await self._read_events(response, exchange)
            return
        body = await self._body(response)
        if not body.strip():
            if facts.status == 202 or (response.is_success and exchange.request.kind != "request"):
                exchange.finish(Outcome.ACCEPTED, f"HTTP {facts.status} without a body")
            else:
                exchange.finish(Outcome.REFUSED, f"HTTP {facts.status} without a body")
            return
        frame = Frame.received(body, "POST")
        self.transcript.add(frame)
        if frame.is_answer or frame.kind == "batch":
            exchange.finish(Outcome.ANSWERED, answer=frame)
            return
        exchange.keep(frame)
        media = facts.media_type or "no content type"
        exchange.finish(Outcome.REFUSED, f"HTTP {facts.status} with {media} that is no JSON-RPC response")
        self.sink(frame, exchange)

    async def _body(self, response: httpx.Response) -> bytes:
        """The whole body, decoded, up to the ceiling: a compressed one can be far larger than what travelled."""
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > self.byte_ceiling:
                raise TooBig(f"the answer has more than {self.byte_ceiling} bytes; reading stopped")
        return bytes(body)

    async def _read_events(self, response: httpx.Response, exchange: Exchange) -> None:
        events = Events(response)
        last_id, retry = await self._take_events(events, exchange)
        for _ in range(RECONNECTS):
            if exchange.outcome is not Outcome.OPEN or last_id is None or self.resume is None:
                break
            await anyio.sleep(_delay(retry))
            last_id, retry = await self._resume(exchange, last_id, retry)
        if exchange.outcome is Outcome.OPEN:
            if exchange.request.kind == "request":
                exchange.finish(Outcome.CLOSED, "the event stream ended without the answer")
            else:
                exchange.finish(Outcome.ACCEPTED, f"HTTP {response.status_code} with an event stream that ended")
        with anyio.move_on_after(self.drain) as drain:
            await self._take_events(events, exchange)
        if drain.cancelled_caught:
            exchange.problem = "the server kept the event stream open after the answer"

    async def _take_events(self, events: Events, exchange: Exchange) -> tuple[str | None, int | None]:
        """Deliver events until the answer or the end of the stream; the last event id and retry time seen."""
        last_id: str | None = None
        retry: int | None = None
        answered_before = exchange.outcome is not Outcome.OPEN
        try:
            async for event in events:
                last_id = event.id or last_id
                retry = event.retry if event.retry is not None else retry
                if exchange.http is not None:
                    exchange.http.note(Event(event.id, event.retry, not event.data))
                if not event.data:
                    continue  # A priming event: only its id counts.
                frame = Frame.received(data_bytes(event), "POST", event.id or None)
                self._deliver(frame, exchange)
                if exchange.outcome is not Outcome.OPEN and not answered_before:
                    break
        except SSEError as error:
            exchange.finish(Outcome.REFUSED, f"the event stream cannot be read: {error}")
        except httpx.HTTPError as error:
            # A stream that broke can be resumed like one that ended, if it gave an event id.
            if last_id is None or self.resume is None:
                exchange.finish(Outcome.CLOSED, explain(error, self.url))
        return last_id, retry

    async def _resume(self, exchange: Exchange, last_id: str, retry: int | None) -> tuple[str | None, int | None]:
        assert self.resume is not None
        facts = HttpFacts("GET", self.url, self.resume(last_id))
        try:
            response = await self._send("GET", facts.request_headers, b"", facts)
        except (httpx.HTTPError, TransportError) as error:
            exchange.finish(Outcome.CLOSED, f"the broken stream could not be resumed: {error}")
            return None, None
        try:
            if facts.status != 200 or facts.media_type != "text/event-stream":
                exchange.finish(Outcome.CLOSED, f"the broken stream was not resumed: HTTP {facts.status}")
                return None, None
            new_id, new_retry = await self._take_events(Events(response), exchange)
            return new_id or last_id, retry if new_retry is None else new_retry
        finally:
            await response.aclose()

    def _deliver(self, frame: Frame, exchange: Exchange) -> None:
        self.transcript.add(frame)
        if frame.is_answer or frame.kind == "batch":
            if exchange.outcome is Outcome.OPEN:
                exchange.finish(Outcome.ANSWERED, answer=frame)
            else:
                exchange.more_answers.append(frame)
            return
        exchange.keep(frame)
        self.sink(frame, exchange)

    async def stand_by(self, headers_for: HeadersFor) -> None:
        """Keep the GET stream of a legacy session open and deliver what comes in, resuming it when it ends."""
        with contextlib.suppress(Exception):  # Nothing that goes wrong beside the calls may end them.
            await self._stand_by(headers_for)

    async def _stand_by(self, headers_for: HeadersFor) -> None:
        last_id: str | None = None
        failures = 0
        while failures < RECONNECTS and not self.closed_because:
            facts = HttpFacts("GET", self.url, headers_for(last_id))
            retry: int | None = None
            try:
                response = await self._send("GET", facts.request_headers, b"", facts)
            except (httpx.HTTPError, TransportError):
                failures += 1
            else:
                self.get_stream = facts
                try:
                    if facts.status != 200 or facts.media_type != "text/event-stream":
                        return  # 405: the server offers no such stream, which is its right.
                    async for event in Events(response):
                        failures = 0
                        last_id = event.id or last_id
                        retry = event.retry if event.retry is not None else retry
                        if event.data:
                            frame = Frame.received(data_bytes(event), "GET", event.id or None)
                            self.transcript.add(frame)
                            self.sink(frame, None)
                except (httpx.HTTPError, SSEError, TooBig):
                    failures += 1
                finally:
                    with anyio.CancelScope(shield=True), anyio.move_on_after(1):
                        await response.aclose()
                failures += 1
            await anyio.sleep(_delay(retry))
