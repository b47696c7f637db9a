"""The tools of the scripted server that change its lists, work for a while, and log."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from faults.messages import Message, Request

if TYPE_CHECKING:
    from faults.core import Server

STEPS = 3
NO_ARGUMENTS: Message = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}

TOOLS: tuple[Message, ...] = (
    {"name": "turn", "description": "Begins or ends the season.", "inputSchema": NO_ARGUMENTS},
    {"name": "audit", "description": "Looks at everything and logs what it finds.", "inputSchema": NO_ARGUMENTS},
)


def _text(text: str) -> Message:
    return {"content": [{"type": "text", "text": text}], "isError": False}


async def _turn(server: Server, _request: Request, _arguments: Message) -> Message:
    await server.streams.turn()
    return _text("The season has begun." if server.streams.season else "The season is over.")


async def _audit(server: Server, request: Request, _arguments: Message) -> Message:
    for level in ("debug", "info", "warning", "error"):
        await server.streams.log(request, level, f"A finding of level {level}")
    await asyncio.sleep(0)
    return _text("4 findings")


async def slow(server: Server, request: Request, arguments: Message) -> Message:
    """Work for some seconds and report it."""
    work = asyncio.ensure_future(_work(server, request, arguments["seconds"]))
    await (asyncio.shield(work) if server.faulty("cancelled-call-works-on") else work)
    return _text("The work is done.")


async def _work(server: Server, request: Request, seconds: float) -> None:
    server.slow_calls["started"] += 1
    try:
        for step in range(1, STEPS + 1):
            await asyncio.sleep(seconds / STEPS)
            await server.streams.progress(request, step, STEPS)
    except asyncio.CancelledError:
        server.slow_calls["cancelled"] += 1
        raise
    server.slow_calls["finished"] += 1


BODIES: dict[str, Callable[[Server, Request, Message], Awaitable[Message]]] = {
    "turn": _turn,
    "audit": _audit,
    "slow": slow,
}
