"""What ``mcplibrary rules`` and ``mcplibrary roles`` print."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from .checks.roles import ROLES
from .rulebook import GROUPS, SPECIFIED, Rule, Rulebook
from .session.revisions import REVISIONS

KEYWORDS = {"must": "MUST", "should": "SHOULD", "may": "MAY", "advice": "advice"}
ID = re.compile(r"[A-Z]+\d?-[LX]?\d+", re.IGNORECASE)


class NothingFound(ValueError):
    """No rule is meant by these words; the text says why."""


def list_rules(book: Rulebook, words: Sequence[str]) -> str:
    """The rules that all words fit, in a few lines each; one rule alone with all that is known of it."""
    contradictions = [found for word in words if (found := book.contradictions.get(word.upper()))]
    if contradictions and len(contradictions) == len(words):
        return "\n".join(_lines_of_contradiction(book, found.id) for found in contradictions)
    rules = select(book, words)
    if len(rules) == 1:
        return _in_full(book, rules[0])
    judged = sum(bool(book.judging(rule.id)) for rule in rules)
    missing = {rule.id for rule in book.missing()}
    not_yet = sum(rule.id in missing for rule in rules)
    blocks = [_in_short(book, rule) for rule in rules]
    blocks.append(f"{len(rules)} rules: {judged} judged by the suites, {not_yet} not yet\n")
    return "\n".join(blocks)


def select(book: Rulebook, words: Sequence[str]) -> list[Rule]:
    """The rules that words choose. Raises `NothingFound`.

    Ids of rules and seeds, and groups, add up; every other word narrows: a revision or an era, a level, or else a text that
    is looked for in all that is printed of a rule in short.
    """
    named: set[str] | None = None
    rules = list(book.rules.values())
    for word in words:
        ids = _named(book, word.upper())
        if ids is not None:
            named = (named or set()) | ids
    if named is not None:
        rules = [rule for rule in rules if rule.id in named]
    for word in words:
        if _named(book, word.upper()) is None:
            rules = [rule for rule in rules if _fits(book, rule, word)]
    if not rules:
        raise NothingFound(f"no rule fits {' and '.join(map(repr, words))}")
    return rules


def _named(book: Rulebook, word: str) -> set[str] | None:
    """The rules that a word names, or None for a word that is no name."""
    if word in book.rules:
        return {word}
    if word in GROUPS:
        return {rule.id for rule in book.rules.values() if rule.group == word}
    if word in book.seeds:
        return set(book.seeds[word].refers)
    if word not in book.contradictions and ID.fullmatch(word):
        group = [rule.id for rule in book.rules.values() if rule.group == word.partition("-")[0]]
        known = f"{group[0]} to {group[-1]} exist" if group else f"groups are {', '.join(GROUPS)}"
        raise NothingFound(f"there is no rule {word}; {known}")
    return None


def _fits(book: Rulebook, rule: Rule, word: str) -> bool:
    low = word.lower()
    if low in KEYWORDS:
        return rule.keyword == KEYWORDS[low]
    if low in SPECIFIED:
        return low in rule.revision_names
    if low in ("legacy", "modern"):
        return any(REVISIONS[name].modern == (low == "modern") for name in rule.revision_names)
    return low in _in_short(book, rule).lower()


def _in_short(book: Rulebook, rule: Rule) -> str:
    return "".join([f"{rule.id}  {rule.level}  ({_applies(rule)})\n", _wrapped(rule.text), *_judged(book, rule)])


def _applies(rule: Rule) -> str:
    revisions = "all revisions" if rule.revisions == "all" else rule.revisions.replace(" ", ", ")
    return revisions if rule.over in ("all", "") else f"{revisions}; {rule.over.replace(' ', ', ')}"


def _judged(book: Rulebook, rule: Rule) -> Iterator[str]:
    for test in book.judging(rule.id):
        yield _wrapped(f"judged by {test.title}")
    if rule.proof or rule.reason:
        kept = ("kept by the library" if rule.proof else "not judged", rule.reason, ", ".join(rule.proof))
        yield _wrapped(": ".join(filter(None, kept)))
    if not (book.judging(rule.id) or rule.reason or rule.proof):
        yield _wrapped("not yet judged")


def _in_full(book: Rulebook, rule: Rule) -> str:
    tests = book.judging(rule.id)
    mentioned = [found for found in book.contradictions if any(test in book.mentioning(found) for test in tests)]
    seeds = [seed for seed in book.seeds.values() if rule.id in seed.refers]
    return "".join([
        f"{rule.id}  {rule.level}  ({GROUPS[rule.group]})\n",
        _wrapped(rule.text),
        _wrapped(f"revisions: {', '.join(name for name in SPECIFIED if name in rule.revision_names)}"),
        _wrapped(f"transports: {rule.over.replace(' ', ', ')}") if rule.over else "",
        _wrapped(f"source: {rule.source}"),
        *_judged(book, rule),
        *(_wrapped(f"{key.lower()} of {test.name}: {test.metadata[key]}")
          for test in tests for key in ("Verdict", "Specification") if key in test.metadata),
        *(_wrapped(f"{seed.id}: {seed.text}") for seed in seeds),
        *(_wrapped(f"{found}: {book.contradictions[found].text}") for found in mentioned),
    ])  # fmt: skip


def _lines_of_contradiction(book: Rulebook, name: str) -> str:
    found = book.contradictions[name]
    tests = (_wrapped(f"decided in {test.title}") for test in book.mentioning(name))
    return "".join([f"{found.id}  {found.between}\n", _wrapped(found.text), *tests])


def list_roles() -> str:
    """The roles that a profile may name."""
    return "\n".join(
        "".join([f"{role.name}\n", _wrapped(role.meaning), *(_wrapped(f"{n}: {text}") for n, text in role.members.items())])
        for role in ROLES.values()
    )  # fmt: skip


def _wrapped(text: str) -> str:
    """A paragraph below a heading, in lines that fit a terminal; piped it is one line, so that grep finds it whole."""
    if not sys.stdout.isatty():
        return f"    {text}\n"
    width = max(40, min(shutil.get_terminal_size().columns, 120))
    return (
        textwrap.fill(
            text,
            width,
            initial_indent="    ",
            subsequent_indent="      ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        + "\n"
    )


def say(lines: Iterable[str]) -> None:
    """Print to whatever is listening: a terminal, a pipe that may close early, a device that knows few characters."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    try:
        sys.stdout.writelines(lines)
        sys.stdout.flush()
    except BrokenPipeError:
        # What is left in the buffer would raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
