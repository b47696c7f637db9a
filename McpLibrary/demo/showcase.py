"""Tools that show what the protocol can carry: media, headers, logs, progress, odd texts, and a crash."""

import base64
from typing import Annotated, Literal

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import (
    Annotations,
    AudioContent,
    ContentBlock,
    EmbeddedResource,
    Icon,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import Field

from McpLibrary.demo.hints import READS
from McpLibrary.demo.legacy import log
from McpLibrary.demo.media import bell_wav, logo_png
from McpLibrary.demo.shelf import LOGO, MENU, MENU_TEXT
from McpLibrary.demo.state import Item, Shop

SECRET = "till-password-9f2c71"
STEPS = 5


def add_showcase_tools(server: MCPServer, shop: Shop) -> None:
    @server.tool(annotations=READS)
    async def echo(text: Annotated[str, Field(max_length=2_000_000, description="Any text")]) -> str:
        """Return the text unchanged."""
        return text

    icon = Icon(
        src=f"data:image/png;base64,{base64.b64encode(logo_png()).decode()}", mime_type="image/png", sizes=["16x16"]
    )

    @server.tool(annotations=READS, icons=[icon])
    async def product_media() -> list[ContentBlock]:
        """Show the shop in every kind of content: text, image, audio, link and embedded resource."""
        menu = TextResourceContents(uri=MENU, mime_type="text/markdown", text=MENU_TEXT)
        return [
            TextContent(
                text="Our logo, our bell and our menu.", annotations=Annotations(audience=["user"], priority=0.5)
            ),
            ImageContent(data=base64.b64encode(logo_png()).decode(), mime_type="image/png"),
            AudioContent(data=base64.b64encode(bell_wav()).decode(), mime_type="audio/wav"),
            ResourceLink(uri=LOGO, name="logo", mime_type="image/png"),
            EmbeddedResource(resource=menu),
        ]

    @server.tool(annotations=READS)
    async def find_on_shelf(
        item: Item,
        region: Annotated[
            Literal["eu", "us"],
            Field(description="Which house to look in", json_schema_extra={"x-mcp-header": "Region"}),
        ] = "eu",
        shelf: Annotated[
            int,
            Field(ge=1, le=99, description="Number of the shelf", json_schema_extra={"x-mcp-header": "Shelf"}),
        ] = 1,
        fresh: Annotated[
            bool, Field(description="Fresh goods only", json_schema_extra={"x-mcp-header": "Fresh"})
        ] = False,
    ) -> str:
        """Say whether a shelf holds an item; where to look also travels in HTTP headers."""
        return f"{'fresh ' if fresh else ''}{item} is on shelf {shelf} in {region}"

    @server.tool(annotations=READS)
    async def audit_shelves(ctx: Context) -> str:
        """Check the shelves and log what was found, at four levels."""
        await log(ctx, "debug", "Looking at every shelf")
        await log(ctx, "info", "All shelves were seen")
        await log(ctx, "warning", "One shelf is nearly empty")
        await log(ctx, "error", "One shelf is broken")
        return "4 findings"

    @server.tool(annotations=READS)
    async def brew_slowly(
        ctx: Context, seconds: Annotated[float, Field(ge=0, le=60, description="How long it takes")] = 1
    ) -> str:
        """Brew tea for some seconds and report progress on the way."""
        shop.slow_started += 1
        try:
            for step in range(1, STEPS + 1):
                await anyio.sleep(seconds / STEPS)
                await ctx.report_progress(step, STEPS, f"step {step} of {STEPS}")
        except anyio.get_cancelled_exc_class():
            shop.slow_cancelled += 1
            raise
        shop.slow_finished += 1
        return "The tea is ready."

    @server.tool(annotations=READS)
    async def open_till() -> str:
        """Read the till, which is broken: this fails on purpose and must give nothing away."""
        raise RuntimeError(f"cannot reach till.internal with {SECRET}")
