"""Checks of JSON-RPC responses: their shape, their ids, their codes (RPC-01 to RPC-04, RPC-21 to RPC-23, RPC-29)."""

from __future__ import annotations

from typing import Any

from ..session.revisions import Revision

MODERN_CODES = (-32020, -32021, -32022)
"""The codes that 2026-07-28 defines in its reserved range -32099 to -32020 (RPC-21)."""

RETIRED_CODES = (-32002, -32042)


def response_problems(message: Any, request_id: Any = ...) -> list[str]:
    """What is wrong with a response; with ``request_id`` also whether it carries that id, JSON type included."""
    if not isinstance(message, dict):
        return [f"a response must be an object, got {type(message).__name__}"]
    problems = []
    if message.get("jsonrpc") != "2.0":
        problems.append(f"'jsonrpc' must be \"2.0\", got {message.get('jsonrpc')!r}")
    if ("result" in message) == ("error" in message):
        both = "both" if "result" in message else "neither"
        problems.append(f"a response has exactly one of 'result' and 'error', this has {both}")
    if "error" in message:
        problems += error_object_problems(message["error"])
    if "result" in message and not isinstance(message["result"], dict):
        problems.append(f"'result' must be an object, got {type(message['result']).__name__}")
    if request_id is not ... and not same_id(message.get("id", ...), request_id):
        problems.append(f"the id must be {request_id!r} with its type, got {message.get('id', 'none')!r}")
    return problems


def error_object_problems(error: Any) -> list[str]:
    """What is wrong with an error object (RPC-03)."""
    if not isinstance(error, dict):
        return [f"'error' must be an object, got {type(error).__name__}"]
    problems = []
    if not isinstance(error.get("code"), int) or isinstance(error.get("code"), bool):
        problems.append(f"'error.code' must be an integer, got {error.get('code')!r}")
    if not isinstance(error.get("message"), str):
        problems.append(f"'error.message' must be a string, got {error.get('message')!r}")
    return problems


def same_id(one: Any, other: Any) -> bool:
    """Equal in value and JSON type: 1 is neither "1" nor true nor 1.0."""
    return type(one) is type(other) and one == other


def code_problems(code: Any, revision: Revision) -> list[str]:
    """Codes that a modern server must not send (RPC-21, RPC-22)."""
    if not revision.modern or not isinstance(code, int):
        return []
    if code in RETIRED_CODES:
        return [f"code {code} is retired since 2026-07-28"]
    if -32099 <= code <= -32020 and code not in MODERN_CODES:
        return [f"code {code} is reserved by the specification and has no meaning"]
    return []


def missing_capability_problems(data: Any, capability: str) -> list[str]:
    """What is wrong with the data of -32021: ``requiredCapabilities`` is an object that names the capability (CAP-01)."""
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    if not isinstance(required, dict):
        return [f"'data.requiredCapabilities' must be an object, got {required!r}"]
    if capability not in required:
        return [f"'data.requiredCapabilities' must name {capability!r}, got {sorted(required)}"]
    return []


def is_concise(message: str) -> bool:
    """One sentence, no dump: a single line of at most 300 characters (RPC-29)."""
    return "\n" not in message.strip() and len(message) <= 300


DEFINED_CODES = (-32700, -32600, -32601, -32602, -32603, *MODERN_CODES)
"""The codes that JSON-RPC and 2026-07-28 give a meaning to."""


def range_problems(code: Any, revision: Revision) -> list[str]:
    """Codes that a new implementation should not choose: those that JSON-RPC reserves (RPC-23, RPC-24)."""
    if not revision.modern or not isinstance(code, int) or code in DEFINED_CODES or code_problems(code, revision):
        return []
    if -32019 <= code <= -32000:
        return [f"code {code} lies in -32019 to -32000, which new implementations leave alone"]
    if -32768 <= code <= -32100:
        return [f"code {code} lies in -32768 to -32000, which JSON-RPC reserves; an own code lies outside"]
    return []


def unreadable_id_problems(error_message: Any) -> list[str]:
    """An error to what could not be read that names an id; null is no id either in MCP (RPC-10, X-19)."""
    if not isinstance(error_message, dict) or "id" not in error_message:
        return []
    return [f"an error to a message without a readable id has no 'id', got {error_message['id']!r}"]
