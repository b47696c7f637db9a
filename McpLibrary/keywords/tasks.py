"""Keywords for tasks: calls whose result is fetched later, as core tasks (2025-11-25) and as the extension (2026-07-28)."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api import SkipExecution
from robot.api.deco import keyword

from ..checks import tasks as checks
from ..failures import WrongUse
from ..types import Expect, OptionalJson
from ..wire.frame import Exchange
from ..wire.jsonrpc import MISSING, MISSING_CLIENT_CAPABILITY, describe_code
from .base import Group, Reply, ended, seconds, source_of, to_robot

if TYPE_CHECKING:
    from ..session.connections import Connection

_LONGEST_PAUSE = 1.0
"""Seconds between two looks at a task, whatever interval the server suggests."""

_SHORTEST_PAUSE = 0.02


class Tasks(Group):
    frames_of: Any

    @keyword(tags=["suites", "tasks"])
    def require_tasks(self, *, server: str | None = None) -> None:
        """Skip the test unless the server offers tasks for `tools/call` in the revision of the connection.

        Core tasks belong to 2025-11-25 (capability `tasks.requests.tools.call`), the extension
        `io.modelcontextprotocol/tasks` to 2026-07-28 (`capabilities.extensions`).

        Args:
            server: Alias of the connection; the current one if not given.
        """
        session = self.ctx.connection(server).session
        name = session.revision.name if session.revision else "no handshake"
        if not session.modern and name != "2025-11-25":
            raise SkipExecution(f"Not applicable: tasks belong to 2025-11-25 and later, the connection is {name}.")
        if not checks.task_support(session.server.capabilities, modern=session.modern):
            wanted = (
                f"the extension {checks.EXTENSION}" if session.modern else "the capability 'tasks.requests.tools.call'"
            )
            raise SkipExecution(f"Not applicable: the server does not declare {wanted}.")

    @keyword(tags=["tasks"])
    def call_tool_as_task(
        self,
        name: str,
        arguments: OptionalJson = None,
        *,
        ttl: timedelta = timedelta(minutes=1),
        expect: Expect = Expect.ANY,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Call a tool so that the server can make a task of the call, and return at once what it answers.

        On 2025-11-25 the params carry `task`, on a modern connection the request declares the extension; there the server
        decides, and may also answer with an ordinary result.

        Args:
            name: Name of the tool.
            arguments: Its arguments as a JSON object.
            ttl: How long the task shall be kept; sent on 2025-11-25 only.
            expect: How the call shall end; anything by default.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply as described at *Call Tool*; `${r.task}` is the created task, `None` for an ordinary result.

        Example:
        ```robotframework
        ${r} =    Call Tool As Task    research    {"topic": "tea"}
        ${end} =    Wait For Task    ${r.task.taskId}
        Should Be Equal    ${end.task.status}    completed
        ```
        """
        session = self.ctx.connection(server).session
        params: dict[str, Any] = {"name": name, "arguments": arguments or {}}
        if not session.modern:
            params["task"] = {"ttl": int(ttl.total_seconds() * 1000)}
        return self._ask_about("tools/call", params, timeout, server, expect)

    @keyword(tags=["tasks"])
    def get_task(self, task_id: str, *, timeout: timedelta | None = None, server: str | None = None) -> Reply:
        """Ask for the state of a task (`tasks/get`).

        Args:
            task_id: Id of the task.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply, whatever it is; `${r.task}` is the task, `None` after an error.
        """
        return self._ask_about("tasks/get", {"taskId": task_id}, timeout, server)

    @keyword(tags=["tasks"])
    def wait_for_task(
        self,
        task_id: str,
        *,
        until: str = "end",
        timeout: timedelta = timedelta(seconds=30),
        server: str | None = None,
    ) -> Reply:
        """Ask for a task again and again, at the interval that the server suggests (at most a second), until it ends.

        Args:
            task_id: Id of the task.
            until: `end` for a final status (`completed`, `failed`, `cancelled`), or a status such as `input_required`,
                with which or a final one the wait ends.
            timeout: Time for all of it.
            server: Alias of the connection; the current one if not given.

        Returns:
            The last reply of `tasks/get`; `${r.task}` is the task, `${r.statuses}` lists all statuses seen.

        Fails when the time is over, or an answer is no task.
        """
        if until != "end" and until not in checks.STATUSES:
            raise WrongUse(f"until= takes 'end' or a status ({', '.join(checks.STATUSES)}), got {until!r}.")
        connection = self.ctx.connection(server)
        session = connection.session
        limit = seconds(timeout) or 30.0
        deadline = time.monotonic() + limit
        statuses: list[Any] = []

        async def run() -> tuple[Exchange, bool]:
            import anyio

            while True:
                exchange = await session.request(
                    "tasks/get", self._task_params(connection, {"taskId": task_id}), timeout=limit
                )
                state = exchange.result if isinstance(exchange.result, dict) else None
                if state is None or not isinstance(state.get("status"), str):
                    return exchange, True
                statuses.append(state["status"])
                if state["status"] in (*checks.TERMINAL, until):
                    return exchange, True
                interval = state.get(self._task_dialect(connection).poll_interval)
                pause = interval / 1000 if isinstance(interval, (int, float)) else _LONGEST_PAUSE
                if time.monotonic() > deadline:
                    return exchange, False
                await anyio.sleep(min(max(pause, _SHORTEST_PAUSE), _LONGEST_PAUSE))

        with self.ctx.logged(connection):
            exchange, came = self.ctx.wait(run, timeout=2 * limit)
        reply = self._with_task(Reply(exchange, connection.alias), connection)
        if reply.task is None:
            raise self.ctx.broken(f"The state of a task should be a task, but was {ended(exchange)}.", exchange)
        if not came:
            raise self.ctx.defect(
                f"The task should reach {'an end' if until == 'end' else until} within {limit:g} seconds, but is "
                f"{statuses[-1]}.", exchange,
            )  # fmt: skip
        reply["statuses"] = statuses
        return reply

    @keyword(tags=["tasks"])
    def get_task_result(self, task_id: str, *, timeout: timedelta | None = None, server: str | None = None) -> Reply:
        """Wait for the end of a core task and return its result (`tasks/result`, 2025-11-25 only).

        Args:
            task_id: Id of the task.
            timeout: Time for the answer, which comes when the task has ended.
            server: Alias of the connection; the current one if not given.
        """
        return self._ask_about("tasks/result", {"taskId": task_id}, timeout, server)

    @keyword(tags=["tasks"])
    def cancel_task(self, task_id: str, *, timeout: timedelta | None = None, server: str | None = None) -> Reply:
        """Ask the server to cancel a task (`tasks/cancel`).

        Args:
            task_id: Id of the task.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply: on 2025-11-25 with the cancelled task in `${r.task}`, by the extension an empty acknowledgement.
        """
        return self._ask_about("tasks/cancel", {"taskId": task_id}, timeout, server)

    @keyword(tags=["tasks"])
    def update_task(
        self,
        task_id: str,
        responses: OptionalJson = None,
        *,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Answer what a task asks (`tasks/update`, extension only).

        Args:
            task_id: Id of the task.
            responses: The answers by key, as a JSON object such as `{"name": {"action": "accept", "content": {"name": "Ada"}}}`.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.
        """
        return self._ask_about("tasks/update", {"taskId": task_id, "inputResponses": responses or {}}, timeout, server)

    @keyword(tags=["tasks"])
    def answer_task_until_it_ends(
        self,
        task_id: str,
        content: OptionalJson = None,
        *,
        timeout: timedelta = timedelta(seconds=30),
        server: str | None = None,
    ) -> Reply:
        """Accept every question of a task with the same content until the task ends. (TASK-X09)

        A key may be seen again while the server has not dealt with its answer yet; under a key that was used already
        another question must not come.

        Args:
            task_id: Id of the task.
            content: Content of each accepted form, as a JSON object.
            timeout: Time for all of it.
            server: Alias of the connection; the current one if not given.

        Returns:
            The last reply of `tasks/get`, as *Wait For Task* gives it.

        Fails when a key comes with another question, or the task does not end in time.
        """
        deadline = time.monotonic() + (seconds(timeout) or 30.0)
        asked: dict[str, Any] = {}
        reply: Reply = self.wait_for_task(task_id, until="input_required", timeout=timeout, server=server)
        statuses = reply["statuses"]
        while reply["task"]["status"] == "input_required":
            open_questions = reply["task"].get("inputRequests") or {}
            reused = [key for key, question in open_questions.items() if asked.get(key, question) != question]
            if reused:
                raise self.ctx.broken(
                    f"The key {reused[0]!r} should stand for one question, but came with another.", reply.source
                )
            new = {key: question for key, question in open_questions.items() if key not in asked}
            asked.update(new)
            if new:
                answers: Any = {key: {"action": "accept", "content": content or {}} for key in new}
                self.task_request_should_be_acknowledged(self.update_task(task_id, answers, server=server))
            else:  # Answered already; the server may take its time to see it.
                time.sleep(_SHORTEST_PAUSE)
            left = deadline - time.monotonic()
            if left <= 0:
                raise self.ctx.defect(
                    f"The task should end within {timeout.total_seconds():g} seconds, but still asks after "
                    f"{len(asked)} answers.", reply.source,
                )  # fmt: skip
            reply = self.wait_for_task(task_id, until="input_required", timeout=timedelta(seconds=left), server=server)
            statuses += reply["statuses"]
        reply["statuses"] = statuses
        return reply

    # -- verdicts -----------------------------------------------------------------------------------------------

    @keyword(tags=["tasks", "assertion"])
    def task_should_be_created(self, reply: Any) -> Any:
        """Fail unless the answer of a call creates a task of the right shape. (TASK-L02, TASK-X03)

        Args:
            reply: The reply of *Call Tool As Task*.

        Returns:
            The task.
        """
        exchange = self._task_result(reply)
        dialect = self._task_dialect_of(reply)
        self.fail_on(checks.creation_problems(exchange.result, dialect), "No proper task was created", exchange)
        return to_robot(checks.created_task(exchange.result, dialect))

    @keyword(tags=["tasks", "assertion"])
    def task_state_should_be_well_formed(self, reply: Any) -> None:
        """Fail unless `tasks/get` answered with a task and with what its status brings along. (TASK-X05)

        By the extension `completed` carries `result`, `failed` carries `error`, `input_required` carries `inputRequests`,
        and no other status does; `resultType` is `complete` (TASK-X03).

        Args:
            reply: The reply of *Get Task* or *Wait For Task*.
        """
        exchange = self._task_result(reply)
        dialect = self._task_dialect_of(reply)
        problems = checks.state_problems(exchange.result, dialect)
        if dialect.inlined and exchange.result.get("resultType") != "complete":
            problems.append(
                f"'resultType' of tasks/get must be 'complete', got {exchange.result.get('resultType', 'none')!r}"
            )
        asked = exchange.request.value["params"]["taskId"]
        if not problems and exchange.result["taskId"] != asked:
            problems.append(f"'taskId' must be {asked!r}, which was asked for, got {exchange.result['taskId']!r}")
        self.fail_on(problems, "The state of the task is malformed", exchange)

    @keyword(tags=["tasks", "assertion"])
    def task_status_should_be(self, reply: Any, *statuses: str) -> None:
        """Fail unless the task that a reply shows has one of these statuses.

        Args:
            reply: The reply of *Get Task*, *Wait For Task*, *Call Tool As Task* or, on 2025-11-25, *Cancel Task*.
            statuses: Statuses that are right, such as `completed`.
        """
        exchange = self._task_result(reply)
        got = (reply.get("task") or {}).get("status")
        if got not in statuses:
            raise self.ctx.broken(f"The task should be {' or '.join(statuses)}, but is {got or 'not shown'}.", exchange)

    @keyword(tags=["tasks", "assertion"])
    def task_should_not_be_created(self, reply: Any) -> None:
        """Fail unless a call was answered by an ordinary result and not by a task. (TASK-X01, TASK-L01)

        Args:
            reply: The reply of *Call Tool* or *Send Raw Request*.
        """
        exchange = self._task_result(reply)
        if checks.created_task(exchange.result, self._task_dialect_of(reply)) is not None:
            raise self.ctx.broken("The client asked for no task, but the call made one.", exchange)

    @keyword(tags=["tasks", "assertion"])
    def extension_should_be_demanded(self, reply: Any, extension: str = checks.EXTENSION) -> None:
        """Fail unless the answer is error -32021 whose data names the extension that must be declared. (TASK-X02, TASK-X08)

        Args:
            reply: The reply of a request that did not declare it.
            extension: Name of the extension.
        """
        exchange = source_of(reply)
        if exchange.error_code != MISSING_CLIENT_CAPABILITY:
            raise self.ctx.broken(
                f"A request without {extension} should be refused with {describe_code(MISSING_CLIENT_CAPABILITY)}, but was "
                f"{ended(exchange)}.", exchange,
            )  # fmt: skip
        self.fail_on(
            checks.demand_problems(exchange.error, extension), "The refusal does not help the client", exchange
        )

    @keyword(tags=["tasks", "assertion"])
    def task_statuses_should_be_legal(self, reply: Any, *statuses: str) -> None:
        """Fail when a task left a final status, or had one that does not exist. (TASK-L04)

        Args:
            reply: The last reply about the task, shown when this fails.
            statuses: The statuses that were seen, in order.
        """
        if len(statuses) < 2:
            raise WrongUse("A transition needs two statuses or more.")
        self.fail_on(
            checks.transition_problems(statuses), "The status of the task moved in a forbidden way", source_of(reply)
        )

    @keyword(tags=["tasks", "assertion"])
    def task_request_should_be_acknowledged(self, reply: Any) -> None:
        """Fail unless the answer is an empty, complete result. (TASK-X10)

        Args:
            reply: The reply of *Update Task* or *Cancel Task* on a modern connection.
        """
        exchange = self._task_result(reply)
        self.fail_on(
            checks.acknowledgement_problems(exchange.result), f"{exchange.method} should be acknowledged", exchange
        )

    @keyword(tags=["tasks", "assertion"])
    def result_should_name_its_task(self, reply: Any, task_id: str) -> None:
        """Fail unless the result of `tasks/result` says in `_meta` which task it belongs to. (TASK-L05)

        Args:
            reply: The reply of *Get Task Result*.
            task_id: Id of the task.
        """
        exchange = self._task_result(reply)
        self.fail_on(checks.related_problems(exchange.result, task_id), "The result does not name its task", exchange)

    @keyword(tags=["tasks", "assertion"])
    def task_stream_should_carry_only_tasks(self, subscription: str) -> None:
        """Fail when a listen stream for tasks carries more than the news of these: progress and log have no place there. (TASK-X13)

        Args:
            subscription: What *Listen For Changes* with `taskIds` returned. Skips the test when the server told nothing of
                a task on it, which is its right.
        """
        frames = self.frames_of(subscription)
        allowed = ("notifications/subscriptions/acknowledged", "notifications/tasks")
        for frame in frames:
            if frame.kind == "notification" and frame.method not in allowed:
                raise self.ctx.broken(
                    f"A stream for tasks should carry notifications/tasks only, but {frame.method} came.",
                    evidence=frame.raw.decode("utf-8", "backslashreplace"),
                )
        if not any(frame.method == "notifications/tasks" for frame in frames):
            raise SkipExecution("Not judged: the server told nothing of the task on the stream, which is its right.")

    @keyword(tags=["tasks", "assertion"])
    def task_ids_should_be_unguessable(self, reply: Any, *identifiers: str) -> None:
        """Fail when task ids repeat, are short, or count up. (TASK-X14)

        Args:
            reply: The last reply that created a task, shown when this fails.
            identifiers: Ids of several tasks.
        """
        if len(identifiers) < 2:
            raise WrongUse("One id does not show whether ids can be guessed; give several.")
        self.fail_on(checks.id_problems(identifiers), "The task ids can be guessed", source_of(reply))

    # ---------------------------------------------------------------------------------------------------------------

    def _task_params(self, connection: Connection, params: dict[str, Any]) -> dict[str, Any]:
        """The params, with the extension declared where it is by extension."""
        from ..session.envelope import CAPABILITIES_KEY

        if not connection.session.modern:
            return params
        capabilities = connection.session.client_side.capabilities()
        extensions = {**capabilities.get("extensions", {}), checks.EXTENSION: {}}
        return {**params, "_meta": {CAPABILITIES_KEY: {**capabilities, "extensions": extensions}}}

    def _ask_about(self, method: str, params: dict[str, Any], timeout: timedelta | None, server: str | None,
             expect: Expect = Expect.ANY) -> Reply:  # fmt: skip
        connection = self.ctx.connection(server)
        session = connection.session
        limit = seconds(timeout) or session.timeout

        async def run() -> Exchange:
            if method == "tools/call" and session.modern and session.transport.kind == "http":
                await session.tool_schemas()  # For the headers that mirror arguments.
            return await session.request(method, self._task_params(connection, params), timeout=limit)

        with self.ctx.logged(connection):
            exchange = self.ctx.wait(run, timeout=limit)
        self.judge(exchange, expect, connection)
        if expect is Expect.ANY and exchange.answer is None and exchange.status is None:
            raise self.ctx.no_answer(exchange, connection)
        return self._with_task(Reply(exchange, connection.alias), connection)

    def _with_task(self, reply: Reply, connection: Connection) -> Reply:
        exchange = reply.source
        dialect = self._task_dialect(connection)
        if exchange.method == "tools/call":
            task = checks.created_task(exchange.result, dialect)
        else:
            task = exchange.result if isinstance(exchange.result, dict) and "taskId" in exchange.result else None
        reply["task"] = to_robot(task)
        return reply

    @staticmethod
    def _task_dialect(connection: Connection) -> checks.TaskDialect:
        return checks.BY_EXTENSION if connection.session.modern else checks.CORE

    def _task_dialect_of(self, reply: Any) -> checks.TaskDialect:
        return self._task_dialect(self.ctx.connection(reply["server"]))

    def _task_result(self, reply: Any) -> Exchange:
        exchange = source_of(reply)
        if not isinstance(exchange.result, dict) or exchange.error is not MISSING:
            raise self.ctx.broken(f"{exchange.method} should give a result, but was {ended(exchange)}.", exchange)
        return exchange
