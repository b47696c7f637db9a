"""One connection to one server: builds messages, sends them, pairs what comes back, answers what is asked."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from ..wire import jsonrpc
from ..wire.frame import Exchange, Frame, Headers, Outcome
from ..wire.jsonrpc import MISSING
from ..wire.transcript import Transcript
from ..wire.transport import Transport, TransportError
from . import envelope
from .client_side import ClientSide, Question
from .revisions import LIST_KEYS, Era, Revision

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

CANCEL_LIMIT = 1.0
"""Seconds that telling the server of a cancellation may take."""

OVERTAKING = 2
"""Later requests that must have been answered before silence counts as the answer."""

MAX_PAGES = 1000
MAX_ROUNDS = 10
"""Rounds of questions in one call, as in the official clients."""

STATE_ONLY_PAUSE = 0.05


class Unanswered(Exception):
    """The server asked something that no answer was scripted for."""

    def __init__(self, question: Question) -> None:
        super().__init__(str(question))
        self.question = question


class TooManyRounds(Exception):
    """The server kept asking past the cap."""


class BadList(Exception):
    """A list that cannot be walked: pages that repeat, or a result without its items."""


@dataclass(slots=True)
class ServerFacts:
    """What the server said of itself in ``initialize`` or ``server/discover``."""

    info: dict[str, Any] = field(default_factory=dict)
    capabilities: dict[str, Any] = field(default_factory=dict)
    instructions: str | None = None
    supported: list[str] = field(default_factory=list)
    """Supported versions as listed by ``server/discover``."""


class Session:
    """Lives in the loop; keywords reach it through `wait`."""

    def __init__(
        self,
        make_transport: Callable[[Transcript], Transport],
        *,
        client_info: Mapping[str, Any],
        client_side: ClientSide,
        timeout: float,
        headers: Headers = [],
    ) -> None:
        self.transcript = Transcript()
        self.make_transport = make_transport
        self.transport = make_transport(self.transcript)
        self.client_info = dict(client_info)
        self.client_side = client_side
        self.timeout = timeout
        self.headers: Headers = list(headers)
        """Sent with every HTTP request, the user's own."""
        self.revision: Revision | None = None
        self.server = ServerFacts()
        self.session_id: str | None = None
        self.notes: list[str] = []
        """What the reader of a log should know: fallbacks taken, redirects followed."""
        self.opening: Exchange | None = None
        """The exchange in which the era was settled."""
        self.schemas: dict[str, Any] | None = None
        """inputSchema by tool name, once listed; ``None`` when not known or changed."""
        self.failure: BaseException | None = None
        self._ids = itertools.count(1)
        self._in_flight: dict[int, tuple[Exchange, anyio.CancelScope]] = {}
        self._arrival = anyio.Event()
        self._tasks: TaskGroup
        self._ready = anyio.Event()
        self._stop = anyio.Event()
        self._closed = anyio.Event()

    # -- life cycle ---------------------------------------------------------------------------------------------

    async def hold(self) -> None:
        """The task that owns the connection, from opening to closing."""
        try:
            async with anyio.create_task_group() as tasks:
                self._tasks = tasks
                try:
                    self.transport.sink = self._take
                    await self.transport.open(tasks)
                    self._ready.set()
                    await self._stop.wait()
                finally:
                    with anyio.CancelScope(shield=True):
                        await self.transport.close()
                    tasks.cancel_scope.cancel()
        except BaseException as error:
            self.failure = error
            self.transport.abandon(f"the connection broke down: {type(error).__name__}")
            if not isinstance(error, Exception):
                raise
        finally:
            self._ready.set()
            self._closed.set()

    async def ready(self) -> None:
        """Wait until the transport is open. Raises `TransportError` when it cannot be."""
        await self._ready.wait()
        failure = self.failure
        while isinstance(failure, BaseExceptionGroup):
            failure = failure.exceptions[0]
        if failure is not None:
            raise (
                failure
                if isinstance(failure, TransportError)
                else TransportError(f"{type(failure).__name__}: {failure}")
            )

    async def reopen(self, transport: Transport | None = None) -> None:
        """Replace the transport by a new one, for a server that ended at the first probe or speaks another transport."""
        with anyio.CancelScope(shield=True):
            await self.transport.close()
        self.transport = transport or self.make_transport(self.transcript)
        self.transport.sink = self._take
        await self.transport.open(self._tasks)

    async def close(self) -> None:
        """End the legacy HTTP session, then the connection."""
        if self.session_id and not self.transport.closed_because:
            with anyio.move_on_after(CANCEL_LIMIT):
                await self.http("DELETE")
        self._stop.set()
        await self._closed.wait()

    def start_task(self, function: Callable[..., Any], *args: Any) -> None:
        self._tasks.start_soon(function, *args)

    # -- building -----------------------------------------------------------------------------------------------

    @property
    def modern(self) -> bool:
        return self.revision is not None and self.revision.era is Era.MODERN

    def next_id(self) -> int:
        return next(self._ids)

    def build(
        self,
        method: str,
        params: Any = MISSING,
        *,
        id: Any = MISSING,  # noqa: A002
        notification: bool = False,
        revision: Revision | None = None,
        without: Iterable[str] = (),
        headers: Headers = [],
    ) -> tuple[dict[str, Any], Headers]:
        """A message with all that its revision wants, less what ``without`` names, and its HTTP headers."""
        revision = revision or self.revision
        if (
            revision is not None
            and revision.modern
            and not notification
            and (params is MISSING or isinstance(params, dict))
        ):
            given = {} if params is MISSING else params
            own = given.get("_meta")
            meta = envelope.meta(revision, self.client_info, self.client_side.capabilities())
            if own is None or isinstance(own, dict):
                params = {**given, "_meta": {**meta, **(own or {})}}
        if notification:
            message = jsonrpc.notification(method, params)
        else:
            message = jsonrpc.request(method, params, id=self.next_id() if id is MISSING else id)
        shortened, header_names = envelope.leave_out(message, without)
        complete = envelope.merge_headers(self.http_headers(message, revision), headers)
        return shortened, envelope.without_headers(complete, header_names)

    def http_headers(self, message: Any, revision: Revision | None = None) -> Headers:
        """The headers of a POST of this message, as its revision wants them."""
        revision = revision or self.revision
        headers = list(envelope.BASIC_HEADERS)
        if revision is not None and revision.modern:
            headers += envelope.mirror_headers(message, revision)
            headers += self._param_headers(message)
        else:
            headers += self.session_headers()
        return envelope.merge_headers(headers, self.headers)

    def session_headers(self) -> Headers:
        """The headers of a legacy session: its id and the negotiated version."""
        headers: Headers = []
        if self.session_id:
            headers.append((envelope.SESSION_HEADER, self.session_id))
        if self.revision is not None and self.revision.version_header:
            headers.append((envelope.VERSION_HEADER, self.revision.name))
        return headers

    def _param_headers(self, message: Any) -> Headers:
        if not isinstance(message, dict) or message.get("method") != "tools/call" or not self.schemas:
            return []
        params = message.get("params")
        if not isinstance(params, dict) or not isinstance(params.get("name"), str):
            return []
        return envelope.param_headers(self.schemas.get(params["name"]), params.get("arguments"))

    # -- sending ------------------------------------------------------------------------------------------------

    async def send(
        self, raw: bytes, headers: Headers, *, value: Any = MISSING, wait: bool = True, timeout: float | None = None
    ) -> Exchange:
        """Send exactly these bytes and wait for what comes back, at most ``timeout`` seconds."""
        exchange = self.transcript.open(Frame.sent(raw, self.transport.channel, value))
        await self._perform(exchange, headers, wait=wait, timeout=timeout)
        return exchange

    async def send_quietly(self, raw: bytes, headers: Headers, *, value: Any = MISSING, silence: float) -> Exchange:
        """Send what may rightly get no answer, and see whether it gets one.

        An HTTP request is always answered, so there this waits as for any answer. On a stream the wait ends when later
        requests were answered, however fast or slow the server is; ``silence`` seconds are the most that it takes.
        """
        if self.transport.kind == "http":
            return await self.send(raw, headers, value=value)
        exchange = self.transcript.open(Frame.sent(raw, self.transport.channel, value))
        async with anyio.create_task_group() as tasks:

            async def overtake() -> None:
                if await self.is_overtaken(silence) and exchange.number in self._in_flight:
                    exchange.finish(Outcome.NO_ANSWER, "no answer, while later requests were answered")
                    self._in_flight[exchange.number][1].cancel()

            tasks.start_soon(overtake)
            await self._perform(exchange, headers, wait=True, timeout=silence)
            tasks.cancel_scope.cancel()
        return exchange

    async def answer_to_quiet(self, *, since: int, silence: float) -> Frame | None:
        """The first response after the mark ``since`` that belongs to no request of ours: to a notification, say."""
        probes = {self.next_id() for _ in range(OVERTAKING)}
        found: Frame | None = None
        async with anyio.create_task_group() as tasks:

            async def overtake() -> None:
                if await self.is_overtaken(silence, probes):
                    tasks.cancel_scope.cancel()

            tasks.start_soon(overtake)
            found = await self.wait_for_frame(
                lambda f: f.kind in ("result", "error") and f.member("id") not in probes, since=since, timeout=silence
            )
            tasks.cancel_scope.cancel()
        return found

    async def is_overtaken(self, limit: float, ids: Iterable[int] | None = None) -> bool:
        """Whether requests that are sent now were answered, one after the other; `ping` may be sent at any time."""
        method = "server/discover" if self.modern else "ping"
        for identifier in ids or [self.next_id() for _ in range(OVERTAKING)]:
            probe = await self.request(method, id=identifier, timeout=limit)
            if probe.answer is None:
                return False
        return True

    async def _perform(self, exchange: Exchange, headers: Headers, *, wait: bool, timeout: float | None) -> None:
        limit = self.timeout if timeout is None else timeout
        try:
            with anyio.move_on_after(limit) as scope:
                self._in_flight[exchange.number] = (exchange, scope)
                await self.transport.exchange(exchange, headers, wait=wait)
        except anyio.get_cancelled_exc_class():
            exchange.finish(Outcome.NO_ANSWER, "the wait was interrupted")
            await self._give_up(exchange, "interrupted")
            raise
        finally:
            self._in_flight.pop(exchange.number, None)
        if scope.cancelled_caught and exchange.outcome is Outcome.OPEN:
            exchange.finish(Outcome.NO_ANSWER, f"no answer within {limit:g} seconds")
            await self._give_up(exchange, "timeout")

    async def _give_up(self, exchange: Exchange, reason: str) -> None:
        """Tell the server that nobody waits any more, in the way of the era; a closed modern POST says it by itself."""
        if exchange.request.kind != "request" or exchange.method == "initialize" or self.transport.closed_because:
            return
        if self.transport.kind == "http" and (self.modern or self.revision is None):
            return
        with anyio.CancelScope(shield=True), anyio.move_on_after(CANCEL_LIMIT):
            await self.notify("notifications/cancelled", {"requestId": exchange.id, "reason": reason})

    async def request(
        self,
        method: str,
        params: Any = MISSING,
        *,
        id: Any = MISSING,  # noqa: A002
        revision: Revision | None = None,
        without: Iterable[str] = (),
        headers: Headers = [],
        timeout: float | None = None,
    ) -> Exchange:
        message, all_headers = self.build(method, params, id=id, revision=revision, without=without, headers=headers)
        return await self.send(jsonrpc.encode(message), all_headers, value=message, timeout=timeout)

    async def notify(self, method: str, params: Any = MISSING, *, headers: Headers = []) -> Exchange:
        message, all_headers = self.build(method, params, notification=True, headers=headers)
        return await self.send(jsonrpc.encode(message), all_headers, value=message, wait=False)

    async def http(
        self,
        method: str,
        headers: Headers = [],
        body: bytes = b"",
        *,
        only: bool = False,
        peek: bool = False,
        timeout: float | None = None,
    ) -> Exchange:
        """One HTTP request of any method; ``only`` sends no header but these (and Host), ``peek`` reads no events."""
        from ..wire.http import HttpTransport

        if not isinstance(self.transport, HttpTransport):
            raise TransportError(f"this connection is {self.transport.kind}; only Streamable HTTP has HTTP requests")
        transport = self.transport
        own = list(headers) if only else envelope.merge_headers([*self.headers, *self.session_headers()], headers)
        exchange = self.transcript.open(Frame.sent(body, method, MISSING if body else None))
        limit = self.timeout if timeout is None else timeout
        with anyio.move_on_after(limit):
            await transport.request(method, exchange, own, body, bare=only, peek=peek)
        exchange.finish(Outcome.NO_ANSWER, f"no complete answer within {limit:g} seconds")
        return exchange

    async def cancel(self, identifier: Any, reason: str | None = None) -> None:
        """Cancel a request in flight in the way of the era: close its POST, or send ``notifications/cancelled``.

        Nobody waits for a subscription any more then; another request may still be answered.
        """
        if self.transport.kind == "http" and self.modern:
            self.hang_up(identifier)
            return
        params = {"requestId": identifier} if reason is None else {"requestId": identifier, "reason": reason}
        await self.notify("notifications/cancelled", params)
        exchange = self.in_flight(identifier)
        if exchange is not None and exchange.method == "subscriptions/listen":
            self.release(identifier, "cancelled by a notification")

    def release(self, identifier: Any, problem: str) -> None:
        """Wait no more for the answer to a request in flight, and say nothing about it."""
        exchange = self.in_flight(identifier)
        if exchange is not None:
            exchange.finish(Outcome.NO_ANSWER, problem)
            self._in_flight[exchange.number][1].cancel()

    def hang_up(self, identifier: Any) -> None:
        """Close the POST of a request in flight, and say nothing about it."""
        self.release(identifier, "we closed its stream")

    def in_flight(self, identifier: Any) -> Exchange | None:
        """The newest request of this id that is not over."""
        found = (e for e, _ in self._in_flight.values() if jsonrpc.id_key(e.id) == jsonrpc.id_key(identifier))
        return next(reversed(list(found)), None)

    # -- asking -------------------------------------------------------------------------------------------------

    async def ask(
        self, method: str, params: dict[str, Any], *, timeout: float | None = None, max_rounds: int = MAX_ROUNDS
    ) -> Exchange:
        """A request whose ``input_required`` rounds are answered from the scripts; the last exchange.

        Raises `Unanswered` and `TooManyRounds`.
        """
        exchange = await self.request(method, params, timeout=timeout)
        rounds = 0
        while (
            self.modern and isinstance(exchange.result, dict) and exchange.result.get("resultType") == "input_required"
        ):
            rounds += 1
            if rounds > max_rounds:
                raise TooManyRounds(f"the server still asked after {max_rounds} rounds")
            retry = {key: value for key, value in params.items() if key not in ("inputResponses", "requestState")}
            requests = exchange.result.get("inputRequests")
            if isinstance(requests, dict) and requests:
                retry["inputResponses"] = await self._input_responses(requests)
            else:
                await anyio.sleep(min(STATE_ONLY_PAUSE * 2**rounds, 0.5))
            if "requestState" in exchange.result:
                retry["requestState"] = exchange.result["requestState"]
            exchange = await self.request(method, retry, timeout=timeout)
        return exchange

    async def _input_responses(self, requests: dict[str, Any]) -> dict[str, Any]:
        """The scripted answers by key, without those that a script leaves out, when the slowest is there."""
        responses, delay = {}, 0.0
        for key, item in requests.items():
            request = item if isinstance(item, dict) else {}
            question = self.client_side.ask(str(request.get("method")), request.get("params"))
            if not question.scripted:
                raise Unanswered(question)
            if question.answer is not None:
                responses[key] = question.answer
            delay = max(delay, question.delay)
        await anyio.sleep(delay)
        return responses

    async def walk(self, method: str, *, timeout: float | None = None) -> tuple[list[Any], list[Exchange]]:
        """All items of a list over all its pages, and the exchanges. Stops at the first page without a result.

        Raises `BadList` for pages that repeat or hold no items.
        """
        key = LIST_KEYS[method]
        items: list[Any] = []
        exchanges: list[Exchange] = []
        seen: set[str] = set()
        params: dict[str, Any] | Any = MISSING
        while True:
            exchange = await self.request(method, params, timeout=timeout)
            exchanges.append(exchange)
            result = exchange.result
            if result is MISSING:
                return items, exchanges
            page = result.get(key) if isinstance(result, dict) else None
            if not isinstance(page, list):
                raise BadList(f"the result of {method} has no array {key!r}")
            items += page
            cursor = result.get("nextCursor")
            if cursor is None:
                return items, exchanges
            if not isinstance(cursor, str):
                raise BadList(f"nextCursor of {method} must be a string, got {jsonrpc.to_json(cursor)}")
            if len(exchanges) >= MAX_PAGES:
                raise BadList(f"the pages of {method} do not end: {MAX_PAGES} were read")
            if cursor in seen:
                raise BadList(
                    f"the pages of {method} do not end: cursor {cursor!r} came again on page {len(exchanges)}"
                )
            seen.add(cursor)
            params = {"cursor": cursor}

    async def tool_schemas(self, *, timeout: float | None = None) -> dict[str, Any]:
        """inputSchema by tool name; listed at the first use and again after ``list_changed``."""
        if self.schemas is None:
            tools, _ = await self.walk("tools/list", timeout=timeout)
            self.remember_tools(tools)
        return self.schemas or {}

    def remember_tools(self, tools: list[Any]) -> None:
        self.schemas = {
            tool["name"]: tool.get("inputSchema")
            for tool in tools
            if isinstance(tool, dict) and isinstance(tool.get("name"), str)
        }

    # -- receiving ----------------------------------------------------------------------------------------------

    def _take(self, frame: Frame, exchange: Exchange | None) -> None:
        """Every received frame that is no answer passes here, in the loop."""
        self._arrival.set()
        self._arrival = anyio.Event()
        if frame.method == "notifications/tools/list_changed":
            self.schemas = None
        if frame.kind == "request" and not self.modern:
            self._tasks.start_soon(self._respond, frame)

    async def _respond(self, frame: Frame) -> None:
        """Answer a request of a legacy server. A modern server must send none, so it gets no answer (RPC-26)."""
        members: dict[str, Any] | None
        delay = 0.0
        if frame.method is None:
            members = {"error": {"code": jsonrpc.INVALID_REQUEST, "message": "the method is no text"}}
        else:
            try:
                members, delay = self.client_side.respond(frame.method, frame.member("params"))
            except Exception as error:
                self.notes.append(f"the scripted answer to {frame.method} failed: {error}")
                members = {"error": {"code": jsonrpc.INTERNAL_ERROR, "message": "the scripted answer failed"}}
        if members is None:
            return
        await anyio.sleep(delay)
        message = {"jsonrpc": "2.0", "id": frame.value["id"], **members}
        await self.send(jsonrpc.encode(message), self.http_headers(message), value=message, wait=False)

    async def wait_for_frame(
        self, wanted: Callable[[Frame], bool], *, since: int = 0, timeout: float | None = None
    ) -> Frame | None:
        """The first received frame after the mark ``since`` that is wanted, or ``None`` after the timeout."""
        with anyio.move_on_after(self.timeout if timeout is None else timeout):
            while True:
                arrival = self._arrival
                for frame in self.transcript.frames(since):
                    if frame.direction == "received" and wanted(frame):
                        return frame
                if self.transport.closed_because:
                    return None
                with anyio.move_on_after(0.2):  # A closed connection sets no event.
                    await arrival.wait()
        return None
