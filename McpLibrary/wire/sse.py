"""The HTTP+SSE transport of 2024-11-05: one standing event stream, messages posted to the endpoint that it names."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import anyio
import httpx
from httpx_sse import SSEError

from .frame import Frame, Headers, HttpFacts
from .http import CONNECT_LIMIT, DEFAULT_HEADERS, LIMITS, Events, Tee, TooBig, data_bytes, explain, proxy_for
from .transcript import Transcript
from .transport import BYTE_CEILING, StreamTransport, TransportError

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

ENDPOINT_LIMIT = 10.0
"""Seconds within which the ``endpoint`` event must come."""


class SseTransport(StreamTransport):
    kind = "sse"
    channel = "POST"

    def __init__(
        self,
        url: str,
        transcript: Transcript,
        *,
        headers: Headers = [],
        byte_ceiling: int = BYTE_CEILING,
    ) -> None:
        super().__init__(transcript, byte_ceiling=byte_ceiling)
        self.url = url
        self.endpoint: str | None = None
        self._headers = list(headers)
        self._client: httpx.AsyncClient
        self._ready: anyio.Event
        self._refusal: str | None = None

    async def open(self, tasks: TaskGroup) -> None:
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(None, connect=CONNECT_LIMIT),
            limits=LIMITS,
            headers=DEFAULT_HEADERS,
            proxy=proxy_for(self.url),
            trust_env=False,
        )
        self._ready = anyio.Event()
        tasks.start_soon(self._read)
        with anyio.move_on_after(ENDPOINT_LIMIT):
            await self._ready.wait()
        if self.endpoint is None:
            raise TransportError(
                self._refusal or f"no 'endpoint' event came within {ENDPOINT_LIMIT:g} seconds: not an HTTP+SSE server"
            )

    async def _read(self) -> None:
        ending = "the event stream ended"
        try:
            headers = [*self._headers, ("Accept", "text/event-stream"), ("Accept-Encoding", "identity")]
            async with self._client.stream("GET", self.url, headers=headers) as response:
                if response.status_code != 200:
                    self._refusal = f"GET {self.url} answered HTTP {response.status_code}, not an event stream"
                    return
                facts = HttpFacts("GET", self.url, headers)
                response.stream = Tee(response.stream, facts, self.byte_ceiling, keep=0)
                async for event in Events(response):
                    if event.event == "endpoint":
                        self._take_endpoint(event.data)
                    elif event.data:
                        self.deliver(Frame.received(data_bytes(event), "GET", event.id or None))
        except SSEError as error:
            self._refusal = f"GET {self.url} gave no event stream: {error}"
        except TooBig as error:
            ending = str(error)
        except httpx.HTTPError as error:
            ending = self._refusal = explain(error, self.url)
        finally:
            self._ready.set()
            self.fail_pending(self._refusal or ending)

    def _take_endpoint(self, text: str) -> None:
        base = httpx.URL(self.url)
        try:
            endpoint = base.join(text)
        except httpx.InvalidURL as error:
            self._refusal = f"the 'endpoint' event holds no URL: {error}"
            self._ready.set()
            return
        if (base.scheme, base.netloc) != (endpoint.scheme, endpoint.netloc):
            self._refusal = f"the 'endpoint' event names another origin, {endpoint}: refused"
        else:
            self.endpoint = str(endpoint)
        self._ready.set()

    async def write(self, raw: bytes, headers: Headers) -> None:
        assert self.endpoint is not None
        try:
            async with self._client.stream("POST", self.endpoint, headers=headers, content=raw) as response:
                pass  # The answer comes on the event stream; a body here is not read.
        except httpx.HTTPError as error:
            raise TransportError(explain(error, self.endpoint)) from None
        if not response.is_success:
            raise TransportError(f"POST {self.endpoint} answered HTTP {response.status_code}")

    async def close(self) -> None:
        self.closed_because = self.closed_because or "the connection was closed by us"
        with anyio.CancelScope(shield=True), anyio.move_on_after(2), contextlib.suppress(Exception):
            await self._client.aclose()
