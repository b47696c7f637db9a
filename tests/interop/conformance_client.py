"""The client that the official conformance suite starts: McpLibrary's own engine, driven by its keywords.

The suite appends the URL of its mock server and names the scenario in MCP_CONFORMANCE_SCENARIO, the wire in
MCP_CONFORMANCE_PROTOCOL_VERSION, and data for it in MCP_CONFORMANCE_CONTEXT.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from McpLibrary import McpLibrary
from McpLibrary.checks.headers import annotation_problems
from McpLibrary.session.client_side import from_schema
from McpLibrary.session.revisions import LEGACY
from McpLibrary.types import Action, Expect

Script = Callable[[McpLibrary, dict[str, Any]], None]


def initialize(lib: McpLibrary, context: dict[str, Any]) -> None:
    lib.list_tools()


def call_every_tool(lib: McpLibrary, context: dict[str, Any]) -> None:
    """List the tools and call each, but never one whose header annotations are invalid."""
    for tool in lib.list_tools():
        problems = annotation_problems(tool.get("inputSchema"))
        if problems:
            print(f"left alone: {tool['name']}: {'; '.join(problems)}")
        else:
            lib.call_tool(tool["name"], arguments=stub_arguments(tool.get("inputSchema")), expect=Expect.ANY)


def add_numbers(lib: McpLibrary, context: dict[str, Any]) -> None:
    lib.list_tools()
    reply = lib.call_tool("add_numbers", a="5", b="3")
    print(f"add_numbers: {reply.text}")


def standard_headers(lib: McpLibrary, context: dict[str, Any]) -> None:
    call_every_tool(lib, context)
    for resource in lib.list_resources():
        lib.read_resource(resource["uri"], expect=Expect.ANY)
    for prompt in lib.list_prompts():
        arguments = {argument["name"]: "text" for argument in prompt.get("arguments") or ()}
        lib.get_prompt(prompt["name"], arguments=arguments, expect=Expect.ANY)


def custom_headers(lib: McpLibrary, context: dict[str, Any]) -> None:
    lib.list_tools()
    for call in context["toolCalls"]:
        lib.call_tool(call["name"], arguments=call["arguments"])


def schema_echo(lib: McpLibrary, context: dict[str, Any]) -> None:
    """Give a tool the schema of another one, as it was received."""
    schema = next(tool["inputSchema"] for tool in lib.list_tools() if tool["name"] != "json_schema_echo")
    lib.call_tool("json_schema_echo", arguments={"schema": schema})


def request_state(lib: McpLibrary, context: dict[str, Any]) -> None:
    lib.list_tools()
    for name in ("test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state", "test_mrtr_no_result_type"):
        lib.call_tool(name, arguments={})


def stub_arguments(schema: Any) -> dict[str, Any]:
    """A value for each property, by the schema."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return from_schema({"properties": properties, "required": list(properties)}) if isinstance(properties, dict) else {}


SCRIPTS: dict[str, Script] = {
    "initialize": initialize,
    "tools_call": add_numbers,
    "http-standard-headers": standard_headers,
    "http-custom-headers": custom_headers,
    "json-schema-2020-12-preservation": schema_echo,
    "sep-2322-client-request-state": request_state,
}


def main() -> None:
    url = sys.argv[-1]
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    version = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "")
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    lib = McpLibrary(timeout=timedelta(seconds=20))
    try:
        lib.answer_elicitation(Action.ACCEPT)
        lib.answer_sampling("ok")
        lib.answer_roots("file:///project")
        lib.connect_to_server(url, protocol="legacy" if version in LEGACY else "auto")
        print(f"connected by {lib.get_protocol_revision()}")
        SCRIPTS.get(scenario, call_every_tool)(lib, context)
    finally:
        lib._close()


if __name__ == "__main__":
    main()
