"""The transcript: bounded in memory, with marks to ask for what is new."""

import pytest

from McpLibrary.wire.frame import Frame
from McpLibrary.wire.transcript import Transcript, received


def frame(number: int, size: int = 10) -> Frame:
    made = Frame.received(str(number).encode().rjust(size), "stdout")
    made.at = float(number)
    return made


def numbers(frames):
    return [made.value for made in frames]


def filled(count: int, **options) -> Transcript:
    transcript = Transcript(**options)
    for number in range(1, count + 1):
        transcript.add(frame(number))
    return transcript


def test_the_oldest_frames_are_dropped_and_counted():
    transcript = filled(5, memory_limit=30)
    assert numbers(transcript.frames()) == [3, 4, 5]
    assert (transcript.dropped, transcript.seen) == (2, 5)


def test_one_frame_above_the_limit_is_kept():
    transcript = filled(2, memory_limit=30)
    transcript.add(frame(3, size=1000))
    assert numbers(transcript.frames()) == [3]
    transcript.add(frame(4))
    assert numbers(transcript.frames()) == [4]


@pytest.mark.parametrize(("since", "expected"), [(0, [3, 4, 5]), (2, [3, 4, 5]), (3, [4, 5]), (5, []), (99, [])])
def test_a_mark_asks_for_what_is_new_even_after_a_drop(since, expected):
    assert numbers(filled(5, memory_limit=30).frames(since)) == expected


def test_the_position_of_a_frame_is_the_mark_behind_it():
    transcript = filled(4, memory_limit=30)
    kept = transcript.frames()
    for made in kept:
        behind = transcript.frames(transcript.position(made))
        assert behind == kept[kept.index(made) + 1 :]


def opened(count: int, **options) -> Transcript:
    transcript = Transcript(**options)
    for number in range(1, count + 1):
        transcript.open(frame(number))
    return transcript


@pytest.mark.parametrize(("since", "expected"), [(0, [1, 2, 3]), (1, [2, 3]), (3, []), (9, [])])
def test_exchanges_since_a_number(since, expected):
    transcript = opened(3)
    assert [exchange.number for exchange in transcript.exchanges(since)] == expected
    assert transcript.count == 3


@pytest.mark.parametrize(("number", "expected"), [(1, 1), (3, 3), (-1, 3), (-3, 1), (0, None), (4, None), (-4, None)])
def test_negative_numbers_count_from_the_end(number, expected):
    exchange = opened(3).exchange(number)
    assert (exchange.number if exchange else None) == expected


def test_exchanges_go_with_their_frames():
    transcript = opened(5, memory_limit=30)
    assert [exchange.number for exchange in transcript.exchanges()] == [3, 4, 5]
    assert transcript.exchange(1) is None
    assert transcript.exchange(4).number == 4
    assert transcript.count == 5


def test_an_empty_transcript_has_nothing():
    transcript = Transcript()
    assert transcript.frames() == [] and transcript.exchanges() == []
    assert transcript.exchange(-1) is None


def test_only_received_frames_are_selected():
    sent, got = Frame.sent(b"1", "stdin"), frame(2)
    assert received([sent, got]) == [got]
