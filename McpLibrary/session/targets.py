"""What a target text means: a URL, a command, a server object, a name from an ``mcp.json``, or the demo server."""

from __future__ import annotations

import enum
import json
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..wire.frame import Headers

CONFIG_FILES = ("mcp.json", ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "claude_desktop_config.json")
"""Where a bare name is looked up when no ``config=`` is given, in this order."""

DEMO = "demo"

FORMS = (
    "a URL (http://127.0.0.1:8000/mcp), a command (python server.py), a server object (module:object or "
    "path/to/file.py:object), a name from an mcp.json, or demo"
)


class BadTarget(ValueError):
    """The target text means nothing; the message says what would be right."""


class TransportKind(enum.Enum):
    """How to reach the server; AUTO takes it from the target."""

    AUTO = "auto"
    STDIO = "stdio"
    HTTP = "http"
    SSE = "sse"
    MEMORY = "memory"


@dataclass(slots=True)
class Target:
    """A server to connect to, ready for a transport."""

    kind: TransportKind
    shown: str
    """How logs and messages name it."""
    command: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    url: str | None = None
    headers: Headers = field(default_factory=list)
    object: Any = None
    """The server object itself, or the text that names it."""


_OBJECT = re.compile(r"(?:.+\.py|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_NAME = re.compile(r"[\w.@/-]+")


def parse(target: Any, *, kind: TransportKind = TransportKind.AUTO, config: str | None = None) -> Target:
    """The meaning of a target. Raises `BadTarget`."""
    if isinstance(target, str):
        found = _parse_text(target.strip(), config)
    elif isinstance(target, Sequence):
        found = Target(TransportKind.STDIO, shlex.join(map(str, target)), command=[str(word) for word in target])
    elif target is None:
        raise BadTarget(f"there is no target. Give {FORMS}.")
    else:
        found = Target(TransportKind.MEMORY, f"{type(target).__name__} object", object=target)
    if kind is not TransportKind.AUTO and kind is not found.kind:
        if kind not in _reachable(found):
            raise BadTarget(
                f"{found.shown} cannot be reached over {kind.value}; it is a target for {found.kind.value}."
            )
        found.kind = kind
    return found


def _reachable(target: Target) -> set[TransportKind]:
    """The transports that a target can be reached over."""
    kinds = {target.kind}
    if target.url is not None:
        kinds |= {TransportKind.HTTP, TransportKind.SSE}
    if target.object is not None:
        kinds |= {TransportKind.HTTP, TransportKind.MEMORY}
    if target.command:
        kinds.add(TransportKind.STDIO)
    return kinds


def _parse_text(text: str, config: str | None) -> Target:
    if not text:
        raise BadTarget(f"the target is empty. Give {FORMS}.")
    if config is not None:
        return _from_config(text, Path(config))
    if text == DEMO:
        # In this process and over HTTP it starts in no time and shows the most; over=stdio makes it a process.
        command = [sys.executable, "-m", "McpLibrary.demo"]
        return Target(TransportKind.HTTP, DEMO, object="McpLibrary.demo.server:server", command=command)
    if re.match(r"https?://", text, re.IGNORECASE):
        try:
            urlsplit(text).port  # noqa: B018 - reading it checks it
        except ValueError as error:
            raise BadTarget(f"{text!r} is no URL: {error}.") from None
        return Target(TransportKind.HTTP, text, url=text)
    if re.match(r"[a-z][a-z0-9+.-]*://", text):
        raise BadTarget(f"{text!r} is a URL of a kind that MCP does not use. Give {FORMS}.")
    if _OBJECT.fullmatch(text):
        return Target(TransportKind.MEMORY, text, object=text)
    if _NAME.fullmatch(text):
        for name in CONFIG_FILES:
            if Path(name).is_file() and text in _servers(Path(name)):
                return _from_config(text, Path(name))
    try:
        command = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise BadTarget(f"the command {text!r} cannot be split into words: {error}.") from None
    return Target(TransportKind.STDIO, text, command=command)


def _servers(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise BadTarget(f"there is no file {str(path)!r} (looked in {os.getcwd()}).") from None
    except (OSError, ValueError) as error:
        raise BadTarget(f"{path} is not readable as JSON: {error}. Comments are not JSON.") from None
    servers = None
    if isinstance(document, dict):
        servers = document.get("mcpServers", document.get("servers"))
    if not isinstance(servers, dict):
        raise BadTarget(f"{path} has neither 'mcpServers' (Claude and others) nor 'servers' (VS Code).")
    return servers


def _from_config(name: str, path: Path) -> Target:
    servers = _servers(path)
    entry = servers.get(name)
    if not isinstance(entry, dict):
        raise BadTarget(f"{path} has no server {name!r}. It has: {', '.join(servers) or 'none'}.")
    entry = _substitute(entry, path)
    for member, shape, words in (("args", list, "a list"), ("env", dict, "an object"), ("headers", dict, "an object")):
        if not isinstance(entry.get(member) or shape(), shape):
            raise BadTarget(f"{member!r} of server {name!r} in {path} must be {words}, got {entry[member]!r}.")
    shown = f"{name} ({path})"
    if "url" in entry:
        kind = TransportKind.SSE if entry.get("type", entry.get("transport")) == "sse" else TransportKind.HTTP
        headers = [(str(k), str(v)) for k, v in (entry.get("headers") or {}).items()]
        return Target(kind, shown, url=str(entry["url"]), headers=headers)
    if not isinstance(entry.get("command"), str):
        raise BadTarget(f"server {name!r} of {path} has neither 'command' nor 'url'.")
    command = [entry["command"], *map(str, entry.get("args") or [])]
    env = {str(k): str(v) for k, v in (entry.get("env") or {}).items()}
    cwd = entry.get("cwd")
    return Target(TransportKind.STDIO, shown, command=command, env=env, cwd=str(cwd) if cwd else None)


def _substitute(value: Any, path: Path) -> Any:
    """``${VAR}``, ``${VAR:-default}``, ``${env:VAR}`` and ``${workspaceFolder}``, as the clients replace them."""
    if isinstance(value, dict):
        return {key: _substitute(item, path) for key, item in value.items()}
    if isinstance(value, list):
        return [_substitute(item, path) for item in value]
    if not isinstance(value, str):
        return value

    def replace(match: re.Match[str]) -> str:
        name, default = match["name"], match["default"]
        if name == "workspaceFolder":
            folder = path.resolve().parent
            return str(folder.parent if folder.name in (".vscode", ".cursor") else folder)
        if name.startswith("input:"):
            raise BadTarget(f"{path} asks for {match[0]} by hand; replace it by ${{env:NAME}} for a test run.")
        found = os.environ.get(name.removeprefix("env:"), default)
        if found is None:
            raise BadTarget(f"{path} uses {match[0]}, but the environment has no such variable.")
        return found

    return re.sub(r"\$\{(?P<name>[\w:. -]+?)(?::-(?P<default>[^}]*))?\}", replace, value)


def merged_env(target: Target, env: Mapping[str, str]) -> dict[str, str]:
    return {**target.env, **env}
