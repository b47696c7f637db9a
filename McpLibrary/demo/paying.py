"""Tools that send the user to a URL, since what is done there is not for the client's eyes."""

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError, UrlElicitationRequiredError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    ElicitRequest,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import LATEST_MODERN_VERSION, is_version_at_least

from McpLibrary.demo.hints import READS

PAGE = "https://shop.example/pay/latest"
MESSAGE = "Please pay for the latest order on the page of the shop."
VISIT = "pay-latest"
URL_SINCE = "2025-11-25"


def add_paying_tools(server: MCPServer) -> None:
    @server.tool(annotations=READS)
    async def pay_online(ctx: Context) -> str | InputRequiredResult:
        """Send the user to the page where the latest order is paid."""
        if _is_modern(ctx):
            answer = (ctx.input_responses or {}).get("payment")
            if not isinstance(answer, ElicitResult):
                return _ask_to_pay(ctx)
            action = answer.action
        else:
            _require_url(ctx)
            action = (await ctx.elicit_url(MESSAGE, PAGE, VISIT)).action
        if action != "accept":
            raise ToolError(f"Nothing was paid: the question was answered with {action}.")
        return "The page was opened."

    @server.tool(annotations=READS)
    async def show_receipt(ctx: Context) -> str | InputRequiredResult:
        """Show the receipt of the latest order, for which the user has to visit the page of the shop first."""
        if _is_modern(ctx):
            answer = (ctx.input_responses or {}).get("payment")
            if not isinstance(answer, ElicitResult):
                return _ask_to_pay(ctx)
            raise ToolError("There is no receipt yet: the order is not paid.")
        _require_url(ctx)
        raise UrlElicitationRequiredError([ElicitRequestURLParams(message=MESSAGE, url=PAGE, elicitation_id=VISIT)])


def _ask_to_pay(ctx: Context) -> InputRequiredResult:
    if not _opens_urls(ctx):
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "The user has to visit a page, and the client did not declare that it opens URLs",
            {"requiredCapabilities": {"elicitation": {"url": {}}}},
        )
    return InputRequiredResult(
        input_requests={"payment": ElicitRequest(params=ElicitRequestURLParams(message=MESSAGE, url=PAGE))}
    )


def _require_url(ctx: Context) -> None:
    if not (_opens_urls(ctx) and is_version_at_least(ctx.protocol_version or "", URL_SINCE)):
        raise ToolError("The user has to visit a page, and the client did not declare that it opens URLs.")


def _opens_urls(ctx: Context) -> bool:
    elicitation = ctx.client_capabilities.elicitation if ctx.client_capabilities else None
    return elicitation is not None and elicitation.url is not None


def _is_modern(ctx: Context) -> bool:
    return is_version_at_least(ctx.protocol_version or "", LATEST_MODERN_VERSION)
