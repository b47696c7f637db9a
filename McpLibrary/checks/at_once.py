"""Checks of calls that were in flight at once: who got what, told by a mark that each call carries (CONC)."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import same_id


class Got(enum.Enum):
    """What one of many calls got."""

    OWN = "its own answer"
    FOREIGN = "the answer of another call"
    LOST = "no answer"
    DOUBLE = "more than one answer"
    OTHER_ID = "its own answer under another id"
    REFUSED = "an error"
    UNMARKED = "an answer without its mark"


@dataclass(frozen=True, slots=True)
class Call:
    """One of many calls and what came back for it."""

    number: int
    connection: str
    id: Any
    mark: str
    answer: str | None
    """The answer as text, or ``None``."""
    answer_id: Any = None
    error: bool = False
    more: int = 0
    """Answers after the first."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one call."""

    call: Call
    got: Got
    owner: Call | None = None
    """Whose answer it got, when that is another's."""

    def __str__(self) -> str:
        call = f"call {self.call.number} (id {self.call.id!r} on {self.call.connection})"
        if self.owner is not None:
            return (
                f"{call} got the answer of call {self.owner.number} (id {self.owner.id!r} on {self.owner.connection})"
            )
        more = f": {self.call.problem}" if self.got is Got.LOST and self.call.problem else ""
        return f"{call} got {self.got.value}{more}"


def findings(calls: Sequence[Call]) -> list[Finding]:
    """What each call got. A mark in an answer says whose answer it is."""
    return [_finding(call, calls) for call in calls]


def _finding(call: Call, calls: Iterable[Call]) -> Finding:
    if call.answer is None:
        return Finding(call, Got.LOST)
    if call.mark not in call.answer:
        owner = next((other for other in calls if other.mark in call.answer), None)
        if owner is not None:
            return Finding(call, Got.FOREIGN, owner)
        return Finding(call, Got.REFUSED if call.error else Got.UNMARKED)
    if not same_id(call.answer_id, call.id):
        return Finding(call, Got.OTHER_ID)
    return Finding(call, Got.DOUBLE if call.more else Got.OWN)


def summary(found: Sequence[Finding], *, refusals: bool = False) -> str:
    """What is wrong, in one sentence, worst first; empty when each call got its own answer (or, if allowed, an error)."""
    good = {Got.OWN, Got.REFUSED} if refusals else {Got.OWN}
    wrong = [finding for finding in found if finding.got not in good]
    if not wrong:
        return ""
    counts = Counter(finding.got for finding in wrong)
    parts = [f"{counts[got]} got {got.value}" for got in Got if counts[got]]
    first = next(finding for got in _WORST_FIRST for finding in wrong if finding.got is got)
    return f"of {len(found)} calls at once {', '.join(parts)}; {first}"


_WORST_FIRST = (Got.FOREIGN, Got.LOST, Got.DOUBLE, Got.OTHER_ID, Got.UNMARKED, Got.REFUSED, Got.OWN)


def mixed_progress(token: Any, frames: Iterable[Any], known: Iterable[Any], *, own_stream: bool) -> list[str]:
    """Progress of another call among the frames of one (CONC-05).

    On a stream of its own (``own_stream``) only its token may come; on a shared one any token of a call in flight.
    """
    allowed = [token] if own_stream else [token, *known]
    problems = []
    for frame in frames:
        params = frame.get("params") if isinstance(frame, dict) else None
        if not isinstance(params, dict) or frame.get("method") != "notifications/progress":
            continue
        if not any(same_id(params.get("progressToken"), one) for one in allowed):
            problems.append(f"progress of token {params.get('progressToken')!r} came to the call with token {token!r}")
    return problems
