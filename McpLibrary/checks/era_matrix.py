"""The matrix of eras: what each kind of client must meet at a server, by the eras that the server claims (VER-09 to VER-13)."""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..wire.jsonrpc import HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION

HEADER = ("Client → server", "Verdict", "Sent", "Expected", "Came")

_MODERN_CODES = (HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION)
"""Errors by which a client of both eras knows a modern server; it does not try ``initialize`` then."""


class Client(enum.Enum):
    """A kind of client, and how it begins."""

    MODERN = "modern"
    LEGACY = "legacy"
    AUTO = "both eras, asks first"
    LEGACY_FIRST = "both eras, legacy first"
    MODERN_FIRST = "both eras, modern first"


@dataclass(frozen=True, slots=True)
class Cell:
    """One meeting of a client and the server."""

    client: Client
    server: str
    sent: str
    expected: str
    rule: str
    must: bool = True
    """Whether what differs fails; otherwise it is told, and judged by a test of its own."""
    left_out: str = ""
    """Why it is not judged."""
    came: str = ""
    problem: str = ""

    def ended(self, came: str, problem: str = "") -> Cell:
        return replace(self, came=came, problem=problem)

    @property
    def verdict(self) -> str:
        if self.left_out:
            return "not judged"
        return "as expected" if not self.problem else "BROKEN" if self.must else "differs"

    @property
    def row(self) -> tuple[str, ...]:
        """The verdict stands in front: a report shows tables in a narrow column."""
        meeting = f"{self.client.value} → {self.server}"
        return meeting, f"{self.verdict} ({self.rule})", self.sent, self.expected, self.left_out or self.came


def server_kind(claimed: Collection[str]) -> str:
    """``legacy only``, ``modern only`` or ``both eras``."""
    return "both eras" if len(claimed) > 1 else f"{next(iter(claimed))} only"


def cells(claimed: Collection[str], judged: Collection[str], transport: str) -> list[Cell]:
    """The cells for a server, those that are not judged in this run with the reason.

    A run judges the clients of its era. A client of an era that the server does not speak belongs to every run.
    """
    server, both, over_http = server_kind(claimed), len(claimed) > 1, transport == "http"
    legacy, modern = "legacy" in claimed, "modern" in claimed
    served = "both are served"
    refused = "an error with HTTP status 400" if over_http else "an error"
    together = "all are served" if over_http else "the other era is answered, the first goes on"
    newest = "modern" if modern else "legacy"
    planned = [
        Cell(Client.MODERN, server, "server/discover, a request", served, "VER-12") if modern else
        Cell(Client.MODERN, server, "server/discover, initialize", "an error that is none of the modern era, then a result",
             "VER-10", must=False),
        Cell(Client.LEGACY, server, "initialize, a request", served, "VER-12") if legacy else
        Cell(Client.LEGACY, server, "initialize", refused, "VER-11"),
        Cell(Client.AUTO, server, "server/discover, initialize if need be", f"settles on the {newest} era",
             "VER-12" if modern else "VER-10", must=modern),
        Cell(Client.LEGACY_FIRST, server, "initialize, a modern request, a legacy request", together,
             "VER-09" if over_http else "VER-13", must=False),
        Cell(Client.MODERN_FIRST, server, "a modern request, initialize, a modern request", together,
             "VER-09" if over_http else "VER-13", must=False),
    ]  # fmt: skip
    era_of = {Client.MODERN: "modern", Client.LEGACY: "legacy", Client.AUTO: newest, Client.LEGACY_FIRST: "legacy",
              Client.MODERN_FIRST: "modern"}  # fmt: skip
    found = []
    for cell in planned:
        era = era_of[cell.client]
        if cell.client in (Client.LEGACY_FIRST, Client.MODERN_FIRST) and not both:
            cell = replace(cell, left_out="the server does not claim both eras")
        elif era in claimed and era not in judged:
            cell = replace(cell, left_out=f"belongs to the run of the {era} era")
        found.append(cell)
    return found


def failures(judged: Sequence[Cell]) -> list[str]:
    """What broke in cells that must fit, in words."""
    return [
        f"Client '{cell.client.value}', server '{cell.server}': expected {cell.expected}, but {cell.problem} ({cell.rule})"
        for cell in judged
        if cell.must and cell.problem and not cell.left_out
    ]


def summary(judged: Sequence[Cell]) -> str:
    """One line for a message: how many cells were judged, and how many fit."""
    counted = [cell for cell in judged if not cell.left_out]
    fitting = [cell for cell in counted if not cell.problem]
    return (
        f"{len(fitting)} of {len(counted)} meetings of clients with this server ({counted[0].server}) went as expected."
    )


def refusal_of_initialize(error: Any, status: int | None) -> str:
    """What is wrong with the answer of a modern-only server to ``initialize``; empty when it refuses (VER-11)."""
    if not isinstance(error, dict) and (status is None or status < 400):
        return "initialize was not refused"
    if status not in (None, 400):
        return f"the refusal of initialize has HTTP status {status}, not 400"
    return ""


def answer_to_probe(error: Any, status: int | None) -> str:
    """What is wrong with the answer of a legacy-only server to ``server/discover``; empty when a client can fall back (VER-10)."""
    if not isinstance(error, dict) and (status is None or status < 400):
        return "server/discover was not refused"
    code = error.get("code") if isinstance(error, dict) else None
    if code in _MODERN_CODES:
        return f"server/discover was refused with {code}, by which a client takes the server for a modern one"
    if status is not None and status >= 500:
        return f"server/discover was refused with HTTP status {status}"
    return ""
