"""From a target to an open session: picks the transport and starts the task that holds the connection."""

from __future__ import annotations

from typing import Any

from ..wire.inprocess import HostedTransport, MemoryTransport, asgi_app, is_asgi, load, low_level_server, resolve
from ..wire.transcript import Transcript
from ..wire.transport import Transport
from .targets import BadTarget, Target, TransportKind, merged_env


def transport_maker(
    target: Target, *, env: dict[str, str], cwd: str | None, raise_exceptions: bool, path: str | None
) -> Any:
    """A function that makes a new transport to the target. Raises `BadTarget` and `TargetNotFound`."""
    if target.kind is not TransportKind.STDIO and (env or cwd):
        raise BadTarget(f"env= and cwd= are for servers on stdio; {target.shown} is reached over {target.kind.value}.")
    if target.kind is TransportKind.STDIO:
        from ..wire.stdio import StdioTransport

        if not target.command:
            raise BadTarget("the command is empty.")
        environment = merged_env(target, env)
        return lambda transcript: StdioTransport(target.command, transcript, env=environment, cwd=cwd or target.cwd)
    if target.url is not None:
        return _url_maker(target)
    server = resolve(load(target.object) if isinstance(target.object, str) else target.object)
    if target.kind is TransportKind.MEMORY and low_level_server(server) is not None:
        return lambda transcript: MemoryTransport(server, transcript, raise_exceptions=raise_exceptions)
    if target.kind is TransportKind.MEMORY and not is_asgi(server):
        raise BadTarget(
            f"{target.shown} is a {type(server).__name__}, not a server: expected an MCPServer or low-level Server of "
            "mcp, a FastMCP server, or an ASGI app."
        )
    if raise_exceptions:
        raise BadTarget("raise_exceptions= works over memory streams only, not over HTTP.")

    path = f"/{path.lstrip('/')}" if path else path

    def hosted(transcript: Transcript) -> Transport:
        app, own_path = asgi_app(server)
        return HostedTransport(app, path or own_path or "/mcp", transcript)

    return hosted


def _url_maker(target: Target) -> Any:
    url = target.url
    assert url is not None
    if target.kind is TransportKind.SSE:
        from ..wire.sse import SseTransport

        return lambda transcript: SseTransport(url, transcript, headers=target.headers)
    from ..wire.http import HttpTransport

    return lambda transcript: HttpTransport(url, transcript)
