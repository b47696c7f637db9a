"""The resources, prompts and completions of the scripted server."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any, TypeGuard

from faults.messages import INVALID_PARAMS, LEGACY_RESOURCE_NOT_FOUND, MODERN, Message, Request, RpcError
from faults.tools import VIEW

if TYPE_CHECKING:
    from faults.core import Server

TEXT = "Orders are shipped on Mondays."
BINARY = bytes(range(256))
ORDERS = ("1001", "1002", "1003")
CRASHING_ORDER = "crash"
LANGUAGES = ("java", "javascript", "python")

RESOURCES = (
    {"uri": "shop://text", "name": "text", "description": "A text.", "mimeType": "text/plain"},
    {
        "uri": "shop://binary",
        "name": "binary",
        "description": "All bytes.",
        "mimeType": "application/octet-stream",
    },
)
TEMPLATES = (
    {
        "uriTemplate": "shop://order/{id}",
        "name": "order",
        "description": "An order.",
        "mimeType": "text/plain",
    },
)
PROMPTS = (
    {
        "name": "review",
        "description": "Asks for a review of code.",
        "arguments": [{"name": "code", "description": "The code to review.", "required": True}],
    },
    {"name": "crashing", "description": "Fails unexpectedly."},
)
ARGUMENTS: dict[str, tuple[str, ...]] = {"review": ("code",), "crashing": ()}


async def list_resources(server: Server, request: Request) -> Message:
    """The one page of resources."""
    server.page_start(request, {})
    return {"resources": list(RESOURCES)}


async def list_templates(server: Server, request: Request) -> Message:
    """The one page of resource templates."""
    server.page_start(request, {})
    return {"resourceTemplates": list(TEMPLATES)}


async def list_prompts(server: Server, request: Request) -> Message:
    """The one page of prompts."""
    server.page_start(request, {})
    return {"prompts": list(PROMPTS)}


async def read_resource(server: Server, request: Request) -> Message:
    """The contents of one resource; reading the order `crash` fails unexpectedly."""
    uri = request.params.get("uri")
    if not isinstance(uri, str) or not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:\S+$", uri):
        raise RpcError(INVALID_PARAMS, "A read needs a valid uri", kind="malformed")
    if uri == "shop://text":
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": TEXT}]}
    if uri == "shop://binary":
        blob = base64.b64encode(BINARY).decode()
        return {"contents": [{"uri": uri, "mimeType": "application/octet-stream", "blob": blob}]}
    if uri == VIEW and not server.faulty("view-missing"):
        mime_type = "text/html" if server.faulty("view-of-wrong-type") else "text/html;profile=mcp-app"
        return {"contents": [{"uri": uri, "mimeType": mime_type, "text": "<h1>Regions</h1>"}]}
    order = uri.removeprefix("shop://order/")
    if order == CRASHING_ORDER:
        raise RuntimeError("cannot open /srv/shop/orders.db")
    if order in ORDERS:
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": f"Order {order} is shipped."}]}
    if server.faulty("missing-resource-gives-content"):
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": "Not found."}]}
    if server.faulty("missing-resource-empty-contents"):
        return {"contents": []}
    code = INVALID_PARAMS if request.era == MODERN else LEGACY_RESOURCE_NOT_FOUND
    data = None if server.faulty("missing-resource-without-uri") else {"uri": uri}
    raise RpcError(code, "Resource not found", data, kind="missing resource")


async def get_prompt(server: Server, request: Request) -> Message:
    """A prompt filled with its arguments; `crashing` fails unexpectedly."""
    name, arguments = request.params.get("name"), request.params.get("arguments", {})
    if not isinstance(name, str) or not _are_texts(arguments):
        raise RpcError(INVALID_PARAMS, "A prompt needs a name and an object of texts", kind="malformed")
    if name not in ARGUMENTS:
        raise RpcError(INVALID_PARAMS, f"Unknown prompt: {name}", kind="unknown prompt")
    if not set(arguments) <= set(ARGUMENTS[name]):
        raise RpcError(INVALID_PARAMS, "Unknown prompt argument")
    missing = set(ARGUMENTS[name]) - set(arguments)
    if missing and not server.faulty("missing-prompt-argument-accepted"):
        raise RpcError(INVALID_PARAMS, "The prompt argument 'code' is missing", kind="missing prompt argument")
    if name == "crashing":
        raise RuntimeError("cannot open /srv/shop/prompts/crashing.txt")
    text = f"Please review this code:\n{arguments.get('code', '')}"
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": PROMPTS[0]["description"], "messages": [message]}


def _are_texts(arguments: Any) -> TypeGuard[dict[str, str]]:
    return isinstance(arguments, dict) and all(isinstance(value, str) for value in arguments.values())


async def complete(_server: Server, request: Request) -> Message:
    """Completions for the argument of the prompt `review` and for the id of an order."""
    reference, argument = request.params.get("ref"), request.params.get("argument")
    if not isinstance(reference, dict) or not _are_texts(argument):
        raise RpcError(INVALID_PARAMS, "A completion needs a reference and an argument", kind="malformed")
    known = {
        ("ref/prompt", "review", "code"): LANGUAGES,
        ("ref/resource", "shop://order/{id}", "id"): ORDERS,
    }
    target = reference.get("name") if reference.get("type") == "ref/prompt" else reference.get("uri")
    candidates = known.get((str(reference.get("type")), str(target), argument.get("name", "")))
    if candidates is None or "value" not in argument:
        raise RpcError(INVALID_PARAMS, "Nothing to complete under this reference and argument")
    values = [candidate for candidate in candidates if candidate.startswith(argument["value"])]
    return {"completion": {"values": values, "total": len(values), "hasMore": False}}
