"""Keywords that judge whether a legacy server keeps within the negotiated revision and within what the client declared."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import bounds as checks
from ..checks.handshake import is_declared, ping_problems
from ..failures import RuleBroken, WrongUse
from ..session.revisions import Revision
from ..wire.frame import Exchange, Frame
from .base import seconds, source_of
from .handshake import Handshake

_LISTS = {
    "tools/list": ("tools", "tool"),
    "resources/list": ("resources", "resource"),
    "resources/templates/list": ("resources", "resource template"),
    "prompts/list": ("prompts", "prompt"),
}
"""The capability that promises a list, and what its items are."""


class Bounds(Handshake):
    call_role: Any
    send_http_request: Any
    require_role: Any

    @keyword(tags=["handshake", "assertion"])
    def ping_should_be_empty(self, *, timeout: timedelta | None = None, server: str | None = None) -> None:
        """Send `ping`, and fail unless the result is empty. (PING-01)

        Args:
            timeout: Time for the answer.
            server: Alias of a legacy connection; the current one if not given.
        """
        exchange = self._request("ping", {}, timeout, server)
        if not isinstance(exchange.result, dict):
            raise self._no_result(exchange)
        self.fail_on(ping_problems(exchange.result), "Ping says too much", exchange)

    @keyword(tags=["handshake", "assertion"])
    def offered_revision_should_be_at_least(self, reply: Any, revision: str) -> None:
        """Fail if `initialize` was answered with an older revision than this one. (HS-03)

        Args:
            reply: The reply of `initialize`.
            revision: A revision that the server negotiates.
        """
        exchange = self._result_of(reply)
        offered = str(exchange.result.get("protocolVersion"))
        if offered < revision:
            raise self.ctx.broken(
                f"The server should offer the newest revision that it negotiates, {revision}, but offers {offered}.",
                exchange,
            )

    @keyword(tags=["handshake", "assertion"])
    def server_should_ask_nothing_yet(
        self, *, silence: timedelta = timedelta(seconds=1), server: str | None = None
    ) -> None:
        """Fail if the server sends requests other than `ping` before `notifications/initialized`. (HS-10)

        Over HTTP the event stream of the session (GET) is watched as well, if the server offers one.

        Args:
            silence: Time for which nothing may come.
            server: Alias of a connection after *Initialize Session* with `complete=False`; the current one if not given.
        """
        connection = self.ctx.connection(server)
        session = connection.session
        limit = seconds(silence) or 1.0
        if session.transport.kind == "http" and session.session_id:
            stream = source_of(
                self.send_http_request("GET", headers=[("Accept", "text/event-stream")], timeout=silence, server=server)
            )
            if stream.status != 200:
                logger.info("The server offers no event stream, so only the answer to initialize could carry requests.")
        else:

            async def run() -> Frame | None:
                return await session.wait_for_frame(_is_early, timeout=limit)

            self.ctx.wait(run, timeout=limit)
        requests = [f for f in session.transcript.frames() if f.direction == "received" and f.kind == "request"]
        early = checks.early_requests(frame.method for frame in requests)
        if early:
            raise self.ctx.broken(
                f"Before notifications/initialized the server should send no requests but ping, but sent {', '.join(early)}.",
                session.opening, evidence=requests[0].raw.decode("utf-8", "backslashreplace"),
            )  # fmt: skip

    @keyword(tags=["handshake", "assertion"])
    def lists_should_fit_the_revision(
        self, *, timeout: timedelta | None = None, server: str | None = None
    ) -> list[str]:
        """Fail if `serverInfo`, a list or its items have members that are younger than the revision. (HS-17, HS-20)

        Args:
            timeout: Time for each page of a list.
            server: Alias of a legacy connection; the current one if not given.

        Returns:
            The lists that were read: those of the declared capabilities.
        """
        connection = self.ctx.connection(server)
        session, revision = connection.session, self._revision(server)
        opening = session.opening
        assert opening is not None
        self._fit(checks.newer_members("server info", session.server.info, revision), revision, opening)
        read = []
        for method, (capability, kind) in _LISTS.items():
            if not is_declared(session.server.capabilities, capability):
                continue
            try:
                items = self.walk(method, timeout=seconds(timeout), server=server)
            except RuleBroken:
                if kind == "resource template":
                    continue  # Templates are optional within the capability; that lists work is judged elsewhere.
                raise
            page = session.transcript.exchange(-1)
            assert page is not None
            problems = checks.newer_members("result", page.result, revision)
            self._fit(problems + checks.newer_items(kind, items, revision), revision, page)
            read.append(method)
        logger.info(f"Judged: serverInfo, {', '.join(read)}")
        return read

    @keyword(tags=["suites"])
    def require_any_role(self, *roles: str) -> list[Any]:
        """Return what the profile names for these roles, or skip the test when it names none of them.

        Args:
            roles: Names of roles.

        Returns:
            The named ones as a list of dictionaries, as *Require Role* returns them.
        """
        named, reasons = [], []
        for role in roles:
            try:
                named.append(self.require_role(role))
            except SkipExecution as skip:
                reasons.append(skip)
        if not named:
            raise reasons[0]
        return named

    @keyword(tags=["handshake", "assertion"])
    def tool_results_should_fit_the_revision(self, *tools: Any, server: str | None = None) -> None:
        """Call these tools; fail if a result has blocks or members that are younger than the revision. (HS-17)

        Args:
            tools: Dictionaries with `name` and `arguments`, as *Require Any Role* returns them.
            server: Alias of a legacy connection; the current one if not given.
        """
        revision = self._revision(server)
        for tool in tools:
            exchange = source_of(self.call_role(tool))
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, self.ctx.connection(server))
            self._fit(checks.newer_content(exchange.result, revision), revision, exchange)

    @keyword(tags=["handshake", "assertion"])
    def calls_should_ask_only_what_they_may(self, *tools: Any, server: str | None = None) -> None:
        """Call tools that ask, on a legacy connection; fail if one asks what revision or client do not allow. (HS-17, HS-18)

        A request of the server is allowed when the revision knows it and the client declared it. How a call ends is
        free, but it must end.

        Args:
            tools: Dictionaries with `name` and `arguments`, as *Require Any Role* returns them.
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        session, revision = connection.session, self._revision(server)
        declared = _declared(session.opening)
        for tool in tools:
            mark = session.transcript.seen
            exchange = source_of(self.call_role(tool))
            for frame in session.transcript.frames(mark):
                if frame.direction == "received" and frame.kind == "request":
                    reason = checks.forbidden_question(frame.method, frame.member("params"), declared, revision)
                    if reason:
                        raise self.ctx.broken(
                            f"Tool {tool['name']!r} must not ask the client by {frame.method}: {reason}.", exchange,
                            evidence=frame.raw.decode("utf-8", "backslashreplace"),
                            hint="end the call with an error that says what the client lacks.",
                        )  # fmt: skip
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, connection)

    def _revision(self, server: str | None) -> Revision:
        connection = self.ctx.connection(server)
        revision = connection.session.revision
        if revision is None or revision.modern or connection.session.opening is None:
            raise WrongUse(
                f"This is a rule of the legacy era, but server {connection.described} is not connected in it."
            )
        return revision

    def _fit(self, problems: list[str], revision: Revision, exchange: Exchange) -> None:
        self.fail_on(problems, f"Revision {revision.name} was negotiated, but what came is younger", exchange)


def _is_early(frame: Frame) -> bool:
    return frame.kind == "request" and frame.method != "ping"


def _declared(opening: Exchange | None) -> Any:
    params = opening.request.member("params") if opening is not None else None
    return params.get("capabilities") if isinstance(params, dict) else None
