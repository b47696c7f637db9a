"""The scripted server over Streamable HTTP: which requests are let in, sessions, and how answers travel."""

from __future__ import annotations

import asyncio
import secrets
import sys
from typing import Any
from urllib.parse import urlsplit

from faults.core import Server
from faults.envelope import era_of, parse
from faults.headers import Headers
from faults.http_bytes import Incoming, Refused, Wire, read_request
from faults.http_exchange import Exchange, Swap, replay
from faults.messages import (
    INVALID_REQUEST,
    LATEST_LEGACY,
    LEGACY,
    LEGACY_VERSIONS,
    MODERN,
    MODERN_VERSION,
    ROOTS_REQUEST,
    UNSUPPORTED_VERSION,
    Answer,
    Context,
    HangUp,
    Message,
    RpcError,
    Session,
)
from faults.replies import encode

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLL_SECONDS = 0.05
JSON_TYPE, EVENT_TYPE, TEXT_TYPE, HTML_TYPE = (
    "application/json",
    "text/event-stream",
    "text/plain",
    "text/html",
)


async def serve(server: Server, port: int) -> None:
    """Listen on loopback until the process is ended."""
    endpoint = Endpoint(server)
    host = "0.0.0.0" if server.faulty("listens-everywhere") else "127.0.0.1"
    listener = await asyncio.start_server(endpoint.connection, host, port)
    port = listener.sockets[0].getsockname()[1]
    print(f"Listening on http://127.0.0.1:{port}{PATH}", file=sys.stderr, flush=True)
    await listener.serve_forever()


class _Refusal(Exception):
    """A request that is refused before its message is looked at."""

    def __init__(self, status: int, text: str, allow: str = "") -> None:
        super().__init__(text)
        self.status, self.text, self.allow = status, text, allow


class Endpoint:
    """All connections and all legacy sessions."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.sessions: dict[str, Session] = {}
        self.background: set[asyncio.Task[Answer]] = set()
        self.open: list[Exchange] = []
        """The exchanges that are being answered."""
        self.swapped = Swap()
        self.sent_before: list[bytes] = []
        """What came on event streams that cannot be resumed."""

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(reader, writer)
        try:
            while incoming := await read_request(reader, writer, self.server.faulty):
                await self._exchange(incoming, wire)
                if (incoming.headers.get("Connection") or "").lower() == "close" or wire.broken:
                    break
        except Refused as refused:
            await wire.respond(refused.status, [("Connection", "close")], TEXT_TYPE, str(refused).encode())
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, HangUp):
            pass
        finally:
            writer.close()

    async def _exchange(self, incoming: Incoming, wire: Wire) -> None:
        try:
            self._check_entrance(incoming)
            if incoming.verb == "POST":
                await self._post(incoming, wire)
            elif incoming.verb == "GET":
                await self._get(incoming, wire)
            else:
                await self._delete(incoming, wire)
        except _Refusal as refusal:
            allow = [("Allow", refusal.allow)] if refusal.allow else []
            await wire.respond(refusal.status, allow, TEXT_TYPE, refusal.text.encode())

    def _check_entrance(self, incoming: Incoming) -> None:
        faulty, headers = self.server.faulty, incoming.headers
        if urlsplit(incoming.target).path != PATH:
            raise _Refusal(404, "Not Found")
        host = urlsplit(f"//{headers.get('Host') or ''}").hostname
        if host not in LOOPBACK and not faulty("host-not-checked"):
            raise _Refusal(403, "Foreign Host")
        if not all(self._origin_is_allowed(origin, incoming.verb) for origin in headers.all("Origin")):
            raise _Refusal(403, "Foreign Origin")
        if not headers.all("Origin") and faulty("origin-demanded"):
            raise _Refusal(403, "No Origin")
        if incoming.verb == "POST" and faulty("post-refused"):
            raise _Refusal(405, "Method Not Allowed", allow="GET")
        if incoming.verb not in ("POST", "GET", "DELETE") and faulty("any-method-served"):
            raise _Refusal(200, "Fine")
        if incoming.verb not in ("POST", "GET", "DELETE"):
            raise _Refusal(405, "Method Not Allowed", allow=self._allowed(headers))

    def _origin_is_allowed(self, origin: str, verb: str) -> bool:
        faulty = self.server.faulty
        if faulty("origin-not-checked") or (verb != "POST" and faulty("origin-checked-on-post-only")):
            return True
        if origin == "null" and faulty("origin-null-accepted"):
            return True
        if faulty("origin-substring-checked") and "localhost" in origin:
            return True
        return _host_of(origin) in LOOPBACK and not faulty("own-origin-refused")

    def _is_modern(self, headers: Headers) -> bool:
        if self.server.eras != "both":
            return self.server.eras == MODERN
        return headers.get("MCP-Protocol-Version") == MODERN_VERSION

    def _allowed(self, headers: Headers) -> str:
        return "POST" if self._is_modern(headers) else "GET, POST, DELETE"

    async def _post(self, incoming: Incoming, wire: Wire) -> None:
        kind = (incoming.headers.get("Content-Type") or "").split(";")[0].strip().lower()
        if kind != JSON_TYPE and not self.server.faulty("any-content-type-served"):
            raise _Refusal(415, "The body must be application/json")
        accept = incoming.headers.get("Accept") or ""
        if not (JSON_TYPE in accept and EVENT_TYPE in accept) and self.server.faulty("narrow-accept-crashes"):
            raise _Refusal(500, "Internal Server Error")
        exchange = Exchange(self, wire, incoming.headers)
        try:
            message = parse(incoming.body, self.server.faulty)
        except ValueError:
            if self.server.faulty("html-on-garbage"):
                await wire.respond(200, [], HTML_TYPE, b"<html><body>Something went wrong</body></html>")
                return
            era = MODERN if self._is_modern(incoming.headers) else LEGACY
            await exchange.finish(self.server.unreadable(era))
            return
        context = Context(Session(), exchange.send, incoming.headers, wire.peer)
        exchange.era = era_of(message, context, self.server.eras)
        if exchange.era == MODERN:
            self._meet_modern(message, incoming.headers)
        problem = self._enter_session(message, context, exchange.era)
        if problem is not None:
            await exchange.finish(problem)
            return
        exchange.session = context.session
        if exchange.era == MODERN and incoming.headers.get("Last-Event-ID") and self.server.faulty("replays-on-modern"):
            for sent in self.sent_before[:]:
                await exchange.deliver(sent)
        self.open.append(exchange)
        try:
            await self._handle(message, context, exchange)
        finally:
            self.open.remove(exchange)

    def _meet_modern(self, message: Any, headers: Headers) -> None:
        """The faults of a server that does not get along with both eras at once."""
        faulty, version = self.server.faulty, headers.get("MCP-Protocol-Version")
        if version in LEGACY_VERSIONS and faulty("legacy-header-on-envelope-crashes"):
            raise _Refusal(500, "Internal Server Error")
        if version is None and faulty("envelope-without-header-crashes"):
            raise _Refusal(500, "Internal Server Error")
        if self.sessions and faulty("modern-refused-beside-sessions"):
            raise _Refusal(400, "This endpoint has legacy sessions")
        if faulty("modern-request-ends-session"):
            self.sessions.clear()

    async def _handle(self, message: Any, context: Context, exchange: Exchange) -> None:
        task = asyncio.create_task(self.server.handle(message, context))
        while not task.done():
            await asyncio.wait({task}, timeout=POLL_SECONDS)
            if not task.done() and exchange.wire.client_is_gone():
                self._abandon(task, exchange)
                return
        if task.cancelled():
            await exchange.end_without_answer()
            return
        try:
            answer = task.result()
        except HangUp:
            self.sessions.pop(context.session.identifier, None)
            raise
        if _is_initialize(message) and context.session.version:
            self._keep(context.session)
        await exchange.finish(answer)

    def _abandon(self, task: asyncio.Task[Answer], exchange: Exchange) -> None:
        """The client hung up: that cancels a modern request; a legacy one goes on."""
        exchange.wire.broken = True
        fault = "hanging-up-ignored" if exchange.era == MODERN else "hanging-up-cancels"
        if (exchange.era == MODERN) != self.server.faulty(fault):
            task.cancel()
        else:
            self.background.add(task)
            task.add_done_callback(self.background.discard)

    def _keep(self, session: Session) -> None:
        if not session.identifier:
            between = " " if self.server.faulty("session-id-with-spaces") else ""
            session.identifier = secrets.token_hex(8) + between + secrets.token_hex(8)
            if self.server.faulty("session-ids-counted"):
                session.identifier = f"session-{len(self.sessions) + 1:032}"
            self.sessions[session.identifier] = session

    def _enter_session(self, message: Any, context: Context, era: str) -> Answer | None:
        """Put the session of a legacy message into its context; an answer is the refusal."""
        assert context.headers is not None
        if era == MODERN:
            return self._check_modern_headers(message, context.headers)
        faulty, headers = self.server.faulty, context.headers
        identifier, version = headers.get("Mcp-Session-Id"), headers.get("MCP-Protocol-Version")
        if version is not None and version not in LEGACY_VERSIONS and not faulty("bad-version-header-served"):
            self.server.probed = faulty("probe-breaks-handshake")
            answer = self._refuse(400, "Unsupported MCP-Protocol-Version", era, message)
            if isinstance(answer.body, dict) and faulty("probe-refused-as-modern"):
                answer.body["error"]["code"] = UNSUPPORTED_VERSION
            return answer
        if version is None and identifier and faulty("version-header-demanded"):
            return self._refuse(400, "The MCP-Protocol-Version header is missing", era, message)
        if identifier is None:
            if _is_initialize(message):
                return None
            if not faulty("session-not-required"):
                status = 404 if faulty("missing-session-status-404") else 400
                return self._refuse(status, "The Mcp-Session-Id header is missing", era, message)
        elif identifier in self.sessions:
            context.session = self.sessions[identifier]
            if version not in (None, context.session.version) and faulty("other-version-header-crashes"):
                return self._refuse(500, "Internal Server Error", era, message)
            return None
        elif not faulty("unknown-session-served"):
            status = 400 if faulty("unknown-session-status-400") else 404
            return self._refuse(status, "Session not found", era, message)
        context.session = Session(version=LATEST_LEGACY, ready=True)
        return None

    def _check_modern_headers(self, message: Any, headers: Headers) -> Answer | None:
        if headers.get("Mcp-Session-Id") is not None and self.server.faulty("stray-session-refused"):
            return self._refuse(404, "Session not found", MODERN, message)
        if headers.get("Last-Event-ID") is not None and self.server.faulty("last-event-id-refused"):
            return self._refuse(400, "Nothing to resume", MODERN, message)
        version = headers.get("MCP-Protocol-Version")
        is_notification = isinstance(message, dict) and "method" in message and "id" not in message
        method_is_missing = is_notification and headers.get("Mcp-Method") is None
        if method_is_missing and self.server.faulty("notification-without-method-header-fails"):
            return self._refuse(500, "Internal Server Error", MODERN, None)
        if is_notification and version not in (None, MODERN_VERSION):
            return self._refuse(400, "Unsupported MCP-Protocol-Version", MODERN, message)
        return None

    def _refuse(self, status: int, text: str, era: str, message: Any) -> Answer:
        answer = self.server.refuse(RpcError(INVALID_REQUEST, text), era, message)
        answer.status = status
        if isinstance(message, dict) and "id" not in message:
            if self.server.faulty("refused-notification-status-200"):
                answer.status = 200
            if self.server.faulty("refused-notification-with-id") and isinstance(answer.body, dict):
                answer.body["id"] = 0
        return answer

    def _session_of(self, headers: Headers) -> Session:
        identifier, version = headers.get("Mcp-Session-Id"), headers.get("MCP-Protocol-Version")
        if version is not None and version not in LEGACY_VERSIONS:
            raise _Refusal(400, "Unsupported MCP-Protocol-Version")
        if identifier is None:
            raise _Refusal(400, "The Mcp-Session-Id header is missing")
        if identifier not in self.sessions:
            raise _Refusal(404, "Session not found")
        return self.sessions[identifier]

    async def _get(self, incoming: Incoming, wire: Wire) -> None:
        if self._is_modern(incoming.headers):
            if not self.server.faulty("get-served-on-modern"):
                raise _Refusal(405, "Method Not Allowed", allow="POST")
            await wire.start_stream([])
            await wire.hold_open(lambda: True)
            return
        session = self._session_of(incoming.headers)
        if self.server.faulty("get-answers-json"):
            await wire.respond(200, [], JSON_TYPE, b"{}")
            return
        accept = incoming.headers.get("Accept") or ""
        if EVENT_TYPE not in accept and "*/*" not in accept:
            raise _Refusal(406, "The client must accept text/event-stream")
        last = incoming.headers.get("Last-Event-ID")
        if last is not None:
            everything = self.server.faulty("replays-all-streams")
            if not await replay(session, last, wire, everything=everything):
                raise _Refusal(500 if self.server.faulty("unknown-event-crashes") else 400, "No such event")
            return
        await wire.start_stream([("Mcp-Session-Id", session.identifier)])
        if not session.ready and self.server.faulty("asks-on-stream-before-initialized"):
            await wire.event(encode(ROOTS_REQUEST))
        session.listeners.append(wire)

        async def send(message: Message) -> None:
            await wire.event(encode(message))

        with self.server.streams.hearing(session, send):
            await wire.hold_open(lambda: session.identifier in self.sessions)
        session.listeners.remove(wire)

    async def _delete(self, incoming: Incoming, wire: Wire) -> None:
        if self._is_modern(incoming.headers):
            if not self.server.faulty("delete-served-on-modern"):
                raise _Refusal(405, "Method Not Allowed", allow="POST")
            await wire.respond(200, [], "", b"")
            return
        session = self._session_of(incoming.headers)
        if self.server.faulty("delete-fails"):
            raise _Refusal(500, "Internal Server Error")
        if not self.server.faulty("delete-keeps-session"):
            del self.sessions[session.identifier]
        await wire.respond(200, [], "", b"")


def _is_initialize(message: Any) -> bool:
    return isinstance(message, dict) and message.get("method") == "initialize"


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).hostname if origin.startswith(("http://", "https://")) else None
    except ValueError:
        return None
