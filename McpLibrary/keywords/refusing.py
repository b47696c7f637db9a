"""Keywords that judge refusals and silences: what a server must not serve, not answer, not add."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api.deco import keyword

from ..failures import WrongUse
from ..types import OptionalJson
from ..wire.frame import Exchange, Frame, Outcome
from ..wire.jsonrpc import MISSING
from .base import Group, ended, seconds, source_of

_ANY_REFUSAL = tuple(range(400, 500))


class Refusing(Group):
    send_raw_notification: Any
    send_raw_request: Any
    send_http_request: Any

    @keyword(tags=["errors", "assertion"])
    def request_should_be_refused(self, reply: Any) -> None:
        """Fail unless the request was answered by a JSON-RPC error or an HTTP status of 400 or more.

        Args:
            reply: The reply of a raw request.

        A request without any answer is a defect: a client would wait for ever. (HS-07, VER-07)
        """
        exchange = source_of(reply)
        if isinstance(exchange.error, dict) or (exchange.status or 0) >= 400:
            return
        if exchange.answer is None and exchange.status is None:
            raise self.ctx.defect(f"The request should be refused, but there was {ended(exchange)}.", exchange)
        raise self.ctx.broken(f"The request should be refused, but was {ended(exchange)}.", exchange)

    @keyword(tags=["errors", "assertion"])
    def message_should_not_be_executed(self, reply: Any) -> None:
        """Fail if a malformed message was answered by a result. (RPC-05, RPC-06, RPC-09, RPC-11)

        An error that answers what cannot be read must not carry an id (null or none), since that id could be in use.
        Over HTTP a status below 400 is wrong too, except 202 for what can be taken as a notification: a message with an
        id can not. On stdio silence is accepted: most servers of good standing drop what they cannot read.

        Args:
            reply: The reply of *Send Raw Message* or *Send Raw Bytes*.
        """
        exchange = source_of(reply)
        value = exchange.answer.value if exchange.answer else None
        results = [m for m in (value if isinstance(value, list) else [value]) if isinstance(m, dict) and "result" in m]
        if results:
            raise self.ctx.broken("A malformed message should not be executed, but got a result.", exchange)
        identifier = exchange.answer.member("id") if exchange.answer else MISSING
        if exchange.request.problem and identifier not in (MISSING, None) and b'"id"' not in exchange.request.raw:
            raise self.ctx.broken(f"What cannot be read has no id, but the error names id {identifier!r}.", exchange)
        if exchange.outcome in (Outcome.CLOSED, Outcome.FAILED):
            raise self.ctx.defect(f"A malformed message should not end the connection: {exchange.problem}.", exchange)
        fine = exchange.status is None or exchange.status >= 400 or value is not None
        if not fine and (exchange.status != 202 or exchange.id is not MISSING):
            raise self.ctx.broken(f"A malformed message should be refused, but got HTTP {exchange.status}.", exchange)

    @keyword(tags=["errors", "assertion"])
    def notification_should_be_accepted_silently(
        self,
        method: str,
        params: OptionalJson = None,
        *,
        silence: timedelta = timedelta(seconds=1),
        server: str | None = None,
    ) -> None:
        """Send a notification, and fail if it is answered. (RPC-14, HS-09, HTTP-03)

        Over HTTP the status must be 202 with an empty body. On other transports no response may come until later requests
        were answered.

        Args:
            method: Method of the notification.
            params: Its params as a JSON object.
            silence: The most time for which nothing may come.
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        session = connection.session
        mark = session.transcript.seen
        exchange = source_of(self.send_raw_notification(method, params, server=server))
        if exchange.http is not None:
            self._accepted_over_http(exchange)
            return
        if exchange.outcome is not Outcome.SENT:
            raise self.ctx.defect(f"The notification could not be sent: {exchange.problem}.", exchange)
        limit = seconds(silence) or 1.0

        async def run() -> Frame | None:
            return await session.answer_to_quiet(since=mark, silence=limit)

        with self.ctx.logged(connection):
            frame = self.ctx.wait(run, timeout=limit)
        if frame is not None:
            raise self.ctx.broken(
                f"A notification must not be answered, but {method} was.", exchange,
                evidence=frame.raw.decode("utf-8", "backslashreplace"),
            )  # fmt: skip
        if session.transport.closed_because:
            raise self.ctx.defect(
                f"The notification ended the connection: {session.transport.closed_because}.", exchange
            )

    def _accepted_over_http(self, exchange: Exchange) -> None:
        assert exchange.http is not None
        if exchange.status is None:
            raise self.ctx.defect(f"The notification got no HTTP answer: {exchange.problem}.", exchange)
        if exchange.status != 202 or exchange.http.body:
            raise self.ctx.broken(
                f"A notification should be answered by HTTP 202 without a body, but got {exchange.status} with "
                f"{len(exchange.http.body)} bytes.", exchange,
            )  # fmt: skip

    @keyword(tags=["errors", "assertion"])
    def result_should_have_no_member(self, reply: Any, name: str) -> None:
        """Fail if the result has this member. (DISC-05)

        Args:
            reply: What an asking or raw keyword returned.
            name: Name of the member.
        """
        exchange = source_of(reply)
        if not isinstance(exchange.result, dict):
            raise self.ctx.broken(f"Expected a result object, but got {ended(exchange)}.", exchange)
        if name in exchange.result:
            raise self.ctx.broken(f"The result should have no member {name!r}, but has one.", exchange)

    @keyword(tags=["errors", "assertion"])
    def result_should_be_empty(self, reply: Any) -> None:
        """Fail if the reply is no result, or one with members beside `_meta` and `resultType`. (LOG-07, PING-01)

        Args:
            reply: What an asking or raw keyword returned.
        """
        exchange = source_of(reply)
        result = exchange.result
        more = set(result) - {"_meta", "resultType"} if isinstance(result, dict) else None
        if more is None or more:
            shown = f"it has {', '.join(sorted(more))}" if more else f"it was {ended(exchange)}"
            raise self.ctx.broken(f"The result of {exchange.method} should be empty, but {shown}.", exchange)

    @keyword(tags=["errors", "assertion"])
    def supported_versions_should_agree(self, refusal: Any, discovery: Any) -> None:
        """Fail unless the versions that a refusal lists are among those of `server/discover`. (DISC-09)

        Args:
            refusal: The reply with error -32022.
            discovery: The reply of `server/discover`.
        """
        exchange = source_of(refusal)
        data = exchange.error.get("data") if isinstance(exchange.error, dict) else None
        offered = data.get("supported") if isinstance(data, dict) else None
        result = source_of(discovery).result
        listed = result.get("supportedVersions") if isinstance(result, dict) else None
        if not isinstance(offered, list) or not isinstance(listed, list):
            raise self.ctx.broken("The refusal or the discovery lists no versions.", exchange)
        more = [version for version in offered if version not in listed]
        if more:
            raise self.ctx.broken(f"The refusal calls {more} supported, but server/discover lists {listed}.", exchange)

    @keyword(tags=["errors", "assertion"])
    def replies_should_end_alike(self, reply: Any, other: Any) -> None:
        """Fail unless both replies are results, or both are errors of the same code. (META-04, META-17)

        Args:
            reply: The reply that is judged.
            other: The reply that it is compared with.
        """
        one, two = source_of(reply), source_of(other)
        if one.answer is None:
            raise self.ctx.defect(f"There is no answer to compare: {ended(one)}.", one)
        if (one.result is MISSING, one.error_code) != (two.result is MISSING, two.error_code):
            raise self.ctx.broken(
                f"The request should end like the other one, with {ended(two)}, but was {ended(one)}.", one
            )

    @keyword(tags=["errors", "assertion"])
    def answer_should_have_no_body(self, reply: Any) -> None:
        """Fail if the HTTP answer has a body. (HTTP-03)

        Args:
            reply: What an asking or raw keyword returned, over HTTP.
        """
        exchange = self._over_http(reply)
        assert exchange.http is not None
        if exchange.http.body:
            raise self.ctx.broken(f"The answer should have no body, but has {len(exchange.http.body)} bytes.", exchange)

    @keyword(tags=["errors", "assertion"])
    def answer_should_have_no_header(self, reply: Any, name: str) -> None:
        """Fail if the HTTP answer has this header. (HTTP-07)

        Args:
            reply: What an asking or raw keyword returned, over HTTP.
            name: Name of the header, in any case.
        """
        exchange = self._over_http(reply)
        assert exchange.http is not None
        value = exchange.http.header(name)
        if value is not None:
            raise self.ctx.broken(
                f"The answer should have no header {name}, but has it.", exchange, evidence=f"{name}: {value}"
            )

    def _over_http(self, reply: Any) -> Exchange:
        exchange = source_of(reply)
        if exchange.http is None:
            raise WrongUse("This reply did not come over HTTP.")
        if exchange.status is None:
            raise self.ctx.defect(f"There is no HTTP answer: {exchange.problem}.", exchange)
        return exchange

    @keyword(tags=["handshake", "assertion"])
    def foreign_origin_should_be_refused(self, origin: str, method: str = "POST", *, server: str | None = None) -> None:
        """Send a good request with this `Origin`, and fail unless it is refused. (HTTP-09, HTTP-10, SEC-10)

        403 from 2025-11-25 on, any 4xx for older revisions (X-21). A 401 says nothing about the origin, since
        authorization is judged first (AUTH-21): give a token then.

        Args:
            origin: Value of the header, such as `https://evil.example` or `null`.
            method: `POST`, or `GET` and `DELETE`; there any status from 400 to 499 refuses, since not every server has
                them. A `DELETE` that is not refused ends the session.
            server: Alias of an HTTP connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        session = connection.session
        if session.transport.kind != "http" or session.revision is None:
            raise WrongUse(f"Server {connection.described} is not connected over Streamable HTTP.")
        if method.upper() != "POST":
            exchange = source_of(self.send_http_request(
                method, headers=[("Accept", "text/event-stream"), ("Origin", origin)], peek=True, server=server
            ))  # fmt: skip
        else:
            probe = "server/discover" if session.modern else "ping"
            exchange = source_of(self.send_raw_request(probe, headers=[("Origin", origin)], server=server))
        if exchange.status is None:
            raise self.ctx.defect(f"There is no HTTP answer: {exchange.problem}.", exchange)
        if exchange.status == 401:
            raise self.ctx.broken(
                f"The Origin {origin} could not be judged: HTTP 401.",
                exchange,
                hint="give a token with token= or -v TOKEN.",
            )
        accepted = session.revision.origin_status if method.upper() == "POST" else _ANY_REFUSAL
        if exchange.status not in accepted:
            wanted = "403" if accepted == (403,) else "a status of 400 to 499"
            raise self.ctx.broken(
                f"A request from the foreign Origin {origin} should be refused with {wanted}, but got {exchange.status}.",
                exchange, hint="compare Origin with a list of allowed ones; a web page could drive these tools otherwise.",
            )  # fmt: skip
