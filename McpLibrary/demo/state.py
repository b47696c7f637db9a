"""What one shop holds in memory: goods, orders, carts and the counters that the state probe shows."""

import functools
import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal, ParamSpec, TypeVar

from mcp.server.auth.middleware.auth_context import get_access_token
from pydantic import BaseModel, Field

P = ParamSpec("P")
R = TypeVar("R")

Goods = Literal["tea", "coffee", "cocoa", "cake"]
Item = Annotated[Goods, Field(description="What to buy")]
Quantity = Annotated[int, Field(ge=1, le=100, description="How many of it")]

PRICES: dict[Goods, int] = {"tea": 250, "coffee": 320, "cocoa": 340, "cake": 410}


class Order(BaseModel):
    """One order."""

    number: int = Field(ge=1, description="Number of the order")
    item: Goods = Field(description="What was ordered")
    qty: int = Field(ge=1, description="How many of it")
    customer: str = Field(description="Who ordered")
    express: bool = Field(description="Whether it goes out at once")
    cents: int = Field(ge=0, description="Price of the whole order in cents")


class Counters(BaseModel):
    """What the shop has done so far."""

    orders: int = Field(ge=0, description="Orders in the book now")
    happy_hour: bool = Field(description="Whether it is happy hour")
    ran: dict[str, int] = Field(description="How often each tool that changes something ran")
    slow_started: int = Field(ge=0, description="Slow calls begun")
    slow_finished: int = Field(ge=0, description="Slow calls that came to their end")
    slow_cancelled: int = Field(ge=0, description="Slow calls that were cancelled")


def principal() -> str | None:
    """Who is calling: the holder of the token, or nobody in particular where there are no tokens."""
    token = get_access_token()
    return f"{token.client_id}/{token.subject or ''}" if token else None


class Shop:
    """The state of one server. Nothing here is shared between servers."""

    def __init__(self) -> None:
        self.orders: dict[int, Order] = {}
        self.happy_hour = False
        self.ran: dict[str, int] = {}
        self.slow_started = self.slow_finished = self.slow_cancelled = 0
        self.spent: set[str] = set()
        self._last_number = 0
        # Keyed by caller and handle together, so that a handle alone opens nobody else's cart.
        self._carts: dict[tuple[str | None, str], dict[Goods, int]] = {}
        self.book("tea", 2, "Ada", express=False)
        self.book("cake", 1, "Grace", express=True)

    def book(self, item: Goods, qty: int, customer: str, *, express: bool) -> Order:
        self._last_number += 1
        order = Order(
            number=self._last_number,
            item=item,
            qty=qty,
            customer=customer,
            express=express,
            cents=PRICES[item] * qty,
        )
        self.orders[order.number] = order
        return order

    def open_cart(self) -> str:
        handle = secrets.token_urlsafe(24)
        self._carts[principal(), handle] = {}
        return handle

    def cart(self, handle: str) -> dict[Goods, int] | None:
        return self._carts.get((principal(), handle))

    def counters(self) -> Counters:
        return Counters(
            orders=len(self.orders),
            happy_hour=self.happy_hour,
            ran=dict(self.ran),
            slow_started=self.slow_started,
            slow_finished=self.slow_finished,
            slow_cancelled=self.slow_cancelled,
        )

    def counted(self, tool: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        """Count the runs of a tool that changes something. Read-only tools leave the counters alone."""
        name = tool.__name__
        self.ran[name] = 0

        @functools.wraps(tool)
        async def run(*args: P.args, **kwargs: P.kwargs) -> R:
            self.ran[name] += 1
            return await tool(*args, **kwargs)

        return run


def euros(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d} EUR"
