"""Keywords that judge the endpoint of Streamable HTTP: who may reach it, forms of answers, session ids."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from robot.api import SkipExecution
from robot.api.deco import keyword

from ..checks import http as checks
from ..types import OptionalHeaders
from ..wire import jsonrpc
from ..wire.frame import Exchange, Outcome
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, ended, source_of

_LOOK = 1.0
"""Seconds in which a connection to the machine's own address is made or refused."""


class HttpEndpoint(Group):
    send_raw_request: Any

    @keyword(tags=["suites"])
    def require_loopback_url(self) -> str:
        """Skip the test unless the server is reached by an HTTP URL on loopback.

        Returns:
            The origin of that URL, such as `http://127.0.0.1:8000`.
        """
        from ..session.probing import is_loopback

        parts = urlsplit(self._transport().url)
        if not is_loopback(parts.hostname or ""):
            raise SkipExecution(
                f"Not applicable: this is a rule for servers on loopback, this one is at {parts.hostname}."
            )
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    @keyword(tags=["suites"])
    def require_session(self) -> str:
        """Skip the test unless the server gave the connection an `Mcp-Session-Id`.

        Returns:
            The session id.
        """
        identifier: str | None = self.ctx.connection().session.session_id
        if identifier is None:
            raise SkipExecution("Not applicable: the server works without sessions, it gave no Mcp-Session-Id.")
        return identifier

    @keyword(tags=["suites"])
    def require_version_header(self) -> str:
        """Skip the test unless the connection's revision has the header `MCP-Protocol-Version` (since 2025-06-18).

        Returns:
            The name of the revision.
        """
        revision = self.ctx.connection().session.revision
        if revision is None or not revision.version_header:
            raise SkipExecution(
                f"Not applicable: revision {revision.name if revision else 'unknown'} has no MCP-Protocol-Version header."
            )
        return str(revision.name)

    @keyword(tags=["raw"])
    def send_plain_request(
        self, *, headers: OptionalHeaders = None, without: str = "", server: str | None = None
    ) -> Reply:
        """Send what every server serves: `ping` in the legacy era, `server/discover` in the modern one.

        Args:
            headers: HTTP headers, as in *Send Raw Request*.
            without: Names to leave out, as in *Send Raw Request*.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply.
        """
        method = "server/discover" if self.ctx.connection(server).session.modern else "ping"
        reply: Reply = self.send_raw_request(method, headers=headers, without=without, server=server)
        return reply

    @keyword(tags=["errors", "assertion"])
    def port_should_be_closed_on_other_addresses(self, *, server: str | None = None) -> None:
        """Fail if the port of a server on loopback also answers on another address of this machine. (HTTP-13)

        Nothing is sent: a connection that is accepted is enough. Skips the test on a machine without other addresses.

        Args:
            server: Alias of an HTTP connection; the current one if not given.
        """
        from ..session.probing import accepting, own_addresses

        connection = self.ctx.connection(server)
        parts = urlsplit(self._transport(server).url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        addresses = own_addresses()
        if not addresses:
            raise SkipExecution("Not applicable: this machine has no address but loopback.")

        async def run() -> list[str]:
            return await accepting(addresses, port, _LOOK)

        reached = self.ctx.wait(run, timeout=_LOOK * len(addresses))
        if reached:
            raise self.ctx.broken(
                f"A server for this machine should listen on loopback only, but port {port} of {reached[0]} accepts "
                "connections.", where=f"Server {connection.described}.",
                hint="bind it to 127.0.0.1 instead of 0.0.0.0; the whole network can use its tools otherwise.",
            )  # fmt: skip

    @keyword(tags=["errors", "assertion"])
    def answer_should_be_json_or_events(self, reply: Any) -> None:
        """Fail unless a request was answered with 200 by one JSON object or an event stream. (HTTP-01, HTTP-02)

        Args:
            reply: The reply of a good request over HTTP.
        """
        exchange = self._answered_by_http(reply)
        assert exchange.http is not None
        if exchange.status != 200:
            raise self.ctx.broken(f"A good request should get HTTP 200, but got {exchange.status}.", exchange)
        value = exchange.answer.value if exchange.answer else None
        self.fail_on(checks.form_problems(exchange.http.media_type, value), "The answer has no good form", exchange)

    @keyword(tags=["errors", "assertion"])
    def answer_should_have_header(self, reply: Any, name: str, value: str) -> None:
        """Fail unless the HTTP answer has this header with this value, compared without case. (HTTP-18)

        Args:
            reply: What an asking or raw keyword returned, over HTTP.
            name: Name of the header, in any case.
            value: Its value.
        """
        exchange = self._answered_by_http(reply)
        assert exchange.http is not None
        got = exchange.http.header(name)
        if (got or "").strip().lower() != value.lower():
            shown = "is missing" if got is None else f"is {got!r}"
            raise self.ctx.broken(f"The answer should have the header {name}: {value}, but it {shown}.", exchange)

    @keyword(tags=["errors", "assertion"])
    def notification_should_be_refused_rightly(self, reply: Any) -> None:
        """Fail unless a notification got HTTP 202, or a 4xx whose JSON-RPC body, if any, names no id. (HTTP-04)

        Whether it must be refused is the matter of other rules. An id of null is let through (X-19).

        Args:
            reply: The reply of *Send Raw Notification* over HTTP.
        """
        exchange = self._answered_by_http(reply)
        assert exchange.http is not None and exchange.status is not None
        if exchange.status == 202 and not exchange.http.body:
            return
        if not 400 <= exchange.status < 500:
            raise self.ctx.broken(
                f"A notification should get HTTP 202 without a body or be refused with 4xx, but got {exchange.status}.",
                exchange,
            )
        identifier = exchange.answer.member("id") if exchange.answer else MISSING
        if identifier not in (MISSING, None):
            raise self.ctx.broken(
                f"A notification has no id, but the error that refuses it names {identifier!r}.", exchange,
                hint="a client may have a request with that id in flight, and would take the error for its answer.",
            )  # fmt: skip

    @keyword(tags=["errors", "assertion"])
    def http_answer_should_be_sane(self, reply: Any, *, may_hang_up: bool = False) -> None:
        """Fail if there was no HTTP answer, or one with a status of 500 or more. (HTTP-14, HTTP-38, HTTP-41, VER-14)

        Args:
            reply: What a raw keyword returned, over HTTP.
            may_hang_up: Whether closing the connection instead is fine as well; the next request tells whether the
                server lives.
        """
        if may_hang_up and source_of(reply).outcome in (Outcome.CLOSED, Outcome.FAILED):
            return
        exchange = self._answered_by_http(reply)
        assert exchange.status is not None
        if exchange.status >= 500:
            raise self.ctx.broken(
                f"The server failed with HTTP {exchange.status}; what it does not serve it should refuse with 4xx.",
                exchange,
            )

    @keyword(tags=["errors", "assertion"])
    def http_request_should_be_refused(self, reply: Any, *also: int) -> None:
        """Fail unless the HTTP status is 400 to 499. (HTTP-12, HTTP-15, HTTP-40)

        Args:
            reply: What a raw keyword returned, over HTTP.
            also: Other statuses that refuse as well, such as `501`.
        """
        exchange = self._answered_by_http(reply)
        assert exchange.status is not None
        if not 400 <= exchange.status < 500 and exchange.status not in also:
            raise self.ctx.broken(f"The request should be refused with 4xx, but got {exchange.status}.", exchange)

    @keyword(tags=["handshake"])
    def collect_session_ids(self, count: int = 10, *, server: str | None = None) -> list[str]:
        """Open sessions beside the connection's own one, end them again, and return their ids.

        Args:
            count: How many.
            server: Alias of a legacy HTTP connection with a session; the current one if not given.

        Returns:
            The ids, those of the new sessions in the order in which they were given. Fails when one is not opened.
        """
        from ..session.envelope import BASIC_HEADERS, SESSION_HEADER, VERSION_HEADER, merge_headers
        from ..session.negotiation import initialize_params

        connection = self.ctx.connection(server)
        session = connection.session
        assert session.revision is not None
        name = session.revision.name
        body = jsonrpc.encode(jsonrpc.request("initialize", initialize_params(session, name), id=session.next_id()))
        headers = merge_headers(list(BASIC_HEADERS), session.headers)

        async def run() -> list[Exchange]:
            opened = [await session.http("POST", headers, body, only=True) for _ in range(count)]
            for exchange in opened:
                identifier = _session_id(exchange)
                if identifier:
                    own = [(SESSION_HEADER, identifier), (VERSION_HEADER, name)]
                    await session.http("DELETE", merge_headers(session.headers, own), only=True)
            return opened

        with self.ctx.logged(connection):
            exchanges = self.ctx.wait(run, timeout=session.timeout * 2)
        for exchange in exchanges:
            if not _session_id(exchange):
                make = self.ctx.defect if exchange.status is None else self.ctx.broken
                raise make(f"Another initialize should open another session, but was {ended(exchange)}.", exchange)
        return [str(session.session_id), *(str(_session_id(exchange)) for exchange in exchanges)]

    @keyword(tags=["handshake", "assertion"])
    def session_ids_should_be_visible_ascii(self, identifiers: list[str]) -> None:
        """Fail if a session id has other characters than visible ASCII ones, such as spaces. (HTTP-30)

        Args:
            identifiers: Session ids, as of *Collect Session Ids*.
        """
        problems = checks.visible_ascii_problems(identifiers)
        if problems:
            raise self.ctx.broken(f"A session id travels in a header, but {problems[0]}.")

    @keyword(tags=["handshake", "assertion"])
    def session_ids_should_be_hard_to_guess(self, identifiers: list[str]) -> None:
        """Fail if session ids repeat, or differ in so little that one can be guessed from another. (HTTP-31)

        An id that two sessions share is a defect: two clients get each other's messages.

        Args:
            identifiers: Session ids, as of *Collect Session Ids*.
        """
        twice = checks.repeated(list(identifiers))
        if twice:
            raise self.ctx.defect(f"Each session should have an id of its own, but {twice[0]!r} was given twice.")
        problems = checks.chance_problems(list(identifiers))
        if problems:
            raise self.ctx.broken(
                f"Session ids should be hard to guess, but {problems[0]}.",
                hint="whoever guesses an id can act in that session; a random UUID will do.",
            )

    def _transport(self, server: str | None = None) -> Any:
        transport: Any = self.ctx.connection(server).session.transport
        if transport.kind != "http":
            raise SkipExecution(
                f"Not applicable: this is a rule for http, the server is reached over {transport.kind}."
            )
        return transport

    def _answered_by_http(self, reply: Any) -> Exchange:
        exchange = source_of(reply)
        if exchange.status is None:
            raise self.ctx.defect(f"There is no HTTP answer: {exchange.problem}.", exchange)
        return exchange


def _session_id(exchange: Exchange) -> str | None:
    good = exchange.http is not None and exchange.status is not None and 200 <= exchange.status < 300
    return exchange.http.header("mcp-session-id") if good and exchange.http else None
