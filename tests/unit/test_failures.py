"""The words of a failure: our own first, one line each, evidence shortened."""

import pytest

from McpLibrary.failures import EVIDENCE_LIMIT, McpFailure, RuleBroken, ServerDefect, WrongUse, compose, shorten


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("", 3, ""),
        ("a\nb", 10, "a\\nb"),
        ("a\tb\r", 10, "a\\tb\\r"),
        ("\x1b[31mred", 20, "\\x1b[31mred"),
        ("a\u202eb\u200bc", 30, "a\\u202eb\\u200bc"),
        ("\ud800", 10, "\\ud800"),
        ("é日\U0001f600", 10, "é日\U0001f600"),
        ("\n\n\n", 4, "\\n\\…"),
    ],
)
def test_texts_are_shortened_to_one_line(text, limit, short):
    assert shorten(text, limit) == short
    assert len(shorten(text, limit)) <= limit


def test_evidence_has_a_limit():
    assert len(shorten("x" * 1000)) == EVIDENCE_LIMIT
    assert len(shorten("\n" * 1000)) == EVIDENCE_LIMIT


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({}, "It broke."),
        ({"where": "shop, tools/call"}, "It broke.\nshop, tools/call"),
        ({"evidence": "raw"}, "It broke.\nEvidence: raw"),
        ({"evidence": {"a": 1}}, "It broke.\nEvidence: {'a': 1}"),
        ({"hint": "Try again."}, "It broke.\nHint: Try again."),
        ({"where": "w", "evidence": "e", "hint": "h"}, "It broke.\nw\nEvidence: e\nHint: h"),
        ({"where": "", "evidence": "", "hint": ""}, "It broke."),
    ],
)
def test_a_failure_has_up_to_four_lines(parts, text):
    assert compose("It broke.", **parts) == text


def test_no_part_can_make_lines_of_its_own():
    text = compose("a\nb", where="c\nd", evidence="e\nHint: f", hint="g\nh")
    assert text.splitlines() == ["a\\nb", "c\\nd", "Evidence: e\\nHint: f", "Hint: g\\nh"]


def test_long_parts_are_shortened():
    text = compose("p" * 10_000, evidence="e" * 10_000)
    assert len(text) < 1000


def test_the_kinds_of_failures():
    assert issubclass(RuleBroken, McpFailure) and issubclass(ServerDefect, McpFailure)
    assert issubclass(McpFailure, AssertionError) and issubclass(WrongUse, ValueError)
    assert McpFailure.ROBOT_SUPPRESS_NAME and WrongUse.ROBOT_SUPPRESS_NAME
