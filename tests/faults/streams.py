"""What the scripted server sends by itself: announcements of changes, to listeners and to legacy clients, and log messages."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from faults.messages import (
    INVALID_PARAMS,
    LEGACY,
    METHOD_NOT_FOUND,
    Context,
    Message,
    Request,
    RpcError,
    Send,
    Session,
)

if TYPE_CHECKING:
    from faults.core import Server

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
BOARD = "shop://text"
SEASONAL: dict[str, Message] = {
    "tools": {"name": "ski", "description": "Rents skis.", "inputSchema": {"type": "object"}},
    "resources": {"uri": "shop://slopes", "name": "slopes", "mimeType": "text/plain"},
    "prompts": {"name": "ski_lesson", "description": "Plans a lesson."},
}
"""What is in the lists in the season only."""

KINDS = {"toolsListChanged": "tools", "resourcesListChanged": "resources", "promptsListChanged": "prompts"}


def capabilities(version: str) -> Message:
    """The flags that stand for changes and logs, by capability."""
    offered: Message = {kind: {"listChanged": True} for kind in SEASONAL} | {"logging": {}}
    offered["resources"] = {"listChanged": True, "subscribe": True}
    return offered


def spoil_capabilities(declared: Message, server: Server, version: str) -> None:
    """What the chosen faults leave out of the declaration."""
    if server.faulty("logs-undeclared") or server.faulty("serves-undeclared-logging"):
        del declared["logging"]
    if server.faulty("serves-undeclared-subscribe"):
        declared["resources"] = {"listChanged": True}
    silent = server.faulty("announces-undeclared") or server.faulty("undeclared-kinds-acknowledged")
    for kind in SEASONAL if silent else ():
        declared[kind] = {}


def _notification(method: str, params: Message | None = None) -> Message:
    message: Message = {"jsonrpc": "2.0", "method": f"notifications/{method}"}
    return message if params is None else {**message, "params": params}


@dataclass(eq=False)
class Subscription:
    """One open `subscriptions/listen`."""

    id: Any
    shown_id: Any
    wanted: Message
    send: Send
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def tell(self, method: str, params: Message | None = None) -> None:
        meta = {} if self.shown_id is None else {"_meta": {SUBSCRIPTION: self.shown_id}}
        await self.send(_notification(method, {**(params or {}), **meta}))


class Streams:
    """Who listens in which way, and the season that changes everything."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.season = False
        self.listeners: list[Subscription] = []
        self.remembered: Message = {}
        self.legacy: list[tuple[Session, Send]] = []
        self.calls: list[tuple[Any, Context, asyncio.Task[Any] | None]] = []
        """The tool calls that run now."""
        self.finished: deque[Any] = deque(maxlen=100)
        """The ids of those that ran last."""

    # -- who hears ----------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def hearing(self, session: Session, send: Send) -> Any:
        """A legacy client hears of changes while the block runs."""
        entry = (session, send)
        self.legacy.append(entry)
        try:
            yield
        finally:
            self.legacy.remove(entry)

    def greet(self, context: Context) -> None:
        """After the handshake a client on stdio hears of changes as long as the process lives."""
        if context.headers is None:
            self.legacy.append((context.session, context.send))

    async def listen(self, request: Request) -> Message:
        """Serve one subscription to its end."""
        faulty = self.server.faulty
        if faulty("listen-not-served"):
            raise RpcError(METHOD_NOT_FOUND, "Method not found", kind="unknown method")
        wanted = request.params.get("notifications")
        if not isinstance(wanted, dict) and not faulty("listen-without-filter-accepted"):
            raise RpcError(INVALID_PARAMS, "A subscription needs `notifications`", kind="malformed")
        subscription = self._subscription(request, wanted if isinstance(wanted, dict) else {})
        if faulty("acknowledgment-comes-second"):
            await subscription.tell(
                f"{next((KINDS[key] for key in KINDS if key in subscription.wanted), 'tools')}/list_changed"
            )
        await self._acknowledge(subscription, request)
        if not faulty("subscription-ends-at-once"):
            await self._hold(subscription)
        if faulty("subscription-ends-without-result"):
            await asyncio.Event().wait()
        return {"_meta": {SUBSCRIPTION: subscription.shown_id}}

    async def _hold(self, subscription: Subscription) -> None:
        if self.server.faulty("new-subscription-ends-others"):
            self.end()
        self.listeners.append(subscription)
        try:
            await subscription.ended.wait()
        except asyncio.CancelledError:
            if not self.server.faulty("cancelled-subscription-goes-on"):
                raise
            await subscription.ended.wait()
        finally:
            self.listeners.remove(subscription)

    def _subscription(self, request: Request, wanted: Message) -> Subscription:
        faulty, shown = self.server.faulty, request.id
        if faulty("subscription-id-as-text"):
            shown = str(shown)
        if faulty("subscription-id-invented"):
            shown = 4711
        if faulty("remembers-subscriptions"):
            self.remembered = wanted = {**self.remembered, **wanted}
        return Subscription(request.id, shown, wanted, request.context.send)

    async def _acknowledge(self, subscription: Subscription, request: Request) -> None:
        wanted = {key: value for key, value in subscription.wanted.items() if key in KINDS and value is True}
        uris = subscription.wanted.get("resourceSubscriptions")
        if isinstance(uris, list):
            wanted["resourceSubscriptions"] = uris
        if isinstance(subscription.wanted.get("taskIds"), list):
            wanted["taskIds"] = subscription.wanted["taskIds"]
        if self.server.faulty("unknown-kinds-acknowledged"):
            wanted = subscription.wanted
        if self.server.faulty("acknowledges-more-than-asked"):
            wanted = {**dict.fromkeys(KINDS, True), **wanted}
        if self.server.faulty("acknowledgment-without-kinds"):
            await subscription.tell("subscriptions/acknowledged")
        elif not self.server.faulty("subscription-not-acknowledged"):
            await subscription.tell("subscriptions/acknowledged", {"notifications": wanted})
        if self.server.faulty("subscription-id-only-on-acknowledgment"):
            subscription.shown_id = None

    def end(self) -> None:
        """Close all subscriptions."""
        for subscription in self.listeners:
            subscription.ended.set()

    # -- what changes -------------------------------------------------------------------------------------------

    def vary(self, method: str, result: Message) -> None:
        """Put what is in season at the end of a list."""
        kind = method.partition("/")[0]
        if self.season and method in ("tools/list", "resources/list", "prompts/list") and "nextCursor" not in result:
            result[kind] = [*result[kind], SEASONAL[kind]]

    async def turn(self) -> None:
        """Begin or end the season, and tell all who listen."""
        self.season = not self.season
        for listener in list(self.listeners):
            await self._tell_listener(listener)
        for session, send in list(self.legacy):
            await self._tell_legacy(session, send)

    async def _tell_listener(self, listener: Subscription) -> None:
        faulty = self.server.faulty
        for key, kind in KINDS.items():
            wanted = listener.wanted.get(key) is True or faulty("filter-ignored")
            if wanted and not self._silent(kind):
                await listener.tell(f"{kind}/list_changed")
        uris = listener.wanted.get("resourceSubscriptions") or []
        if BOARD in uris or (uris and faulty("updates-of-foreign-resources")):
            params = {} if faulty("update-without-uri") else {"uri": BOARD}
            await listener.tell("resources/updated", params)

    async def tell_of_task(self, identifier: str, state: Message) -> None:
        """Tell those who listen for this task how it stands."""
        for listener in list(self.listeners):
            if identifier in (listener.wanted.get("taskIds") or []):
                if self.server.faulty("progress-for-task-listeners"):
                    await listener.tell("progress", {"progressToken": identifier, "progress": 1})
                await listener.tell("tasks", state)

    async def _tell_legacy(self, session: Session, send: Send) -> None:
        for kind in SEASONAL:
            if not self._silent(kind) and not self.server.faulty("legacy-changes-not-announced"):
                await send(_notification(f"{kind}/list_changed"))
        if self.server.faulty("legacy-updates-not-announced"):
            return
        if BOARD in session.subscribed or self.server.faulty("legacy-updates-for-all"):
            await send(_notification("resources/updated", {"uri": BOARD}))

    def _silent(self, kind: str) -> bool:
        return bool(self.server.faulty(f"{kind}-change-not-announced"))

    # -- progress and logs --------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def call(self, request: Request) -> Any:
        """A tool call, while it runs."""
        entry = (request.id, request.context, asyncio.current_task())
        self.calls.append(entry)
        try:
            yield
        finally:
            self.calls.remove(entry)
            self.finished.append(request.id)

    def keeps(self, identifier: Any) -> bool:
        """Whether a call is not to be cancelled, although the client wants it."""
        return self.server.faulty("cancelled-call-goes-on") and any(other == identifier for other, _, _ in self.calls)

    def cancel_anywhere(self, identifier: Any) -> None:
        """Cancel the calls of this id, whoever made them."""
        for other, _, task in self.calls:
            if other == identifier and task is not None:
                task.cancel()

    async def progress(self, request: Request, step: int, steps: int) -> None:
        """One progress notification, if the client wants it."""
        faulty, token = self.server.faulty, request.progress_token
        meta = request.params.get("_meta")
        if token is None and isinstance(meta, dict) and "progressToken" in meta and faulty("odd-token-used"):
            token = meta["progressToken"]
        if token is None and faulty("progress-without-token"):
            token = "unasked"
        if token is None:
            return
        message = _notification("progress", self._progress(request, token, step, steps))
        await request.context.send(message | ({"id": step} if faulty("notification-with-id") else {}))
        if faulty("progress-on-subscriptions"):
            for listener in self.listeners:
                await listener.tell("progress", self._progress(request, token, step, steps))

    def _progress(self, request: Request, token: Any, step: int, steps: int) -> Message:
        faulty = self.server.faulty
        if faulty("progress-token-as-text"):
            token = str(token)
        if faulty("progress-token-invented"):
            token = "token"
        value: Any = (
            min(step, 2) if faulty("progress-stands-still") else steps - step if faulty("progress-falls") else step
        )
        params: Message = {"progressToken": token, "progress": value, "total": steps}
        if faulty("progress-as-text"):
            params["progress"] = f"{step}/{steps}"
        if faulty("progress-total-as-text"):
            params["total"] = str(steps)
        if request.version >= "2025-03-26":
            params["message"] = ["step", step] if faulty("progress-message-not-a-text") else f"step {step} of {steps}"
        return params

    def _log_stream(self, request: Request) -> Send:
        """Where the log messages of a call go: on its own stream, or with the fault on that of another call."""
        if self.server.faulty("log-on-foreign-stream"):
            for _, other, _ in self.calls:
                if other is not request.context:
                    return other.send
        return request.context.send

    def late(self, request: Request) -> Message | None:
        """What the faults send when a call is over."""
        token = request.progress_token
        if request.method != "tools/call" or token is None or not self.server.faulty("progress-after-response"):
            return None
        return _notification("progress", {"progressToken": token, "progress": 99})

    async def log(self, request: Request, level: str, text: str) -> None:
        """One log message, if the client wants its level."""
        faulty = self.server.faulty
        lowest = self._lowest_level(request)
        if lowest is None or LEVELS.index(level) < LEVELS.index(lowest):
            return
        if faulty("log-level-invented"):
            level = "trace"
        data: Any = "database at db.internal, password=hunter2" if faulty("log-holds-secret") else text
        params: Message = {"level": level, "logger": "shop", "data": data}
        if faulty("log-without-data"):
            del params["data"]
        await self._log_stream(request)(_notification("message", params))
        if faulty("log-on-subscriptions"):
            for listener in self.listeners:
                await listener.tell("message", params)

    def _lowest_level(self, request: Request) -> str | None:
        faulty = self.server.faulty
        if faulty("serves-undeclared-logging"):
            return None
        if request.era == LEGACY:
            return "debug" if faulty("set-level-ignored") else request.context.session.log_level
        level = (request.params.get("_meta") or {}).get("io.modelcontextprotocol/logLevel")
        if level is None:
            return "debug" if faulty("logs-unasked") else None
        return level if level in LEVELS and not faulty("log-level-ignored") else "debug"

    def set_level(self, request: Request) -> Message:
        """Answer `logging/setLevel`."""
        faulty, level = self.server.faulty, request.params.get("level")
        if faulty("logs-undeclared"):
            raise RpcError(METHOD_NOT_FOUND, "Method not found", kind="unknown method")
        if level not in LEVELS:
            if not faulty("unknown-level-accepted"):
                raise RpcError(INVALID_PARAMS, f"The level must be one of {', '.join(LEVELS)}", kind="log level")
            return {}
        if level in ("alert", "emergency") and faulty("high-levels-refused"):
            raise RpcError(INVALID_PARAMS, "Unknown level")
        request.context.session.log_level = level
        return {"level": level} if faulty("set-level-result-not-empty") else {}

    def subscribe(self, request: Request) -> Message:
        """Answer the legacy `resources/subscribe` and `resources/unsubscribe`."""
        if self.server.faulty("subscribe-declared-but-missing"):
            raise RpcError(METHOD_NOT_FOUND, "Method not found", kind="unknown method")
        uri = request.params.get("uri")
        if not isinstance(uri, str):
            raise RpcError(INVALID_PARAMS, "A subscription needs a uri", kind="malformed")
        subscribed = request.context.session.subscribed
        if request.method == "resources/unsubscribe" and self.server.faulty("unsubscribing-ignored"):
            return {}
        (subscribed.add if request.method == "resources/subscribe" else subscribed.discard)(uri)
        return {}
