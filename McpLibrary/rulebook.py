"""The rulebook: every rule that a server can be judged by, and the tests that judge it.

The catalogue is data, ``docs/*.tsv``; the tests are read from the suites.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .checks.roles import ROLES
from .session.revisions import REVISIONS

DOCS = Path(__file__).parent / "docs"

GROUPS = {
    "RPC": "JSON-RPC framing",
    "META": "The envelope of modern requests and results",
    "HS": "The legacy handshake",
    "DISC": "Discovery",
    "VER": "Version negotiation",
    "HTTP": "Streamable HTTP and its event streams",
    "HDR": "Mirrored HTTP headers",
    "CAP": "Capabilities of the client",
    "TOOL": "Tools",
    "SCHEMA": "Schemas",
    "RES": "Resources",
    "PROMPT": "Prompts",
    "COMPL": "Completion",
    "PAGE": "Pagination",
    "CACHE": "Caching hints",
    "SUB": "Subscriptions",
    "NOTIF": "Notifications of changes",
    "PROG": "Progress",
    "LOG": "Logging",
    "CANC": "Cancellation",
    "PING": "Ping",
    "MRTR": "Multi round-trip requests",
    "ELIC": "Elicitation",
    "SAMP": "Sampling",
    "ROOTS": "Roots",
    "AUTH": "Authorization",
    "SEC": "Security",
    "STDIO": "stdio",
    "CONC": "Concurrency and isolation",
    "TASK": "Tasks",
    "EXT": "Other extensions",
    "HARN": "The test library itself",
}

NOT_YET = frozenset({"AUTH", "SEC", "CONC", "HARN"})
"""Groups whose suites are still to be written: their rules may be without a test and without a reason."""

SPECIFIED = [name for name in REVISIONS if name >= "2025-03-26"]
"""The revisions that the catalogue was made from."""


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    level: str
    """The keyword of the specification, with what narrows it in parentheses."""
    revisions: str
    """``all``, ``legacy``, or dated names; ``2025-06-18+`` is that revision and all after it."""
    over: str
    """The transports on which it can be seen: ``all``, or their names."""
    text: str
    source: str
    proof: tuple[str, ...]
    """Tests of this repository that prove it, ``file::test``: where the library itself has to keep the rule."""
    reason: str
    """Why no test of the suites judges it."""

    @property
    def group(self) -> str:
        return self.id.partition("-")[0]

    @property
    def keyword(self) -> str:
        """MUST, SHOULD or MAY, where that binds a server; advice for all else."""
        first = self.level.partition(" ")[0]
        return first if first in ("MUST", "SHOULD", "MAY") and "(a duty of clients)" not in self.level else "advice"

    @property
    def revision_names(self) -> frozenset[str]:
        return frozenset(name for word in self.revisions.split() for name in revisions_meant(word))


@dataclass(frozen=True, slots=True)
class Seed:
    """An assertion of one of the two texts that the library grew from."""

    id: str
    where: str
    text: str
    refers: tuple[str, ...]
    """Rules and contradictions."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where the specification, its schema, the seeds and the SDKs do not say the same."""

    id: str
    between: str
    text: str


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A ready-made test, as the rulebook needs it."""

    name: str
    file: str
    """Name of the file in the suites."""
    doc: str
    metadata: dict[str, str]
    tags: frozenset[str]
    roles: frozenset[str]
    """The roles that it uses."""

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(self.metadata.get("Rule", "").replace(",", " ").split())

    @property
    def title(self) -> str:
        return f"{Path(self.file).stem}: {self.name}"


class Rulebook:
    """The catalogue together with the tests of the suites."""

    def __init__(
        self,
        rules: Iterable[Rule],
        seeds: Iterable[Seed],
        contradictions: Iterable[Contradiction],
        tests: Iterable[SuiteTest],
    ) -> None:
        self.rules = {rule.id: rule for rule in rules}
        self.seeds = {seed.id: seed for seed in seeds}
        self.contradictions = {contradiction.id: contradiction for contradiction in contradictions}
        self.tests = tuple(tests)

    def judging(self, rule: str) -> list[SuiteTest]:
        """The tests that judge a rule."""
        return [test for test in self.tests if rule in test.rules]

    def mentioning(self, contradiction: str) -> list[SuiteTest]:
        """The tests whose documentation decides a contradiction."""
        return [test for test in self.tests if re.search(rf"\b{contradiction}\b", test.doc)]

    def missing(self) -> list[Rule]:
        """Rules that nothing judges, without a reason."""
        return [r for r in self.rules.values() if not (self.judging(r.id) or r.proof or r.reason)]

    def using(self, role: str) -> list[SuiteTest]:
        return [test for test in self.tests if role in test.roles]


# -- reading --------------------------------------------------------------------------------------------------------


def load() -> Rulebook:
    """The catalogue of the package and the tests of its suites."""
    from .cli import suites_folder

    return Rulebook(
        (Rule(r["id"], r["level"], r["revisions"], r["over"], r["rule"], r["source"], _split(r["proof"]), r["reason"])
         for r in read_table(DOCS / "rules.tsv")),
        (Seed(r["id"], r["where"], r["assertion"], tuple(r["rules"].split())) for r in read_table(DOCS / "seeds.tsv")),
        (Contradiction(r["id"], r["between"], r["what"]) for r in read_table(DOCS / "contradictions.tsv")),
        collect_tests(suites_folder()),
    )  # fmt: skip


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table of tab-separated values; empty cells at the end of a line may be left out."""
    with path.open(encoding="utf-8", newline="") as file:
        return [dict(row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")]


def _split(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("; ")) if cell else ()


def revisions_meant(word: str) -> Iterator[str]:
    """The revisions of the catalogue that a word means: ``all``, ``legacy``, a name, or a name and all after it (``+``)."""
    for name in SPECIFIED:
        if (
            word in ("all", name)
            or (word == "legacy" and not REVISIONS[name].modern)
            or (word.endswith("+") and name >= word[:-1])
        ):
            yield name


def collect_tests(suites: Path) -> Iterator[SuiteTest]:
    """The tests in a folder of suites."""
    from robot.api import TestSuiteBuilder
    from robot.running import ResourceFile

    shared = ResourceFile.from_file_system(suites.parent / "resources" / "server.resource").keywords
    for suite in TestSuiteBuilder().build(suites).suites:
        keywords = {_plain(keyword.name): keyword for keyword in [*shared, *suite.resource.keywords]}
        for test in suite.tests:
            yield SuiteTest(
                test.name, Path(test.source or "").name, test.doc, dict(test.metadata), frozenset(map(str, test.tags)),
                frozenset(_roles([test.setup, *test.body], keywords)),
            )  # fmt: skip


def _roles(steps: Iterable[Any], keywords: dict[str, Any]) -> Iterator[str]:
    """The roles that steps give to keywords by name, also inside keywords of the suite, which are followed once."""
    for step in steps:
        name = _plain(getattr(step, "name", "") or "")
        given = [str(value) for value in getattr(step, "args", ())]
        if name == "requiresafetool":
            yield "safe_tool"
        elif name in keywords:
            if not given:
                given = [str(value) for value in keywords[name].args.defaults.values()]
            rest = {other: keyword for other, keyword in keywords.items() if other != name}
            yield from _roles([keywords[name].setup, *keywords[name].body], rest)
        yield from ROLES.keys() & {value.rpartition("=")[2] for value in given}
        yield from _roles(getattr(step, "body", ()), keywords)


def _plain(name: str) -> str:
    return name.lower().replace(" ", "").replace("_", "")
