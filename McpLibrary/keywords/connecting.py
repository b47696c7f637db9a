"""Keywords that connect to servers, switch between them, start and serve them, and tell what they said of themselves."""

from __future__ import annotations

import shlex
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from robot.api import logger
from robot.api.deco import keyword
from robot.api.types import Secret

from ..context import CLIENT_INFO
from ..failures import WrongUse
from ..session.revisions import LEGACY, REVISIONS
from ..session.targets import FORMS, BadTarget, Target, TransportKind, parse
from ..types import AutoClose, OptionalHeaders, OptionalJson, Protocol
from .base import Group, convert_options, seconds, to_robot

if TYPE_CHECKING:
    from ..session.connections import Connection


class Connecting(Group):
    @keyword(tags=["connect"])
    def connect_to_server(
        self,
        target: Any,
        *,
        alias: str | None = None,
        protocol: Protocol = "auto",  # type: ignore[assignment]
        handshake: bool = True,
        over: TransportKind = TransportKind.AUTO,
        config: str | None = None,
        headers: OptionalHeaders = None,
        token: Secret | None = None,
        env: dict[str, str | Secret] | None = None,
        cwd: str | None = None,
        path: str | None = None,
        client_capabilities: OptionalJson = None,
        client_info: OptionalJson = None,
        raise_exceptions: bool = False,
        timeout: timedelta | None = None,
        close: AutoClose | None = None,
    ) -> str:
        """Connect to an MCP server and make the connection the current one.

        The connection is closed with the test or suite that opened it; see `auto_close` of the library import.

        Args:
            target: What to connect to:
                a URL of Streamable HTTP (`http://127.0.0.1:8000/mcp`);
                a command that speaks stdio (`python server.py --flag`, or a list of words);
                a server object (`module:object`, `path/to/file.py:object`, or the object itself in a variable:
                `MCPServer` and low-level `Server` of the `mcp` SDK, FastMCP servers, ASGI apps, or a function
                without arguments that makes one);
                the name of a server in an `mcp.json`; or `demo`, the sample server of this library.
            alias: Name of the connection for `server=` and *Switch Server*. Made up if not given.
            protocol: `auto` asks `server/discover` and falls back to `initialize`; `legacy`, `modern`, or a revision
                such as `2025-11-25` pins it. A pinned revision that the server does not negotiate is a failure.
            handshake: `False` opens the transport and sends nothing, for *Initialize Session*, *Discover Server* and
                raw messages. With a modern `protocol` later requests still carry its envelope.
            over: `auto`, `stdio`, `http`, `sse` (HTTP+SSE of 2024-11-05) or `memory`. `http` serves an object of this
                process on a free loopback port; without it SDK objects are reached over memory streams.
            config: Path of the `mcp.json` that holds the name `target`. Without it `mcp.json`, `.mcp.json`,
                `.vscode/mcp.json`, `.cursor/mcp.json` and `claude_desktop_config.json` in the working directory are
                looked through.
            headers: HTTP headers sent with every request.
            token: Bearer token, sent as `Authorization: Bearer …` and masked in all logs.
            env: Environment variables added for a stdio server.
            cwd: Working directory of a stdio server.
            path: Path of the MCP endpoint of an ASGI app, `/mcp` if not given.
            client_capabilities: What our client declares. Without it the scripted answers are declared.
            client_info: `clientInfo` of our client.
            raise_exceptions: In-process only: an exception outside a tool body ends the connection and is shown.
            timeout: Time for each answer on this connection; the library's `timeout` if not given.
            close: When this connection is closed by itself; `auto_close` of the library import if not given.

        Returns:
            The alias of the connection.

        Fails when the target means nothing, the command is not found, the process ends (its stderr is shown), nothing
        listens, or no revision can be agreed on. Nothing stays open then.

        Example:
        ```robotframework
        Connect To Server    demo    alias=shop
        Connect To Server    http://127.0.0.1:8000/mcp    protocol=2025-11-25
        Connect To Server    ${CURDIR}/server.py:mcp    over=http
        ```
        """
        if alias is not None and alias in self.ctx.connections:
            raise WrongUse(f"There is an open connection {alias!r} already. Disconnect it, or choose another alias.")
        parsed = self._parse(target, over, config)
        limit = seconds(timeout) or self.ctx.timeout
        all_headers = [*parsed.headers, *self._headers(headers)]
        if token is not None:
            self.ctx.masker.learn(token)
            all_headers.append(("Authorization", f"Bearer {token.value}"))
        environment = {key: str(value) for key, value in (self.ctx.reveal(env) or {}).items()}
        connection = self._open(
            parsed,
            alias or self.ctx.connections.new_alias(),
            headers=all_headers,
            env=environment,
            cwd=cwd,
            path=path,
            client_capabilities=client_capabilities,
            client_info=client_info,
            raise_exceptions=raise_exceptions,
            timeout=limit,
            level=self.ctx.level_for(close),
        )
        wish = str(protocol)
        if handshake:
            self._negotiate(connection, wish)
        elif wish == "modern" or (REVISIONS.get(wish) and REVISIONS[wish].modern):
            from ..session.revisions import LATEST_MODERN

            connection.session.revision = REVISIONS.get(wish, LATEST_MODERN)
        self.ctx.connections.add(connection)
        return connection.alias

    def _parse(self, target: Any, over: TransportKind, config: str | None) -> Target:
        try:
            return parse(target, kind=over, config=config)
        except BadTarget as error:
            raise WrongUse(f"Cannot connect: {error}") from None

    def _headers(self, headers: Any) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.ctx.reveal(headers or [])]

    def _open(self, target: Target, alias: str, *, headers: list[tuple[str, str]], env: dict[str, str], cwd: str | None,
              path: str | None, client_capabilities: Any, client_info: Any, raise_exceptions: bool,
              timeout: float, level: int) -> Connection:  # fmt: skip
        from ..session.connections import Connection
        from ..session.opening import transport_maker
        from ..session.session import Session
        from ..wire.inprocess import TargetNotFound
        from ..wire.transport import TransportError

        try:
            maker = transport_maker(target, env=env, cwd=cwd, raise_exceptions=raise_exceptions, path=path)
        except (BadTarget, TargetNotFound) as error:
            raise WrongUse(f"Cannot connect: {error}") from None
        for name, value in (("client_capabilities", client_capabilities), ("client_info", client_info)):
            if value is not None and not isinstance(value, dict):
                raise WrongUse(f"{name}= takes a JSON object, got {value!r}.")
        client_side = self.ctx.client_side
        if client_capabilities is not None:
            client_side = client_side.declaring(client_capabilities)
        try:
            session = Session(
                maker, client_info=client_info or CLIENT_INFO, client_side=client_side, timeout=timeout, headers=headers
            )
        except TransportError as error:
            raise self.ctx.defect(f"Cannot connect to {target.shown}: {error}.") from None
        connection = Connection(alias, session, target.shown, level, self.ctx.loop.spawn(session.hold))
        try:
            self.ctx.wait(session.ready, timeout=max(timeout, 15))
        except TransportError as error:
            # A single word that is no command may have been meant as anything.
            hint = f"a target is {FORMS}." if target.command == [target.shown] and "not found" in str(error) else ""
            raise self.ctx.defect(f"Cannot connect to {target.shown}: {error}.", hint=hint) from None
        except BaseException:
            self._abandon(connection)
            raise
        return connection

    def _abandon(self, connection: Connection) -> None:
        """Close what was opened when connecting failed half-way."""
        connection.session.session_id = None
        self.ctx.close_session(connection)

    def _negotiate(self, connection: Connection, wish: str) -> None:
        from ..session.negotiation import NegotiationFailed, OtherRevision, negotiate
        from ..wire.transport import TransportError

        session = connection.session

        async def run() -> None:
            await negotiate(session, wish)

        try:
            with self.ctx.logged(connection):
                self.ctx.wait(run, timeout=session.timeout * 4)
        except NegotiationFailed as error:
            text = self.ctx.evidence(error.exchange)
            self._abandon(connection)
            make = self.ctx.broken if isinstance(error, OtherRevision) else self.ctx.defect
            raise make(
                f"Cannot connect to {connection.shown}: {error.problem}.",
                where=f"Server {connection.described}, exchange {error.exchange.number}: {error.exchange.method}.",
                evidence=text,
                hint=_hint_for_opening(connection, error.exchange),
            ) from None
        except TransportError as error:
            self._abandon(connection)
            raise self.ctx.defect(f"Cannot connect to {connection.shown}: {error}.") from None
        except BaseException:
            self._abandon(connection)
            raise
        for note in session.notes:
            logger.info(f"Note: {self.ctx.masker.mask(note)}")
        logger.info(f"Connected to {connection.described}: {self.ctx.masker.mask(connection.shown)}")

    @keyword(tags=["connect"])
    def switch_server(self, alias: str) -> str | None:
        """Make another open connection the current one.

        Args:
            alias: Alias of the connection.

        Returns:
            The alias that was current before, to switch back.

        Fails when there is no such connection; the message lists the open ones.

        Example:
        ```robotframework
        ${before} =    Switch Server    shop
        ```
        """
        self.ctx.connection(alias)
        return self.ctx.connections.switch(alias)

    @keyword(tags=["connect"])
    def disconnect_from_server(self, alias: str | None = None) -> None:
        """Close a connection: end its session, close its stdin or sockets, and see its process out.

        A stdio server gets 3 seconds to leave after its stdin was closed, then SIGTERM, and 3 seconds later SIGKILL
        for the whole process group.

        Args:
            alias: Alias of the connection; the current one if not given.

        Example:
        ```robotframework
        Disconnect From Server    shop
        ```
        """
        self.ctx.close_connection(self.ctx.connection(alias).alias)

    @keyword(tags=["connect"])
    def disconnect_from_all_servers(self) -> None:
        """Close all open connections."""
        for connection in self.ctx.connections:
            self.ctx.close_connection(connection.alias)

    @keyword(tags=["connect"])
    def start_server_process(
        self,
        command: Any,
        url: str,
        *,
        alias: str | None = None,
        env: dict[str, str | Secret] | None = None,
        cwd: str | None = None,
        timeout: timedelta = timedelta(seconds=30),
    ) -> str:
        """Start a server process that is reached by URL, and wait until its port accepts connections.

        A port that is taken already is refused, since another process would be tested. A process that ends while it is
        waited for fails at once with its output. The whole process group is ended with the test or suite.

        Args:
            command: The command, as one text or a list of words.
            url: The URL under which it will serve, for the port to watch.
            alias: Name for *Stop Server Process*; made up if not given.
            env: Environment variables to add.
            cwd: Working directory.
            timeout: Time until the port must accept connections.

        Returns:
            The URL, for *Connect To Server*.

        Example:
        ```robotframework
        ${url} =    Start Server Process    python -m McpLibrary.demo --http --port 8765    http://127.0.0.1:8765/mcp
        Connect To Server    ${url}
        ```
        """
        from ..session.server_process import ServerProcess, StartFailed

        try:
            words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command or ()]
        except ValueError as error:
            raise WrongUse(f"The command {command!r} cannot be split into words: {error}.") from None
        if not words:
            raise WrongUse("The command of a server process must not be empty.")
        name = alias or f"process-{len(self.ctx.processes) + 1}"
        if name in self.ctx.processes:
            raise WrongUse(f"There is a server process {name!r} already.")
        environment = {key: str(value) for key, value in (self.ctx.reveal(env) or {}).items()}
        try:
            process = ServerProcess(words, url, env=environment, cwd=cwd, level=self.ctx.level)
            process.start(seconds(timeout) or 30)
        except (ValueError, UnicodeError) as error:
            raise WrongUse(f"The server process cannot be started so: {error}.") from None
        except StartFailed as error:
            raise self.ctx.defect(f"The server process did not start: {error}.") from None
        self.ctx.processes[name] = process
        logger.info(f"Server process {name!r} runs as pid {process.pid} and serves {url}")
        return url

    @keyword(tags=["connect"])
    def stop_server_process(self, alias: str | None = None) -> str:
        """Stop a process that *Start Server Process* or *Serve In Process* started.

        Args:
            alias: Its alias; the newest one if not given.

        Returns:
            What it wrote to stdout and stderr.
        """
        if not self.ctx.processes or (alias is not None and alias not in self.ctx.processes):
            raise WrongUse(
                f"There is no server process {alias or ''}. Running: {', '.join(self.ctx.processes) or 'none'}."
            )
        process = self.ctx.processes.pop(alias or next(reversed(self.ctx.processes)))
        output: str = process.output()
        process.stop()
        return output

    @keyword(tags=["connect"])
    def serve_in_process(self, target: Any, *, alias: str | None = None, path: str | None = None, port: int = 0) -> str:
        """Serve a server object or ASGI app of this Robot process on loopback, for any client.

        Args:
            target: `module:object`, `path/to/file.py:object`, or the object itself.
            alias: Name for *Stop Server Process*; made up if not given.
            path: Path of the MCP endpoint of an ASGI app, `/mcp` if not given.
            port: Port to use; 0 takes a free one.

        Returns:
            The URL of the MCP endpoint.

        Example:
        ```robotframework
        ${url} =    Serve In Process    McpLibrary.demo.server:server
        Connect To Server    ${url}    protocol=legacy
        ```
        """
        from ..session.hosting import Hosting
        from ..wire.inprocess import TargetNotFound
        from ..wire.transport import TransportError

        name = alias or f"process-{len(self.ctx.processes) + 1}"
        if name in self.ctx.processes:
            raise WrongUse(f"There is a server process {name!r} already.")
        parsed = self._parse(target, TransportKind.AUTO, None)
        if parsed.object is None:
            raise WrongUse(f"Only a server object can be served in this process; {parsed.shown} is none.")
        try:
            hosting = Hosting(self.ctx.loop, parsed.object, path=path, port=port, level=self.ctx.level)
        except (TargetNotFound, TransportError) as error:
            raise WrongUse(f"Cannot serve {parsed.shown}: {error}") from None
        self.ctx.processes[name] = hosting
        return hosting.url

    @keyword(tags=["connect"])
    def get_server_info(self, *, server: str | None = None) -> Any:
        """Return the name and version that the server gave in the handshake or in `server/discover`.

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            `serverInfo` as a dictionary; empty when the server gave none.

        Example:
        ```robotframework
        ${info} =    Get Server Info
        Should Be Equal    ${info.name}    orders-shop
        ```
        """
        return to_robot(self.ctx.connection(server).session.server.info)

    @keyword(tags=["connect"])
    def get_server_capabilities(self, *, server: str | None = None) -> Any:
        """Return the capabilities that the server declared.

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            The capabilities as a dictionary.
        """
        return to_robot(self.ctx.connection(server).session.server.capabilities)

    @keyword(tags=["connect"])
    def get_server_instructions(self, *, server: str | None = None) -> str | None:
        """Return the instructions that the server gave for models, or `None`.

        Args:
            server: Alias of the connection; the current one if not given.
        """
        return self.ctx.connection(server).session.server.instructions

    @keyword(tags=["connect"])
    def get_protocol_revision(self, *, server: str | None = None) -> str | None:
        """Return the revision that the connection uses, such as `2025-11-25`; `None` before a handshake.

        Args:
            server: Alias of the connection; the current one if not given.
        """
        revision = self.ctx.connection(server).session.revision
        return revision.name if revision else None

    @keyword(tags=["connect"])
    def get_session_id(self, *, server: str | None = None) -> str | None:
        """Return the `Mcp-Session-Id` of a legacy HTTP session, or `None`.

        Args:
            server: Alias of the connection; the current one if not given.
        """
        return self.ctx.connection(server).session.session_id

    @keyword(tags=["connect"])
    def get_supported_eras(self, target: Any, *, timeout: timedelta | None = None, **options: Any) -> list[str]:
        """Find out which eras a server speaks, each on a connection of its own that is closed again.

        Args:
            target: As in *Connect To Server*.
            timeout: Time for each answer.
            options: Further options of *Connect To Server*, such as `headers=` or `env=`.

        Returns:
            A list with `legacy`, `modern`, or both. Fails when the server speaks neither.

        Example:
        ```robotframework
        ${eras} =    Get Supported Eras    demo
        ```
        """
        eras, failures = [], []
        options = convert_options(self.connect_to_server, options)
        for era in ("legacy", "modern"):
            try:
                alias = self.connect_to_server(target, protocol=era, timeout=timeout, **options)
            except AssertionError as error:
                failures.append(error)
            else:
                eras.append(era)
                self.ctx.close_connection(alias)
        if not eras:
            raise failures[0]
        return eras


def _hint_for_opening(connection: Connection, exchange: Any) -> str:
    stderr = getattr(connection.session.transport, "stderr_tail", None)
    if exchange.status in (401, 403):
        return "give a token with token=."
    if exchange.http is not None and exchange.answer is None and exchange.status is not None:
        return "is this the URL of the MCP endpoint? It often ends with /mcp."
    if stderr and stderr() and stderr() not in exchange.problem:
        return f"the server's stderr ends with: {stderr()}"
    noise = [f for f in connection.session.transcript.frames() if f.direction == "received" and f.problem]
    if noise and exchange.outcome.name == "NO_ANSWER":
        return f"what came is no JSON: {noise[0].raw[:80].decode('utf-8', 'replace')!r}. Does this command serve MCP on stdio?"
    if connection.session.transport.kind == "stdio" and exchange.outcome.name == "NO_ANSWER":
        return f"does this command serve MCP on stdio? Known revisions are {', '.join([*LEGACY])} and newer."
    return ""
