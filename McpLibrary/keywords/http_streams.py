"""Keywords that judge event streams of Streamable HTTP: how they end, what comes on which, resuming."""

from __future__ import annotations

from typing import Any

from robot.api import SkipExecution
from robot.api.deco import keyword

from ..checks import http as checks
from ..wire import jsonrpc
from ..wire.frame import Exchange, Frame
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, ended, source_of

_REPLAY = 1.0
"""Seconds that a replay is read, when no answer ends it."""


class HttpStreams(Group):
    _answered_by_http: Any

    # -- one stream ---------------------------------------------------------------------------------------------

    @keyword(tags=["suites"])
    def require_event_stream(self, *replies: Any) -> None:
        """Skip the test unless these requests were answered by event streams.

        Args:
            replies: Replies over HTTP.
        """
        if not all(self._is_stream(source_of(reply)) for reply in replies):
            raise SkipExecution("Not applicable: the server answers this call by JSON, not by an event stream.")

    @keyword(tags=["suites"])
    def require_event_ids(self, *replies: Any) -> None:
        """Skip the test unless the events of these streams have ids, by which streams can be resumed.

        Args:
            replies: Replies over HTTP.
        """
        if not all(any(event.id for event in _events(source_of(reply))) for reply in replies):
            raise SkipExecution("Not applicable: the server gives its events no ids, so its streams are not resumable.")

    @keyword(tags=["watch"])
    def get_last_event_id(self, reply: Any, *, default: str = "1") -> str:
        """Return the id of the last event of a stream that had one.

        Args:
            reply: A reply over HTTP.
            default: What to return when no event had an id.
        """
        return next((event.id for event in reversed(_events(source_of(reply))) if event.id), default)

    @keyword(tags=["watch", "assertion"])
    def stream_should_end_with_the_answer(self, reply: Any) -> None:
        """Fail if anything came after the answer, or the server kept the stream open for another second. (HTTP-16)

        Args:
            reply: A reply of *Call Slow Tool*.
        """
        exchange = source_of(reply)
        assert exchange.answer is not None
        late = [f for f in [*exchange.between, *exchange.more_answers] if f.at > exchange.answer.at]
        if late:
            raise self.ctx.broken(
                f"The answer should end its stream, but a {late[0].kind} came after it.", exchange,
                evidence=late[0].raw.decode("utf-8", "backslashreplace"),
            )  # fmt: skip
        if exchange.problem:
            raise self.ctx.broken(f"The answer should end its stream, but {exchange.problem}.", exchange)

    @keyword(tags=["watch", "assertion"])
    def stream_should_be_primed(self, reply: Any) -> None:
        """Fail unless the stream can be resumed from its start: a first event with an id and empty data. (HTTP-37)

        A stream that the server closed before the answer must have told by `retry` when to come back.

        Args:
            reply: A reply that came by an event stream with event ids.
        """
        exchange = source_of(reply)
        problems = checks.priming_problems(_events(exchange), answered=exchange.answer is not None)
        self.fail_on(problems, "The stream cannot be resumed from its start", exchange)

    # -- several streams ----------------------------------------------------------------------------------------

    @keyword(tags=["watch", "assertion"])
    def answers_should_come_on_their_own_streams(self, *replies: Any) -> None:
        """Fail unless each of several calls at once was answered on the stream of its own POST, and once. (HTTP-39)

        Args:
            replies: Replies of *Call Slow Tool*.
        """
        for exchange in map(source_of, replies):
            assert exchange.answer is not None
            identifier = exchange.answer.member("id")
            if jsonrpc.id_key(identifier) != jsonrpc.id_key(exchange.id):
                raise self.ctx.broken(
                    f"Each call should be answered on its own stream, but that of id {exchange.id!r} brought the answer "
                    f"to {'none' if identifier is MISSING else repr(identifier)}.", exchange,
                )  # fmt: skip
            if exchange.result is MISSING or exchange.is_tool_error:
                raise self.ctx.broken(f"A call beside others should succeed, but was {ended(exchange)}.", exchange)

    @keyword(tags=["watch", "assertion"])
    def streams_should_carry_only_their_own_progress(self, *replies: Any) -> None:
        """Fail if progress of one call came on the stream of another. (HTTP-17, HTTP-43)

        Args:
            replies: Replies of *Call Slow Tool*. Skips the test when none of them reported progress.
        """
        from ..wire.frame import progress_token

        exchanges = [source_of(reply) for reply in replies]
        streams = [(progress_token(e.request.value), [f.value for f in e.between]) for e in exchanges]
        if not any(f.method == "notifications/progress" for e in exchanges for f in e.between):
            raise SkipExecution("Not applicable: the slow tool reported no progress on the streams of its calls.")
        self.fail_on(checks.foreign_progress(streams), "Streams of calls are mixed up", exchanges[0])

    @keyword(tags=["watch", "assertion"])
    def questions_should_come_on_the_stream_of_their_call(self, reply: Any) -> None:
        """Fail if what the server asked during a call came elsewhere than on the stream of that call. (HTTP-43)

        Args:
            reply: The reply of a call that made the server ask. Skips the test when it asked nothing.
        """
        exchange = source_of(reply)
        asked = [f for f in self._frames_during(exchange) if f.kind == "request"]
        if not asked:
            raise SkipExecution(f"Not applicable: the server asked nothing during this call; it was {ended(exchange)}.")
        there = [f.value for f in exchange.between if f.kind == "request"]
        stray = [f for f in asked if f.value not in there]
        if stray:
            raise self.ctx.broken(
                f"The question {stray[0].method} should come on the stream of the call that it belongs to, but came on "
                f"the {stray[0].channel} stream.", exchange, evidence=stray[0].raw.decode("utf-8", "replace"),
                hint="a proxy or client that serves several calls cannot tell for which one it is asked.",
            )  # fmt: skip

    @keyword(tags=["watch", "assertion"])
    def responses_of_ours_should_be_accepted(self, reply: Any) -> None:
        """Fail unless each answer that we posted to a question of the server got HTTP 202 without a body. (HTTP-42)

        Args:
            reply: The reply of a call that made the server ask. Skips the test when it asked nothing.
        """
        from ..session.probing import until

        exchange = source_of(reply)
        session = self.ctx.connection(reply.server).session

        def ours() -> list[Exchange]:
            later = session.transcript.exchanges(exchange.number)
            return [e for e in later if e.request.kind in ("result", "error")]

        async def run() -> None:
            await until(lambda: all(e.finished is not None for e in ours()), session.timeout)

        self.ctx.wait(run)
        posted = ours()
        if not posted:
            raise SkipExecution(f"Not applicable: the server asked nothing during this call; it was {ended(exchange)}.")
        for answer in posted:
            if answer.status is None:
                raise self.ctx.defect(f"Our answer to the server could not be posted: {answer.problem}.", answer)
            assert answer.http is not None
            if answer.status != 202 or answer.http.body:
                raise self.ctx.broken(
                    f"A response that is posted should get HTTP 202 without a body, but got {answer.status} with "
                    f"{len(answer.http.body)} bytes.", answer,
                )  # fmt: skip

    # -- the GET stream -----------------------------------------------------------------------------------------

    @keyword(tags=["watch", "assertion"])
    def get_should_open_a_stream_or_be_not_allowed(self, *, server: str | None = None) -> bool:
        """Fail unless GET is answered by an event stream or by 405 in the legacy era. (HTTP-27)

        Args:
            server: Alias of a legacy HTTP connection; the current one if not given.

        Returns:
            Whether the stream is open.
        """
        connection = self.ctx.connection(server)
        facts = self._get_stream(connection)
        if facts is None or facts.status is None:
            raise self.ctx.defect("GET got no HTTP answer.", where=f"Server {connection.described}.")
        if facts.status == 405 or (facts.status == 200 and facts.media_type == checks.EVENTS):
            return bool(facts.status == 200)
        raise self.ctx.broken(
            f"GET should be answered by 200 with {checks.EVENTS}, or by 405, but got {facts.status} with "
            f"{facts.media_type or 'no content type'}.", where=f"Server {connection.described}.",
        )  # fmt: skip

    @keyword(tags=["suites"])
    def require_get_stream(self, *, server: str | None = None) -> None:
        """Skip the test unless the GET stream of the legacy session is open.

        Args:
            server: Alias of a legacy HTTP connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        facts = self._get_stream(connection) if connection.session.session_id else None
        if facts is None or facts.status != 200 or facts.media_type != checks.EVENTS:
            raise SkipExecution("Not applicable: the server offers no GET stream.")

    @keyword(tags=["watch", "assertion"])
    def get_stream_should_carry_no_responses(self, *, server: str | None = None) -> None:
        """Fail if a response came on the GET stream of a legacy session, since the connection began. (HTTP-28)

        Args:
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        frames = [f for f in connection.session.transcript.frames() if f.channel == "GET" and f.is_answer]
        if frames:
            raise self.ctx.broken(
                "A response belongs on the stream of its request, but one came on the GET stream.",
                where=f"Server {connection.described}.", evidence=frames[0].raw.decode("utf-8", "backslashreplace"),
            )  # fmt: skip

    @keyword(tags=["watch", "assertion"])
    def messages_should_come_on_one_stream_only(self, reply: Any) -> None:
        """Fail if a notification or question of a call came both on its own stream and on the GET stream. (HTTP-29)

        Args:
            reply: A reply of *Call Slow Tool* on a legacy connection.
        """
        exchange = source_of(reply)
        streams = {
            "the stream of the call": [f.value for f in exchange.between],
            "the GET stream": [f.value for f in self._frames_during(exchange) if f.channel == "GET"],
        }
        if not any(streams.values()):
            raise SkipExecution("Not applicable: the server sent nothing beside the answer.")
        self.fail_on(checks.spread_messages(streams), "A message should come on one stream only", exchange)

    # -- resuming -----------------------------------------------------------------------------------------------

    @keyword(tags=["watch", "assertion"])
    def event_ids_should_be_unique(self, *replies: Any) -> None:
        """Fail if an event id was given twice within a session. (HTTP-35)

        Args:
            replies: Replies of one session that came by event streams with event ids.
        """
        streams = {f"the stream of id {e.id!r}": _events(e) for e in map(source_of, replies)}
        self.fail_on(checks.event_id_problems(streams), "An event id should name one event of a session")

    @keyword(tags=["watch", "assertion"])
    def replay_should_stay_on_its_stream(self, reply: Any, *others: Any) -> Reply:
        """Resume the stream of a reply from its first event, and fail if messages of other streams come. (HTTP-36)

        Args:
            reply: A reply that came by an event stream with event ids.
            others: Replies that came on other streams of the session.

        Returns:
            The reply to the GET that resumes. Skips the test when nothing is replayed.
        """
        exchange = source_of(reply)
        connection = self.ctx.connection(reply.server)
        session = connection.session
        first = next(event.id for event in _events(exchange) if event.id)
        headers = [("Accept", checks.EVENTS), ("Last-Event-ID", first)]

        async def run() -> Exchange:
            return await session.http("GET", headers, timeout=_REPLAY)

        with self.ctx.logged(connection):
            resumed = self.ctx.wait(run)
        replayed = _messages(resumed)
        if not replayed:
            raise SkipExecution(f"Not applicable: the server replayed nothing, GET got HTTP {resumed.status}.")
        foreign = [message for other in others for message in _messages(source_of(other))]
        problems = checks.replay_problems(replayed, _messages(exchange), foreign)
        self.fail_on(problems, "A replay should stay on its stream", resumed)
        return Reply(resumed, connection.alias)

    @keyword(tags=["watch", "assertion"])
    def nothing_should_be_replayed(self, reply: Any) -> None:
        """Fail if any message came before or beside the answer, or an answer to another request. (HTTP-19)

        Args:
            reply: The reply of a request that carried `Last-Event-ID`.
        """
        exchange = self._answered_by_http(reply)
        more = [*exchange.between, *exchange.more_answers]
        if exchange.answer is not None and exchange.answer.member("id") not in (exchange.id, None, MISSING):
            more.append(exchange.answer)
        if more:
            raise self.ctx.broken(
                f"Modern streams are not resumed, but with Last-Event-ID came {len(more)} message(s) beside the answer.",
                exchange, evidence=more[0].raw.decode("utf-8", "backslashreplace"),
            )  # fmt: skip

    # -- helpers ------------------------------------------------------------------------------------------------

    @staticmethod
    def _is_stream(exchange: Exchange) -> bool:
        return exchange.http is not None and exchange.http.media_type == checks.EVENTS

    def _frames_during(self, exchange: Exchange) -> list[Frame]:
        """The frames received since the exchange began."""
        connection = next(c for c in self.ctx.connections if c.session.transcript.exchange(exchange.number) is exchange)
        frames = connection.session.transcript.frames()
        return [f for f in frames if f.direction == "received" and f.at >= exchange.started]

    def _get_stream(self, connection: Any) -> Any:
        """The HTTP side of a GET: that of the standing stream of a session, or without a session of one of its own."""
        from ..session.probing import until

        session = connection.session

        async def run() -> Any:
            if session.session_id:
                return await until(lambda: session.transport.get_stream, session.timeout)
            return (await session.http("GET", [("Accept", checks.EVENTS)], peek=True)).http

        with self.ctx.logged(connection):
            return self.ctx.wait(run)


def _events(exchange: Exchange) -> list[Any]:
    return exchange.http.events if exchange.http else []


def _messages(exchange: Exchange) -> list[Any]:
    frames = [*exchange.between, *([exchange.answer] if exchange.answer else []), *exchange.more_answers]
    return [frame.value for frame in frames if frame.problem is None]
