"""Tasks of the scripted server: core tasks on 2025-11-25, the extension on 2026-07-28; the tool `bake` can be one."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from faults.messages import (
    INVALID_PARAMS,
    LATEST_LEGACY,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    MODERN,
    Message,
    Request,
    RpcError,
)

if TYPE_CHECKING:
    from faults.core import Server

EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
CORE_CAPABILITY: Message = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
SUPPORT = {"bake": "optional", "bake_only": "required"}
TERMINAL = ("completed", "failed", "cancelled")
TIME = "2026-12-01T08:00:00Z"
POLL_MS = 20


@dataclass
class Task:
    """One call that goes on by itself."""

    identifier: str
    status: str = "working"
    result: Message | None = None
    question: Message | None = None
    questions: int = 0
    looks: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)
    seen: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first request about the task: none ends before that, however slow its client is."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    work: asyncio.Task[None] | None = None

    def end(self, status: str) -> None:
        """Take a final status, if there is none yet."""
        if self.status not in TERMINAL:
            self.status = status
        self.question = None
        self.done.set()


def declared(request: Request) -> bool:
    """Whether the client declared the extension on this request."""
    extensions = request.capabilities.get("extensions")
    return isinstance(extensions, dict) and EXTENSION in extensions


def demand_extension(server: Server, request: Request) -> None:
    """Refuse a client that did not declare the extension."""
    if not declared(request) and not server.faulty("tasks-served-to-undeclared"):
        required: Message = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
        raise RpcError(MISSING_CAPABILITY, "The client did not declare the extension for tasks", required)


class Tasks:
    """All tasks of the server."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._numbers = itertools.count(1001)

    def wanted(self, server: Server, request: Request, name: str) -> bool:
        """Whether this call becomes a task; refuses calls that are not made in the way of the tool."""
        support = SUPPORT.get(name)
        if request.era == MODERN:
            return support == "optional" and (declared(request) or self._forced(server))
        if request.version != LATEST_LEGACY:
            return False
        asked = isinstance(request.params.get("task"), dict)
        if server.faulty("makes-tasks-undeclared"):
            return asked
        if support == "required" and not asked and not server.faulty("task-only-tool-runs-plainly"):
            raise RpcError(METHOD_NOT_FOUND, "This tool must be called as a task")
        if support is None and asked and not server.faulty("plain-tool-takes-task"):
            raise RpcError(METHOD_NOT_FOUND, "This tool cannot be called as a task")
        return asked

    @staticmethod
    def _forced(server: Server) -> bool:
        if server.faulty("task-demand-without-data"):
            raise RpcError(MISSING_CAPABILITY, "The client did not declare the extension for tasks")
        return server.faulty("task-for-undeclared")

    def start(self, server: Server, request: Request, arguments: Message) -> Message:
        """Begin the work and tell of the task."""
        counted = server.faulty("task-ids-count-up")
        task = Task(f"task-number-{next(self._numbers)}" if counted else secrets.token_hex(16))
        self._tasks[task.identifier] = task
        task.work = asyncio.create_task(self._work(server, task, arguments))
        created = self._shown(task, request.era)
        if server.faulty("task-without-times"):
            del created["createdAt"]
        if request.era != MODERN:
            return {"task": created}
        return {"resultType": "complete" if server.faulty("task-result-type-complete") else "task", **created}

    async def _work(self, server: Server, task: Task, arguments: Message) -> None:
        way = arguments.get("way")
        if way == "asks":
            await self._ask(server, task)
        await asyncio.sleep(arguments.get("seconds", 0.15))
        await task.seen.wait()
        failed = way == "fails"
        text = "The oven is broken." if failed else "The cake is ready."
        task.result = {"content": [{"type": "text", "text": text}], "isError": failed}
        task.end("failed" if failed and server.faulty("tool-error-fails-task") else "completed")
        await server.streams.tell_of_task(task.identifier, {**self._shown(task, MODERN), "result": task.result})

    async def _ask(self, server: Server, task: Task) -> None:
        for number, message in enumerate(("Which filling?", "Which icing?")):
            key = "question" if server.faulty("task-question-key-reused") else f"question-{number}"
            schema = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
            params = {"mode": "form", "message": message, "requestedSchema": schema}
            task.question, task.status = {key: {"method": "elicitation/create", "params": params}}, "input_required"
            task.answered.clear()
            await task.answered.wait()
            task.question, task.status = None, "working"

    async def handle(self, server: Server, request: Request) -> Message:
        """Answer a method of tasks."""
        action = request.method.partition("/")[2]
        modern = request.era == MODERN
        core_list = modern and action == "list" and server.faulty("core-task-list-served")
        known = ("get", "update", "cancel") if modern else ("get", "list", "result", "cancel")
        if not core_list and (action not in known or (not modern and request.version != LATEST_LEGACY)):
            raise RpcError(METHOD_NOT_FOUND, "Method not found", kind="unknown method")
        if modern and not core_list:
            demand_extension(server, request)
        if action == "list":
            return self._list(server, request)
        task = self._tasks.get(str(request.params.get("taskId")))
        if task is None:
            raise RpcError(INVALID_PARAMS, "There is no such task", kind="unknown task")
        if action == "cancel":
            return self._cancel(server, request, task)
        task.seen.set()
        if action == "result":
            return await self._result(server, task)
        if action == "update":
            return self._update(server, request, task)
        return self._get(server, request, task)

    def _list(self, server: Server, request: Request) -> Message:
        if "cursor" in request.params and not server.faulty("task-cursor-ignored"):
            raise RpcError(INVALID_PARAMS, "The cursor is not one of this list")
        return {"tasks": [self._shown(task, request.era) for task in self._tasks.values()]}

    def _get(self, server: Server, request: Request, task: Task) -> Message:
        task.looks += 1
        if task.looks == 1 and server.faulty("task-known-late"):
            raise RpcError(INVALID_PARAMS, "There is no such task", kind="unknown task")
        state = self._shown(task, request.era)
        ended = task.status in TERMINAL
        if ended and task.looks % 2 and server.faulty("task-comes-back-to-life"):
            state["status"] = "working"
        if task.status == "cancelled" and server.faulty("cancelled-task-goes-on"):
            state["status"] = "working"
        if request.era != MODERN:
            return state
        if state["status"] == "completed" and not server.faulty("completed-task-without-result"):
            state["result"] = task.result
        if state["status"] == "failed":
            state["error"] = {"code": -32603, "message": "The oven is broken"}
        if task.question is not None:
            state["inputRequests"] = task.question
        return {"resultType": "task" if server.faulty("task-state-says-task") else "complete", **state}

    async def _result(self, server: Server, task: Task) -> Message:
        if server.faulty("task-result-does-not-wait"):
            return {"content": [], "isError": False, "_meta": {RELATED: {"taskId": task.identifier}}}
        await task.done.wait()
        if task.result is None:
            raise RpcError(INVALID_PARAMS, "The task has no result")
        related: Message = {"_meta": {RELATED: {"taskId": task.identifier}}}
        return task.result if server.faulty("task-result-names-no-task") else {**task.result, **related}

    def _update(self, server: Server, request: Request, task: Task) -> Message:
        responses = request.params.get("inputResponses")
        if not isinstance(responses, dict):
            raise RpcError(INVALID_PARAMS, "inputResponses must be an object", kind="malformed")
        known = set(responses) & set(task.question or ())
        if known or (responses and server.faulty("unknown-answer-taken")):
            task.question = None
            task.answered.set()
        if server.faulty("task-update-not-empty"):
            return {"resultType": "complete", **self._shown(task, request.era)}
        return {"resultType": "complete"}

    def _cancel(self, server: Server, request: Request, task: Task) -> Message:
        ended = task.status in TERMINAL
        if ended and request.era != MODERN and not server.faulty("ended-task-cancelled"):
            raise RpcError(INVALID_PARAMS, "The task has ended already")
        task.end("cancelled")
        if task.work is not None:
            task.work.cancel()
        if request.era != MODERN:
            return self._shown(task, request.era)
        return {"resultType": "task" if server.faulty("task-cancel-says-task") else "complete"}

    @staticmethod
    def _shown(task: Task, era: str) -> Message:
        ttl, poll = ("ttlMs", "pollIntervalMs") if era == MODERN else ("ttl", "pollInterval")
        return {
            "taskId": task.identifier, "status": task.status, "createdAt": TIME, "lastUpdatedAt": TIME,
            ttl: 60_000, poll: POLL_MS,
        }  # fmt: skip
