"""Tools and a prompt that ask the client something before they answer: by resolver, by hand in rounds, in mid-call."""

import secrets
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, ListRoots, Resolve, Sample
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsResult,
    SamplingMessage,
    TextContent,
    Tool,
)
from mcp_types.version import LATEST_MODERN_VERSION, is_version_at_least
from pydantic import BaseModel, Field

from McpLibrary.demo.hints import ADDS, READS
from McpLibrary.demo.state import PRICES, Item, Shop, euros


class Wrapping(BaseModel):
    """The answer to how many gifts to wrap."""

    qty: int = Field(ge=1, le=100, description="How many to wrap")


class Consent(BaseModel):
    """The answer to a yes-or-no question."""

    confirm: bool = Field(description="Whether to go on")


class Wishes(BaseModel):
    """What shall stand on a card."""

    words: str = Field(min_length=1, max_length=200, description="What the card says")


async def ask_quantity(item: Item) -> Elicit[Wrapping]:
    return Elicit(f"How many gifts of {item} shall we wrap?", Wrapping)


async def ask_slogan(item: Item) -> Sample:
    question = TextContent(text=f"Write one cheerful line that sells {item}.")
    return Sample([SamplingMessage(role="user", content=question)], max_tokens=60)


async def ask_researched_slogan(item: Item) -> Sample:
    question = TextContent(text=f"Look up what {item} costs, and write one line that sells it.")
    schema = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
    tools = [Tool(name="look_up_price", description="Look up a price.", input_schema=schema)]
    return Sample([SamplingMessage(role="user", content=question)], max_tokens=60, tools=tools)


async def ask_roots() -> ListRoots:
    return ListRoots()


def add_asking_tools(server: MCPServer, shop: Shop) -> None:
    @server.tool(annotations=ADDS)
    @shop.counted
    async def gift_order(item: Item, answer: Annotated[ElicitationResult[Wrapping], Resolve(ask_quantity)]) -> str:
        """Book an order of gifts; how many is asked from the user, in both eras."""
        if answer.action != "accept":
            raise ToolError(f"Nothing was booked: the question was answered with {answer.action}.")
        order = shop.book(item, answer.data.qty, "a friend", express=False)
        return f"Wrapped {order.qty} x {item} for {euros(order.cents)}"

    @server.tool(annotations=READS)
    async def suggest_slogan(item: Item, answer: Annotated[CreateMessageResult, Resolve(ask_slogan)]) -> str:
        """Suggest a slogan that the client's model writes."""
        if not isinstance(answer.content, TextContent):
            raise ToolError("The model answered with something other than text.")
        return f"Slogan for {item}: {answer.content.text}"

    @server.tool(annotations=READS)
    async def research_slogan(
        item: Item, answer: Annotated[CreateMessageResultWithTools, Resolve(ask_researched_slogan)]
    ) -> str:
        """Suggest a slogan that the client's model writes, which may use a tool meanwhile."""
        blocks = answer.content if isinstance(answer.content, list) else [answer.content]
        texts = [block.text for block in blocks if isinstance(block, TextContent)]
        if not texts:
            raise ToolError("The model answered without a text.")
        return f"Slogan for {item}: {texts[0]}"

    @server.tool(annotations=READS)
    async def count_folders(answer: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
        """Count the folders that the client has opened to servers."""
        return f"{len(answer.roots)} folders: {', '.join(str(root.uri) for root in answer.roots)}"

    @server.tool(annotations=ADDS)
    async def sell_last_one(item: Item, ctx: Context) -> str | InputRequiredResult:
        """Sell the last one of an item once the user confirms it; each confirmation counts once."""
        if not is_version_at_least(ctx.protocol_version or "", LATEST_MODERN_VERSION):
            raise ToolError("sell_last_one asks in rounds, which need MCP 2026-07-28. gift_order asks in both eras.")
        answer = (ctx.input_responses or {}).get("confirmation")
        state = ctx.request_state
        if answer is None or state is None:
            return _ask_in_rounds(ctx, "confirmation", f"Sell the last {item}?", Consent)
        if not isinstance(answer, ElicitResult) or answer.action != "accept":
            raise ToolError("Nothing was sold: the question was not answered with yes.")
        confirm = (answer.content or {}).get("confirm")
        if not isinstance(confirm, bool):
            raise ToolError("Nothing was sold: the answer must hold confirm as true or false.")
        if state in shop.spent:
            raise ToolError("This confirmation was used before. Call sell_last_one again to be asked anew.")
        shop.spent.add(state)
        if not confirm:
            raise ToolError("Nothing was sold: the user said no.")
        order = shop.book(item, 1, "the one who confirmed", express=False)
        return f"Sold the last {item} for {euros(order.cents)}"

    @server.tool(annotations=READS)
    async def ask_in_mid_call(item: Item, ctx: Context) -> str:
        """Ask the user in the middle of the call, as only the handshake era can."""
        if not ctx.session.can_send_request:
            raise ToolError(
                "ask_in_mid_call needs a client that can be asked during a call, which MCP 2026-07-28 and "
                "connections without a way back do not offer. gift_order asks in both eras."
            )
        if not _can_be_asked(ctx):
            raise ToolError("ask_in_mid_call has to ask the client, which did not declare: elicitation.")
        try:
            answer = await ctx.elicit(f"Do you like {item}?", Consent)
        except ValueError:
            raise ToolError("The answer does not fit the question.") from None
        if answer.action != "accept":
            raise ToolError(f"The question was answered with {answer.action}.")
        return f"{'Noted' if answer.data.confirm else 'Pity'}: {item} costs {euros(PRICES[item])}"


def add_asking_prompt(server: MCPServer) -> None:
    @server.prompt(description="Write a gift card with the words that the user is asked for")
    async def gift_card(ctx: Context) -> str | InputRequiredResult:
        if not is_version_at_least(ctx.protocol_version or "", LATEST_MODERN_VERSION):
            return "Write a gift card with warm wishes."
        answer = (ctx.input_responses or {}).get("wishes")
        if answer is None:
            return _ask_in_rounds(ctx, "wishes", "What shall the gift card say?", Wishes)
        content = answer.content if isinstance(answer, ElicitResult) and answer.action == "accept" else None
        words = (content or {}).get("words")
        if not isinstance(words, str):
            raise MCPError(INVALID_PARAMS, "The card was not written: the answer holds no words")
        return f"Write a gift card that says: {words}"


def _ask_in_rounds(ctx: Context, key: str, message: str, form: type[BaseModel]) -> InputRequiredResult:
    """The question of the first round. The SDK checks capabilities for resolvers only, so it is done here."""
    if not _can_be_asked(ctx):
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This has to ask the user, and the client did not declare form elicitation",
            {"requiredCapabilities": {"elicitation": {"form": {}}}},
        )
    params = ElicitRequestFormParams(message=message, requested_schema=form.model_json_schema())
    # The SDK seals the state; the random text in it is what makes a confirmation valid once only.
    state = secrets.token_urlsafe(16)
    return InputRequiredResult(input_requests={key: ElicitRequest(params=params)}, request_state=state)


def _can_be_asked(ctx: Context) -> bool:
    """Whether the client shows forms: an empty elicitation capability means so, a URL-only one does not."""
    capabilities = ctx.client_capabilities
    forms = capabilities.elicitation if capabilities else None
    return forms is not None and (forms.form is not None or forms.url is None)
