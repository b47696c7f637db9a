"""A plain FastMCP server, with nothing configured."""

from fastmcp import FastMCP

mcp = FastMCP("fast", version="1")


@mcp.tool
def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


@mcp.prompt
def review(code: str) -> str:
    """Review code."""
    return f"Review {code}"
