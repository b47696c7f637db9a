"""Judges a raw JSON-RPC message before the SDK sees it: pure functions, bytes in, message or fault out."""

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from mcp_types import (
    HEADER_MISMATCH,
    INVALID_REQUEST,
    PARSE_ERROR,
    PROTOCOL_VERSION_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
    ErrorData,
    JSONRPCError,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS


class Fault(Exception):
    """A message that must not be served, and the error that answers it."""

    def __init__(self, code: int, text: str, request_id: Any = None, data: Any = None) -> None:
        super().__init__(text)
        error = ErrorData(code=code, message=text) if data is None else ErrorData(code=code, message=text, data=data)
        if _is_id(request_id):
            self.answer = JSONRPCError(jsonrpc="2.0", id=request_id, error=error)
        else:
            # An id that could not be read is left out: no revision's schema knows `"id": null`.
            self.answer = JSONRPCError.model_construct(jsonrpc="2.0", error=error)

    def json(self) -> str:
        return self.answer.model_dump_json(by_alias=True, exclude_unset=True)


def parse_message(raw: bytes) -> dict[str, Any]:
    """The one JSON-RPC message in `raw`, or a Fault."""
    try:
        text = raw.decode("utf-8")
        message = json.loads(text, parse_constant=_refuse_constant)
        if "\\ud" in text.lower():
            json.dumps(message, ensure_ascii=False).encode("utf-8")  # half a surrogate pair is no text
    except (ValueError, RecursionError):
        raise Fault(PARSE_ERROR, "Parse error: the message is not valid JSON in UTF-8") from None
    if isinstance(message, list):
        raise Fault(INVALID_REQUEST, "Batches are not accepted: send one message at a time")
    if not isinstance(message, dict):
        raise Fault(INVALID_REQUEST, "A JSON-RPC message is an object")
    request_id = message.get("id")
    if message.get("jsonrpc") != "2.0":
        raise Fault(INVALID_REQUEST, "The member jsonrpc must be the string 2.0", request_id)
    if "id" in message and not _is_id(request_id):
        raise Fault(INVALID_REQUEST, "The id of a message is a string or an integer")
    if "method" not in message and not {"result", "error"} & message.keys():
        raise Fault(INVALID_REQUEST, "The message has neither a method nor a result", request_id)
    if not isinstance(message.get("method", ""), str):
        raise Fault(INVALID_REQUEST, "The method must be a string", request_id)
    if not isinstance(message.get("params"), dict | None):
        raise Fault(INVALID_REQUEST, "The params must be an object", request_id)
    return message


def check_era(message: dict[str, Any], header: str | None) -> None:
    """Refuse a modern request that travels under a missing or legacy version header.

    The SDK picks the era by the header alone and would look for a session; the body says that there is none.
    """
    meta = (message.get("params") or {}).get("_meta")
    claimed = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
    legacy_header = header is None or header in HANDSHAKE_PROTOCOL_VERSIONS
    if claimed is None or not legacy_header or "id" not in message or message.get("method") == "initialize":
        return
    if claimed == header:
        supported = {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": claimed}
        raise Fault(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", message["id"], supported)
    text = "The MCP-Protocol-Version header is missing or differs from the version in _meta"
    raise Fault(HEADER_MISMATCH, text, message["id"])


def check_header_bytes(message: dict[str, Any], headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Refuse mirrored headers that hold more than ASCII, which the SDK would read as Latin-1 and compare."""
    if any(name.startswith(b"mcp-") and not value.isascii() for name, value in headers):
        raise Fault(HEADER_MISMATCH, "A mirrored header has characters that need Base64", message.get("id"))


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
