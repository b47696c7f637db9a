"""The library class that Robot Framework imports: all keyword groups over one context, and the listener hooks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api import logger
from robot.api.deco import library

from .context import Context
from .failures import RuleBroken, ServerDefect
from .keywords.answering import Answering
from .keywords.apps import Apps
from .keywords.asking import Asking
from .keywords.at_once import AtOnce
from .keywords.bounds import Bounds
from .keywords.caching import Caching
from .keywords.cancelling import Cancelling
from .keywords.capabilities import Capabilities
from .keywords.client_capabilities import ClientCapabilities
from .keywords.connecting import Connecting
from .keywords.definitions import Definitions
from .keywords.envelope import Envelope
from .keywords.eras import Eras
from .keywords.errors import Errors
from .keywords.framing import Framing
from .keywords.handshake import Handshake
from .keywords.headers import Headers
from .keywords.http_endpoint import HttpEndpoint
from .keywords.http_streams import HttpStreams
from .keywords.in_flight import InFlight
from .keywords.judging import Judging
from .keywords.lists import Lists
from .keywords.notifying import Notifying
from .keywords.process import Process
from .keywords.prompts import Prompts
from .keywords.questions import Questions
from .keywords.raw import Raw
from .keywords.refusing import Refusing
from .keywords.resources import Resources
from .keywords.results import Results
from .keywords.rounds import Rounds
from .keywords.slow_calls import SlowCalls
from .keywords.subscriptions import Subscriptions
from .keywords.tasks import Tasks
from .keywords.tools import Tools
from .keywords.watching import Watching
from .logs import storable, with_table
from .types import CONVERTERS, AutoClose
from .verdicts import is_only, judge
from .version import __version__


@library(scope="GLOBAL", version=__version__, listener="SELF", doc_format="MARKDOWN", converters=CONVERTERS)  # type: ignore[call-overload]
class McpLibrary(
    Connecting,
    Asking,
    InFlight,
    Raw,
    Errors,
    Refusing,
    Eras,
    Capabilities,
    Bounds,
    Handshake,
    HttpEndpoint,
    HttpStreams,
    SlowCalls,
    Envelope,
    Headers,
    ClientCapabilities,
    Tools,
    Definitions,
    Results,
    Lists,
    Resources,
    Prompts,
    Caching,
    Watching,
    Notifying,
    Subscriptions,
    Cancelling,
    Answering,
    Rounds,
    Questions,
    Judging,
    Tasks,
    Apps,
    Process,
    Framing,
    AtOnce,
):
    """Test any MCP (Model Context Protocol) server from Robot Framework, on the wire.

    The library speaks the protocol itself, over stdio, Streamable HTTP, the older HTTP+SSE, or the memory streams of a
    server object in the same process. So it can send what a client of an SDK would refuse to send, and show exactly what
    came back: raw bytes, HTTP status, headers, and everything in between.

    # A first test

    ```robotframework
    *** Settings ***
    Library    McpLibrary

    *** Test Cases ***
    Orders Are Booked And Unknown Ones Refused
        Connect To Server    demo
        ${booked} =    Call Tool    book_order    name=Ada    item=tea    qty=2    express=true
        Should Contain    ${booked.text}    tea
        Call Tool    get_order    number=999999    expect=TOOL_ERROR
        ${raw} =    Send Raw Request    tools/nope
        Assert Error Code    ${raw}    method not found
    ```

    # Eras and revisions

    The *legacy* era (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25) begins with `initialize` and, over HTTP, has sessions.
    The *modern* era (2026-07-28) has neither: each request carries an envelope in `_meta`, and over HTTP headers that
    mirror its body. *Connect To Server* asks `server/discover` first and falls back to `initialize`, as the official
    clients do; `protocol=` pins an era or a revision. Keywords that ask are the same in both eras.

    # Replies

    Asking and raw keywords return a *reply*, a dictionary with dots: `${r.result}` and `${r.error}`, `${r.text}`,
    `${r.is_error}`, `${r.status}` and `${r.headers}` (HTTP, names in lower case), `${r.messages}` (what came in between),
    `${r.sent}` and `${r.message}` (both messages whole), `${r.raw}`, `${r.elapsed}` (seconds), `${r.outcome}`
    (`answered`, `accepted`, `refused`, `no answer`, `closed`, `failed`) and `${r.problem}`. Judging keywords take a reply.

    # The two error channels

    A *protocol error* is a JSON-RPC error: the request was malformed, or what it asks for does not exist. A *tool error*
    is a result with `isError: true`: the tool ran and failed, and a model can read why. `expect=` on asking keywords and
    *Call Should Be Tool Error*, *Call Should Be Protocol Error* and *Assert Error Code* keep them apart.

    # Connections

    A connection is closed with the test or suite that opened it, also when the test fails. Each wait has a timeout; an
    interrupted or timed-out request is cancelled at the server. A server that died, hangs or floods gives a clear failure,
    and the next test starts clean. Several connections live side by side under aliases; `server=` or *Switch Server* chooses.

    # Rules

    A test with the metadata `Rule` is judged by the verdict rules of the ready-made suites: a broken SHOULD (by the
    metadata `Level`) passes with a warning and the tag `should-broken`, unless the suite is strict; a known deviation of the
    profile is skipped, and a stale one fails. See *Set Server Under Test*.

    # Secrets

    Give tokens and other credentials as secret variables (`${TOKEN: Secret}`). They are masked in everything that is
    logged, at every log level, also when a server echoes them.
    """

    ROBOT_LISTENER_API_VERSION = 3

    def __init__(
        self,
        *,
        timeout: timedelta = timedelta(seconds=10),
        auto_close: AutoClose = AutoClose.LEVEL,
        log_limit: int = 20_000,
    ) -> None:
        """The library can be imported with these options, by name only.

        Args:
            timeout: Time for each answer, unless a keyword or connection says otherwise.
            auto_close: When connections are closed by themselves.
            log_limit: Characters of each logged message; *Save Transcript* has the whole.
        """
        self.ctx = Context(timeout=timeout.total_seconds(), auto_close=auto_close, log_limit=log_limit)

    # -- listener -----------------------------------------------------------------------------------------------

    def _start_suite(self, data: Any, result: Any) -> None:
        self.ctx.level = self.ctx.suite_level = _depth(result)

    def _end_suite(self, data: Any, result: Any) -> None:
        self.ctx.close_level(_depth(result))
        self.ctx.level = self.ctx.suite_level = _depth(result) - 1

    def _start_test(self, data: Any, result: Any) -> None:
        self.ctx.level = _depth(result)
        self.ctx.suite_level = self.ctx.level - 1
        self.ctx.test_metadata = dict(result.metadata)
        self.ctx.test_era = None
        self.ctx.test_table = None
        self.ctx.failures.clear()
        self.ctx.client_side.questions.clear()

    def _end_test(self, data: Any, result: Any) -> None:
        self._give_verdict(result)
        result.message = self._harmless(result.message)
        if self.ctx.test_table is not None:
            line, table = self.ctx.test_table
            result.message = with_table(result.message or line, table)
        if any(isinstance(failure, ServerDefect) for failure in self.ctx.failures):
            self.ctx.close_shared()
        self.ctx.close_level(_depth(result))
        self.ctx.level = _depth(result) - 1
        self.ctx.test_metadata = {}

    def _end_keyword(self, data: Any, result: Any) -> None:
        # Also failures of other libraries show what a server said.
        if result.message:
            result.message = self._harmless(result.message)

    def _log_message(self, message: Any) -> None:
        # Robot itself logs return values at TRACE, and a server may echo a secret in its answer.
        message.message = self._harmless(message.message)

    def _harmless(self, text: str) -> str:
        """The text without secrets, and so that Robot can write it to a file."""
        return storable(self.ctx.masker.mask(text))

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


def _depth(result: Any) -> int:
    """Depth in the run: 1 for the top suite. From the model, since an import inside a test misses what began before."""
    depth = 0
    while result is not None:
        depth, result = depth + 1, result.parent
    return depth
