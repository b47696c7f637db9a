"""HTTP+SSE of 2024-11-05: the endpoint event, and answers that come by the standing stream."""

from contextlib import asynccontextmanager

import anyio
import pytest
from scripted import HttpScript, answer, call, event, http, in_loop, json_answer, stream_head, until

from McpLibrary.wire import jsonrpc
from McpLibrary.wire import sse as sse_module
from McpLibrary.wire.frame import Frame, Outcome
from McpLibrary.wire.sse import SseTransport
from McpLibrary.wire.transcript import Transcript
from McpLibrary.wire.transport import TransportError

ENDPOINT = event("/messages?session=1", name="endpoint")


@asynccontextmanager
async def connected(*answers, **options):
    async with HttpScript(*answers).serving() as server, anyio.create_task_group() as tasks:
        transport = SseTransport(server.url, Transcript(), **options)
        try:
            await transport.open(tasks)
            yield server, transport
        finally:
            tasks.cancel_scope.cancel()
            await transport.close()


async def refusal(*answers):
    """Why the transport to this script cannot be opened."""
    async with HttpScript(*answers).serving() as server:
        transport = SseTransport(server.url, Transcript())
        try:
            async with anyio.create_task_group() as tasks:
                try:
                    await transport.open(tasks)
                except TransportError as error:
                    return str(error)
                finally:
                    tasks.cancel_scope.cancel()
        finally:
            await transport.close()
    return None


async def post(transport, message):
    exchange = transport.transcript.open(Frame.sent(jsonrpc.encode(message), "POST"))
    await transport.exchange(exchange, [("X-One", "1")], wait=True)
    return exchange


@in_loop
async def test_messages_are_posted_to_the_endpoint_and_answered_by_the_stream():
    gate = anyio.Event()
    async with connected(
        [stream_head(), ENDPOINT, gate, event(answer(1, result={"n": 1})), anyio.Event()], http(202),
        headers=[("Authorization", "Bearer t")],
    ) as (server, transport):  # fmt: skip
        assert transport.endpoint == f"{server.origin}/messages?session=1"
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_set_after_post, server, gate)
            exchange = await post(transport, call(1))
        assert (exchange.outcome, exchange.result) == (Outcome.ANSWERED, {"n": 1})
        get, sent = server.requests
        assert (get.method, get.path, get.header("authorization")) == ("GET", "/mcp", "Bearer t")
        assert (get.header("accept"), get.header("accept-encoding")) == ("text/event-stream", "identity")
        assert (sent.path, sent.header("x-one"), sent.body) == ("/messages?session=1", "1", exchange.request.raw)


async def _set_after_post(server, gate):
    await until(lambda: len(server.requests) == 2)
    gate.set()


@pytest.mark.parametrize("endpoint", ["/m", "m?s=1", "?s=1"])
@in_loop
async def test_an_endpoint_of_the_same_origin_is_taken(endpoint):
    async with connected([stream_head(), event(endpoint, name="endpoint"), anyio.Event()]) as (server, transport):
        assert transport.endpoint.startswith(server.origin)


@pytest.mark.parametrize(
    "endpoint", ["http://127.0.0.2/m", "https://127.0.0.1/m", "//example.com/m", "http://127.0.0.1:1/m"]
)
@in_loop
async def test_an_endpoint_of_another_origin_is_refused(endpoint):
    text = await refusal([stream_head(), event(endpoint, name="endpoint"), anyio.Event()])
    assert "names another origin" in text and text.endswith(": refused")


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (http(404), "answered HTTP 404, not an event stream"),
        (json_answer(b"{}"), "gave no event stream"),
        ([stream_head()], "no 'endpoint' event came"),
        ([], "the server closed the connection"),
    ],
)
@in_loop
async def test_a_server_that_is_none_is_said_so(reply, text):
    assert text in await refusal(reply)


@in_loop
async def test_an_endpoint_that_never_comes_is_waited_for_in_bounds(monkeypatch):
    monkeypatch.setattr(sse_module, "ENDPOINT_LIMIT", 0.05)
    text = await refusal([stream_head(), b": nothing\n\n", anyio.Event()])
    assert text.startswith("no 'endpoint' event came within 0.05 seconds")


@in_loop
async def test_an_endpoint_that_is_no_url_is_a_failure_in_words():
    assert await refusal([stream_head(), event("http://host:port/", name="endpoint"), anyio.Event()])


@in_loop
async def test_a_refused_post_fails_the_request():
    async with connected([stream_head(), ENDPOINT, anyio.Event()], http(400, b"bad")) as (_, transport):
        exchange = await post(transport, call(1))
        assert exchange.outcome is Outcome.FAILED
        assert exchange.problem.endswith("answered HTTP 400")


@in_loop
async def test_the_end_of_the_stream_ends_what_is_in_flight():
    gate = anyio.Event()
    async with connected([stream_head(), ENDPOINT, gate], http(202)) as (server, transport):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_set_after_post, server, gate)
            exchange = await post(transport, call(1))
        assert (exchange.outcome, exchange.problem) == (Outcome.CLOSED, "the event stream ended")


@in_loop
async def test_a_message_above_the_ceiling_is_not_read_on():
    said = event(answer(1, result={"text": "x" * 5000}))
    async with connected([stream_head(), ENDPOINT, said, anyio.Event()], byte_ceiling=1000) as (_, transport):
        await until(lambda: transport.closed_because or transport.transcript.seen)
        assert transport.closed_because and "1000 bytes" in transport.closed_because
