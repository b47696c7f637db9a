"""What the shop shows beside its tools: resources, resource templates, prompts and completions."""

import base64
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    Completion,
    CompletionArgument,
    CompletionContext,
    EmbeddedResource,
    ImageContent,
    PromptReference,
    ResourceTemplateReference,
    TextResourceContents,
)
from pydantic import Field

from McpLibrary.demo.media import logo_png
from McpLibrary.demo.state import PRICES, Shop, euros

MENU = "shop://menu"
LOGO = "shop://logo.png"
BOARD = "shop://board"
HAPPY_HOUR = "shop://happy-hour"
OFFER = "shop://offers/{item}"
REPORT = "shop://reports/{month}"

MENU_TEXT = "# Menu\n\n" + "\n".join(f"- {item}: {euros(cents)}" for item, cents in PRICES.items()) + "\n"
TURNOVER = {"2026-06": 48_210, "2026-07": 51_930}
TORN_MONTH = "1999-12"
TONES = ("formal", "friendly", "funny")
COMPLETIONS: dict[tuple[str, str], tuple[str, ...]] = {
    ("order_letter", "tone"): TONES,
    ("order_letter", "customer"): ("Ada", "Grace"),
    ("month_review", "month"): tuple(TURNOVER),
    (OFFER, "item"): tuple(PRICES),
    (REPORT, "month"): tuple(TURNOVER),
}

Month = Annotated[str, Field(description="Month as YYYY-MM")]


def turnover(month: str) -> int | None:
    if month == TORN_MONTH:
        raise RuntimeError("page torn out of /srv/books/ledger-1999.db")
    return TURNOVER.get(month)


def add_resources(server: MCPServer, shop: Shop) -> None:
    @server.resource(MENU, name="menu", mime_type="text/markdown", description="All goods and their prices")
    async def menu() -> str:
        return MENU_TEXT

    @server.resource(LOGO, name="logo", mime_type="image/png", description="The logo of the shop")
    async def logo() -> bytes:
        return logo_png()

    @server.resource(BOARD, name="board", mime_type="text/plain", description="What the board at the door says")
    async def board() -> str:
        return "Happy hour!" if shop.happy_hour else "Open as usual."

    @server.resource(HAPPY_HOUR, name="happy-hour", mime_type="text/plain", description="Terms of the happy hour")
    async def happy_hour() -> str:
        return "Everything at half the price."

    @server.resource(OFFER, name="offer", mime_type="text/plain", description="The price of one kind of goods")
    async def offer(item: str) -> str:
        cents = next((cents for name, cents in PRICES.items() if name == item), None)
        if cents is None:
            raise ResourceNotFoundError("The shop does not sell this")
        return f"{item}: {euros(cents)}"

    @server.resource(REPORT, name="report", mime_type="text/plain", description="The turnover of one month")
    async def report(month: str) -> str:
        cents = turnover(month)
        if cents is None:
            raise ResourceNotFoundError("The books hold no such month")
        return f"Turnover of {month}: {euros(cents)}"


def add_prompts(server: MCPServer) -> None:
    @server.prompt(description="Draft a letter that thanks a customer for an order")
    async def order_letter(
        customer: Annotated[str, Field(description="Who gets the letter")],
        tone: Annotated[str, Field(description="How it sounds: formal, friendly or funny")] = "friendly",
    ) -> str:
        return f"Write a {tone} letter that thanks {customer} for the order."

    @server.prompt(description="Review the turnover of a month")
    async def month_review(month: Month) -> str:
        cents = turnover(month)
        if cents is None:
            raise MCPError(INVALID_PARAMS, "The books hold no such month")
        return f"The turnover of {month} was {euros(cents)}. Say in two sentences whether that is good."

    @server.prompt(description="Design a label that fits the logo and the menu")
    async def label_design() -> list[UserMessage]:
        menu = TextResourceContents(uri=MENU, mime_type="text/markdown", text=MENU_TEXT)
        return [
            UserMessage("Design a label for our goods. Here are our logo and our menu."),
            UserMessage(ImageContent(data=base64.b64encode(logo_png()).decode(), mime_type="image/png")),
            UserMessage(EmbeddedResource(resource=menu)),
        ]

    @server.prompt(description="Write a poster for the happy hour")
    async def happy_hour_poster() -> str:
        return "Write a poster that says everything costs half the price this hour."


def add_completion(server: MCPServer) -> None:
    @server.completion()
    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        name = ref.name if isinstance(ref, PromptReference) else ref.uri
        if (name, argument.name) not in COMPLETIONS:
            raise MCPError(INVALID_PARAMS, "There is no such prompt or template with such an argument")
        values = [value for value in COMPLETIONS[name, argument.name] if value.startswith(argument.value)]
        return Completion(values=values, total=len(values), has_more=False)
