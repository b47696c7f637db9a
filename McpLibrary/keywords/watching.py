"""Keywords that watch what the server sends by itself: notifications, progress, stdout and stderr."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api.deco import keyword

from ..checks.streams import progress_problems, stdout_problems
from ..failures import WrongUse
from ..wire.frame import Frame
from .base import Group, frames_as_values, seconds, source_of, to_robot


class Watching(Group):
    @keyword(tags=["watch"])
    def wait_for_notification(self, method: str, *, timeout: timedelta | None = None, server: str | None = None) -> Any:
        """Return the next notification of this method that was not waited for yet, also one that came already.

        Args:
            method: Method with or without `notifications/`, such as `tools/list_changed`.
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
        connection = self.ctx.connection(server)
        session = connection.session
        name = _full(method)
        limit = seconds(timeout) or session.timeout
        mark = connection.notification_marks.get(name, 0)

        async def run() -> Frame | None:
            return await session.wait_for_frame(
                lambda f: f.kind == "notification" and f.method == name, since=mark, timeout=limit
            )

        frame = self.ctx.wait(run, timeout=limit)
        self.ctx.flush(connection)
        if frame is None:
            others = sorted({f.method or "?" for f in _notifications(session.transcript.frames())})
            raise self.ctx.broken(
                f"No {name} came within {limit:g} seconds.",
                where=f"Server {connection.described}.",
                evidence=f"came: {', '.join(others) or 'no notification at all'}"
                + (f"; {session.transport.closed_because}" if session.transport.closed_because else ""),
            )
        connection.notification_marks[name] = session.transcript.position(frame)
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
        frames = _notifications(self.ctx.connection(server).session.transcript.frames())
        return frames_as_values(f for f in frames if method is None or f.method == _full(method))

    @keyword(tags=["watch", "assertion"])
    def progress_should_increase(self, reply: Any) -> list[Any]:
        """Fail unless the progress notifications of a call rise strictly and carry the call's token. (PROG-01 to PROG-03)

        Args:
            reply: The reply of a call with `progress_token=`.

        Returns:
            The progress notifications. Fails also when there are none.

        Example:
        ```robotframework
        ${r} =    Call Tool    brew_slowly    seconds=0.2    progress_token=p1
        Progress Should Increase    ${r}
        ```
        """
        exchange = source_of(reply)
        frames = [f for f in exchange.between if f.method == "notifications/progress"]
        if not frames:
            raise self.ctx.broken(
                "The call should have reported progress, but no notifications/progress came.", exchange
            )
        problems = progress_problems(exchange.request.value, [f.value for f in frames])
        if problems:
            raise self.ctx.broken(f"{problems[0]}.", exchange, evidence=frames[-1].raw.decode("utf-8", "replace"))
        return frames_as_values(frames)

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


def _full(method: str) -> str:
    return method if method.startswith("notifications/") else f"notifications/{method}"


def _notifications(frames: list[Frame]) -> list[Frame]:
    return [f for f in frames if f.direction == "received" and f.kind == "notification"]
