"""Keywords that judge notifications: progress, log messages, changes; their shape, their place, and that they were asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks.leaks import find_leaks, find_secrets
from ..checks.notifications import LOG, PROGRESS, alike, below, shape_problems, subscription_id, undeclared
from ..checks.streams import progress_problems
from ..session.revisions import LATEST_LEGACY, LOG_LEVELS
from ..wire.frame import Exchange, Frame, progress_token
from ..wire.jsonrpc import to_json
from .base import Group, frames_as_values, full_name, notifications, seconds, source_of, to_robot

if TYPE_CHECKING:
    from ..session.connections import Connection


class Notifying(Group):
    @keyword(tags=["watch", "suites"])
    def require_notifications(self, reply: Any, method: str) -> list[Any]:
        """Skip the test unless a call was accompanied by notifications of this method.

        Args:
            reply: The reply of the call.
            method: Method with or without `notifications/`, such as `progress` or `message`.

        Returns:
            The notifications.
        """
        exchange = source_of(reply)
        frames = self._of_call(exchange, full_name(method))
        if not frames:
            reason = ""
            if exchange.http is not None and exchange.http.media_type == "application/json":
                reason = ", and its answer was JSON instead of an event stream, a mode that drops them (X-37)"
            raise SkipExecution(f"Nothing was judged: the call was accompanied by no {full_name(method)}{reason}.")
        return frames_as_values(frames)

    def _connection_with(self, exchange: Exchange) -> Connection:
        for connection in self.ctx.connections:
            if connection.session.transcript.exchange(exchange.number) is exchange:
                return connection
        return self.ctx.connection()

    def _since(self, exchange: Exchange) -> list[Frame]:
        """All notifications on the connection since a request was sent."""
        transcript = self._connection_with(exchange).session.transcript
        return notifications(transcript.frames(transcript.position(exchange.request)))

    def _of_call(self, exchange: Exchange, method: str) -> list[Frame]:
        """The notifications of a call: those that came in between, and progress under its token wherever it came."""
        token = progress_token(exchange.request.value)
        between = [frame for frame in exchange.between if frame.method == method]
        if method != PROGRESS:
            # On streams and on the legacy GET stream nothing says which call a log message belongs to.
            return between or [f for f in self._since(exchange) if f.method == method and f.channel != "POST"]
        elsewhere = [f for f in self._since(exchange) if f.method == method and alike(_token(f), token)]
        return between + [frame for frame in elsewhere if not any(frame is known for known in between)]

    # -- progress -----------------------------------------------------------------------------------------------

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
        frames = self._of_call(exchange, PROGRESS)
        if not frames:
            raise self.ctx.broken(
                "The call should have reported progress, but no notifications/progress came.", exchange
            )
        problems = progress_problems(exchange.request.value, [f.value for f in frames])
        if problems:
            raise self.ctx.broken(f"{problems[0]}.", exchange, evidence=frames[-1].raw.decode("utf-8", "replace"))
        return frames_as_values(frames)

    @keyword(tags=["watch", "assertion"])
    def progress_should_be_wanted(self, reply: Any) -> None:
        """Fail if progress came since this call was sent that no call asked for by a valid token. (PROG-01, PROG-07)

        Args:
            reply: The reply of a call.
        """
        exchange = source_of(reply)
        connection = self._connection_with(exchange)
        given = [progress_token(e.request.value) for e in connection.session.transcript.exchanges()]
        valid = [token for token in given if type(token) in (int, str)]
        for frame in self._since(exchange):
            if frame.method == PROGRESS and not any(alike(_token(frame), token) for token in valid):
                raise self.ctx.broken(
                    f"Progress is sent only under a token that a request gave, but it came under {_token(frame)!r}.",
                    exchange, evidence=to_json(frame.value),
                )  # fmt: skip

    # -- where and when -----------------------------------------------------------------------------------------

    @keyword(tags=["watch", "assertion"])
    def nothing_should_come_after(
        self, reply: Any, method: str, *, silence: timedelta = timedelta(seconds=1), server: str | None = None
    ) -> None:
        """Fail if notifications of this method came, or still come, after a call was answered. (PROG-04)

        Progress counts only under the token of this call.

        Args:
            reply: The reply of the call.
            method: Method with or without `notifications/`, such as `progress`.
            silence: For how long after the answer nothing may come.
            server: Alias of the connection; the current one if not given.
        """
        exchange = source_of(reply)
        connection = self.ctx.connection(server)
        session, name = connection.session, full_name(method)
        answered = exchange.finished or time.monotonic()
        token = progress_token(exchange.request.value)

        def late(frame: Frame) -> bool:
            own = name != PROGRESS or alike(_token(frame), token)
            return frame.kind == "notification" and frame.method == name and frame.at > answered and own

        limit = max(0.01, answered + (seconds(silence) or 1.0) - time.monotonic())
        mark = session.transcript.position(exchange.request)

        async def run() -> Frame | None:
            return await session.wait_for_frame(late, since=mark, timeout=limit)

        with self.ctx.logged(connection):
            frame = self.ctx.wait(run, timeout=limit)
        if frame is not None:
            after = frame.at - answered
            raise self.ctx.broken(
                f"After its answer a call sends nothing more, but {name} came {after:.3f} s later.", exchange,
                evidence=to_json(frame.value),
            )  # fmt: skip

    @keyword(tags=["watch", "assertion"])
    def notifications_should_travel_with_their_call(self, reply: Any, method: str) -> None:
        """Fail if notifications of this method came beside the stream of the call that asked for them. (PROG-05, LOG-03)

        To be used while no other call asks for the same: progress is told apart by its token, log messages by nothing.

        Args:
            reply: The reply of the call that asked for them.
            method: Method with or without `notifications/`, `progress` or `message`.
        """
        exchange, name = source_of(reply), full_name(method)
        token = progress_token(exchange.request.value)
        for frame in self._since(exchange):
            if frame.method != name or (name == PROGRESS and not alike(_token(frame), token)):
                continue
            if not any(frame is own for own in exchange.between):
                raise self.ctx.broken(
                    f"{name} should come on the stream of the call that asked for it, but came on another one.",
                    exchange, evidence=to_json(frame.value),
                    hint="a client reads what belongs to a call from the answer to its POST.",
                )  # fmt: skip

    # -- log messages -------------------------------------------------------------------------------------------

    @keyword(tags=["watch", "assertion"])
    def no_notification_should_have_come_since(self, reply: Any, method: str) -> None:
        """Fail if a notification of this method came since this call was sent, on whatever stream. (LOG-01)

        Args:
            reply: The reply of the call.
            method: Method with or without `notifications/`, such as `message`.
        """
        exchange, name = source_of(reply), full_name(method)
        came = [frame for frame in self._since(exchange) if frame.method == name]
        if came:
            raise self.ctx.broken(
                f"Nobody asked for {name}, but {len(came)} came.", exchange, evidence=to_json(came[0].value)
            )

    @keyword(tags=["watch", "assertion"])
    def log_messages_should_be_at_least(self, reply: Any, level: str) -> list[Any]:
        """Fail if a call was accompanied by log messages that are less severe than this level. (LOG-02, LOG-09)

        Args:
            reply: The reply of the call.
            level: `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`.

        Returns:
            The log messages.
        """
        exchange = source_of(reply)
        frames = self._of_call(exchange, LOG)
        lower = below([frame.value for frame in frames], level)
        if lower:
            raise self.ctx.broken(
                f"Only log messages of level {level} and above were wanted, but {', '.join(sorted(set(lower)))} came.",
                exchange, evidence=to_json(next(f.value for f in frames)),
            )  # fmt: skip
        return frames_as_values(frames)

    @keyword(tags=["watch"])
    def get_log_levels(self) -> list[str]:
        """Return the levels of log messages, the least severe first."""
        return list(LOG_LEVELS)

    @keyword(tags=["watch", "assertion"])
    def log_messages_should_leak_nothing(self, *, also: list[str] | tuple[str, ...] = ()) -> None:
        """Fail if a log message of this connection so far shows a credential, a stack trace, or a given secret. (LOG-06)

        Args:
            also: Further texts that must not show, such as a secret that the server knows.
        """
        connection = self.ctx.connection()
        for frame in self._came(connection, LOG):
            text = to_json(frame.value)
            found = [(leak.what, leak.text) for leak in [*find_secrets(text), *find_leaks(text)]]
            found += [("a text that must stay inside", secret) for secret in also if secret and secret in text]
            if found:
                raise self.ctx.broken(
                    f"A log message shows {found[0][0]}.", where=f"Server {connection.described}.", evidence=found[0][1],
                    hint="log messages go to the client and its user; write what only operators may see to stderr.",
                )  # fmt: skip

    @keyword(tags=["watch", "assertion"])
    def notification_should_name_no_subscription(self, notification: Any) -> None:
        """Fail if a notification carries the id of a subscription, which legacy revisions do not know. (NOTIF-01)

        Args:
            notification: What *Wait For Notification* returned.
        """
        identifier = subscription_id(notification)
        if identifier is not None:
            raise self.ctx.broken(
                f"A legacy notification belongs to no subscription, but {notification['method']} names {identifier!r}."
            )

    # -- all of a connection ------------------------------------------------------------------------------------

    def _came(self, connection: Connection, *methods: str) -> Iterator[Frame]:
        """The notifications of a connection so far; skips the test when there are none to judge."""
        self.ctx.flush(connection)
        came = notifications(connection.session.transcript.frames())
        chosen = [frame for frame in came if not methods or frame.method in methods]
        if not chosen:
            what = " or ".join(methods) or "notifications"
            raise SkipExecution(f"Nothing was judged: no {what} came on this connection.")
        logger.info(f"Judged: {len(chosen)} notification(s).")
        yield from chosen

    @keyword(tags=["watch", "assertion"])
    def notifications_should_be_valid(self, *methods: str, member: str | None = None) -> None:
        """Fail if the params of a notification of this connection do not fit its method and revision. (NOTIF-03, LOG-10, PROG-06)

        Args:
            methods: Only these, with or without `notifications/`; all if not given.
            member: Look at this member of the params only, such as `level`.

        Skips the test when none came.

        Example:
        ```robotframework
        Notifications Should Be Valid    message    member=level
        ```
        """
        connection = self.ctx.connection()
        revision = (connection.session.revision or LATEST_LEGACY).name
        for frame in self._came(connection, *map(full_name, methods)):
            problems = shape_problems(frame.value, revision, member)
            if problems:
                raise self.ctx.broken(
                    f"{problems[0]}.", where=f"Server {connection.described}.", evidence=to_json(frame.value)
                )

    @keyword(tags=["watch", "assertion"])
    def notifications_should_be_declared(self, *methods: str) -> None:
        """Fail if a notification of this connection stands for a capability that was not declared. (NOTIF-02, LOG-05)

        Args:
            methods: Only these, with or without `notifications/`; all if not given.

        Skips the test when none came.
        """
        connection = self.ctx.connection()
        for frame in self._came(connection, *map(full_name, methods)):
            flag = undeclared(frame.method, connection.session.server.capabilities)
            if flag is not None:
                raise self.ctx.broken(
                    f"{frame.method} came, but the server does not declare the capability {flag!r}.",
                    where=f"Server {connection.described}.", evidence=to_json(frame.value),
                    hint="clients look at the capabilities to know what to listen for.",
                )  # fmt: skip


def _token(frame: Frame) -> Any:
    params = frame.member("params")
    return to_robot(params.get("progressToken")) if isinstance(params, dict) else None
