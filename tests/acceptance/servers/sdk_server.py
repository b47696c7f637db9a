"""A plain `MCPServer` of the official SDK, with nothing mended: what its author gets for free, and what not."""

import sys

from mcp.server import MCPServer

mcp = MCPServer("plain", version="1")


@mcp.tool()
def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


@mcp.prompt()
def review(code: str) -> str:
    """Review code."""
    return f"Review {code}"


if __name__ == "__main__":
    if "--http" in sys.argv:
        mcp.run("streamable-http", port=int(sys.argv[-1]))
    else:
        mcp.run()
