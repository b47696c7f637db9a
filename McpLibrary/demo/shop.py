"""Builds the sample server, a small shop, and holds the tools that its business needs."""

from typing import Annotated

from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from McpLibrary.demo.asking import add_asking_prompt, add_asking_tools
from McpLibrary.demo.hints import ADDS, DESTROYS, READS, SETS
from McpLibrary.demo.manners import MannerlyServer
from McpLibrary.demo.oven import Oven, task_manners
from McpLibrary.demo.parcels import add_parcel_tool
from McpLibrary.demo.paying import add_paying_tools
from McpLibrary.demo.shelf import BOARD, HAPPY_HOUR, add_completion, add_prompts, add_resources
from McpLibrary.demo.showcase import add_showcase_tools
from McpLibrary.demo.state import PRICES, Counters, Goods, Item, Order, Quantity, Shop, euros, principal
from McpLibrary.demo.views import menu_view

Cart = Annotated[str, Field(min_length=1, max_length=100, description="Handle of a cart, from open_cart")]


class Offer(BaseModel):
    """One kind of goods."""

    item: Goods = Field(description="Name of the goods")
    cents: int = Field(ge=0, description="Price of one in cents")
    in_stock: bool = Field(description="Whether it can be ordered now")


class OrderBook(BaseModel):
    """All orders."""

    orders: list[Order] = Field(description="The orders, oldest first")


class OpenCart(BaseModel):
    """A new cart."""

    cart: str = Field(description="Handle of the cart; nobody else can use it")


def build_server(*, auth: AuthSettings | None = None, token_verifier: TokenVerifier | None = None) -> MannerlyServer:
    """A new shop with its own state. With `auth` and `token_verifier` its HTTP endpoint asks for tokens."""
    server = MannerlyServer(
        "orders-shop",
        version="1.0.0",
        instructions="A small shop: look at offers, book orders, fill carts. Prices are in euros.",
        # Its crashes are part of the show; in a process that it shares with Robot their tracebacks would be noise.
        log_level="CRITICAL",
        auth=auth,
        token_verifier=token_verifier,
        extensions=[Oven(), menu_view()],
        middleware=[task_manners],
    )
    shop = Shop()
    add_order_tools(server, shop)
    add_cart_tools(server, shop)
    add_asking_tools(server, shop)
    add_paying_tools(server)
    add_showcase_tools(server, shop)
    add_parcel_tool(server)
    add_happy_hour(server, shop)
    add_resources(server, shop)
    add_prompts(server)
    add_asking_prompt(server)
    add_completion(server)
    return server


def add_order_tools(server: MannerlyServer, shop: Shop) -> None:
    @server.tool(annotations=READS)
    async def price_of(item: Item, qty: Quantity = 1) -> str:
        """Say what a number of goods costs."""
        return f"{qty} x {item} = {euros(PRICES[item] * qty)}"

    @server.tool(annotations=READS)
    async def describe_offer(item: Item) -> Offer:
        """Describe one kind of goods as data."""
        return Offer(item=item, cents=PRICES[item], in_stock=True)

    @server.tool(annotations=READS)
    async def list_orders() -> OrderBook:
        """List all orders, oldest first."""
        return OrderBook(orders=list(shop.orders.values()))

    @server.tool(annotations=READS)
    async def get_order(
        number: Annotated[int, Field(ge=1, le=999_999, description="Number of the order")],
    ) -> Order:
        """Look up one order by its number."""
        if number not in shop.orders:
            raise ToolError(f"There is no order {number}. Call list_orders to see the numbers that exist.")
        return shop.orders[number]

    @server.tool(annotations=ADDS)
    @shop.counted
    async def book_order(
        name: Annotated[str, Field(min_length=1, max_length=80, description="Name of the customer")],
        item: Item = "tea",
        qty: Quantity = 1,
        express: Annotated[bool, Field(description="Whether it goes out at once")] = False,
        timeout: Annotated[str, Field(max_length=40, description="Until when the customer waits")] = "closing time",
        expect: Annotated[str, Field(max_length=80, description="What the customer expects with it")] = "nothing",
        server: Annotated[str, Field(max_length=80, description="Who serves the customer")] = "anyone",
    ) -> Order:
        """Book an order and return it."""
        return shop.book(item, qty, name, express=express)

    # Not counted among the runs: a repeated call leaves no trace at all.
    @server.tool(annotations=SETS)
    async def make_express(
        number: Annotated[int, Field(ge=1, le=999_999, description="Number of the order")],
    ) -> Order:
        """See to it that an order goes out at once."""
        if number not in shop.orders:
            raise ToolError(f"There is no order {number}. Call list_orders to see the numbers that exist.")
        shop.orders[number].express = True
        return shop.orders[number]

    @server.tool(annotations=DESTROYS)
    @shop.counted
    async def delete_all_orders() -> str:
        """Delete every order for good."""
        count = len(shop.orders)
        shop.orders.clear()
        return f"Deleted {count} orders."

    @server.tool(annotations=READS)
    async def shop_counters() -> Counters:
        """Show what the shop has done so far: orders, runs of tools, cancelled calls."""
        return shop.counters()

    @server.tool(annotations=READS)
    async def whoami() -> str:
        """Say who is calling, as the access token tells."""
        return principal() or "anonymous"


def add_cart_tools(server: MannerlyServer, shop: Shop) -> None:
    @server.tool(annotations=ADDS)
    @shop.counted
    async def open_cart() -> OpenCart:
        """Open an empty cart and return the handle that fill_cart needs."""
        return OpenCart(cart=shop.open_cart())

    @server.tool(annotations=ADDS)
    @shop.counted
    async def fill_cart(cart: Cart, item: Item, qty: Quantity = 1) -> str:
        """Put goods into a cart and say what it holds."""
        contents = shop.cart(cart)
        if contents is None:
            raise ToolError("No open cart has this handle. Call open_cart to get a new one.")
        contents[item] = contents.get(item, 0) + qty
        return ", ".join(f"{count} x {goods}" for goods, count in contents.items())


def add_happy_hour(server: MannerlyServer, shop: Shop) -> None:
    """A tool, a resource and a prompt are offered in the happy hour only, so that all lists really change."""
    seasonal = {"happy_hour_price", HAPPY_HOUR, "happy_hour_poster"}
    server.withheld |= seasonal

    @server.tool(annotations=ADDS)
    @shop.counted
    async def toggle_happy_hour(ctx: Context) -> str:
        """Begin or end the happy hour: lists and the board change, and all listeners are told."""
        shop.happy_hour = not shop.happy_hour
        server.withheld ^= seasonal
        await server.announce_changes(ctx, BOARD)
        return "The happy hour has begun." if shop.happy_hour else "The happy hour is over."

    @server.tool(annotations=READS)
    async def happy_hour_price(item: Item) -> str:
        """Say what goods cost in the happy hour."""
        return f"1 x {item} = {euros(PRICES[item] // 2)}"
