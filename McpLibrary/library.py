"""The library class that Robot Framework imports: all keyword groups over one context, and the listener hooks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api import logger
from robot.api.deco import library

from .context import Context
from .failures import RuleBroken
from .keywords.answering import Answering
from .keywords.asking import Asking
from .keywords.connecting import Connecting
from .keywords.errors import Errors
from .keywords.handshake import Handshake
from .keywords.judging import Judging
from .keywords.raw import Raw
from .keywords.refusing import Refusing
from .keywords.tools import Tools
from .keywords.watching import Watching
from .types import CONVERTERS, AutoClose
from .verdicts import is_only, judge
from .version import __version__


@library(scope="GLOBAL", version=__version__, listener="SELF", doc_format="MARKDOWN", converters=CONVERTERS)  # type: ignore[call-overload]
class McpLibrary(Connecting, Asking, Raw, Errors, Refusing, Handshake, Tools, Watching, Answering, Judging):
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
        self.ctx.test_metadata = dict(result.metadata)
        self.ctx.test_era = None
        self.ctx.failures.clear()

    def _end_test(self, data: Any, result: Any) -> None:
        self._give_verdict(result)
        self.ctx.close_level(self.ctx.level)
        self.ctx.level -= 1
        self.ctx.test_metadata = {}

    def _log_message(self, message: Any) -> None:
        # Robot itself logs return values at TRACE, and a server may echo a secret in its answer.
        message.message = self.ctx.masker.mask(message.message)

    def _close(self) -> None:
        self.ctx.close()

    def _give_verdict(self, result: Any) -> None:
        """Apply the verdict rules to a test that names a rule."""
        under_test = self.ctx.under_test
        broken_rules = [str(failure) for failure in self.ctx.failures if isinstance(failure, RuleBroken)]
        verdict = judge(
            result.name, result.status, result.message, result.metadata,
            deviations=under_test.deviations if under_test else (),
            era=self.ctx.test_era,
            strict=bool(under_test and under_test.strict),
            softenable=is_only(result.message, broken_rules),
        )  # fmt: skip
        if verdict.warning:
            logger.warn(verdict.warning)
        if verdict.status != result.status:
            result.status, result.message = verdict.status, verdict.message
            result.tags.add(verdict.tags)
