"""A low-level server of the official Python SDK with a tool that asks in rounds, over stdio. `--sealed` seals its requestState."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
FORM = {"type": "object", "properties": {"qty": {"type": "integer"}}, "required": ["qty"]}


async def list_tools(ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[Tool(name="reserve", description="Reserve a book.", input_schema=SCHEMA)])


async def call_tool(ctx: Any, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
    title = (params.arguments or {})["title"]
    answer = (params.input_responses or {}).get("qty")
    if params.request_state is None or not isinstance(answer, ElicitResult):
        state = base64.urlsafe_b64encode(json.dumps({"title": title}).encode()).decode()
        form = ElicitRequestFormParams(message=f"How many of {title}?", requested_schema=FORM)
        return InputRequiredResult(input_requests={"qty": ElicitRequest(params=form)}, request_state=state)
    qty = (answer.content or {}).get("qty")
    good = answer.action == "accept" and isinstance(qty, int)
    text = f"Reserved {qty} x {title}" if good else "Nothing was reserved."
    return CallToolResult(content=[TextContent(text=text)], is_error=not good)


def build() -> Server[Any]:
    server: Server[Any] = Server("asking-lowlevel", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    if "--sealed" in sys.argv:
        security = RequestStateSecurity(keys=[b"k" * 32])
        server.middleware.append(RequestStateBoundary(security, default_audience=server.name))
    return server


async def main() -> None:
    server = build()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
