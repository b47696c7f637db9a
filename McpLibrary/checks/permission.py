"""Which tools may be called without being named in a profile: nothing is executed without permission."""

from __future__ import annotations

from typing import Any

NEEDED = "readOnlyHint: true, not openWorldHint: true and not destructiveHint: true"
"""What a tool must say of itself to be called without being named."""


def may_be_called(tool: Any) -> bool:
    """Whether a tool says that it changes nothing and stays within the server's own world."""
    hints = tool.get("annotations") if isinstance(tool, dict) else None
    if not isinstance(hints, dict) or not isinstance(tool.get("name"), str):
        return False
    return hints.get("readOnlyHint") is True and not hints.get("openWorldHint") and not hints.get("destructiveHint")


def needs_arguments(tool: Any) -> bool:
    """Whether a call without arguments is no good call, as far as the tool's schema tells."""
    schema = tool.get("inputSchema")
    return not isinstance(schema, dict) or bool(schema.get("required")) or bool(_combiners(schema))


def _combiners(schema: dict[str, Any]) -> set[str]:
    # Alternatives can require arguments too; which ones is more than a caution needs to know.
    return {"anyOf", "oneOf", "allOf", "$ref", "minProperties"} & schema.keys()
