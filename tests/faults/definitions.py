"""What the scripted server publishes about its tools: as far as a revision knows it, and with the faults of definitions."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from faults.messages import LATEST_LEGACY, Message, Request

if TYPE_CHECKING:
    from faults.core import Server

SINCE = {
    "outputSchema": "2025-06-18",
    "_meta": "2025-06-18",
    "annotations": "2025-03-26",
    "icons": "2025-11-25",
    "execution": "2025-11-25",
}
BULK = 30_000
DEPTH = 40


def published(tools: Iterable[Message], server: Server, request: Request) -> list[Message]:
    """All tools, for one request."""
    version = LATEST_LEGACY if server.faulty("newer-tool-members-on-old-revisions") else request.version
    shown = [_visible(tool, version) for tool in tools]
    by_name = {tool["name"]: tool for tool in shown}
    for fault, (name, edit) in EDITS.items():
        if server.faulty(fault):
            edit(by_name[name])
    if request.version < "2025-11-25" and server.faulty("schema-invalid-before-2025-11-25"):
        _property({"type": "str"})(by_name["cart"])
    if server.faulty("tool-name-twice"):
        shown.append({**by_name["fail"], "name": "add"})
    server.lists += "cursor" not in request.params
    if server.faulty("tool-order-changes") and server.lists % 2:
        shown[-1], shown[-2] = shown[-2], shown[-1]
    if server.faulty("calls-change-tool-list") and server.calls:
        by_name["state"]["description"] += f" It was asked {server.calls} times."
    if server.faulty("tool-list-differs-by-connection"):
        by_name["state"]["description"] += f" You are {request.context.peer}."
    return shown


def _visible(tool: Message, version: str) -> Message:
    kept = {key: value for key, value in tool.items() if version >= SINCE.get(key, "")}
    if version > "2025-11-25":
        kept.pop("execution", None)
    return copy.deepcopy(kept)


def _schema(**changes: Any) -> Callable[[Message], object]:
    return lambda tool: tool["inputSchema"].update(changes)


def _property(schema: Any) -> Callable[[Message], object]:
    return lambda tool: tool["inputSchema"]["properties"].update(odd=schema)


def _nested(depth: int) -> Message:
    schema: Message = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


EDITS: dict[str, tuple[str, Callable[[Message], object]]] = {
    "tool-without-name": ("cart", lambda tool: tool.pop("name")),
    "tool-name-with-spaces": ("cart", lambda tool: tool.update(name="show the cart")),
    "tool-without-description": ("cart", lambda tool: tool.pop("description")),
    "input-schema-without-type": ("state", lambda tool: tool.update(inputSchema={})),
    "input-schema-is-null": ("state", lambda tool: tool.update(inputSchema=None)),
    "schema-invalid": ("cart", _property({"type": "str"})),
    "schema-reference-to-nothing": ("cart", _property({"$ref": "#/$defs/missing"})),
    "schema-refers-to-network": ("cart", _property({"$ref": "https://schemas.example/handle.json"})),
    "output-schema-for-an-array": (
        "add",
        lambda tool: tool.update(outputSchema={"type": ["object", "array"], "items": {"type": "integer"}}),
    ),
    "header-annotation-empty": ("routed", _property({"type": "string", "x-mcp-header": ""})),
    "header-annotation-with-space": ("routed", _property({"type": "string", "x-mcp-header": "Odd One"})),
    "header-annotation-twice": ("routed", _property({"type": "string", "x-mcp-header": "REGION"})),
    "header-annotation-on-number": ("routed", _property({"type": "number", "x-mcp-header": "Odd"})),
    "header-annotation-in-array": (
        "routed",
        _property({"type": "array", "items": {"type": "string", "x-mcp-header": "Odd"}}),
    ),
    "secret-mirrored": ("routed", _property({"type": "string", "x-mcp-header": "Api-Key"})),
    "hint-is-a-text": ("cart", lambda tool: tool.update(annotations={"readOnlyHint": "false"})),
    "icon-over-http": ("show", lambda tool: tool.update(icons=[{"src": "http://icons.example/show.png"}])),
    "task-support-unknown": ("show", lambda tool: tool.update(execution={"taskSupport": "sometimes"})),
    "boolean-schema": ("cart", _property(True)),
    "combiner-at-the-root": ("cart", _schema(anyOf=[{"required": ["handle"]}])),
    "recursive-schema": ("cart", _property({"$ref": "#"})),
    "schema-keywords-lost": ("parcel", lambda tool: tool["inputSchema"].pop("$defs")),
    "schema-too-deep": ("cart", _property(_nested(DEPTH))),
    "tool-list-too-large": ("cart", lambda tool: tool.update(description="A cart. " * BULK)),
}
