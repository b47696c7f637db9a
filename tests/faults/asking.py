"""How the tool `ask` reaches the user: an input_required round on modern, a server request on legacy."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from faults.messages import (
    INVALID_PARAMS,
    LATEST_LEGACY,
    LEGACY,
    MISSING_CAPABILITY,
    MODERN,
    Message,
    Request,
    RpcError,
)

if TYPE_CHECKING:
    from faults.core import Server

QUESTION = "answer"
STATE_SECONDS = 600
ANSWER_SECONDS = {LEGACY: 30.0, MODERN: 1.0}
ACTIONS = ("accept", "decline", "cancel")
_KEY = secrets.token_bytes(32)


@dataclass(frozen=True)
class Outcome:
    """The text of the tool's result and whether it is an error."""

    text: str
    failed: bool = False


def _elicitation(topic: str, with_mode: bool) -> Message:
    schema = {"type": "object", "properties": {QUESTION: {"type": "string"}}, "required": [QUESTION]}
    params: Message = {"message": f"What shall be noted about {topic}?", "requestedSchema": schema}
    return {"mode": "form", **params} if with_mode else params


def _can_show_forms(server: Server, capabilities: Message) -> bool:
    elicitation = capabilities.get("elicitation")
    if not isinstance(elicitation, dict):
        return False
    if not elicitation:
        return not server.faulty("empty-elicitation-refused")
    return "form" in elicitation or server.faulty("form-for-url-only-client")


def _outcome(topic: str, answer: Message) -> Outcome:
    if answer["action"] != "accept":
        return Outcome("The user gave no answer, so nothing was noted.", failed=True)
    content = answer.get("content")
    note = content.get(QUESTION) if isinstance(content, dict) else None
    if not isinstance(note, str):
        return Outcome(f"The answer needs a text named '{QUESTION}'.", failed=True)
    return Outcome(f"{topic}: {note}")


async def ask_modern(server: Server, request: Request, arguments: Message) -> Message | Outcome:
    """One round: return input_required, or the outcome when a valid answer came with the echoed state."""
    params, topic = request.params, arguments["topic"]
    capabilities = request.capabilities
    if server.faulty("remembers-client-capabilities"):
        capabilities = server.all_capabilities
    if not _can_show_forms(server, capabilities) and not server.faulty("input-required-for-undeclared"):
        required: Message = {"requiredCapabilities": {"elicitation": {"form": {}}}}
        raise RpcError(MISSING_CAPABILITY, "The client did not declare elicitation by form", required, "capability")
    if server.faulty("asks-by-request-on-modern"):
        return await _ask_by_request(server, request, topic)
    if "requestState" in params and not _state_is_valid(params["requestState"], arguments):
        raise RpcError(INVALID_PARAMS, "Invalid or expired requestState")
    responses = params.get("inputResponses", {})
    if not isinstance(responses, dict) or not all(_is_answer(response) for response in responses.values()):
        raise RpcError(INVALID_PARAMS, "Malformed inputResponses")
    if "requestState" in params and QUESTION in responses:
        return _outcome(topic, responses[QUESTION])
    question = {"method": "elicitation/create", "params": _elicitation(topic, with_mode=True)}
    return {
        "resultType": "input_required",
        "inputRequests": {QUESTION: question},
        "requestState": _state(secrets.token_bytes(12), int(time.time()) + STATE_SECONDS, arguments),
    }


async def ask_legacy(server: Server, request: Request, arguments: Message) -> Outcome:
    """Send elicitation/create to a client that declared it, and wait for its answer."""
    known = request.version >= "2025-06-18" or server.faulty("elicits-on-2025-03-26")
    declared = _can_show_forms(server, request.capabilities) and known
    if not declared and not server.faulty("asks-undeclared-client"):
        return Outcome("This tool needs a client that declares the capability 'elicitation'.", failed=True)
    return await _ask_by_request(server, request, arguments["topic"])


async def _ask_by_request(server: Server, request: Request, topic: str) -> Outcome:
    params = _elicitation(topic, with_mode=request.version >= LATEST_LEGACY)
    if request.version == "2025-06-18" and server.faulty("elicits-by-url-on-2025-06-18"):
        params = {
            "mode": "url",
            "message": params["message"],
            "url": "https://faults.example/form",
            "elicitationId": "1",
        }
    try:
        response = await server.ask_client(request.context, "elicitation/create", params, ANSWER_SECONDS[request.era])
    except TimeoutError:
        return Outcome("The client did not answer in time.", failed=True)
    answer = response.get("result")
    if not _is_answer(answer):
        return Outcome("The client could not ask the user.", failed=True)
    return _outcome(topic, answer)


def _is_answer(answer: Any) -> TypeGuard[Message]:
    return isinstance(answer, dict) and answer.get("action") in ACTIONS


def _state(nonce: bytes, expires: int, arguments: Message) -> str:
    head = nonce + expires.to_bytes(8, "big")
    call = json.dumps(arguments, sort_keys=True).encode()
    return base64.urlsafe_b64encode(head + hmac.digest(_KEY, head + call, hashlib.sha256)).decode()


def _state_is_valid(state: Any, arguments: Message) -> bool:
    try:
        raw = base64.urlsafe_b64decode(state)
    except (TypeError, ValueError):
        return False
    expires = int.from_bytes(raw[12:20], "big")
    return expires > time.time() and hmac.compare_digest(state, _state(raw[:12], expires, arguments))
