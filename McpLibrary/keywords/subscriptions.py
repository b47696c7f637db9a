"""Keywords for modern subscriptions: opening a listen stream, what comes on it, and how it ends (SUB)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api import SkipExecution
from robot.api.deco import keyword

from ..checks.errors import same_id
from ..checks.notifications import (
    ACKNOWLEDGED,
    CANCELLED,
    KINDS,
    PREFIX,
    acknowledgment_problems,
    alike,
    declared_kinds,
    honoured,
    honoured_problems,
    id_problems,
    kind_problems,
    subscription_id,
    unsupported_kinds,
)
from ..failures import WrongUse
from ..types import Json, OptionalJsonOrText
from ..wire.frame import Exchange, Frame, Outcome
from ..wire.jsonrpc import METHOD_NOT_FOUND, to_json
from .base import Group, ended, frames_as_values, seconds, to_robot

if TYPE_CHECKING:
    from ..session.connections import Connection

POLL = 0.02
"""Seconds between two looks at a subscription."""

LISTEN = "subscriptions/listen"
UNKNOWN_KIND = "mcplibraryThingsChanged"
"""A kind of change that no server knows."""


class Subscriptions(Group):
    start_call: Any
    connection_of: Any

    @keyword(tags=["ask"])
    def listen_for_changes(
        self,
        notifications: Json,
        *,
        id: OptionalJsonOrText = None,  # noqa: A002
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> str:
        """Open a modern subscription and wait until the server acknowledges it. (SUB-01)

        Args:
            notifications: What to listen for, as a JSON object: `{"toolsListChanged": true}`,
                `{"resourceSubscriptions": ["shop://catalog"]}`.
            id: Id of the request and so of the subscription, JSON or text; the next free number if not given.
            timeout: Time for the acknowledgment.
            server: Alias of the connection; the current one if not given.

        Returns:
            A handle: *Cancel Request* ends the subscription, *Wait For Notification* takes what comes.

        Fails when the server answers with an error, or does not acknowledge in time.
        """
        handle = self._listen(notifications, id, timeout, server)
        connection, exchange = self.subscription(handle)
        if not any(f.method == ACKNOWLEDGED for f in self.frames_of(handle)):
            self._drop(
                connection, handle, f"no acknowledgment within {seconds(timeout) or connection.session.timeout:g} s"
            )
            raise self.ctx.broken("The subscription was not acknowledged.", exchange)
        return handle

    def _listen(self, notifications: Any, identifier: Any, timeout: timedelta | None, server: str | None) -> str:
        """Ask for a subscription and wait for the first thing that comes of it."""
        connection = self.ctx.connection(server)
        session = connection.session
        if not session.modern:
            raise WrongUse(
                "Subscriptions by 'subscriptions/listen' exist on modern connections only; see 'Subscribe To Resource'."
            )
        mark = session.transcript.seen
        limit = seconds(timeout) or session.timeout
        handle: str = self.start_call(
            LISTEN, {"notifications": notifications}, id=identifier, timeout=timedelta(days=1), server=server
        )
        wanted = connection.calls[handle].id

        def begins(frame: Frame) -> bool:
            return frame.method == ACKNOWLEDGED or (frame.is_answer and same_id(frame.member("id"), wanted))

        async def first() -> Frame | None:
            return await session.wait_for_frame(begins, since=mark, timeout=limit)

        with self.ctx.logged(connection):
            self.ctx.wait(first, timeout=limit)
        return handle

    def _drop(self, connection: Connection, handle: str, problem: str) -> None:
        call = connection.calls.pop(handle)

        async def release() -> None:
            connection.session.release(call.id, problem)

        self.ctx.wait(release)

    @keyword(tags=["suites"])
    def require_change_notifications(self, *kinds: str) -> Any:
        """Skip the test unless the server declares that it tells of changes.

        Args:
            kinds: Kinds that must be declared, such as `toolsListChanged` and `resourceSubscriptions`; none means any.

        Returns:
            The declared kinds of list changes as *Listen For Changes* takes them, such as `{"toolsListChanged": true}`.
        """
        declared = declared_kinds(self.ctx.connection().session.server.capabilities)
        missing = [kind for kind in kinds if kind not in declared]
        if missing or not declared:
            what = " and ".join(missing) or "any change"
            raise SkipExecution(f"Not applicable: the server does not declare that it tells of {what}.")
        return to_robot({kind: True for kind in declared if kind != "resourceSubscriptions"})

    @keyword(tags=["watch"])
    def get_declared_changes(self, *, updates: str | None = None) -> Any:
        """Return the kinds of changes that the server declares, as *Listen For Changes* takes them.

        Args:
            updates: URI of a resource whose updates are wanted as well, if the server declares them.

        Returns:
            A dictionary such as `{"toolsListChanged": true}`; empty if nothing is declared.

        Example:
        ```robotframework
        ${kinds} =    Get Declared Changes    updates=shop://board
        ${subscription} =    Listen For Changes    ${kinds}
        ```
        """
        declared = declared_kinds(self.ctx.connection().session.server.capabilities)
        kinds: dict[str, Any] = {kind: True for kind in declared if kind != "resourceSubscriptions"}
        if updates is not None and "resourceSubscriptions" in declared:
            kinds["resourceSubscriptions"] = [updates]
        return to_robot(kinds)

    @keyword(tags=["ask"])
    def cancel_open_subscriptions(self) -> None:
        """Cancel all subscriptions that are open on the current connection, if there is one, as a teardown."""
        if self.ctx.connections.current is None:
            return
        connection = self.ctx.connection()
        session = connection.session

        async def run() -> None:
            for exchange in session.transcript.exchanges():
                if exchange.method == LISTEN and exchange.outcome is Outcome.OPEN:
                    await session.cancel(exchange.id)

        with self.ctx.logged(connection):
            self.ctx.wait(run)

    # -- what belongs to a subscription -------------------------------------------------------------------------

    def subscription(self, handle: str) -> tuple[Connection, Exchange]:
        """The connection and the exchange of a subscription."""
        connection: Connection = self.connection_of(handle)
        identifier = connection.calls[handle].id
        for exchange in reversed(connection.session.transcript.exchanges()):
            if exchange.method == LISTEN and same_id(exchange.id, identifier):
                return connection, exchange
        raise WrongUse(f"{handle!r} is no subscription; 'Listen For Changes' returns one.")

    def frames_of(self, handle: str) -> list[Frame]:
        """What came on a subscription: over HTTP on its stream, elsewhere what names its id or that of no other."""
        connection, exchange = self.subscription(handle)
        transcript = connection.session.transcript
        if connection.session.transport.kind == "http":
            on_stream = [*exchange.between, *([exchange.answer] if exchange.answer else [])]
            return [f for f in on_stream if f.problem is None]
        ids = [e.id for e in transcript.exchanges() if e.method == LISTEN]
        others = [i for i in ids if not same_id(i, exchange.id)]

        def belongs(frame: Frame) -> bool:
            if frame.is_answer:
                return same_id(frame.member("id"), exchange.id)
            named = subscription_id(frame.value)
            if frame.kind != "notification" or any(alike(named, other) for other in others):
                return False
            return frame.method in (ACKNOWLEDGED, *KINDS.values()) or alike(named, exchange.id)

        since = transcript.position(exchange.request)
        return [f for f in transcript.frames(since) if f.direction == "received" and belongs(f)]

    @keyword(tags=["watch"])
    def get_subscription_messages(self, subscription: str) -> list[Any]:
        """Return what came on a subscription so far, its acknowledgment first.

        Args:
            subscription: Handle of *Listen For Changes*.

        Returns:
            A list of dictionaries. Over HTTP what came on its stream; on stdio, where all share one, what carries its
            id, and changes that carry the id of no other subscription.
        """
        return frames_as_values(self.frames_of(subscription))

    def _check(self, handle: str, check: Callable[[list[Any]], list[str]]) -> None:
        connection, exchange = self.subscription(handle)
        self.ctx.flush(connection)
        frames = self.frames_of(handle)
        problems = check([frame.value for frame in frames])
        if problems:
            evidence = " ".join(to_json(frame.value) for frame in frames[:3])
            raise self.ctx.broken(f"{problems[0]}.", exchange, evidence=evidence or "nothing came")

    # -- verdicts -----------------------------------------------------------------------------------------------

    @keyword(tags=["watch", "assertion"])
    def subscription_should_begin_with_acknowledgment(self, subscription: str) -> None:
        """Fail unless the first message of a subscription is its acknowledgment, and the only one. (SUB-01)

        Args:
            subscription: Handle of *Listen For Changes*.
        """
        self._check(subscription, acknowledgment_problems)

    @keyword(tags=["watch", "assertion"])
    def subscription_should_carry_its_id(self, subscription: str) -> None:
        """Fail unless every message of a subscription carries the id of its request, with its JSON type. (SUB-02)

        Args:
            subscription: Handle of *Listen For Changes*.
        """
        _, exchange = self.subscription(subscription)
        self._check(subscription, lambda messages: id_problems(exchange.id, messages) or _none(messages))

    @keyword(tags=["watch", "assertion"])
    def subscription_should_deliver_only_what_was_asked_for(self, subscription: str) -> None:
        """Fail if a subscription got a kind of change, a resource or a stream of another request. (SUB-03, SUB-06, SUB-08)

        Args:
            subscription: Handle of *Listen For Changes*.
        """
        asked = self._asked(subscription)
        self._check(subscription, lambda messages: kind_problems(asked, messages) or _none(messages))

    @keyword(tags=["watch", "assertion"])
    def acknowledgment_should_list_only_what_was_asked_for(self, subscription: str) -> Any:
        """Fail if the acknowledgment does not say what is honoured, or lists what was not asked for. (SUB-04)

        Args:
            subscription: Handle of *Listen For Changes*.

        Returns:
            What is honoured.
        """
        asked = self._asked(subscription)
        self._check(subscription, lambda messages: honoured_problems(asked, honoured(messages)))
        return to_robot(honoured(frame.value for frame in self.frames_of(subscription)))

    def _asked(self, handle: str) -> dict[str, Any]:
        _, exchange = self.subscription(handle)
        asked: dict[str, Any] = exchange.request.value["params"]["notifications"]
        return asked

    @keyword(tags=["watch", "assertion"])
    def only_declared_changes_should_be_acknowledged(self, *, uri: str = "mcplibrary://nothing") -> None:
        """Ask for every kind of change and one that does not exist, and fail if more is acknowledged than declared. (SUB-04, SUB-15)

        A server that declares no change may refuse: method not found.

        Args:
            uri: The resource to ask for.
        """
        connection = self.ctx.connection()
        capabilities = connection.session.server.capabilities
        asked = {kind: True for kind in KINDS if kind != "resourceSubscriptions"}
        handle = self._listen({**asked, "resourceSubscriptions": [uri], UNKNOWN_KIND: True}, None, None, None)
        _, exchange = self.subscription(handle)
        try:
            declared = declared_kinds(capabilities)
            if exchange.error_code == METHOD_NOT_FOUND and not declared:
                return
            kinds = honoured(frame.value for frame in self.frames_of(handle))
            if kinds is None:
                raise self.ctx.broken(
                    f"The server declares {', '.join(declared) or 'no change'}; a subscription to all of them should be "
                    f"acknowledged{'' if declared else ' or not found'}, but was not.", exchange,
                )  # fmt: skip
            more = unsupported_kinds(kinds, capabilities)
            if more:
                raise self.ctx.broken(
                    f"Kinds that are not supported should be left out of the acknowledgment, but it lists {', '.join(more)}.",
                    exchange, evidence=to_json(kinds),
                    hint=f"the capabilities of the server declare {', '.join(declared) or 'no change notifications'}.",
                )  # fmt: skip
        finally:
            self.cancel_open_subscriptions()

    @keyword(tags=["watch", "assertion"])
    def subscription_should_be_open(self, subscription: str, *, after: timedelta | None = None) -> None:
        """Fail if a subscription that nobody cancelled has ended. (SUB-16)

        Args:
            subscription: Handle of *Listen For Changes*.
            after: Time to wait for its end.
        """
        import anyio

        _, exchange = self.subscription(subscription)
        limit = seconds(after) or 0.0

        async def run() -> None:
            with anyio.move_on_after(limit):
                while exchange.outcome is Outcome.OPEN:
                    await anyio.sleep(POLL)

        self.ctx.wait(run, timeout=limit)
        if exchange.outcome is not Outcome.OPEN:
            raise self.ctx.broken(
                f"A subscription stays open until it is cancelled, but this one ended: {ended(exchange)}.", exchange
            )

    @keyword(tags=["watch", "suites"])
    def wait_for_any_change(self, *subscriptions: str, timeout: timedelta | None = None) -> None:
        """Wait until a change came on one of these subscriptions and later requests were answered; skip the test if none comes.

        Args:
            subscriptions: Handles of *Listen For Changes*.
            timeout: Time to wait; a second if not given.
        """
        connection, _ = self.subscription(subscriptions[0])
        session, limit = connection.session, seconds(timeout) or 1.0

        def change(frame: Frame) -> bool:
            if frame.method not in KINDS.values():
                return False
            return any(frame is own for handle in subscriptions for own in self.frames_of(handle))

        async def run() -> Frame | None:
            since = min(session.transcript.position(self.subscription(handle)[1].request) for handle in subscriptions)
            frame = await session.wait_for_frame(change, since=since, timeout=limit)
            if frame is not None:
                await session.is_overtaken(limit)
            return frame

        with self.ctx.logged(connection):
            frame = self.ctx.wait(run, timeout=limit * 2)
        if frame is None:
            raise SkipExecution("Nothing was judged: no change was announced on the subscriptions (see SUB-05).")

    @keyword(tags=["watch", "assertion"])
    def cancelled_subscription_should_be_silent(self, subscription: str) -> None:
        """Fail if anything came for a cancelled subscription after a later request was answered. (SUB-09)

        Args:
            subscription: Handle of *Listen For Changes*, cancelled by *Cancel Request*.
        """
        connection, exchange = self.subscription(subscription)
        if exchange.outcome is Outcome.OPEN or exchange.finished is None:
            raise WrongUse("The subscription is open; use 'Cancel Request' before.")
        cancelled = exchange.finished
        later = [e.answer.at for e in connection.session.transcript.exchanges() if e.started > cancelled and e.answer]
        if not later:
            raise WrongUse(
                "No request was answered since the subscription was cancelled; use 'Server Should Still Answer'."
            )
        for frame in connection.session.transcript.frames():
            if frame.direction != "received" or frame.at <= min(later):
                continue
            if alike(subscription_id(frame.value), exchange.id) or same_id(frame.member("id"), exchange.id):
                raise self.ctx.broken(
                    f"A cancelled subscription gets nothing any more, but {frame.method or 'a response'} came for it.",
                    exchange, evidence=to_json(frame.value),
                )  # fmt: skip

    @keyword(tags=["watch", "assertion"])
    def server_should_close_subscription_when_it_ends(self, subscription: str) -> None:
        """End a stdio server, and fail unless it closed the subscription by a result or a cancellation. (SUB-10, SUB-11)

        The input of the server is closed; what it writes until it ends is read. Either signal is right (X-20). The
        connection is closed then.

        Args:
            subscription: Handle of *Listen For Changes*.
        """
        connection, exchange = self.subscription(subscription)
        if connection.session.transport.kind != "stdio":
            raise WrongUse("Only a server process that this library started can be ended by it: a stdio server.")
        self.ctx.close_connection(connection.alias)
        self.ctx.flush(connection)
        for frame in connection.session.transcript.frames(connection.session.transcript.position(exchange.request)):
            params = frame.member("params")
            cancelled = params.get("requestId") if frame.method == CANCELLED and isinstance(params, dict) else None
            if frame.direction == "received" and same_id(cancelled, exchange.id):
                return
            result = frame.member("result") if same_id(frame.member("id"), exchange.id) else None
            if isinstance(result, dict) and result.get("resultType") == "complete":
                if same_id(subscription_id(frame.value), exchange.id):
                    return
                raise self.ctx.broken(
                    "The result that ends a subscription should carry its id.", exchange, evidence=to_json(frame.value)
                )
        raise self.ctx.broken(
            "A server that ends should close its subscriptions by a complete result or by notifications/cancelled, "
            f"but was: {ended(exchange)}.", exchange,
            hint="a client that gets neither cannot tell an orderly end from a crash.",
        )  # fmt: skip

    @keyword(tags=["watch", "assertion"])
    def server_should_cancel_only_subscriptions(self) -> None:
        """Fail if a modern server sent `notifications/cancelled` for anything but a subscription so far. (SUB-12)"""
        connection = self.ctx.connection()
        transcript = connection.session.transcript
        listens = [e.id for e in transcript.exchanges() if e.method == LISTEN]
        for frame in transcript.frames():
            if frame.direction != "received" or frame.method != CANCELLED:
                continue
            params = frame.member("params")
            target = params.get("requestId") if isinstance(params, dict) else None
            if not any(same_id(target, listen) for listen in listens):
                raise self.ctx.broken(
                    f"A server cancels nothing but subscriptions, but sent {PREFIX}cancelled for {target!r}.",
                    where=f"Server {connection.described}.", evidence=to_json(frame.value),
                )  # fmt: skip


def _none(messages: list[Any]) -> list[str]:
    return [] if messages else ["nothing came on the subscription"]
