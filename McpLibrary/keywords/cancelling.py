"""Keywords about cancelled calls: that they stay silent, that their work stops, and that a late cancellation hurts nothing."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from robot.api import SkipExecution
from robot.api.deco import keyword

from ..checks.errors import same_id
from ..checks.notifications import CANCELLED, PROGRESS, alike
from ..failures import WrongUse
from ..types import Json
from ..wire.frame import Exchange, Frame, Outcome, progress_token
from ..wire.jsonrpc import to_json
from .base import Group, Reply, seconds

POLL = 0.02
"""Seconds between two looks at whether a stream has ended."""


class Cancelling(Group):
    connection_of: Any
    call_role: Any
    prepare_call: Any
    params_of: Any
    send_raw_notification: Any
    notification_should_be_accepted_silently: Any
    server_should_still_answer: Any

    @keyword(tags=["watch", "assertion"])
    def cancelled_call_should_stay_silent(
        self, call: str, *, progress: bool = False, silence: timedelta = timedelta(seconds=1)
    ) -> None:
        """Fail if a call that *Cancel Request* cancelled is answered all the same. (CANC-01, CANC-04)

        Args:
            call: Handle of the call.
            progress: `True` if its progress must stop, too.
            silence: For how long nothing may come; it should be longer than the call takes.
        """
        import anyio

        connection = self.connection_of(call)
        session = connection.session
        identifier = connection.calls[call].id
        exchange = self._exchange(connection, identifier)
        sent = [f for f in session.transcript.frames() if f.direction == "sent" and f.method == CANCELLED]
        sent = [f for f in sent if same_id(f.member("params").get("requestId"), identifier)]
        if not sent:
            raise WrongUse("The call was not cancelled by a notification; use 'Cancel Request' before.")
        limit, mark = seconds(silence) or 1.0, session.transcript.position(sent[-1])
        if exchange.answer is not None and exchange.answer.at < sent[-1].at:
            raise SkipExecution("Nothing was judged: the call was answered before it could be cancelled.")
        read = [float("inf")]
        """When the cancellation was certainly read."""

        def belongs(frame: Frame) -> bool:
            if frame.is_answer:
                return same_id(frame.member("id"), identifier)
            # Progress may have been on its way; what counts comes after the cancellation was certainly read.
            params = frame.member("params")
            token = params.get("progressToken") if isinstance(params, dict) else None
            own = frame.method == PROGRESS and alike(token, progress_token(exchange.request.value))
            return progress and own and frame.at > read[0]

        async def run() -> None:
            async with anyio.create_task_group() as tasks:

                async def watch() -> None:
                    if await session.is_overtaken(limit):
                        read[0] = time.monotonic()
                    while exchange.outcome is Outcome.OPEN:
                        await anyio.sleep(POLL)
                    tasks.cancel_scope.cancel()

                tasks.start_soon(watch)
                await session.wait_for_frame(belongs, since=mark, timeout=limit)
                tasks.cancel_scope.cancel()
            session.release(identifier, "cancelled by a notification")

        with self.ctx.logged(connection):
            self.ctx.wait(run, timeout=limit)
        frame = next((f for f in session.transcript.frames(mark) if f.direction == "received" and belongs(f)), None)
        if frame is not None:
            raise self.ctx.broken(
                f"A cancelled call gets no {'answer' if frame.is_answer else 'progress'} any more, but this one did.",
                exchange, evidence=to_json(frame.value),
            )  # fmt: skip

    def _exchange(self, connection: Any, identifier: Any) -> Exchange:
        exchanges: list[Exchange] = connection.session.transcript.exchanges()
        return next(e for e in reversed(exchanges) if same_id(e.id, identifier))

    @keyword(tags=["watch", "assertion"])
    def cancellation_should_be_ignored(self, params: Json, *, silence: timedelta = timedelta(seconds=1)) -> None:
        """Send a cancellation that nothing can come of; fail if it is answered, or the server serves no more. (CANC-03)

        Over modern HTTP, where it has no meaning, a refusal of the POST is right, too (X-38).

        Args:
            params: Params of `notifications/cancelled`, as a JSON object.
            silence: The most time for which nothing may come.
        """
        session = self.ctx.connection().session
        if session.transport.kind == "http" and session.modern:
            exchange: Exchange = self.send_raw_notification(CANCELLED, params).source
            if exchange.status != 202 and exchange.status not in range(400, 500):
                raise self.ctx.broken(
                    f"A posted cancellation should be accepted or refused, but got HTTP {exchange.status}.", exchange
                )
        else:
            self.notification_should_be_accepted_silently(CANCELLED, params, silence=silence)
        self.server_should_still_answer()

    @keyword(tags=["watch", "assertion"])
    def cancellations_at_completion_should_be_survived(self, role: Any, *, times: int = 20) -> None:
        """Cancel calls at the moment when they are answered, and fail if one is answered twice. (CANC-06)

        The first call is not cancelled and shows how long one takes; the others are cancelled a little before, at, and a
        little after that time.

        Args:
            role: What *Require Safe Tool* returned.
            times: How many calls.

        A server that dies of it is a defect.
        """
        import anyio

        first: Reply = self.call_role(role)
        connection = self.ctx.connection()
        session = connection.session
        typical = first.source.elapsed
        params = self.params_of(role, None)
        before = session.transcript.count

        async def race(delay: float) -> None:
            identifier = session.next_id()
            async with anyio.create_task_group() as tasks:

                async def call() -> None:
                    await session.request("tools/call", params, id=identifier, timeout=session.timeout)

                tasks.start_soon(call)
                await anyio.sleep(delay)
                await session.cancel(identifier)
                if not (session.transport.kind == "http" and session.modern):
                    await session.is_overtaken(session.timeout)
                    session.release(identifier, "cancelled")

        async def run() -> None:
            for number in range(times):
                await race(typical * 2 * number / times)

        with self.ctx.logged(connection):
            self.ctx.wait(run, timeout=session.timeout * times)
        if session.transport.closed_because:
            raise self.ctx.defect(
                f"Cancelling calls at their completion ended the connection: {session.transport.closed_because}.",
                first.source,
            )
        for exchange in session.transcript.exchanges(before):
            answers = [f for f in (exchange.answer, *exchange.more_answers) if f is not None]
            if len(answers) > 1:
                raise self.ctx.broken(
                    "A call that is cancelled at its completion gets at most one answer, but this one got "
                    f"{len(answers)}.", exchange, evidence=to_json(answers[-1].value),
                )  # fmt: skip
