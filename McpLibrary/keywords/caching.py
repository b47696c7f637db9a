"""Keywords that judge the caching hints of modern results."""

from __future__ import annotations

from typing import Any

from robot.api.deco import keyword

from ..checks import caching as checks
from ..failures import WrongUse
from ..wire.frame import Exchange
from .base import Group, ended, source_of


class Caching(Group):
    @keyword(tags=["caching", "assertion"])
    def result_should_carry_cache_hints(self, *replies: Any) -> None:
        """Fail unless cacheable modern results carry `ttlMs` and `cacheScope`. (DISC-04, CACHE-01 to CACHE-03)

        Args:
            replies: Replies of *Read Pages*, *Read Resource*, or *Discover Server*. Results that ask for input need no hints.
        """
        for reply in replies:
            exchange = self._result_with_hints(reply)
            problems = checks.hint_problems(exchange.method or "", exchange.result)
            if problems:
                raise self.ctx.broken(
                    f"The result of {exchange.method} should carry its caching hints, but {' and '.join(problems)}.", exchange
                )  # fmt: skip

    @keyword(tags=["caching", "assertion"])
    def question_should_carry_no_cache_hints(self, reply: Any) -> None:
        """Fail if a result that asks for input carries `ttlMs` or `cacheScope`. (CACHE-04)

        Args:
            reply: The reply of a call that asks, sent by *Send Raw Request* so that nobody answers.
        """
        exchange = self._result_with_hints(reply)
        if exchange.result.get("resultType") != "input_required":
            raise self.ctx.broken(f"The call should ask for input, but was {ended(exchange)}.", exchange)
        problems = checks.question_problems(exchange.result)
        if problems:
            raise self.ctx.broken(f"A question should carry no caching hints, but {' and '.join(problems)}.", exchange)

    @keyword(tags=["caching", "assertion"])
    def pages_should_have_one_cache_scope(self, *pages: Any) -> None:
        """Fail if the pages of one list differ in their `cacheScope`. (CACHE-05)

        Args:
            pages: What *Read Pages* returned.
        """
        if not pages:
            raise WrongUse("'Pages Should Have One Cache Scope' needs the pages that 'Read Pages' returned.")
        exchanges = [source_of(page) for page in pages]
        problems = checks.scope_problems(exchange.result for exchange in exchanges)
        if problems:
            raise self.ctx.broken(
                f"All pages of {exchanges[0].method} should have the same 'cacheScope', but {problems[0]}.",
                exchanges[-1],
            )

    def _result_with_hints(self, reply: Any) -> Exchange:
        exchange = source_of(reply)
        if not isinstance(exchange.result, dict):
            make = self.ctx.defect if exchange.answer is None else self.ctx.broken
            raise make(f"{exchange.method} should give a result object, but was {ended(exchange)}.", exchange)
        return exchange
