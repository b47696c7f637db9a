"""What belongs to a revision: legacy initialize, modern discover and `_meta` checks, capabilities."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from faults import streams
from faults.envelope import META_CAPABILITIES, META_CLIENT, META_LOG_LEVEL, META_VERSION
from faults.headers import Mismatch, check_mirrors
from faults.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LATEST_LEGACY,
    LEGACY_VERSIONS,
    METHOD_NOT_FOUND,
    MODERN_VERSION,
    UNSUPPORTED_VERSION,
    Message,
    Request,
    RpcError,
)
from faults.tasks import CORE_CAPABILITY, EXTENSION
from faults.tools import schema_of

if TYPE_CHECKING:
    from faults.core import Server

SERVER_INFO = {"name": "faults-server", "version": "1.0.0"}
INSTRUCTIONS = "Use `add` to add numbers and `fail` to see how an order is refused."


def capabilities_for(version: str) -> Message:
    """What the server offers in a revision; completions are a capability since 2025-03-26."""
    offered = streams.capabilities(version)
    offered |= {"completions": {}} if version >= "2025-03-26" else {}
    if version == MODERN_VERSION:
        offered["extensions"] = {EXTENSION: {}}
    return offered | ({"tasks": CORE_CAPABILITY} if version == LATEST_LEGACY else {})


def declared_capabilities(server: Server, version: str) -> Message:
    """The capabilities as the server tells them."""
    declared = capabilities_for(version)
    for name in ("prompts", "completions"):
        if server.faulty(f"serves-undeclared-{name}"):
            declared.pop(name, None)
    if server.faulty("makes-tasks-undeclared"):
        declared.pop("tasks", None)
    streams.spoil_capabilities(declared, server, version)
    if server.faulty("serves-undeclared-tools"):
        del declared["tools"]
    if server.faulty("embeds-undeclared-resources") or server.faulty("serves-undeclared-resources"):
        del declared["resources"]
    if server.faulty("capabilities-of-wrong-shape"):
        declared["tools"] = True
    return declared


def instructions(server: Server) -> Any:
    """The instructions for models."""
    return [INSTRUCTIONS] if server.faulty("instructions-not-a-string") else INSTRUCTIONS


def initialize(server: Server, request: Request) -> Message:
    """Open the legacy session and tell version, capabilities and identity."""
    session, params = request.context.session, request.params
    if session.version:
        session.broken = session.broken or server.faulty("second-initialize-breaks-session")
        raise RpcError(INVALID_REQUEST, "The session is initialized already")
    requested, capabilities = params.get("protocolVersion"), params.get("capabilities")
    valid = isinstance(requested, str) and isinstance(capabilities, dict) and _is_identity(params.get("clientInfo"))
    if not valid and not server.faulty("initialize-accepts-incomplete-params"):
        raise RpcError(
            INVALID_PARAMS, "initialize needs protocolVersion, capabilities and clientInfo", kind="malformed"
        )
    session.version = _negotiated(server, requested if isinstance(requested, str) else LATEST_LEGACY)
    session.capabilities = capabilities if isinstance(capabilities, dict) else {}
    session.initialize_id = request.id
    return {
        "protocolVersion": session.version,
        "capabilities": declared_capabilities(server, session.version),
        "serverInfo": _identity(server, session.version),
        "instructions": instructions(server),
    }


def _identity(server: Server, version: str) -> Message:
    shown = version >= LATEST_LEGACY or server.faulty("server-info-newer-than-revision")
    return SERVER_INFO | {"websiteUrl": "https://faults.example"} if shown else dict(SERVER_INFO)


def _is_identity(info: Any) -> bool:
    return isinstance(info, dict) and isinstance(info.get("name"), str) and isinstance(info.get("version"), str)


def _negotiated(server: Server, requested: str) -> str:
    if requested == "2025-06-18" and server.faulty("offered-version-not-negotiated"):
        return LATEST_LEGACY
    if requested in LEGACY_VERSIONS:
        another = LEGACY_VERSIONS[LEGACY_VERSIONS.index(requested) - 1]
        return another if server.faulty("initialize-answers-another-version") else requested
    if requested == MODERN_VERSION:
        return requested if server.faulty("initialize-negotiates-modern") else LATEST_LEGACY
    if server.faulty("unsupported-version-answered-with-oldest"):
        return LEGACY_VERSIONS[0]
    if server.faulty("offered-version-not-negotiated"):
        return "2025-06-18"
    return requested if server.faulty("initialize-echoes-unsupported-version") else LATEST_LEGACY


def discover(server: Server, _request: Request) -> Message:
    """What a modern client learns about the server; the identity is in the stamp that every result has."""
    return {
        "supportedVersions": [MODERN_VERSION],
        "capabilities": declared_capabilities(server, MODERN_VERSION),
        "instructions": instructions(server),
    }


def check_modern(server: Server, request: Request, message: Message) -> None:
    """Raise RpcError unless `_meta`, version and mirrored headers of a modern request are right."""
    if request.method == "initialize" and "_meta" not in request.params:
        if server.faulty("refusal-of-initialize-names-nothing"):
            raise RpcError(INVALID_REQUEST, "This server has no such method", kind="version")
        raise _unsupported(server, request.params.get("protocolVersion"))
    meta = _required_meta(server, request, message)
    _check_version(server, request, meta[META_VERSION])
    if request.params.get("name") == "routed" and request.context.headers is None:
        if server.faulty("param-header-demanded-on-stdio"):
            raise RpcError(HEADER_MISMATCH, "The Mcp-Param-Region header is missing", kind="header")
    if request.context.headers is not None:
        try:
            schema = schema_of(request.params.get("name"))
            check_mirrors(request.method, request.params, schema, request.context.headers, server.faulty)
        except Mismatch as mismatch:
            raise RpcError(HEADER_MISMATCH, str(mismatch), kind="header") from mismatch
    if "traceparent" in meta and not is_trace(meta["traceparent"]) and server.faulty("garbage-trace-refused"):
        raise _meta_error("The traceparent is not valid")
    first = server.last_meta is None
    if first and request.method != "server/discover" and server.faulty("envelope-needs-discovery"):
        raise RpcError(INVALID_REQUEST, "The first request must be server/discover")
    if first and request.method == "server/discover" and server.faulty("discover-needs-earlier-request"):
        raise RpcError(METHOD_NOT_FOUND, "Method not found")
    server.last_meta = meta
    server.all_capabilities |= meta[META_CAPABILITIES]
    request.context.session.modern_opened = True


def _required_meta(server: Server, request: Request, message: Message) -> Message:
    defaults: Message = {META_VERSION: MODERN_VERSION, META_CAPABILITIES: {}}
    meta = request.params.get("_meta")
    if "_meta" not in request.params:
        if server.last_meta is not None and server.faulty("remembers-meta"):
            return server.last_meta
        fault = "missing-meta-accepted" if "params" in message else "missing-params-accepted"
        if server.faulty(fault):
            return defaults
    if not isinstance(meta, dict):
        raise _meta_error("params._meta must be an object with protocolVersion and clientCapabilities")
    meta = _completed(server, meta)
    if _is_well_formed(meta):
        return meta
    if server.faulty("malformed-meta-accepted"):
        return defaults
    raise _meta_error("A member of params._meta has a wrong type")


def _completed(server: Server, meta: Message) -> Message:
    if META_VERSION not in meta and server.faulty("missing-meta-version-accepted"):
        meta = {**meta, META_VERSION: MODERN_VERSION}
    if META_CAPABILITIES not in meta and server.faulty("missing-client-capabilities-accepted"):
        meta = {**meta, META_CAPABILITIES: {}}
    if meta.get(META_LOG_LEVEL, "info") not in streams.LEVELS and server.faulty("unknown-log-level-served"):
        meta = {key: value for key, value in meta.items() if key != META_LOG_LEVEL}
    for key in (META_VERSION, META_CAPABILITIES):
        if key not in meta:
            raise _meta_error(f"params._meta lacks {key}")
    if META_CLIENT not in meta and server.faulty("demands-client-info"):
        raise _meta_error(f"params._meta lacks {META_CLIENT}")
    return meta


def _is_well_formed(meta: Message) -> bool:
    capabilities = meta[META_CAPABILITIES]
    return (
        isinstance(meta[META_VERSION], str)
        and isinstance(capabilities, dict)
        and all(isinstance(value, dict) for value in capabilities.values())
        and (META_CLIENT not in meta or _is_identity(meta[META_CLIENT]))
        and meta.get(META_LOG_LEVEL, "info") in streams.LEVELS
    )


def is_trace(text: Any) -> bool:
    """Whether it is a `traceparent` of the W3C, roughly."""
    return isinstance(text, str) and re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", text) is not None


def _meta_error(text: str) -> RpcError:
    return RpcError(INVALID_PARAMS, text, kind="meta")


def _check_version(server: Server, request: Request, version: str) -> None:
    headers = request.context.headers
    if headers is not None and not server.faulty("version-header-not-compared"):
        values = headers.all("MCP-Protocol-Version")
        missing = not values and server.faulty("missing-version-header-accepted")
        if values != [version] and not missing:
            code = INVALID_REQUEST if server.faulty("version-mismatch-wrong-code") else HEADER_MISMATCH
            raise RpcError(code, "The MCP-Protocol-Version header differs from params._meta", kind="header")
    later = server.last_meta is not None and server.faulty("serves-unsupported-version-later")
    known = version in LEGACY_VERSIONS and server.faulty("known-version-served")
    if version != MODERN_VERSION and not later and not known and not server.faulty("serves-unsupported-version"):
        raise _unsupported(server, version)


def _unsupported(server: Server, requested: Any) -> RpcError:
    supported = [MODERN_VERSION, "2027-01-01"] if server.faulty("version-error-lists-more") else [MODERN_VERSION]
    data = None if server.faulty("version-error-without-data") else {"supported": supported, "requested": requested}
    code = INVALID_PARAMS if server.faulty("version-error-wrong-code") else UNSUPPORTED_VERSION
    return RpcError(code, f"Unsupported protocol version; supported: {', '.join(supported)}", data, "version")
