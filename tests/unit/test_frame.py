"""Frames and exchanges: exact bytes kept, kinds named, the first ending counts."""

import pytest

from McpLibrary.wire.frame import Exchange, Frame, HttpFacts, Outcome, header
from McpLibrary.wire.jsonrpc import MISSING


def exchange(answer: bytes | None = None) -> Exchange:
    found = Exchange(Frame.sent(b'{"jsonrpc":"2.0","id":7,"method":"tools/call"}', "stdin"), 1)
    if answer is not None:
        found.finish(Outcome.ANSWERED, answer=Frame.received(answer, "stdout"))
    return found


@pytest.mark.parametrize(
    ("raw", "kind", "is_answer"),
    [
        (b'{"id":1,"result":{}}', "result", True),
        (b'{"id":1,"error":{}}', "error", True),
        (b'{"error":{}}', "error", True),
        (b'{"id":1}', "invalid", True),
        (b'{"id":null}', "invalid", True),
        (b"{}", "invalid", False),
        (b"7", "invalid", False),
        (b'{"method":"m","id":1}', "request", False),
        (b'{"method":"m"}', "notification", False),
        (b'[{"id":1,"result":{}}]', "batch", False),
        (b"[]", "invalid", False),
        (b"nonsense", "garbage", False),
        (b"\xff", "garbage", False),
    ],
)
def test_a_received_frame_keeps_its_bytes_and_knows_its_kind(raw, kind, is_answer):
    frame = Frame.received(raw, "stdout", "e1")
    assert (frame.raw, frame.kind, frame.is_answer) == (raw, kind, is_answer)
    assert (frame.direction, frame.channel, frame.event_id) == ("received", "stdout", "e1")
    assert (frame.value is MISSING) == (frame.problem is not None)


def test_a_sent_frame_is_parsed_unless_its_value_is_known():
    assert Frame.sent(b'{"id":1}', "stdin").value == {"id": 1}
    assert Frame.sent(b"{", "stdin").problem is not None
    assert Frame.sent(b"{", "stdin", {"known": True}).kind == "invalid"
    assert Frame.sent(b"", "GET", None).problem is None


@pytest.mark.parametrize(
    ("raw", "method"), [(b'{"method":"m"}', "m"), (b'{"method":7}', None), (b"[]", None), (b"{}", None), (b"{", None)]
)
def test_only_text_is_a_method(raw, method):
    assert Frame.received(raw, "stdout").method == method


def test_a_member_that_is_null_is_there():
    frame = Frame.received(b'{"id":null}', "stdout")
    assert frame.member("id") is None
    assert frame.member("result") is MISSING
    assert Frame.received(b"[]", "stdout").member("id") is MISSING


def test_only_the_first_ending_counts():
    found = exchange(b'{"id":7,"result":{}}')
    finished = found.finished
    found.finish(Outcome.CLOSED, "too late")
    assert (found.outcome, found.problem, found.finished) == (Outcome.ANSWERED, "", finished)
    assert found.elapsed == found.finished - found.started


@pytest.mark.parametrize(
    ("raw", "result", "code", "tool_error"),
    [
        (b'{"id":7,"result":{"isError":true}}', {"isError": True}, MISSING, True),
        (b'{"id":7,"result":{"isError":"true"}}', {"isError": "true"}, MISSING, False),
        (b'{"id":7,"result":null}', None, MISSING, False),
        (b'{"id":7,"error":{"code":-32601}}', MISSING, -32601, False),
        (b'{"id":7,"error":"text"}', MISSING, MISSING, False),
        (b'{"id":7,"error":{}}', MISSING, MISSING, False),
        (b"[]", MISSING, MISSING, False),
    ],
)
def test_an_exchange_shows_what_its_answer_holds(raw, result, code, tool_error):
    found = exchange(raw)
    assert found.result == result
    assert found.error_code == code
    assert found.is_tool_error is tool_error


def test_an_open_exchange_has_no_answer():
    found = exchange()
    assert (found.result, found.error, found.error_code, found.status) == (MISSING, MISSING, MISSING, None)
    assert (found.id, found.method, found.outcome) == (7, "tools/call", Outcome.OPEN)
    assert found.elapsed >= 0


@pytest.mark.parametrize("name", [name for name, value in vars(Exchange).items() if isinstance(value, property)])
def test_every_property_of_an_exchange_can_be_read(name):
    getattr(exchange(b'{"id":7,"result":{}}'), name)


def test_headers_are_found_without_case_and_the_first_counts():
    headers = [("X-One", "1"), ("x-one", "2")]
    assert header(headers, "X-ONE") == "1"
    assert header(headers, "X-Two") is None


@pytest.mark.parametrize(
    ("value", "media"),
    [("Application/JSON; charset=utf-8", "application/json"), ("text/event-stream", "text/event-stream"), (None, "")],
)
def test_the_media_type_has_no_parameters(value, media):
    facts = HttpFacts("POST", "http://x/", [], 200, headers=[("content-type", value)] if value else [])
    assert facts.media_type == media
