"""The log messages: each exchange as one collapsed HTML block, escaped, masked and limited in size.

Nothing else in the library writes HTML. Secrets are known here by their text, so that they are masked wherever they
turn up: in headers, bodies, and in what a server echoes.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from robot.api import logger
from robot.api.types import Secret

from .wire import jsonrpc
from .wire.frame import Exchange, Frame, Headers

MASK = "<secret>"
SENSITIVE_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"})
_SHORTEST_SECRET = 4


class Masker:
    """Knows the secrets of a run and replaces them in every text."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def learn(self, *values: Any) -> None:
        """Remember `Secret` values; other values are none."""
        found = {v.value for v in values if isinstance(v, Secret) and len(v.value) >= _SHORTEST_SECRET}
        # A header carries what is not ASCII in Base64, and basic authorization everything.
        found |= {base64.b64encode(secret.encode("utf-8")).decode("ascii") for secret in found}
        # A secret also travels in JSON, JSON in texts of JSON, and what Robot shows as Python code: escaped each time.
        for _ in range(3):
            found |= {json.dumps(secret, ensure_ascii=escaped)[1:-1] for secret in found for escaped in (True, False)}
            found |= {repr(secret)[1:-1] for secret in found}
        if not found <= self._secrets:
            self._secrets |= found
            longest_first = sorted(self._secrets, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    @property
    def active(self) -> bool:
        return self._pattern is not None

    def mask(self, text: str) -> str:
        return self._pattern.sub(MASK, text) if self._pattern else text

    def headers(self, headers: Headers) -> str:
        return "\n".join(
            f"{name}: {MASK if name.lower() in SENSITIVE_HEADERS else self.mask(value)}" for name, value in headers
        )


_PRETTY = range(600, 20_000)
"""Sizes in bytes of messages that are indented for the log: shorter ones read well as they are, longer ones are cut."""


def storable(text: str) -> str:
    """The text as it can be written to a file: lone surrogates of a server as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _pretty(frame: Frame, masker: Masker) -> str:
    if frame.problem is None:
        try:
            if len(frame.raw) in _PRETTY:
                return json.dumps(frame.value, ensure_ascii=False, indent=2)
            # Secrets are known in the form that Python gives them; a server may have escaped them in another.
            return jsonrpc.to_json(frame.value) if masker.active else frame.raw.decode("utf-8", "backslashreplace")
        except RecursionError:
            return frame.raw.decode("utf-8", "backslashreplace")
    return f"({frame.problem})\n{frame.raw.decode('utf-8', 'backslashreplace')}"


def summary(exchange: Exchange) -> str:
    """One line: what was sent, how it ended, how long it took."""
    name = exchange.method or {"garbage": "raw bytes", "batch": "a batch"}.get(exchange.request.kind, "a message")
    if exchange.http is not None and exchange.http.method != "POST":
        name = f"HTTP {exchange.http.method}"
    status = f"HTTP {exchange.status}, " if exchange.status is not None else ""
    if exchange.answer is None:
        ending = exchange.problem or exchange.outcome.value
    elif isinstance(exchange.error, dict):
        ending = f"error {jsonrpc.describe_code(exchange.error_code)}"
    elif exchange.is_tool_error:
        ending = "tool error"
    else:
        ending = exchange.answer.kind
    return f"#{exchange.number} {name} → {status}{ending} ({exchange.elapsed * 1000:.0f} ms)"


def _block(title: str, text: str, limit: int) -> str:
    more = ""
    if len(text) > limit:
        more = f"\n… {len(text) - limit} more characters; 'Save Transcript' writes them to a file"
    return (
        f"<details><summary>{html.escape(title)}</summary>"
        f'<pre style="white-space:pre-wrap;max-height:40em;overflow:auto">{html.escape(storable(text[:limit]))}{more}</pre></details>'
    )


def exchange_html(exchange: Exchange, masker: Masker, limit: int) -> str:
    """An exchange as HTML; every text of the server passes through ``html.escape``."""
    sent = _pretty(exchange.request, masker) if exchange.request.raw else ""
    if exchange.http is not None:
        sent = f"{exchange.http.method} {exchange.http.url}\n{masker.headers(exchange.http.request_headers)}\n\n{sent}"
    blocks = [_block("sent", masker.mask(sent), limit)]
    if exchange.between:
        lines = "\n".join(_pretty(frame, masker) for frame in exchange.between[:50])
        if len(exchange.between) > 50:
            lines += f"\n… and {len(exchange.between) - 50} more"
        blocks.append(_block(f"{len(exchange.between)} message(s) in between", masker.mask(lines), limit))
    answer = _pretty(exchange.answer, masker) if exchange.answer else exchange.problem
    if exchange.http is not None and exchange.status is not None:
        body = "" if exchange.answer or exchange.between else exchange.http.body.decode("utf-8", "backslashreplace")
        answer = f"HTTP {exchange.status} {exchange.http.reason}\n{masker.headers(exchange.http.headers)}\n\n{answer}\n{body}"
    blocks.append(_block("received", masker.mask(answer), limit))
    for extra in exchange.more_answers:
        blocks.append(_block("a second answer", masker.mask(_pretty(extra, masker)), limit))
    return f"<b>{html.escape(storable(masker.mask(summary(exchange))))}</b>{''.join(blocks)}"


def table_html(header: Sequence[str], rows: Iterable[Sequence[str]], masker: Masker) -> str:
    """A table as HTML; every cell passes through ``html.escape``."""

    def line(tag: str, cells: Sequence[str]) -> str:
        texts = (html.escape(storable(masker.mask(cell))) for cell in cells)
        return "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in texts) + "</tr>"

    lines = line("th", header) + "".join(line("td", row) for row in rows)
    return f'<table border="1" cellpadding="4" style="border-collapse:collapse;text-align:left">{lines}</table>'


def with_table(text: str, table: str) -> str:
    """A test message of a text and a table below it."""
    return f"*HTML*{html.escape(text, quote=False).replace(chr(10), '<br>')}{table}"


def log_exchanges(exchanges: Iterable[Exchange], masker: Masker, limit: int) -> None:
    for exchange in exchanges:
        logger.info(exchange_html(exchange, masker, limit), html=True)


def log_frames(frames: Iterable[Frame], masker: Masker, limit: int) -> None:
    """Messages that came in without being asked for, as one collapsed block."""
    texts = [_pretty(frame, masker) for frame in frames]
    if texts:
        title = f"{len(texts)} message(s) came in since the last keyword"
        logger.info(_block(title, masker.mask("\n".join(texts)), limit), html=True)
