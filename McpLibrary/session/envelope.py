"""The modern envelope and the HTTP headers that mirror a message: pure functions, no I/O."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..wire.frame import Headers
from .revisions import Revision

META_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = f"{META_PREFIX}protocolVersion"
CLIENT_INFO_KEY = f"{META_PREFIX}clientInfo"
CAPABILITIES_KEY = f"{META_PREFIX}clientCapabilities"
SERVER_INFO_KEY = f"{META_PREFIX}serverInfo"
SUBSCRIPTION_KEY = f"{META_PREFIX}subscriptionId"
LOG_LEVEL_KEY = f"{META_PREFIX}logLevel"

VERSION_HEADER = "MCP-Protocol-Version"
METHOD_HEADER = "Mcp-Method"
NAME_HEADER = "Mcp-Name"
SESSION_HEADER = "Mcp-Session-Id"
PARAM_PREFIX = "Mcp-Param-"

NAMED_BY = {
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
    "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId",
}  # fmt: skip
"""Methods whose name, uri or task id is mirrored as ``Mcp-Name``, and the member that holds it."""

BASIC_HEADERS: Headers = [
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
]

_SENTINEL = re.compile(r"=\?base64\?.*\?=", re.DOTALL)
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


def meta(revision: Revision, client_info: Mapping[str, Any], capabilities: Mapping[str, Any]) -> dict[str, Any]:
    """The ``_meta`` members that a modern request must carry."""
    return {VERSION_KEY: revision.name, CLIENT_INFO_KEY: dict(client_info), CAPABILITIES_KEY: dict(capabilities)}


def encode_header(value: str) -> str:
    """The value as a header: as it is when printable ASCII, otherwise with the Base64 sentinel (HDR-09, HDR-18)."""
    if value.isascii() and value.isprintable() and value == value.strip() and not _SENTINEL.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'surrogatepass')).decode('ascii')}?="


def header_annotations(schema: Any, path: tuple[str, ...] = ()) -> Iterable[tuple[tuple[str, ...], str]]:
    """The ``x-mcp-header`` annotations of an inputSchema: (path of properties, header token), valid ones only."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, child in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(child, dict):
            continue
        token = child.get("x-mcp-header")
        if isinstance(token, str) and _TOKEN.fullmatch(token) and child.get("type") in ("string", "integer", "boolean"):
            yield (*path, name), token
        yield from header_annotations(child, (*path, name))


def param_headers(schema: Any, arguments: Any) -> Headers:
    """The ``Mcp-Param-*`` headers of a call: one for each annotated argument that has a value (HDR-20 to HDR-27)."""
    headers: Headers = []
    for path, token in header_annotations(schema):
        value = arguments
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, bool):
            headers.append((PARAM_PREFIX + token, "true" if value else "false"))
        elif isinstance(value, (str, int)):
            headers.append((PARAM_PREFIX + token, encode_header(str(value))))
    return headers


def mirror_headers(message: Any, revision: Revision) -> Headers:
    """The headers that a modern POST repeats from its body."""
    headers: Headers = [(VERSION_HEADER, revision.name)]
    method = message.get("method") if isinstance(message, dict) else None
    if isinstance(method, str):
        headers.append((METHOD_HEADER, encode_header(method)))
        params = message.get("params")
        name = params.get(NAMED_BY.get(method, "")) if isinstance(params, dict) else None
        if isinstance(name, str):
            headers.append((NAME_HEADER, encode_header(name)))
    return headers


def merge_headers(base: Headers, extra: Headers) -> Headers:
    """``base`` with each name that ``extra`` holds replaced; doubles inside ``extra`` stay doubled."""
    replaced = {name.lower() for name, _ in extra}
    return [(name, value) for name, value in base if name.lower() not in replaced] + list(extra)


def without_headers(headers: Headers, names: Iterable[str]) -> Headers:
    left_out = {name.lower() for name in names}
    return [(name, value) for name, value in headers if name.lower() not in left_out]


ENVELOPE_FIELDS: dict[str, str] = {
    "protocolversion": VERSION_KEY,
    "clientinfo": CLIENT_INFO_KEY,
    "clientcapabilities": CAPABILITIES_KEY,
}


def leave_out(message: dict[str, Any], names: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """The message without the named members, and the names that are none: those are header names.

    Known are the members of the message (``jsonrpc``, ``id``, ``method``, ``params``), ``_meta``, and the members of
    ``_meta`` by their full or short names (``protocolVersion``, ``clientInfo``, ``clientCapabilities``).
    """
    message = dict(message)
    headers: list[str] = []
    for name in names:
        params = message.get("params")
        meta_object = params.get("_meta") if isinstance(params, dict) else None
        key = ENVELOPE_FIELDS.get(name.lower(), name)
        if name in message:
            del message[name]
        elif name == "_meta" and isinstance(params, dict):
            message["params"] = {k: v for k, v in params.items() if k != "_meta"}
        elif isinstance(params, dict) and isinstance(meta_object, dict) and key in meta_object:
            message["params"] = {**params, "_meta": {k: v for k, v in meta_object.items() if k != key}}
        else:
            headers.append(name)
    return message, headers
