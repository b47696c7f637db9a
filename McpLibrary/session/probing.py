"""What keywords watch a server with, in the loop: requests at once, waiting for a fact, a look at its port."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import Any

import anyio

from ..wire.frame import Exchange
from .session import Session

POLL = 0.01
"""Seconds between two looks at a fact that is waited for."""

_OUTSIDE = {socket.AF_INET: "192.0.2.254", socket.AF_INET6: "2001:db8::254"}
"""Addresses for documentation: nothing is sent, they only show which own address would be used to get there."""


async def together(session: Session, method: str, params: Sequence[Any]) -> list[Exchange]:
    """One request for each of these params, all in flight at once; the exchanges in the same order."""
    exchanges: list[Any] = [None] * len(params)

    async def send(place: int) -> None:
        exchanges[place] = await session.request(method, params[place])

    async with anyio.create_task_group() as tasks:
        for place in range(len(params)):
            tasks.start_soon(send, place)
    return exchanges


async def until(fact: Callable[[], Any], limit: float) -> Any:
    """The fact as soon as it is neither ``None`` nor false, or what it is after that many seconds."""
    with anyio.move_on_after(limit):
        while not (value := fact()):
            await anyio.sleep(POLL)
        return value
    return fact()


async def pause(seconds: float) -> None:
    await anyio.sleep(seconds)


def own_addresses() -> list[str]:
    """The addresses under which other machines would reach this one, one for IPv4 and one for IPv6."""
    found = []
    for family, outside in _OUTSIDE.items():
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))
            found.append(str(probe.getsockname()[0]))
    return [address for address in found if not is_loopback(address)]


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def accepting(addresses: Sequence[str], port: int, limit: float) -> list[str]:
    """Those of these addresses at which something accepts connections on the port; nothing is sent."""
    found = []
    for address in addresses:
        with anyio.move_on_after(limit), contextlib.suppress(OSError):
            async with await anyio.connect_tcp(address, port):
                found.append(address)
    return found
