"""JSON-RPC 2.0 without judgement: read leniently, build exactly, name what a message is."""

from __future__ import annotations

import json
import math
from typing import Any

MISSING: Any = type("Missing", (), {"__repr__": lambda _: "<missing>", "__bool__": lambda _: False})()
"""Stands for a member that is not there, which is not the same as ``null``."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
HEADER_MISMATCH = -32020
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
URL_ELICITATION_REQUIRED = -32042

CODE_NAMES: dict[int, str] = {
    PARSE_ERROR: "parse error",
    INVALID_REQUEST: "invalid request",
    METHOD_NOT_FOUND: "method not found",
    INVALID_PARAMS: "invalid params",
    INTERNAL_ERROR: "internal error",
    RESOURCE_NOT_FOUND: "resource not found",
    HEADER_MISMATCH: "header mismatch",
    MISSING_CLIENT_CAPABILITY: "missing required client capability",
    UNSUPPORTED_VERSION: "unsupported protocol version",
    URL_ELICITATION_REQUIRED: "URL elicitation required",
    -32800: "request cancelled",
}


def describe_code(code: Any) -> str:
    """The code with its name beside it: ``-32601 (method not found)``."""
    if code is MISSING:
        return "without a code"
    name = CODE_NAMES.get(code) if isinstance(code, int) and not isinstance(code, bool) else None
    return f"{code} ({name})" if name else to_json(code)


def _refuse_constant(token: str) -> Any:
    raise ValueError(f"{token} is not JSON")


def _finite(token: str) -> float:
    number = float(token)
    if math.isinf(number):
        raise ValueError(f"the number {token[:20]} is beyond what a double can hold")
    return number


def strict_loads(text: str) -> Any:
    """`json.loads` without Python's extras: no NaN, no Infinity. Raises ValueError or RecursionError."""
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)


MOST_LEVELS = 200
"""Nesting that is read; what is deeper would break those that handle the value later."""


def _deeper_than(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [
            child
            for item in layer
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
        ]
        if not layer:
            return False
    return True


def parse(raw: bytes) -> tuple[Any, str | None]:
    """The value that the bytes hold and ``None``, or ``MISSING`` and why they are not JSON in UTF-8."""
    try:
        value = strict_loads(raw.decode("utf-8"))
        if raw.count(b"[") + raw.count(b"{") > MOST_LEVELS and _deeper_than(value, MOST_LEVELS):
            return MISSING, f"JSON of more than {MOST_LEVELS} levels, which this library does not read"
        return value, None
    except UnicodeDecodeError as error:
        return MISSING, f"not valid UTF-8 at byte {error.start}"
    except json.JSONDecodeError as error:
        return MISSING, f"not JSON: {error.msg} at character {error.pos + 1}"
    except (ValueError, RecursionError) as error:
        beyond = (
            "more digits or levels than this library reads"
            if "limit" in str(error) or isinstance(error, RecursionError)
            else error
        )
        return MISSING, f"not JSON: {beyond}"


def to_json(value: Any) -> str:
    """JSON text of a value as it goes on the wire: compact, non-ASCII kept."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encode(value: Any) -> bytes:
    """One message as bytes. Lone surrogates, which have no UTF-8 form, travel as JSON escapes."""
    try:
        return to_json(value).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def kind(value: Any) -> str:
    """What a message is: request, notification, result, error, batch or invalid."""
    if isinstance(value, list):
        return (
            "batch"
            if value and all(isinstance(item, dict) and kind(item) != "invalid" for item in value)
            else "invalid"
        )
    if not isinstance(value, dict):
        return "invalid"
    if "method" in value:
        return "request" if "id" in value else "notification"
    if "error" in value:
        return "error"
    if "result" in value:
        return "result"
    return "invalid"


def is_response(value: Any) -> bool:
    return kind(value) in ("result", "error")


def id_key(identifier: Any) -> tuple[str, Any]:
    """An id as a dictionary key that keeps its JSON type: 7, "7" and 7.0 are three ids."""
    if isinstance(identifier, (dict, list)):
        return (type(identifier).__name__, to_json(identifier))
    return (type(identifier).__name__, identifier)


def request(method: str, params: Any = MISSING, *, id: Any) -> dict[str, Any]:  # noqa: A002
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
    if params is not MISSING:
        message["params"] = params
    return message


def notification(method: str, params: Any = MISSING) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if params is not MISSING:
        message["params"] = params
    return message
