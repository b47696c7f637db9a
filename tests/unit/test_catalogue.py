"""The catalogue of rules: it is whole, what it names exists, the suites say the same, and its documents are in step."""

import re
from pathlib import Path

import pytest

from McpLibrary.cli import suites_folder
from McpLibrary.documents import documents
from McpLibrary.rulebook import DOCS, GROUPS, NOT_YET, Rule, SuiteTest, load, revisions_meant
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
    both = [rule.id for rule in BOOK.rules.values() if rule.reason and BOOK.judging(rule.id)]
    assert both == [], f"take the reasons of {both} out of McpLibrary/docs/rules.tsv"


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
    if binding and word in LEVELS:
        found += level_problems(test, word, [levels_of(rule) for rule in binding])
    verdict = test.metadata.get("Verdict")
    if verdict is not None and not re.fullmatch(r"(WARN|FAIL): \S.*", verdict):
        found.append(f"Verdict must be 'WARN: reason' or 'FAIL: reason', not {verdict!r}")
    return found + reference_problems(test, rules)


def levels_of(rule: Rule) -> list[str]:
    """The levels that a rule has, such as a MUST whose details are a SHOULD; the strictest first."""
    return [level for level in LEVELS if level == rule.keyword or re.search(rf"\b{level}\b", rule.level)]


def level_problems(test: SuiteTest, word: str, allowed: list[list[str]]) -> list[str]:
    """A test is as strict as its rules, each of which may be of several levels; what fails is a MUST, or Verdict says why."""
    found = []
    if not any(word in keywords for keywords in allowed):
        found.append(f"Level is {word}, but its rules are {allowed}")
    elif word != "MUST" and ["MUST"] in allowed:
        found.append(f"Level {word} is softer than some of its rules: {allowed}")
    if "Verdict" not in test.metadata and not is_soft(test.metadata) and not all("MUST" in k for k in allowed):
        found.append(f"it would fail for a rule that is no MUST: {allowed}; split it, or say why in Verdict")
    return found


def reference_problems(test: SuiteTest, rules) -> list[str]:
    words = test.metadata.get("Revisions", "").replace(",", " ").split()
    found = []
    if not words or not all(word in REVISIONS or any(revisions_meant(word)) for word in words):
        found.append(f"Revisions must be names of revisions, not {test.metadata.get('Revisions')!r}")
    revisions = {name for word in words for name in revisions_meant(word)}
    if any(rule.group != "VER" for rule in rules):  # How eras meet is judged in either of them.
        beyond = revisions - {name for rule in rules for name in rule.revision_names}
        if beyond:
            found.append(f"none of its rules applies to {sorted(beyond)}")
        eras = {REVISIONS[name].era.value for name in revisions}
        tagged = {"legacy", "modern"} & test.tags
        if eras != tagged:
            found.append(f"Revisions are of {sorted(eras)}, the era tags say {sorted(tagged)}")
    if not re.fullmatch(r"https://\S+", test.metadata.get("Specification", "")):
        found.append(f"Specification must be an https URL, not {test.metadata.get('Specification')!r}")
    return found


GOOD = {
    "Rule": "RPC-01, RPC-02",
    "Level": "MUST",
    "Revisions": "2025-11-25, 2026-07-28",
    "Specification": "https://modelcontextprotocol.io/specification",
}
GOOD_TAGS = "legacy modern MUST RPC-01 RPC-02"


@pytest.mark.parametrize(
    ("metadata", "tags", "problem"),
    [
        ({}, GOOD_TAGS, ""),
        ({"Rule": ""}, "MUST", "rules that do not exist: none is named"),
        ({"Rule": "RPC-01, RPC-99"}, "MUST RPC-01", "rules that do not exist: ['RPC-99']"),
        ({}, "legacy modern MUST RPC-01 RPC-03", "tags and Rule differ in ['RPC-02', 'RPC-03']"),
        ({"Rule": "RPC-01 RPC-02 RPC-01"}, GOOD_TAGS, "a rule is named twice"),
        ({"Level": "must"}, GOOD_TAGS, "Level 'must' must begin with one of"),
        ({"Level": "MUST (schema)"}, "legacy modern SHOULD RPC-01 RPC-02", "the tag must be that of Level"),
        ({"Level": "SHOULD"}, "legacy modern SHOULD RPC-01 RPC-02", "Level is SHOULD, but its rules are"),
        ({"Rule": "RPC-01 RPC-29"}, "legacy modern MUST RPC-01 RPC-29", "it would fail for a rule that is no MUST"),
        ({"Rule": "RPC-01 RPC-29", "Verdict": "FAIL: why not"}, "legacy modern MUST RPC-01 RPC-29", ""),
        ({"Rule": "RPC-01 RPC-29", "Level": "SHOULD"}, "legacy modern SHOULD RPC-01 RPC-29", "Level SHOULD is softer"),
        ({"Rule": "RPC-01 HTTP-14"}, "legacy modern MUST RPC-01 HTTP-14", ""),
        ({"Verdict": "WARN"}, GOOD_TAGS, "Verdict must be 'WARN: reason'"),
        ({"Revisions": "2025-11-26"}, GOOD_TAGS, "Revisions must be names of revisions"),
        ({"Revisions": "all"}, "legacy MUST RPC-01 RPC-02", "the era tags say ['legacy']"),
        ({"Rule": "RPC-12"}, "legacy modern MUST RPC-12", "none of its rules applies to ['2025-11-25', '2026-07-28']"),
        ({"Specification": "http://example.org"}, GOOD_TAGS, "Specification must be an https URL"),
    ],
)
def test_what_does_not_fit_is_found(metadata, tags, problem):
    found = problems(SuiteTest("Name", "file.robot", "", GOOD | metadata, frozenset(tags.split()), frozenset()))
    assert any(problem in text for text in found) if problem else found == []


@each_test
def test_the_metadata_of_a_test_fits_the_catalogue(test):
    assert problems(test) == []


def test_contradictions_that_tests_mention_exist():
    mentioned = {name for test in BOOK.tests for name in re.findall(r"\bX-\d+\b", f"{test.doc} {test.metadata}")}
    assert mentioned <= set(BOOK.contradictions)


# -- the documents --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", documents(BOOK))
def test_a_document_is_in_step(name):
    assert (DOCS / name).read_text(encoding="utf-8") == documents(BOOK)[name], "run: python -m McpLibrary.documents"
