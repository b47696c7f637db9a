"""Keywords that judge whether a server respects what its client declared: it asks nothing else, and says what is missing."""

from __future__ import annotations

from typing import Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks.client_capabilities import question_problems, questions_of
from ..checks.errors import missing_capability_problems
from ..session.envelope import CAPABILITIES_KEY
from ..session.revisions import ELICITATION_BY_URL_SINCE
from ..types import OptionalJson
from ..wire import jsonrpc
from ..wire.frame import Exchange
from ..wire.jsonrpc import MISSING_CLIENT_CAPABILITY, describe_code
from .base import Group, Reply, ended, source_of


class ClientCapabilities(Group):
    call_role: Any
    connect_to_server_under_test: Any
    send_raw_request: Any

    @keyword(tags=["capabilities"])
    def call_role_declaring(self, role: Any, capabilities: OptionalJson = None) -> Reply:
        """Call the tool of a role on a modern connection with these client capabilities; nothing it asks is answered.

        Args:
            role: What *Require Role* returned.
            capabilities: What this one request declares, as a JSON object; nothing if not given.

        Returns:
            The reply, whatever it is. No answer at all is a defect.

        Example:
        ```robotframework
        ${r} =    Call Role Declaring    ${tool}    {"elicitation": {"form": {}}}
        ```
        """
        meta: dict[str, Any] = {CAPABILITIES_KEY: capabilities or {}}
        params = {"name": role["name"], "arguments": dict(role["arguments"]), "_meta": meta}
        reply: Reply = self.send_raw_request("tools/call", params)
        exchange = source_of(reply)
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection(reply.server))
        return reply

    @keyword(tags=["capabilities", "assertion"])
    def undeclared_capability_should_be_named(self, role: Any, capability: str) -> Reply:
        """Call a modern tool that asks, declaring nothing; fail unless the answer is -32021 naming the capability. (CAP-01 to CAP-03)

        Args:
            role: What *Require Role* returned: a tool that asks.
            capability: What the tool asks for: `elicitation`, `sampling` or `roots`.

        Returns:
            The reply. Over HTTP its status must be 400. Skips when the tool completes without asking, as it may.
        """
        reply: Reply = self.call_role_declaring(role)
        exchange = source_of(reply)
        self._judge_questions(_asked_in(exchange), {}, exchange)
        if exchange.error_code != MISSING_CLIENT_CAPABILITY:
            if isinstance(exchange.result, dict) and not exchange.is_tool_error:
                raise SkipExecution(
                    f"Not applicable: {role['name']} completes without {capability} when the client declares nothing."
                )
            raise self.ctx.broken(
                f"A call that needs {capability} should be refused with {describe_code(MISSING_CLIENT_CAPABILITY)} when the client "
                f"declares nothing, but was {ended(exchange)}.", exchange,
            )  # fmt: skip
        problems = missing_capability_problems(exchange.error.get("data"), capability)
        if problems:
            raise self.ctx.broken(f"The refusal does not say what is missing: {problems[0]}.", exchange)
        if exchange.status not in (None, 400):
            raise self.ctx.broken(f"The refusal should have HTTP status 400, but has {exchange.status}.", exchange)
        return reply

    @keyword(tags=["capabilities", "assertion"])
    def role_should_ask_only_what_is_declared(
        self, role: Any, capabilities: OptionalJson = None, *, must_ask: bool = False
    ) -> list[str]:
        """Call a tool that asks, and fail if it asks what the client did not declare. (CAP-03, CAP-04, CAP-05)

        On a modern connection the request itself declares. On a legacy one a fresh connection of 2025-11-25, the revision
        with modes, declares it in `initialize`; the test is skipped when the server does not negotiate that.

        Args:
            role: What *Require Role* returned: a tool that asks.
            capabilities: What is declared, as a JSON object.
            must_ask: `True` fails also when the tool asks nothing, although what it needs is declared.

        Returns:
            The methods of its questions.
        """
        declared: Any = capabilities or {}
        if self.ctx.connection().session.modern:
            exchange = source_of(self.call_role_declaring(role, declared))
            asked = _asked_in(exchange)
        else:
            self.connect_to_server_under_test(ELICITATION_BY_URL_SINCE, handshake=True, client_capabilities=declared)
            connection = self.ctx.connection()
            earlier = len(connection.session.client_side.questions)
            exchange = source_of(self.call_role(role))
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, connection)
            asked = [(q.method, q.params) for q in connection.session.client_side.questions[earlier:]]
        self._judge_questions(asked, declared, exchange)
        if must_ask and not asked:
            raise self.ctx.broken(
                f"{role['name']} should ask a client that declares {jsonrpc.to_json(declared)}, but was {ended(exchange)}.",
                exchange,
            )
        methods = [str(method) for method, _ in asked]
        logger.info(f"Declared: {jsonrpc.to_json(declared)}. Asked: {', '.join(methods) or 'nothing'}.")
        return methods

    def _judge_questions(self, asked: list[tuple[Any, Any]], declared: Any, exchange: Exchange) -> None:
        for method, params in asked:
            problems = question_problems(method, params, declared)
            if problems:
                raise self.ctx.broken(f"The server should ask only what the client declared: {problems[0]}.", exchange)


def _asked_in(exchange: Exchange) -> list[tuple[Any, Any]]:
    """What a modern call asks, also by a request of the server, which it must not send at all (RPC-26)."""
    requests = [(frame.method, frame.member("params")) for frame in exchange.between if frame.kind == "request"]
    return [*questions_of(exchange.result), *requests]
