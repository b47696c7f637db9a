"""How the scripted server mixes up calls that are in flight at once: answers to the wrong caller, or to none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from faults.messages import LEGACY, Message, Request

if TYPE_CHECKING:
    from faults.core import Server

PARTNER_SECONDS = 1.0
OVERLAP_SECONDS = 0.1
LOST_ONE = 3


class Crossing:
    """Calls that wait for a partner to swap results with."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._held: dict[Hashable, tuple[Message, asyncio.Future[Message]]] = {}
        self._in_flight = 0
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """Count a call; with the fault for it the third of those in flight at once is never answered."""
        self._in_flight += 1
        try:
            if self.server.faulty("one-of-many-lost"):
                number = self._in_flight
                await asyncio.sleep(OVERLAP_SECONDS)
                if number == LOST_ONE:
                    await asyncio.Event().wait()
            if self.server.faulty("calls-one-by-one"):
                async with self._turn:
                    yield
            else:
                yield
        finally:
            self._in_flight -= 1

    async def result_for(self, request: Request, result: Message) -> Message:
        """The result of the call, or that of another one with which the chosen fault mixes it up."""
        key = self._key(request)
        return result if key is None else await self._swapped(key, result)

    def _key(self, request: Request) -> Hashable | None:
        """What two calls have in common that get each other's results."""
        faulty, session = self.server.faulty, id(request.context.session)
        over_http = request.context.headers is not None
        if faulty("crossed-answers"):
            return "any"
        if request.era == LEGACY and over_http and faulty("session-mixes-equal-ids"):
            return session, type(request.id), request.id
        if request.era == LEGACY and faulty("ids-told-apart-as-texts"):
            return session, str(request.id)
        if request.era != LEGACY and over_http and faulty("equal-ids-crossed"):
            return str(request.id)
        return None

    async def _swapped(self, key: Hashable, result: Message) -> Message:
        if key in self._held:
            other, future = self._held.pop(key)
            future.set_result(result)
            return other
        future = asyncio.get_running_loop().create_future()
        self._held[key] = (result, future)
        await asyncio.wait({future}, timeout=PARTNER_SECONDS)
        if future.done():
            return future.result()
        self._held.pop(key, None)
        return result
