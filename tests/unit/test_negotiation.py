"""How the era of a connection is found, against scripted servers."""

import anyio
import pytest
from scripted import (
    SILENT,
    Gone,
    Http,
    HttpScript,
    ScriptedTransport,
    answer,
    by_method,
    event,
    http,
    in_loop,
    json_answer,
    session_over,
    stream_head,
    until,
)

from McpLibrary.session import negotiation
from McpLibrary.session.negotiation import NegotiationFailed, negotiate
from McpLibrary.wire.http import HttpTransport
from McpLibrary.wire.transport import TransportError

MODERN, LEGACY, OLDER = "2026-07-28", "2025-11-25", "2025-06-18"

DISCOVERED = {
    "result": {
        "resultType": "complete",
        "supportedVersions": [MODERN, LEGACY],
        "capabilities": {"tools": {}},
        "instructions": "Be kind.",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "shop", "version": "1"}},
    }
}
INITIALIZED = {
    "result": {
        "protocolVersion": LEGACY, "capabilities": {"prompts": {}}, "serverInfo": {"name": "old", "version": "2"},
        "instructions": "Wait.",
    }
}  # fmt: skip
UNKNOWN = {"error": {"code": -32601, "message": "Method not found"}}


def unsupported(*supported, **data):
    return {"error": {"code": -32022, "message": "unsupported", "data": {"supported": list(supported), **data}}}


def scripted(kind="stdio", **replies):
    """A maker of scripted transports, and the list of those that were made."""
    made = []
    reply = by_method(**replies)

    def make(transcript):
        made.append(ScriptedTransport(transcript, reply, kind))
        return made[-1]

    return make, made


def sent(made):
    return [method for transport in made for method in transport.methods]


HANDSHAKE = ["initialize", "notifications/initialized"]


@in_loop
async def test_a_server_that_discovers_is_modern():
    make, made = scripted(server_discover=DISCOVERED)
    async with session_over(make) as session:
        await negotiate(session, "auto")
        assert (session.revision.name, session.modern, session.notes) == (MODERN, True, [])
        assert (session.server.info["name"], session.server.capabilities) == ("shop", {"tools": {}})
        assert (session.server.instructions, session.server.supported) == ("Be kind.", [MODERN, LEGACY])
        assert session.opening.method == "server/discover"
        assert sent(made) == ["server/discover"]
        meta = made[0].messages[0]["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == MODERN


@pytest.mark.parametrize(
    ("probe", "note"),
    [
        pytest.param(UNKNOWN, "-32601 (method not found)", id="unknown method"),
        pytest.param(
            {"error": {"code": -32602, "message": "m"}}, "-32602 (invalid params)", id="before initialization"
        ),
        pytest.param({"error": "text"}, "a result that is no DiscoverResult", id="error that is none"),
        pytest.param({"result": {}}, "a result that is no DiscoverResult", id="empty result"),
        pytest.param({"result": None}, "a result that is no DiscoverResult", id="null"),
        pytest.param(
            {"result": {"supportedVersions": [LEGACY]}}, "a result that is no DiscoverResult", id="legacy only"
        ),
        pytest.param(
            {"result": {"supportedVersions": ["2031-01-01"]}}, "a result that is no DiscoverResult", id="future only"
        ),
        pytest.param({"result": {"supportedVersions": MODERN}}, "a result that is no DiscoverResult", id="no list"),
        pytest.param(unsupported(LEGACY), "-32022 (unsupported protocol version)", id="legacy mutual"),
        pytest.param(unsupported("2031-01-01", LEGACY), "-32022", id="future and legacy"),
        pytest.param(unsupported(), "-32022", id="no supported versions"),
        pytest.param({"error": {"code": -32022, "message": "m"}}, "-32022", id="no data"),
        pytest.param(
            {"error": {"code": -32022, "message": "m", "data": {"supported": LEGACY}}}, "-32022", id="no list in data"
        ),
        pytest.param(Http(404), "HTTP 404 without a body", id="HTTP 404"),
        pytest.param(Http(400, UNKNOWN), "-32601", id="HTTP 400"),
    ],
)
@in_loop
async def test_other_answers_to_the_probe_lead_to_initialize(probe, note):
    make, made = scripted(server_discover=probe, initialize=INITIALIZED)
    async with session_over(make) as session:
        await negotiate(session, "auto")
        assert (session.revision.name, session.modern) == (LEGACY, False)
        assert sent(made) == ["server/discover", *HANDSHAKE]
        assert session.notes[0].startswith(f"server/discover: {note}")
        assert session.notes[0].endswith("; went on with initialize")
        assert (session.server.info["name"], session.server.capabilities) == ("old", {"prompts": {}})
        assert (session.server.instructions, session.server.supported) == ("Wait.", [])
        assert session.opening.method == "initialize"
        assert "_meta" not in made[0].messages[1]["params"]


@in_loop
async def test_a_mutual_modern_version_is_asked_for_again():
    make, made = scripted(server_discover=[unsupported(MODERN), DISCOVERED])
    async with session_over(make) as session:
        await negotiate(session, "auto")
        assert session.revision.name == MODERN
        assert sent(made) == ["server/discover"] * 2
        assert [m["id"] for m in made[0].messages] == [1, 2]


@in_loop
async def test_a_mutual_version_that_is_refused_again_leads_to_initialize():
    make, made = scripted(server_discover=unsupported(MODERN, LEGACY), initialize=INITIALIZED)
    async with session_over(make) as session:
        await negotiate(session, "auto")
        assert session.revision.name == LEGACY
        assert sent(made) == ["server/discover"] * 2 + HANDSHAKE


@in_loop
async def test_a_modern_server_of_other_versions_is_not_asked_to_initialize():
    make, made = scripted(server_discover=unsupported("2031-01-01"), initialize=INITIALIZED)
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed, match="speaks none of our revisions") as caught:
            await negotiate(session, "auto")
        assert caught.value.exchange.error_code == -32022
        assert sent(made) == ["server/discover"] and session.revision is None


@pytest.mark.parametrize(("kind", "cancelled"), [("stdio", True), ("memory", True), ("http", False)])
@in_loop
async def test_silence_leads_to_initialize(kind, cancelled):
    make, made = scripted(kind, server_discover=SILENT, initialize=INITIALIZED)
    async with session_over(make, timeout=0.05) as session:
        await negotiate(session, "auto")
        assert session.revision.name == LEGACY
        assert sent(made) == ["server/discover", *(["notifications/cancelled"] if cancelled else []), *HANDSHAKE]
        assert session.notes == ["server/discover: no answer within 0.05 seconds; went on with initialize"]


@in_loop
async def test_the_probe_is_not_waited_for_longer_than_its_own_limit(monkeypatch):
    monkeypatch.setattr(negotiation, "PROBE_LIMIT", 0.05)
    make, _ = scripted(server_discover=SILENT, initialize=INITIALIZED)
    async with session_over(make) as session:
        await negotiate(session, "auto")
        assert session.revision.name == LEGACY


@pytest.mark.parametrize("wish", ["auto", "modern", "legacy"])
@pytest.mark.parametrize("members", [None, {"error": {"code": -32000, "message": "Unauthorized"}}])
@in_loop
async def test_a_refused_login_is_no_verdict_about_the_era(wish, members):
    refusal = Http(401, members, [("WWW-Authenticate", 'Bearer realm="x"')])
    make, made = scripted("http", server_discover=refusal, initialize=refusal)
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed) as caught:
            await negotiate(session, wish)
        assert len(made[0].messages) == 1
        if members is None:
            assert "HTTP 401: the server wants a token (token=)" in caught.value.problem
            assert 'WWW-Authenticate: Bearer realm="x"' in caught.value.problem
        else:
            assert "Unauthorized" in caught.value.problem


@pytest.mark.parametrize(
    ("kind", "probe", "problem"),
    [
        ("http", TransportError("refused the connection"), "refused the connection"),
        ("http", Gone("closed early"), "closed early"),
        ("memory", Gone("closed early"), "closed early"),
        ("stdio", TransportError("broken pipe"), "broken pipe"),
        ("http", Http(403), "HTTP 403: the server wants a token"),
    ],
)
@in_loop
async def test_an_outage_is_no_verdict_about_the_era(kind, probe, problem):
    make, made = scripted(kind, server_discover=probe, initialize=INITIALIZED)
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed, match=problem):
            await negotiate(session, "auto")
        assert sent(made) == ["server/discover"]


@in_loop
async def test_a_process_that_died_at_the_probe_is_started_again():
    make, made = scripted(server_discover=Gone("the server process exited with code 1"), initialize=INITIALIZED)
    async with session_over(make) as session:
        await negotiate(session, "auto")
        assert [transport.methods for transport in made] == [["server/discover"], HANDSHAKE]
        assert session.transport is made[1] and session.revision.name == LEGACY
        assert made[0].closed_because
        assert session.notes == ["server/discover: the server process exited with code 1; went on with initialize"]


@in_loop
async def test_a_process_that_dies_again_is_a_failure():
    make, made = scripted(server_discover=Gone("gone"), initialize=Gone("gone again"))
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed, match="gone again"):
            await negotiate(session, "auto")
        assert len(made) == 2


# -- pinned eras ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", ["modern", MODERN])
@in_loop
async def test_a_pinned_modern_connection_never_initializes(wish):
    make, made = scripted(server_discover=DISCOVERED)
    async with session_over(make) as session:
        await negotiate(session, wish)
        assert session.revision.name == MODERN and sent(made) == ["server/discover"]


@pytest.mark.parametrize(
    ("probe", "words"),
    [(UNKNOWN, "server/discover was answered by error -32601 (method not found): Method not found"), (Gone("gone"), "gone"),
     ({"result": {}}, "the answer is no result of this method")],
)  # fmt: skip
@in_loop
async def test_a_pinned_modern_connection_says_what_came(probe, words):
    make, made = scripted(server_discover=probe, initialize=INITIALIZED)
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed) as caught:
            await negotiate(session, "modern")
        assert caught.value.problem == f"no modern connection ({MODERN}): {words}"
        assert sent(made) == ["server/discover"]


@pytest.mark.parametrize(
    ("wish", "asked"), [("legacy", LEGACY), (LEGACY, LEGACY), (OLDER, OLDER), ("2024-11-05", "2024-11-05")]
)
@in_loop
async def test_a_pinned_legacy_connection_asks_for_its_revision(wish, asked):
    make, made = scripted(initialize={"result": {**INITIALIZED["result"], "protocolVersion": asked}})
    async with session_over(make) as session:
        await negotiate(session, wish)
        assert session.revision.name == asked
        assert sent(made) == HANDSHAKE
        params = made[0].messages[0]["params"]
        assert params == {"protocolVersion": asked, "capabilities": {}, "clientInfo": session.client_info}


@in_loop
async def test_the_word_legacy_takes_any_legacy_revision():
    make, _ = scripted(initialize={"result": {**INITIALIZED["result"], "protocolVersion": OLDER}})
    async with session_over(make) as session:
        await negotiate(session, "legacy")
        assert session.revision.name == OLDER


@in_loop
async def test_a_revision_by_name_must_be_met_exactly():
    make, _ = scripted(initialize=INITIALIZED)
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed, match=f"asked for revision {OLDER}, but the server negotiated {LEGACY}"):
            await negotiate(session, OLDER)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"protocolVersion": "1999-01-01"}, 'initialize negotiated "1999-01-01", which is none of 2024-11-05'),
        ({"protocolVersion": MODERN}, f'initialize negotiated "{MODERN}", which is none of'),
        ({"protocolVersion": 7}, "initialize negotiated 7, which is none of"),
        ({}, "initialize negotiated <missing>, which is none of"),
        ("text", "initialize negotiated <missing>, which is none of"),
    ],
)
@in_loop
async def test_an_initialize_result_without_a_legacy_revision_is_a_failure(result, words):
    make, made = scripted(initialize={"result": result})
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed) as caught:
            await negotiate(session, "legacy")
        assert caught.value.problem.startswith(words)
        assert sent(made) == ["initialize"] and session.revision is None


@in_loop
async def test_members_of_a_wrong_type_are_taken_as_not_there():
    odd = {"protocolVersion": LEGACY, "capabilities": [], "serverInfo": "me", "instructions": 7}
    make, _ = scripted(initialize={"result": odd})
    async with session_over(make) as session:
        await negotiate(session, "legacy")
        assert (session.server.info, session.server.capabilities, session.server.instructions) == ({}, {}, None)


@in_loop
async def test_an_error_without_a_code_is_not_given_one():
    make, _ = scripted(server_discover={"error": {"message": "odd"}})
    async with session_over(make) as session:
        with pytest.raises(NegotiationFailed) as caught:
            await negotiate(session, "modern")
        assert "-32601" not in caught.value.problem and "odd" in caught.value.problem


# -- over HTTP ------------------------------------------------------------------------------------------------------


def members(identifier, reply):
    return json_answer(answer(identifier, **reply))


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("wish", ["auto", "modern"])
@in_loop
async def test_a_redirect_of_the_same_origin_is_followed_and_noted(status, wish):
    async with HttpScript(http(status, b"", None, "Location: /mcp/"), members(2, DISCOVERED)).serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            await negotiate(session, wish)
            assert [(r.method, r.path) for r in server.requests] == [("POST", "/mcp"), ("POST", "/mcp/")]
            assert session.transport.url == f"{server.url}/"
            assert session.notes == [f"HTTP {status}: {server.url} redirects to {server.url}/, which is used now"]


@in_loop
async def test_a_legacy_server_behind_a_redirect_is_found():
    script = HttpScript(
        http(307, b"", None, "Location: /mcp/"), members(2, UNKNOWN), members(3, INITIALIZED), http(202),
    )  # fmt: skip
    async with script.serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            await negotiate(session, "auto")
            assert session.revision.name == LEGACY
            assert [r.path for r in server.requests] == ["/mcp", "/mcp/", "/mcp/", "/mcp/"]


@in_loop
async def test_a_pinned_legacy_connection_follows_the_redirect_too():
    script = HttpScript(http(307, b"", None, "Location: /mcp/"), members(2, INITIALIZED), http(202))
    async with script.serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            await negotiate(session, "legacy")
            assert session.revision.name == LEGACY


@pytest.mark.parametrize("location", ["http://example.com/mcp", "https://127.0.0.1/mcp", "//127.0.0.2/mcp"])
@pytest.mark.parametrize("wish", ["auto", "modern"])
@in_loop
async def test_a_redirect_to_another_origin_is_refused(location, wish):
    async with HttpScript(http(307, b"", None, f"Location: {location}")).serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            with pytest.raises(
                NegotiationFailed, match=r"redirects to another origin, .*; use that URL if it is meant"
            ):
                await negotiate(session, wish)
            assert len(server.requests) == 1


@in_loop
async def test_a_redirect_to_nonsense_is_a_failure_in_words():
    async with HttpScript(http(307, b"", None, "Location: http://host:port/")).serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            caught = None
            try:
                await negotiate(session, "modern")
            except Exception as error:
                caught = error
            assert isinstance(caught, NegotiationFailed)


@pytest.mark.parametrize(("status", "kept"), [(200, "s1"), (500, None)])
@in_loop
async def test_a_session_id_counts_only_on_success(status, kept):
    script = HttpScript(
        json_answer(answer(1, **INITIALIZED), status, "Mcp-Session-Id: s1"), http(202), http(405), http(200)
    )
    async with script.serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            await negotiate(session, "legacy")
            assert session.session_id == kept
            notified = server.requests[1]
            assert notified.header("mcp-session-id") == kept
            assert notified.header("mcp-protocol-version") == LEGACY
            assert session.transport.resume("e1")[-1] == ("Last-Event-ID", "e1")


@in_loop
async def test_refused_posts_lead_to_the_old_transport():
    gate = anyio.Event()
    script = HttpScript(
        http(404), http(405),
        [stream_head(), event("/messages", name="endpoint"), gate, event(answer(3, **INITIALIZED)), anyio.Event()],
        http(202), http(202),
    )  # fmt: skip
    async with script.serving() as server, anyio.create_task_group() as tasks:

        async def answer_the_post():
            await until(lambda: len(server.requests) == 4)
            gate.set()

        tasks.start_soon(answer_the_post)
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            await negotiate(session, "auto")
            assert (session.transport.kind, session.revision.name) == ("sse", LEGACY)
            assert session.notes[-1] == "POST was refused; connected by the HTTP+SSE transport of 2024-11-05"
            assert [(r.method, r.path) for r in server.requests] == [
                ("POST", "/mcp"), ("POST", "/mcp"), ("GET", "/mcp"), ("POST", "/messages"), ("POST", "/messages"),
            ]  # fmt: skip


@in_loop
async def test_refused_posts_without_an_old_transport_are_told_by_the_body():
    async with HttpScript(http(404), http(404, b"<h1>no such page</h1>", "text/html"), http(404)).serving() as server:
        async with session_over(lambda transcript: HttpTransport(server.url, transcript)) as session:
            with pytest.raises(NegotiationFailed) as caught:
                await negotiate(session, "auto")
            assert caught.value.problem.startswith("HTTP 404 with text/html")
            assert caught.value.problem.endswith("the body begins with: <h1>no such page</h1>")
            assert session.transport.kind == "http"
