"""The rulebook: every rule that a server can be judged by, the tests that judge it, and the documents that say so.

The catalogue is data, ``docs/*.tsv``; the tests are read from the suites. ``python -m McpLibrary.rulebook`` writes the
documents of the folder ``docs`` anew; a unit test demands that they are in step.
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

NOT_YET = frozenset({
    "TOOL", "SCHEMA", "RES", "PROMPT", "COMPL", "PAGE", "CACHE", "SUB", "NOTIF", "PROG", "LOG", "CANC", "MRTR", "ELIC",
    "SAMP", "ROOTS", "AUTH", "SEC", "CONC", "TASK", "EXT", "HARN",
})  # fmt: skip
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
    """The roles without which it is skipped."""

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
    """The roles that steps ask for by name, also through keywords of the suite, which are followed once."""
    for step in steps:
        name = _plain(getattr(step, "name", "") or "")
        if name == "requiresafetool":
            yield "safe_tool"
        elif name == "requirerole" and step.args and step.args[0] in ROLES:
            yield step.args[0]
        elif name in keywords:
            rest = {other: keyword for other, keyword in keywords.items() if other != name}
            yield from _roles([keywords[name].setup, *keywords[name].body], rest)
        yield from _roles(getattr(step, "body", ()), keywords)


def _plain(name: str) -> str:
    return name.lower().replace(" ", "").replace("_", "")


# -- Markdown -------------------------------------------------------------------------------------------------------

GENERATED = "<!-- Made by `python -m McpLibrary.rulebook`. Do not edit: the rules are in rules.tsv, the tests in the suites. -->"


def documents(book: Rulebook) -> dict[str, str]:
    """The generated documents, by the name of their file."""
    return {"rules.md": render_rules(book), "seeds.md": render_seeds(book), "roles.md": render_roles(book)}


def cell(text: str) -> str:
    """Text as it stands in a cell of a table: nothing in it is Markdown but its `code`."""
    parts = re.split(r"(?<!`)`([^`]+)`(?!`)", " ".join(text.split()))
    return "".join(_code(part) if n % 2 else _escaped(part) for n, part in enumerate(parts))


def _code(text: str) -> str:
    # Renderers do not agree on an escaped pipe between backticks.
    return f"<code>{_escaped(text)}</code>" if "|" in text else f"`{text}`"


def _escaped(text: str) -> str:
    for character in "&<>~|":
        text = text.replace(character, f"&#{ord(character)};")
    return re.sub(r"[\\*_`\[\]]", r"\\\g<0>", text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are Markdown already."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _lines(items: Iterable[str]) -> str:
    return "<br>".join(items)


def _test(test: SuiteTest) -> str:
    return f"[{Path(test.file).stem}](../../suites/{test.file}): {cell(test.name)}"


def _proof(place: str) -> str:
    file, _, name = place.partition("::")
    return f"[{Path(file).name}](../../{file}): {cell(f'`{name}`')}"


def _judged(rule: Rule, book: Rulebook) -> str:
    found = [_test(test) for test in book.judging(rule.id)] + [_proof(place) for place in rule.proof]
    if rule.reason:
        found.insert(0, f"*not judged:* {cell(rule.reason)}")
    return _lines(found) or "*not yet*"


def _applies(rule: Rule) -> str:
    over = "" if rule.over in ("all", "") else f"; {', '.join(rule.over.split())}"
    return f"{', '.join(rule.revisions.split())}{over}"


RULES_HEAD = """\
# Rules

Every rule that a server can be judged by, and what judges it. `mcplibrary rules WORD ...` shows the same on the console.

- **Level**: the word of the specification; *advice* and *unspecified* have none. A broken MUST fails; all else, and what a test's
  own `Verdict` softens, is a warning.
- **Applies to**: the revisions (`legacy` is 2025-03-26 to 2025-11-25; `2025-06-18+` is that one and all after it) and, where not
  all, the transports on which the rule can be seen.
- **Judged by**: the tests of the suites; tests of this repository where the library itself keeps the rule; or why no test judges it.
  *Not yet* means that its suite is still to be written.
- *S1-nn* and *S2-nn* are [seeds](seeds.md), *X-nn* are [contradictions](#contradictions). The sentences are paraphrases: the
  specification decides.
"""


def render_rules(book: Rulebook) -> str:
    parts = [f"{GENERATED}\n\n{RULES_HEAD}", f"\n## Summary\n\n{_summary(book)}"]
    for group, title in GROUPS.items():
        rows = [
            [rule.id, cell(rule.level), _applies(rule), cell(rule.text), cell(rule.source), _judged(rule, book)]
            for rule in book.rules.values()
            if rule.group == group
        ]
        head = ("Rule", "Level", "Applies to", "What it says", "Source", "Judged by")
        parts.append(f"\n## {group}: {title}\n\n{table(head, rows)}")
    rows = [
        [found.id, cell(found.between), cell(found.text), _lines(map(_test, book.mentioning(found.id)))]
        for found in book.contradictions.values()
    ]
    parts.append(
        "\n## Contradictions\n\nWhere the specification, its schema, the seeds and the SDKs do not say the same (*python* is its SDK "
        f"2.3.0), and the tests that had to decide.\n\n{table(('Id', 'Between', 'What', 'Decided in'), rows)}"
    )
    return "".join(parts)


def _summary(book: Rulebook) -> str:
    missing = {rule.id for rule in book.missing()}
    rows = []
    for group, title in [*GROUPS.items(), ("all", "")]:
        rules = [rule for rule in book.rules.values() if group in ("all", rule.group)]
        judged = [rule for rule in rules if book.judging(rule.id)]
        not_yet = [rule for rule in rules if rule.id in missing]
        counts = (len(rules), len(judged), len(rules) - len(judged) - len(not_yet), len(not_yet))
        rows.append([group, title, *(str(count) if count else "" for count in counts)])
    return table(("Group", "", "Rules", "Judged by suites", "Kept by the library, or with a reason", "Not yet"), rows)


SEEDS_HEAD = """\
# Seeds

The library grew from two texts: *Testing MCP Servers* (S1) and *How to Test MCP Servers: A Practical Guide (2026)* (S2). Each of
their assertions, and what became of it. *X-nn* are [contradictions](rules.md#contradictions).
"""


def render_seeds(book: Rulebook) -> str:
    rows = []
    for seed in book.seeds.values():
        rules = [book.rules[name] for name in seed.refers if name in book.rules]
        tests = dict.fromkeys(_test(test) for rule in rules for test in book.judging(rule.id))
        proofs = dict.fromkeys(_proof(place) for rule in rules for place in rule.proof)
        reasons = dict.fromkeys(f"*{rule.id} not judged:* {cell(rule.reason)}" for rule in rules if rule.reason)
        waiting = [rule.id for rule in book.missing() if rule in rules]
        not_yet = [f"*not yet:* {', '.join(waiting)}"] if waiting else []
        rows.append([seed.id, cell(seed.where), cell(seed.text), " ".join(seed.refers),
                     _lines([*tests, *proofs, *reasons, *not_yet])])  # fmt: skip
    return f"{GENERATED}\n\n{SEEDS_HEAD}\n{table(('Seed', 'Where', 'Assertion', 'Rules', 'Judged by'), rows)}"


ROLES_HEAD = """\
# Roles

What the `ROLES` of an `mcp-profile.yaml` may name. Nothing of your server is executed without permission: a test that needs a role
is skipped until the role is named. `McpLibrary/demo/profile.yaml` names all of them for the sample server.

```yaml
ROLES:
  failing_tool: {name: get_order, arguments: {number: 999999}, text_contains: no order}
  text_resource: {uri: "shop://menu"}
```

A tool or prompt has a `name` and its `arguments`, a resource has a `uri`; what more it may say makes tests stricter.
"""


def render_roles(book: Rulebook) -> str:
    rows = [
        [f"`{role.name}`", cell(role.meaning), _lines(f"`{name}`: {cell(text)}" for name, text in role.members.items()),
         _lines(map(_test, book.using(role.name))) or "*none yet*"]
        for role in ROLES.values()
    ]  # fmt: skip
    return f"{GENERATED}\n\n{ROLES_HEAD}\n{table(('Role', 'What plays it', 'What more it may say', 'Tests that need it'), rows)}"


def main() -> None:
    for name, text in documents(load()).items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(DOCS / name)


if __name__ == "__main__":
    main()
