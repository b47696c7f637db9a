"""The handshake era's side: log levels, subscriptions and announcements per connection, older shapes."""

from typing import Any, get_args

from mcp.server import Server, ServerRequestContext
from mcp.server.connection import Connection, allowed_log_levels
from mcp.server.context import CallNext, HandlerResult
from mcp.server.mcpserver import Context
from mcp_types import (
    EmptyResult,
    LoggingLevel,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, is_version_at_least

LEVELS: tuple[LoggingLevel, ...] = get_args(LoggingLevel)
# The SDK speaks 2025-11-25 to every legacy client; these are the members and blocks that came late, and when.
TOOL_MEMBERS = {"annotations": "2025-03-26", "_meta": "2025-06-18", "outputSchema": "2025-06-18", "icons": "2025-11-25"}
CONTENT_BLOCKS = {"audio": "2025-03-26", "resource_link": "2025-06-18"}
STRUCTURED_SINCE = ELICITATION_SINCE = "2025-06-18"


class Handshakes:
    """The open connections of the handshake era, and what each of them asked to hear."""

    def __init__(self, server: Server[Any]) -> None:
        self._open: set[Connection] = set()
        # The modern wire does not know these methods, so there they stay "method not found".
        server.add_request_handler("logging/setLevel", SetLevelRequestParams, self._set_level)
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe)

    async def middleware(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return await call_next(ctx)
        connection = connection_of(ctx)
        declared = connection.client_capabilities
        if declared and not is_version_at_least(ctx.protocol_version, ELICITATION_SINCE):
            # A revision without elicitation has no way to declare it, whatever the client wrote.
            connection.client_capabilities = declared.model_copy(update={"elicitation": None})
        result = await call_next(ctx)
        if ctx.method == "notifications/initialized":
            self._open.add(connection)
            connection.exit_stack.callback(self._open.discard, connection)
        if ctx.method == "initialize" and isinstance(result, dict):
            for kind in ("tools", "resources", "prompts"):
                result["capabilities"][kind]["listChanged"] = True  # see announce_changes
        return as_of(ctx.protocol_version, ctx.method, result) if isinstance(result, dict) else result

    async def announce_changes(self, uri: str) -> None:
        for connection in list(self._open):
            await connection.send_tool_list_changed()
            await connection.send_resource_list_changed()
            await connection.send_prompt_list_changed()
            if uri in connection.state.get("subscribed", ()):
                await connection.send_resource_updated(uri)

    async def _set_level(self, ctx: ServerRequestContext[Any, Any], params: SetLevelRequestParams) -> EmptyResult:
        connection_of(ctx).state["log_level"] = params.level
        return EmptyResult()

    async def _subscribe(self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
        connection_of(ctx).state.setdefault("subscribed", set()).add(params.uri)
        return EmptyResult()

    async def _unsubscribe(self, ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams) -> EmptyResult:
        connection_of(ctx).state.setdefault("subscribed", set()).discard(params.uri)
        return EmptyResult()


def connection_of(ctx: ServerRequestContext[Any, Any]) -> Connection:
    """The connection that a request came on. The SDK keeps it to itself, though its members are public."""
    return ctx.session._connection


async def log(ctx: Context[Any, Any], level: LoggingLevel, text: str) -> None:
    """Send a log message if its level is wanted: said in the request, or by `logging/setLevel` on legacy."""
    request = ctx.request_context
    wanted = allowed_log_levels(request.protocol_version, request.meta)
    if request.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
        lowest = connection_of(request).state.get("log_level", "info")
        wanted &= frozenset(LEVELS[LEVELS.index(lowest) :])
    if level in wanted:
        params = LoggingMessageNotificationParams(level=level, logger="shop", data=text)
        await request.session.send_notification(LoggingMessageNotification(params=params), ctx.request_id)


def as_of(revision: str, method: str, result: dict[str, Any]) -> dict[str, Any]:
    """The result as this revision knows it: later members left out, later content blocks put into words."""
    if method == "tools/list":
        late = {name for name, since in TOOL_MEMBERS.items() if not is_version_at_least(revision, since)}
        return {**result, "tools": [_without(tool, late) for tool in result["tools"]]}
    if method == "tools/call":
        late = set() if is_version_at_least(revision, STRUCTURED_SINCE) else {"structuredContent"}
        return {**_without(result, late), "content": [_block(revision, block) for block in result["content"]]}
    return result


def _without(members: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}


def _block(revision: str, block: dict[str, Any]) -> dict[str, Any]:
    since = CONTENT_BLOCKS.get(block["type"])
    if since is None or is_version_at_least(revision, since):
        return block
    return {"type": "text", "text": f"[{block['type']}: {block.get('uri') or block.get('mimeType')}]"}
