"""The resources, prompts and completions of the scripted server."""

from __future__ import annotations

import base64
import copy
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeGuard

from faults import asking, content_faults
from faults.messages import INVALID_PARAMS, LEGACY_RESOURCE_NOT_FOUND, MODERN, Message, Request, RpcError
from faults.tools import VIEW

from McpLibrary.demo.media import bell_wav, logo_png

if TYPE_CHECKING:
    from faults.core import Server

TEXT = "Orders are shipped on Mondays."
BINARY = bytes(range(256))
LOGO = base64.b64encode(logo_png()).decode()
BELL = base64.b64encode(bell_wav()).decode()
ORDERS = ("1001", "1002", "1003")
CRASHING_ORDER = "crash"
LANGUAGES = ("java", "javascript", "python")
NOTES = ("monday", "tuesday")

RESOURCES: tuple[Message, ...] = (
    {"uri": "shop://text", "name": "text", "description": "A text.", "mimeType": "text/plain", "size": len(TEXT)},
    {
        "uri": "shop://binary",
        "name": "binary",
        "description": "All bytes.",
        "mimeType": "application/octet-stream",
    },
    {
        "uri": "shop://logo",
        "name": "logo",
        "mimeType": "image/png",
        "annotations": {"audience": ["user"], "priority": 0.2},
    },
)
TEMPLATES: tuple[Message, ...] = (
    {
        "uriTemplate": "shop://order/{id}",
        "name": "order",
        "description": "An order.",
        "mimeType": "text/plain",
    },
    {
        "uriTemplate": "shop://notes/{+path}",
        "name": "note",
        "description": "A note in a folder.",
        "mimeType": "text/plain",
    },
)
PROMPTS: tuple[Message, ...] = (
    {
        "name": "review",
        "description": "Asks for a review of code.",
        "arguments": [{"name": "code", "description": "The code to review.", "required": True}],
    },
    {"name": "crashing", "description": "Fails unexpectedly."},
    {"name": "banner", "description": "Asks for a banner with the logo."},
    {"name": "interview", "description": "Asks the user before it gives its message."},
)
ARGUMENTS: dict[str, tuple[str, ...]] = {"review": ("code",), "crashing": (), "banner": (), "interview": ()}


async def list_resources(server: Server, request: Request) -> Message:
    """One page of the resources; the cursor of the second one is an empty text."""
    return _page(server, request, "resources", RESOURCES, {"": 1})


async def list_templates(server: Server, request: Request) -> Message:
    """One page of the resource templates."""
    return _page(server, request, "resourceTemplates", TEMPLATES, {"templates-2": 1})


async def list_prompts(server: Server, request: Request) -> Message:
    """One page of the prompts."""
    return _page(server, request, "prompts", PROMPTS, {"prompts-2": 2})


def _page(server: Server, request: Request, key: str, items: Iterable[Message], starts: dict[str, int]) -> Message:
    shown = copy.deepcopy(list(items))
    content_faults.vary(shown, key, server, request)
    start = server.page_start(request, starts)
    ((cursor, second),) = starts.items()
    if start == 0:
        return {key: shown[:second], "nextCursor": cursor}
    return {key: shown[start:]}


async def read_resource(server: Server, request: Request) -> Message:
    """The contents of one resource; reading the order `crash` fails unexpectedly."""
    server.reads += 1
    uri = content_faults.meant(request.params.get("uri"), server)
    if not isinstance(uri, str) or not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:\S+$", uri):
        if server.faulty("malformed-uri-served"):
            return _contents("shop://text", "text/plain", text=TEXT)
        raise RpcError(INVALID_PARAMS, "A read needs a valid uri", kind="malformed uri")
    if uri == "shop://text":
        return _contents(uri, "text/plain", text=TEXT)
    if uri == "shop://binary":
        return _contents(uri, "application/octet-stream", blob=base64.b64encode(BINARY).decode())
    if uri == VIEW and not server.faulty("view-missing"):
        mime_type = "text/html" if server.faulty("view-of-wrong-type") else "text/html;profile=mcp-app"
        return _contents(uri, mime_type, text="<h1>Regions</h1>")
    if uri == "shop://logo" and not server.faulty("listed-resource-missing"):
        return _contents(uri, "image/png", blob=LOGO)
    order, note = uri.removeprefix("shop://order/"), uri.removeprefix("shop://notes/")
    if order == CRASHING_ORDER:
        raise RuntimeError("cannot open /srv/shop/orders.db")
    if order in ORDERS:
        shown = ORDERS[0] if server.faulty("template-value-ignored") else order
        return _contents(uri, "text/plain", text=f"Order {shown} is shipped.")
    if note in NOTES:
        return _contents(uri, "text/plain", text=f"Closed on {note}.")
    if content_faults.leads_astray(uri, server):
        return _contents(uri, "text/plain", text=content_faults.FOREIGN)
    if server.faulty("missing-resource-gives-content"):
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": "Not found."}]}
    if server.faulty("missing-resource-empty-contents"):
        return {"contents": []}
    code = INVALID_PARAMS if request.era == MODERN else LEGACY_RESOURCE_NOT_FOUND
    data = None if server.faulty("missing-resource-without-uri") else {"uri": uri}
    raise RpcError(code, "Resource not found", data, kind="missing resource")


def _contents(uri: str, mime_type: str, **content: str) -> Message:
    return {"contents": [{"uri": uri, "mimeType": mime_type, **content}]}


async def get_prompt(server: Server, request: Request) -> Message:
    """A prompt filled with its arguments; `crashing` fails unexpectedly."""
    name, arguments = request.params.get("name"), request.params.get("arguments", {})
    server.reads += 1
    lenient = server.faulty("prompt-arguments-not-checked") and isinstance(arguments, dict)
    if not isinstance(name, str) or not (_are_texts(arguments) or lenient):
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
    if name == "interview":
        return await _interview(server, request)
    if name == "banner":
        return _messages(_banner(request.version))
    code = arguments.get("code", "")
    if server.faulty("prompt-argument-reaches-database") and "'" in code:
        raise RpcError(INVALID_PARAMS, f'sqlite3.OperationalError: near "{code}": syntax error')
    code = "" if server.faulty("prompt-argument-lost") else code
    return {"description": PROMPTS[0]["description"], **_messages([_text(f"Please review this code:\n{code}")])}


async def _interview(server: Server, request: Request) -> Message:
    if request.era != MODERN:
        return _messages([_text("Interview the customer.")])
    outcome = await asking.ask_modern(server, request, "interview", {"topic": "the interview"})
    if isinstance(outcome, dict):
        return outcome
    if server.faulty("prompt-asks-for-ever"):
        for answered in ("requestState", "inputResponses"):
            request.params.pop(answered, None)
        return await _interview(server, request)
    return _messages([_text("Interview" if server.faulty("prompt-forgets-answer") else outcome.text)])


def _banner(version: str) -> list[Message]:
    blocks: list[Message] = [
        _text("Design a banner with our logo."),
        {"type": "image", "data": LOGO, "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "shop://text", "mimeType": "text/plain", "text": TEXT}},
    ]
    return blocks if version < "2025-03-26" else [*blocks, {"type": "audio", "data": BELL, "mimeType": "audio/wav"}]


def _text(text: str) -> Message:
    return {"type": "text", "text": text}


def _messages(blocks: Iterable[Message]) -> Message:
    return {"messages": [{"role": "user", "content": block} for block in blocks]}


def _are_texts(arguments: Any) -> TypeGuard[dict[str, str]]:
    return isinstance(arguments, dict) and all(isinstance(value, str) for value in arguments.values())


async def complete(server: Server, request: Request) -> Message:
    """Completions for the argument of the prompt `review` and for the id of an order."""
    reference, argument = request.params.get("ref"), request.params.get("argument")
    if "context" in request.params and server.faulty("completion-context-refused"):
        raise RpcError(INVALID_PARAMS, "There is an unknown member: context")
    malformed = not isinstance(reference, dict) or not _are_texts(argument) or "value" not in argument
    known = {
        ("ref/prompt", "review"): {"code": LANGUAGES},
        ("ref/prompt", "crashing"): {},
        ("ref/resource", "shop://order/{id}"): {"id": ORDERS},
        ("ref/resource", "shop://notes/{+path}"): {"path": NOTES},
    }
    if malformed or reference.get("type") not in ("ref/prompt", "ref/resource"):
        if server.faulty("malformed-completion-served"):
            return {"completion": {"values": []}}
        raise RpcError(INVALID_PARAMS, "A completion needs a reference and an argument", kind="malformed completion")
    target = reference.get("name" if reference["type"] == "ref/prompt" else "uri")
    arguments = known.get((reference["type"], str(target)))
    if arguments is None or argument.get("name") not in arguments:
        if server.faulty("unknown-prompt-completed"):
            return {"completion": {"values": []}}
        raise RpcError(INVALID_PARAMS, "Nothing to complete under this reference and argument")
    typed = "" if server.faulty("completion-ignores-typed-text") else argument["value"]
    values = [candidate for candidate in arguments[argument["name"]] if candidate.startswith(typed)]
    return {"completion": {"values": values, "total": len(values), "hasMore": False}}
