"""The failures that a reader of a log meets, and the one function that words them.

A message has up to four lines: what was expected and what came, where, the evidence, and a hint where the usual cause is
known. Our own words come first, so that a text of the server can never pass for markup.
"""

from __future__ import annotations

from typing import Any

EVIDENCE_LIMIT = 200
PROBLEM_LIMIT = 600


class McpFailure(AssertionError):
    """The server did not do what was expected."""

    ROBOT_SUPPRESS_NAME = True


class RuleBroken(McpFailure):
    """The server answered, but not as the rule or the test wants. A SHOULD rule may soften it to a warning."""


class ServerDefect(McpFailure):
    """No usable answer: a hang, a crash, garbage. Never softened."""


class WrongUse(ValueError):
    """A keyword was used in a way that cannot work; the message says what would be right."""

    ROBOT_SUPPRESS_NAME = True


def shorten(text: str, limit: int = EVIDENCE_LIMIT) -> str:
    """At most ``limit`` characters on one line, with control characters made visible."""
    line = printable(text)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def printable(text: str) -> str:
    """The text on one line: no colours for a terminal, no lines of a server's making."""
    # Lone surrogates are not printable, so they come out as escapes, which Robot can write to its files.
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def compose(problem: str, *, where: str = "", evidence: Any = "", hint: str = "") -> str:
    """The text of a failure. What was masked comes here whole; ``problem`` and ``evidence`` are shortened."""
    lines = [shorten(problem, PROBLEM_LIMIT)]
    if where:
        lines.append(printable(where))
    if evidence:
        lines.append(f"Evidence: {shorten(str(evidence))}")
    if hint:
        lines.append(f"Hint: {printable(hint)}")
    return "\n".join(lines)
