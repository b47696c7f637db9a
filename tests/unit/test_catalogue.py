"""The catalogue of rules: it is whole, what it names exists, the suites say the same, and its documents are in step."""

import re
from pathlib import Path

import pytest

from McpLibrary.cli import suites_folder
from McpLibrary.documents import documents
from McpLibrary.rulebook import DOCS, GROUPS, NOT_YET, SuiteTest, load, revisions_meant
from McpLibrary.session.revisions import REVISIONS
from McpLibrary.verdicts import is_soft

ROOT = Path(__file__).parents[2]
BOOK = load()
LEVELS = ("MUST", "SHOULD", "MAY", "advice")
RULE_ID = re.compile(r"[A-Z]+-[LX]?\d\d")

each_test = pytest.mark.parametrize("test", BOOK.tests, ids=lambda test: test.title)


# -- the catalogue --------------------------------------------------------------------------------------------------


def test_the_catalogue_is_whole():
    assert (len(BOOK.rules), len(BOOK.seeds), len(BOOK.contradictions)) == (477, 90, 40)
    assert {rule.group for rule in BOOK.rules.values()} == set(GROUPS) and set(GROUPS) > NOT_YET
    for group in GROUPS:
        numbers = [rule.id for rule in BOOK.rules.values() if rule.group == group]
        assert numbers == sorted(numbers)


def test_every_rule_is_described():
    for rule in BOOK.rules.values():
        assert RULE_ID.fullmatch(rule.id)
        assert re.fullmatch(r"(MUST|MUST NOT|SHOULD|SHOULD NOT|MAY|advice|unspecified|note)( \(.+\))?", rule.level), (
            rule
        )
        assert all(any(revisions_meant(word)) for word in rule.revisions.split()) and rule.revisions, rule
        assert set(rule.over.split()) <= {"all", "in-process", "stdio", "http"}, rule
        assert rule.text.endswith((".", ".)")) and rule.source and not rule.reason.endswith("."), rule


def test_what_is_referred_to_exists():
    known = {*BOOK.rules, *BOOK.seeds, *BOOK.contradictions}
    for rule in BOOK.rules.values():
        texts = (rule.text, rule.source, rule.reason)
        assert {name for text in texts for name in re.findall(r"\b(?:X-\d\d|S[12]-\d\d)\b", text)} <= known, rule
    for seed in BOOK.seeds.values():
        assert seed.refers and set(seed.refers) <= known, seed


@pytest.mark.parametrize("place", sorted({place for rule in BOOK.rules.values() for place in rule.proof}))
def test_a_test_of_our_own_that_keeps_a_rule_exists(place):
    file, _, name = place.partition("::")
    pattern = rf"^{re.escape(name)}$" if file.endswith(".robot") else rf"^(?:async )?def {name}\("
    assert re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_a_rule_with_a_test_needs_no_reason():
    assert [rule.id for rule in BOOK.rules.values() if rule.reason and BOOK.judging(rule.id)] == []


@pytest.mark.xfail(strict=True, reason="the suites of these groups are being written")
def test_every_rule_of_the_finished_groups_is_judged_or_has_a_reason():
    missing = [rule.id for rule in BOOK.missing() if rule.group not in NOT_YET]
    assert missing == [], f"write a test for each, or its reason in McpLibrary/docs/rules.tsv: {' '.join(missing)}"


# -- the suites -----------------------------------------------------------------------------------------------------


def test_the_tests_of_all_suites_are_collected():
    assert {test.file for test in BOOK.tests} == {path.name for path in suites_folder().glob("[!_]*.robot")}


def problems(test: SuiteTest) -> list[str]:
    """What the metadata and the tags of a test say against the catalogue or against each other."""
    found = []
    rules = [BOOK.rules[name] for name in test.rules if name in BOOK.rules]
    unknown = [name for name in [*test.rules, *filter(RULE_ID.fullmatch, test.tags)] if name not in BOOK.rules]
    if not test.rules or unknown:
        return [f"rules that do not exist: {unknown or 'none is named'}"]
    tagged = set(filter(RULE_ID.fullmatch, test.tags))
    if tagged != set(test.rules):
        found.append(f"tags and Rule differ in {sorted(tagged ^ set(test.rules))}")
    if len(set(test.rules)) != len(test.rules):
        found.append("a rule is named twice")
    level = test.metadata.get("Level", "")
    word = level.partition(" ")[0]
    if word not in LEVELS:
        found.append(f"Level {level!r} must begin with one of {LEVELS}")
    elif {tag for tag in test.tags if tag in LEVELS} != {word}:
        found.append(f"the tag must be that of Level {level!r}")
    binding = [rule for rule in rules if not rule.level.startswith("unspecified") and "of clients)" not in rule.level]
    found += level_problems(test, word, [rule.keyword for rule in binding]) if binding else []
    verdict = test.metadata.get("Verdict")
    if verdict is not None and not re.fullmatch(r"(WARN|FAIL): \S.*", verdict):
        found.append(f"Verdict must be 'WARN: reason' or 'FAIL: reason', not {verdict!r}")
    return found + reference_problems(test, rules)


def level_problems(test: SuiteTest, word: str, keywords: list[str]) -> list[str]:
    """A test is as hard as the hardest of its rules; one that fails is for what MUST be, unless its Verdict says why."""
    hard = [keyword == "MUST" for keyword in keywords]
    found = []
    if any(hard) != (word == "MUST"):
        found.append(f"Level is {word}, but its rules are {keywords}")
    if word == "SHOULD" and "SHOULD" not in keywords:
        found.append(f"Level is SHOULD, but its rules are {keywords}")
    if "Verdict" not in test.metadata and not is_soft(test.metadata) and not all(hard):
        found.append(f"it would fail for a rule that is no MUST: {keywords}; split it, or say why in Verdict")
    return found


def reference_problems(test: SuiteTest, rules) -> list[str]:
    words = test.metadata.get("Revisions", "").replace(",", " ").split()
    found = []
    if not words or not all(word in REVISIONS or any(revisions_meant(word)) for word in words):
        found.append(f"Revisions must be names of revisions, not {test.metadata.get('Revisions')!r}")
    revisions = {name for word in words for name in revisions_meant(word)}
    beyond = revisions - {name for rule in rules for name in rule.revision_names}
    if beyond:
        found.append(f"none of its rules applies to {sorted(beyond)}")
    eras = {REVISIONS[name].era.value for name in revisions}
    if eras != {"legacy", "modern"} & test.tags:
        found.append(f"Revisions are of {sorted(eras)}, the era tags say {sorted({'legacy', 'modern'} & test.tags)}")
    if not re.fullmatch(r"https://\S+", test.metadata.get("Specification", "")):
        found.append(f"Specification must be an https URL, not {test.metadata.get('Specification')!r}")
    return found


@each_test
def test_the_metadata_of_a_test_fits_the_catalogue(test):
    found = problems(test)
    if found:
        pytest.xfail(f"the suites are being written: {found}")


def test_contradictions_that_tests_mention_exist():
    mentioned = {name for test in BOOK.tests for name in re.findall(r"\bX-\d+\b", f"{test.doc} {test.metadata}")}
    assert mentioned <= set(BOOK.contradictions)


# -- the documents --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", documents(BOOK))
def test_a_document_is_in_step(name):
    if (DOCS / name).read_text(encoding="utf-8") != documents(BOOK)[name]:
        pytest.xfail("the suites are being written; run: python -m McpLibrary.documents")
