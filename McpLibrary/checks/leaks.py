"""Traces of a server's inside in its answers: stack traces, paths, database and library internals (TOOL-33, SEC-07); and credentials."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leak:
    what: str
    text: str
    """The place where it shows, shortened."""


_PATTERNS: tuple[tuple[str, str], ...] = (
    ("a Python traceback", r"Traceback \(most recent call last\)|\bFile \"[^\"\n]+\.py\", line \d+"),
    ("a JavaScript stack trace", r"\n\s*at (?:async )?[\w$.<>\[\] ]+ \((?:file://|node:|/|[A-Za-z]:\\)[^)\n]+:\d+:\d+\)"
                                 r"|\n\s*at (?:file://|node:internal)[^\n]+:\d+:\d+"),
    ("a Java stack trace", r"\bat (?:java|javax|jdk|org|com|net|io)\.[\w.$]+\([\w$]+\.(?:java|kt|scala):\d+\)|\bat java\."),
    ("a Go stack trace", r"goroutine \d+ \[\w+\]:|\bpanic: runtime error"),
    ("a Rust panic", r"thread '[^'\n]+' panicked at|RUST_BACKTRACE"),
    ("a .NET stack trace", r"\bat [\w.<>`]+\([^)\n]*\) in [^\n]+:line \d+"),
    ("a PHP or Ruby stack trace", r"#\d+ /[^\n]+\.php\(\d+\)|/[\w./-]+\.rb:\d+:in [`']"),
    ("a path into node_modules", r"node_modules/"),
    ("a path into site-packages", r"(?:site|dist)-packages/"),
    ("database internals", r"\bSQLSTATE\b|\bpsycopg2?\b|\bsqlite3\.\w*Error|\bORA-\d{5}\b|\bSqlException\b|\bpymysql\b"),
)  # fmt: skip

_COMPILED = [(what, re.compile(pattern)) for what, pattern in _PATTERNS]

_SECRETS = [(what, re.compile(pattern)) for what, pattern in (
    ("a password", r"(?i)\b(?:password|passwd|pwd|secret)[\"']?\s*[=:]\s*[\"']?(?![*<x]{2}|null|none|true|false)[^\s\"',;]{4,}"),
    ("a key or token", r"\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|github_pat_\w{30,}|xox[abprs]-[\w-]{10,}|sk-[\w-]{24,})"),
    ("a bearer token", r"(?i)\bbearer\s+[\w.~+/-]{16,}"),
    ("a private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
    ("the password of a URL", r"\b[a-z][a-z+]*://[^\s/:@]+:(?![*<x]{2})[^\s/@]+@"),
)]  # fmt: skip

_VALIDATOR = re.compile(
    r"https://errors\.pydantic\.dev/|\[type=\w+, input_value=|\"code\":\s*\"(?:invalid_type|too_small|too_big)\""
)


def find_leaks(text: str) -> list[Leak]:
    """Internals that show in a text, in the order of the patterns."""
    return [Leak(what, _around(text, match)) for what, pattern in _COMPILED if (match := pattern.search(text))]


def find_secrets(text: str) -> list[Leak]:
    """Credentials that show in a text (LOG-06)."""
    return [Leak(what, _around(text, match)) for what, pattern in _SECRETS if (match := pattern.search(text))]


def find_validator_dump(text: str) -> Leak | None:
    """The raw dump of a validation library where a sentence should stand (TOOL-35, RPC-29)."""
    match = _VALIDATOR.search(text)
    return Leak("the dump of a validation library", _around(text, match)) if match else None


def _around(text: str, match: re.Match[str], width: int = 40) -> str:
    return text[max(0, match.start() - width) : match.end() + width].strip()
