"""Serves the sample server: as an ASGI app, over Streamable HTTP on loopback, and over stdio."""

import os
import signal
import socket
import sys
from typing import Any, cast

import anyio
import uvicorn
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette

from McpLibrary.demo.gates import StdioGate
from McpLibrary.demo.manners import MannerlyServer
from McpLibrary.demo.shop import build_server

HOST = "127.0.0.1"


def http_app(server: MannerlyServer | None = None) -> Starlette:
    """The ASGI app, endpoint `/mcp`; the SDK's protection against DNS rebinding is on, for loopback names."""
    return (server or build_server()).streamable_http_app(host=HOST)


class PromptlyEnding(uvicorn.Server):
    """A uvicorn that closes subscriptions when told to stop; it would wait for these endless answers."""

    def __init__(self, config: uvicorn.Config, served: MannerlyServer) -> None:
        super().__init__(config)
        self._served = served

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._served.end_subscriptions()
        await super().shutdown(sockets)


def serve_http(port: int) -> None:
    # Made with its protocol named: only then does asyncio switch off the delay of small packets.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        sys.exit(f"Cannot listen on {HOST}:{port}: {reason}. Choose another --port, or 0 for any free one.")
    server = build_server()
    config = uvicorn.Config(http_app(server), log_level="error", timeout_graceful_shutdown=1)
    print(f"Listening on http://{HOST}:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
    try:
        PromptlyEnding(config, server).run(sockets=[listener])
    except KeyboardInterrupt:
        sys.exit(130)


def serve_stdio() -> None:
    # A thread is parked in a read of stdin, so Python's own way to end on Ctrl-C would wait for a line.
    # All state is in memory: there is nothing to put in order before the end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(_serve_stdio)


async def _serve_stdio() -> None:
    server = build_server()
    gate = StdioGate(sys.stdin.buffer, server.end_subscriptions)
    async with stdio_server(stdin=cast(Any, gate)) as (incoming, outgoing):
        await server.serve_streams(incoming, gate.guard(outgoing))
