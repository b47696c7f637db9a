"""Keywords that judge what a server publishes about its tools: names, schemas, hints, and lists that stay the same."""

from __future__ import annotations

from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks.definitions import PARTS, doubled_names, icon_problems
from ..checks.lists import order_difference
from ..checks.portability import Finding, findings
from ..checks.schemas import size_of
from ..session.revisions import LIST_KEYS
from ..types import Json
from ..wire import jsonrpc
from ..wire.jsonrpc import MISSING
from .base import Group

ToolPart = Literal["shapes", "names", "descriptions", "input roots", "output roots", "dialects", "references",
                   "annotations", "icons", "executions"]  # fmt: skip
Consumer = Literal["anthropic", "openai", "gemini", "vscode", "cursor"]

NO_TOOLS = "Nothing was judged: the server lists no tools."


class Definitions(Group):
    get_tool: Any
    list_tools: Any
    send_raw_request: Any

    @keyword(tags=["contract", "assertion"])
    def tool_definitions_should_have_valid(self, part: ToolPart, *, server: str | None = None) -> list[str]:
        """Fail if this part of a listed tool is not what the connection's revision wants; all pages are read.

        Args:
            part: `shapes` (objects with a name, TOOL-02), `names` (TOOL-06), `descriptions` (TOOL-08), `input roots`
                (TOOL-09, SCHEMA-06), `output roots` (TOOL-16), `dialects` (both schemas valid in their own dialect,
                TOOL-10 to TOOL-12), `references` (no `$ref` leaves its schema, TOOL-15), `annotations` (TOOL-26),
                `icons` (TOOL-38), `executions` (TOOL-39).
            server: Alias of the connection; the current one if not given.

        Returns:
            The names of the judged tools. Skips when the revision has no rule about it, or no tool has the part.

        Example:
        ```robotframework
        Tool Definitions Should Have Valid    dialects
        ```
        """
        judged, revision = PARTS[part], self.revision(server)
        if not judged.applies(revision):
            raise SkipExecution(f"Not applicable: revision {revision.name} has no rule about the {part} of tools.")
        tools = [t for t in self._tools(server) if not judged.member or (isinstance(t, dict) and judged.member in t)]
        if not tools:
            raise SkipExecution(f"Nothing was judged: no listed tool has {judged.member!r}.")
        self._judge_items("tool", [(_name(tool), tool, judged.problems(tool, revision)) for tool in tools], server)
        return [_name(tool) for tool in tools]

    @keyword(tags=["contract", "assertion"])
    def tool_names_should_be_unique(self, *, server: str | None = None) -> None:
        """Fail if two tools of any pages have the same name, upper and lower case told apart. (TOOL-07)

        Args:
            server: Alias of the connection; the current one if not given.
        """
        doubled = doubled_names(self._tools(server))
        if doubled:
            raise self.ctx.broken(
                f"Each tool should have a name of its own, but more than one is called {' and '.join(map(repr, doubled))}.",
                where=self._where("tools/list", server),
            )

    @keyword(tags=["contract", "assertion"])
    def icons_should_be_safe_to_load(self, *, server: str | None = None) -> None:
        """Fail if an icon of the server, a tool, a prompt or a resource has a `src` other than https: or data:. (TOOL-38)

        Args:
            server: Alias of the connection; the current one if not given.

        Skips when the revision has no icons, or there are none.
        """
        revision, session = self.revision(server), self.ctx.connection(server).session
        if not PARTS["icons"].applies(revision):
            raise SkipExecution(f"Not applicable: revision {revision.name} has no icons.")
        owners: list[tuple[str, Any]] = [("the server", session.server.info)]
        for method, key in LIST_KEYS.items():
            if method.partition("/")[0] in session.server.capabilities:
                owners += [
                    (f"{key[:-1]} {_name(item)!r}", item) for item in self.walk(method, timeout=None, server=server)
                ]
        with_icons = [(name, owner) for name, owner in owners if isinstance(owner, dict) and "icons" in owner]
        if not with_icons:
            raise SkipExecution("Nothing was judged: nothing that the server lists has icons.")
        self._judge_items("", [(name, owner, icon_problems(owner, revision)) for name, owner in with_icons], server)

    @keyword(tags=["contract", "assertion"])
    def tool_lists_should_have_the_same_order(self, before: list[Any], *others: list[Any]) -> None:
        """Fail if the same tools come in another order. (TOOL-05)

        Args:
            before: What *List Tools* returned.
            others: What it returned later, or on other connections.
        """
        for other in others:
            difference = order_difference(before, other)
            if difference:
                raise self.ctx.broken(
                    f"Tools should come in the same order each time, but {difference}.",
                    where=self._where("tools/list"), hint="another order empties the prompt caches of models.",
                )  # fmt: skip

    @keyword(tags=["contract", "assertion"])
    def schemas_should_be_portable(self, *consumers: Consumer, server: str | None = None) -> list[Any]:
        """Fail if the schema of a tool has what a consumer is known to refuse; what is only misread is logged. (SCHEMA-02)

        Args:
            consumers: Which to think of: `anthropic`, `openai`, `gemini`, `vscode`, `cursor`; all if not given.
            server: Alias of the connection; the current one if not given.

        Returns:
            All findings: `rule`, `severity` (`error` or `warning`), `consumers`, `place`, `suggestion`.
        """
        found: list[Finding] = findings(self._tools(server), consumers)
        errors = [str(finding) for finding in found if finding.severity == "error"]
        if len(errors) < len(found):
            logger.info("\n".join(["Warnings:", *(str(f) for f in found if f.severity != "error")]))
        if errors:
            raise self.ctx.broken(
                f"Schemas should stay within what consumers accept, but {_some(errors)}.",
                where=self._where("tools/list", server),
            )
        return found

    @keyword(tags=["contract", "assertion"])
    def tool_schema_should_equal(
        self, tool: str, schema: Json, *, member: Literal["inputSchema", "outputSchema"] = "inputSchema",
        server: str | None = None,
    ) -> None:  # fmt: skip
        """Fail unless the published schema of a tool is exactly this one. (SCHEMA-03)

        SDKs that rebuild schemas lose keywords such as `$defs`, `$anchor`, `if` and `additionalProperties`.

        Args:
            tool: Name of the tool.
            schema: The source schema as a JSON object.
            member: Which of its schemas.
            server: Alias of the connection; the current one if not given.
        """
        published = self.get_tool(tool, server=server).get(member)
        difference = _difference(schema, published, member)
        if difference:
            raise self.ctx.broken(
                f"Tool {tool!r} should publish its schema unchanged, but {difference}.",
                where=self._where("tools/list", server), evidence=jsonrpc.to_json(published),
            )  # fmt: skip

    @keyword(tags=["contract", "assertion"])
    def schemas_should_be_bounded(
        self, *, depth: int = 16, subschemas: int = 500, octets: int = 65_536, server: str | None = None
    ) -> None:
        """Fail if a schema of a tool is larger than these limits; a client must process all of it. (SCHEMA-04)

        Args:
            depth: How deep schemas may be nested.
            subschemas: How many schemas one may hold.
            octets: Bytes of one schema as compact JSON.
            server: Alias of the connection; the current one if not given.
        """
        judged = []
        for tool in self._tools(server):
            for member in ("inputSchema", "outputSchema"):
                schema = tool.get(member) if isinstance(tool, dict) else None
                if isinstance(schema, dict):
                    size = size_of(schema)
                    over = [f"{member!r} has {what} {got}, the limit is {limit}"
                            for what, got, limit in (("a depth of", size.depth, depth), ("subschemas:", size.count, subschemas),
                                                     ("bytes:", size.octets, octets)) if got > limit]  # fmt: skip
                    judged.append((_name(tool), tool, over))
        self._judge_items("tool", judged, server)

    @keyword(tags=["contract", "assertion"])
    def tool_list_should_be_no_larger_than(self, octets: int, *, server: str | None = None) -> int:
        """Fail if all tools together take more bytes as compact JSON; models read them in each conversation. (SCHEMA-05)

        Args:
            octets: The limit in bytes; about four of them are one token.
            server: Alias of the connection; the current one if not given.

        Returns:
            The size in bytes.
        """
        tools = self._tools(server)
        size = size_of(tools).octets
        if size > octets:
            largest = max(tools, key=lambda tool: size_of(tool).octets)
            raise self.ctx.broken(
                f"The tools should take at most {octets} bytes, but the {len(tools)} take {size}. The largest is "
                f"{_name(largest)!r} with {size_of(largest).octets}.", where=self._where("tools/list", server),
            )  # fmt: skip
        return size

    # -- helpers ------------------------------------------------------------------------------------------------

    def _tools(self, server: str | None) -> list[Any]:
        tools = self.walk("tools/list", timeout=None, server=server)
        if not tools:
            raise SkipExecution(NO_TOOLS)
        return tools

    def _where(self, method: str, server: str | None = None) -> str:
        return f"Server {self.ctx.connection(server).described}, {method}."

    def _judge_items(self, what: str, judged: list[tuple[str, Any, list[str]]], server: str | None) -> None:
        """Fail when one of (name, item, problems) has problems; the message names all such items."""
        bad = [(name, item, problems) for name, item, problems in judged if problems]
        if not bad:
            return
        name, item, problems = bad[0]
        more = f" The same matter: {', '.join(repr(other[0]) for other in bad[1:9])}" if len(bad) > 1 else ""
        more += f" and {len(bad) - 9} more." if len(bad) > 9 else "." if more else ""
        shown = f"{what.capitalize()} {name!r}" if what else f"{name[:1].upper()}{name[1:]}"
        raise self.ctx.broken(
            f"{shown}: {_some(problems)}.{more}", where=self._where("tools/list" if what else "its lists", server),
            evidence=jsonrpc.to_json(item),
        )  # fmt: skip


def _name(item: Any) -> str:
    return str(item.get("name")) if isinstance(item, dict) else repr(item)


def _some(problems: list[str]) -> str:
    return f"{problems[0]} (and {len(problems) - 1} more)" if len(problems) > 1 else problems[0]


def _difference(wanted: Any, got: Any, place: str) -> str:
    """Where two JSON values part, in words; empty when they are equal, types included."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in [*wanted, *got]:
            found = _difference(wanted.get(key, MISSING), got.get(key, MISSING), f"{place}.{key}")
            if found:
                return found
        return ""
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        pairs = enumerate(zip(wanted, got, strict=True))
        return next((found for n, (w, g) in pairs if (found := _difference(w, g, f"{place}.{n}"))), "")
    if wanted is MISSING or got is MISSING:
        return f"{place} is {'missing' if got is MISSING else 'new'}"
    same = wanted == got and isinstance(wanted, bool) == isinstance(got, bool)
    return "" if same else f"{place} is {jsonrpc.to_json(got)} instead of {jsonrpc.to_json(wanted)}"
