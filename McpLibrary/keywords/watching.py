"""Keywords that wait for what the server sends by itself, and look at its stdout and stderr."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api.deco import keyword

from ..checks.streams import stdout_problems
from ..failures import WrongUse
from ..wire.frame import Frame
from .base import Group, frames_as_values, full_name, notifications, seconds, source_of, to_robot


class Watching(Group):
    connection_of: Any
    frames_of: Any

    @keyword(tags=["watch"])
    def wait_for_notification(
        self,
        method: str,
        *,
        subscription: str | None = None,
        since: Any = None,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Any:
        """Return the next notification of this method that was not waited for yet, also one that came already.

        Args:
            method: Method with or without `notifications/`, such as `tools/list_changed`.
            subscription: Handle of *Listen For Changes*: only what comes on that subscription.
            since: Reply of a call: only what came since that call was sent.
            timeout: Time to wait for it.
            server: Alias of the connection; the current one if not given.

        Returns:
            The notification as a dictionary.

        Fails when none comes in time; the message says which others came.

        Example:
        ```robotframework
        Listen For Changes    {"toolsListChanged": true}
        Call Tool    toggle_happy_hour
        Wait For Notification    tools/list_changed    timeout=2 s
        ```
        """
        connection = self.connection_of(subscription) if subscription else self.ctx.connection(server)
        session = connection.session
        name = full_name(method)
        limit = seconds(timeout) or session.timeout
        key = f"{name} {subscription or ''}"
        mark = connection.notification_marks.get(key, 0)
        if since is not None:
            mark = max(mark, session.transcript.position(source_of(since).request))

        def wanted(frame: Frame) -> bool:
            if frame.kind != "notification" or frame.method != name:
                return False
            return subscription is None or any(frame is own for own in self.frames_of(subscription))

        async def run() -> Frame | None:
            return await session.wait_for_frame(wanted, since=mark, timeout=limit)

        frame = self.ctx.wait(run, timeout=limit)
        self.ctx.flush(connection)
        if frame is None:
            others = sorted({f.method or "?" for f in notifications(session.transcript.frames())})
            raise self.ctx.broken(
                f"No {name} came within {limit:g} seconds.",
                where=f"Server {connection.described}.",
                evidence=f"came: {', '.join(others) or 'no notification at all'}"
                + (f"; {session.transport.closed_because}" if session.transport.closed_because else ""),
            )
        connection.notification_marks[key] = session.transcript.position(frame)
        return to_robot(frame.value)

    @keyword(tags=["watch"])
    def get_notifications(self, method: str | None = None, *, server: str | None = None) -> list[Any]:
        """Return all notifications of the connection so far, oldest first.

        Args:
            method: Only those of this method, with or without `notifications/`.
            server: Alias of the connection; the current one if not given.

        Returns:
            A list of dictionaries.
        """
        frames = notifications(self.ctx.connection(server).session.transcript.frames())
        return frames_as_values(f for f in frames if method is None or f.method == full_name(method))

    @keyword(tags=["watch", "assertion"])
    def stdout_should_carry_only_messages(self, *, server: str | None = None) -> None:
        """Fail unless every line that a stdio server wrote so far is a JSON-RPC message. (STDIO-01)

        Args:
            server: Alias of the connection; the current one if not given.

        Fails with the first line that is none. Refuses a connection that is not stdio.
        """
        connection = self.ctx.connection(server)
        if connection.session.transport.kind != "stdio":
            raise WrongUse(f"Server {connection.described} has no stdout to look at; this needs a stdio server.")
        problems = stdout_problems(connection.session.transcript.frames())
        if problems:
            raise self.ctx.broken(
                f"Stdout should carry only JSON-RPC messages, but {len(problems)} line(s) are none.",
                where=f"Server {connection.described}.", evidence=problems[0],
                hint="log lines and banners belong on stderr; a client that meets them drops the connection.",
            )  # fmt: skip

    @keyword(tags=["watch"])
    def get_server_stderr(self, *, server: str | None = None) -> str:
        """Return what a stdio server wrote to stderr so far, the newest megabyte. (STDIO-03)

        Args:
            server: Alias of the connection; the current one if not given.
        """
        transport = self.ctx.connection(server).session.transport
        read = getattr(transport, "stderr", None)
        if read is None:
            raise WrongUse(f"A connection over {transport.kind} has no stderr; this needs a stdio server.")
        return self.ctx.masker.mask(read().decode("utf-8", "replace"))
