"""The verdict on a test: known deviations, warnings for what is only a SHOULD, and failures."""

import datetime

import pytest

from McpLibrary.verdicts import (
    BROKEN_TAG,
    DEVIATION_TAG,
    BadProfile,
    Deviation,
    is_only,
    is_soft,
    judge,
    read_deviations,
)

DAY = datetime.date(2026, 6, 15)
KNOWN = Deviation("RPC-01", "vendor fixes it")
MUST = {"Rule": "RPC-01", "Level": "MUST"}
SHOULD = {"Rule": "RPC-02", "Level": "SHOULD"}


def verdict(status="FAIL", metadata=MUST, deviations=(), *, name="A Test", **options):
    return judge(name, status, "It broke.", metadata, deviations=deviations, today=DAY, **options)


# -- deviations -----------------------------------------------------------------------------------------------------


def test_a_known_deviation_that_still_fails_is_skipped():
    found = verdict(deviations=[KNOWN])
    assert (found.status, found.tags, found.warning) == ("SKIP", (DEVIATION_TAG,), None)
    assert found.message == "Known deviation of RPC-01: vendor fixes it\nIt broke."


def test_a_known_deviation_that_passes_is_stale():
    found = verdict("PASS", deviations=[KNOWN])
    assert found.status == "FAIL"
    assert found.message.startswith("Stale known deviation: RPC-01 is listed (vendor fixes it), but this test passes.")


@pytest.mark.parametrize(
    ("until", "status"),
    [(DAY, "SKIP"), (DAY + datetime.timedelta(1), "SKIP"), (DAY - datetime.timedelta(1), "FAIL"), (None, "SKIP")],
)
def test_a_deviation_is_accepted_up_to_its_last_day(until, status):
    found = verdict(deviations=[Deviation("RPC-01", "r", until=until)])
    assert found.status == status
    if status == "FAIL":
        assert found.message == f"The known deviation of RPC-01 was accepted until {until}.\nIt broke."


def test_an_expired_deviation_that_passes_is_stale_too():
    assert verdict("PASS", deviations=[Deviation("RPC-01", "r", until=datetime.date(2020, 1, 1))]).message.startswith(
        "Stale"
    )


@pytest.mark.parametrize(
    ("deviation", "covered"),
    [
        (Deviation("RPC-01", "r"), True),
        (Deviation("RPC-02", "r"), True),
        (Deviation("RPC-03", "r"), False),
        (Deviation("RPC-0", "r"), False),
        (Deviation("RPC-01", "r", era="legacy"), True),
        (Deviation("RPC-01", "r", era="modern"), False),
        (Deviation("RPC-01", "r", test="a test"), True),
        (Deviation("RPC-01", "r", test="*TEST"), True),
        (Deviation("RPC-01", "r", test="Other*"), False),
        (Deviation("RPC-01", "r", era="legacy", test="Other*"), False),
    ],
)
@pytest.mark.parametrize("rules", ["RPC-01 RPC-02", "RPC-02,RPC-01", "RPC-01, RPC-02"])
def test_a_deviation_covers_its_rule_era_and_test(deviation, covered, rules):
    found = verdict(metadata={"Rule": rules}, deviations=[deviation], era="legacy")
    assert (found.status == "SKIP") is covered


def test_without_an_era_a_deviation_of_an_era_does_not_cover():
    assert verdict(deviations=[Deviation("RPC-01", "r", era="legacy")], era=None).status == "FAIL"


def test_the_first_deviation_that_covers_counts():
    found = verdict(deviations=[Deviation("RPC-09", "no"), Deviation("RPC-01", "first"), Deviation("RPC-01", "second")])
    assert "first" in found.message


@pytest.mark.parametrize("strict", [True, False])
def test_a_deviation_comes_before_softness_and_covers_hangs(strict):
    found = verdict(metadata={**SHOULD, "Rule": "RPC-01"}, deviations=[KNOWN], softenable=True, strict=strict)
    assert found.status == "SKIP"
    assert verdict(deviations=[KNOWN], softenable=False).status == "SKIP"


@pytest.mark.parametrize("status", ["SKIP", "NOT RUN"])
def test_other_statuses_stay(status):
    found = verdict(status, deviations=[KNOWN])
    assert (found.status, found.message, found.tags) == (status, "It broke.", ())


@pytest.mark.parametrize("metadata", [{}, {"Rule": ""}, {"Rule": " , "}, {"Level": "SHOULD"}])
def test_a_test_of_no_rule_is_not_judged(metadata):
    assert verdict(metadata=metadata, deviations=[Deviation("", "r"), KNOWN], softenable=True).status == "FAIL"


# -- softness -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metadata", "soft"),
    [
        ({}, False),
        ({"Level": "MUST"}, False),
        ({"Level": "must not"}, False),
        ({"Level": "SHOULD"}, True),
        ({"Level": "should not"}, True),
        ({"Level": "MAY"}, True),
        ({"Level": "advice"}, True),
        ({"Level": "MUST", "Verdict": "WARN"}, True),
        ({"Level": "MUST", "Verdict": "warn (X-04)"}, True),
        ({"Level": "SHOULD", "Verdict": "FAIL"}, False),
    ],
)
def test_the_level_says_what_is_soft_and_the_verdict_overrules_it(metadata, soft):
    assert is_soft(metadata) is soft
    found = verdict(metadata={"Rule": "RPC-02", **metadata}, softenable=True)
    assert found.status == ("PASS" if soft else "FAIL")


def test_a_broken_should_passes_with_a_warning():
    found = verdict(metadata=SHOULD, softenable=True)
    assert (found.status, found.tags) == ("PASS", (BROKEN_TAG,))
    assert found.message == "WARN RPC-02 (SHOULD): It broke."
    assert found.warning == "A Test: WARN RPC-02 (SHOULD): It broke."


def test_a_must_with_the_verdict_warn_keeps_its_level_in_words():
    found = verdict(metadata={**MUST, "Verdict": "WARN"}, softenable=True)
    assert found.message == "WARN RPC-01 (MUST): It broke."


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"softenable": True, "strict": True}, "FAIL"),
        ({"softenable": False}, "FAIL"),
        ({"softenable": False, "strict": True}, "FAIL"),
        ({"softenable": True}, "PASS"),
    ],
)
def test_strict_runs_and_hangs_are_never_softened(options, status):
    assert verdict(metadata=SHOULD, **options).status == status


def test_what_passes_stays():
    for metadata in (MUST, SHOULD):
        found = verdict("PASS", metadata, softenable=True)
        assert (found.status, found.message, found.tags, found.warning) == ("PASS", "It broke.", (), None)


# -- which failures a message shows ---------------------------------------------------------------------------------

SEVERAL = "Several failures occurred:\n\n1) {}\n\n2) {}"


@pytest.mark.parametrize(
    ("message", "failures", "only"),
    [
        ("It broke.", ["It broke."], True),
        ("It broke.\nwhere\nEvidence: x", ["It broke.\nwhere"], True),
        ("It broke.", ["Other."], False),
        ("It broke.", [], False),
        ("It broke.", [""], False),
        ("", ["It broke."], True),
        (SEVERAL.format("It broke.\nwhere", "Other."), ["It broke.", "Other.\nwhere"], True),
        (SEVERAL.format("It broke.", "Hang."), ["It broke."], False),
        (SEVERAL.format("It broke.", "It broke."), ["It broke."], True),
        ("Hang.\n\nAlso teardown failed:\nIt broke.", ["It broke."], False),
        ("It broke.\n\nAlso teardown failed:\nSeveral failures occurred:\n\n1) x\n\n2) y", ["It broke."], False),
    ],
)
def test_only_known_failures_are_shown(message, failures, only):
    assert is_only(message, failures) is only


def test_a_failure_in_the_teardown_is_a_failure_of_its_own():
    assert not is_only("It broke.\n\nAlso teardown failed:\nThe server hung.", ["It broke."])


# -- profiles -------------------------------------------------------------------------------------------------------


def test_deviations_are_read():
    entries = [
        {"rule": "RPC-01", "reason": "r"},
        {"rule": "RPC-02", "reason": "r", "era": "legacy", "test": "A*", "until": "2027-01-31"},
        {"rule": "RPC-03", "reason": "r", "until": datetime.date(2027, 1, 31)},
    ]
    last = datetime.date(2027, 1, 31)
    assert read_deviations(entries) == [
        Deviation("RPC-01", "r"), Deviation("RPC-02", "r", "legacy", "A*", last), Deviation("RPC-03", "r", until=last),
    ]  # fmt: skip
    assert read_deviations(()) == []


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({}, "must be a list of entries"),
        ("RPC-01", "must be a list of entries"),
        (None, "must be a list of entries"),
        (["RPC-01"], "needs 'rule' and 'reason', got 'RPC-01'"),
        ([{"rule": "RPC-01"}], "needs 'rule' and 'reason'"),
        ([{"rule": "", "reason": "r"}], "needs 'rule' and 'reason'"),
        (
            [{"rule": "RPC-01", "reason": "r", "untill": "2027-01-01", "Era": "x"}],
            "has rule, reason, era, test and until, not Era, untill",
        ),
        (
            [{"rule": "RPC-01", "reason": "r", "until": "31.1.2027"}],
            "'until' must be a date like 2027-01-31, got '31.1.2027'",
        ),
    ],
)
def test_a_profile_that_cannot_be_used_says_what_is_right(entries, words):
    with pytest.raises(BadProfile) as caught:
        read_deviations(entries)
    assert words in str(caught.value)


@pytest.mark.parametrize("until", [2027, datetime.datetime(2027, 1, 31, 12), ["2027-01-31"]])
def test_an_until_that_is_no_date_is_refused_or_understood(until):
    try:
        deviations = read_deviations([{"rule": "RPC-01", "reason": "r", "until": until}])
    except BadProfile:
        return
    assert verdict(deviations=deviations).status == "SKIP"


@pytest.mark.parametrize("era", ["Legacy era", "2025-11-25", 7])
def test_an_era_that_is_none_is_refused(era):
    with pytest.raises(BadProfile):
        read_deviations([{"rule": "RPC-01", "reason": "r", "era": era}])
