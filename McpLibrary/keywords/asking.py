"""Keywords that ask the server something in the proper way: tools, resources, prompts, completion, ping, subscriptions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from robot.api import logger
from robot.api.deco import keyword

from ..failures import WrongUse
from ..types import Expect, OptionalJson, Protocol, ToolOption
from ..wire import jsonrpc
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, seconds, to_robot
from .tool_arguments import OPTIONS, convert_named, misspelled, take_options


class Asking(Group):
    @keyword(tags=["ask"])
    def call_tool(
        self,
        name: str,
        /,
        *,
        arguments: OptionalJson = None,
        expect: ToolOption | None = None,
        timeout: ToolOption | None = None,
        server: ToolOption | None = None,
        max_rounds: ToolOption | None = None,
        as_text: ToolOption | None = None,
        progress_token: ToolOption | None = None,
        **named: Any,
    ) -> Reply:
        """Call a tool and return its reply.

        Named values become arguments of the tool, converted by the tool's own `inputSchema`: with
        `qty=2    express=true    name=Bob` a tool whose schema says integer, boolean and string gets `2`, `true` and
        `"Bob"`. What was converted is logged. A name that the `inputSchema` declares is always the tool's, also when it
        is the name of an option below (`timeout=`, `server=` …); to use such an option with such a tool, give the
        tool's arguments by `arguments=`.

        Questions of the server are answered from the scripts of *Answer Elicitation* and its like, in both eras.

        Args:
            name: Name of the tool.
            arguments: All arguments as a JSON object, sent untouched; named values are then options only.
            expect: `RESULT` (default), `TOOL_ERROR`, `PROTOCOL_ERROR`, `NO_ANSWER` or `ANY`.
            timeout: Time for each answer.
            server: Alias of the connection.
            max_rounds: How many rounds of questions are answered before the call fails (10).
            as_text: `True` sends named values as the strings they are, to see what the server makes of them.
            progress_token: Ask for progress notifications under this token (JSON or text).
            named: Arguments of the tool.

        Returns:
            The reply: `${r.result}` and `${r.error}` (as dictionaries with dots, `None` if absent), `${r.text}` (the
            text blocks joined), `${r.is_error}`, `${r.status}` and `${r.headers}` (HTTP), `${r.messages}` (what came in
            between), `${r.message}` and `${r.sent}` (both messages whole), `${r.elapsed}` (seconds), `${r.outcome}`, `${r.exchange}` (number for *Get Exchange*).

        Fails when the call does not end as expected; both error channels are named apart. (TOOL-27 to TOOL-34)

        Example:
        ```robotframework
        ${r} =    Call Tool    book_order    item=tea    qty=2    express=true    name=Bob    timeout=soon    expect=x    server=y
        Should Be Equal    ${r.is_error}    ${False}
        Call Tool    no_such_tool    expect=PROTOCOL_ERROR
        ```
        """
        given: dict[str, Any] = {"expect": expect, "timeout": timeout, "server": server, "max_rounds": max_rounds, "as_text": as_text,
                 "progress_token": progress_token}  # fmt: skip
        given = {key: value for key, value in given.items() if value is not None}
        whole: Any = arguments
        self.ctx.reveal({**named, **given})
        # The connection decides whose schema is asked, so `server` can only be the tool's on the current connection.
        alias = str(given["server"]) if "server" in given and str(given["server"]) in self.ctx.connections else None
        schema = self._schema(name, alias, needed=bool(named or given) and whole is None)
        sent: dict[str, Any]
        if whole is not None:
            if named:
                raise WrongUse(
                    f"arguments= is sent untouched, so these named values have no place: {', '.join(named)}. "
                    f"Options are: {', '.join(OPTIONS)}."
                )
            if not isinstance(whole, dict):
                raise WrongUse(
                    f"arguments= takes the whole JSON object, got {jsonrpc.to_json(whole)[:60]}. For a tool "
                    'argument that is itself called "arguments" write arguments={"arguments": ...}. To send something '
                    "else than an object, use 'Send Raw Request'."
                )
            options, sent = take_options(given), whole
        else:
            mine, tools = split_names(given, schema)
            options = take_options(mine)
            sent, notes = convert_named({**named, **tools}, schema, as_text=options.as_text)
            if notes:
                logger.info("\n".join(notes))
            for warning in misspelled(named, schema):
                logger.warn(warning)
        params: dict[str, Any] = {"name": name, "arguments": sent}
        if options.progress_token is not MISSING:
            params["_meta"] = {"progressToken": options.progress_token}
        return self.ask(
            "tools/call", params, expect=options.expect, timeout=options.timeout, server=options.server,
            max_rounds=options.max_rounds,
        )  # fmt: skip

    def _schema(self, name: str, alias: str | None, *, needed: bool) -> dict[str, Any] | None:
        """The inputSchema of a tool; listed when named values need it, or a modern POST for its mirrored headers."""
        connection = self.ctx.connection(alias)
        session = connection.session
        if session.schemas is None and (needed or (session.modern and session.transport.kind == "http")):
            from ..session.session import BadList

            with self.ctx.logged(connection):
                try:
                    self.ctx.wait(session.tool_schemas, timeout=session.timeout * 20)
                except BadList as error:
                    logger.warn(f"The tools could not be listed, so arguments are sent as text: {error}")
        schema = (session.schemas or {}).get(name)
        return schema if isinstance(schema, dict) else None

    @keyword(tags=["ask"])
    def list_tools(self, *, timeout: timedelta | None = None, server: str | None = None) -> list[Any]:
        """Return all tools of the server, over all pages.

        Args:
            timeout: Time for each page.
            server: Alias of the connection; the current one if not given.

        Returns:
            A list of dictionaries exactly as the server sent them: `${tools}[0][name]`, `${tools}[0].inputSchema`.

        Fails when a page is no list, a cursor is no string, or cursors repeat. (TOOL-02, PAGE-01, PAGE-06)

        Example:
        ```robotframework
        ${tools} =    List Tools
        Log Many    @{tools}
        ```
        """
        return [to_robot(tool) for tool in self.walk("tools/list", timeout=seconds(timeout), server=server)]

    @keyword(tags=["ask"])
    def get_tool(self, name: str, *, timeout: timedelta | None = None, server: str | None = None) -> Any:
        """Return the definition of one tool.

        Args:
            name: Name of the tool.
            timeout: Time for each page of the list.
            server: Alias of the connection; the current one if not given.

        Returns:
            The tool as a dictionary. Fails when the server does not list it; the message says which tools there are.
        """
        return self._named("tools/list", name, "tool", seconds(timeout), server)

    def _named(self, method: str, name: str, what: str, timeout: float | None, server: str | None) -> Any:
        items = self.walk(method, timeout=timeout, server=server)
        names = [item.get("name") for item in items if isinstance(item, dict)]
        if name not in names:
            shown = ", ".join(map(str, names[:20])) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
            connection = self.ctx.connection(server)
            raise self.ctx.broken(
                f"The server has no {what} {name!r}. It has: {shown or 'none'}.",
                where=f"Server {connection.described}, {method}.",
            )
        return to_robot(items[names.index(name)])

    @keyword(tags=["ask"])
    def list_resources(self, *, timeout: timedelta | None = None, server: str | None = None) -> list[Any]:
        """Return all resources of the server, over all pages. Failures as for *List Tools*. (RES-01)

        Args:
            timeout: Time for each page.
            server: Alias of the connection; the current one if not given.
        """
        return [to_robot(item) for item in self.walk("resources/list", timeout=seconds(timeout), server=server)]

    @keyword(tags=["ask"])
    def list_resource_templates(self, *, timeout: timedelta | None = None, server: str | None = None) -> list[Any]:
        """Return all resource templates, over all pages. Failures as for *List Tools*. (RES-11)

        Args:
            timeout: Time for each page.
            server: Alias of the connection; the current one if not given.
        """
        return [
            to_robot(item) for item in self.walk("resources/templates/list", timeout=seconds(timeout), server=server)
        ]

    @keyword(tags=["ask"])
    def read_resource(
        self, uri: str, *, expect: Expect = Expect.RESULT, timeout: timedelta | None = None, server: str | None = None
    ) -> Reply:
        """Read a resource.

        Args:
            uri: URI of the resource.
            expect: How it shall end; a missing resource is `PROTOCOL_ERROR`.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply; `${r.result.contents}[0].text` or `.blob` holds the content. (RES-04)

        Example:
        ```robotframework
        ${r} =    Read Resource    shop://menu
        ```
        """
        return self.ask("resources/read", {"uri": uri}, expect=expect, timeout=seconds(timeout), server=server)

    @keyword(tags=["ask"])
    def list_prompts(self, *, timeout: timedelta | None = None, server: str | None = None) -> list[Any]:
        """Return all prompts of the server, over all pages. Failures as for *List Tools*. (PROMPT-01)

        Args:
            timeout: Time for each page.
            server: Alias of the connection; the current one if not given.
        """
        return [to_robot(item) for item in self.walk("prompts/list", timeout=seconds(timeout), server=server)]

    @keyword(tags=["ask"])
    def get_prompt(
        self,
        name: str,
        /,
        *,
        arguments: OptionalJson = None,
        expect: Expect = Expect.RESULT,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Get a prompt, filled with arguments.

        Args:
            name: Name of the prompt.
            arguments: Its arguments as a JSON object; the protocol knows only strings as values.
            expect: How it shall end; an unknown prompt is `PROTOCOL_ERROR`.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply; `${r.result.messages}` holds the messages. (PROMPT-03)

        Example:
        ```robotframework
        ${r} =    Get Prompt    order_letter    arguments={"customer": "Ada"}
        ```
        """
        params: dict[str, Any] = {"name": name}
        if arguments is not None:
            params["arguments"] = arguments
        return self.ask("prompts/get", params, expect=expect, timeout=seconds(timeout), server=server)

    @keyword(tags=["ask"])
    def complete_argument(
        self,
        reference: str,
        argument: str,
        value: str = "",
        *,
        context: OptionalJson = None,
        expect: Expect = Expect.RESULT,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Ask for completions of an argument of a prompt or a resource template.

        Args:
            reference: Name of a prompt, or a URI template (anything with `://`).
            argument: Name of the argument.
            value: What was typed so far.
            context: Arguments that are settled already, as a JSON object.
            expect: How it shall end.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply; `${r.result.completion.values}` holds the values. (COMPL-02)
        """
        ref = (
            {"type": "ref/resource", "uri": reference}
            if "://" in reference
            else {"type": "ref/prompt", "name": reference}
        )
        params: dict[str, Any] = {"ref": ref, "argument": {"name": argument, "value": value}}
        if context is not None:
            params["context"] = {"arguments": context}
        return self.ask("completion/complete", params, expect=expect, timeout=seconds(timeout), server=server)

    @keyword(tags=["ask"])
    def ping_server(
        self, *, expect: Expect = Expect.RESULT, timeout: timedelta | None = None, server: str | None = None
    ) -> Reply:
        """Send `ping`, which only legacy revisions know, and require its answer. (PING-01)

        Args:
            expect: How it shall end; `PROTOCOL_ERROR` on a modern connection. (PING-02)
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.
        """
        return self.ask("ping", {}, expect=expect, timeout=seconds(timeout), server=server)

    @keyword(tags=["ask"])
    def set_log_level(
        self, level: str, *, expect: Expect = Expect.RESULT, timeout: timedelta | None = None, server: str | None = None
    ) -> Reply:
        """Send `logging/setLevel`, which only legacy revisions know. (LOG-07)

        Args:
            level: One of `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert`, `emergency`.
            expect: How it shall end.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.
        """
        return self.ask("logging/setLevel", {"level": level}, expect=expect, timeout=seconds(timeout), server=server)

    @keyword(tags=["ask"])
    def subscribe_to_resource(
        self, uri: str, *, expect: Expect = Expect.RESULT, timeout: timedelta | None = None, server: str | None = None
    ) -> Reply:
        """Subscribe to updates of a resource in the legacy way; modern servers have *Listen For Changes*. (RES-15)

        Args:
            uri: URI of the resource.
            expect: How it shall end.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.
        """
        return self.ask("resources/subscribe", {"uri": uri}, expect=expect, timeout=seconds(timeout), server=server)

    @keyword(tags=["ask"])
    def unsubscribe_from_resource(
        self, uri: str, *, expect: Expect = Expect.RESULT, timeout: timedelta | None = None, server: str | None = None
    ) -> Reply:
        """End a subscription of *Subscribe To Resource*. (RES-15)

        Args:
            uri: URI of the resource.
            expect: How it shall end.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.
        """
        return self.ask("resources/unsubscribe", {"uri": uri}, expect=expect, timeout=seconds(timeout), server=server)

    @keyword(tags=["ask"])
    def discover_server(self, *, timeout: timedelta | None = None, server: str | None = None) -> Reply:
        """Send `server/discover` and use the modern revision from now on when the server supports it. (DISC-01)

        Args:
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply, whatever it is; *Call Should Succeed* judges it.

        Example:
        ```robotframework
        Connect To Server    demo    handshake=False
        ${r} =    Discover Server
        Call Should Succeed    ${r}
        ```
        """
        from ..session.negotiation import discover

        connection = self.ctx.connection(server)
        limit = seconds(timeout)

        async def run() -> Any:
            return await discover(connection.session, timeout=limit)

        with self.ctx.logged(connection):
            return Reply(self.ctx.wait(run, timeout=limit or connection.session.timeout), connection.alias)

    @keyword(tags=["ask"])
    def initialize_session(
        self,
        protocol: Protocol = "legacy",  # type: ignore[assignment]
        *,
        complete: bool = True,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send `initialize` and, when it succeeds, `notifications/initialized`. (HS-01, HS-09)

        Args:
            protocol: `legacy` for the newest legacy revision, or one by name.
            complete: `False` leaves out `notifications/initialized` (and the GET stream that follows it over HTTP).
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply of `initialize`, whatever it is; *Call Should Succeed* judges it.

        Example:
        ```robotframework
        Connect To Server    demo    handshake=False
        ${r} =    Initialize Session    2025-06-18
        Should Be Equal    ${r.result.protocolVersion}    2025-06-18
        ```
        """
        from ..session.negotiation import initialize
        from ..session.revisions import LATEST_LEGACY, LEGACY, REVISIONS

        wish = str(protocol)
        if wish not in ("legacy", *LEGACY):
            raise WrongUse(
                f"'initialize' belongs to the legacy era; use legacy or one of {', '.join(LEGACY)}, not {wish}."
            )
        connection = self.ctx.connection(server)
        revision, limit = REVISIONS.get(wish, LATEST_LEGACY), seconds(timeout)

        async def run() -> Any:
            return await initialize(connection.session, revision, complete=complete, timeout=limit)

        with self.ctx.logged(connection):
            return Reply(self.ctx.wait(run, timeout=limit or connection.session.timeout), connection.alias)


def split_names(given: dict[str, Any], schema: dict[str, Any] | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Our options and the tool's arguments among names that could be both: what the schema declares is the tool's."""
    declared = schema.get("properties") if isinstance(schema, dict) else None
    tools = {key: value for key, value in given.items() if isinstance(declared, dict) and key in declared}
    return {key: value for key, value in given.items() if key not in tools}, tools
