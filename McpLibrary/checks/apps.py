"""Checks of MCP Apps: tools that bring a page of their own (extension ``io.modelcontextprotocol/ui``, EXT-03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

MIME_TYPE = "text/html;profile=mcp-app"


def view_uris(tools: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Name and ``_meta.ui.resourceUri`` of each tool that names a view."""
    for tool in tools:
        meta = tool.get("_meta") if isinstance(tool, dict) else None
        ui = meta.get("ui") if isinstance(meta, dict) else None
        if isinstance(ui, dict) and "resourceUri" in ui:
            yield str(tool.get("name")), ui["resourceUri"]


def uri_problems(uri: Any) -> list[str]:
    """What is wrong with the address of a view."""
    if isinstance(uri, str) and uri.startswith("ui://") and len(uri) > len("ui://"):
        return []
    return [f"'_meta.ui.resourceUri' must be a ui:// URI, got {uri!r}"]


def view_problems(result: Any) -> list[str]:
    """What is wrong with the answer of ``resources/read`` for a view: it must be a page of the right type."""
    contents = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(contents, list) or not contents or not isinstance(contents[0], dict):
        return ["the result has no contents"]
    page = contents[0]
    problems = []
    if _normal(page.get("mimeType")) != MIME_TYPE:
        problems.append(f"the mimeType of a view must be {MIME_TYPE!r}, got {page.get('mimeType', 'none')!r}")
    if not any(isinstance(page.get(member), str) and page[member].strip() for member in ("text", "blob")):
        problems.append("the page of the view is empty")
    return problems


def _normal(mime_type: Any) -> Any:
    return mime_type.replace(" ", "").lower() if isinstance(mime_type, str) else mime_type
