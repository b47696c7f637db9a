"""Keywords for MCP Apps: the pages that tools bring along."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api import SkipExecution
from robot.api.deco import keyword

from ..checks import apps as checks
from ..types import Expect
from .base import Group, ended, source_of, text_of


class Apps(Group):
    list_tools: Any
    read_resource: Any

    @keyword(tags=["tools", "assertion"])
    def tool_views_should_be_readable(
        self, *, timeout: timedelta | None = None, server: str | None = None
    ) -> list[str]:
        """Fail unless each page that a tool names (`_meta.ui.resourceUri`) can be read as a page. (EXT-03)

        The address is a `ui://` URI, and `resources/read` gives a page of type `text/html;profile=mcp-app` that is not
        empty; hosts show no other.

        Args:
            timeout: Time for each answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The addresses. Skips the test when no tool names one.
        """
        views = list(checks.view_uris(self.list_tools(timeout=timeout, server=server)))
        if not views:
            raise SkipExecution("Not applicable: no tool brings a page of its own (_meta.ui.resourceUri).")
        for tool, uri in views:
            for problem in checks.uri_problems(uri):
                raise self.ctx.broken(f"The view of tool {tool!r} is out of reach: {problem}.")
            reply = self.read_resource(uri, expect=Expect.ANY, timeout=timeout, server=server)
            exchange = reply.source
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, self.ctx.connection(server))
            if not isinstance(exchange.result, dict):
                raise self.ctx.broken(
                    f"The view {uri} of tool {tool!r} should be readable, but was {ended(exchange)}.", exchange
                )
            for problem in checks.view_problems(exchange.result):
                raise self.ctx.broken(f"The view {uri} of tool {tool!r} cannot be shown: {problem}.", exchange)
        return [uri for _, uri in views]

    @keyword(tags=["tools", "assertion"])
    def result_should_speak_without_its_view(self, reply: Any) -> None:
        """Fail unless the result of a tool with a view has text that a client without MCP Apps can use. (EXT-04)

        Args:
            reply: The reply of *Call Tool*, of a client that did not declare the extension.
        """
        exchange = source_of(reply)
        if not (text_of(exchange.result) or "").strip():
            raise self.ctx.broken(
                f"A tool with a view should also answer in text, but was {ended(exchange)} without text.", exchange
            )
