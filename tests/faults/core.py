"""The scripted server itself: one message in, one answer out, whatever the transport."""

from __future__ import annotations

import asyncio
import itertools
import os
import traceback
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from faults import content, rounds, tools
from faults.catalog import FAULTS
from faults.crossing import Crossing
from faults.envelope import check_strictly, era_of, is_response, read_envelope
from faults.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LEGACY,
    LEGACY_VERSIONS,
    METHOD_NOT_FOUND,
    MODERN,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    ROOTS_REQUEST,
    UNSUPPORTED_VERSION,
    Answer,
    Context,
    HangUp,
    Message,
    Request,
    RpcError,
)
from faults.replies import spoil, spoil_code, spoil_refusal, status_of
from faults.revisions import SERVER_INFO, capabilities_for, check_modern, discover, initialize
from faults.streams import Streams
from faults.tasks import Tasks, demand_extension

Handler = Callable[["Server", Request], Awaitable[Message]]

METHODS: dict[str, tuple[str, Handler]] = {
    "tools/list": ("tools", tools.list_tools),
    "tools/call": ("tools", tools.call_tool),
    "resources/list": ("resources", content.list_resources),
    "resources/templates/list": ("resources", content.list_templates),
    "resources/read": ("resources", content.read_resource),
    "prompts/list": ("prompts", content.list_prompts),
    "prompts/get": ("prompts", content.get_prompt),
    "completion/complete": ("completions", content.complete),
}
CACHEABLE = {
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
}
KNOWN_NOTIFICATIONS = {
    "notifications/cancelled",
    "notifications/initialized",
    "notifications/progress",
    "notifications/roots/list_changed",
}
REMOVED = {
    "initialize": "initialize-served-on-modern",
    "ping": "ping-served-on-modern",
    "logging/setLevel": "set-level-served-on-modern",
    "resources/subscribe": "subscribe-served-on-modern",
    "resources/unsubscribe": "subscribe-served-on-modern",
}
"""The methods that the modern era does not have, and the fault that serves them there."""


class Server:
    """A server with the chosen faults; all state that outlives a request and a session is in here."""

    def __init__(self, faults: Iterable[str] = (), eras: str = "both") -> None:
        self.faults = frozenset(faults)
        unknown = self.faults - set(FAULTS)
        if unknown:
            raise ValueError(f"unknown faults: {', '.join(sorted(unknown))}")
        self.eras = eras
        self.streams = Streams(self)
        self.deaf = self.unclean = False
        self.deletions = self.calls = self.lists = 0
        self.notes: list[str] = []
        self.carts: dict[str, str] = {}
        self.spent: set[str] = set()
        self.reads = 0
        self.orders: dict[str, int] = {}
        self.used_cursors: set[str] = set()
        self.tasks = Tasks()
        self.probed = False
        self.slow_calls = {"started": 0, "finished": 0, "cancelled": 0}
        self.last_meta: Message | None = None
        self.all_capabilities: Message = {}
        self._question_numbers = itertools.count(1)
        self.crossing = Crossing(self)

    def faulty(self, name: str) -> bool:
        """Whether the named fault was chosen; a wrong name is an error in this server."""
        if name not in FAULTS:
            raise LookupError(f"no fault is named {name}")
        return name in self.faults

    async def handle(self, message: Any, context: Context) -> Answer:
        """Answer one message, which is anything that JSON can hold."""
        if self.deaf:
            await asyncio.Event().wait()
        era = era_of(message, context, self.eras)
        if isinstance(message, list):
            return await self._handle_batch(message, context, era)
        if is_response(message):
            return self._take_response(message, context, era)
        try:
            request = read_envelope(message, era, context, self.faulty)
        except RpcError as error:
            return self.refuse(error, era, message)
        if "id" not in message or (not request.id and self.faulty("falsy-id-taken-for-none")):
            return self._take_notification(request)
        return await self._serve(request, message)

    def unreadable(self, era: str) -> Answer:
        """The answer to text that is not JSON."""
        if self.faulty("dies-on-garbage"):
            os._exit(3)
        if self.faulty("deaf-after-garbage"):
            self.deaf = True
            return Answer(None, 202, era)
        code = INVALID_REQUEST if self.faulty("parse-error-wrong-code") else PARSE_ERROR
        answer = self.refuse(RpcError(code, "Parse error"), era)
        if self.faulty("garbage-answered-with-id-zero") and isinstance(answer.body, dict):
            answer.body["id"] = 0
        return answer

    def refuse(self, error: RpcError, era: str, message: Any = None) -> Answer:
        """The answer to a message that did not become a request; it has an id if one could be read."""
        identifier = message.get("id") if isinstance(message, dict) else None
        readable = isinstance(identifier, (int, str)) and not isinstance(identifier, bool)
        reply = error.reply(identifier if readable else None)
        spoil_refusal(reply, self.faulty)
        return Answer(reply, status_of(reply, era, self.faulty), era)

    async def ask_client(self, context: Context, method: str, params: Message, seconds: float) -> Message:
        """Send a request to the client and wait for the response."""
        identifier = f"server-{next(self._question_numbers)}"
        future = asyncio.get_running_loop().create_future()
        context.session.questions[identifier] = future
        try:
            await context.send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params})
            return await asyncio.wait_for(future, seconds)
        finally:
            del context.session.questions[identifier]

    def page_start(self, request: Request, starts: dict[str, int]) -> int:
        """Where the page of the request begins; `starts` maps the cursors of its list to positions."""
        cursor = request.params.get("cursor")
        if "cursor" not in request.params:
            self.used_cursors.clear()
            return 0
        if isinstance(cursor, str) and cursor in starts:
            repeats = (
                "pages-repeat-the-first" if request.method == "resources/templates/list" else "empty-cursor-is-none"
            )
            if (cursor == "" or "templates" in request.method) and self.faulty(repeats):
                return 0
            if request.method == "prompts/list" and self.faulty("cursors-work-once"):
                if cursor in self.used_cursors:
                    raise RpcError(INVALID_PARAMS, "The cursor was used")
                self.used_cursors.add(cursor)
            return starts[cursor] - (request.method == "prompts/list" and self.faulty("pages-overlap"))
        if self.faulty("unknown-cursor-ignored" if isinstance(cursor, str) else "malformed-cursor-accepted"):
            return 0
        kind = "unknown cursor" if isinstance(cursor, str) else "malformed"
        raise RpcError(INVALID_PARAMS, "The cursor is not one of this list", kind=kind)

    async def _handle_batch(self, batch: list[Any], context: Context, era: str) -> Answer:
        allowed = context.session.version == "2025-03-26" and not self.faulty("batch-refused-on-2025-03-26")
        opens = any(isinstance(member, dict) and member.get("method") == "initialize" for member in batch)
        if opens and self.faulty("initialize-in-batch-processed"):
            allowed, opens = True, False
        if not batch or opens or not (allowed or self.faulty("batch-executed")):
            return self.refuse(RpcError(INVALID_REQUEST, "A batch is not accepted here"), era)
        single = [member if not isinstance(member, list) else None for member in batch]
        answers = await asyncio.gather(*(self.handle(member, context) for member in single), return_exceptions=True)
        bodies = [answer.body for answer in answers if isinstance(answer, Answer)]
        replies = [body for body in bodies if isinstance(body, dict)]
        return Answer(replies, 200, era) if replies else Answer(None, 202, era)

    def _take_response(self, response: Message, context: Context, era: str) -> Answer:
        identifier = response.get("id")
        future = context.session.questions.get(identifier) if isinstance(identifier, str) else None
        if future is not None and not future.done():
            future.set_result(response)
        over_modern_http = era == MODERN and context.headers is not None
        if over_modern_http and not self.faulty("posted-response-accepted"):
            return self.refuse(RpcError(INVALID_REQUEST, "Responses are not accepted"), era)
        if context.headers is not None and era == LEGACY and self.faulty("posted-response-status-200"):
            return Answer({}, 200, era)
        return Answer(None, 202, era)

    def _take_notification(self, request: Request) -> Answer:
        session, method = request.context.session, request.method
        if method == "notifications/initialized":
            session.ready = True
            self.streams.greet(request.context)
        if method == "notifications/cancelled":
            late = self._cancel(request)
            if late is not None:
                return Answer(late, 200, request.era)
        if method not in KNOWN_NOTIFICATIONS and self.faulty("unknown-notification-ends-connection"):
            raise HangUp
        fault = {
            "notifications/cancelled": "answers-notification",
            "notifications/initialized": "answers-initialized-notification",
            "notifications/roots/list_changed": "answers-changed-roots",
        }.get(method)
        if fault and self.faulty(fault):
            return Answer({"jsonrpc": "2.0", "id": None, "result": {}}, 200, request.era)
        if request.context.headers is not None and self.faulty("notification-status-200"):
            return Answer({}, 200, request.era)
        return Answer(None, 202, request.era)

    def _cancel(self, notification: Request) -> Message | None:
        session, target = notification.context.session, notification.params.get("requestId")
        if target is None and self.faulty("malformed-cancellation-ends-connection"):
            raise HangUp
        if session.version and target == session.initialize_id and self.faulty("cancelled-initialize-breaks-session"):
            session.broken = True
        task = session.running.get(repr(target))
        if task is not None and not self.streams.keeps(target):
            task.cancel()
        if self.faulty("posted-cancellation-obeyed"):
            self.streams.cancel_anywhere(target)
        if task is None and target in self.streams.finished and self.faulty("late-cancellation-answered"):
            return RpcError(REQUEST_CANCELLED, "Request cancelled").reply(target)
        return None

    async def _serve(self, request: Request, message: Message) -> Answer:
        running, key = request.context.session.running, repr(request.id)
        running[key] = asyncio.current_task()
        try:
            result = await self._result(request, message)
            reply = {"jsonrpc": "2.0", "id": request.id, "result": result}
        except asyncio.CancelledError:
            if not self.faulty("cancelled-call-gets-error"):
                raise
            reply = RpcError(REQUEST_CANCELLED, "Request cancelled").reply(request.id)
        except RpcError as error:
            reply = error.reply() | {"id": request.id}
            spoil_code(reply, error.kind, request.era, self.faulty)
        except Exception as error:
            reply = self._crash(request, error).reply() | {"id": request.id}
        finally:
            running.pop(key, None)
        spoil(reply, request, self.faulty)
        status = status_of(reply, request.era, self.faulty)
        bare = request.method == "initialize" and "_meta" not in request.params
        if bare and self.faulty("refusal-of-initialize-status-200"):
            status = 200
        return Answer(reply, status, request.era, request.method, self.streams.late(request))

    def _crash(self, request: Request, error: Exception) -> RpcError:
        if self.faulty("crash-code-zero"):
            return RpcError(0, str(error))
        if self.faulty("crash-shows-stack-trace"):
            return RpcError(INTERNAL_ERROR, "".join(traceback.format_exception(error)))
        if request.method == "resources/read" and self.faulty("resource-crash-wrong-code"):
            return RpcError(-32000, str(error))
        if request.method == "prompts/get" and self.faulty("prompt-crash-wrong-code"):
            return RpcError(INVALID_PARAMS, "Internal error")
        return RpcError(INTERNAL_ERROR, "Internal error")

    async def _result(self, request: Request, message: Message) -> Message:
        check_strictly(request, self.faulty)
        if request.era == LEGACY:
            return await self._legacy(request)
        if request.method == "initialize" and "_meta" not in request.params:
            if self.faulty("initialize-served-by-modern-only"):
                return initialize(self, request)
        check_modern(self, request, message)
        if request.method in REMOVED and self.faulty(REMOVED[request.method]):
            return self._stamped(request, {})
        if request.method.endswith("/list") and self.faulty("modern-lists-need-a-session"):
            raise RpcError(INVALID_REQUEST, "The first request must be initialize")
        if request.method == "server/discover" and not self.faulty("discover-missing"):
            return self._stamped(request, discover(self, request))
        if request.method == "subscriptions/listen":
            if "taskIds" in _filter(request):
                demand_extension(self, request)
            return self._stamped(request, await self.streams.listen(request))
        result = await self._dispatch(request)
        return self._stamped(request, rounds.of_list(self, request, result))

    async def _initialize_after_modern(self, request: Request) -> None:
        """The faults of initialize on a connection that was opened in the modern era."""
        if not request.context.session.modern_opened:
            return
        if self.faulty("initialize-ends-modern-connection"):
            os._exit(5)
        if self.faulty("initialize-hangs-after-modern"):
            await asyncio.Event().wait()

    async def _probed(self, request: Request) -> None:
        """The faults of a legacy-only server that is asked as a modern one."""
        if self.faulty("probe-ends-connection"):
            os._exit(6)
        if self.faulty("probe-never-answered"):
            await asyncio.Event().wait()
        if self.faulty("probe-breaks-handshake"):
            self.probed = True
        if self.faulty("probe-refused-as-modern"):
            raise RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", {"supported": list(LEGACY_VERSIONS)})

    async def _legacy(self, request: Request) -> Message:
        session = request.context.session
        if request.method == "server/discover":
            await self._probed(request)
        if request.method == "initialize":
            await self._initialize_after_modern(request)
            if self.probed:
                self.probed = False
                raise RpcError(INTERNAL_ERROR, "The connection is broken")
            if self.faulty("asks-before-initialized"):
                await request.context.send(ROOTS_REQUEST)
            return initialize(self, request)
        if session.broken:
            raise RpcError(INTERNAL_ERROR, "The session is broken")
        if request.method == "ping":
            if not session.ready and self.faulty("ping-refused-before-initialized"):
                raise RpcError(INVALID_REQUEST, "Not initialized yet")
            return {"status": "alive"} if self.faulty("ping-result-not-empty") else {}
        if not session.version and not self.faulty("serves-before-initialize"):
            raise RpcError(INVALID_REQUEST, "The first request must be initialize")
        if not session.ready and self.faulty("hangs-before-initialized"):
            await asyncio.Event().wait()
        if request.method == "logging/setLevel":
            return self.streams.set_level(request)
        if request.method in ("resources/subscribe", "resources/unsubscribe"):
            return self.streams.subscribe(request)
        return await self._dispatch(request)

    async def _dispatch(self, request: Request) -> Message:
        if request.method.startswith("tasks/"):
            return await self.tasks.handle(self, request)
        capability, handler = METHODS.get(request.method, ("", None))
        served = capability in capabilities_for(request.version)
        if capability and any(self.faulty(f) for f in (f"{capability}-declared-but-missing",) if f in FAULTS):
            served = False
        if handler is None or not served:
            if self.faulty("unknown-method-gives-result"):
                return {}
            raise RpcError(METHOD_NOT_FOUND, "Method not found", kind="unknown method")
        if self.unclean:
            raise RpcError(INTERNAL_ERROR, "The server was not shut down properly")
        if request.method != "tools/call":
            result = await handler(self, request)
            self.streams.vary(request.method, result)
            return result
        self.calls += 1
        if self.faulty("hang-on-call"):
            await asyncio.Event().wait()
        if self.faulty("dies-on-call"):
            os._exit(4)
        with self.streams.call(request):
            async with self.crossing.call():
                return await self.crossing.result_for(request, await handler(self, request))

    def _stamped(self, request: Request, result: Message) -> Message:
        if "resultType" not in result:
            result["resultType"] = "complete"
            if request.method in CACHEABLE:
                result |= {"ttlMs": 60_000, "cacheScope": "public"}
        stamp = {"io.modelcontextprotocol/serverInfo": dict(SERVER_INFO)}
        return {**result, "_meta": {**result.get("_meta", {}), **stamp}}


def _filter(request: Request) -> Message:
    """What a listen stream is asked for."""
    wanted = request.params.get("notifications")
    return wanted if isinstance(wanted, dict) else {}
