"""Keywords that judge capabilities: their shape, and whether what is declared works and what works is declared."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import handshake as checks
from ..checks.handshake import is_declared
from ..failures import WrongUse
from ..session.revisions import CAPABILITY_METHODS, LIST_KEYS, REMOVED_IN_MODERN
from ..wire import jsonrpc
from ..wire.jsonrpc import METHOD_NOT_FOUND, MISSING
from .base import Reply, ended
from .handshake import Handshake


class Capabilities(Handshake):
    @keyword(tags=["handshake"])
    def get_opening(self, *, server: str | None = None) -> Reply:
        """Return the reply with which the server introduced itself: to `initialize`, or to `server/discover`.

        Args:
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        if connection.session.opening is None:
            raise WrongUse(f"Server {connection.described} has not introduced itself; there was no handshake.")
        return Reply(connection.session.opening, connection.alias)

    @keyword(tags=["handshake", "assertion"])
    def capabilities_should_be_well_formed(self, reply: Any) -> None:
        """Fail unless capabilities are objects, their flags booleans, and extensions named with a prefix. (HS-13, DISC-10)

        Args:
            reply: The reply of *Initialize Session* or *Discover Server*.
        """
        exchange = self._result_of(reply)
        problems = checks.capability_problems(exchange.result.get("capabilities"))
        self.fail_on(problems, "The capabilities are malformed", exchange)

    @keyword(tags=["handshake", "assertion"])
    def capabilities_should_be_implemented(
        self, *, timeout: timedelta | None = None, server: str | None = None
    ) -> list[str]:
        """Call the methods of every declared capability, and fail if one of them does not exist. (HS-11, DISC-07)

        `completion/complete`, `logging/setLevel` and `resources/subscribe` count as there when they refuse what they are
        asked with another code than -32601.

        Args:
            timeout: Time for each answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The methods that were called. Skips when nothing is declared.
        """
        connection = self.ctx.connection(server)
        declared = connection.session.server.capabilities
        called = []
        for capability, methods in CAPABILITY_METHODS.items():
            if not is_declared(declared, capability):
                continue
            for method in methods:
                if method in REMOVED_IN_MODERN and connection.session.modern:
                    continue
                exchange = self._request(method, _probe_params(method), timeout, server)
                called.append(method)
                if exchange.answer is None:
                    raise self.ctx.no_answer(exchange, connection)
                missing = exchange.error_code == METHOD_NOT_FOUND
                if missing or (method in LIST_KEYS and exchange.result is MISSING):
                    if method == "resources/templates/list" and missing:
                        continue  # Templates are optional within the capability.
                    raise self.ctx.broken(
                        f"The server declares {capability!r}, so {method} should work, but was {ended(exchange)}.", exchange,
                        hint="clients offer what is declared; declare it only when it works.",
                    )  # fmt: skip
        if not called:
            raise SkipExecution("Not applicable: the server declares no capability that has methods.")
        logger.info(f"Declared and called: {', '.join(called)}")
        return called

    @keyword(tags=["handshake", "assertion"])
    def undeclared_capabilities_should_not_be_served(
        self, *, timeout: timedelta | None = None, server: str | None = None
    ) -> list[str]:
        """Call the methods of capabilities that are not declared; fail unless they are answered by -32601. (HS-12, RPC-18, DISC-08)

        A list that is answered but empty is noted only: many servers do so.

        Args:
            timeout: Time for each answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The methods that were called. Skips when everything is declared.
        """
        connection = self.ctx.connection(server)
        session = connection.session
        called = []
        for capability, methods in CAPABILITY_METHODS.items():
            if is_declared(session.server.capabilities, capability):
                continue
            method = methods[0]
            if method in REMOVED_IN_MODERN and session.modern:
                continue
            exchange = self._request(method, _probe_params(method), timeout, server)
            called.append(method)
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, connection)
            if exchange.error_code == METHOD_NOT_FOUND:
                continue
            items = exchange.result.get(LIST_KEYS.get(method, "")) if isinstance(exchange.result, dict) else None
            if items == []:
                logger.info(f"{method} works although {capability!r} is not declared, but its list is empty.")
                continue
            raise self.ctx.broken(
                f"The server does not declare {capability!r}, so {method} should be {jsonrpc.describe_code(METHOD_NOT_FOUND)}, "
                f"but was {ended(exchange)}.",
                exchange,
            )
        if not called:
            raise SkipExecution("Not applicable: the server declares every capability that has methods.")
        logger.info(f"Not declared and not served: {', '.join(called)}")
        return called


def _probe_params(method: str) -> Any:
    """Params with which a method can be asked of any server without harm."""
    if method == "completion/complete":
        return {"ref": {"type": "ref/prompt", "name": "mcplibrary-probe"}, "argument": {"name": "x", "value": ""}}
    if method == "logging/setLevel":
        return {"level": "info"}
    if method in ("resources/subscribe", "resources/unsubscribe"):
        return {"uri": "mcplibrary://no-such-resource"}
    return MISSING
