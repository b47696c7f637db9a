"""Keywords that judge messages as such: their schema, ids, codes, and who may send requests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks.errors import is_concise, range_problems, same_id, unreadable_id_problems
from ..checks.leaks import find_validator_dump
from ..checks.messages import message_problems
from ..failures import WrongUse
from ..types import ErrorCode, Json
from ..wire import jsonrpc
from ..wire.frame import Exchange, Frame
from ..wire.jsonrpc import MISSING
from .base import Group, seconds, source_of

if TYPE_CHECKING:
    from ..session.connections import Connection


_LISTS = 60.0
"""Seconds that all pages of a list may take."""


class Framing(Group):
    assert_error_code: Any

    @keyword(tags=["framing", "assertion"])
    def message_should_match_protocol_schema(self, reply: Any) -> None:
        """Fail unless the answer, and every message that came before it, fits the schema of its revision. (RPC-30)

        Judged by the models of the official `mcp-types` package, values taken strictly: a number in a text is no number.
        All legacy revisions share the model of 2025-11-25. Errors with a null id are accepted (X-19), and results of
        extensions are left to the rules of these.

        Args:
            reply: What an asking or raw keyword returned.
        """
        exchange = source_of(reply)
        alias = reply["server"]
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection(alias) if alias in self.ctx.connections else None)
        version = self._version(self.ctx.connection(alias))
        for frame in [*exchange.between, exchange.answer]:
            self._fail_on_schema(frame, version, exchange)

    @keyword(tags=["framing", "assertion"])
    def messages_should_match_protocol_schema(self, *, server: str | None = None) -> int:
        """Fail unless every message that came on this connection so far fits the schema of its revision. (RPC-30)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            How many messages were judged. Skips the test when there were none.
        """
        connection = self.ctx.connection(server)
        version = self._version(connection)
        judged = 0
        for frame, exchange in self._received(connection):
            judged += self._fail_on_schema(frame, version, exchange)
        if not judged:
            raise SkipExecution("Nothing was judged: no message that the schema describes has come yet.")
        logger.info(f"{judged} messages fit the schema of {version}.")
        return judged

    @keyword(tags=["suites", "framing"])
    def walk_all_lists(self, *, server: str | None = None) -> None:
        """Ask for all pages of all lists, whatever comes back, so that later keywords can judge the messages.

        Args:
            server: Alias of the connection; the current one if not given.
        """
        from ..session.revisions import LIST_KEYS
        from ..session.session import BadList

        connection = self.ctx.connection(server)
        for method in LIST_KEYS:

            async def run(method: str = method) -> None:
                with contextlib.suppress(BadList):
                    await connection.session.walk(method)

            with self.ctx.logged(connection):
                self.ctx.wait(run, timeout=_LISTS)

    @keyword(tags=["framing", "assertion"])
    def server_should_have_sent_no_requests(self, *, server: str | None = None) -> None:
        """Fail when the server sent a request on this connection, which a modern server must not. (RPC-26, STDIO-05)

        Args:
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        for frame in connection.session.transcript.frames():
            if frame.direction == "received" and frame.kind == "request":
                raise self.ctx.broken(
                    f"A modern server must not send requests, but it sent {frame.method}.",
                    where=f"Server {connection.described}.", evidence=_text(frame),
                    hint="what a server wants to know travels in inputRequests of an input_required result.",
                )  # fmt: skip

    @keyword(tags=["framing", "assertion"])
    def notifications_should_have_no_id(self, *, server: str | None = None) -> int:
        """Fail when a notification of the server carries an id. (RPC-15)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            How many notifications were judged. Skips the test when there were none.
        """
        connection = self.ctx.connection(server)
        seen = [
            frame
            for frame in connection.session.transcript.frames()
            if frame.direction == "received" and (frame.method or "").startswith("notifications/")
        ]
        for frame in seen:
            if frame.member("id") is not MISSING:
                raise self.ctx.broken(
                    f"A notification has no id, but {frame.method} has {frame.member('id')!r}.",
                    where=f"Server {connection.described}.", evidence=_text(frame),
                )  # fmt: skip
        if not seen:
            raise SkipExecution("Nothing was judged: the server has sent no notification yet.")
        return len(seen)

    @keyword(tags=["framing", "assertion"])
    def error_should_name_no_id(self, reply: Any) -> None:
        """Fail when the error to a message without a readable id names one, null included. (RPC-10)

        Skips the test when there was no error: silence, or HTTP with something else.

        Args:
            reply: The reply of *Send Raw Bytes* or *Send Raw Message*.
        """
        exchange = source_of(reply)
        if exchange.request.kind == "request" and type(exchange.id) in (int, str):
            raise WrongUse("This message has an id that can be read, so its error names it.")
        answer = _error_that_came(exchange)
        for problem in unreadable_id_problems(answer.value):
            raise self.ctx.broken(f"{problem[0].upper()}{problem[1:]}.", exchange, evidence=_text(answer))

    @keyword(tags=["framing", "assertion"])
    def refusal_should_have_code(self, reply: Any, *codes: ErrorCode) -> None:
        """Fail when a message that is no request was answered by an error of another code. (RPC-08, RPC-09)

        Skips the test when there was no error: silence, or HTTP with something else.

        Args:
            reply: The reply of *Send Raw Bytes* or *Send Raw Message*.
            codes: Accepted codes by number or name, such as `parse error`.
        """
        _error_that_came(source_of(reply))
        self.assert_error_code(reply, *codes)

    @keyword(tags=["framing", "assertion"])
    def error_codes_should_lie_outside_reserved_ranges(self, *, server: str | None = None) -> list[int]:
        """Fail when an error of this modern connection so far has a code of its own in a reserved range. (RPC-23, RPC-24)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            The codes that were seen. Skips the test when there were none.
        """
        connection = self.ctx.connection(server)
        revision = connection.session.revision
        codes = []
        for exchange in connection.session.transcript.exchanges():
            if revision is None or not isinstance(exchange.error_code, int):
                continue
            codes.append(exchange.error_code)
            for problem in range_problems(exchange.error_code, revision):
                raise self.ctx.broken(f"An error should have another code: {problem}.", exchange)
        if not codes:
            raise SkipExecution("Nothing was judged: no error was seen on this connection yet.")
        return sorted(set(codes))

    @keyword(tags=["framing", "assertion"])
    def error_messages_should_be_concise(self, *, server: str | None = None) -> int:
        """Fail when an error of this connection so far has a message of several lines, or the dump of a validator. (RPC-29)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            How many messages were judged. Skips the test when there were none.
        """
        judged = 0
        for exchange in self.ctx.connection(server).session.transcript.exchanges():
            message = exchange.error.get("message") if isinstance(exchange.error, dict) else None
            if not isinstance(message, str):
                continue
            judged += 1
            dump = find_validator_dump(message)
            if dump or not is_concise(message):
                what = f"it is {dump.what}" if dump else "it has several lines or is too long"
                raise self.ctx.broken(
                    f"An error message should be one concise sentence, but {what}.", exchange, evidence=message
                )
        if not judged:
            raise SkipExecution("Nothing was judged: no error was seen on this connection yet.")
        return judged

    @keyword(tags=["suites", "framing"])
    def require_no_batches(self, *, server: str | None = None) -> None:
        """Skip the test when the revision of the connection has batches, as those before 2025-06-18 do. (RPC-11)

        Args:
            server: Alias of the connection; the current one if not given.
        """
        revision = self.ctx.connection(server).session.revision
        if revision is not None and revision.batches:
            raise SkipExecution(f"Not applicable: {revision.name} has batches.")

    @keyword(tags=["framing", "assertion"])
    def batch_should_be_answered(
        self, requests: Json, *, timeout: timedelta | None = None, server: str | None = None
    ) -> None:
        """Send a batch, and fail unless each request in it is answered once. (RPC-12)

        The responses may come as one array, or one by one on a stream.

        Args:
            requests: The batch, a list of whole requests with different ids.
            timeout: Time for all responses.
            server: Alias of a connection on 2025-03-26 or older; the current one if not given.

        Example:
        ```robotframework
        Connect To Server    python server.py    protocol=2025-03-26
        Batch Should Be Answered    [{"jsonrpc": "2.0", "id": 5, "method": "ping"}, {"jsonrpc": "2.0", "id": 6, "method": "ping"}]
        ```
        """
        ids = [one.get("id", MISSING) for one in requests] if isinstance(requests, list) else []
        if not ids or MISSING in ids:
            raise WrongUse("A batch is a list of requests, each with an id.")
        connection = self.ctx.connection(server)
        session = connection.session
        limit = seconds(timeout) or session.timeout
        mark = session.transcript.seen

        async def run() -> Exchange:
            headers = session.http_headers(requests)
            exchange = await session.send_quietly(jsonrpc.encode(requests), headers, value=requests, silence=limit)
            if 0 < len(_unanswered(ids, session, mark)) < len(ids):
                await session.wait_for_frame(lambda _: not _unanswered(ids, session, mark), since=mark, timeout=limit)
            return exchange

        with self.ctx.logged(connection):
            exchange = self.ctx.wait(run, timeout=2 * limit)
        left = _unanswered(ids, session, mark)
        if left:
            raise self.ctx.broken(
                f"Each of the {len(ids)} requests in a batch should be answered, but {len(left)} were not: "
                f"{', '.join(map(repr, left))}.", exchange,
            )  # fmt: skip

    # ---------------------------------------------------------------------------------------------------------------

    def _version(self, connection: Connection) -> str:
        revision = connection.session.revision
        if revision is None:
            raise WrongUse(f"Server {connection.described} has settled on no revision, so no schema is known.")
        return revision.name

    def _received(self, connection: Connection) -> Iterator[tuple[Frame, Exchange | None]]:
        """Each frame that came, with the exchange that it answers."""
        answered = {id(e.answer): e for e in connection.session.transcript.exchanges() if e.answer is not None}
        for frame in connection.session.transcript.frames():
            if frame.direction == "received":
                yield frame, answered.get(id(frame))

    def _fail_on_schema(self, frame: Frame, version: str, exchange: Exchange | None) -> bool:
        request = exchange.request.value if exchange is not None and frame is exchange.answer else None
        if frame.problem is not None or (frame.kind == "result" and request is None):
            return False
        # A handshake is judged by what it settles on, whatever was asked for before that.
        problems = message_problems(frame.value, version, request)
        if problems:
            what = frame.method or (request or {}).get("method") or "an answer"
            raise self.ctx.broken(
                f"{what} should fit the schema of {version}, but {problems[0]}.", exchange, evidence=_text(frame)
            )
        return problems is not None


def _unanswered(ids: list[Any], session: Any, mark: int) -> list[Any]:
    came = []
    for frame in session.transcript.frames(mark):
        values = frame.value if isinstance(frame.value, list) else [frame.value]
        if frame.direction == "received":
            came += [value.get("id") for value in values if jsonrpc.kind(value) in ("result", "error")]
    return [one for one in ids if sum(same_id(one, other) for other in came) != 1]


def _error_that_came(exchange: Exchange) -> Frame:
    if exchange.answer is None or exchange.answer.kind != "error":
        raise SkipExecution("Not judged: the server answered by no JSON-RPC error.")
    return exchange.answer


def _text(frame: Frame) -> str:
    return frame.raw.decode("utf-8", "backslashreplace")
