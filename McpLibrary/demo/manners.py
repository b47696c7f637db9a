"""An `MCPServer` with the manners that SDK 2.3.0 lacks: right error codes, strict arguments, paged lists."""

import hashlib
import logging
from collections.abc import Callable, Iterable
from typing import Any, get_type_hints

from jsonschema import Draft202012Validator
from mcp.server import MCPServer, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    Prompt,
    Resource,
    Tool,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import AnyUrl, ValidationError
from starlette.applications import Starlette

from McpLibrary.demo.gates import HttpGate
from McpLibrary.demo.legacy import Handshakes

RESOURCE_NOT_FOUND = -32002  # handshake era only; 2026-07-28 retired it
PAGES = {
    "tools/list": ("tools", 10),
    "resources/list": ("resources", 2),
    "resources/templates/list": ("resourceTemplates", 1),
    "prompts/list": ("prompts", 2),
}

logger = logging.getLogger(__name__)


class MannerlyServer(MCPServer[Any]):
    """The SDK's server, mended by overriding its public methods and by middleware."""

    def __init__(self, name: str, *, middleware: Iterable[Any] = (), **options: Any) -> None:
        super().__init__(name, middleware=[neutral_errors, paginate, *middleware], **options)
        self.own_schemas: dict[str, dict[str, Any]] = {}
        """Schemas of arguments that are published as their author wrote them, by tool."""
        self.withheld: set[str] = set()
        """Names and URIs that are registered but not offered at the moment."""
        # The SDK has no public way to add a method, to end subscriptions or to serve given streams: all three
        # go through its inner server, fetched in this one place.
        self._inner = self._lowlevel_server
        self.handshakes = Handshakes(self._inner)
        self.middleware.append(self.handshakes.middleware)

    def add_tool(self, fn: Callable[..., Any], *args: Any, **options: Any) -> None:
        # A text needs no copy as data: the SDK's {"result": text} is not what the text reads as JSON.
        if get_type_hints(fn).get("return") in (str, str | InputRequiredResult):
            options["structured_output"] = False
        super().add_tool(fn, *args, **options)

    async def list_tools(self) -> list[Tool]:
        return [
            tool.model_copy(update={"input_schema": self._schema_of(tool)})
            for tool in await super().list_tools()
            if tool.name not in self.withheld
        ]

    def _schema_of(self, tool: Tool) -> dict[str, Any]:
        return self.own_schemas.get(tool.name) or {**tool.input_schema, "additionalProperties": False}

    async def list_resources(self) -> list[Resource]:
        return [resource for resource in await super().list_resources() if resource.uri not in self.withheld]

    async def list_prompts(self) -> list[Prompt]:
        return [prompt for prompt in await super().list_prompts() if prompt.name not in self.withheld]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        tool = next((tool for tool in await self.list_tools() if tool.name == name), None)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name[:100]}")
        if complaints := argument_complaints(tool.input_schema, arguments):
            raise ToolError(f"Invalid arguments for {name}: {'; '.join(complaints)}.")
        try:
            return await super().call_tool(name, arguments, context)
        except MCPError as error:
            # The code is younger than the handshake era, whose clients get the same news as a tool error.
            if error.code == MISSING_REQUIRED_CLIENT_CAPABILITY and _is_legacy(context):
                kinds = ", ".join(error.data["requiredCapabilities"])
                raise ToolError(f"{name} has to ask the client, which did not declare: {kinds}.") from error
            raise

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        prompt = next((prompt for prompt in await self.list_prompts() if prompt.name == name), None)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {name[:100]}")
        given = (arguments or {}).keys()
        known = {argument.name: argument.required for argument in prompt.arguments or []}
        if missing := [argument for argument, required in known.items() if required and argument not in given]:
            raise MCPError(INVALID_PARAMS, f"Missing argument of prompt {name}: {', '.join(missing)}")
        if given - known.keys():
            raise MCPError(INVALID_PARAMS, f"Prompt {name} knows only: {', '.join(known) or 'no arguments'}")
        return await super().get_prompt(name, arguments, context)

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        try:
            if str(uri) in self.withheld:
                raise ResourceNotFoundError(f"Unknown resource: {uri}")
            return await super().read_resource(uri, context)
        except ResourceNotFoundError as error:
            if _is_legacy(context) and "://" in str(uri):
                raise MCPError(RESOURCE_NOT_FOUND, str(error), {"uri": str(uri)}) from error
            raise

    async def announce_changes(self, ctx: Context[Any, Any], uri: str) -> None:
        """Tell all who listen, in both eras, that the lists changed and so did the resource at `uri`."""
        await ctx.notify_tools_changed()
        await ctx.notify_resources_changed()
        await ctx.notify_prompts_changed()
        await ctx.notify_resource_updated(uri)
        await self.handshakes.announce_changes(uri)

    def end_subscriptions(self) -> None:
        """Give every open `subscriptions/listen` its closing result."""
        entry = self._inner.get_request_handler("subscriptions/listen")
        if entry is not None:
            entry.handler.close()  # type: ignore[attr-defined]

    async def serve_streams(self, incoming: Any, outgoing: Any) -> None:
        """Serve one connection, of either era, over a pair of streams."""
        await self._inner.run(incoming, outgoing, self._inner.create_initialization_options())

    def streamable_http_app(self, **options: Any) -> Starlette:
        app = super().streamable_http_app(**options)
        limit = self.session_manager.asgi_app
        limit.app = HttpGate(limit.app)
        return app


def argument_complaints(schema: dict[str, Any], arguments: dict[str, Any]) -> list[str]:
    """What the published schema says against these arguments, in words that repeat none of the caller's data.

    The SDK converts where its own schema forbids ("3" for an integer), and its complaints name its libraries.
    """
    return sorted({_complaint(error) for error in Draft202012Validator(schema).iter_errors(arguments)})


def _complaint(error: Any) -> str:
    name = ".".join(str(step) for step in error.absolute_path) or "the arguments"
    limit = error.validator_value
    match error.validator:
        case "required":
            return f"{next(wanted for wanted in limit if wanted not in error.instance)} is required"
        case "additionalProperties":
            return f"only these are known: {', '.join(error.schema.get('properties', {})) or 'none'}"
        case "type":
            return f"{name} must be of type {limit}"
        case "enum":
            return f"{name} must be one of {', '.join(map(str, limit))}"
        case "minimum":
            return f"{name} must be at least {limit}"
        case "maximum":
            return f"{name} must be at most {limit}"
        case _:
            return f"{name} breaks {error.validator} {limit}"


async def neutral_errors(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """A failure outside a tool is -32603 with a neutral text; on legacy the SDK tells code 0 and all."""
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):
        raise
    except Exception:
        logger.exception("%s failed", ctx.method)
        raise MCPError(INTERNAL_ERROR, "Internal server error") from None


async def paginate(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Cut the lists, which the SDK sends whole, into pages."""
    result = await call_next(ctx)
    if ctx.method not in PAGES or not isinstance(result, dict):
        return result
    member, size = PAGES[ctx.method]
    items = result[member]
    starts = {_cursor(ctx.method, start): start for start in range(size, len(items), size)}
    cursor = (ctx.params or {}).get("cursor")
    if cursor is not None and cursor not in starts:
        raise MCPError(INVALID_PARAMS, "Invalid cursor")
    start = 0 if cursor is None else starts[cursor]
    page = {**result, member: items[start : start + size]}
    if start + size < len(items):
        page["nextCursor"] = _cursor(ctx.method, start + size)
    return page


def _cursor(method: str, start: int) -> str:
    return hashlib.sha256(f"{method}:{start}".encode()).hexdigest()[:24]


def _is_legacy(context: Context[Any, Any] | None) -> bool:
    return context is not None and context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
