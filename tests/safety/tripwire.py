"""A server whose every tool is a trip-wire: it writes down that it was called, and does nothing else.

It speaks both eras, over stdio or HTTP, and offers the things that suites look for, so that each of them goes as far as it
can. Run it with the file to write to: ``tripwire.py CALLS`` or ``tripwire.py CALLS --http``, which prints its URL.
"""

from __future__ import annotations

import http.server
import json
import sys
from pathlib import Path
from typing import Any

from McpLibrary.checks.roles import ROLES

MODERN, LEGACY = "2026-07-28", ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
INFO = {"name": "tripwire", "version": "1"}
PAGE = 10

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
BY_ID = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
ROUTED = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}

PERMITTED: dict[str, dict[str, Any]] = {
    "reads": {"annotations": {"readOnlyHint": True}},
    "reads_at_home": {"annotations": {"readOnlyHint": True, "openWorldHint": False, "idempotentHint": True}},
    "reads_one": {"annotations": {"readOnlyHint": True}, "inputSchema": BY_ID},
}
"""Tools that may be called without being named."""

TRAPS: dict[str, dict[str, Any]] = {
    "bare": {},
    "no_hints": {"annotations": {}},
    "null_hints": {"annotations": None},
    "list_hints": {"annotations": ["readOnlyHint"]},
    "get_everything": {"description": "Read-only. Safe to call. Changes nothing."},
    "titled_safe": {"title": "Safe", "annotations": {"title": "Safe and read-only"}},
    "writes": {"annotations": {"readOnlyHint": False}},
    "adds": {"annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True}},
    "only_not_destructive": {"annotations": {"destructiveHint": False, "openWorldHint": False}},
    "destroys": {"annotations": {"destructiveHint": True}},
    "reads_and_destroys": {"annotations": {"readOnlyHint": True, "destructiveHint": True}},
    "reads_the_world": {"annotations": {"readOnlyHint": True, "openWorldHint": True}},
    "reads_as_text": {"annotations": {"readOnlyHint": "true"}},
    "reads_as_number": {"annotations": {"readOnlyHint": 1}},
    "hint_at_the_top": {"readOnlyHint": True},
    "hint_in_meta": {"_meta": {"annotations": {"readOnlyHint": True}}},
    "with_arguments": {"inputSchema": BY_ID},
    "mirrored": {"inputSchema": ROUTED},
    "structured": {"outputSchema": NOTHING},
    "with_task": {"execution": {"taskSupport": "optional"}},
    "only_task": {"execution": {"taskSupport": "required"}},
    "with_app": {"_meta": {"ui": {"resourceUri": "ui://tripwire/app", "visibility": ["app"]}}},
    "exotic_dialect": {"inputSchema": {"$schema": "https://schemas.example/dialect", "type": "object"}},
    "safe_tool": {},
    "echo": {},
    "secret_delete": {},
}
"""Tools that nobody may call."""

NAMED: dict[str, dict[str, Any]] = {f"for_{name}": {} for name, role in ROLES.items() if role.key == "name"}
"""Tools that only a profile that names them permits, one for each role."""

TOOLS = [
    {"name": name, "description": "A trip-wire.", "inputSchema": NOTHING, **extra}
    for name, extra in {**TRAPS, **NAMED, **PERMITTED}.items()
]
CAPABILITIES: dict[str, Any] = {
    "tools": {"listChanged": True}, "resources": {"listChanged": True, "subscribe": True}, "prompts": {"listChanged": True},
    "completions": {}, "logging": {},
}  # fmt: skip
TASKS = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
EXTENSIONS = {"io.modelcontextprotocol/tasks": {}, "io.modelcontextprotocol/ui": {}}
LISTS = {
    "resources/list": {"resources": [{"uri": "wire://text", "name": "text", "mimeType": "text/plain"}]},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "wire://{id}", "name": "by id"}]},
    "prompts/list": {"prompts": [{"name": "ask", "arguments": [{"name": "topic", "required": True}]}]},
}


class Refused(Exception):
    pass


def answer(message: Any, calls: Path) -> dict[str, Any] | None:
    """The reply to a message, ``None`` for what is no request."""
    if not isinstance(message, dict) or "method" not in message or "id" not in message:
        return None
    params = message.get("params") if isinstance(message.get("params"), dict) else {}
    meta = params.get("_meta") if isinstance(params.get("_meta"), dict) else {}
    version = meta.get("io.modelcontextprotocol/protocolVersion")
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        result = _result(str(message["method"]), params, calls, modern=version is not None)
    except Refused as refusal:
        code, text = refusal.args
        return {**reply, "error": {"code": code, "message": text}}
    if version is not None:
        stamp = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": INFO}}
        result = {"ttlMs": 0, "cacheScope": "private", **result, **stamp}
    return {**reply, "result": result}


def _result(method: str, params: dict[str, Any], calls: Path, *, modern: bool) -> dict[str, Any]:
    if method == "tools/call":
        return _call(params, calls)
    if method == "tools/list":
        start = int(params.get("cursor") or 0)
        page: dict[str, Any] = {"tools": TOOLS[start : start + PAGE]}
        return page if start + PAGE >= len(TOOLS) else {**page, "nextCursor": str(start + PAGE)}
    if method == "server/discover" and modern:
        return {"supportedVersions": [MODERN], "capabilities": {**CAPABILITIES, "extensions": EXTENSIONS}}
    if method == "initialize" and not modern:
        version = params.get("protocolVersion")
        version = version if version in LEGACY else LEGACY[-1]
        return {"protocolVersion": version, "capabilities": {**CAPABILITIES, "tasks": TASKS}, "serverInfo": INFO}
    if method in LISTS:
        return LISTS[method]
    if method == "resources/read" and params.get("uri") == "wire://text":
        return {"contents": [{"uri": "wire://text", "mimeType": "text/plain", "text": "x"}]}
    if method == "prompts/get" and params.get("name") == "ask":
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}]}
    if method in ("resources/subscribe", "resources/unsubscribe", "logging/setLevel", "ping") and not modern:
        return {}
    raise Refused(-32601, "Method not found")


def _call(params: dict[str, Any], calls: Path) -> dict[str, Any]:
    name = params.get("name")
    if not any(tool["name"] == name for tool in TOOLS):
        raise Refused(-32602, "Unknown tool")
    with calls.open("a") as file:
        file.write(f"{name}\n")
    return {"content": [{"type": "text", "text": "x"}], "structuredContent": {}}


def serve_stdio(calls: Path) -> None:
    for line in sys.stdin.buffer:
        try:
            reply = answer(json.loads(line), calls)
        except ValueError:
            continue
        if reply is not None:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


def serve_http(calls: Path) -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                reply = answer(json.loads(body), calls)
            except ValueError:
                reply = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}
            data = b"" if reply is None else json.dumps(reply).encode()
            self.send_response(202 if reply is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self.send_response(405)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_DELETE = do_OPTIONS = do_GET

        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    (serve_http if "--http" in sys.argv else serve_stdio)(Path(sys.argv[1]))
