"""Streamable HTTP against a server that answers scripted bytes: what is sent, and what is made of each answer."""

from contextlib import asynccontextmanager

import anyio
import httpx
import pytest
from scripted import (
    HttpScript,
    answer,
    call,
    chunk,
    chunked_head,
    event,
    http,
    in_loop,
    json_answer,
    stream_head,
    until,
)

from McpLibrary.wire import http as http_module
from McpLibrary.wire import jsonrpc
from McpLibrary.wire.frame import Event, Frame, Outcome
from McpLibrary.wire.http import HttpTransport
from McpLibrary.wire.rawsocket import needs_raw_socket
from McpLibrary.wire.transcript import Transcript
from McpLibrary.wire.transport import TransportError

HEADERS = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
OK = answer(1, result={"ok": True})
PROGRESS = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'


@asynccontextmanager
async def connected(*answers, url=None, **options):
    """A script that serves these answers and an open transport to it."""
    async with HttpScript(*answers).serving() as server, anyio.create_task_group() as tasks:
        transport = HttpTransport(url or server.url, Transcript(), **options)
        transport.strays = []
        transport.sink = lambda frame, exchange: transport.strays.append((frame, exchange))
        await transport.open(tasks)
        try:
            yield server, transport
        finally:
            tasks.cancel_scope.cancel()
            await transport.close()


async def post(transport, message=None, headers=HEADERS):
    raw = message if isinstance(message, bytes) else jsonrpc.encode(message or call(1))
    exchange = transport.transcript.open(Frame.sent(raw, "POST"))
    await transport.exchange(exchange, headers, wait=True)
    return exchange


# -- answers in one piece -------------------------------------------------------------------------------------------


@in_loop
async def test_a_json_answer_is_kept_with_its_http_side():
    async with connected(json_answer(OK, 200, "X-Twice: 1", "X-Twice: 2")) as (_, transport):
        exchange = await post(transport)
        assert (exchange.outcome, exchange.answer.raw, exchange.status) == (Outcome.ANSWERED, OK, 200)
        assert exchange.http.reason == "Scripted"
        assert [value for name, value in exchange.http.headers if name == "X-Twice"] == ["1", "2"]
        assert exchange.http.body == OK
        assert exchange.answer in transport.transcript.frames()


@in_loop
async def test_what_is_sent_is_what_was_given_and_a_few_defaults():
    async with connected(json_answer(OK)) as (server, transport):
        exchange = await post(transport, headers=[*HEADERS, ("X-Two", "1"), ("x-two", "2")])
        sent = server.requests[0]
        assert (sent.method, sent.path, sent.body) == ("POST", "/mcp", exchange.request.raw)
        assert [line for line in sent.lines if line.lower().startswith(b"x-two")] == [b"X-Two: 1", b"x-two: 2"]
        assert (sent.header("user-agent"), sent.header("accept-encoding")) == ("McpLibrary", "identity")
        assert sent.header("connection") is None
        assert [(n, v) for n, v in exchange.http.request_headers if n.lower() == "x-two"] == [
            ("X-Two", "1"),
            ("x-two", "2"),
        ]


@in_loop
async def test_a_header_left_out_is_not_put_back():
    async with connected(json_answer(OK)) as (server, transport):
        await post(transport, headers=[])
        assert server.requests[0].header("accept") is None
        assert server.requests[0].header("content-type") is None


@in_loop
async def test_a_bare_request_has_only_the_headers_given():
    async with connected(http(200)) as (server, transport):
        exchange = transport.transcript.open(Frame.sent(b"", "OPTIONS", None))
        await transport.request("OPTIONS", exchange, [("X-One", "1")], b"", bare=True)
        names = {line.split(b":")[0].lower() for line in server.requests[0].lines if line}
        assert names == {b"host", b"x-one"}
        assert server.requests[0].method == "OPTIONS"


@pytest.mark.parametrize(
    ("reply", "message", "outcome", "problem"),
    [
        (http(202), call(1), Outcome.ACCEPTED, "HTTP 202 without a body"),
        (http(202), jsonrpc.notification("m"), Outcome.ACCEPTED, "HTTP 202 without a body"),
        (http(204), jsonrpc.notification("m"), Outcome.ACCEPTED, "HTTP 204 without a body"),
        (http(200), call(1), Outcome.REFUSED, "HTTP 200 without a body"),
        (http(400), jsonrpc.notification("m"), Outcome.REFUSED, "HTTP 400 without a body"),
        (http(401, b" \r\n"), call(1), Outcome.REFUSED, "HTTP 401 without a body"),
        (
            http(200, b"<html></html>", "text/html"),
            call(1),
            Outcome.REFUSED,
            "HTTP 200 with text/html that is no JSON-RPC response",
        ),
        (
            http(500, b"Internal Server Error"),
            call(1),
            Outcome.REFUSED,
            "HTTP 500 with no content type that is no JSON-RPC response",
        ),
        (http(200, b"[]", "application/json"), call(1), Outcome.REFUSED, "HTTP 200 with application/json"),
        (http(200, PROGRESS, "application/json"), call(1), Outcome.REFUSED, "HTTP 200 with application/json"),
        (http(500, event(OK), "text/event-stream"), call(1), Outcome.REFUSED, "HTTP 500 with text/event-stream"),
    ],
)
@in_loop
async def test_what_is_no_message_is_told_by_its_status_and_type(reply, message, outcome, problem):
    async with connected(reply) as (_, transport):
        exchange = await post(transport, message)
        assert exchange.outcome is outcome
        assert exchange.problem.startswith(problem)
        assert exchange.answer is None


@pytest.mark.parametrize("status", [200, 400, 404, 500])
@pytest.mark.parametrize("media", ["application/json", "text/plain", None])
@in_loop
async def test_a_json_rpc_error_is_an_answer_under_any_status_and_type(status, media):
    error = answer(1, error={"code": -32600, "message": "m"})
    async with connected(http(status, error, media)) as (_, transport):
        exchange = await post(transport)
        assert (exchange.outcome, exchange.error_code, exchange.status) == (Outcome.ANSWERED, -32600, status)


@in_loop
async def test_html_is_kept_and_reported():
    async with connected(http(200, b"<html>\xff</html>", "text/html")) as (_, transport):
        exchange = await post(transport)
        assert exchange.http.body == b"<html>\xff</html>"
        assert [frame.kind for frame in exchange.between] == ["garbage"]
        assert transport.strays == [(exchange.between[0], exchange)]


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        http(200, b'{"half":', "application/json", length=100),
        stream_head(200, "Transfer-Encoding: chunked") + b"5\r\nab",
    ],
)
@in_loop
async def test_a_connection_that_ends_early_is_said_so(reply):
    async with connected([reply] if reply else []) as (_, transport):
        exchange = await post(transport)
        assert exchange.outcome in (Outcome.CLOSED, Outcome.FAILED)
        assert exchange.problem.startswith("the server closed the connection before its answer was complete")


@in_loop
async def test_bytes_that_are_not_http_are_a_failure():
    async with connected(b"SSH-2.0-OpenSSH\r\n\r\n") as (_, transport):
        exchange = await post(transport)
        assert exchange.outcome is Outcome.FAILED and exchange.problem


@in_loop
async def test_nobody_listening_is_said_so():
    async with connected() as (server, transport):
        port = server.port
    async with connected() as (_, transport):
        transport.url = f"http://127.0.0.1:{port}/mcp"
        exchange = await post(transport)
        assert exchange.outcome is Outcome.FAILED
        assert exchange.problem.startswith(f"127.0.0.1:{port} refused the connection: is the server running there?")


@pytest.mark.parametrize("status", [301, 307, 308])
@in_loop
async def test_redirects_are_shown_and_not_followed(status):
    async with connected(http(status, b"", None, "Location: /other")) as (server, transport):
        exchange = await post(transport)
        assert (exchange.status, exchange.http.header("location")) == (status, "/other")
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [(json_answer(b'"' + b"x" * 2000 + b'"'), "body"), ([stream_head(), event(b"x" * 2000)], "stream")],
)
@in_loop
async def test_an_answer_above_the_ceiling_is_not_read_on(reply, outcome):
    async with connected(reply, byte_ceiling=1000) as (_, transport):
        exchange = await post(transport)
        assert (exchange.outcome, exchange.problem) == (
            Outcome.FAILED,
            "the answer has more than 1000 bytes; reading stopped",
        )


@in_loop
async def test_the_ceiling_holds_for_each_message_of_a_stream():
    events = [event(PROGRESS.replace(b"{}", b'{"x":"' + b"y" * 600 + b'"}')) for _ in range(5)]
    pieces = [stream_head()]
    gates = [anyio.Event() for _ in events]
    for gate, text in zip(gates, events, strict=True):
        pieces += [text, gate]
    async with connected([*pieces, event(OK)], byte_ceiling=1000) as (_, transport):
        exchange = transport.transcript.open(Frame.sent(jsonrpc.encode(call(1)), "POST"))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: transport.exchange(exchange, HEADERS, wait=True))
            for number, gate in enumerate(gates, 1):
                await until(lambda number=number: len(exchange.between) == number)
                gate.set()
        assert exchange.outcome is Outcome.ANSWERED


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/mcp", "127.0.0.1:8000", "/mcp"])
@in_loop
async def test_only_http_urls_are_opened(url):
    with pytest.raises(TransportError, match="must begin with http:// or https://"):
        await HttpTransport(url, Transcript()).open(None)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (httpx.ConnectTimeout("x"), "no connection to host:1 within 10 seconds"),
        (httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED]"), "the TLS certificate of host:1 was not accepted"),
        (httpx.ConnectError("refused"), "host:1 refused the connection"),
        (httpx.ReadError(""), "the server closed the connection before its answer was complete (ReadError)"),
        (httpx.UnsupportedProtocol("no way."), "UnsupportedProtocol: no way"),
    ],
)
def test_errors_are_explained(error, text):
    assert http_module.explain(error, "http://host:1/mcp").startswith(text)


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://localhost:1/", None),
        ("http://127.0.0.1:1/", None),
        ("http://[::1]:1/", None),
        ("http://example.com/", "http://proxy:1"),
        ("https://example.com/", "http://proxy:2"),
        ("http://inner.example.org/", None),
    ],
)
def test_proxies_of_the_environment_are_not_used_for_loopback(url, proxy, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("http_proxy", "http://proxy:1")
    monkeypatch.setenv("https_proxy", "http://proxy:2")
    monkeypatch.setenv("no_proxy", "example.org")
    assert http_module.proxy_for(url) == proxy


@in_loop
async def test_cookies_come_back():
    async with connected(json_answer(OK, 200, "Set-Cookie: a=1"), json_answer(OK)) as (server, transport):
        await post(transport)
        await post(transport)
        assert [request.header("cookie") for request in server.requests] == [None, "a=1"]


# -- event streams --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([event(OK)], id="plain"),
        pytest.param([b": comment\n\n", b":\n", event(OK)], id="comments"),
        pytest.param([event(OK).replace(b"\n", b"\r\n")], id="CRLF"),
        pytest.param([event(OK).replace(b"\n", b"\r")], id="CR"),
        pytest.param([bytes([byte]) for byte in event(OK)], id="byte by byte"),
        pytest.param([bytes([byte]) for byte in event(OK).replace(b"\n", b"\r\n")], id="CRLF byte by byte"),
        pytest.param([b"id: 1\nretry: 10\ndata:\n\n", event(OK)], id="priming event"),
        pytest.param([b"id: 1\n\n", event(OK)], id="priming event without data"),
        pytest.param([event(OK, name="message", id="7")], id="named"),
        pytest.param([b"data:" + OK + b"\n\n"], id="no space"),
        pytest.param([b"unknown: field\ndata: " + OK + b"\nother\n\n"], id="unknown fields"),
        pytest.param([b'data: {"jsonrpc":"2.0",\ndata: "id":1,"result":{"ok":true}}\n\n'], id="several data lines"),
        pytest.param([event(PROGRESS), event(b"nonsense"), event(OK)], id="after others"),
    ],
)
@in_loop
async def test_the_answer_is_found_in_the_stream(pieces):
    async with connected([stream_head(), *pieces]) as (_, transport):
        exchange = await post(transport)
        assert exchange.outcome is Outcome.ANSWERED, exchange.problem
        assert exchange.result == {"ok": True}
        assert not exchange.problem


@in_loop
async def test_what_comes_before_the_answer_is_delivered_at_once():
    gate = anyio.Event()
    async with connected([stream_head(), event(PROGRESS, id="e1"), gate, event(OK, id="e2")]) as (_, transport):
        transport.sink = lambda frame, exchange: gate.set()
        exchange = await post(transport)
        assert [frame.raw for frame in exchange.between] == [PROGRESS]
        assert (exchange.between[0].event_id, exchange.answer.event_id) == ("e1", "e2")
        assert exchange.answer.channel == "POST"


@in_loop
async def test_unicode_line_separators_split_nothing():
    said = answer(1, result={"text": "a\u2028b\u2029c\x85d"})
    async with connected([stream_head(), event(said)]) as (_, transport):
        exchange = await post(transport)
        assert exchange.answer.raw == said


@in_loop
async def test_broken_utf8_in_a_stream_is_seen():
    said = OK.replace(b"ok", b"\xff")
    async with connected([stream_head(), event(b"x").replace(b"x", said)]) as (_, transport):
        exchange = await post(transport)
        frames = [*exchange.between, *filter(None, [exchange.answer])]
        assert [frame.raw for frame in frames] == [said]
        assert frames[0].problem


@in_loop
async def test_an_event_stream_is_utf8_whatever_its_charset_says():
    said = answer(1, result={"text": "é"})
    async with connected([stream_head(content_type="text/event-stream; charset=iso-8859-1"), event(said)]) as (
        _,
        transport,
    ):
        exchange = await post(transport)
        assert exchange.answer.raw == said


@in_loop
async def test_a_byte_order_mark_at_the_start_is_no_part_of_the_first_event():
    async with connected([stream_head(), b"\xef\xbb\xbf" + event(OK)]) as (_, transport):
        assert (await post(transport)).outcome is Outcome.ANSWERED


@in_loop
async def test_a_second_answer_in_the_stream_is_kept():
    async with connected([stream_head(), event(OK) + event(OK) + event(PROGRESS)]) as (_, transport):
        exchange = await post(transport)
        assert [frame.raw for frame in exchange.more_answers] == [OK]
        assert [frame.raw for frame in exchange.between] == [PROGRESS]


@in_loop
async def test_a_stream_that_stays_open_after_the_answer_is_noted():
    async with connected([stream_head(), event(OK), anyio.Event()]) as (_, transport):
        exchange = await post(transport)
        assert exchange.outcome is Outcome.ANSWERED
        assert exchange.problem == "the server kept the event stream open after the answer"


@in_loop
async def test_a_stream_may_take_its_time_to_end_when_it_is_given_some():
    gate = anyio.Event()
    async with connected([stream_head(), event(OK), gate]) as (_, transport):
        transport.drain = 10
        async with anyio.create_task_group() as tasks:

            async def end_later():
                await anyio.sleep(2 * http_module.DRAIN)
                gate.set()

            tasks.start_soon(end_later)
            exchange = await post(transport)
        assert (exchange.outcome, exchange.problem) == (Outcome.ANSWERED, "")


@in_loop
async def test_events_are_kept_also_those_without_data():
    async with connected([stream_head(), event("", id="0"), event(PROGRESS), event(OK, id="1", retry=9)]) as (
        _,
        transport,
    ):
        exchange = await post(transport)
        assert exchange.http.events == [Event("0", None, True), Event("0", None, False), Event("1", 9, False)]


@in_loop
async def test_a_peek_ends_when_an_event_stream_opens():
    async with connected([stream_head(), anyio.Event()]) as (_, transport):
        exchange = transport.transcript.open(Frame.sent(b"", "GET", None))
        await transport.request("GET", exchange, [], b"", peek=True)
        assert (exchange.outcome, exchange.status) == (Outcome.ACCEPTED, 200)
        assert exchange.problem == "HTTP 200 with an event stream"


@in_loop
async def test_a_peek_at_what_is_no_event_stream_reads_it():
    async with connected(http(405, b"no", "text/plain")) as (_, transport):
        exchange = transport.transcript.open(Frame.sent(b"", "GET", None))
        await transport.request("GET", exchange, [], b"", peek=True)
        assert (exchange.outcome, exchange.status, exchange.http.body) == (Outcome.REFUSED, 405, b"no")


@pytest.mark.parametrize("pieces", [[], [event(PROGRESS)], [b"data: " + OK]])
@in_loop
async def test_a_stream_that_ends_without_the_answer(pieces):
    async with connected([stream_head(), *pieces]) as (server, transport):
        exchange = await post(transport)
        assert (exchange.outcome, exchange.problem) == (Outcome.CLOSED, "the event stream ended without the answer")
        assert len(server.requests) == 1


@in_loop
async def test_a_stream_for_a_notification_is_accepted():
    async with connected([stream_head(), event(PROGRESS)]) as (_, transport):
        exchange = await post(transport, jsonrpc.notification("m"))
        assert (exchange.outcome, exchange.problem) == (Outcome.ACCEPTED, "HTTP 200 with an event stream that ended")


# -- resumption -----------------------------------------------------------------------------------------------------


def resume_headers(last_id):
    return [("Accept", "text/event-stream"), ("Last-Event-ID", last_id)]


@pytest.mark.parametrize("broken", [[stream_head()], [chunked_head()]], ids=["ended", "broken"])
@in_loop
async def test_a_stream_with_an_event_id_is_resumed(broken):
    first = event(PROGRESS, id="e1", retry=0)
    head = broken[0]
    async with connected(
        [head, chunk(first) if head == chunked_head() else first], [stream_head(), event(OK, id="e2")]
    ) as (server, transport):
        transport.resume = resume_headers
        exchange = await post(transport)
        assert exchange.outcome is Outcome.ANSWERED, exchange.problem
        assert [(r.method, r.header("last-event-id")) for r in server.requests] == [("POST", None), ("GET", "e1")]


@in_loop
async def test_the_newest_event_id_and_retry_count(monkeypatch):
    pauses = []
    monkeypatch.setattr(http_module.anyio, "sleep", _noting(pauses))
    async with connected(
        [stream_head(), event(PROGRESS, id="e1", retry=250), event(PROGRESS, id="e2")],
        [stream_head(), event(PROGRESS, id="e3", retry=500)],
        [stream_head()],
        [stream_head(), event(OK)],
    ) as (server, transport):
        transport.resume = resume_headers
        exchange = await post(transport)
        assert exchange.outcome is Outcome.ANSWERED
        assert [r.header("last-event-id") for r in server.requests] == [None, "e2", "e3", "e3"]
        assert pauses == [0.25, 0.5, 0.5]


@in_loop
async def test_without_retry_a_default_pause_is_made(monkeypatch):
    pauses = []
    monkeypatch.setattr(http_module.anyio, "sleep", _noting(pauses))
    async with connected([stream_head(), event(PROGRESS, id="e1")], [stream_head(), event(OK)]) as (_, transport):
        transport.resume = resume_headers
        await post(transport)
        assert pauses == [http_module.DEFAULT_RETRY]


def _noting(pauses):
    async def sleep(seconds):
        pauses.append(seconds)
        await anyio.lowlevel.checkpoint()

    return sleep


@in_loop
async def test_a_stream_is_resumed_only_a_few_times():
    broken = [stream_head(), event(PROGRESS, id="e1", retry=0)]
    async with connected(*[broken] * 9) as (server, transport):
        transport.resume = resume_headers
        exchange = await post(transport)
        assert exchange.outcome is Outcome.CLOSED
        assert len(server.requests) == 1 + http_module.RECONNECTS


@pytest.mark.parametrize(
    ("resume", "first"),
    [(None, event(PROGRESS, id="e1", retry=0)), (resume_headers, event(PROGRESS, retry=0))],
    ids=["not wished", "no event id"],
)
@in_loop
async def test_otherwise_a_stream_is_not_resumed(resume, first):
    async with connected([stream_head(), first], [stream_head(), event(OK)]) as (server, transport):
        transport.resume = resume
        assert (await post(transport)).outcome is Outcome.CLOSED
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (http(405), "the broken stream was not resumed: HTTP 405"),
        (json_answer(OK), "the broken stream was not resumed: HTTP 200"),
        ([], "the broken stream could not be resumed"),
    ],
)
@in_loop
async def test_a_refused_resumption_is_said_so(second, problem):
    async with connected([stream_head(), event(PROGRESS, id="e1", retry=0)], second) as (_, transport):
        transport.resume = resume_headers
        exchange = await post(transport)
        assert exchange.outcome is Outcome.CLOSED
        assert exchange.problem.startswith(problem)


# -- the standing GET stream ----------------------------------------------------------------------------------------


@in_loop
async def test_the_get_stream_delivers_and_is_resumed_with_the_last_event_id(monkeypatch):
    monkeypatch.setattr(http_module, "DEFAULT_RETRY", 0)
    server_request = jsonrpc.encode(call(5, "ping"))
    async with connected(
        [stream_head(), event(PROGRESS, id="e1", retry=0), event(b"", id="e2")],
        [stream_head(), event(server_request)],
        http(405),
    ) as (server, transport):
        await transport.stand_by(lambda last_id: [("Accept", "text/event-stream"), ("X-Last", last_id or "none")])
        assert [(f.raw, f.channel, owner) for f, owner in transport.strays] == [
            (PROGRESS, "GET", None),
            (server_request, "GET", None),
        ]
        assert [r.header("x-last") for r in server.requests[:2]] == ["none", "e2"]
        assert {r.method for r in server.requests} == {"GET"}
        assert transport.get_stream.status == 405


@pytest.mark.parametrize("reply", [http(405), http(200, b"{}", "application/json")])
@in_loop
async def test_a_server_without_a_get_stream_is_left_alone(reply):
    async with connected(reply, reply) as (server, transport):
        await transport.stand_by(lambda last_id: [])
        assert len(server.requests) == 1


@in_loop
async def test_a_get_stream_that_always_breaks_is_given_up(monkeypatch):
    monkeypatch.setattr(http_module, "DEFAULT_RETRY", 0)
    async with connected(*[[]] * 9) as (server, transport):
        await transport.stand_by(lambda last_id: [])
        assert len(server.requests) == http_module.RECONNECTS


# -- exact header bytes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "raw"),
    [
        ([("X-A", " padded ")], True),
        ([("X-A", "é")], True),
        ([("X-Ä", "a")], True),
        ([("X-A", "a\tb")], True),
        ([("X-A", "\u2028")], True),
        ([("X-A", "plain"), ("X-A", "twice")], False),
        ([("X-A", "")], False),
    ],
)
def test_only_odd_headers_need_the_raw_socket(headers, raw):
    assert needs_raw_socket(headers) is raw


@pytest.mark.parametrize(
    ("headers", "lines"),
    [
        ([("X-A", "  padded\t ")], [b"X-A:   padded\t "]),
        ([("x-a", "é"), ("X-A", "2")], [b"x-a: \xe9", b"X-A: 2"]),
        ([("X-A", "日本")], ["X-A: 日本".encode()]),
        ([("X-A", " "), ("X-A", "")], [b"X-A:  ", b"X-A: "]),
    ],
)
@in_loop
async def test_odd_headers_arrive_byte_for_byte(headers, lines):
    async with connected(json_answer(OK)) as (server, transport):
        exchange = await post(transport, headers=[*HEADERS, *headers])
        assert exchange.outcome is Outcome.ANSWERED, exchange.problem
        request = server.requests[0]
        assert [line for line in request.lines if line.lower().startswith(b"x-a")] == lines
        assert request.lines[0] == f"Host: 127.0.0.1:{server.port}".encode()
        assert request.body == exchange.request.raw
        assert exchange.http.request_headers == [*HEADERS, *headers]


@in_loop
async def test_host_and_length_are_not_added_when_given():
    body = jsonrpc.encode(call(1))
    async with connected(json_answer(OK)) as (server, transport):
        await post(transport, headers=[("HOST", " evil.example "), ("content-length", str(len(body)))])
        lines = [line for line in server.requests[0].lines if line]
        assert lines == [b"HOST:  evil.example ", b"content-length: " + str(len(body)).encode()]


ODD = [*HEADERS, ("X-A", " padded")]


@pytest.mark.parametrize(
    "pieces",
    [
        [json_answer(OK)],
        [stream_head(), event(PROGRESS), event(OK)],
        [chunked_head(), chunk(event(OK)), b"0\r\n\r\n"],
        [b"HTTP/1.1 103 Early Hints\r\n\r\n", json_answer(OK)],
        [bytes([byte]) for byte in json_answer(OK)],
    ],
    ids=["json", "stream", "chunked stream", "early hints", "byte by byte"],
)
@in_loop
async def test_answers_to_the_raw_socket_are_read_like_others(pieces):
    async with connected(pieces) as (_, transport):
        exchange = await post(transport, headers=ODD)
        assert (exchange.outcome, exchange.status, exchange.answer.raw) == (Outcome.ANSWERED, 200, OK)


@pytest.mark.parametrize(
    "pieces",
    [[], [b"nonsense\r\n\r\n"], [http(200, b"{", "application/json", length=100)]],
    ids=["nothing", "no HTTP", "half a body"],
)
@in_loop
async def test_a_broken_answer_to_the_raw_socket_is_a_failure_in_words(pieces):
    async with connected(pieces) as (_, transport):
        exchange = await post(transport, headers=ODD)
        assert exchange.outcome in (Outcome.FAILED, Outcome.CLOSED)
        assert "valid HTTP/1.1" in exchange.problem or "closed the connection" in exchange.problem


@in_loop
async def test_the_raw_socket_says_when_nobody_listens():
    async with connected() as (server, transport):
        port = server.port
    async with connected() as (_, transport):
        transport.url = f"http://127.0.0.1:{port}/mcp"
        exchange = await post(transport, headers=ODD)
        assert (exchange.outcome, exchange.problem.startswith(f"cannot connect to 127.0.0.1:{port}")) == (
            Outcome.FAILED,
            True,
        )
