"""Keywords that judge how tools treat arguments that their own schema forbids, and the codes that a server used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks.arguments import out_of_bounds, with_numeric_text, with_unknown, with_wrong_types, without_required
from ..checks.errors import code_problems
from ..checks.permission import may_be_called
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, ended, source_of

SCHEMA_REASON = "Not applicable: the inputSchema of {name!r} forbids nothing that could be tried ({what})."


class Tools(Group):
    call_tool: Any
    get_tool: Any
    list_tools: Any
    assert_error_code: Any

    @keyword(tags=["errors", "assertion"])
    def call_should_fail(self, reply: Any) -> None:
        """Fail if the call looks like a success; either error channel will do. (TOOL-27)

        Args:
            reply: What an asking or raw keyword returned.
        """
        exchange = source_of(reply)
        if exchange.answer is None:
            raise self.ctx.defect(f"The call should fail with an error, but there was {ended(exchange)}.", exchange)
        if not isinstance(exchange.error, dict) and not exchange.is_tool_error:
            raise self.ctx.broken(f"The call should fail, but was {ended(exchange)}.", exchange)

    @keyword(tags=["arguments", "assertion"])
    def tool_should_refuse_wrong_types(self, tool: Any) -> list[str]:
        """Call a tool without each required argument and with values of wrong types; fail if one call succeeds. (TOOL-28)

        Either channel is right: a tool error (preferred since 2025-11-25) or -32602 (X-28). No answer is a defect.

        Args:
            tool: A dictionary with `name` and good `arguments`, as *Require Safe Tool* returns it.

        Returns:
            What was tried. Skips when the schema forbids nothing that could be tried.
        """
        schema = self.get_tool(tool["name"]).get("inputSchema")
        good = dict(tool["arguments"])
        return self._refuse_all(
            tool, [*without_required(schema, good), *with_wrong_types(schema, good)], "required or typed arguments"
        )

    @keyword(tags=["arguments", "assertion"])
    def tool_should_refuse_values_out_of_bounds(self, tool: Any) -> list[str]:
        """Call a tool with values that an `enum`, a limit or a length of its schema forbids; fail if one call succeeds. (TOOL-28)

        Args:
            tool: A dictionary with `name` and good `arguments`, as *Require Safe Tool* returns it.

        Returns:
            What was tried. Skips when the schema sets no such bounds.
        """
        schema = self.get_tool(tool["name"]).get("inputSchema")
        return self._refuse_all(tool, out_of_bounds(schema, dict(tool["arguments"])), "bounds of values")

    @keyword(tags=["arguments", "assertion"])
    def tool_should_refuse_unknown_arguments(self, tool: Any) -> list[str]:
        """Call a tool with an argument that `additionalProperties: false` excludes; fail if the call succeeds. (TOOL-29, X-12)

        Args:
            tool: A dictionary with `name` and good `arguments`, as *Require Safe Tool* returns it.

        Returns:
            What was tried. Skips when the schema excludes no arguments.
        """
        schema = self.get_tool(tool["name"]).get("inputSchema")
        return self._refuse_all(tool, with_unknown(schema, dict(tool["arguments"])), "unknown arguments")

    @keyword(tags=["arguments", "assertion"])
    def read_only_tools_should_refuse_missing_arguments(self) -> list[str]:
        """Call each tool that says it only reads, and requires arguments, with none; fail if a call succeeds. (TOOL-28)

        Returns:
            The names of the tools. Skips when no tool that may be called requires arguments.
        """
        tried = []
        for tool in self.list_tools():
            schema = tool.get("inputSchema") if isinstance(tool, dict) else None
            if may_be_called(tool) and isinstance(schema, dict) and schema.get("required"):
                self._refuse_all(tool, [("none of the required arguments", {})], "required arguments")
                tried.append(tool["name"])
        if not tried:
            raise SkipExecution("Not applicable: no tool that says that it only reads requires arguments.")
        return tried

    @keyword(tags=["arguments", "assertion"])
    def tool_should_refuse_numeric_text(self, tool: Any) -> list[str]:
        """Call a tool with `"1"` where its schema says integer or number; fail if the call succeeds. (TOOL-29, X-12)

        Args:
            tool: A dictionary with `name` and good `arguments`, as *Require Safe Tool* returns it.

        Returns:
            What was tried. Skips when no numeric argument is given.
        """
        schema = self.get_tool(tool["name"]).get("inputSchema")
        return self._refuse_all(tool, with_numeric_text(schema, dict(tool["arguments"])), "numeric arguments")

    def _refuse_all(self, tool: Any, cases: Iterable[tuple[str, dict[str, Any]]], what: str) -> list[str]:
        tried = []
        for description, arguments in cases:
            reply = self.call_tool(tool["name"], arguments=arguments, expect="ANY")
            exchange = source_of(reply)
            tried.append(description)
            if exchange.answer is None:
                raise self.ctx.defect(f"Tool {tool['name']!r}, {description}: {ended(exchange)}.", exchange)
            if not isinstance(exchange.error, dict) and not exchange.is_tool_error:
                raise self.ctx.broken(
                    f"Tool {tool['name']!r} should refuse what its own inputSchema forbids, but ran with {description}.",
                    exchange,
                )
        if not tried:
            raise SkipExecution(SCHEMA_REASON.format(name=tool["name"], what=what))
        logger.info(f"Refused: {'; '.join(tried)}")
        return tried

    @keyword(tags=["arguments"])
    def call_without_a_required_argument(self, tool: Any) -> Reply:
        """Call a tool without one of its required arguments, whatever comes back.

        Args:
            tool: A dictionary with `name` and good `arguments`, as *Require Safe Tool* returns it.

        Returns:
            The reply. Skips when nothing is required.
        """
        schema = self.get_tool(tool["name"]).get("inputSchema")
        case = next(without_required(schema, dict(tool["arguments"])), None)
        if case is None:
            raise SkipExecution(SCHEMA_REASON.format(name=tool["name"], what="required arguments"))
        reply: Reply = self.call_tool(tool["name"], arguments=case[1], expect="ANY")
        return reply

    @keyword(tags=["errors", "assertion"])
    def missing_resource_should_have_the_code_of_the_revision(self, reply: Any) -> None:
        """Fail unless the error for a missing resource has the code of the connection's revision. (RES-06, RES-07, X-13)

        -32602 since 2026-07-28, -32002 before.

        Args:
            reply: The reply of a `resources/read` of what does not exist.
        """
        self.assert_error_code(reply, self.revision(reply.server).missing_resource[0])

    @keyword(tags=["errors", "assertion"])
    def error_codes_should_be_allowed(self, *, server: str | None = None) -> list[int]:
        """Fail if any error of this connection so far carries a reserved or retired code. (RPC-21, RPC-22)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            The codes that were seen. Skips when no error was seen, since then nothing was judged.
        """
        connection = self.ctx.connection(server)
        revision = connection.session.revision
        seen: list[int] = []
        for exchange in connection.session.transcript.exchanges():
            code = exchange.error_code
            if code is MISSING or not isinstance(code, int) or revision is None:
                continue
            seen.append(code)
            problems = code_problems(code, revision)
            if problems:
                raise self.ctx.broken(f"An error carries a code that it must not: {problems[0]}.", exchange)
        if not seen:
            raise SkipExecution("Nothing was judged: no error was seen on this connection yet.")
        return sorted(set(seen))
