"""Keywords that judge the opening of a connection: versions, capabilities, what each side says of itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api.deco import keyword

from ..checks import handshake as checks
from ..checks.errors import response_problems
from ..failures import WrongUse
from ..session.revisions import REMOVED_IN_MODERN, Era, latest
from ..wire import jsonrpc
from ..wire.frame import Exchange
from ..wire.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, MISSING, UNSUPPORTED_VERSION
from .base import Group, Reply, ended, seconds, source_of

UNKNOWN_VERSION = "1999-01-01"
"""A version that no server can support."""


class Handshake(Group):
    @keyword(tags=["handshake", "assertion"])
    def negotiated_revision_should_be(self, revision: str, *, server: str | None = None) -> None:
        """Fail unless the connection uses this revision. (HS-02)

        Args:
            revision: Name of the revision, such as `2025-11-25`, or `legacy` or `modern` for any of that era.
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        got = connection.session.revision
        if got is None or revision not in (got.name, got.era.value):
            raise self.ctx.broken(
                f"The negotiated revision should be {revision}, but is {got.name if got else 'not settled'}.",
                connection.session.opening, where=f"Server {connection.described}.",
            )  # fmt: skip

    @keyword(tags=["handshake", "assertion"])
    def initialize_result_should_be_complete(self, reply: Any) -> None:
        """Fail unless `initialize` returned `protocolVersion`, `capabilities` and `serverInfo`. (HS-01)

        Args:
            reply: The reply of *Initialize Session*.
        """
        exchange = self._result_of(reply)
        self.fail_on(checks.initialize_problems(exchange.result), "The initialize result is not complete", exchange)

    @keyword(tags=["handshake", "assertion"])
    def discover_result_should_be_complete(self, reply: Any) -> None:
        """Fail unless `server/discover` returned versions that include the one served, and capabilities. (DISC-02, DISC-03)

        Args:
            reply: The reply of *Discover Server*.
        """
        exchange = self._result_of(reply)
        self.fail_on(
            checks.discover_problems(exchange.result, latest(Era.MODERN)),
            "The discover result is not complete",
            exchange,
        )

    @keyword(tags=["handshake", "assertion"])
    def server_info_should_be_valid(self, reply: Any) -> None:
        """Fail unless the server names itself properly: a name that is not empty, a version that is a string. (HS-06, HS-20, META-12)

        Args:
            reply: The reply of *Initialize Session* (its `serverInfo`) or of any modern request (the stamp in `_meta`).
        """
        exchange = self._result_of(reply)
        if exchange.method == "initialize":
            problems = checks.server_info_problems(exchange.result.get("serverInfo"))
        else:
            problems = checks.stamp_problems(exchange.result)
        self.fail_on(problems, "The server does not name itself properly", exchange)

    @keyword(tags=["handshake", "assertion"])
    def instructions_should_be_text(self, reply: Any) -> None:
        """Fail if the server gives `instructions` that are no string. (HS-16)

        Args:
            reply: The reply of *Initialize Session* or *Discover Server*.
        """
        exchange = self._result_of(reply)
        self.fail_on(checks.instructions_problems(exchange.result), "The instructions are malformed", exchange)

    @keyword(tags=["handshake", "assertion"])
    def initialize_should_settle_on_a_legacy_revision(
        self, version: str, *, timeout: timedelta | None = None, server: str | None = None
    ) -> str:
        """Send `initialize` with a version, and fail unless the server answers with a legacy revision. (HS-02, HS-04)

        A server that answers with another revision than the asked one does not support that; then this asks for the
        answered revision, on the same connection, which must be answered with itself.

        Args:
            version: Version to ask for.
            timeout: Time for each answer.
            server: Alias of a connection without handshake; the current one if not given.

        Returns:
            The negotiated revision.
        """
        exchange = self._initialize(version, timeout, server)
        if exchange.result is MISSING:
            raise self._no_result(exchange)
        negotiated = exchange.result.get("protocolVersion") if isinstance(exchange.result, dict) else None
        self.fail_on(checks.negotiated_problems(version, negotiated), "No legacy revision was settled on", exchange)
        return str(negotiated)

    @keyword(tags=["handshake", "assertion"])
    def unsupported_revision_should_be_refused(
        self,
        version: str = UNKNOWN_VERSION,
        *,
        method: str = "server/discover",
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Ask for a version that the server cannot support, and fail unless it is refused in the way of the era.

        On a modern connection: error -32022 whose data names `supported` and `requested`, over HTTP with status 400
        (VER-01, VER-02, VER-03). On a connection without handshake `initialize` is sent: another version, or an error, is right
        (HS-03, X-15).

        Args:
            version: The version to ask for.
            method: The request that asks for it on a modern connection.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply.
        """
        connection = self.ctx.connection(server)
        if not connection.session.modern:
            exchange = self._initialize(version, timeout, server)
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, connection)
            result = exchange.result
            if isinstance(result, dict) and result.get("protocolVersion") == version:
                raise self.ctx.broken(
                    f"The unsupported version {version} should be refused, but was accepted.", exchange
                )
            if result is not MISSING:
                negotiated = result.get("protocolVersion") if isinstance(result, dict) else None
                self.fail_on(
                    checks.negotiated_problems(version, negotiated), "No legacy revision was offered", exchange
                )
            return Reply(exchange, connection.alias)
        meta = {"io.modelcontextprotocol/protocolVersion": version}
        exchange = self._request(method, {"_meta": meta}, timeout, server, headers=[("MCP-Protocol-Version", version)])
        error = self._error(exchange, UNSUPPORTED_VERSION, f"The unsupported version {version} should be refused")
        problems = checks.unsupported_version_problems(error, version, Era.MODERN)
        self.fail_on(problems, "The refusal does not help the client", exchange)
        self._status(exchange, 400)
        return Reply(exchange, connection.alias)

    @keyword(tags=["handshake", "assertion"])
    def request_without_meta_should_be_refused(
        self,
        left_out: str = "_meta",
        *,
        method: str = "tools/list",
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Leave out a required part of the modern envelope, and fail unless the answer is -32602. (META-01 to META-03, META-08)

        Args:
            left_out: `_meta`, `protocolVersion`, `clientCapabilities`, or `params` for all of it.
            method: Method of the request.
            timeout: Time for the answer.
            server: Alias of a modern connection; the current one if not given. On stdio the era must be settled by an
                earlier modern request.

        Returns:
            The reply. Over HTTP the status must be 400, and the id must be echoed.
        """
        connection = self._modern(server)
        exchange = self._request(method, MISSING, timeout, server, without=[left_out])
        self._error(exchange, INVALID_PARAMS, f"A request without {left_out} should be refused")
        self._echo(exchange)
        self._status(exchange, 400)
        return Reply(exchange, connection.alias)

    @keyword(tags=["handshake", "assertion"])
    def removed_method_should_not_exist(
        self, method: str, *, timeout: timedelta | None = None, server: str | None = None
    ) -> Reply:
        """Fail unless a method of the legacy era is answered by -32601 on a modern connection. (HTTP-22, PING-02)

        Args:
            method: `initialize`, `ping`, `logging/setLevel`, `resources/subscribe` or `resources/unsubscribe`.
            timeout: Time for the answer.
            server: Alias of a modern connection; the current one if not given.
        """
        connection = self._modern(server)
        known: dict[str, dict[str, Any]] = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
            "logging/setLevel": {"level": "info"},
            "resources/subscribe": {"uri": "x://y"},
            "resources/unsubscribe": {"uri": "x://y"},
        }
        if method not in REMOVED_IN_MODERN:
            raise WrongUse(f"{method!r} is none of the removed methods: {', '.join(REMOVED_IN_MODERN)}.")
        exchange = self._request(method, known.get(method, {}), timeout, server)
        # On stdio the process is bound to its era, and 'initialize' may be refused by naming the versions (VER-13).
        other = (UNSUPPORTED_VERSION,) if method == "initialize" and connection.session.transport.kind != "http" else ()
        self._error(exchange, METHOD_NOT_FOUND, f"The removed method {method} should not exist", *other)
        self._echo(exchange)
        self._status(exchange, 404)
        return Reply(exchange, connection.alias)

    @keyword(tags=["handshake", "assertion"])
    def server_should_still_answer(self, *, timeout: timedelta | None = None, server: str | None = None) -> Reply:
        """Fail unless the server serves a plain request: `ping` in the legacy era, `server/discover` in the modern one.

        Use it after everything that may hurt a server. A server that hangs or died is a defect, never a mere warning.

        Args:
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply of that request, whose `${r.sent}` is a good request to bend.
        """
        connection = self.ctx.connection(server)
        method = "server/discover" if connection.session.modern else "ping"
        exchange = self._request(method, MISSING, timeout, server)
        if exchange.answer is None:
            raise self.ctx.defect(
                f"The server should still answer, but {method} got {ended(exchange)}.", exchange,
                hint="whatever a client sends, a server answers or ignores it and goes on serving.",
            )  # fmt: skip
        if exchange.result is MISSING:
            raise self.ctx.broken(f"The server should still serve, but {method} was {ended(exchange)}.", exchange)
        return Reply(exchange, connection.alias)

    @keyword(tags=["handshake", "assertion"])
    def answer_should_be_well_formed(self, reply: Any) -> None:
        """Fail unless the answer is a proper JSON-RPC response with the id of its request. (RPC-01 to RPC-04)

        Args:
            reply: What an asking or raw keyword returned.
        """
        exchange = source_of(reply)
        if exchange.answer is None:
            raise self.ctx.defect(f"There is no answer to judge: {ended(exchange)}.", exchange)
        self.fail_on(response_problems(exchange.answer.value, exchange.id), "The answer is malformed", exchange)
        if exchange.more_answers:
            raise self.ctx.broken("The request was answered twice.", exchange)

    # -- helpers ------------------------------------------------------------------------------------------------

    def _request(self, method: str, params: Any, timeout: timedelta | None, server: str | None, *,
                 without: list[str] | tuple[str, ...] = (), headers: Any = ()) -> Exchange:  # fmt: skip
        connection = self.ctx.connection(server)
        session = connection.session
        limit = seconds(timeout) or session.timeout

        async def run() -> Exchange:
            return await session.request(method, params, without=without, headers=list(headers), timeout=limit)

        with self.ctx.logged(connection):
            return self.ctx.wait(run, timeout=limit)

    def _initialize(self, version: str, timeout: timedelta | None, server: str | None) -> Exchange:
        from ..session.negotiation import initialize_params

        return self._request(
            "initialize", initialize_params(self.ctx.connection(server).session, version), timeout, server
        )

    def _modern(self, server: str | None) -> Any:
        connection = self.ctx.connection(server)
        if not connection.session.modern:
            raise WrongUse(
                f"This is a rule of the modern era, but server {connection.described} is not connected in it."
            )
        return connection

    def _result_of(self, reply: Any) -> Exchange:
        exchange = source_of(reply)
        if not isinstance(exchange.result, dict):
            raise self._no_result(exchange)
        return exchange

    def _no_result(self, exchange: Exchange) -> AssertionError:
        make = self.ctx.defect if exchange.answer is None else self.ctx.broken
        return make(f"{exchange.method} should give a result object, but was {ended(exchange)}.", exchange)

    def _error(self, exchange: Exchange, code: int, expectation: str, *others: int) -> Any:
        if exchange.error_code not in (code, *others):
            make = self.ctx.defect if exchange.answer is None and exchange.status is None else self.ctx.broken
            raise make(f"{expectation} with error {jsonrpc.describe_code(code)}, but was {ended(exchange)}.", exchange)
        return exchange.error

    def _echo(self, exchange: Exchange) -> None:
        assert exchange.answer is not None
        self.fail_on(response_problems(exchange.answer.value, exchange.id), "The refusal is malformed", exchange)

    def _status(self, exchange: Exchange, status: int) -> None:
        if exchange.http is not None and exchange.status != status:
            raise self.ctx.broken(f"The refusal should have HTTP status {status}, but has {exchange.status}.", exchange)
