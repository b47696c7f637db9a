"""Which answer belongs to which request on a shared stream."""

from contextlib import asynccontextmanager

import anyio
import pytest
from scripted import ScriptedStream, answer, call, in_loop, until

from McpLibrary.wire import jsonrpc
from McpLibrary.wire.frame import Exchange, Frame, Outcome, progress_token
from McpLibrary.wire.transcript import Transcript


class Asking:
    """Requests in flight over a scripted stream."""

    def __init__(self, tasks) -> None:
        self.stream = ScriptedStream(Transcript())
        self._tasks = tasks

    def _open(self, message) -> Exchange:
        raw = message if isinstance(message, bytes) else jsonrpc.encode(message)
        return self.stream.transcript.open(Frame.sent(raw, "stdin"))

    async def start(self, message) -> Exchange:
        exchange = self._open(message)
        before = len(self.stream.written)
        self._tasks.start_soon(self._perform, exchange)
        await until(lambda: len(self.stream.written) > before)
        return exchange

    async def _perform(self, exchange, wait=True) -> None:
        await self.stream.exchange(exchange, [], wait=wait)

    async def finished(self, *exchanges: Exchange) -> None:
        await until(lambda: all(exchange.outcome is not Outcome.OPEN for exchange in exchanges))
        await until(lambda: not self.in_flight.intersection(map(id, exchanges)))

    @property
    def in_flight(self) -> set[int]:
        waiting = [*self.stream._pending.values(), self.stream._unanswerable]
        return {id(exchange) for entries in waiting for exchange, _ in entries}

    @property
    def empty(self) -> bool:
        return not self.stream._pending and not self.stream._unanswerable


@asynccontextmanager
async def asking():
    async with anyio.create_task_group() as tasks:
        yield Asking(tasks)
        tasks.cancel_scope.cancel()


@in_loop
async def test_answers_find_their_requests_in_any_order():
    async with asking() as a:
        one, two, three = [await a.start(call(number)) for number in (1, 2, 3)]
        for number in (3, 1, 2):
            a.stream.says(answer(number, result={"n": number}))
        await a.finished(one, two, three)
        assert [e.result["n"] for e in (one, two, three)] == [1, 2, 3]
        assert {e.outcome for e in (one, two, three)} == {Outcome.ANSWERED}
        assert a.empty and not a.stream.strays


@in_loop
async def test_ids_are_paired_by_their_json_type():
    async with asking() as a:
        number, text = await a.start(call(7)), await a.start(call("7"))
        a.stream.says(answer("7", result={"is": "text"}))
        await a.finished(text)
        assert number.outcome is Outcome.OPEN
        a.stream.says(answer(7, result={"is": "number"}))
        await a.finished(number)
        assert (number.result["is"], text.result["is"]) == ("number", "text")


@pytest.mark.parametrize("wrong", ["7", 7.0, True, [7]])
@in_loop
async def test_an_answer_with_the_id_in_another_type_is_a_stray(wrong):
    async with asking() as a:
        exchange = await a.start(call(7 if wrong is not True else 1))
        a.stream.says(answer(wrong))
        assert exchange.outcome is Outcome.OPEN
        assert [frame.value["id"] for frame, _ in a.stream.strays] == [wrong]


@in_loop
async def test_requests_with_the_same_id_are_answered_in_their_order():
    async with asking() as a:
        first, second = await a.start(call(1)), await a.start(call(1))
        a.stream.says(answer(1, result={"n": 1}))
        a.stream.says(answer(1, result={"n": 2}))
        await a.finished(first, second)
        assert (first.result["n"], second.result["n"]) == (1, 2)
        assert a.empty and not a.stream.strays


@pytest.mark.parametrize(
    "message",
    [
        call(None),
        b"{nonsense",
        b"[]",
        b'[{"jsonrpc":"2.0","id":1,"method":"m"}]',
        b"7",
        call(1.5),
        call(True),
        call({"a": 1}),
    ],
)
@pytest.mark.parametrize(
    "said",
    [
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}',
        b'{"jsonrpc":"2.0","error":{"code":-32600}}',
    ],
)
@in_loop
async def test_an_error_that_names_no_request_answers_what_has_no_id(message, said):
    async with asking() as a:
        healthy, odd = await a.start(call(1)), await a.start(message)
        a.stream.says(said)
        await a.finished(odd)
        assert odd.answer.raw == said
        assert healthy.outcome is Outcome.OPEN
        assert not a.stream.strays


@in_loop
async def test_an_odd_id_that_comes_back_as_it_was_is_an_answer():
    async with asking() as a:
        odd = await a.start(call(1.5))
        a.stream.says(answer(1.5))
        await a.finished(odd)
        assert odd.outcome is Outcome.ANSWERED


@in_loop
async def test_a_batch_answers_a_batch():
    async with asking() as a:
        batch = await a.start(jsonrpc.encode([call(1), call(2)]))
        a.stream.says(b"[" + answer(1) + b"," + answer(2) + b"]")
        await a.finished(batch)
        assert batch.answer.kind == "batch" and a.empty


@in_loop
async def test_two_batches_that_come_at_once_answer_two_batches():
    async with asking() as a:
        first, second = await a.start(jsonrpc.encode([call(1)])), await a.start(jsonrpc.encode([call(2)]))
        a.stream.says(b"[" + answer(1) + b"]")
        a.stream.says(b"[" + answer(2) + b"]")
        assert (first.outcome, second.outcome) == (Outcome.ANSWERED, Outcome.ANSWERED)


@in_loop
async def test_an_error_without_an_id_answers_the_only_request_in_flight():
    async with asking() as a:
        only = await a.start(call(1))
        a.stream.says(answer(None, error={"code": -32600, "message": "m"}))
        await a.finished(only)
        assert only.error_code == -32600


@pytest.mark.parametrize("members", [{"error": {"code": -32600}}, {"result": {}}])
@in_loop
async def test_with_several_requests_in_flight_an_answer_without_an_id_is_a_stray(members):
    async with asking() as a:
        exchanges = [await a.start(call(1)), await a.start(call(2))]
        a.stream.says(answer(None, **members))
        assert {e.outcome for e in exchanges} == {Outcome.OPEN}
        assert len(a.stream.strays) == 1


@in_loop
async def test_a_result_without_an_id_is_a_stray_even_with_one_request_in_flight():
    async with asking() as a:
        only = await a.start(call(1))
        a.stream.says(b'{"jsonrpc":"2.0","result":{}}')
        assert only.outcome is Outcome.OPEN and len(a.stream.strays) == 1


@in_loop
async def test_a_stray_answer_is_recorded_and_reported():
    async with asking() as a:
        exchange = await a.start(call(1))
        a.stream.says(answer(99))
        frame, owner = a.stream.strays[0]
        assert (frame.value["id"], owner) == (99, None)
        assert frame in a.stream.transcript.frames()
        assert exchange.outcome is Outcome.OPEN and not exchange.between


@in_loop
async def test_a_second_answer_is_kept_beside_the_first():
    async with asking() as a:
        exchange = await a.start(call(1))
        a.stream.says(answer(1, result={"n": 1}))
        await a.finished(exchange)
        a.stream.says(answer(1, result={"n": 2}))
        assert exchange.result["n"] == 1
        assert [frame.value["result"]["n"] for frame in exchange.more_answers] == [2]
        assert len(a.stream.strays) == 1


@in_loop
async def test_a_second_answer_that_comes_at_once_is_kept_too():
    async with asking() as a:
        exchange = await a.start(call(1))
        a.stream.says(answer(1))
        a.stream.says(answer(1))
        await a.finished(exchange)
        assert len(exchange.more_answers) == 1


@pytest.mark.parametrize("wrong", [True, 1.0])
@in_loop
async def test_a_second_answer_is_told_by_the_json_type_of_its_id(wrong):
    async with asking() as a:
        exchange = await a.start(call(1))
        a.stream.says(answer(1))
        await a.finished(exchange)
        a.stream.says(answer(wrong))
        assert not exchange.more_answers


@pytest.mark.parametrize("answered", [True, False])
@in_loop
async def test_an_answer_to_an_earlier_request_is_not_the_answer_to_garbage(answered):
    async with asking() as a:
        earlier = a._open(call(1))
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(a._perform, earlier)
                await until(lambda: a.stream.written)
                if answered:
                    a.stream.says(answer(1))
                    await a.finished(earlier)
                scope.cancel()
        garbage = await a.start(b"{nonsense")
        a.stream.says(answer(1))
        assert garbage.outcome is Outcome.OPEN


def notification(**params) -> bytes:
    return jsonrpc.encode(jsonrpc.notification("notifications/progress", params))


@in_loop
async def test_what_comes_while_one_request_is_in_flight_belongs_to_it():
    async with asking() as a:
        exchange = await a.start(call(1))
        a.stream.says(notification(progress=1))
        a.stream.says(jsonrpc.encode(call(5, "ping")))
        a.stream.says(b"nonsense")
        assert [frame.kind for frame in exchange.between] == ["notification", "request", "garbage"]
        assert [owner for _, owner in a.stream.strays] == [exchange] * 3


@pytest.mark.parametrize(("token", "owner"), [("a", 0), (2, 1), ("2", None), ("c", None), (None, None)])
@in_loop
async def test_progress_belongs_to_the_request_with_its_token(token, owner):
    async with asking() as a:
        exchanges = [
            await a.start(call(1, _meta={"progressToken": "a"})),
            await a.start(call(2, _meta={"progressToken": 2})),
            await a.start(call(3)),
        ]
        a.stream.says(notification(progress=1, **({} if token is None else {"progressToken": token})))
        found = a.stream.strays[0][1]
        assert found is (None if owner is None else exchanges[owner])
        assert [len(e.between) for e in exchanges] == [int(owner == index) for index in range(3)]


@in_loop
async def test_progress_tokens_are_told_by_their_json_type():
    async with asking() as a:
        await a.start(call(1, _meta={"progressToken": 1}))
        await a.start(call(2, _meta={"progressToken": "b"}))
        a.stream.says(notification(progress=1, progressToken=True))
        assert a.stream.strays[0][1] is None


@pytest.mark.parametrize(
    ("message", "token"),
    [
        ({"params": {"_meta": {"progressToken": 0}}}, 0),
        ({"params": {"_meta": {}}}, jsonrpc.MISSING),
        ({"params": {"_meta": []}}, jsonrpc.MISSING),
        ({"params": []}, jsonrpc.MISSING),
        ([], jsonrpc.MISSING),
    ],
)
def test_the_progress_token_of_a_message(message, token):
    assert progress_token(message) == token


@in_loop
async def test_the_end_of_the_stream_ends_all_that_is_in_flight():
    async with asking() as a:
        exchanges = [await a.start(message) for message in (call(1), call(1), call("x"), b"{")]
        a.stream.fail_pending("the stream ended")
        a.stream.fail_pending("and again")
        await a.finished(*exchanges)
        assert {(e.outcome, e.problem) for e in exchanges} == {(Outcome.CLOSED, "the stream ended")}
        assert a.empty
        late = a._open(call(9))
        await a._perform(late)
        assert (late.outcome, late.problem) == (Outcome.CLOSED, "the stream ended")
        assert len(a.stream.written) == len(exchanges)


@in_loop
async def test_what_cannot_be_written_fails_and_leaves_nothing():
    async with asking() as a:
        a.stream.broken = "the pipe is broken"
        for wait in (True, False):
            exchange = a._open(call(1))
            await a._perform(exchange, wait)
            assert (exchange.outcome, exchange.problem) == (Outcome.FAILED, "the pipe is broken")
        assert a.empty


@in_loop
async def test_a_message_without_a_wait_is_sent_and_not_in_the_table():
    async with asking() as a:
        exchange = a._open(call(1))
        await a._perform(exchange, wait=False)
        assert exchange.outcome is Outcome.SENT and a.empty
        a.stream.says(answer(1))
        assert exchange.answer is None and len(a.stream.strays) == 1


@pytest.mark.parametrize("message", [call(1), call(None), b"{"])
@in_loop
async def test_cancelling_the_wait_frees_the_table(message):
    async with asking() as a:
        other = await a.start(call(2))
        exchange = a._open(message)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(a._perform, exchange)
            await until(lambda: len(a.stream.written) == 2)
            tasks.cancel_scope.cancel()
        assert a.in_flight == {id(other)}


@in_loop
async def test_after_a_cancelled_wait_the_same_id_can_be_used_again():
    async with asking() as a:
        first = a._open(call(1))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(a._perform, first)
            await until(lambda: a.stream.written)
            tasks.cancel_scope.cancel()
        second = await a.start(call(1))
        a.stream.says(answer(1))
        await a.finished(second)
        assert second.outcome is Outcome.ANSWERED and first.answer is None
