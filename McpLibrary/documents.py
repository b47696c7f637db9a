"""The documents in the folder ``docs``: tables of the rules, the seeds and the roles, with the tests that judge each.

``python -m McpLibrary.documents`` writes them anew; a unit test demands that they are in step with the catalogue and the suites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from .checks.roles import ROLES
from .rulebook import DOCS, GROUPS, Rule, Rulebook, SuiteTest, load

GENERATED = "<!-- Made by `python -m McpLibrary.documents`. Do not edit: the rules are in rules.tsv, the tests in the suites. -->"


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
    found = [_test(test) for test in book.judging(rule.id)]
    if rule.proof or rule.reason:
        found.append(f"*{'kept by the library' if rule.proof else 'not judged'}:* {cell(rule.reason)}".rstrip())
    return _lines([*found, *map(_proof, rule.proof)]) or "*not yet*"


def _says(rule: Rule) -> str:
    return f"{cell(rule.text)}<br><sub>{cell(rule.source)}</sub>"


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
- **Judged by**: the tests of the suites; or why no test judges it, and the tests of this repository where the library itself keeps it.
  *Not yet* means that its suite is still to be written.
- *S1-nn* and *S2-nn* are [seeds](seeds.md), *X-nn* are [contradictions](#contradictions). The sentences are paraphrases: the
  specification decides.
"""


def render_rules(book: Rulebook) -> str:
    parts = [f"{GENERATED}\n\n{RULES_HEAD}", f"\n## Summary\n\n{_summary(book)}"]
    for group, title in GROUPS.items():
        rows = [
            [rule.id, cell(rule.level), _applies(rule), _says(rule), _judged(rule, book)]
            for rule in book.rules.values()
            if rule.group == group
        ]
        head = ("Rule", "Level", "Applies to", "What it says, and where", "Judged by")
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
        reasons = [f"*{rule.id} not judged:* {cell(rule.reason)}" for rule in rules if rule.reason and not rule.proof]
        waiting = [rule.id for rule in book.missing() if rule in rules]
        not_yet = [f"*not yet:* {', '.join(waiting)}"] if waiting else []
        rows.append([seed.id, cell(seed.where), cell(seed.text), " ".join(seed.refers),
                     _lines([*tests, *proofs, *reasons, *not_yet])])  # fmt: skip
    return f"{GENERATED}\n\n{SEEDS_HEAD}\n{table(('Seed', 'Where', 'Assertion', 'Rules', 'Judged by'), rows)}"


ROLES_HEAD = """\
# Roles

What the `ROLES` of an `mcp-profile.yaml` may name. Nothing of your server is executed without permission: a test that needs a role
is skipped until the role is named. `McpLibrary/demo/profile.yaml` names all of them for the sample server. In place of `safe_tool` a
tool is taken that says `readOnlyHint: true`, does not say `openWorldHint: true`, and needs no arguments.

```yaml
ROLES:
  failing_tool: {name: get_order, arguments: {number: 999999}, text_contains: no order}
  text_resource: {uri: "shop://menu"}
```

A tool or prompt has a `name` and its `arguments`, a resource has a `uri`; all else may be left out.
"""


def render_roles(book: Rulebook) -> str:
    rows = [
        [f"`{role.name}`", cell(role.meaning), _lines(f"`{name}`: {cell(text)}" for name, text in role.members.items()),
         _lines(map(_test, book.using(role.name))) or "*none yet*"]
        for role in ROLES.values()
    ]  # fmt: skip
    return f"{GENERATED}\n\n{ROLES_HEAD}\n{table(('Role', 'What plays it', 'What more it may say', 'Tests that use it'), rows)}"


def main() -> None:
    for name, text in documents(load()).items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(DOCS / name)


if __name__ == "__main__":
    main()
