"""Keywords for requests that stay in flight: calls that are started and waited for, cancellation, subscriptions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api.deco import keyword

from ..failures import WrongUse
from ..logs import log_exchanges
from ..types import Expect, Json, JsonOrText, OptionalJson
from ..wire.frame import Outcome
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, seconds


class InFlight(Group):
    @keyword(tags=["ask"])
    def start_call(
        self, method: str, params: OptionalJson = None, *, timeout: timedelta | None = None, server: str | None = None
    ) -> str:
        """Start a request and go on without waiting; *Wait For Call* takes its reply.

        Args:
            method: Method, such as `tools/call` or `subscriptions/listen`.
            params: Its params as a JSON object; the envelope of a modern connection is added.
            timeout: Time for the answer, counted from now; the connection's own if not given.
            server: Alias of the connection; the current one if not given.

        Returns:
            A handle for *Wait For Call* and *Cancel Request*.

        Example:
        ```robotframework
        ${call} =    Start Call    tools/call    {"name": "brew_slowly", "arguments": {"seconds": 5}}
        Cancel Request    ${call}
        ${r} =    Wait For Call    ${call}    expect=ANY
        ```
        """
        connection = self.ctx.connection(server)
        session = connection.session
        identifier = session.next_id()
        handle = f"{connection.alias}/{identifier}"
        limit = seconds(timeout)

        async def run() -> Any:
            return await session.request(method, MISSING if params is None else params, id=identifier, timeout=limit)

        connection.calls[handle] = (self.ctx.loop.spawn(run), limit or session.timeout)
        return handle

    @keyword(tags=["ask"])
    def wait_for_call(self, call: str, *, expect: Expect = Expect.RESULT) -> Reply:
        """Wait for a call that *Start Call* started.

        Args:
            call: Its handle.
            expect: How it shall end.

        Returns:
            The reply.
        """
        connection = self._connection_of(call)
        future, limit = connection.calls.pop(call)
        exchange = self.ctx.loop.wait_for(future, limit=limit + 8)
        log_exchanges([exchange], self.ctx.masker, self.ctx.log_limit)
        self.judge(exchange, expect, connection)
        return Reply(exchange, connection.alias)

    def _connection_of(self, call: str) -> Any:
        for connection in self.ctx.connections:
            if call in connection.calls:
                return connection
        open_calls = [c for connection in self.ctx.connections for c in connection.calls]
        raise WrongUse(f"There is no call {call!r} in flight. In flight: {', '.join(open_calls) or 'none'}.")

    @keyword(tags=["ask"])
    def cancel_request(self, request: JsonOrText, reason: str | None = None, *, server: str | None = None) -> None:
        """Cancel a request in the way of its era and transport.

        stdio, memory and legacy HTTP: `notifications/cancelled`. Modern HTTP: its response stream is closed. (CANC-01)

        Args:
            request: Handle of *Start Call*, or the id of a request.
            reason: Reason to send along, where the era has a place for it.
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        identifier: Any = request
        if isinstance(request, str) and "/" in request:
            connection = self._connection_of(request)
            identifier = int(request.rpartition("/")[2])

        async def run() -> None:
            await connection.session.cancel(identifier, reason)

        with self.ctx.logged(connection):
            self.ctx.wait(run)

    @keyword(tags=["ask"])
    def listen_for_changes(
        self, notifications: Json, *, timeout: timedelta | None = None, server: str | None = None
    ) -> str:
        """Open a modern subscription and wait until the server acknowledges it. (SUB-01)

        Args:
            notifications: What to listen for, as a JSON object: `{"toolsListChanged": true}`,
                `{"resourceSubscriptions": ["shop://catalog"]}`.
            timeout: Time for the acknowledgment.
            server: Alias of the connection; the current one if not given.

        Returns:
            A handle: *Cancel Request* ends the subscription, *Wait For Notification* takes what comes.

        Fails when the server answers with an error, or does not acknowledge in time.
        """
        connection = self.ctx.connection(server)
        session = connection.session
        if not session.modern:
            raise WrongUse(
                "Subscriptions by 'subscriptions/listen' exist on modern connections only; see 'Subscribe To Resource'."
            )
        mark = session.transcript.seen
        limit = seconds(timeout) or session.timeout
        handle: str = self.start_call(
            "subscriptions/listen", {"notifications": notifications}, timeout=timedelta(days=1), server=server
        )
        future, _ = connection.calls[handle]

        async def acknowledged() -> Any:
            return await session.wait_for_frame(
                lambda f: f.method == "notifications/subscriptions/acknowledged" or f.kind == "error",
                since=mark,
                timeout=limit,
            )

        frame = self.ctx.wait(acknowledged, timeout=limit)
        if frame is None or frame.kind == "error":
            future.cancel()
            del connection.calls[handle]
            exchange = session.transcript.exchange(-1)
            if exchange is not None and exchange.outcome is Outcome.OPEN:
                exchange.finish(Outcome.NO_ANSWER, f"no acknowledgment within {limit:g} seconds")
            raise self.ctx.broken("The subscription was not acknowledged.", exchange)
        return handle
