"""What tools ask the client's model and for its roots: by input_required on modern, by a request on legacy."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from faults import questions
from faults.messages import LEGACY, MISSING_CAPABILITY, MODERN, Message, Request, RpcError

if TYPE_CHECKING:
    from faults.core import Server

KEY = "question"
LEGACY_SECONDS = 5.0
LINE: Message = {"role": "user", "content": {"type": "text", "text": "Write one line about tea."}}
SAMPLING: Message = {"messages": [LINE], "maxTokens": 60}
LOOK_UP: Message = {"name": "look_up", "description": "Looks up a word.", "inputSchema": {"type": "object"}}


NO_ARGUMENTS: Message = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}

TOOLS: tuple[Message, ...] = (
    {"name": "draft", "description": "Lets the client's model write a line.", "inputSchema": NO_ARGUMENTS},
    {"name": "delegate", "description": "Lets the client's model look a word up.", "inputSchema": NO_ARGUMENTS},
    {"name": "folders", "description": "Counts the roots of the client.", "inputSchema": NO_ARGUMENTS},
)


class NoAnswer(Exception):
    """The client cannot be asked, or did not answer; the text is for its user."""


async def _draft(server: Server, request: Request, _arguments: Message) -> Message:
    return await _ask(server, request, "sampling/createMessage", SAMPLING, "sampling")


async def _delegate(server: Server, request: Request, _arguments: Message) -> Message:
    """Let the model write; when it wants the tool used, give it the result and let it go on. The state is its tool use."""
    params: Message = {**SAMPLING, "tools": [LOOK_UP]}
    state = request.params.get("requestState")
    if isinstance(state, str):
        params = _after_use(params, json.loads(state))
    reply = await _ask(server, request, "sampling/createMessage", params, "sampling", "tools")
    use = reply.pop("toolUse", None)
    if use is None:
        return reply
    if request.era == LEGACY:
        params = _after_use(params, use)
        return await _ask(server, request, "sampling/createMessage", params, "sampling", "tools")
    question = {"method": "sampling/createMessage", "params": _after_use(params, use)}
    question["params"] = questions.spoilt(server, "sampling/createMessage", _copy(question["params"]))
    return {"resultType": "input_required", "inputRequests": {KEY: question}, "requestState": json.dumps(use)}


def _after_use(params: Message, use: Message) -> Message:
    result = {"type": "tool_result", "toolUseId": use["id"], "content": [{"type": "text", "text": "a plant"}]}
    asked = {"role": "assistant", "content": [use]}
    return {**params, "messages": [*params["messages"], asked, {"role": "user", "content": [result]}]}


def _copy(params: Message) -> Message:
    copy: Message = json.loads(json.dumps(params))
    return copy


async def _folders(server: Server, request: Request, _arguments: Message) -> Message:
    return await _ask(server, request, "roots/list", {}, "roots")


BODIES: dict[str, Callable[[Server, Request, Message], Awaitable[Message]]] = {
    "draft": _draft,
    "delegate": _delegate,
    "folders": _folders,
}


async def _ask(server: Server, request: Request, method: str, params: Message, *needs: str) -> Message:
    """The tool's result, or on modern the one that asks the client first. `needs` leads to the needed capability."""
    try:
        answer = await _answer(server, request, method, params, needs)
    except NoAnswer as error:
        return _text(str(error), failed=True)
    if "resultType" in answer:
        return answer
    content = answer.get("content")
    used = isinstance(content, dict) and content.get("type") == "tool_use"
    return _text(f"The client answered {json.dumps(answer)}") | ({"toolUse": content} if used else {})


def _text(text: str, failed: bool = False) -> Message:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


async def _answer(server: Server, request: Request, method: str, params: Message, needs: tuple[str, ...]) -> Message:
    if not _is_declared(request.capabilities, needs) and not _is_asked_anyway(server, request, needs):
        if request.era == LEGACY:
            raise NoAnswer(f"This tool needs a client that declares {'.'.join(needs)}.")
        required: Any = {}
        for name in reversed(needs):
            required = {name: required}
        data = {"requiredCapabilities": required}
        raise RpcError(MISSING_CAPABILITY, f"The client did not declare {'.'.join(needs)}", data, "capability")
    params = questions.spoilt(server, method, _copy(params))
    if request.era == MODERN:
        await questions.send_stray(server, request, method, params)
        responses = request.params.get("inputResponses")
        if isinstance(responses, dict) and isinstance(responses.get(KEY), dict):
            return responses[KEY]
        return {"resultType": "input_required", "inputRequests": {KEY: {"method": method, "params": params}}}
    try:
        response = await server.ask_client(request.context, method, params, LEGACY_SECONDS)
    except TimeoutError as error:
        raise NoAnswer("The client did not answer in time.") from error
    if not isinstance(response.get("result"), dict):
        raise NoAnswer("The client could not answer.")
    return response["result"]


def _is_declared(capabilities: Any, needs: tuple[str, ...]) -> bool:
    for name in needs:
        if not isinstance(capabilities, dict) or name not in capabilities:
            return False
        capabilities = capabilities[name]
    return True


def _is_asked_anyway(server: Server, request: Request, needs: tuple[str, ...]) -> bool:
    if server.faulty("input-required-for-undeclared" if request.era == MODERN else "asks-undeclared-client"):
        return True
    return len(needs) > 1 and needs[0] in request.capabilities and server.faulty("sampling-tools-for-undeclared")
