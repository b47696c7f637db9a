"""The library class that Robot Framework imports: all keyword groups over one context, and the listener hooks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api.deco import library

from .context import Context
from .keywords.answering import Answering
from .keywords.asking import Asking
from .keywords.connecting import Connecting
from .keywords.errors import Errors
from .keywords.raw import Raw
from .keywords.watching import Watching
from .types import CONVERTERS, AutoClose
from .version import __version__


@library(scope="GLOBAL", version=__version__, listener="SELF", doc_format="MARKDOWN", converters=CONVERTERS)
class McpLibrary(Connecting, Asking, Raw, Errors, Watching, Answering):
    """Test any MCP (Model Context Protocol) server from Robot Framework, on the wire."""

    ROBOT_LISTENER_API_VERSION = 3

    def __init__(
        self,
        *,
        timeout: timedelta = timedelta(seconds=10),
        auto_close: AutoClose = AutoClose.LEVEL,
        log_limit: int = 20_000,
    ) -> None:
        self.ctx = Context(timeout=timeout.total_seconds(), auto_close=auto_close, log_limit=log_limit)

    # -- listener -----------------------------------------------------------------------------------------------

    def _start_suite(self, data: Any, result: Any) -> None:
        self.ctx.level += 1
        self.ctx.suite_level = self.ctx.level

    def _end_suite(self, data: Any, result: Any) -> None:
        self.ctx.close_level(self.ctx.level)
        self.ctx.level -= 1
        self.ctx.suite_level = self.ctx.level

    def _start_test(self, data: Any, result: Any) -> None:
        self.ctx.level += 1

    def _end_test(self, data: Any, result: Any) -> None:
        self.ctx.close_level(self.ctx.level)
        self.ctx.level -= 1

    def _close(self) -> None:
        self.ctx.close()
