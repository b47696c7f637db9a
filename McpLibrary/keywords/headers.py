"""Keywords that judge the HTTP headers which mirror a modern request: refused, understood, and what tools publish of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import headers as checks
from ..checks.permission import NEEDED, may_be_called
from ..failures import WrongUse
from ..types import OptionalHeaders
from ..wire.frame import Exchange
from ..wire.jsonrpc import HEADER_MISMATCH, MISSING, describe_code
from .base import Group, Reply, ended, names_of, source_of, to_robot

NO_HEADER_TOOL = (
    "Not applicable: no tool that may be called mirrors an argument of type {kind} in a header. Name a header_tool in your "
    f"mcp-profile.yaml; by itself only a tool is called that says {NEEDED}, and requires no other arguments than mirrored ones."
)


class Headers(Group):
    list_tools: Any
    role_of: Any
    send_raw_request: Any
    _request: Any
    _modern: Any
    _error: Any
    _echo: Any
    _status: Any

    @keyword(tags=["headers", "assertion"])
    def header_mismatch_should_be_refused(
        self,
        headers: OptionalHeaders = None,
        *,
        without: list[str] | str = "",
        method: str = "server/discover",
        params: Any = None,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send a modern POST whose mirrored headers do not fit its body; fail unless the answer is 400 and -32020.

        Args:
            headers: Headers to bend, such as `{"Mcp-Method": "prompts/list"}`, or lines as in *Send Raw Request*.
                (HDR-03, HDR-04, HDR-08, HDR-11, HDR-12, HDR-16, HDR-18, HDR-20, HDR-23, HDR-25, HDR-27)
            without: Headers to leave out, such as `Mcp-Name`. (HDR-02, HDR-05 to HDR-07, HDR-21)
            method: Method of the request.
            params: Its params as a dictionary.
            timeout: Time for the answer.
            server: Alias of a modern HTTP connection; the current one if not given.

        Returns:
            The reply. Its id must be the one of the request. (HDR-19)

        Example:
        ```robotframework
        Header Mismatch Should Be Refused    {"Mcp-Method": "prompts/list"}    method=tools/list
        ```
        """
        exchange = self._bent(headers, without, method, params, timeout, server)
        self._error(exchange, HEADER_MISMATCH, "Headers that do not fit the body should be refused")
        self._echo(exchange)
        self._status(exchange, 400)
        return Reply(exchange, self.ctx.connection(server).alias)

    @keyword(tags=["headers", "assertion"])
    def unreadable_header_should_be_refused(
        self,
        headers: OptionalHeaders,
        *,
        method: str = "server/discover",
        params: Any = None,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send header bytes that HTTP does not allow; fail unless the answer is 400. (HDR-15)

        The error -32020 belongs to it, but an HTTP library below the server may refuse such bytes by itself.

        Args:
            headers: Header lines, such as `["Mcp-Name: ü"]`.
            method: Method of the request.
            params: Its params as a dictionary.
            timeout: Time for the answer.
            server: Alias of a modern HTTP connection; the current one if not given.
        """
        exchange = self._bent(headers, "", method, params, timeout, server)
        if exchange.answer is not None or exchange.status is None:
            self._error(
                exchange, HEADER_MISMATCH, "A header with characters that HTTP does not allow should be refused"
            )
        self._status(exchange, 400)
        return Reply(exchange, self.ctx.connection(server).alias)

    @keyword(tags=["headers", "assertion"])
    def headers_should_be_accepted(self, reply: Any) -> None:
        """Fail if a request was refused for its headers: by error -32020, or by an HTTP error without a JSON-RPC answer.

        Whatever else the request ends with is not judged: it may ask for what does not exist. (HDR-09, HDR-10, HDR-13,
        HDR-14, HDR-17, HDR-18, HDR-22, HDR-24, HDR-26 to HDR-28, HDR-31)

        Args:
            reply: The reply of *Send Raw Request*.
        """
        exchange = source_of(reply)
        if exchange.error_code == HEADER_MISMATCH:
            raise self.ctx.broken(
                f"The headers fit the body and should be accepted, but were refused with {describe_code(HEADER_MISMATCH)}.",
                exchange, evidence=f"{ended(exchange)}\nsent: {_sent_headers(exchange)}",
            )  # fmt: skip
        if exchange.answer is None:
            make = self.ctx.defect if exchange.status is None or exchange.status >= 500 else self.ctx.broken
            raise make(f"The headers fit the body and should be accepted, but there was {ended(exchange)}.", exchange)

    @keyword(tags=["headers"])
    def require_header_tool(self, kind: Literal["string", "integer", "boolean"] = "string") -> Any:
        """Return a tool that mirrors an argument of this type in a header and may be called, or skip the test.

        The role `header_tool` comes first. Without it the first tool is taken that may be called (see *Require Safe Tool*)
        and requires no other arguments than mirrored ones, whose values the schema gives.

        Args:
            kind: Type of the mirrored argument.

        Returns:
            A dictionary with `header` (its name), `value` (of the argument), and params of *tools/call*: `params` with
            the argument, `without` it, `null` with null for it.
        """
        role = self.role_of("header_tool")
        for tool in self.list_tools():
            schema = tool.get("inputSchema") or {}
            if role is not None and tool.get("name") != role["name"]:
                continue
            if role is None and not may_be_called(tool):
                continue
            arguments = dict((role or {}).get("arguments", {}))
            mirrored = next(iter(checks.mirrored_arguments(schema, arguments, kind)), None)
            if mirrored is None or not (role or set(schema.get("required") or ()) <= {mirrored.path[0]}):
                continue

            def params(value: Any, tool: Any = tool, arguments: Any = arguments, mirrored: Any = mirrored) -> Any:
                return {"name": tool["name"], "arguments": mirrored.arguments(arguments, value)}

            return to_robot(
                {"header": mirrored.header, "value": mirrored.value, "params": params(mirrored.value),
                 "without": params(...), "null": params(None)}
            )  # fmt: skip
        raise SkipExecution(NO_HEADER_TOOL.format(kind=kind))

    @keyword(tags=["headers", "assertion"])
    def header_annotations_should_be_valid(self, *, server: str | None = None) -> list[str]:
        """Fail if a listed tool has `x-mcp-header` annotations that clients must reject. (HDR-29)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            The names of the tools with annotations. Skips when there are none.
        """
        return self._lint_annotations(
            checks.annotation_problems, "The annotations of tool {name!r} are not valid", server
        )

    @keyword(tags=["headers", "assertion"])
    def no_secret_should_be_mirrored(self, *, server: str | None = None) -> list[str]:
        """Fail if a listed tool mirrors an argument in a header whose name says that it is secret. (HDR-30)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            The names of the tools with annotations. Skips when there are none.
        """
        return self._lint_annotations(
            checks.sensitive_annotations, "Tool {name!r} should keep secrets out of headers", server
        )

    def _lint_annotations(self, judge: Callable[[Any], list[str]], summary: str, server: str | None) -> list[str]:
        tools = [tool for tool in self.list_tools(server=server) if checks.has_annotations(tool.get("inputSchema"))]
        for tool in tools:
            problems = judge(tool.get("inputSchema"))
            if problems:
                raise self.ctx.broken(
                    f"{summary.format(name=tool.get('name'))}: {problems[0]}.",
                    where=f"Server {self.ctx.connection(server).described}, tools/list.", evidence="\n".join(problems[1:]),
                )  # fmt: skip
        if not tools:
            raise SkipExecution("Not applicable: no tool mirrors an argument in a header (x-mcp-header).")
        names = [str(tool.get("name")) for tool in tools]
        logger.info(f"Tools with annotations: {', '.join(names)}")
        return names

    def _bent(self, headers: Any, without: list[str] | str, method: str, params: Any, timeout: timedelta | None,
              server: str | None) -> Exchange:  # fmt: skip
        connection = self._modern(server)
        if connection.session.transport.kind != "http":
            raise WrongUse(
                f"Server {connection.described} has no HTTP headers; this needs a Streamable HTTP connection."
            )
        own = [(name, str(value)) for name, value in self.ctx.reveal(headers or [])]
        exchange: Exchange = self._request(
            method, MISSING if params is None else params, timeout, server, without=names_of(without), headers=own
        )
        return exchange


def _sent_headers(exchange: Exchange) -> str:
    """The mirrored headers as they were sent."""
    sent = exchange.http.request_headers if exchange.http else []
    return ", ".join(f"{name}: {value}" for name, value in sent if name.lower().startswith("mcp-"))
