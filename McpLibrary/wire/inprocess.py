"""Server objects in this process: over the memory streams of the ``mcp`` SDK, or served on loopback by uvicorn.

Knows `MCPServer` and the low-level `Server` of ``mcp`` 2.x, FastMCP 4 servers, and any ASGI app (over HTTP only).
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import logging
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from .frame import Frame, Headers
from .http import HttpTransport
from .transcript import Transcript
from .transport import BYTE_CEILING, StreamTransport, TransportError

if TYPE_CHECKING:
    from anyio.abc import TaskGroup, TaskStatus

TESTED_WITH = {"mcp": "2.3", "fastmcp": "4.2"}
"""The versions in-process hosting was tested with; another one is named when hosting fails."""

CLOSE_GRACE = 2.0


class TargetNotFound(ValueError):
    """No such module, file or object; the text says what is there."""


def load(target: str) -> Any:
    """The object that ``module:object`` or ``path/to/file.py:object`` names. Raises `TargetNotFound`."""
    where, _, name = target.rpartition(":")
    with _logging_kept_apart():
        module = _load_file(where) if where.endswith(".py") else _load_module(where)
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            raise TargetNotFound(f"{where} has no object {name!r}. It has: {_names(module)}.")
        value = getattr(value, part)
    if inspect.isclass(value):
        raise TargetNotFound(f"{target} is a class; name a server object or a function that makes one.")
    return value


def _load_module(name: str) -> Any:
    with _on_path(os.getcwd()):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
                raise TargetNotFound(f"there is no module {name!r} on the Python path or in {os.getcwd()}.") from None
            raise TargetNotFound(f"importing {name!r} failed: {error}") from error
        except (Exception, SystemExit) as error:
            raise TargetNotFound(f"importing {name!r} failed: {type(error).__name__}: {error}") from error


def _load_file(path: str) -> Any:
    file = Path(path).resolve()
    if not file.is_file():
        raise TargetNotFound(f"there is no file {path!r} (looked in {os.getcwd()}).")
    name = f"_mcplibrary_{file.stem}_{abs(hash(str(file)))}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _on_path(str(file.parent)):
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if not isinstance(error, (Exception, SystemExit)):
            raise
        raise TargetNotFound(f"importing {path!r} failed: {type(error).__name__}: {error}") from error
    return module


@contextlib.contextmanager
def _logging_kept_apart() -> Iterator[None]:
    """Let handlers that a server's module installs keep the level it asks for.

    A server sets the level of the root logger for its handlers; Robot sets the same level for its own while it runs,
    and would make such a handler print all that Robot only wants to see.
    """
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        for handler in root.handlers:
            if handler not in handlers:
                handler.setLevel(max(handler.level, root.level))
                root.setLevel(level)


@contextlib.contextmanager
def _on_path(folder: str) -> Iterator[None]:
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)


def _names(module: Any) -> str:
    public = [n for n, v in vars(module).items() if not n.startswith("_") and not inspect.ismodule(v)]
    servers = [n for n in public if low_level_server(getattr(module, n)) is not None]
    return ", ".join(servers or public[:20]) or "nothing public"


def low_level_server(value: Any) -> Any:
    """The low-level SDK server behind an object, or ``None`` when it is no SDK server."""
    if inspect.isclass(value) or inspect.ismodule(value):
        return None
    for attribute in ("_lowlevel_server", "_mcp_server"):
        # The SDKs offer no public way to the server behind their high-level objects; both their own clients do this.
        inner = getattr(value, attribute, None)
        if inner is not None:
            value = inner
            break
    return value if callable(getattr(value, "create_initialization_options", None)) else None


def resolve(value: Any) -> Any:
    """The server of an object: itself, or what a function without parameters returns."""
    if low_level_server(value) is not None:
        return value
    if inspect.isfunction(value) and not any(
        p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        for p in inspect.signature(value).parameters.values()
    ):
        with _logging_kept_apart():
            try:
                return value()
            except (Exception, SystemExit) as error:
                raise TargetNotFound(f"{value.__name__}() failed: {type(error).__name__}: {error}") from error
    return value


def is_asgi(value: Any) -> bool:
    """Whether it can be called with scope, receive and send, as an ASGI 3 application is."""
    if not callable(value) or low_level_server(value) is not None:
        return False
    try:
        inspect.signature(value).bind({}, None, None)
    except (TypeError, ValueError):
        return False
    return not inspect.isbuiltin(value)


def asgi_app(value: Any) -> tuple[Any, str | None]:
    """The ASGI app of a server object and the path of its MCP endpoint (``None``: the caller must know it)."""
    for method in ("streamable_http_app", "http_app"):
        make = getattr(value, method, None)
        if callable(make):
            # FastMCP's own `run` names the loopback host it binds; only so is its guard against foreign origins on.
            named = "allowed_hosts" in inspect.signature(make).parameters
            return (make(allowed_hosts=["127.0.0.1"]) if named else make()), "/mcp"
    if is_asgi(value):
        return value, None
    raise TargetNotFound(
        f"{type(value).__name__} can not be served: expected an MCPServer or Server of mcp {TESTED_WITH['mcp']}, "
        f"a FastMCP {TESTED_WITH['fastmcp']} server, or an ASGI app."
    )


class MemoryTransport(StreamTransport):
    """Messages over memory streams. What the SDK's own stdio server would read and write is sent and recorded."""

    kind = "memory"
    channel = "memory"

    def __init__(
        self,
        server: Any,
        transcript: Transcript,
        *,
        raise_exceptions: bool = False,
        byte_ceiling: int = BYTE_CEILING,
    ) -> None:
        super().__init__(transcript, byte_ceiling=byte_ceiling)
        self._server = server
        self._raise_exceptions = raise_exceptions
        self._write: Any = None
        self._finished: anyio.Event

    async def open(self, tasks: TaskGroup) -> None:
        self._finished = anyio.Event()
        await tasks.start(self._serve)

    async def _serve(self, *, task_status: TaskStatus[None]) -> None:
        from mcp.shared.memory import create_client_server_memory_streams

        lower = low_level_server(self._server)
        lifespan = getattr(self._server, "_lifespan_manager", None)
        ending = "the server object ended the connection"
        try:
            async with contextlib.AsyncExitStack() as stack:
                if lifespan is not None:  # FastMCP starts its own services there; its clients enter it as well.
                    await stack.enter_async_context(lifespan())
                client, server = await stack.enter_async_context(create_client_server_memory_streams())
                self._write = client[1]
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._read, client[0])
                    task_status.started()
                    await lower.run(
                        *server, lower.create_initialization_options(), raise_exceptions=self._raise_exceptions
                    )
                    tasks.cancel_scope.cancel()
        except Exception as error:
            ending = f"the server object raised {describe_exception(error)}"
        finally:
            self.fail_pending(ending)
            self._finished.set()

    async def _read(self, stream: Any) -> None:
        async for item in stream:
            if isinstance(item, Exception):
                continue
            raw = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8")
            self.deliver(Frame.received(raw, "memory"))

    async def write(self, raw: bytes, headers: Headers) -> None:
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        try:
            item: Any = SessionMessage(jsonrpc_message_adapter.validate_json(raw, by_name=False))
        except ValueError as error:
            item = error  # As the SDK's stdio server does with a line that it cannot read.
        try:
            await self._write.send(item)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise TransportError("the server object has ended") from None

    async def close(self) -> None:
        self.closed_because = self.closed_because or "the connection was closed by us"
        if self._write is not None:
            with anyio.CancelScope(shield=True), contextlib.suppress(Exception):
                await self._write.aclose()
                with anyio.move_on_after(CLOSE_GRACE):
                    await self._finished.wait()


class LoopbackHost:
    """An ASGI app served by uvicorn on a free loopback port in our own loop."""

    def __init__(self, app: Any, *, port: int = 0) -> None:
        # With its protocol named, asyncio turns Nagle off; without, each answer waits 40 ms for a delayed ACK.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            self._socket.close()
            raise TransportError(f"port {port} cannot be used: {getattr(error, 'strerror', None) or error}") from None
        self._app = app
        self._server: Any = None
        self._finished: anyio.Event

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    async def open(self, tasks: TaskGroup) -> None:
        import uvicorn

        from .prompt_uvicorn import PromptUvicorn

        self._finished = anyio.Event()
        config = uvicorn.Config(self._app, log_level="critical", lifespan="auto", timeout_graceful_shutdown=1)
        self._server = PromptUvicorn(config)
        tasks.start_soon(self._serve)
        with anyio.move_on_after(10):
            while not self._server.started and not self._finished.is_set():
                await anyio.sleep(0.01)
        if not self._server.started:
            raise TransportError("the app did not start on loopback; its lifespan failed or took over 10 seconds")

    async def _serve(self) -> None:
        try:
            await self._server.serve(sockets=[self._socket])
        except SystemExit:
            pass  # uvicorn leaves that way when the lifespan of the app fails.
        finally:
            self._socket.close()
            self._finished.set()

    async def close(self) -> None:
        if self._server is None:
            self._socket.close()
            return
        with anyio.CancelScope(shield=True):
            self._server.end()
            with anyio.move_on_after(CLOSE_GRACE) as waiting:
                await self._finished.wait()
            if waiting.cancelled_caught:
                self._server.force_exit = True
                with anyio.move_on_after(1):
                    await self._finished.wait()


class HostedTransport(HttpTransport):
    """Streamable HTTP to a server object that is served on loopback for as long as the connection lives."""

    def __init__(self, app: Any, path: str, transcript: Transcript, *, byte_ceiling: int = BYTE_CEILING) -> None:
        self.host = LoopbackHost(app)
        super().__init__(self.host.origin + path, transcript, byte_ceiling=byte_ceiling)

    async def open(self, tasks: TaskGroup) -> None:
        await self.host.open(tasks)
        await super().open(tasks)

    async def close(self) -> None:
        await super().close()
        await self.host.close()


def describe_exception(error: BaseException) -> str:
    """One line for an exception; of a group, its first real member."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
