"""Keywords that judge lists as lists: their pages, their cursors, and whether they stay the same."""

from __future__ import annotations

from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks.lists import identity, list_differences, order_difference, repeated
from ..checks.resources import DEFINITIONS
from ..session.revisions import LIST_KEYS
from ..wire import jsonrpc
from ..wire.jsonrpc import METHOD_NOT_FOUND, MISSING
from .base import Group, Reply, ended, source_of

ListMethod = Literal["tools/list", "prompts/list", "resources/list", "resources/templates/list"]
Definitions = Literal["resources", "resource URIs", "resource templates", "prompts"]

UNKNOWN_CURSOR = "mcplibrary-no-such-cursor"


class Lists(Group):
    send_raw_request: Any
    get_permitted_calls: Any
    assert_error_code: Any

    @keyword(tags=["lists"])
    def read_pages(self, method: ListMethod, *, server: str | None = None) -> list[Reply]:
        """Read a list page by page to its end, and return the reply of each page. (PAGE-01, PAGE-04, PAGE-06)

        Args:
            method: `tools/list`, `prompts/list`, `resources/list` or `resources/templates/list`.
            server: Alias of the connection; the current one if not given.

        Returns:
            The replies in order, at least one. Skips when the server does not declare the capability, or has no templates.

        Fails when a page is no list, its cursor no text, a cursor comes again, or there is no end.

        Example:
        ```robotframework
        ${pages} =    Read Pages    tools/list
        Items Should Be Listed Once    @{pages}
        ```
        """
        from ..session.session import BadList

        connection = self.ctx.connection(server)
        capability = method.partition("/")[0]
        if capability not in connection.session.server.capabilities:
            raise SkipExecution(f"Not applicable: the server does not declare the capability {capability!r}.")
        with self.ctx.logged(connection):
            try:
                _, exchanges = self.ctx.wait(connection.session.walk, method, timeout=connection.session.timeout * 20)
            except BadList as error:
                raise self.ctx.broken(f"{error}.", connection.session.transcript.exchange(-1)) from None
        last = exchanges[-1]
        if last.error_code == METHOD_NOT_FOUND and method == "resources/templates/list":
            raise SkipExecution("Not applicable: the server has no resource templates.")
        if last.answer is None:
            raise self.ctx.no_answer(last, connection)
        if last.result is MISSING:
            raise self.ctx.broken(f"Page {len(exchanges)} of {method} should be a list, but was {ended(last)}.", last)
        return [Reply(exchange, connection.alias) for exchange in exchanges]

    @keyword(tags=["lists", "assertion"])
    def items_should_be_listed_once(self, *pages: Any) -> None:
        """Fail if the very same item is on these pages twice. (PAGE-01)

        Args:
            pages: What *Read Pages* returned.
        """
        doubled = repeated(item for page in pages for item in _items(page))
        if doubled:
            raise self.ctx.broken(
                f"Each item should be listed once over all {len(pages)} pages, but {doubled[0]!r} came again"
                f"{f', and {len(doubled) - 1} more' if len(doubled) > 1 else ''}.", source_of(pages[-1]),
            )  # fmt: skip

    @keyword(tags=["lists", "assertion"])
    def last_page_should_have_no_cursor(self, *pages: Any) -> None:
        """Fail if the last page has a `nextCursor` at all, such as null. (PAGE-02)

        Args:
            pages: What *Read Pages* returned.
        """
        exchange = source_of(pages[-1])
        if "nextCursor" in exchange.result:
            raise self.ctx.broken(
                f"The last page should have no 'nextCursor', but has {jsonrpc.to_json(exchange.result['nextCursor'])}.", exchange
            )  # fmt: skip

    @keyword(tags=["lists", "assertion"])
    def unknown_cursor_should_be_refused(self, *pages: Any) -> None:
        """Send a cursor that the server never gave out; fail unless the answer is -32602. (PAGE-03)

        Args:
            pages: What *Read Pages* returned for the list.
        """
        reply = self._page(pages[0], UNKNOWN_CURSOR)
        self.assert_error_code(reply, jsonrpc.INVALID_PARAMS)

    @keyword(tags=["lists", "assertion"])
    def pages_should_stay_the_same(self, *pages: Any) -> None:
        """Ask for each page once more by its cursor; fail if it holds other items, or in another order. (PAGE-05)

        Args:
            pages: What *Read Pages* returned. Skips when the list is empty.
        """
        if not any(_items(page) for page in pages):
            raise SkipExecution(f"Nothing was judged: {source_of(pages[0]).method} lists nothing.")
        for number, page in reversed(list(enumerate(pages, 1))):  # The last first, as no client does that only walks.
            first = source_of(page)
            cursor = (first.request.value.get("params") or {}).get("cursor", MISSING)
            exchange = source_of(self._page(page, cursor))
            what = f"Page {number} of {first.method}"
            if exchange.result is MISSING:
                raise self.ctx.broken(
                    f"{what} should be there again by its cursor, but was {ended(exchange)}.", exchange
                )
            again = exchange.result.get(LIST_KEYS[str(first.method)]) or []
            differences = list_differences(_items(page), again) or [order_difference(_items(page), again)]
            if differences[0]:
                raise self.ctx.broken(
                    f"{what} should be the same when it is read again, but {differences[0]}.", exchange
                )

    def _page(self, page: Any, cursor: Any) -> Any:
        params = None if cursor is MISSING else {"cursor": cursor}
        return self.send_raw_request(source_of(page).method, params, server=page.server)

    @keyword(tags=["lists", "assertion"])
    def listed_items_should_be_declared(self, method: ListMethod, *, server: str | None = None) -> None:
        """Fail if the server lists items without declaring the capability, or declares it and gives no list. (TOOL-01, RES-01, PROMPT-01)

        Args:
            method: `tools/list`, `prompts/list` or `resources/list`.
            server: Alias of the connection; the current one if not given.

        Skips when it neither declares nor lists any.
        """
        connection, capability = self.ctx.connection(server), method.partition("/")[0]
        exchange = source_of(self.send_raw_request(method, server=server))
        key = LIST_KEYS[method]
        listed = exchange.result.get(key) if isinstance(exchange.result, dict) else None
        if capability in connection.session.server.capabilities:
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, connection)
            if not isinstance(listed, list):
                got = ended(exchange) if exchange.result is MISSING else jsonrpc.to_json(listed)[:60]
                raise self.ctx.broken(
                    f"The server declares {capability!r}, so {method} should give an array {key!r}, but it was {got}.", exchange
                )  # fmt: skip
        elif isinstance(listed, list) and listed:
            declared = ", ".join(connection.session.server.capabilities) or "nothing"
            raise self.ctx.broken(
                f"A server with {key} should declare the capability {capability!r}, but it lists {len(listed)} and "
                f"declares {declared}.", exchange,
            )  # fmt: skip
        else:
            raise SkipExecution(f"Not applicable: the server neither declares nor lists {key}.")

    @keyword(tags=["lists", "assertion"])
    def definitions_should_be_valid(self, what: Definitions, *pages: Any) -> None:
        """Fail if an entry of a list is not what the schema says of it.

        Args:
            what: `resources` (RES-03), `resource URIs` (RFC 3986: RES-03, RES-18), `resource templates` (RFC 6570: RES-11),
                `prompts` (PROMPT-01).
            pages: What *Read Pages* returned for their list. Skips when it is empty.

        Example:
        ```robotframework
        ${pages} =    Read Pages    resources/list
        Definitions Should Be Valid    resource URIs    @{pages}
        ```
        """
        method, check = DEFINITIONS[what]
        items = [(item, source_of(page)) for page in pages for item in _items(page)]
        if not items:
            raise SkipExecution(f"Nothing was judged: {method} lists nothing.")
        bad = [(item, exchange, problems) for item, exchange in items if (problems := check(item))]
        if bad:
            item, exchange, problems = bad[0]
            others = f" So are {len(bad) - 1} more." if len(bad) > 1 else ""
            raise self.ctx.broken(
                f"{identity(item)!r} of {method} is not valid: {'; '.join(problems)}.{others}", exchange,
                evidence=jsonrpc.to_json(item),
            )  # fmt: skip

    @keyword(tags=["lists", "assertion"])
    def lists_should_be_the_same(self, method: ListMethod, before: list[Any], after: list[Any]) -> None:
        """Fail if an item came, went, or was redefined between two lists; the order does not count. (TOOL-03, RES-02, PROMPT-02)

        Args:
            method: What was listed, such as `tools/list`.
            before: What *List Tools*, *List Resources* or the like returned.
            after: What it returned later, or on another connection.

        Example:
        ```robotframework
        ${before} =    List Tools
        Call Tool    add    a=1    b=2
        ${after} =    List Tools
        Lists Should Be The Same    tools/list    ${before}    ${after}
        ```
        """
        differences = list_differences(before, after)
        if differences:
            raise self.ctx.broken(
                f"The answer of {method} should stay the same, but {'; '.join(differences[:3])}.",
                where=f"Server {self.ctx.connection().described}.",
                hint="a tool that is meant to change the list is to be named as mutating_tool in the profile.",
            )  # fmt: skip

    @keyword(tags=["suites"])
    def make_permitted_requests(self, *, server: str | None = None) -> int:
        """Ask what may be asked of any server without harm: read listed resources, get listed prompts, call permitted tools.

        At most ten of each. What comes back is not judged.

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            How many requests were made. Skips when there were none.
        """
        declared, made = self.ctx.connection(server).session.server.capabilities, 0
        requests: list[tuple[str, dict[str, Any]]] = []
        if "resources" in declared:
            listed = self.walk("resources/list", timeout=None, server=server)
            requests += [("resources/read", {"uri": item.get("uri")}) for item in listed[:10] if isinstance(item, dict)]
        if "prompts" in declared:
            listed = self.walk("prompts/list", timeout=None, server=server)
            requests += [("prompts/get", {"name": item.get("name")}) for item in listed[:10] if isinstance(item, dict)]
        if "tools" in declared:
            try:
                calls = self.get_permitted_calls()[:10]
            except SkipExecution as reason:
                logger.info(str(reason))
            else:
                requests += [("tools/call", {"name": c["name"], "arguments": dict(c["arguments"])}) for c in calls]
        for method, params in requests:
            self.send_raw_request(method, params, server=server)
            made += 1
        if not made:
            raise SkipExecution("Nothing was judged: there is nothing that may be asked of this server.")
        return made


def _items(page: Any) -> list[Any]:
    exchange = source_of(page)
    items = exchange.result.get(LIST_KEYS.get(str(exchange.method), "")) if isinstance(exchange.result, dict) else None
    return items if isinstance(items, list) else []
