"""Tools of the scripted server that show what results can hold, and tools with state; and the faults of results."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from faults.messages import INTERNAL_ERROR, LEGACY, Message, Request, RpcError

from McpLibrary.demo.media import bell_wav, logo_png

if TYPE_CHECKING:
    from faults.core import Server

READS = {"readOnlyHint": True, "openWorldHint": False}
HANDLES = ("cart-1",)
BULKY = 200_000

PARCEL_SCHEMA: Message = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"size": {"$anchor": "size", "type": "string", "enum": ["small", "large"]}},
    "properties": {
        "parcel": {
            "type": "object",
            "properties": {"size": {"$ref": "#size"}, "insured": {"type": "boolean"}},
            "allOf": [
                {
                    "if": {"properties": {"size": {"const": "large"}}, "required": ["size"]},
                    "then": {"required": ["insured"]},
                    "else": {"properties": {"insured": {"const": False}}},
                }
            ],
            "additionalProperties": False,
        }
    },
    "required": [],
    "additionalProperties": False,
}


def _tool(name: str, description: str, properties: Message, required: list[str], **extra: Any) -> Message:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": description, "inputSchema": schema, **extra}


TOOLS: tuple[Message, ...] = (
    _tool(
        "show", "Shows every kind of content.", {}, [],
        annotations=READS, execution={"taskSupport": "forbidden"},
        icons=[{"src": "data:image/png;base64," + base64.b64encode(logo_png()).decode(), "mimeType": "image/png"}],
    ),
    {"name": "parcel", "description": "Says what a parcel costs.", "inputSchema": PARCEL_SCHEMA, "annotations": READS},
    {
        "name": "exotic", "description": "Has arguments in a dialect of its own.", "annotations": READS,
        "inputSchema": {"$schema": "https://schemas.example/dialect", "type": "object", "properties": {}, "required": []},
    },
    _tool("state", "Shows the state of the shop.", {}, [], annotations=READS),
    _tool("note", "Writes a note over the old one.", {"text": {"type": "string"}}, ["text"],
          annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}),
    _tool("open_cart", "Opens a cart.", {}, []),
    _tool("cart", "Shows a cart.", {"handle": {"type": "string"}}, ["handle"]),
)  # fmt: skip


async def _show(server: Server, request: Request, _arguments: Message) -> Message:
    if server.faulty("read-only-tool-writes"):
        server.notes.append("shown")
    blob = base64.b64encode(b"%PDF-1.7\n").decode()
    blocks: list[Message] = [
        {"type": "text", "text": "All kinds.", "annotations": {"audience": ["user", "assistant"], "priority": 0.5}},
        {"type": "image", "data": base64.b64encode(logo_png()).decode(), "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "shop://text", "mimeType": "text/plain", "text": "x"}},
        {"type": "resource", "resource": {"uri": "shop://bill", "mimeType": "application/pdf", "blob": blob}},
    ]
    if request.version >= "2025-03-26":
        blocks.append({"type": "audio", "data": base64.b64encode(bell_wav()).decode(), "mimeType": "audio/wav"})
    if request.version >= "2025-06-18" or server.faulty("newer-content-on-2025-03-26"):
        blocks.append({"type": "resource_link", "uri": "shop://text", "name": "text"})
    return {"content": blocks, "isError": False}


async def _parcel(_server: Server, _request: Request, _arguments: Message) -> Message:
    return _text("2.50 EUR")


async def _exotic(server: Server, _request: Request, _arguments: Message) -> Message:
    if server.faulty("unknown-dialect-crashes"):
        raise RpcError(INTERNAL_ERROR, "Internal error")
    return _text("Arguments in the dialect https://schemas.example/dialect cannot be checked here.", failed=True)


async def _state(server: Server, _request: Request, _arguments: Message) -> Message:
    return _text(json.dumps({"deletions": server.deletions, "notes": server.notes, **server.slow_calls}))


async def _note(server: Server, _request: Request, arguments: Message) -> Message:
    if not server.faulty("idempotent-tool-adds-up"):
        server.notes.clear()
    server.notes.append(arguments["text"])
    return _text("Noted.")


async def _open_cart(server: Server, request: Request, _arguments: Message) -> Message:
    handle = secrets.token_urlsafe(12)
    server.carts[handle] = request.context.peer
    result = _text(json.dumps({"handle": handle}))
    return {**result, "structuredContent": {"handle": handle}} if request.version >= "2025-06-18" else result


async def _cart(server: Server, request: Request, arguments: Message) -> Message:
    handle = arguments["handle"]
    known = handle in HANDLES or handle in server.carts
    if server.carts.get(handle) != request.context.peer and server.faulty("handle-bound-to-connection"):
        known = False
    if known or server.faulty("unknown-handle-served"):
        return _text("The cart is empty.")
    return _text("No cart has this handle; it may have expired. Open a new one.", failed=True)


BODIES: dict[str, Callable[[Server, Request, Message], Awaitable[Message]]] = {
    "show": _show,
    "parcel": _parcel,
    "exotic": _exotic,
    "state": _state,
    "note": _note,
    "open_cart": _open_cart,
    "cart": _cart,
}


def _text(text: str, failed: bool = False) -> Message:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _block(kind: str, **changes: Any) -> Callable[[Message], None]:
    """An edit of the first block of a kind; the value ``None`` takes a member away."""

    def edit(result: Message) -> None:
        block = next(block for block in result["content"] if block["type"] == kind)
        for member, value in changes.items():
            if value is None:
                del block[member]
            else:
                block[member] = value

    return edit


EDITS: dict[str, tuple[str, Callable[[Message], object]]] = {
    "content-is-a-text": ("show", lambda result: result.update(content="All kinds.")),
    "content-of-unknown-type": ("show", _block("text", type="video")),
    "image-in-url-alphabet": ("show", _block("image", data="__79")),
    "image-without-mime-type": ("show", _block("image", mimeType=None)),
    "image-of-another-type": ("show", _block("image", mimeType="image/jpeg")),
    "link-without-name": ("show", _block("resource_link", name=None)),
    "link-without-scheme": ("show", _block("resource_link", uri="text")),
    "embedded-resource-without-uri": ("show", lambda result: result["content"][2]["resource"].pop("uri")),
    "embedded-resource-is-empty": ("show", lambda result: result["content"][2]["resource"].pop("text")),
    "content-audience-unknown": ("show", _block("text", annotations={"audience": ["model"]})),
    "content-priority-above-one": ("show", _block("text", annotations={"priority": 7})),
    "structured-content-misfit": ("add", lambda result: _restructure(result, {"sum": 3})),
    "structured-content-missing": ("add", lambda result: result.pop("structuredContent", None)),
    "structured-content-without-text": ("add", lambda result: result.update(content=[{"type": "text", "text": "three"}])),
    "structured-content-is-an-array": ("add", lambda result: _restructure(result, [3])),
}  # fmt: skip


def _restructure(result: Message, value: Any) -> None:
    if "structuredContent" in result:
        result.update(structuredContent=value, content=[{"type": "text", "text": json.dumps(value)}])


def spoiled(result: Message, tool: str, server: Server, request: Request) -> Message:
    """The result of a tool, with what the chosen faults do to it."""
    for fault, (name, edit) in EDITS.items():
        if tool == name and server.faulty(fault):
            edit(result)
    old = request.era == LEGACY and request.version < "2025-06-18"
    if tool == "add" and old and server.faulty("newer-content-on-2025-03-26"):
        result["structuredContent"] = {"result": 3}
    return result
