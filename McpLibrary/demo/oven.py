"""The oven of the sample server: cakes that take their time, as tasks (extension `io.modelcontextprotocol/tasks`)."""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.extension import Extension, MethodBinding, ToolBinding
from mcp.server.mcpserver import require_client_extension
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import HEADER_MISMATCH, INVALID_PARAMS, CallToolRequestParams, RequestParams
from pydantic import Field

from McpLibrary.demo.hints import ADDS

EXTENSION = "io.modelcontextprotocol/tasks"
MODERN = frozenset({"2026-07-28"})
KEEP_MS = 600_000
POLL_MS = 50
BAKING_SECONDS = 0.1

Way = Annotated[Literal["plain", "filled", "burnt"], Field(description="How: plain, filled as you say, or burnt")]


class TaskParams(RequestParams):
    """Params of `tasks/get` and `tasks/cancel`."""

    task_id: str = Field(alias="taskId")


class UpdateParams(TaskParams):
    """Params of `tasks/update`."""

    input_responses: dict[str, Any] = Field(alias="inputResponses")


@dataclass
class Errand:
    """One call that goes on by itself."""

    status: str = "working"
    outcome: dict[str, Any] = field(default_factory=dict)
    questions: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    identifier: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    created: str = field(default_factory=lambda: _now())
    updated: str = field(default_factory=lambda: _now())
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    work: asyncio.Task[None] | None = None

    def move(self, status: str, **outcome: Any) -> None:
        self.status, self.outcome, self.updated = status, outcome, _now()

    def shown(self) -> dict[str, Any]:
        return {
            "taskId": self.identifier, "status": self.status, "createdAt": self.created, "lastUpdatedAt": self.updated,
            "ttlMs": KEEP_MS, "pollIntervalMs": POLL_MS,
        }  # fmt: skip


async def bake_cake(way: Way = "plain") -> str:
    """Bake a cake. With the tasks extension declared this becomes a task, which may ask for the filling."""
    await asyncio.sleep(BAKING_SECONDS)
    if way == "burnt":
        raise ToolError("The cake is burnt. Bake another one.")
    return "The cake is ready."


class Oven(Extension):
    """Makes tasks of calls of `bake_cake`, for clients that declare the extension."""

    identifier = EXTENSION

    def __init__(self) -> None:
        self._errands: dict[str, Errand] = {}

    def tools(self) -> Sequence[ToolBinding]:
        return [ToolBinding(bake_cake, kwargs={"annotations": ADDS, "structured_output": False})]

    def methods(self) -> Sequence[MethodBinding]:
        return [
            MethodBinding("tasks/get", TaskParams, self._get, MODERN),
            MethodBinding("tasks/update", UpdateParams, self._update, MODERN),
            MethodBinding("tasks/cancel", TaskParams, self._cancel, MODERN),
        ]

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        way = (params.arguments or {}).get("way", "plain")
        if params.name != "bake_cake" or way not in ("plain", "filled", "burnt") or not _declared(ctx):
            return await call_next(ctx)
        errand = Errand()
        self._errands[errand.identifier] = errand
        errand.work = asyncio.create_task(self._bake(errand, way))
        return {"resultType": "task", **errand.shown()}

    async def _bake(self, errand: Errand, way: str) -> None:
        filling = ""
        if way == "filled":
            schema = {"type": "object", "properties": {"filling": {"type": "string"}}, "required": ["filling"]}
            params = {"mode": "form", "message": "Which filling?", "requestedSchema": schema}
            errand.questions = {"filling": {"method": "elicitation/create", "params": params}}
            errand.move("input_required")
            await errand.answered.wait()
            answer = errand.answers["filling"]
            content = answer.get("content") if isinstance(answer, dict) else None
            filling = f" with {content.get('filling', 'nothing')}" if isinstance(content, dict) else " without filling"
            errand.move("working")
        await asyncio.sleep(BAKING_SECONDS)
        burnt = way == "burnt"
        text = "The cake is burnt. Bake another one." if burnt else f"The cake{filling} is ready."
        errand.move("completed", result={"content": [{"type": "text", "text": text}], "isError": burnt})

    def _known(self, ctx: ServerRequestContext[Any, Any], identifier: str) -> Errand:
        require_client_extension(ctx, EXTENSION)
        if identifier not in self._errands:
            raise MCPError(INVALID_PARAMS, "There is no such task")
        return self._errands[identifier]

    async def _get(self, ctx: ServerRequestContext[Any, Any], params: TaskParams) -> HandlerResult:
        errand = self._known(ctx, params.task_id)
        asked = {"inputRequests": errand.questions} if errand.status == "input_required" else {}
        return {"resultType": "complete", **errand.shown(), **errand.outcome, **asked}

    async def _update(self, ctx: ServerRequestContext[Any, Any], params: UpdateParams) -> HandlerResult:
        errand = self._known(ctx, params.task_id)
        errand.answers |= {key: value for key, value in params.input_responses.items() if key in errand.questions}
        if errand.questions and errand.answers.keys() >= errand.questions.keys():
            errand.answered.set()
        return {"resultType": "complete"}

    async def _cancel(self, ctx: ServerRequestContext[Any, Any], params: TaskParams) -> HandlerResult:
        errand = self._known(ctx, params.task_id)
        if errand.status in ("working", "input_required") and errand.work is not None:
            errand.work.cancel()
            errand.move("cancelled")
        return {"resultType": "complete"}


async def task_manners(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """What the SDK does not do for an extension: compare its routing header, and refuse undeclared listeners."""
    params: Any = ctx.params or {}
    if ctx.method.startswith("tasks/"):
        named = ctx.request.headers.get("mcp-name") if ctx.request is not None else None
        if named is not None and named != params.get("taskId"):
            raise MCPError(HEADER_MISMATCH, "Mcp-Name differs from the taskId of the body")
    wanted = params.get("notifications") if ctx.method == "subscriptions/listen" else None
    if isinstance(wanted, dict) and "taskIds" in wanted:
        require_client_extension(ctx, EXTENSION)
    return await call_next(ctx)


def _declared(ctx: ServerRequestContext[Any, Any]) -> bool:
    try:
        require_client_extension(ctx, EXTENSION)
    except MCPError:
        return False
    return True


def _now() -> str:
    return datetime.now(UTC).isoformat()
