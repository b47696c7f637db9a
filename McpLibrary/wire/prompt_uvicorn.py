"""A uvicorn that ends when it is told to: its own looks only every tenth of a second whether it shall, and once more
as long whether its connections are gone. A suite opens and closes many servers."""

from __future__ import annotations

import socket

import anyio
import uvicorn

TICK = 1.0
"""Seconds between the looks at the clock for the Date header."""

LEAVE_LIMIT = 0.1
"""Seconds in which connections and requests that their client has left are gone."""


class PromptUvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._told = anyio.Event()

    def end(self) -> None:
        self.should_exit = True
        self._told.set()

    async def main_loop(self) -> None:
        counter = 0
        while not await self.on_tick(counter):
            counter += 10  # It counts tenths of a second.
            with anyio.move_on_after(TICK):
                await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        state = self.server_state
        for server in self.servers:
            server.close()
        with anyio.move_on_after(LEAVE_LIMIT):
            while state.connections or state.tasks:
                await anyio.sleep(0.001)
        if state.connections or state.tasks:
            await super().shutdown(sockets)
        else:
            await self.lifespan.shutdown()
