"""A session: what it builds, how it asks, walks, cancels, and what it makes of what comes late."""

import anyio
import pytest
from scripted import (
    LIMIT,
    SILENT,
    Gone,
    HttpScript,
    ScriptedStream,
    ScriptedTransport,
    answer,
    by_method,
    call,
    http,
    in_loop,
    json_answer,
    session_over,
    until,
)

from McpLibrary.session import session as session_module
from McpLibrary.session.client_side import ELICITATION, ROOTS, ClientSide
from McpLibrary.session.envelope import CAPABILITIES_KEY, CLIENT_INFO_KEY, VERSION_KEY
from McpLibrary.session.revisions import LATEST_LEGACY, LATEST_MODERN, REVISIONS
from McpLibrary.session.session import BadList, TooManyRounds, Unanswered
from McpLibrary.wire import jsonrpc
from McpLibrary.wire.frame import Frame, Outcome
from McpLibrary.wire.http import HttpTransport
from McpLibrary.wire.transport import TransportError


def over(reply, kind="stdio"):
    return lambda transcript: ScriptedTransport(transcript, reply, kind)


def nothing(message):
    return {"result": {}}


def modern(reply, kind="stdio", **more):
    return _with_revision(LATEST_MODERN, over(reply, kind), **more)


def legacy(reply, kind="stdio", **more):
    return _with_revision(LATEST_LEGACY, over(reply, kind), **more)


class _with_revision:
    def __init__(self, revision, make, **more):
        self._revision, self._open = revision, session_over(make, **more)

    async def __aenter__(self):
        session = await self._open.__aenter__()
        session.revision = self._revision
        return session

    async def __aexit__(self, *error):
        return await self._open.__aexit__(*error)


# -- building -------------------------------------------------------------------------------------------------------


@in_loop
async def test_modern_requests_carry_the_envelope_and_legacy_ones_do_not():
    async with modern(nothing) as session:
        message, headers = session.build("tools/list")
        assert message["params"]["_meta"] == {
            VERSION_KEY: "2026-07-28",
            CLIENT_INFO_KEY: session.client_info,
            CAPABILITIES_KEY: {},
        }
        assert ("Mcp-Method", "tools/list") in headers
        message, headers = session.build("tools/list", revision=LATEST_LEGACY)
        assert "params" not in message
        session.revision = LATEST_LEGACY
        assert session.build("tools/list", {"a": 1})[0]["params"] == {"a": 1}


@pytest.mark.parametrize(
    ("params", "meta"),
    [
        ({"_meta": {"own": 1}}, {"own": 1}),
        ({"_meta": {VERSION_KEY: "1999-01-01"}}, {VERSION_KEY: "1999-01-01"}),
        ({"name": "x"}, {}),
    ],
)
@in_loop
async def test_the_own_meta_of_a_request_wins(params, meta):
    async with modern(nothing) as session:
        before = jsonrpc.encode(params)
        built = session.build("m", params)[0]["params"]["_meta"]
        assert {**built, **meta} == built and CAPABILITIES_KEY in built
        assert jsonrpc.encode(params) == before


@pytest.mark.parametrize("params", [[1], None, "text", {"_meta": 7}, {"_meta": None}])
@in_loop
async def test_odd_params_go_out_as_they_are(params):
    async with modern(nothing) as session:
        built = session.build("m", params)[0]["params"]
        if params == {"_meta": None}:
            assert set(built["_meta"]) == {VERSION_KEY, CLIENT_INFO_KEY, CAPABILITIES_KEY}
        else:
            assert built == params


@in_loop
async def test_notifications_carry_no_envelope_and_no_id():
    async with modern(nothing) as session:
        message, _ = session.build("notifications/x", {"a": 1}, notification=True)
        assert message == {"jsonrpc": "2.0", "method": "notifications/x", "params": {"a": 1}}


@in_loop
async def test_ids_count_up_unless_given_null_included():
    async with legacy(nothing) as session:
        ids = [session.build("m", id=given)[0]["id"] for given in (jsonrpc.MISSING, "x", None, 1.5, jsonrpc.MISSING)]
        assert ids == [1, "x", None, 1.5, 2]


@in_loop
async def test_parts_are_left_out_and_headers_replaced():
    async with modern(nothing, headers=[("X-Mine", "1"), ("Accept", "text/html")]) as session:
        message, headers = session.build(
            "tools/list", without=["id", "clientInfo", "mcp-method"], headers=[("x-mine", "2"), ("X-Mine", "3")]
        )
        assert "id" not in message and CLIENT_INFO_KEY not in message["params"]["_meta"]
        assert headers == [
            ("Content-Type", "application/json"), ("MCP-Protocol-Version", "2026-07-28"), ("Accept", "text/html"),
            ("x-mine", "2"), ("X-Mine", "3"),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("revision", "session_id", "expected"),
    [
        (None, None, []),
        ("2025-03-26", "s", [("Mcp-Session-Id", "s")]),
        ("2025-06-18", "s", [("Mcp-Session-Id", "s"), ("MCP-Protocol-Version", "2025-06-18")]),
        ("2025-11-25", None, [("MCP-Protocol-Version", "2025-11-25")]),
    ],
)
@in_loop
async def test_the_headers_of_a_legacy_session(revision, session_id, expected):
    async with session_over(over(nothing)) as session:
        session.revision, session.session_id = REVISIONS.get(revision), session_id
        assert session.session_headers() == expected
        assert session.build("ping")[1][2:] == expected
        session.session_id = None


@in_loop
async def test_annotated_arguments_become_headers_once_the_tools_are_known():
    tools = [
        {"name": "t", "inputSchema": {"properties": {"r": {"type": "string", "x-mcp-header": "R"}}}},
        {"name": 7},
        "odd",
    ]
    async with modern(by_method(tools_list={"result": {"tools": tools}})) as session:
        params = {"name": "t", "arguments": {"r": "us"}}
        assert ("Mcp-Param-R", "us") not in session.build("tools/call", params)[1]
        assert set(await session.tool_schemas()) == {"t"}
        assert ("Mcp-Param-R", "us") in session.build("tools/call", params)[1]
        for other in ({"name": "absent", "arguments": {"r": "us"}}, {"name": ["t"]}, [1]):
            assert not [n for n, _ in session.build("tools/call", other)[1] if n.startswith("Mcp-Param")]
        await session.tool_schemas()
        assert session.transport.methods == ["tools/list"]


# -- rounds of questions --------------------------------------------------------------------------------------------


def asking(*results):
    """A server that answers one call after the other with these results."""
    remaining = list(results)
    return lambda message: {"result": remaining.pop(0) if len(remaining) > 1 else remaining[0]}


DONE = {"resultType": "complete", "content": []}


def question(state=jsonrpc.MISSING, **requests):
    asked = {"resultType": "input_required", "inputRequests": requests}
    return asked if state is jsonrpc.MISSING else {**asked, "requestState": state}


FORM = {"method": ELICITATION, "params": {"message": "How many?", "requestedSchema": {}}}


def answering(content):
    client = ClientSide()
    client.script(ELICITATION, lambda params: {"action": "accept", "content": content})
    return client


@in_loop
async def test_a_question_is_answered_by_a_retry_with_a_new_id():
    server = asking(question("st", q1=FORM, q2=FORM), DONE)
    async with modern(server, client_side=answering({"qty": 2})) as session:
        exchange = await session.ask("tools/call", {"name": "t", "arguments": {"a": 1}})
        first, second = session.transport.messages
        assert exchange.result == DONE and exchange is session.transcript.exchange(-1)
        assert (first["id"], second["id"]) == (1, 2)
        assert (second["params"]["name"], second["params"]["arguments"]) == ("t", {"a": 1})
        accepted = {"action": "accept", "content": {"qty": 2}}
        assert second["params"]["inputResponses"] == {"q1": accepted, "q2": accepted}
        assert second["params"]["_meta"][CAPABILITIES_KEY] == {"elicitation": {"form": {}, "url": {}}}
        assert "inputResponses" not in first["params"] and "requestState" not in first["params"]


@pytest.mark.parametrize("state", ["", "opaque=+/", 'quo"te\\n\n\t', "é\u2028\U0001f600", "\ud800", "x" * 10_000])
@in_loop
async def test_the_request_state_comes_back_as_it_was(state):
    async with modern(asking(question(state, q=FORM), DONE), client_side=answering({})) as session:
        await session.ask("tools/call", {"name": "t"})
        received = session.transcript.exchange(1).answer
        assert received.value["result"]["requestState"] == state
        assert session.transport.messages[1]["params"]["requestState"] == state
        assert jsonrpc.parse(session.transport.raw[1])[0]["params"]["requestState"] == state


@in_loop
async def test_each_round_has_only_its_own_state_and_answers():
    rounds = [question("one", a=FORM), question("two"), question(b=FORM), question(), DONE]
    async with modern(asking(*rounds), client_side=answering({})) as session:
        await session.ask("tools/call", {"name": "t", "requestState": "of the user", "inputResponses": {"u": 1}})
        sent = [message["params"] for message in session.transport.messages]
        assert [params.get("requestState") for params in sent] == ["of the user", "one", "two", None, None]
        assert [sorted(params.get("inputResponses", {})) for params in sent] == [["u"], ["a"], [], ["b"], []]
        assert "requestState" not in sent[3] and "inputResponses" not in sent[4]
        assert [message["id"] for message in session.transport.messages] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("cap", [0, 1, 3])
@in_loop
async def test_rounds_are_capped(cap):
    async with modern(asking(question("s", q=FORM)), client_side=answering({})) as session:
        with pytest.raises(TooManyRounds, match=f"still asked after {cap} rounds"):
            await session.ask("tools/call", {"name": "t"}, max_rounds=cap)
        assert len(session.transport.messages) == cap + 1


@pytest.mark.parametrize("item", [FORM, {"method": "roots/list"}, "text", {}, None])
@in_loop
async def test_a_question_without_a_script_is_raised(item):
    async with modern(asking(question(q=item), DONE)) as session:
        with pytest.raises(Unanswered) as caught:
            await session.ask("tools/call", {"name": "t"})
        assert caught.value.question in session.client_side.questions
        assert len(session.transport.messages) == 1


@pytest.mark.parametrize("requests", [{}, [], None, "text"])
@in_loop
async def test_a_round_without_questions_is_retried_with_the_state_alone(requests):
    async with modern(
        asking({"resultType": "input_required", "inputRequests": requests, "requestState": "s"}, DONE)
    ) as session:
        await session.ask("tools/call", {"name": "t"})
        params = session.transport.messages[1]["params"]
        assert params["requestState"] == "s" and "inputResponses" not in params


@in_loop
async def test_in_the_legacy_era_a_result_is_a_result():
    async with legacy(asking(question("s", q=FORM)), client_side=answering({})) as session:
        assert (await session.ask("tools/call", {"name": "t"})).result["resultType"] == "input_required"
        assert len(session.transport.messages) == 1


# -- lists ----------------------------------------------------------------------------------------------------------


def pages(*pages):
    remaining = list(pages)
    return lambda message: {"result": remaining.pop(0)}


@pytest.mark.parametrize(
    ("results", "items", "cursors"),
    [
        ([{"tools": [1]}], [1], [None]),
        (
            [{"tools": [1], "nextCursor": "a"}, {"tools": [2, 3], "nextCursor": "b"}, {"tools": []}],
            [1, 2, 3],
            [None, "a", "b"],
        ),
        ([{"tools": [1], "nextCursor": ""}, {"tools": [2]}], [1, 2], [None, ""]),
        ([{"tools": [1], "nextCursor": None}], [1], [None]),
        ([{"tools": [], "nextCursor": "a"}, {"tools": [2]}], [2], [None, "a"]),
    ],
)
@in_loop
async def test_all_pages_are_walked(results, items, cursors):
    async with legacy(pages(*results)) as session:
        found, exchanges = await session.walk("tools/list")
        assert found == items
        assert [m.get("params", {}).get("cursor") for m in session.transport.messages] == cursors
        assert ["cursor" in m.get("params", {}) for m in session.transport.messages] == [c is not None for c in cursors]
        assert exchanges == session.transcript.exchanges()


@pytest.mark.parametrize(
    ("method", "key"),
    [
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ],
)
@in_loop
async def test_each_list_has_its_own_key(method, key):
    async with legacy(pages({key: [1]})) as session:
        assert (await session.walk(method))[0] == [1]


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([{"tools": [], "nextCursor": "a"}, {"tools": [], "nextCursor": "a"}], "cursor 'a' came again on page 2"),
        ([{"tools": [], "nextCursor": ""}, {"tools": [], "nextCursor": ""}], "cursor '' came again on page 2"),
        (
            [{"tools": [], "nextCursor": "a"}, {"tools": [], "nextCursor": "b"}, {"tools": [], "nextCursor": "a"}],
            "cursor 'a' came again on page 3",
        ),
        ([{"tools": [], "nextCursor": 7}], "nextCursor of tools/list must be a string, got 7"),
        ([{"tools": [], "nextCursor": False}], "must be a string, got false"),
        ([{"tools": [], "nextCursor": ["a"]}], "must be a string"),
        ([{"tools": {}}], "the result of tools/list has no array 'tools'"),
        ([{}], "has no array 'tools'"),
        (["text"], "has no array 'tools'"),
        ([None], "has no array 'tools'"),
        ([{"tools": [], "nextCursor": "a"}, {}], "has no array 'tools'"),
    ],
)
@in_loop
async def test_a_list_that_cannot_be_walked_says_why(results, words):
    async with legacy(pages(*results)) as session:
        with pytest.raises(BadList) as caught:
            await session.walk("tools/list")
        assert words in str(caught.value)


def endless(message):
    number = int(message.get("params", {}).get("cursor", "0")) + 1
    return {"result": {"tools": [], "nextCursor": str(number)}}


@in_loop
async def test_pages_without_an_end_are_capped(monkeypatch):
    monkeypatch.setattr(session_module, "MAX_PAGES", 3)
    async with legacy(endless) as session:
        with pytest.raises(BadList, match="do not end"):
            await session.walk("tools/list")
        assert len(session.transport.messages) == 3


@in_loop
async def test_the_cap_of_pages_does_not_accuse_a_cursor(monkeypatch):
    monkeypatch.setattr(session_module, "MAX_PAGES", 3)
    async with legacy(endless) as session:
        with pytest.raises(BadList) as caught:
            await session.walk("tools/list")
        assert "came again" not in str(caught.value)


@in_loop
async def test_a_walk_stops_at_the_first_page_without_a_result():
    replies = [{"result": {"tools": [1], "nextCursor": "a"}}, {"error": {"code": -32602, "message": "m"}}]
    async with legacy(lambda message: replies.pop(0)) as session:
        items, exchanges = await session.walk("tools/list")
        assert items == [1] and exchanges[-1].error_code == -32602


# -- timeouts and cancelling ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "revision", "told"),
    [
        ("stdio", LATEST_LEGACY, True),
        ("stdio", LATEST_MODERN, True),
        ("stdio", None, True),
        ("memory", LATEST_MODERN, True),
        ("sse", LATEST_LEGACY, True),
        ("http", LATEST_LEGACY, True),
        ("http", LATEST_MODERN, False),
        ("http", None, False),
    ],
)
@in_loop
async def test_after_a_timeout_the_server_is_told_in_the_way_of_its_era(kind, revision, told):
    async with session_over(over(lambda message: SILENT, kind)) as session:
        session.revision = revision
        exchange = await session.request("tools/call", {"name": "t"}, timeout=0.02)
        assert (exchange.outcome, exchange.problem) == (Outcome.NO_ANSWER, "no answer within 0.02 seconds")
        rest = session.transport.messages[1:]
        wanted = {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": 1, "reason": "timeout"},
        }
        assert rest == ([wanted] if told else [])


@pytest.mark.parametrize("method", ["initialize"])
@in_loop
async def test_initialize_is_never_cancelled(method):
    async with session_over(over(lambda message: SILENT)) as session:
        await session.request(method, timeout=0.02)
        assert session.transport.methods == [method]


@in_loop
async def test_garbage_that_is_not_answered_is_not_cancelled():
    async with legacy(lambda message: SILENT) as session:
        exchange = await session.send(b"{nonsense", [], timeout=0.02)
        assert exchange.outcome is Outcome.NO_ANSWER
        assert len(session.transport.messages) == 1


@in_loop
async def test_an_interrupted_wait_is_told_and_recorded():
    async with legacy(lambda message: SILENT) as session:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.request, "tools/list")
            await until(lambda: session.transport.messages)
            tasks.cancel_scope.cancel()
        exchange = session.transcript.exchange(1)
        assert (exchange.outcome, exchange.problem) == (Outcome.NO_ANSWER, "the wait was interrupted")
        assert session.transport.messages[1]["params"] == {"requestId": 1, "reason": "interrupted"}


@pytest.mark.parametrize("identifier", [7, "7"])
@pytest.mark.parametrize(
    ("kind", "revision"),
    [("stdio", LATEST_LEGACY), ("stdio", LATEST_MODERN), ("http", LATEST_LEGACY), ("memory", LATEST_MODERN)],
)
@in_loop
async def test_cancelling_sends_a_notification(kind, revision, identifier):
    async with session_over(over(lambda message: SILENT, kind)) as session:
        session.revision = revision
        await session.cancel(identifier)
        await session.cancel(identifier, "enough")
        assert [m["params"] for m in session.transport.messages] == [
            {"requestId": identifier},
            {"requestId": identifier, "reason": "enough"},
        ]
        assert session.transport.methods == ["notifications/cancelled"] * 2


@in_loop
async def test_over_modern_http_cancelling_closes_the_stream_of_that_id_alone():
    async with modern(lambda message: SILENT, "http") as session:
        async with anyio.create_task_group() as tasks:
            for identifier in (7, "7"):
                tasks.start_soon(lambda identifier=identifier: session.request("tools/call", id=identifier))
            await until(lambda: len(session.transport.messages) == 2)
            await session.cancel("7")
            by_id = {jsonrpc.id_key(e.id): e for e in session.transcript.exchanges()}
            text, number = by_id["str", "7"], by_id["int", 7]
            assert (text.outcome, text.problem) == (Outcome.NO_ANSWER, "we closed its stream")
            assert number.outcome is Outcome.OPEN
            await session.cancel(99)
            await session.cancel(7)
        assert number.outcome is Outcome.NO_ANSWER
        assert session.transport.methods == ["tools/call"] * 2


@in_loop
async def test_hanging_up_ends_a_legacy_request_and_tells_nobody():
    async with session_over(over(lambda message: SILENT, "http")) as session:
        session.revision = LATEST_LEGACY
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: session.request("tools/call", id=7))
            await until(lambda: session.in_flight(7))
            exchange = session.in_flight(7)
            session.hang_up(8)
            assert exchange.outcome is Outcome.OPEN and session.in_flight("7") is None
            session.hang_up(7)
        assert (exchange.outcome, exchange.problem) == (Outcome.NO_ANSWER, "we closed its stream")
        assert session.in_flight(7) is None
        assert session.transport.methods == ["tools/call"]


@in_loop
async def test_a_timeout_on_a_closed_connection_tells_nobody():
    async with legacy(lambda message: Gone()) as session:
        assert (await session.request("tools/list")).outcome is Outcome.CLOSED
        assert session.transport.methods == ["tools/list"]


@in_loop
async def test_a_late_answer_belongs_to_nobody_and_harms_nobody():
    async with session_over(ScriptedStream) as session:
        session.revision = LATEST_LEGACY
        late = await session.request("tools/list", timeout=0.02)
        assert late.outcome is Outcome.NO_ANSWER

        def both(stream, message):
            if message.get("method") == "ping":
                stream.says(answer(1, result={"late": True}))
                stream.says(answer(2, result={"late": False}))

        session.transport.on_write = both
        exchange = await session.request("ping")
        assert exchange.result == {"late": False}
        assert late.answer is None
        assert {"late": True} in [f.member("result") for f in session.transcript.frames() if f.direction == "received"]


# -- what may rightly get no answer ---------------------------------------------------------------------------------


def quiet_session(says_to_garbage=None, *, deaf=False, revision=LATEST_LEGACY):
    """A session with a server that answers requests, and garbage by these bytes or not at all."""

    def on_write(stream, message):
        if not isinstance(message, dict) or "method" not in message:
            if says_to_garbage:
                stream.says(says_to_garbage)
        elif "id" in message and not deaf:
            stream.says(answer(message["id"]))

    return _with_revision(revision, lambda transcript: ScriptedStream(transcript, on_write))


@in_loop
async def test_silence_is_over_once_later_requests_were_answered():
    async with quiet_session() as session:
        exchange = await session.send_quietly(b"garbage", [], silence=3 * LIMIT)
        assert (exchange.outcome, exchange.answer) == (Outcome.NO_ANSWER, None)
        assert [m.get("method") for m in session.transport.messages if isinstance(m, dict)] == ["ping", "ping"]


@in_loop
async def test_an_answer_to_garbage_is_not_missed():
    async with quiet_session(answer(None, error={"code": -32700, "message": "no"})) as session:
        exchange = await session.send_quietly(b"garbage", [], silence=3 * LIMIT)
        assert exchange.error_code == -32700


@in_loop
async def test_silence_is_bounded():
    async with quiet_session(deaf=True) as session:
        exchange = await session.send_quietly(b"garbage", [], silence=0.05)
        assert exchange.outcome is Outcome.NO_ANSWER
        assert "within 0.05 seconds" in exchange.problem


@in_loop
async def test_the_answer_to_a_notification_is_found_and_probes_are_not_taken_for_it():
    async with quiet_session() as session:
        assert await session.answer_to_quiet(since=session.transcript.seen, silence=3 * LIMIT) is None
        mark = session.transcript.seen
        session.transport.says(answer(None))
        assert (await session.answer_to_quiet(since=mark, silence=3 * LIMIT)).kind == "result"


@in_loop
async def test_over_http_an_answer_is_waited_for():
    async with modern(nothing, "http") as session:
        exchange = await session.send_quietly(b"{}", [], value={"id": 1}, silence=0.01)
        assert exchange.outcome is Outcome.ANSWERED
        assert len(session.transport.messages) == 1


# -- what the server sends by itself --------------------------------------------------------------------------------


def stream_session(**more):
    return session_over(ScriptedStream, **more)


@in_loop
async def test_requests_of_a_legacy_server_are_answered_with_their_id():
    client = ClientSide()
    client.script(ROOTS, lambda params: {"roots": []})
    async with stream_session(client_side=client) as session:
        session.revision = LATEST_LEGACY
        for identifier, method in ((5, ROOTS), ("x", "ping"), (0, "nope")):
            session.transport.says(jsonrpc.encode(call(identifier, method)))
        await until(lambda: len(session.transport.written) == 3)
        answers = {jsonrpc.id_key(m["id"]): m for m in session.transport.messages}
        assert answers["int", 5]["result"] == {"roots": []}
        assert answers["str", "x"]["result"] == {}
        assert answers["int", 0]["error"]["code"] == -32601


@in_loop
async def test_requests_of_a_modern_server_get_no_answer():
    async with stream_session() as session:
        session.revision = LATEST_MODERN
        session.transport.says(jsonrpc.encode(call(5, "ping")))
        await anyio.wait_all_tasks_blocked()
        assert session.transport.written == []


async def survives(session):
    """Whether the session still stands once the server's question was dealt with."""
    with anyio.move_on_after(0.5):
        await until(lambda: session.transport.written or session.transport.closed_because)
    return not session.transport.closed_because


@pytest.mark.parametrize("method", [["ping"], {"a": 1}])
@in_loop
async def test_a_request_whose_method_is_no_text_does_not_end_the_session(method):
    async with stream_session() as session:
        session.revision = LATEST_LEGACY
        session.transport.says(jsonrpc.encode({"jsonrpc": "2.0", "id": 1, "method": method}))
        assert await survives(session)


@in_loop
async def test_an_answer_that_cannot_be_made_does_not_end_the_session():
    client = ClientSide()
    client.script(ELICITATION, lambda params: params["requestedSchema"]["enum"][0])
    async with stream_session(client_side=client) as session:
        session.revision = LATEST_LEGACY
        session.transport.says(jsonrpc.encode(call(1, ELICITATION, message="m")))
        assert await survives(session)


@in_loop
async def test_a_changed_list_of_tools_is_listed_again():
    async with stream_session() as session:
        session.remember_tools([{"name": "t", "inputSchema": {}}])
        session.transport.says(jsonrpc.encode(jsonrpc.notification("notifications/prompts/list_changed")))
        assert session.schemas == {"t": {}}
        session.transport.says(jsonrpc.encode(jsonrpc.notification("notifications/tools/list_changed")))
        assert session.schemas is None


def note(text):
    return jsonrpc.encode(jsonrpc.notification(text))


@in_loop
async def test_a_wanted_frame_is_found_before_and_after_it_came():
    async with stream_session() as session:
        session.transport.says(note("one"))
        found = await session.wait_for_frame(lambda frame: frame.method == "one")
        mark = session.transcript.position(found)
        async with anyio.create_task_group() as tasks:
            later = []

            async def wait():
                later.append(await session.wait_for_frame(lambda frame: True, since=mark))

            tasks.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            assert later == []
            session.transport.says(note("two"))
        assert later[0].method == "two"


@in_loop
async def test_a_frame_that_does_not_come_is_waited_for_in_bounds():
    async with stream_session() as session:
        await session.notify("notifications/mine")
        assert await session.wait_for_frame(lambda frame: True, timeout=0.02) is None
        session.transport.fail_pending("gone")
        assert await session.wait_for_frame(lambda frame: True, timeout=LIMIT * 2) is None


# -- life cycle -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "text"), [(TransportError("no such command"), "no such command"), (ValueError("odd"), "ValueError: odd")]
)
@in_loop
async def test_a_transport_that_cannot_be_opened_says_why(error, text):
    class Unopenable(ScriptedTransport):
        async def open(self, tasks):
            raise error

    with pytest.RaisesGroup(pytest.RaisesExc(TransportError, match=f"^{text}$")):
        async with session_over(lambda transcript: Unopenable(transcript, nothing)):
            pass


@in_loop
async def test_only_http_has_http_requests():
    async with legacy(nothing) as session:
        with pytest.raises(TransportError, match="this connection is stdio; only Streamable HTTP has HTTP requests"):
            await session.http("GET")


@in_loop
async def test_http_requests_carry_the_session_unless_told_otherwise():
    async with HttpScript(http(405), json_answer(b"{}"), http(200)).serving() as server:
        async with session_over(
            lambda transcript: HttpTransport(server.url, transcript), headers=[("X-Mine", "1")]
        ) as session:
            session.revision, session.session_id = LATEST_LEGACY, "s1"
            exchange = await session.http("GET", [("Accept", "text/event-stream")])
            assert (exchange.status, exchange.http.method, exchange.outcome) == (405, "GET", Outcome.REFUSED)
            await session.http("PUT", [("X-Only", "1")], b"body", only=True)
        first, second, last = server.requests
        assert (first.header("mcp-session-id"), first.header("x-mine"), first.header("accept")) == (
            "s1",
            "1",
            "text/event-stream",
        )
        assert (second.header("mcp-session-id"), second.header("x-mine"), second.body) == (None, None, b"body")
        assert (last.method, last.header("mcp-session-id")) == ("DELETE", "s1")


@in_loop
async def test_an_http_request_without_an_end_is_bounded():
    async with HttpScript([b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", anyio.Event()]).serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            exchange = await session.http("GET", timeout=0.05)
            assert (exchange.outcome, exchange.problem) == (Outcome.NO_ANSWER, "no complete answer within 0.05 seconds")


@in_loop
async def test_without_a_session_nothing_is_deleted():
    async with HttpScript().serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)):
            pass
        assert server.requests == []


@in_loop
async def test_a_reopened_session_keeps_its_transcript_and_counts_on():
    async with legacy(nothing) as session:
        await session.request("ping")
        old = session.transport
        await session.reopen()
        assert session.transport is not old and old.closed_because
        await session.request("ping")
        assert [e.id for e in session.transcript.exchanges()] == [1, 2]
        session.transport.sink(Frame.received(note("x"), "stdout"), None)
