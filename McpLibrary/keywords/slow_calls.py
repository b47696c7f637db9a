"""Keywords for slow calls: several at once, hanging up on one, and what became of it by the state that a tool shows."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from robot.api import SkipExecution
from robot.api.deco import keyword

from ..checks.http import EVENTS
from ..failures import WrongUse
from ..wire.frame import Exchange
from .base import Group, Reply, seconds, to_robot

_PATIENCE = 1.0
"""Seconds that a stream may stay open after its answer before that is held against the server."""

_PAUSE = 0.05
"""Seconds between two questions to a state probe."""

_ENDINGS = {
    "started": ("have started", "it started"),
    "finished": ("have finished", "it finished"),
    "cancelled": ("have been cancelled", "it was cancelled"),
}


class SlowCalls(Group):
    start_call: Any
    call_tool: Any
    connection_of: Any

    @keyword(tags=["ask"])
    def call_slow_tool(
        self, role: Any, *, duration: float = 0.1, times: int = 1, server: str | None = None
    ) -> list[Any]:
        """Call the tool of role `slow_tool`, several times at once if wished, and ask for progress each time.

        Args:
            role: What *Require Role* returned.
            duration: For how many seconds it shall work, if the role names its `seconds_argument`.
            times: How many calls are in flight together.
            server: Alias of the connection; the current one if not given.

        Returns:
            The replies, in the order of the calls. Fails when one of them gets no answer.
        """
        from ..session.probing import together

        connection = self.ctx.connection(server)
        session = connection.session
        params = [_slow_call(role, duration, f"mcplibrary-{session.next_id()}") for _ in range(times)]

        async def run() -> list[Exchange]:
            return await together(session, "tools/call", params)

        with self.ctx.logged(connection), _patient(session.transport):
            exchanges = self.ctx.wait(run, timeout=session.timeout + _PATIENCE)
        for exchange in exchanges:
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, connection)
        return [Reply(exchange, connection.alias) for exchange in exchanges]

    @keyword(tags=["ask"])
    def start_slow_call(self, role: Any, *, duration: float = 1.0, server: str | None = None) -> str:
        """Start a call of the tool of role `slow_tool`, asking for progress, and go on without waiting.

        Args:
            role: What *Require Role* returned.
            duration: For how many seconds it shall work, if the role names its `seconds_argument`.
            server: Alias of the connection; the current one if not given.

        Returns:
            A handle for *Hang Up Call*, *Cancel Request* and *Wait For Call*.
        """
        token = f"mcplibrary-{self.ctx.connection(server).session.next_id()}"
        handle: str = self.start_call("tools/call", _slow_call(role, duration, token), server=server)
        return handle

    @keyword(tags=["ask"])
    def hang_up_call(self, call: str) -> Reply:
        """Close the HTTP connection of a call in flight without a word, as a client does that lost its network.

        Args:
            call: Handle of *Start Call* or *Start Slow Call*.

        Returns:
            The reply, of which only what came before the end is there.
        """
        connection = self.connection_of(call)
        session = connection.session
        if session.transport.kind != "http":
            raise WrongUse(f"A call over {session.transport.kind} has no connection of its own to close.")
        started = connection.calls.pop(call)

        async def run() -> None:
            session.hang_up(started.id)

        with self.ctx.logged(connection):
            self.ctx.wait(run)
            exchange = self.ctx.loop.wait_for(started.future, limit=started.limit)
        return Reply(exchange, connection.alias)

    @keyword(tags=["suites"])
    def require_open_stream(self, call: str, *, timeout: timedelta = timedelta(seconds=2)) -> None:
        """Wait until a call in flight is answered by an event stream; skip the test, and hang up, when it is not.

        Args:
            call: Handle of *Start Slow Call*.
            timeout: Time to wait.
        """
        from ..session.probing import until

        connection = self.connection_of(call)
        session, identifier = connection.session, connection.calls[call].id
        limit = seconds(timeout) or _PATIENCE

        def settled() -> Any:
            exchange = session.in_flight(identifier)
            return exchange is None or exchange.status is not None

        async def run() -> bool:
            await until(settled, limit)
            exchange = session.in_flight(identifier)
            return exchange is not None and exchange.http is not None and exchange.http.media_type == EVENTS

        if not self.ctx.wait(run, timeout=limit):
            self.hang_up_call(call)
            raise SkipExecution(
                "Not applicable: the server opened no event stream for this call, which could be closed."
            )

    @keyword(tags=["ask"])
    def count_slow_calls(self, probe: Any) -> Any:
        """Return how many slow calls began, finished and were cancelled, as the role `state_probe` shows.

        Args:
            probe: The role, whose `counts` names the members of its answer that count them. Skips the test without.

        Returns:
            A dictionary of `started`, `finished` and `cancelled`.
        """
        names = probe.get("counts")
        if not isinstance(names, dict):
            raise SkipExecution(
                "Not applicable: the role 'state_probe' does not say by 'counts' which members of its answer count "
                "slow calls that started, finished and were cancelled."
            )
        reply = self.call_tool(probe["name"], arguments=dict(probe["arguments"]))
        state = reply.result.get("structuredContent")
        if not isinstance(state, dict):
            try:
                state = json.loads(reply.text or "")
            except ValueError:
                state = None
        if not isinstance(state, dict) or not all(isinstance(state.get(name), int) for name in names.values()):
            raise WrongUse(
                f"The answer of the state probe has no numbers {', '.join(names.values())}: {reply.raw[:200]}"
            )
        return to_robot({meaning: state[name] for meaning, name in names.items()})

    @keyword(tags=["watch", "assertion"])
    def slow_call_should_have(
        self, ending: str, probe: Any, *, since: Any, timeout: timedelta = timedelta(seconds=5)
    ) -> None:
        """Wait until one more slow call than before has `started`, `finished` or been `cancelled`; fail if none has.

        Args:
            ending: `started`, `finished` or `cancelled`. (HTTP-25, HTTP-26)
            probe: The role `state_probe`.
            since: What *Count Slow Calls* returned before.
            timeout: Time to wait. A call that ended in the other way ends the wait at once.
        """
        from ..session.probing import pause

        other = {"finished": "cancelled", "cancelled": "finished"}.get(ending)
        end = time.monotonic() + (seconds(timeout) or 5)
        while True:
            now = self.count_slow_calls(probe)
            if now[ending] > since[ending]:
                return
            otherwise = other is not None and now[other] > since[other]
            if otherwise or time.monotonic() > end:
                instead = _ENDINGS[str(other)][1] if otherwise else "nothing of it was seen"
                raise self.ctx.broken(
                    f"The slow call should {_ENDINGS[ending][0]} by now, but {instead}.",
                    evidence=f"before: {dict(since)}, now: {dict(now)}",
                )
            self.ctx.wait(pause, _PAUSE)


def _slow_call(role: Any, duration: float, token: str) -> dict[str, Any]:
    arguments = dict(role["arguments"])
    if role.get("seconds_argument"):
        arguments[role["seconds_argument"]] = duration
    return {"name": role["name"], "arguments": arguments, "_meta": {"progressToken": token}}


@contextmanager
def _patient(transport: Any) -> Iterator[None]:
    """Give streams more time to end after their answer, so that only what stays open is seen to stay open."""
    before = getattr(transport, "drain", None)
    if before is not None:
        transport.drain = _PATIENCE
    try:
        yield
    finally:
        if before is not None:
            transport.drain = before
