"""The small types that all parts of the server share: requests, answers, sessions, errors, revisions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from faults.headers import Headers

MODERN_VERSION = "2026-07-28"
LEGACY_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST_LEGACY = LEGACY_VERSIONS[-1]

LEGACY, MODERN = "legacy", "modern"

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, LEGACY_RESOURCE_NOT_FOUND = -32602, -32603, -32002
REQUEST_CANCELLED = -32800
HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION = -32020, -32021, -32022

Message = dict[str, Any]
ROOTS_REQUEST: Message = {"jsonrpc": "2.0", "id": "server-roots", "method": "roots/list"}
Send = Callable[[Message], Awaitable[None]]


class RpcError(Exception):
    """A JSON-RPC error to be sent; `kind` tells faults what it is about."""

    def __init__(self, code: int, message: str, data: Any = None, kind: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.data, self.kind = code, message, data, kind

    def reply(self, request_id: Any = None) -> Message:
        """The error as a message; without an id when the id is not known."""
        error: Message = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        reply: Message = {"jsonrpc": "2.0", "error": error}
        return reply if request_id is None else {**reply, "id": request_id}


class HangUp(Exception):
    """The server ends the connection without an answer."""


@dataclass
class Session:
    """What a legacy server knows about a client; on stdio there is one for the whole process."""

    identifier: str = ""
    version: str = ""
    capabilities: Message = field(default_factory=dict)
    initialize_id: Any = None
    ready: bool = False
    broken: bool = False
    modern_opened: bool = False
    log_level: str = "info"
    subscribed: set[str] = field(default_factory=set)
    questions: dict[Any, asyncio.Future[Message]] = field(default_factory=dict)
    running: dict[str, asyncio.Task[Any] | None] = field(default_factory=dict)
    streams: dict[int, list[bytes]] = field(default_factory=dict)
    """Over HTTP, the messages of each event stream by its number, so that it can be resumed."""
    listeners: list[Any] = field(default_factory=list)
    """The wires of open GET streams."""

    def open_stream(self) -> int:
        number = len(self.streams) + 1
        self.streams[number] = []
        return number

    def log(self, stream: int, message: bytes) -> int:
        """Keep a message; its place in its stream."""
        self.streams[stream].append(message)
        return len(self.streams[stream]) - 1


@dataclass
class Context:
    """Where a message came from: session, HTTP headers (none on stdio), how to send before the answer."""

    session: Session
    send: Send
    headers: Headers | None = None
    peer: str = ""
    """What tells connections apart, for the fault that does so."""


@dataclass
class Request:
    """A request whose envelope is right; version and capabilities are what counts for this request."""

    method: str
    params: Message
    id: Any
    era: str
    context: Context
    version: str = ""
    capabilities: Message = field(default_factory=dict)
    client_name: str = ""

    @property
    def progress_token(self) -> str | int | None:
        """The token under which the client wants progress, if it is a valid one."""
        meta = self.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return token if isinstance(token, (str, int)) and not isinstance(token, bool) else None


@dataclass
class Answer:
    """What goes back for a message: nothing (`body` is None), a message or a batch, and the HTTP status."""

    body: Message | list[Message] | None
    status: int
    era: str
    method: str = ""
    late: Message | None = None
    """What follows the message on its stream, which only faults send."""
