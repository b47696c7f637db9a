"""The view of the sample server: a tool with a page of its own (extension `io.modelcontextprotocol/ui`, MCP Apps)."""

from mcp.server.apps import Apps

from McpLibrary.demo.hints import READS
from McpLibrary.demo.state import PRICES, euros

MENU_VIEW = "ui://menu/board.html"

PAGE = """<!doctype html>
<title>Menu</title>
<h1>What the shop offers</h1>
<p>Ask the model for the prices.</p>
"""


def menu_view() -> Apps:
    """The extension with its one tool and page."""
    apps = Apps()

    @apps.tool(resource_uri=MENU_VIEW, annotations=READS)
    async def show_menu() -> str:
        """Show the menu; as text too, for clients that show no pages."""
        return ", ".join(f"{item}: {euros(cents)}" for item, cents in PRICES.items())

    apps.add_html_resource(MENU_VIEW, PAGE, name="menu_board", description="The menu as a page")
    return apps
