"""The tools of the scripted server: their definitions, the check of their arguments, their bodies."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from faults import asking, client_questions, definitions, questions, rounds, season, showcase
from faults.messages import INTERNAL_ERROR, INVALID_PARAMS, MODERN, Message, Request, RpcError

if TYPE_CHECKING:
    from faults.core import Server

PAGE_SIZE = 4
VIEW = "ui://routed/view.html"
SECOND_PAGE = "dG9vbHMtcGFnZS0y"
SECRET = "cannot connect as shop_admin with password hunter2 at db.internal:5432"
FLOOD = 10_000


def _tool(name: str, description: str, properties: Message, required: list[str], **extra: Any) -> Message:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": description, "inputSchema": schema, **extra}


TOOLS: tuple[Message, ...] = (
    _tool(
        "add",
        "Adds two integers.",
        {name: {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000} for name in "ab"},
        ["a", "b"],
        outputSchema={
            "type": "object",
            "properties": {"result": {"type": "integer"}},
            "required": ["result"],
        },
        annotations={"readOnlyHint": True, "openWorldHint": False},
        _meta={"com.example.faults/kind": "sum"},
    ),
    _tool(
        "fail",
        "Cancels an order; always refused, as all orders are shipped.",
        {"id": {"type": "string"}},
        ["id"],
    ),
    _tool("crash", "Fails unexpectedly.", {}, []),
    _tool(
        "slow",
        "Works for some seconds and reports its progress in three steps.",
        {"seconds": {"type": "number", "minimum": 0, "maximum": 60}},
        ["seconds"],
    ),
    _tool("ask", "Asks the user a question about a topic.", {"topic": {"type": "string"}}, ["topic"]),
    _tool("interrupt", "Asks in the middle of a call.", {"topic": {"type": "string"}}, ["topic"]),
    _tool("confirm", "Asks for a note, each of which counts once.", {"topic": {"type": "string"}}, ["topic"]),
    _tool(
        "secret_delete",
        "Deletes all orders.",
        {},
        [],
        annotations={"readOnlyHint": False, "destructiveHint": True},
    ),
    _tool(
        "routed",
        "Runs a query in a region.",
        {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "limit": {"type": "integer", "x-mcp-header": "Limit"},
            "fresh": {"type": "boolean", "x-mcp-header": "Fresh"},
            "query": {"type": "string"},
        },
        ["query"],
        _meta={"ui": {"resourceUri": VIEW}},
        annotations={"readOnlyHint": True, "openWorldHint": False},
    ),
    _tool(
        "bake",
        "Bakes a cake, which may take a while.",
        {"seconds": {"type": "number", "minimum": 0, "maximum": 60}, "way": {"type": "string"}},
        [],
        execution={"taskSupport": "optional"},
    ),
    _tool("echo", "Gives back a text.", {"text": {"type": "string"}}, ["text"], annotations={"readOnlyHint": True}),
    _tool("bake_only", "Bakes a cake, as a task only.", {}, [], execution={"taskSupport": "required"}),
)
TOOLS += showcase.TOOLS + questions.TOOLS + client_questions.TOOLS + season.TOOLS
BY_NAME = {tool["name"]: tool for tool in TOOLS}
NO_SCHEMA: Message = {"properties": {}}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES: dict[str, tuple[str, Callable[[Any], bool], Any]] = {
    "string": ("a string", lambda value: isinstance(value, str), ""),
    "object": ("an object", lambda value: isinstance(value, dict), {}),
    "integer": ("an integer", lambda value: _is_number(value) and value % 1 == 0, 0),
    "number": ("a number", _is_number, 0),
    "boolean": ("true or false", lambda value: isinstance(value, bool), False),
}


def schema_of(name: Any) -> Message:
    """The input schema of a tool, or one without properties for a tool that is not there."""
    return BY_NAME[name]["inputSchema"] if isinstance(name, str) and name in BY_NAME else NO_SCHEMA


async def list_tools(server: Server, request: Request) -> Message:
    """One page of the tools, as far as the revision knows their members."""
    start = server.page_start(request, {SECOND_PAGE: PAGE_SIZE})
    tools = definitions.published(TOOLS, server, request)
    page = {"tools": tools[:PAGE_SIZE], "nextCursor": SECOND_PAGE} if start == 0 else {"tools": tools[PAGE_SIZE:]}
    return {**page, "tools": dict(enumerate(page["tools"]))} if server.faulty("tool-list-is-no-array") else page


async def call_tool(server: Server, request: Request) -> Message:
    """Check the call strictly, then run the tool; a crash becomes an error result."""
    await _send_unasked(server, request)
    name, arguments = request.params.get("name"), request.params.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        if server.faulty("malformed-call-accepted"):
            return text_result("Nothing was done.")
        raise RpcError(INVALID_PARAMS, "A call needs a tool name and an object of arguments", kind="malformed")
    if server.faulty("listed-tool-cannot-be-called") and name == "show":
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}")
    if "arguments" not in request.params and server.faulty("absent-arguments-refused"):
        raise RpcError(INVALID_PARAMS, "A call needs arguments")
    if name not in BY_NAME:
        if server.faulty("unknown-tool-succeeds"):
            return text_result("Done.")
        if server.faulty("unknown-tool-is-error-result"):
            return text_result(f"Unknown tool: {name}", failed=True)
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}", kind="unknown")
    return await _run_checked(server, request, name, arguments)


async def _run_checked(server: Server, request: Request, name: str, arguments: Message) -> Message:
    schema = BY_NAME[name]["inputSchema"]
    arguments = rounds.unpacked(server, request, arguments)
    if server.faulty("coerces-numeric-strings"):
        arguments = _coerced(schema, arguments)
    if server.faulty("unknown-arguments-ignored"):
        arguments = {key: value for key, value in arguments.items() if key in schema["properties"]}
    complaint = _complaint(schema, arguments)
    if "must be between" in complaint and server.faulty("bounds-not-checked"):
        complaint = ""
    if complaint and server.faulty("validation-error-leaks-internals"):
        return text_result(_validator_dump(name, arguments), failed=True)
    if complaint and not server.faulty("invalid-arguments-run"):
        return text_result(complaint, failed=True)
    if complaint:
        arguments = _filled(schema, arguments)
    if server.tasks.wanted(server, request, name):
        return server.tasks.start(server, request, arguments)
    return await _run(server, request, name, arguments)


async def _run(server: Server, request: Request, name: str, arguments: Message) -> Message:
    try:
        return showcase.spoiled(await BODIES[name](server, request, arguments), name, server, request)
    except RpcError:
        raise
    except Exception as error:
        if server.faulty("crash-as-protocol-error"):
            raise RpcError(INTERNAL_ERROR, "Internal error") from error
        if server.faulty("crash-result-shows-stack-trace"):
            return text_result(traceback.format_exc(), failed=True)
        if server.faulty("crash-result-leaks-secret"):
            return text_result(str(error), failed=True)
        return text_result(f"The tool {name} failed unexpectedly.", failed=True)


def _complaint(schema: Message, arguments: Message) -> str:
    properties = schema["properties"]
    for name in schema["required"]:
        if name not in arguments:
            return f"The argument '{name}' is missing."
    for name, value in arguments.items():
        if name not in properties:
            return f"There is an unknown argument; known are: {', '.join(properties) or 'none'}."
        rule = properties[name]
        title, fits, _ = TYPES[rule["type"]]
        if not fits(value):
            return f"The argument '{name}' must be {title}."
        if "maximum" in rule and not rule["minimum"] <= value <= rule["maximum"]:
            return f"The argument '{name}' must be between {rule['minimum']} and {rule['maximum']}."
    return ""


def _coerced(schema: Message, arguments: Message) -> Message:
    def number(name: str, value: Any) -> Any:
        numeric = schema["properties"].get(name, {}).get("type") in ("integer", "number")
        return int(value) if numeric and isinstance(value, str) and value.lstrip("-").isdecimal() else value

    return {name: number(name, value) for name, value in arguments.items()}


def _filled(schema: Message, arguments: Message) -> Message:
    filled: Message = {}
    for name, rule in schema["properties"].items():
        _, fits, default = TYPES[rule["type"]]
        filled[name] = arguments[name] if name in arguments and fits(arguments[name]) else default
    return filled


def _validator_dump(name: str, arguments: Message) -> str:
    return (
        f"1 validation error for {name}Arguments\n  Field required [type=missing, input_value={arguments!r}, "
        "input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.14/v/missing"
    )


def text_result(text: str, failed: bool = False) -> Message:
    """A tool result of one text."""
    return {"content": [{"type": "text", "text": text}], "isError": failed}


async def _send_unasked(server: Server, request: Request) -> None:
    if server.faulty("pings-client-on-modern") and request.era == MODERN:
        await request.context.send({"jsonrpc": "2.0", "id": "server-ping", "method": "ping"})
    if server.faulty("server-cancels-calls") and request.era == MODERN:
        params = {"requestId": request.id}
        await request.context.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    for number in range(FLOOD if server.faulty("notification-flood") else 0):
        params = {"level": "info", "data": f"line {number}"}
        await request.context.send({"jsonrpc": "2.0", "method": "notifications/message", "params": params})


async def _add(_server: Server, request: Request, arguments: Message) -> Message:
    value = {"result": int(arguments["a"]) + int(arguments["b"])}
    result = text_result(json.dumps(value))
    return {**result, "structuredContent": value} if request.version >= "2025-06-18" else result


async def _fail(server: Server, _request: Request, _arguments: Message) -> Message:
    text = "This order can't be cancelled: it is shipped already. Ask for a return instead."
    if server.faulty("business-failure-as-protocol-error"):
        raise RpcError(INTERNAL_ERROR, text)
    text = "" if server.faulty("business-failure-without-text") else text
    return text_result(text, failed=not server.faulty("business-failure-as-success"))


async def _crash(_server: Server, _request: Request, _arguments: Message) -> Message:
    raise RuntimeError(SECRET)


async def _slow(server: Server, request: Request, arguments: Message) -> Message:
    server.slow_calls["started"] += 1
    try:
        await _work_slowly(request, arguments)
    except asyncio.CancelledError:
        server.slow_calls["cancelled"] += 1
        raise
    server.slow_calls["finished"] += 1
    return text_result("The work is done.")


async def _work_slowly(request: Request, arguments: Message) -> None:
    token = request.progress_token
    for step in (1, 2, 3):
        await asyncio.sleep(arguments["seconds"] / 3)
        if token is not None:
            params = {"progressToken": token, "progress": step, "total": 3}
            params |= {"message": f"step {step} of 3"} if request.version >= "2025-03-26" else {}
            await request.context.send({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


def _asker(name: str) -> Callable[[Server, Request, Message], Awaitable[Message]]:
    async def ask(server: Server, request: Request, arguments: Message) -> Message:
        if name == "interrupt" and request.era == MODERN:
            said_yes = server.faulty("imperative-tool-says-yes")
            return text_result("This tool cannot ask a client of this era.", failed=not said_yes)
        asked = asking.ask_modern if request.era == MODERN else asking.ask_legacy
        outcome = await asked(server, request, name, arguments)
        return outcome if isinstance(outcome, dict) else text_result(outcome.text, failed=outcome.failed)

    return ask


async def _secret_delete(server: Server, _request: Request, _arguments: Message) -> Message:
    server.deletions += 1
    print(f"secret_delete executed, count {server.deletions}", file=sys.stderr, flush=True)
    return text_result(f"All orders are deleted; this was execution {server.deletions}.")


async def _echo(_server: Server, _request: Request, arguments: Message) -> Message:
    return text_result(arguments["text"])


async def _bake(_server: Server, _request: Request, arguments: Message) -> Message:
    await asyncio.sleep(arguments.get("seconds", 0))
    return text_result("The cake is ready.")


async def _routed(server: Server, _request: Request, arguments: Message) -> Message:
    if server.faulty("view-tool-without-text"):
        return text_result("")
    return text_result(f"{arguments.get('region', 'anywhere')}: {arguments['query']}")


BODIES: dict[str, Callable[[Server, Request, Message], Awaitable[Message]]] = {
    "add": _add,
    "fail": _fail,
    "crash": _crash,
    "slow": _slow,
    "ask": _asker("ask"),
    "confirm": _asker("confirm"),
    "interrupt": _asker("interrupt"),
    "secret_delete": _secret_delete,
    "routed": _routed,
    "bake": _bake,
    "echo": _echo,
    "bake_only": _bake,
    **showcase.BODIES,
    **client_questions.BODIES,
    **questions.BODIES,
    **season.BODIES,
}
