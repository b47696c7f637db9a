"""How the tools `ask` and `confirm` reach the user: in rounds on modern, by a server request on legacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from faults import questions, rounds
from faults.messages import (
    INTERNAL_ERROR,
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
ANSWER_SECONDS = {LEGACY: 30.0, MODERN: 1.0}


@dataclass(frozen=True)
class Outcome:
    """The text of the tool's result and whether it is an error."""

    text: str
    failed: bool = False


def _elicitation(server: Server, topic: str, with_mode: bool) -> Message:
    schema = {"type": "object", "properties": {QUESTION: {"type": "string"}}, "required": [QUESTION]}
    params: Message = {"message": f"What shall be noted about {topic}?", "requestedSchema": schema}
    return questions.spoilt(server, "elicitation/create", {"mode": "form", **params} if with_mode else params)


def _can_show_forms(server: Server, capabilities: Message) -> bool:
    elicitation = capabilities.get("elicitation")
    if not isinstance(elicitation, dict):
        return False
    if not elicitation:
        return not server.faulty("empty-elicitation-refused")
    return "form" in elicitation or server.faulty("form-for-url-only-client")


def _outcome(server: Server, topic: str, answer: Message) -> Outcome:
    if answer["action"] != "accept":
        if server.faulty("refusal-of-user-crashes"):
            raise RpcError(INTERNAL_ERROR, "Internal error")
        return Outcome("The user gave no answer, so nothing was noted.", failed=True)
    content = answer.get("content")
    note = content.get(QUESTION) if isinstance(content, dict) else None
    if not isinstance(note, str) and not server.faulty("content-not-validated"):
        return Outcome(f"The answer needs a text named '{QUESTION}'.", failed=True)
    server.notes.append(f"{topic}: {note}")
    return Outcome(f"{topic}: {note}")


async def ask_modern(server: Server, request: Request, name: str, arguments: Message) -> Message | Outcome:
    """One round: return input_required, or the outcome when a valid answer came with the echoed state."""
    topic = arguments["topic"]
    capabilities = request.capabilities
    if server.faulty("remembers-client-capabilities"):
        capabilities = server.all_capabilities
    if not _can_show_forms(server, capabilities) and not server.faulty("input-required-for-undeclared"):
        required: Message = {"requiredCapabilities": {"elicitation": {"form": {}}}}
        raise RpcError(MISSING_CAPABILITY, "The client did not declare elicitation by form", required, "capability")
    if server.faulty("asks-by-request-on-modern"):
        return await _ask_by_request(server, request, topic)
    found = rounds.question_or_answer(server, request, name, arguments, _elicitation(server, topic, with_mode=True))
    return found if "resultType" in found else _outcome(server, topic, found[rounds.KEY])


async def ask_legacy(server: Server, request: Request, _name: str, arguments: Message) -> Message | Outcome:
    """Send elicitation/create to a client that declared it, and wait for its answer."""
    if server.faulty("input-required-on-legacy"):
        question = {"method": "elicitation/create", "params": _elicitation(server, arguments["topic"], with_mode=False)}
        return {"resultType": "input_required", "inputRequests": {QUESTION: question}}
    known = request.version >= "2025-06-18" or server.faulty("elicits-on-2025-03-26")
    declared = _can_show_forms(server, request.capabilities) and known
    if not declared and not server.faulty("asks-undeclared-client"):
        return Outcome("This tool needs a client that declares the capability 'elicitation'.", failed=True)
    return await _ask_by_request(server, request, arguments["topic"])


async def _ask_by_request(server: Server, request: Request, topic: str) -> Outcome:
    params = _elicitation(server, topic, with_mode=request.version >= LATEST_LEGACY)
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
    if "error" in response and server.faulty("error-of-client-crashes"):
        raise RpcError(INTERNAL_ERROR, "Internal error")
    if rounds.is_answer(answer) and answer["action"] == "accept" and server.faulty("answer-of-user-lost"):
        return Outcome("The client could not ask the user.", failed=True)
    if not rounds.is_answer(answer):
        return Outcome("The client could not ask the user.", failed=True)
    return _outcome(server, topic, answer)
