"""Keywords that meet a server as clients of each era do: the matrix of eras, and refusals of the other era."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import era_matrix as matrix
from ..checks.era_matrix import Cell, Client
from ..checks.handshake import unhelpful_refusal
from ..context import ServerUnderTest
from ..failures import McpFailure, ServerDefect, WrongUse
from ..logs import table_html
from ..session.revisions import LATEST_LEGACY, LIST_KEYS, MODERN
from ..types import AutoClose
from ..wire.frame import Exchange, Outcome
from ..wire.jsonrpc import MISSING
from .base import Reply, ended, source_of
from .handshake import Handshake

_INITIALIZE = {
    "protocolVersion": LATEST_LEGACY.name,
    "capabilities": {},
    "clientInfo": {"name": "McpLibrary", "version": "1"},
}


class Eras(Handshake):
    connect_to_server: Any
    use_server_under_test: Any
    initialize_session: Any
    send_raw_request: Any

    @keyword(tags=["suites"])
    def require_claimed_eras(self, *eras: str) -> None:
        """Skip the test unless the server speaks exactly these eras, whichever of them this run judges.

        Args:
            eras: `legacy`, `modern`, or both.

        Example:
        ```robotframework
        Require Claimed Eras    modern    # a server of the modern era alone
        ```
        """
        under_test = self._server()
        if set(under_test.claimed) != set(eras):
            raise SkipExecution(
                f"Not applicable: this is a rule for servers that speak {matrix.server_kind(eras)}; this one speaks "
                f"{matrix.server_kind(under_test.claimed)}."
            )

    @keyword(tags=["handshake", "assertion"])
    def era_matrix_should_fit_the_claims(self) -> None:
        """Meet the server as each kind of client does, and fail unless each ends as the eras that it claims promise. (VER-11, VER-12)

        What came of each meeting is shown as a table, in the log and as the message of the test. Meetings that are not
        ruled by a MUST (VER-09, VER-10, VER-13) are shown only. A run judges the clients of its own era.
        """
        under_test = self._server()
        self.use_server_under_test()
        transport = self.ctx.connection().session.transport.kind
        shown, defects = [], 0
        for cell in matrix.cells(under_test.claimed, under_test.eras, transport):
            if not cell.left_out:
                known = len(self.ctx.failures)
                cell = self._meet(cell)
                defects += cell.must and any(isinstance(f, ServerDefect) for f in self.ctx.failures[known:])
            shown.append(cell)
        summary = matrix.summary(shown)
        table = table_html(matrix.HEADER, [cell.row for cell in shown], self.ctx.masker)
        self.ctx.test_table = (summary, table)
        logger.info(table, html=True)
        failures = matrix.failures(shown)
        if failures:
            make = self.ctx.defect if defects else self.ctx.broken
            more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
            raise make(f"{failures[0]}{more}.", where=f"Server {self.ctx.connection().described}.")

    @keyword(tags=["handshake", "assertion"])
    def legacy_client_should_be_refused(self) -> None:
        """Open a fresh connection and send `initialize`; fail unless the modern-only server refuses it. (VER-11)

        Over HTTP with status 400, as the headers of a modern request are missing; on stdio with any error.
        """
        exchange, problem = self._initialize_barely()
        if problem:
            raise self._failure(exchange, f"A legacy client should be refused, but {problem}.")

    @keyword(tags=["handshake", "assertion"])
    def legacy_client_should_be_told_the_versions(self) -> None:
        """Open a fresh connection and send `initialize`; fail unless the refusal names a version that the server speaks. (HS-19)

        The data of the error or any of its text may name it. Skips when `initialize` is not refused.
        """
        exchange, _ = self._initialize_barely()
        if exchange.result is not MISSING or (exchange.answer is None and exchange.status is None):
            raise SkipExecution("Not applicable: initialize was not refused, which is judged by VER-11.")
        body = exchange.http.body.decode("utf-8", "replace") if exchange.http is not None and exchange.http.body else ""
        problems = unhelpful_refusal(exchange.error, body, MODERN)
        self.fail_on(problems, "The refusal does not help the client", exchange)

    @keyword(tags=["handshake", "assertion"])
    def modern_client_should_fall_back(self) -> None:
        """Probe a legacy-only server with `server/discover`; fail unless it refuses and then takes `initialize`. (VER-10)

        Any error will do but those of the modern era, by which a client takes the server for a modern one. Silence is
        wrong, too, though clients go on after a while.
        """
        exchange, problem = self._probe()
        if problem:
            raise self._failure(exchange, f"A modern client should be able to fall back, but {problem}.")

    @keyword(tags=["handshake", "assertion"])
    def era_probe_should_work(self) -> None:
        """Send `server/discover` as the first message of a fresh connection; fail unless it says how to go on. (STDIO-09)

        A result, a modern error, or any other error after which `initialize` is taken. Silence is wrong, though clients
        go on after a while; a process that ends is a defect.
        """
        exchange, problem = self._probe(modern_too=True)
        if problem:
            raise self._failure(exchange, f"The era probe should work, but {problem}.")

    @keyword(tags=["handshake", "assertion"])
    def request_should_be_served_or_refused(self, reply: Any) -> None:
        """Fail unless there is a JSON-RPC response, or an HTTP status from 400 to 499. (VER-07, VER-08, VER-13)

        For what a server may take in several ways: only silence, a crash and an HTTP status of 500 or more are wrong.

        Args:
            reply: The reply of a raw request.
        """
        exchange = source_of(reply)
        if (exchange.status or 0) >= 500:
            raise self.ctx.broken(
                f"The request should be served or refused, but got HTTP status {exchange.status}.", exchange
            )
        if exchange.answer is None and not 400 <= (exchange.status or 0) < 500:
            raise self.ctx.defect(
                f"The request should be served or refused, but there was {ended(exchange)}.", exchange
            )

    # -- meetings -----------------------------------------------------------------------------------------------

    def _meet(self, cell: Cell) -> Cell:
        meet = {
            Client.MODERN: self._meet_modern,
            Client.LEGACY: self._meet_legacy,
            Client.AUTO: self._meet_auto,
            Client.LEGACY_FIRST: self._meet_legacy_first,
            Client.MODERN_FIRST: self._meet_modern_first,
        }[cell.client]
        try:
            return meet(cell)
        except McpFailure as failure:
            line = str(failure).splitlines()[0].rstrip(".")
            return cell.ended(line, line[:1].lower() + line[1:])

    def _meet_modern(self, cell: Cell) -> Cell:
        if "modern" in self._server().claimed:
            return self._use(cell, "modern")
        exchange, problem = self._probe()
        return cell.ended(f"server/discover: {ended(exchange)}{'' if problem else ', initialize: a result'}", problem)

    def _meet_legacy(self, cell: Cell) -> Cell:
        if "legacy" in self._server().claimed:
            return self._use(cell, "legacy")
        exchange, problem = self._initialize_barely()
        return cell.ended(_in_words(exchange), problem)

    def _meet_auto(self, cell: Cell) -> Cell:
        cell = self._use(cell, "auto")
        session = self.ctx.connection().session
        settled = session.revision.era.value if session.revision else "no"
        newest = self._server().claimed[-1]
        problem = cell.problem or ("" if settled == newest else f"it settled on the {settled} era")
        return cell.ended("; ".join([*session.notes, cell.came]), problem)

    def _meet_legacy_first(self, cell: Cell) -> Cell:
        self._open_bare("legacy", handshake=True)
        return self._cross(cell, source_of(self.send_raw_request("server/discover", protocol="modern")))

    def _meet_modern_first(self, cell: Cell) -> Cell:
        self._open_bare("modern", handshake=True)
        return self._cross(cell, source_of(self.send_initialize_in_modern_connection()))

    @keyword(tags=["raw"])
    def send_initialize_in_modern_connection(self) -> Reply:
        """Send `initialize` as a legacy client does, without envelope and headers, on a modern connection. (VER-13)

        Returns:
            The reply, whatever it is. The connection goes on as a modern one.
        """
        reply: Reply = self.send_raw_request(
            "initialize", _INITIALIZE, protocol="legacy", without="MCP-Protocol-Version"
        )
        return reply

    def _cross(self, cell: Cell, other: Exchange) -> Cell:
        """The verdict on a request of the other era within a connection, and on the connection after it."""
        again = self._plain_request()
        came = f"{other.method}: {_in_words(other)}; then {again.method}: {ended(again)}"
        if again.result is MISSING:
            return cell.ended(came, f"{again.method} was {ended(again)} after a request of the other era")
        if other.answer is None and other.status is None:
            return cell.ended(came, f"{other.method} of the other era got {ended(other)}")
        if other.http is not None and other.result is MISSING:
            return cell.ended(came, f"{other.method} of the other era was {ended(other)}")
        return cell.ended(came)

    def _use(self, cell: Cell, protocol: str) -> Cell:
        self._open_bare(protocol, handshake=True)
        session = self.ctx.connection().session
        exchange = self._plain_request()
        assert session.revision is not None
        came = f"{session.revision.name}; {exchange.method}: {ended(exchange)}"
        return cell.ended(came, "" if exchange.result is not MISSING else f"{exchange.method} was {ended(exchange)}")

    def _plain_request(self) -> Exchange:
        """A list of the first declared capability, or what every server of the era must answer."""
        session = self.ctx.connection().session
        declared = session.server.capabilities
        method = next((m for m, key in LIST_KEYS.items() if key in declared), None)
        return self._request(method or ("server/discover" if session.modern else "ping"), MISSING, None, None)

    def _initialize_barely(self) -> tuple[Exchange, str]:
        """The answer to ``initialize`` as the first message, and what is wrong with it as a refusal."""
        self._open_bare("auto")
        exchange = source_of(self.initialize_session(complete=False))
        if exchange.answer is None and exchange.status is None:
            return exchange, f"initialize got {ended(exchange)}"
        return exchange, matrix.refusal_of_initialize(exchange.error, exchange.status)

    def _probe(self, *, modern_too: bool = False) -> tuple[Exchange, str]:
        """The answer to ``server/discover`` as the first message of a legacy-only server, and what keeps a client from going on.

        With ``modern_too`` the server may as well be a modern one.
        """
        from ..session.negotiation import PROBE_LIMIT

        self._open_bare("auto")
        patience = self.ctx.connection().session.timeout
        limit = timedelta(seconds=patience if modern_too else min(PROBE_LIMIT, patience))
        exchange = source_of(self.send_raw_request("server/discover", protocol="modern", timeout=limit))
        if exchange.answer is None and exchange.status is None:
            return exchange, f"server/discover got {ended(exchange)}"
        problem = matrix.answer_to_probe(exchange.error, exchange.status)
        if problem:
            return exchange, "" if modern_too else problem
        handshake = source_of(self.initialize_session())
        if handshake.result is MISSING:
            return handshake, f"initialize after the probe was {ended(handshake)}"
        return exchange, ""

    # -- helpers ------------------------------------------------------------------------------------------------

    def _failure(self, exchange: Exchange, problem: str) -> McpFailure:
        """A crash is a defect, and so is silence to `initialize`; clients are told to expect silence to a probe."""
        crashed = exchange.outcome in (Outcome.CLOSED, Outcome.FAILED)
        silent = exchange.outcome is Outcome.NO_ANSWER and exchange.method == "initialize"
        return (self.ctx.defect if crashed or silent else self.ctx.broken)(problem, exchange)

    def _open_bare(self, protocol: str, *, handshake: bool = False) -> None:
        """A fresh connection of this test, of any era, whether it is judged or not."""
        under_test = self._server()
        self.ctx.test_era = self.ctx.test_era or under_test.eras[-1]
        self.connect_to_server(
            under_test.target, protocol=protocol, handshake=handshake, close=AutoClose.LEVEL, **under_test.options
        )

    def _server(self) -> ServerUnderTest:
        if self.ctx.under_test is None:
            raise WrongUse("There is no server under test. Use 'Set Server Under Test' in the suite setup.")
        return self.ctx.under_test


def _in_words(exchange: Exchange) -> str:
    status = f", HTTP {exchange.status}" if exchange.status is not None else ""
    return f"{ended(exchange)}{status}"
