"""A stdio MCP server without any SDK that says what a script file tells it to; by default a tool echoes its arguments.

The script is JSON: `tools` (for tools/list), `answers` (by tool name: a result or error to send; `null` for none, and
`"ask"` for a question to the client instead), `stderr` (a text).
The tool `env_of` returns an environment variable.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

QUESTION = {"method": "elicitation/create", "params": {"message": "How many?"}}


def answer(script: dict[str, Any], message: dict[str, Any]) -> dict[str, Any] | None:
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        info = {"name": "scripted", "version": "1"}
        return {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}}
    if method == "tools/list":
        return {"result": {"tools": script.get("tools", [])}}
    if method == "tools/call":
        name, arguments = params["name"], params["arguments"]
        if name in script.get("answers", {}):
            scripted = script["answers"][name]
            return QUESTION if scripted == "ask" else scripted  # type: ignore[no-any-return]
        text = os.environ.get(arguments["name"], "") if name == "env_of" else json.dumps(arguments)
        return {"result": {"content": [{"type": "text", "text": text}]}}
    return {"error": {"code": -32601, "message": f"no method {method}"}}


def main() -> None:
    script: dict[str, Any] = {}
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as file:
            script = json.load(file)
    print(script.get("stderr", ""), file=sys.stderr, flush=True)
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" in message and "method" in message:
            members = answer(script, message)
            if members is not None:
                reply = {"jsonrpc": "2.0", "id": message["id"], **members}
                sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
                sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
