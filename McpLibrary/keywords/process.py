"""Keywords for the life of a stdio server: how it ends, what it writes last, and what it leaves behind."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword
from robot.utils import DotDict

from ..checks.streams import answer_counts
from ..failures import WrongUse
from .base import Group, seconds

if TYPE_CHECKING:
    from ..wire.stdio import ExitFacts, StdioTransport

_LIMIT = timedelta(seconds=5)
"""Time to leave that the official clients give, too."""

_ORPHAN_LIMIT = 1.0
"""Seconds that children have to follow their parent."""


class Process(Group):
    @keyword(tags=["process", "assertion"])
    def server_should_exit_at_end_of_input(self, *, timeout: timedelta = _LIMIT, server: str | None = None) -> Any:
        """Close the stdin of a stdio server, and fail unless its process ends by itself. (STDIO-04)

        This is how every client says good-bye; a server that does not notice stays behind with each session.

        Args:
            timeout: Time that it has.
            server: Alias of a stdio connection; the current one if not given. It can only be closed afterwards.

        Returns:
            How it ended, as a dictionary: `code` and `after` (seconds).

        Example:
        ```robotframework
        Connect To Server    python server.py
        ${end} =    Server Should Exit At End Of Input    timeout=3 s
        Should Be Equal As Integers    ${end.code}    0
        ```
        """
        transport = self._stdio(server)
        limit = seconds(timeout) or _LIMIT.total_seconds()
        facts = self.ctx.wait(transport.end_input, limit, timeout=2 * limit)
        return self._ending(facts, f"after its input ended, but still runs after {limit:g} seconds", server)

    @keyword(tags=["process"])
    def close_server_input(self, *, timeout: timedelta = _LIMIT, server: str | None = None) -> bool:
        """Close the stdin of a stdio server and wait for its process, without a verdict.

        Args:
            timeout: The most time that is waited.
            server: Alias of a stdio connection; the current one if not given. It can only be closed afterwards.

        Returns:
            Whether the process has ended.
        """
        transport = self._stdio(server)
        limit = seconds(timeout) or _LIMIT.total_seconds()
        ended = self.ctx.wait(transport.end_input, limit, timeout=2 * limit) is not None
        self.ctx.flush(self.ctx.connection(server))
        return ended

    @keyword(tags=["process", "assertion"])
    def server_should_exit_at_sigterm(self, *, timeout: timedelta = _LIMIT, server: str | None = None) -> Any:
        """Send SIGTERM to a stdio server whose input is open, and fail unless its process ends. (STDIO-04)

        The second step of every client, for a server that did not leave at the end of its input; supervisors begin with it.

        Args:
            timeout: Time that it has.
            server: Alias of a stdio connection; the current one if not given. It can only be closed afterwards.

        Returns:
            How it ended, as a dictionary: `code` (negative for the signal itself) and `after` (seconds).
        """
        transport = self._stdio(server)
        limit = seconds(timeout) or _LIMIT.total_seconds()
        facts = self.ctx.wait(transport.signal, "SIGTERM", limit, timeout=2 * limit)
        return self._ending(facts, f"at SIGTERM, but still runs after {limit:g} seconds", server)

    @keyword(tags=["process"])
    def kill_server_process(self, *, server: str | None = None) -> None:
        """Kill the process of a stdio server, as a crash or the system would. (STDIO-08)

        Args:
            server: Alias of a stdio connection; the current one if not given. It can only be closed afterwards.
        """
        transport = self._stdio(server)
        self.ctx.wait(transport.signal, "SIGKILL", 5.0, timeout=10)

    @keyword(tags=["process", "assertion"])
    def server_should_leave_no_processes(self, *, server: str | None = None) -> None:
        """Fail when processes that a stdio server started still run although it has ended itself.

        They are ended with the connection in any case. Skips the test where the system has no process groups (Windows).

        Args:
            server: Alias of a stdio connection whose process has ended; the current one if not given.
        """
        transport = self._stdio(server, ended=True)
        if os.name == "nt":
            raise SkipExecution("Not judged: this system has no process groups, by which children could be found.")
        left = self.ctx.wait(transport.left_behind, _ORPHAN_LIMIT, timeout=10)
        if left:
            raise self.ctx.broken(
                "The server should leave no processes behind, but some that it started still run.",
                where=f"Server {self.ctx.connection(server).described}.",
                evidence=", ".join(left),
                hint="a launcher must pass the end of its input and signals on to the server that it started.",
            )

    @keyword(tags=["process", "assertion"])
    def requests_should_be_answered_once(self, *, at_most: bool = False, server: str | None = None) -> int:
        """Fail when a request of this connection got no response, or more than one. (STDIO-06, STDIO-10)

        Args:
            at_most: `True` accepts requests without a response, as after the end of the input.
            server: Alias of a connection over stdio or memory; the current one if not given.

        Returns:
            How many requests were judged. Fails when there were none.
        """
        connection = self.ctx.connection(server)
        if connection.session.transport.kind == "http":
            raise WrongUse("Over HTTP each request has an answer of its own; this is for connections on one stream.")
        counts = answer_counts(connection.session.transcript.frames())
        if not counts:
            raise WrongUse("No request was sent on this connection yet, so nothing can be told about its answers.")
        where = f"Server {connection.described}."
        for (_, identifier), count in counts.items():
            if count > 1:
                raise self.ctx.defect(
                    f"Each request should be answered once, but id {identifier!r} was {count} times.", where=where
                )
            if count == 0 and not at_most:
                raise self.ctx.defect(
                    f"Each request should be answered once, but id {identifier!r} never was.", where=where
                )
        return len(counts)

    def _stdio(self, server: str | None, *, ended: bool = False) -> StdioTransport:
        from ..wire.stdio import StdioTransport

        connection = self.ctx.connection(server)
        transport = connection.session.transport
        if not isinstance(transport, StdioTransport):
            raise WrongUse(f"Server {connection.described} is no process of ours; this needs a stdio server.")
        if ended and transport.returncode is None:
            raise WrongUse(f"The process of server {connection.described} still runs; end it first.")
        if not ended and transport.returncode is not None:
            raise self.ctx.defect(
                f"The server ended before it was asked to: {transport.closed_because}.",
                where=f"Server {connection.described}.",
            )
        return transport

    def _ending(self, facts: ExitFacts | None, otherwise: str, server: str | None) -> Any:
        connection = self.ctx.connection(server)
        self.ctx.flush(connection)
        if facts is None:
            raise self.ctx.broken(
                f"The server process should end {otherwise}.",
                where=f"Server {connection.described}.",
                hint="read until stdin ends and then return from main; a thread or timer that is left keeps a process alive.",
            )
        logger.info(f"The process ended with code {facts.code} after {facts.after:.2f} seconds.")
        return DotDict(code=facts.code, after=facts.after)
