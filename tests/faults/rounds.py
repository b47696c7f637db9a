"""The rounds of the tools `ask` and `confirm` in the modern era: a question, a sealed state, an answer; and their faults."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import time
from typing import TYPE_CHECKING, Any, TypeGuard

from faults.messages import INTERNAL_ERROR, INVALID_PARAMS, Message, Request, RpcError

if TYPE_CHECKING:
    from faults.core import Server

KEY = "answer"
STATE_SECONDS = 600
ACTIONS = ("accept", "decline", "cancel")
REFUSED = "Invalid or expired requestState"
_SECRET = secrets.token_bytes(32)
_NONCE, _EXPIRY, _TAG = 12, 8, 32
_LETTERS = 70
"""Letters of a sealed state in Base64, without its padding."""


def question_or_answer(server: Server, request: Request, name: str, arguments: Message, question: Message) -> Message:
    """One round: the answer when a valid one came with the echoed state, else an input_required result."""
    params = request.params
    if "requestState" in params:
        _check_state(server, request, name, arguments)
    responses = _responses(server, request)
    answer = responses.get(KEY)
    stateless = "requestState" not in params
    if answer is not None and not stateless and not server.faulty("asks-for-ever"):
        if len(responses) > 1 and server.faulty("extra-answer-refused"):
            raise RpcError(INVALID_PARAMS, "There is an answer to no question")
        if name == "confirm" and not server.faulty("one-time-state-taken-twice"):
            _spend(server, params["requestState"])
        return {KEY: answer}
    if (responses or not stateless) and server.faulty("wrong-key-refused"):
        raise RpcError(INVALID_PARAMS, "The answers do not fit the questions")
    if server.faulty("acts-before-it-asks"):
        server.notes.append(arguments["topic"])
    return _asked(server, request, name, arguments, question)


def of_list(server: Server, request: Request, result: Message) -> Message:
    """The modern result of a method that cannot ask, unless a fault lets it."""
    if request.method == "prompts/list" and server.faulty("prompt-list-asks"):
        return {"resultType": "input_required", "requestState": "more"}
    if (
        "requestState" in request.params
        and request.method == "tools/list"
        and server.faulty("list-refuses-round-members")
    ):
        raise RpcError(INVALID_PARAMS, REFUSED)
    return result


def _asked(server: Server, request: Request, name: str, arguments: Message, question: Message) -> Message:
    if server.faulty("round-without-anything"):
        return {"resultType": "input_required"}
    asked: Message = {"method": "elicitation/create", "params": question}
    if server.faulty("question-with-id"):
        asked["id"] = 1
    if server.faulty("question-of-unknown-method"):
        asked["method"] = "elicitation/ask"
    if server.faulty("question-without-object"):
        asked["params"] = [question]
    state: Any = seal(server, request, name, arguments, secrets.token_bytes(_NONCE), int(time.time()) + STATE_SECONDS)
    if server.faulty("request-state-is-an-object"):
        state = {"sealed": state}
    return {"resultType": "input_required", "inputRequests": {KEY: asked}, "requestState": state}


def is_answer(answer: Any) -> TypeGuard[Message]:
    """Whether it has the shape of an answer to an elicitation."""
    return isinstance(answer, dict) and answer.get("action") in ACTIONS


def unpacked(server: Server, request: Request, arguments: Message) -> Message:
    """The arguments of a call, out of which the fault takes answers and state that do not belong there."""
    if server.faulty("answers-inside-arguments-count"):
        for name in ("inputResponses", "requestState"):
            if name in arguments:
                request.params[name] = arguments[name]
        return {key: value for key, value in arguments.items() if key not in ("inputResponses", "requestState")}
    return arguments


def _responses(server: Server, request: Request) -> Message:
    responses = request.params.get("inputResponses", {})
    if isinstance(responses, dict) and all(is_answer(response) for response in responses.values()):
        return responses
    if server.faulty("malformed-answers-ignored"):
        return {}
    raise RpcError(INVALID_PARAMS, "Malformed inputResponses")


# -- the state --------------------------------------------------------------------------------------------------------


def seal(server: Server, request: Request, name: str, arguments: Message, nonce: bytes, expires: int) -> str:
    """A state that only this server can make, for this call only."""
    head = nonce + expires.to_bytes(_EXPIRY, "big")
    bound: list[Any] = []
    if not server.faulty("state-of-other-tool-taken"):
        bound.append(name)
    if not server.faulty("state-of-other-arguments-taken"):
        bound.append(arguments)
    if server.faulty("state-bound-to-connection"):
        bound.append(request.context.peer)
    tag = hmac.digest(_SECRET, head + json.dumps(bound, sort_keys=True).encode(), hashlib.sha256)
    shown = json.dumps(arguments).encode() if server.faulty("state-can-be-read") else b""
    state = base64.urlsafe_b64encode(head + tag).decode()
    if server.faulty("state-breaks-new-process"):
        state = f"{os.getpid()}.{state}"
    return f"{base64.urlsafe_b64encode(shown).decode()}.{state}" if shown else state


def _check_state(server: Server, request: Request, name: str, arguments: Message) -> None:
    state = request.params["requestState"]
    process = state.partition(".")[0] if isinstance(state, str) else ""
    if process.isdigit() and process != str(os.getpid()) and server.faulty("state-breaks-new-process"):
        raise RpcError(INTERNAL_ERROR, "Internal error")
    problem = _problem(server, request, name, arguments, state)
    if not problem or server.faulty("state-not-verified"):
        return
    if server.faulty("acts-on-refused-state"):
        server.notes.append(arguments["topic"])
    if server.faulty("bad-state-crashes"):
        raise RpcError(INTERNAL_ERROR, "Internal error")
    if server.faulty("bad-state-asks-again"):
        del request.params["requestState"]
        return
    raise RpcError(INVALID_PARAMS, problem if server.faulty("state-refusal-tells-why") else REFUSED)


def _problem(server: Server, request: Request, name: str, arguments: Message, state: Any) -> str:
    """Why the state is not good, in words that nobody outside shall see; empty for a good one."""
    if state == "" and server.faulty("empty-state-taken"):
        return ""
    if not isinstance(state, str):
        return "requestState is no text"
    sealed = state.rpartition(".")[2]
    if server.faulty("longer-state-taken"):
        sealed = sealed[:_LETTERS] + "=="
    try:
        raw = base64.urlsafe_b64decode(sealed)
    except ValueError:
        return "requestState is no Base64"
    if server.faulty("shortened-state-taken") and 0 < len(raw) < _NONCE + _EXPIRY + _TAG:
        return ""
    if len(raw) != _NONCE + _EXPIRY + _TAG:
        return "requestState has the wrong length"
    expires = int.from_bytes(raw[_NONCE : _NONCE + _EXPIRY], "big")
    good = seal(server, request, name, arguments, raw[:_NONCE], expires).rpartition(".")[2]
    if not hmac.compare_digest(sealed.encode(), good.encode()):
        return "requestState has a wrong signature"
    return "" if expires > time.time() else "requestState is too old"


def _spend(server: Server, state: str) -> None:
    if state in server.spent:
        raise RpcError(INVALID_PARAMS, REFUSED)
    server.spent.add(state)
