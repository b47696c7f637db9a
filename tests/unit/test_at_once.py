"""Calls at once: what each call got is told by its mark, and the worst comes first."""

import pytest

from McpLibrary.checks.at_once import Call, Got, findings, mixed_progress, summary


def call(number, answer, *, identifier=None, answer_id=..., **more):
    identifier = number if identifier is None else identifier
    return Call(
        number, "one", identifier, f"m-{number}.", answer, identifier if answer_id is ... else answer_id, **more
    )


def own(number, **more):
    return call(number, f'{{"text": "m-{number}."}}', **more)


@pytest.mark.parametrize(
    ("one", "got"),
    [
        (own(0), Got.OWN),
        (call(0, '{"text": "m-1."}'), Got.FOREIGN),
        (call(0, None, problem="no answer within 2 seconds"), Got.LOST),
        (own(0, more=1), Got.DOUBLE),
        (own(0, identifier="7", answer_id=7), Got.OTHER_ID),
        (call(0, '{"code": -32600}', error=True), Got.REFUSED),
        (call(0, '{"text": "hello"}'), Got.UNMARKED),
    ],
)
def test_what_a_call_got(one, got):
    found = findings([one, own(1)])
    assert [finding.got for finding in found] == [got, Got.OWN]


def test_marks_that_begin_alike_are_different():
    calls = [own(number) for number in range(12)]
    assert {finding.got for finding in findings(calls)} == {Got.OWN}


def test_the_summary_counts_and_shows_the_worst():
    calls = [call(0, None), call(1, '{"text": "m-2."}'), call(2, '{"text": "m-1."}'), own(3)]
    text = summary(findings(calls))
    assert text.startswith("of 4 calls at once 2 got the answer of another call, 1 got no answer; ")
    assert text.endswith("call 1 (id 1 on one) got the answer of call 2 (id 2 on one)")


def test_refusals_are_good_where_they_are_allowed():
    found = findings([own(0), call(1, "{}", error=True)])
    assert "1 got an error" in summary(found)
    assert summary(found, refusals=True) == ""


def progress(token):
    return {"method": "notifications/progress", "params": {"progressToken": token}}


def test_progress_of_another_call_is_seen():
    frames = [progress("a"), progress("b"), {"method": "notifications/message", "params": {}}]
    assert "'b'" in mixed_progress("a", frames, ["a", "b"], own_stream=True)[0]
    assert mixed_progress("a", frames, ["a", "b"], own_stream=False) == []
    assert mixed_progress("a", [progress(1)], ["1"], own_stream=False) != []
