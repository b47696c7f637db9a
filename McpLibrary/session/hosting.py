"""A server object of this process, served on loopback for any client until it is stopped."""

from __future__ import annotations

import concurrent.futures
from typing import Any

import anyio

from ..wire.inprocess import LoopbackHost, asgi_app, load, resolve
from ..wire.loop import Loop

STOP_LIMIT = 6.0


class Hosting:
    """Starts serving when made. Raises `TargetNotFound` and `TransportError`."""

    def __init__(self, loop: Loop, target: Any, *, path: str | None, port: int, level: int) -> None:
        app, own_path = asgi_app(resolve(load(target) if isinstance(target, str) else target))
        self._host = LoopbackHost(app, port=port)
        self.url = self._host.origin + (f"/{path.lstrip('/')}" if path else own_path or "/mcp")
        self.level = level
        self._stop = anyio.Event()
        self._ready: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._task = loop.spawn(self._hold)
        try:
            loop.wait_for(self._ready, limit=15)
        except BaseException:
            self._task.cancel()
            raise
        self._loop = loop

    async def _hold(self) -> None:
        try:
            async with anyio.create_task_group() as tasks:
                await self._host.open(tasks)
                self._ready.set_result(None)
                await self._stop.wait()
                await self._host.close()
        except BaseException as error:
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            if not self._ready.done():
                self._ready.set_exception(error)
            raise

    def output(self) -> str:
        return ""

    def stop(self) -> None:
        async def stop() -> None:
            self._stop.set()

        self._loop.wait(stop, limit=STOP_LIMIT)
        self._loop.wait_for(self._task, limit=STOP_LIMIT)
