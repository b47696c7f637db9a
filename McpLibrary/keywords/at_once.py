"""Keywords for many requests at once: who gets what, and whether anything crosses."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api import logger
from robot.api.deco import keyword

from ..checks import at_once as checks
from ..failures import WrongUse
from ..logs import log_exchanges, table_html
from ..types import Json, OptionalJson
from ..wire.frame import Exchange
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, frames_as_values, seconds

if TYPE_CHECKING:
    from ..session.connections import Connection

IDS = ("unique", "duplicate", "twins")

_ROWS = 200
"""Calls shown in the table of the log."""

_SHOWN_WHOLE = 5
"""Exchanges that went wrong and are logged in full."""

_DUPLICATE = 7


class AtOnce(Group):
    @keyword(tags=["at once"])
    def call_tools_concurrently(
        self,
        name: str,
        count: int = 20,
        *,
        mark: str | None = None,
        arguments: OptionalJson = None,
        ids: str = "unique",
        servers: list[str] | None = None,
        progress: bool = False,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> list[Reply]:
        """Call one tool many times at once, each call with a mark of its own that its answer must give back.

        Args:
            name: Name of a tool that gives back a text that it is given, such as an echo.
            count: How many calls.
            mark: Name of the argument that takes the mark, a text. Without it calls can only be told apart by their progress.
            arguments: Further arguments, the same for all, as a JSON object.
            ids: `unique` for a new id each; `duplicate` for the same number in all, which a client must not do on one
                connection; `twins` for that number and the text of the same digits in turn, which are different ids.
            servers: Aliases of several connections, over which the calls are dealt out in turn.
            progress: `True` asks for progress, each call under a token of its own.
            timeout: Time for each answer.
            server: Alias of the one connection; the current one if not given.

        Returns:
            The replies in the order of the calls, each with `${r.mark}`. A call without an answer is among them, with
            `${r.outcome}` and `${r.problem}`. *Answers Should Match Requests* judges them; a table of who got what is
            in the log.

        Example:
        ```robotframework
        ${replies} =    Call Tools Concurrently    echo    50    mark=text
        Answers Should Match Requests    ${replies}
        ```
        """
        if ids not in IDS:
            raise WrongUse(f"ids= takes one of {', '.join(IDS)}, got {ids!r}.")
        if count < 1:
            raise WrongUse(f"The count must be 1 or more, got {count}.")
        aliases: list[Any] = list(servers) if servers else [server]
        connections = [self.ctx.connection(alias) for alias in aliases]
        shared: Any = arguments or {}
        stem = f"mcplibrary-{secrets.token_hex(4)}"
        calls = []
        for number in range(count):
            own = f"{stem}-{number}."  # The end keeps mark 1 from being a part of mark 10.
            params: dict[str, Any] = {"name": name, "arguments": {**shared, **({mark: own} if mark else {})}}
            if progress:
                params["_meta"] = {"progressToken": own}
            calls.append((connections[number % len(connections)], params, _id(ids, number), own))
        exchanges = self._at_once([(c, "tools/call", params, i) for c, params, i, _ in calls], timeout)
        replies = []
        for (connection, _, _, own), exchange in zip(calls, exchanges, strict=True):
            reply = Reply(exchange, connection.alias)
            reply["mark"] = own
            replies.append(reply)
        if mark:
            self._log_who_got_what(replies)
        else:
            log_exchanges(exchanges[:_SHOWN_WHOLE], self.ctx.masker, self.ctx.log_limit)
        return replies

    @keyword(tags=["at once"])
    def send_requests_concurrently(
        self,
        method: str,
        params: list[Json] | None = None,
        *,
        count: int = 0,
        ids: str = "unique",
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> list[Reply]:
        """Send many requests of one method at once and return their replies.

        Args:
            method: Method of all requests.
            params: A list with the params of each; without it all go without params.
            count: How many, when no list of params is given.
            ids: As in *Call Tools Concurrently*.
            timeout: Time for each answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The replies in the order of the requests.
        """
        if ids not in IDS:
            raise WrongUse(f"ids= takes one of {', '.join(IDS)}, got {ids!r}.")
        if not params and count < 1:
            raise WrongUse("Give the params of each request as a list, or count=.")
        connection = self.ctx.connection(server)
        all_params: list[Any] = list(params) if params else [MISSING] * count
        exchanges = self._at_once(
            [(connection, method, one, _id(ids, number)) for number, one in enumerate(all_params)], timeout
        )
        log_exchanges(exchanges[:_SHOWN_WHOLE], self.ctx.masker, self.ctx.log_limit)
        return [Reply(exchange, connection.alias) for exchange in exchanges]

    @keyword(tags=["at once", "assertion"])
    def answers_should_match_requests(self, replies: list[Any], *, refusals: bool = False) -> None:
        """Fail unless each of many calls got its own answer. (CONC-01 to CONC-04)

        Told apart are: the answer of another call, no answer, more than one, its own under another id, an error, and an
        answer without its mark. Where ids were used twice on one connection the client is at fault too, so there this is a
        broken rule and may be softened; otherwise it is a defect.

        Args:
            replies: What *Call Tools Concurrently* returned.
            refusals: `True` lets a server refuse a call, as it may when ids are in use already.
        """
        calls, exchanges = _calls(replies)
        found = checks.findings(calls)
        wrong = checks.summary(found, refusals=refusals)
        if not wrong:
            return
        worst = next(e for f, e in zip(found, exchanges, strict=True) if str(f) in wrong)
        keys = [(call.connection, type(call.id), call.id) for call in calls]
        make = self.ctx.defect if len(set(keys)) == len(keys) else self.ctx.broken
        raise make(f"Each call should get its own answer, but {wrong}.", worst)

    @keyword(tags=["at once", "assertion"])
    def progress_should_not_be_mixed(self, replies: list[Any]) -> None:
        """Fail when progress of one call came with another. (CONC-05)

        Over HTTP each call has a stream of its own, on which only its token may come. Skips nothing: calls without any
        progress are a mistake of the test, which fails.

        Args:
            replies: What *Call Tools Concurrently* with `progress=True` returned.
        """
        calls, exchanges = _calls(replies)
        tokens = [call.mark for call in calls]
        if not any(frame.method == "notifications/progress" for e in exchanges for frame in e.between):
            raise WrongUse("None of these calls reported progress, so nothing can be told about it.")
        for token, exchange in zip(tokens, exchanges, strict=True):
            own = exchange.http is not None
            for problem in checks.mixed_progress(token, frames_as_values(exchange.between), tokens, own_stream=own):
                raise self.ctx.defect(f"Progress should stay with its call, but {problem}.", exchange)

    @keyword(tags=["at once", "assertion"])
    def slow_calls_should_not_block_others(
        self,
        slow: Json,
        quick: Json,
        *,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> None:
        """Fail when a call that was made later and is quick has to wait for a slow one. (CONC-07)

        Which of the two ended first is what counts, not how long they took.

        Args:
            slow: Params of the slow `tools/call`, such as `{"name": "brew_slowly", "arguments": {"seconds": 2}}`.
            quick: Params of the quick one.
            timeout: Time for each answer.
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        first, second = self._at_once(
            [(connection, "tools/call", slow, MISSING), (connection, "tools/call", quick, MISSING)], timeout
        )
        log_exchanges([first, second], self.ctx.masker, self.ctx.log_limit)
        for exchange in (first, second):
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, connection)
        assert first.finished is not None and second.finished is not None
        if second.finished > first.finished:
            raise self.ctx.broken(
                f"The quick call should not wait for the slow one, but was answered {second.finished - first.finished:.2f} "
                "seconds after it.", second, hint="the server works on one request after the other.",
            )  # fmt: skip

    # ---------------------------------------------------------------------------------------------------------------

    def _at_once(self, calls: list[tuple[Connection, str, Any, Any]], timeout: timedelta | None) -> list[Exchange]:
        limit = seconds(timeout) or max(connection.session.timeout for connection, *_ in calls)
        results: list[Exchange | None] = [None] * len(calls)

        async def one(number: int) -> None:
            connection, method, params, identifier = calls[number]
            results[number] = await connection.session.request(method, params, id=identifier, timeout=limit)

        async def run() -> None:
            import anyio

            for connection in {id(c): c for c, *_ in calls}.values():
                if connection.session.modern and connection.session.transport.kind == "http":
                    await connection.session.tool_schemas()  # For the headers that mirror arguments.
            async with anyio.create_task_group() as tasks:
                for number in range(len(calls)):
                    tasks.start_soon(one, number)

        for connection, *_ in calls:
            self.ctx.flush(connection)
        try:
            self.ctx.wait(run, timeout=2 * limit)
        finally:
            for connection, *_ in calls:
                connection.seen = connection.session.transcript.seen
        return [exchange for exchange in results if exchange is not None]

    def _log_who_got_what(self, replies: list[Reply]) -> None:
        calls, exchanges = _calls(replies)
        found = checks.findings(calls)
        rows = [
            (str(f.call.number), f.call.connection, repr(f.call.id), f.call.mark, _got(f), f"{e.elapsed * 1000:.0f} ms")
            for f, e in list(zip(found, exchanges, strict=True))[:_ROWS]
        ]
        more = f"<p>and {len(calls) - _ROWS} more</p>" if len(calls) > _ROWS else ""
        header = ("call", "connection", "id", "mark", "got", "after")
        logger.info(table_html(header, rows, self.ctx.masker) + more, html=True)
        wrong = [e for f, e in zip(found, exchanges, strict=True) if f.got is not checks.Got.OWN]
        log_exchanges(wrong[:_SHOWN_WHOLE], self.ctx.masker, self.ctx.log_limit)


def _got(finding: checks.Finding) -> str:
    owner = f" {finding.owner.number}" if finding.owner else ""
    return f"{finding.got.value}{owner}"


def _id(ids: str, number: int) -> Any:
    if ids == "unique":
        return MISSING
    return str(_DUPLICATE) if ids == "twins" and number % 2 else _DUPLICATE


def _calls(replies: list[Any]) -> tuple[list[checks.Call], list[Exchange]]:
    calls, exchanges = [], []
    for number, reply in enumerate(replies):
        if not isinstance(reply, Reply) or "mark" not in reply:
            raise WrongUse("These are not the replies of 'Call Tools Concurrently'.")
        exchange = reply.source
        exchanges.append(exchange)
        calls.append(checks.Call(
            number, reply["server"], exchange.id, reply["mark"],
            answer=exchange.answer.raw.decode("utf-8", "replace") if exchange.answer else None,
            answer_id=exchange.answer.member("id") if exchange.answer else None,
            error=isinstance(exchange.error, dict),
            more=len(exchange.more_answers),
            problem=exchange.problem,
        ))  # fmt: skip
    if not calls:
        raise WrongUse("There are no replies to judge.")
    return calls, exchanges
