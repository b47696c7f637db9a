"""Keywords for requests that stay in flight: calls that are started and waited for, and their cancellation."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api.deco import keyword

from ..failures import WrongUse
from ..logs import log_exchanges
from ..types import Expect, JsonOrText, OptionalJson, OptionalJsonOrText
from ..wire.frame import Exchange
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, seconds

if TYPE_CHECKING:
    from ..session.connections import Connection


class InFlight(Group):
    prepare_call: Any
    params_of: Any

    @keyword(tags=["ask"])
    def start_call(
        self,
        method: str,
        params: OptionalJson = None,
        *,
        id: OptionalJsonOrText = None,  # noqa: A002
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> str:
        """Start a request and go on without waiting; *Wait For Call* takes its reply.

        Args:
            method: Method, such as `tools/call` or `subscriptions/listen`.
            params: Its params as a JSON object; the envelope of a modern connection is added.
            id: Id of the request, JSON or text; the next free number if not given.
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
        from ..session.connections import Call

        connection = self.ctx.connection(server)
        session = connection.session
        identifier = session.next_id() if id is None else id
        handle = f"{connection.alias}/{identifier}"
        limit = seconds(timeout)

        async def run() -> Exchange:
            return await session.request(method, MISSING if params is None else params, id=identifier, timeout=limit)

        connection.calls[handle] = Call(self.ctx.loop.spawn(run), limit or session.timeout, identifier)
        return handle

    @keyword(tags=["ask", "suites"])
    def start_role_call(self, role: Any, *, meta: OptionalJson = None, id: OptionalJsonOrText = None) -> str:  # noqa: A002
        """Start a call of the tool of a role, with its arguments, and go on without waiting.

        Args:
            role: What *Require Role* or *Require Slow Tool* returned.
            meta: Members for the `_meta` of the request, as a JSON object.
            id: Id of the request; the next free number if not given.

        Returns:
            A handle for *Wait For Call* and *Cancel Request*.

        Example:
        ```robotframework
        ${tool} =    Require Slow Tool    0.2
        ${call} =    Start Role Call    ${tool}    meta={"progressToken": "t"}
        ${r} =    Wait For Call    ${call}
        ```
        """
        self.prepare_call(role["name"])
        handle: str = self.start_call("tools/call", self.params_of(role, meta), id=id)
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
        connection = self.connection_of(call)
        started = connection.calls.pop(call)
        exchange = self.ctx.loop.wait_for(started.future, limit=started.limit + 8)
        log_exchanges([exchange], self.ctx.masker, self.ctx.log_limit)
        self.judge(exchange, expect, connection)
        return Reply(exchange, connection.alias)

    def connection_of(self, call: str) -> Connection:
        """The connection that a call of ours is in flight on."""
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
            connection = self.connection_of(request)
            identifier = connection.calls[request].id

        async def run() -> None:
            await connection.session.cancel(identifier, reason)

        with self.ctx.logged(connection):
            self.ctx.wait(run)
