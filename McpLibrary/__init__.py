"""McpLibrary tells the truth about any MCP server, as keywords and ready-made suites for Robot Framework."""

from .library import McpLibrary
from .version import __version__

__all__ = ["McpLibrary", "__version__"]
