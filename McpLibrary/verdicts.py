"""The verdict on a test of a rule: FAIL, a warning for what is only a SHOULD, SKIP for a known deviation.

A test names its rule by metadata: ``Rule`` (one or more ids), ``Level`` (MUST, SHOULD, MAY, advice) and, where the verdict
differs from the level, ``Verdict`` (WARN). Pure functions; the library's listener applies them at the end of each test.
"""

from __future__ import annotations

import datetime
import fnmatch
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

BROKEN_TAG = "should-broken"
DEVIATION_TAG = "known-deviation"


@dataclass(frozen=True, slots=True)
class Deviation:
    """A rule that a server is known to break, with the reason."""

    rule: str
    reason: str
    era: str | None = None
    """Only in this era."""
    test: str | None = None
    """Only in tests whose name matches this pattern."""
    until: datetime.date | None = None
    """The last day on which it is accepted."""

    def covers(self, rules: Iterable[str], era: str | None, test: str) -> bool:
        return (
            self.rule in rules
            and (self.era is None or self.era == era)
            and (self.test is None or fnmatch.fnmatch(test.lower(), self.test.lower()))
        )


class BadProfile(ValueError):
    """A profile that cannot be used; the text says what would be right."""


def read_deviations(entries: Any) -> list[Deviation]:
    """The ``KNOWN_DEVIATIONS`` of a profile. Raises `BadProfile`."""
    if not isinstance(entries, (list, tuple)):
        raise BadProfile(f"KNOWN_DEVIATIONS must be a list of entries with 'rule' and 'reason', got {entries!r}")
    deviations = []
    for entry in entries:
        if not isinstance(entry, Mapping) or not entry.get("rule") or not entry.get("reason"):
            raise BadProfile(f"a known deviation needs 'rule' and 'reason', got {entry!r}")
        unknown = set(entry) - {"rule", "reason", "era", "test", "until"}
        if unknown:
            raise BadProfile(
                f"a known deviation has rule, reason, era, test and until, not {', '.join(sorted(unknown))}"
            )
        until = entry.get("until")
        if isinstance(until, str):
            try:
                until = datetime.date.fromisoformat(until)
            except ValueError:
                raise BadProfile(f"'until' must be a date like 2027-01-31, got {until!r}") from None
        if isinstance(until, datetime.datetime):
            until = until.date()
        if until is not None and not isinstance(until, datetime.date):
            raise BadProfile(f"'until' must be a date like 2027-01-31, got {until!r}")
        if entry.get("era") not in (None, "legacy", "modern"):
            raise BadProfile(f"'era' must be legacy or modern, got {entry['era']!r}")
        deviations.append(
            Deviation(str(entry["rule"]), str(entry["reason"]), entry.get("era"), entry.get("test"), until)
        )
    return deviations


@dataclass(frozen=True, slots=True)
class Verdict:
    status: str
    message: str
    tags: tuple[str, ...] = ()
    warning: str | None = None
    """What to write to the console and to the top of the log."""


def is_soft(metadata: Mapping[str, str]) -> bool:
    """Whether breaking the rule is only worth a warning."""
    verdict = metadata.get("Verdict")
    if verdict is not None:
        return verdict.upper().startswith("WARN")
    return not metadata.get("Level", "MUST").upper().startswith("MUST")


def is_only(message: str, failures: Iterable[str]) -> bool:
    """Whether each failure that a test's message shows is one of these; only their first lines are compared."""
    first_lines = tuple(text.splitlines()[0] for text in failures if text)
    parts = re.split(r"\n\n(?:\d+\) |Also teardown failed:\n)", message.removeprefix("Several failures occurred:"))
    shown = [part.strip() for part in parts if part.strip()]
    return bool(first_lines) and all(part.startswith(first_lines) for part in shown)


def judge(
    name: str,
    status: str,
    message: str,
    metadata: Mapping[str, str],
    *,
    deviations: Iterable[Deviation] = (),
    era: str | None = None,
    strict: bool = False,
    softenable: bool = False,
    today: datetime.date | None = None,
) -> Verdict:
    """The verdict on a test that ended with ``status`` and ``message``.

    ``softenable`` says that the failure is a broken rule, not a hang, a crash, or a mistake of the test.
    """
    rules = metadata.get("Rule", "").replace(",", " ").split()
    if not rules or status not in ("PASS", "FAIL"):
        return Verdict(status, message)
    deviation = next((d for d in deviations if d.covers(rules, era, name)), None)
    if deviation is not None:
        today = today or datetime.date.today()
        if status == "PASS":
            return Verdict(
                "FAIL",
                f"Stale known deviation: {deviation.rule} is listed ({deviation.reason}), but this test passes. "
                "Remove the entry from the profile, or narrow it with 'era' or 'test'.",
            )
        if deviation.until is not None and today > deviation.until:
            return Verdict(
                "FAIL", f"The known deviation of {deviation.rule} was accepted until {deviation.until}.\n{message}"
            )
        return Verdict("SKIP", f"Known deviation of {deviation.rule}: {deviation.reason}\n{message}", (DEVIATION_TAG,))
    if status == "FAIL" and softenable and not strict and is_soft(metadata):
        text = f"WARN {rules[0]} ({metadata.get('Level', 'SHOULD')}): {message}"
        return Verdict("PASS", text, (BROKEN_TAG,), f"{name}: {text}")
    return Verdict(status, message)
