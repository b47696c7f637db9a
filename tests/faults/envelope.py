"""Which era a message belongs to, and whether it is a valid JSON-RPC request or notification at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from faults.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    LEGACY,
    LEGACY_VERSIONS,
    MODERN,
    MODERN_VERSION,
    Context,
    Message,
    Request,
    RpcError,
)

META_PREFIX = "io.modelcontextprotocol/"
META_VERSION, META_CLIENT = META_PREFIX + "protocolVersion", META_PREFIX + "clientInfo"
KNOWN_PARAMS = {
    "_meta", "name", "arguments", "uri", "cursor", "ref", "argument", "context", "level", "task", "taskId",
    "notifications", "inputResponses", "requestState", "protocolVersion", "capabilities", "clientInfo",
}  # fmt: skip
META_CAPABILITIES, META_LOG_LEVEL = META_PREFIX + "clientCapabilities", META_PREFIX + "logLevel"


def parse(text: bytes, faulty: Callable[[str], bool]) -> Any:
    """The value of strict JSON in UTF-8; ValueError when it is anything else."""
    decoded = text.decode("utf-8", errors="replace" if faulty("invalid-utf8-accepted") else "strict")
    try:
        return json.loads(decoded, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def era_of(message: Any, context: Context, eras: str) -> str:
    """The era of a message: `_meta` of the modern kind decides, then the version header, then the session."""
    if eras != "both":
        return eras
    if _has_modern_meta(message):
        return MODERN
    if context.headers is None:
        return _era_on_stdio(message, context)
    version = context.headers.get("MCP-Protocol-Version")
    if context.headers.get("Mcp-Session-Id") is not None:
        return MODERN if version == MODERN_VERSION else LEGACY
    return LEGACY if version is None or version in LEGACY_VERSIONS else MODERN


def _era_on_stdio(message: Any, context: Context) -> str:
    method = message.get("method") if isinstance(message, dict) else None
    session = context.session
    if session.version or method == "initialize":
        return LEGACY
    return MODERN if session.modern_opened or method == "server/discover" else LEGACY


def _has_modern_meta(message: Any) -> bool:
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and any(key in meta for key in (META_VERSION, META_CLIENT, META_CAPABILITIES))


def is_response(message: Any) -> bool:
    """Whether the message is the client's response to a request of the server."""
    return isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message)


def read_envelope(message: Any, era: str, context: Context, faulty: Callable[[str], bool]) -> Request:
    """The request or notification in a message; RpcError when the message is not a valid one."""
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        code = INVALID_PARAMS if faulty("invalid-request-wrong-code") else INVALID_REQUEST
        raise RpcError(code, "Not a JSON-RPC request")
    params = message.get("params", {})
    lenient = faulty("invalid-request-executed")
    if message.get("jsonrpc") != "2.0" and not lenient:
        raise RpcError(INVALID_REQUEST, "jsonrpc must be 2.0")
    if not isinstance(params, dict):
        if not lenient:
            raise RpcError(INVALID_REQUEST, "params must be an object")
        params = {}
    if "id" in message:
        _check_id(message["id"], faulty)
    request = Request(message["method"], params, message.get("id"), era, context)
    request.version = MODERN_VERSION if era == MODERN else context.session.version
    request.capabilities = _capabilities(params) if era == MODERN else context.session.capabilities
    request.client_name = _client_name(params)
    return request


def check_strictly(request: Request, faulty: Callable[[str], bool]) -> None:
    """Refuse what a request may well have: members of its params and keys of `_meta` that this server does not know."""
    if faulty("unknown-params-refused") and not set(request.params) <= KNOWN_PARAMS:
        raise RpcError(INVALID_PARAMS, "There are unknown params")
    if faulty("vendor-meta-refused") and any("/" in k and not k.startswith(META_PREFIX) for k in _meta(request.params)):
        raise RpcError(INVALID_PARAMS, "There are unknown keys in _meta")


def _check_id(identifier: Any, faulty: Callable[[str], bool]) -> None:
    if identifier is None:
        valid = faulty("null-id-executed")
    elif isinstance(identifier, bool) or not isinstance(identifier, (int, str)):
        valid = faulty("odd-id-executed")
    else:
        valid = isinstance(identifier, int) or not faulty("text-id-refused")
    if not valid:
        raise RpcError(INVALID_REQUEST, "The id must be a string or an integer")


def _meta(params: Message) -> Message:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _capabilities(params: Message) -> Message:
    capabilities = _meta(params).get(META_CAPABILITIES)
    return capabilities if isinstance(capabilities, dict) else {}


def _client_name(params: Message) -> str:
    client = _meta(params).get(META_CLIENT)
    return str(client.get("name")) if isinstance(client, dict) else "nobody"
