"""How a connection finds its era: ask ``server/discover`` first, fall back to ``initialize``, as the official clients do."""

from __future__ import annotations

from typing import Any

import httpx

from ..wire import jsonrpc
from ..wire.frame import Exchange, Outcome
from ..wire.http import HttpTransport
from ..wire.jsonrpc import MISSING, UNSUPPORTED_VERSION
from ..wire.sse import SseTransport
from ..wire.transport import TransportError
from .revisions import LATEST_LEGACY, LATEST_MODERN, LEGACY, MODERN, REVISIONS, Revision
from .session import ServerFacts, Session

PROBE_LIMIT = 5.0
"""Seconds that ``protocol=auto`` waits for an answer to ``server/discover`` before it tries ``initialize``."""


class NegotiationFailed(Exception):
    """No era could be settled; the exchange shows the last answer."""

    def __init__(self, problem: str, exchange: Exchange) -> None:
        super().__init__(problem)
        self.problem = problem
        self.exchange = exchange


class OtherRevision(NegotiationFailed):
    """The server answered, but does not negotiate the one legacy revision that was asked for."""


async def negotiate(session: Session, wish: str) -> None:
    """Settle the era: ``wish`` is auto, legacy, modern or the name of a revision. Raises `NegotiationFailed`."""
    if wish == "auto":
        await _auto(session)
    elif wish == "modern" or wish in MODERN:
        await _discover_or_fail(session, REVISIONS.get(wish, LATEST_MODERN))
    else:
        await _initialize_or_fail(session, REVISIONS.get(wish, LATEST_LEGACY), exact=wish in LEGACY)


async def discover(session: Session, revision: Revision = LATEST_MODERN, *, timeout: float | None = None) -> Exchange:
    """Send ``server/discover`` and, when the server speaks that revision, use it from now on."""
    exchange = await session.request("server/discover", revision=revision, timeout=timeout)
    result = exchange.result
    supported = result.get("supportedVersions") if isinstance(result, dict) else None
    if isinstance(supported, list) and revision.name in supported:
        session.revision = revision
        session.session_id = None
        session.opening = exchange
        session.server = _facts(result, supported)
    return exchange


def _facts(result: dict[str, Any], supported: list[Any]) -> ServerFacts:
    meta = result.get("_meta")
    info = meta.get("io.modelcontextprotocol/serverInfo") if isinstance(meta, dict) else None
    capabilities, instructions = result.get("capabilities"), result.get("instructions")
    return ServerFacts(
        info if isinstance(info, dict) else {},
        capabilities if isinstance(capabilities, dict) else {},
        instructions if isinstance(instructions, str) else None,
        [version for version in supported if isinstance(version, str)],
    )


def initialize_params(session: Session, version: str) -> dict[str, Any]:
    return {
        "protocolVersion": version,
        "capabilities": session.client_side.capabilities(),
        "clientInfo": session.client_info,
    }


async def initialize(
    session: Session, revision: Revision = LATEST_LEGACY, *, complete: bool = True, timeout: float | None = None
) -> Exchange:
    """Send ``initialize`` and, when it succeeds, use the negotiated revision from now on.

    With ``complete`` the ``notifications/initialized`` follows, and over HTTP the standing GET stream.
    """
    session.revision, session.session_id = None, None
    exchange = await session.request("initialize", initialize_params(session, revision.name), timeout=timeout)
    result = exchange.result
    negotiated = result.get("protocolVersion") if isinstance(result, dict) else None
    if isinstance(negotiated, str) and negotiated in LEGACY:
        session.revision = REVISIONS[negotiated]
        session.opening = exchange
        session.server = _facts({**result, "_meta": {}}, [])
        info = result.get("serverInfo")
        session.server.info = info if isinstance(info, dict) else {}
        # A session id counts only on an answer that succeeded.
        if exchange.http is not None and exchange.status is not None and 200 <= exchange.status < 300:
            session.session_id = exchange.http.header("mcp-session-id")
        if complete:
            await complete_initialization(session)
    return exchange


async def complete_initialization(session: Session) -> None:
    """Send ``notifications/initialized``; over HTTP open the standing stream and make broken ones resumable."""
    await session.notify("notifications/initialized")
    transport = session.transport
    if isinstance(transport, HttpTransport):

        def get_headers(last_event_id: str | None) -> list[tuple[str, str]]:
            headers = [("Accept", "text/event-stream"), *session.headers, *session.session_headers()]
            return [*headers, ("Last-Event-ID", last_event_id)] if last_event_id else headers

        transport.resume = get_headers
        if session.session_id:
            session.start_task(transport.stand_by, get_headers)


def _settled(session: Session) -> bool:
    return session.revision is not None


async def _auto(session: Session) -> None:
    revision = LATEST_MODERN
    for attempt in range(2):
        exchange = await discover(session, revision, timeout=min(PROBE_LIMIT, session.timeout))
        if not _settled(session) and _follow_redirect(session, exchange):
            exchange = await discover(session, revision, timeout=min(PROBE_LIMIT, session.timeout))
        if _settled(session):
            return
        _fail_if_unreachable(session, exchange)
        mutual = _mutual(exchange)
        if mutual and attempt == 0:
            revision = mutual
            continue
        if _modern_only(exchange):
            raise NegotiationFailed("the server speaks none of our revisions", exchange)
        break
    session.notes.append(f"server/discover: {_in_short(exchange)}; went on with initialize")
    if exchange.outcome is Outcome.CLOSED and session.transport.kind == "stdio":
        # A server that ends at an unknown first message is started again for the handshake it knows.
        await session.reopen()
    await _initialize_or_fail(session, LATEST_LEGACY, exact=False)


def _supported(exchange: Exchange) -> list[Any] | None:
    error = exchange.error
    data = error.get("data") if isinstance(error, dict) else None
    supported = data.get("supported") if isinstance(data, dict) else None
    return supported if isinstance(supported, list) else None


def _mutual(exchange: Exchange) -> Revision | None:
    if exchange.error_code != UNSUPPORTED_VERSION:
        return None
    supported = _supported(exchange) or []
    return next((REVISIONS[name] for name in reversed(MODERN) if name in supported), None)


def _modern_only(exchange: Exchange) -> bool:
    supported = _supported(exchange)
    return (
        exchange.error_code == UNSUPPORTED_VERSION and bool(supported) and not any(v in LEGACY for v in supported or ())
    )


def _fail_if_unreachable(session: Session, exchange: Exchange) -> None:
    """An outage or a refused login is no verdict about the era."""
    if exchange.outcome is Outcome.FAILED or exchange.status in (401, 403):
        raise NegotiationFailed(_in_words(exchange), exchange)
    if exchange.outcome is Outcome.CLOSED and session.transport.kind != "stdio":
        raise NegotiationFailed(_in_words(exchange), exchange)


def _follow_redirect(session: Session, exchange: Exchange) -> bool:
    """Take over a redirect to another path of the same origin, with a note; the request must be sent again."""
    transport, http = session.transport, exchange.http
    location = http.header("location") if http is not None and http.status in (301, 302, 307, 308) else None
    if location is None or not isinstance(transport, HttpTransport):
        return False
    here = httpx.URL(transport.url)
    try:
        there = here.join(location)
    except httpx.InvalidURL as error:
        raise NegotiationFailed(f"the server redirects to something that is no URL: {error}", exchange) from None
    if (here.scheme, here.netloc) != (there.scheme, there.netloc):
        raise NegotiationFailed(
            f"the server redirects to another origin, {there}; use that URL if it is meant", exchange
        )
    session.notes.append(f"HTTP {http.status if http else ''}: {transport.url} redirects to {there}, which is used now")
    transport.url = str(there)
    return True


async def _discover_or_fail(session: Session, revision: Revision) -> None:
    exchange = await discover(session, revision)
    if not _settled(session) and _follow_redirect(session, exchange):
        exchange = await discover(session, revision)
    if session.revision is None:
        raise NegotiationFailed(f"no modern connection ({revision.name}): {_in_words(exchange)}", exchange)


async def _initialize_or_fail(session: Session, revision: Revision, *, exact: bool) -> None:
    exchange = await initialize(session, revision)
    if not _settled(session) and _follow_redirect(session, exchange):
        exchange = await initialize(session, revision)
    if session.revision is None and _asks_for_old_sse(session, exchange):
        if await _try_old_sse(session):
            exchange = await initialize(session, revision)
    if session.revision is None:
        result = exchange.result
        if exact and isinstance(exchange.error, dict):
            raise OtherRevision(_in_words(exchange), exchange)
        if result is not MISSING:
            version = result.get("protocolVersion", MISSING) if isinstance(result, dict) else MISSING
            raise NegotiationFailed(
                f"initialize negotiated {version if version is MISSING else jsonrpc.to_json(version)}, "
                f"which is none of {', '.join(LEGACY)}",
                exchange,
            )
        raise NegotiationFailed(_in_words(exchange), exchange)
    if exact and session.revision is not revision:
        raise OtherRevision(
            f"asked for revision {revision.name}, but the server negotiated {session.revision.name}", exchange
        )


def _asks_for_old_sse(session: Session, exchange: Exchange) -> bool:
    return session.transport.kind == "http" and exchange.answer is None and exchange.status in (400, 404, 405)


async def _try_old_sse(session: Session) -> bool:
    """The HTTP+SSE transport of 2024-11-05, when POST is refused but GET gives an ``endpoint`` event."""
    transport = session.transport
    assert isinstance(transport, HttpTransport)
    old = SseTransport(transport.url, session.transcript, headers=session.headers)
    try:
        await session.reopen(old)
    except TransportError:
        await session.reopen(transport)
        transport.closed_because = None
        return False
    session.notes.append("POST was refused; connected by the HTTP+SSE transport of 2024-11-05")
    return True


def _in_short(exchange: Exchange) -> str:
    if isinstance(exchange.error_code, int):
        return jsonrpc.describe_code(exchange.error_code)
    return exchange.problem or "a result that is no DiscoverResult"


def _in_words(exchange: Exchange) -> str:
    error = exchange.error
    if isinstance(error, dict):
        text = str(error.get("message", ""))
        return f"{exchange.method} was answered by error {jsonrpc.describe_code(error.get('code', MISSING))}: {text}"
    if exchange.status in (401, 403) and exchange.http is not None:
        challenge = exchange.http.header("www-authenticate")
        asked = f", WWW-Authenticate: {challenge}" if challenge else ""
        return f"HTTP {exchange.status}: the server wants a token (token=) or refuses this one{asked}"
    if exchange.http is not None and exchange.http.body:
        start = exchange.http.body[:2000].decode("utf-8", "replace")
        return f"{exchange.problem}; the body begins with: {start}"
    return exchange.problem or "the answer is no result of this method"
