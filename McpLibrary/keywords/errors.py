"""Keywords that judge how a call ended: the two error channels, codes, HTTP status."""

from __future__ import annotations

import re
from typing import Any

from robot.api.deco import keyword

from ..checks.errors import error_object_problems, is_concise
from ..checks.leaks import find_leaks, find_validator_dump
from ..failures import WrongUse
from ..types import ErrorCode, Expect, Json
from ..wire import jsonrpc
from ..wire.frame import Exchange
from ..wire.jsonrpc import MISSING
from .base import Group, ended, source_of, text_of


class Errors(Group):
    @keyword(tags=["errors", "assertion"])
    def assert_error_code(
        self,
        reply: Any,
        *codes: ErrorCode,
        message: str | None = None,
        data: Json = MISSING,
        http_status: int | None = None,
    ) -> Any:
        """Fail unless the reply is a JSON-RPC error with this code.

        Args:
            reply: What an asking or raw keyword returned.
            codes: Accepted codes, by number or name: `-32601`, `method not found`. Several mean any of them.
            message: Pattern that the error message must match as a whole (`*` and `?` as in *Should Match*).
            data: Members that `error.data` must hold, as a JSON object; other values must be equal.
            http_status: HTTP status that must come with it.

        Returns:
            The error object.

        Fails when the answer is a result, a tool error, another code, or not there at all. (RPC-03, RPC-17, RPC-19)

        Example:
        ```robotframework
        ${r} =    Send Raw Request    tools/nope
        Assert Error Code    ${r}    method not found
        Assert Error Code    ${r}    -32601    http_status=404
        ```
        """
        exchange = source_of(reply)
        if not codes:
            raise WrongUse("'Assert Error Code' needs at least one code, such as -32601 or 'method not found'.")
        wanted: list[Any] = list(codes)
        expected = " or ".join(jsonrpc.describe_code(code) for code in wanted)
        error = self._error_of(exchange, f"Error code should be {expected}")
        code = error.get("code")
        if not isinstance(code, int) or isinstance(code, bool) or code not in wanted:
            raise self.ctx.broken(
                f"Error code should be {expected}, but was {jsonrpc.describe_code(code)}.",
                exchange,
                hint=_hint(wanted, code),
            )
        if message is not None and not _matches(str(error.get("message")), message):
            raise self.ctx.broken(
                f"Error message should match {message!r}, but was {str(error.get('message'))!r}.", exchange
            )
        if data is not MISSING:
            self._check_data(exchange, error.get("data", MISSING), data)
        if http_status is not None:
            self.answer_should_have_http_status(reply, http_status)
        return reply.error

    def _error_of(self, exchange: Exchange, expectation: str) -> dict[str, Any]:
        error = exchange.error
        if not isinstance(error, dict):
            problem = f"{expectation}, but the answer was {ended(exchange)}."
            if exchange.answer is None and exchange.status is None:
                raise self.ctx.defect(problem, exchange)
            raise self.ctx.broken(problem, exchange)
        return error

    def _check_data(self, exchange: Exchange, got: Any, wanted: Any) -> None:
        if isinstance(wanted, dict) and isinstance(got, dict):
            differing = {key: got.get(key, MISSING) for key, value in wanted.items() if got.get(key, MISSING) != value}
            if not differing:
                return
            key, value = next(iter(differing.items()))
            shown = "missing" if value is MISSING else jsonrpc.to_json(value)
            raise self.ctx.broken(
                f"Member {key!r} of the error data should be {jsonrpc.to_json(wanted[key])}, but was {shown}.", exchange
            )
        if got != wanted:
            shown = "missing" if got is MISSING else jsonrpc.to_json(got)
            raise self.ctx.broken(f"Error data should be {jsonrpc.to_json(wanted)}, but was {shown}.", exchange)

    @keyword(tags=["errors", "assertion"])
    def call_should_succeed(self, reply: Any) -> Any:
        """Fail unless the reply is a result, and for a tool call one without `isError`.

        Args:
            reply: What an asking or raw keyword returned.

        Returns:
            The result.

        Example:
        ```robotframework
        ${r} =    Call Tool    get_order    number=1    expect=ANY
        ${result} =    Call Should Succeed    ${r}
        ```
        """
        self._judge(reply, Expect.RESULT)
        return reply.result

    @keyword(tags=["errors", "assertion"])
    def call_should_be_tool_error(self, reply: Any, text: str | None = None) -> str:
        """Fail unless the reply is a result with `isError: true` and a text that a model can act on. (TOOL-31, TOOL-32)

        A JSON-RPC error is the other channel and fails here: it is for requests that are malformed.

        Args:
            reply: What an asking or raw keyword returned.
            text: Pattern that the text must match as a whole (`*` and `?` as in *Should Match*).

        Returns:
            The text.

        Example:
        ```robotframework
        ${r} =    Call Tool    get_order    number=999999    expect=ANY
        Call Should Be Tool Error    ${r}    text=*not found*
        ```
        """
        self._judge(reply, Expect.TOOL_ERROR)
        exchange = source_of(reply)
        shown = text_of(exchange.result) or ""
        if not shown.strip():
            raise self.ctx.broken("A tool error should carry a text that a model can act on, but has none.", exchange)
        if text is not None and not _matches(shown, text):
            raise self.ctx.broken(f"The text of the tool error should match {text!r}, but was {shown!r}.", exchange)
        return shown

    @keyword(tags=["errors", "assertion"])
    def call_should_be_protocol_error(self, reply: Any, *codes: ErrorCode) -> Any:
        """Fail unless the reply is a JSON-RPC error: an integer code and a string message. (RPC-03)

        Args:
            reply: What an asking or raw keyword returned.
            codes: Accepted codes by number or name; any code if not given.

        Returns:
            The error object.

        Example:
        ```robotframework
        ${r} =    Call Tool    no_such_tool    expect=ANY
        Call Should Be Protocol Error    ${r}    invalid params
        ```
        """
        if codes:
            self.assert_error_code(reply, *codes)
        exchange = source_of(reply)
        error = self._error_of(exchange, "Expected a protocol error (JSON-RPC error)")
        problems = error_object_problems(error)
        if problems:
            raise self.ctx.broken(f"The error object is malformed: {problems[0]}.", exchange)
        return reply.error

    @keyword(tags=["errors", "assertion"])
    def answer_should_have_http_status(self, reply: Any, *statuses: int) -> int:
        """Fail unless the HTTP answer has one of these statuses.

        Args:
            reply: What an asking or raw keyword returned, over HTTP.
            statuses: Accepted statuses, such as `404`.

        Returns:
            The status.

        Example:
        ```robotframework
        Answer Should Have Http Status    ${r}    400    404
        ```
        """
        exchange = source_of(reply)
        if exchange.http is None:
            raise WrongUse("This reply did not come over HTTP, so it has no status.")
        wanted = " or ".join(map(str, statuses))
        if exchange.status is None:
            raise self.ctx.defect(
                f"HTTP status should be {wanted}, but there was no HTTP answer: {exchange.problem}.", exchange
            )
        if exchange.status not in statuses:
            raise self.ctx.broken(f"HTTP status should be {wanted}, but was {exchange.status}.", exchange)
        return exchange.status

    @keyword(tags=["errors", "assertion"])
    def answer_should_leak_no_internals(self, reply: Any, *, also: list[str] | tuple[str, ...] = ()) -> None:
        """Fail if any byte of the answer shows a stack trace, an internal path, or database internals. (TOOL-33, SEC-07)

        Args:
            reply: What an asking or raw keyword returned.
            also: Further texts that must not show, such as a secret that the server knows.

        Example:
        ```robotframework
        ${r} =    Call Tool    get_order    number='; DROP TABLE orders; --    expect=ANY
        Answer Should Leak No Internals    ${r}
        ```
        """
        exchange = source_of(reply)
        text = _whole_text(exchange)
        leaks = find_leaks(text)
        if leaks:
            raise self.ctx.broken(
                f"The answer shows {leaks[0].what}.", exchange, evidence=leaks[0].text,
                hint="what a tool returns goes to the model and its user; log the exception, answer a sentence.",
            )  # fmt: skip
        for secret in also:
            if secret and secret in text:
                raise self.ctx.broken("The answer shows a text that must stay inside.", exchange, evidence=secret)

    @keyword(tags=["errors", "assertion"])
    def error_text_should_be_concise(self, reply: Any) -> None:
        """Fail if the error text is the dump of a validation library or runs over several lines. (RPC-29, TOOL-35)

        Args:
            reply: What an asking or raw keyword returned.
        """
        exchange = source_of(reply)
        error = exchange.error
        text = str(error.get("message", "")) if isinstance(error, dict) else text_of(exchange.result) or ""
        dump = find_validator_dump(text)
        if dump:
            raise self.ctx.broken(f"The error text is {dump.what}.", exchange, evidence=dump.text)
        if isinstance(error, dict) and not is_concise(text):
            raise self.ctx.broken("The error message should be one concise sentence.", exchange, evidence=text)

    def _judge(self, reply: Any, expect: Expect) -> None:
        exchange = source_of(reply)
        self.judge(
            exchange, expect, self.ctx.connection(reply.server) if reply.server in self.ctx.connections else None
        )


def _whole_text(exchange: Exchange) -> str:
    """Everything that came back, strings of the answer with their escapes resolved."""
    parts = [exchange.answer.raw] if exchange.answer else []
    parts += [frame.raw for frame in exchange.between]
    if exchange.http is not None:
        parts.append(exchange.http.body)
    texts = [part.decode("utf-8", "backslashreplace") for part in parts]
    if exchange.answer is not None and exchange.answer.problem is None:
        texts += _strings(exchange.answer.value)
    return "\n".join(texts)


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for child in children for text in _strings(child)]


def _matches(text: str, pattern: str) -> bool:
    regex = "".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern)
    return re.fullmatch(regex, text, re.DOTALL) is not None


def _hint(wanted: list[Any], code: Any) -> str:
    if code == jsonrpc.INTERNAL_ERROR and jsonrpc.INVALID_PARAMS in wanted:
        return (
            "an exception in the handler came through; refuse what the client got wrong with -32602 and a short text."
        )
    if code == 0:
        return (
            "code 0 is what some SDKs send for an exception in a handler; raise a protocol error with a code instead."
        )
    return ""
