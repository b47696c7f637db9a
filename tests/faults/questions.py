"""What the tools ask, spoilt by faults: forms, URLs, requests to the model; and the tools that send the user to a URL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from faults.messages import LATEST_LEGACY, MISSING_CAPABILITY, MODERN, Message, Request, RpcError

if TYPE_CHECKING:
    from faults.core import Server

URL_REQUIRED = -32042
URL = "https://pay.faults.example/orders/7"
KEY = "visit"
ANSWER_SECONDS = 5.0


def _field(value: Message) -> Callable[[Message], object]:
    return lambda params: params["requestedSchema"]["properties"].update(extra=value)


_FORM: dict[str, Callable[[Message], object]] = {
    "form-without-message": lambda params: params.pop("message"),
    "form-with-nested-object": _field({"type": "object", "properties": {"street": {"type": "string"}}}),
    "elicitation-mode-unknown": lambda params: params.update(mode="popup"),
    "form-asks-for-password": _field({"type": "string", "title": "Your password"}),
    "form-holds-a-link": lambda params: params.update(message="Look at https://faults.example/help, then answer."),
}
_URL: dict[str, Callable[[Message], object]] = {
    "url-without-scheme": lambda params: params.update(url="pay.faults.example/orders/7"),
    "url-carries-token": lambda params: params.update(url=f"{URL}?access_token=f00"),
    "url-over-http": lambda params: params.update(url=URL.replace("https", "http")),
    "url-without-id": lambda params: params.pop("elicitationId", None),
    "elicitation-id-on-modern": lambda params: params.update(elicitationId="visit-7"),
}
_SAMPLING: dict[str, Callable[[Message], object]] = {
    "sampling-without-max-tokens": lambda params: params.pop("maxTokens"),
    "sampling-role-unknown": lambda params: params["messages"][0].update(role="system"),
    "sampling-wants-all-context": lambda params: params.update(includeContext="allServers"),
    "tool-result-beside-text": lambda params: _beside_text(params["messages"][-1]),
}


def _beside_text(message: Message) -> None:
    if isinstance(message["content"], list):
        message["content"].append({"type": "text", "text": "Go on."})


def spoilt(server: Server, method: str, params: Message) -> Message:
    """The params of a question, with the faults of its kind."""
    edits = _SAMPLING if method.startswith("sampling") else _URL if params.get("mode") == "url" else _FORM
    for fault, edit in edits.items() if method != "roots/list" else ():
        if server.faulty(fault):
            edit(params)
    return params


async def send_stray(server: Server, request: Request, method: str, params: Message) -> None:
    """The faults that send a question as a request on modern, beside asking rightly."""
    kind = method.partition("/")[0]
    faults = {"sampling": "samples-by-request-on-modern", "roots": "roots-by-request-on-modern"}
    if kind in faults and server.faulty(faults[kind]):
        await request.context.send({"jsonrpc": "2.0", "id": f"stray-{kind}", "method": method, "params": params})


async def visit(server: Server, request: Request, _arguments: Message) -> Message:
    """Ask the user to pay at a URL, in either era."""
    params: Message = {"mode": "url", "message": "Please pay for order 7.", "url": URL}
    elicitation = request.capabilities.get("elicitation")
    if not isinstance(elicitation, dict) or "url" not in elicitation or request.version < LATEST_LEGACY:
        if request.era == MODERN and not server.faulty("input-required-for-undeclared"):
            required: Message = {"requiredCapabilities": {"elicitation": {"url": {}}}}
            raise RpcError(MISSING_CAPABILITY, "The client cannot open URLs", required, "capability")
        if request.era != MODERN:
            return _text("This tool needs a client that can open URLs.", failed=True)
    if request.era == MODERN:
        answer: Any = (request.params.get("inputResponses") or {}).get(KEY)
        if not isinstance(answer, dict):
            asked = {"method": "elicitation/create", "params": spoilt(server, "elicitation/create", params)}
            return {"resultType": "input_required", "inputRequests": {KEY: asked}}
    else:
        asked = spoilt(server, "elicitation/create", {**params, "elicitationId": "visit-7"})
        try:
            answer = (await server.ask_client(request.context, "elicitation/create", asked, ANSWER_SECONDS)).get(
                "result"
            )
        except TimeoutError:
            return _text("The client did not answer in time.", failed=True)
    paid = isinstance(answer, dict) and answer.get("action") == "accept"
    return _text("Thank you." if paid else "Nothing was paid.", failed=not paid)


async def need_visit(server: Server, request: Request, arguments: Message) -> Message:
    """Fail until the user has been at a URL: by error -32042 on 2025-11-25, by asking since."""
    if request.era == MODERN and not server.faulty("url-required-on-modern"):
        return await visit(server, request, arguments)
    if request.version < LATEST_LEGACY:
        return _text("Please pay for order 7 first.", failed=True)
    listed = [{"mode": "url", "elicitationId": "visit-7", "url": URL, "message": "Please pay for order 7."}]
    data: Message = {"elicitations": [] if server.faulty("url-required-lists-nothing") else listed}
    raise RpcError(URL_REQUIRED, "A URL has to be visited first", data)


def _text(text: str, failed: bool = False) -> Message:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


NO_ARGUMENTS: Message = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}

TOOLS: tuple[Message, ...] = (
    {"name": "visit", "description": "Sends the user to a page to pay.", "inputSchema": NO_ARGUMENTS},
    {"name": "need_visit", "description": "Works once the user has paid.", "inputSchema": NO_ARGUMENTS},
)
BODIES: dict[str, Callable[[Server, Request, Message], Awaitable[Message]]] = {"visit": visit, "need_visit": need_visit}
