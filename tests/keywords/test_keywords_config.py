"""Targets by name from the configuration files of Claude, VS Code and others, with their substitutions."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from failing import HEALTHY, fail_to_connect

Run = Callable[..., Any]
COMMAND, SERVER = shlex.split(HEALTHY)
ENV = {"FIXED": "fixed", "FROM": "${env:MCP_TEST_X}", "SHORT": "${MCP_TEST_X}", "FALLBACK": "${MCP_TEST_UNSET:-else}"}
ENTRY = {"command": COMMAND, "args": [SERVER], "env": ENV}


def write(path: Path, document: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCP_TEST_X", "x from outside")
    monkeypatch.delenv("MCP_TEST_UNSET", raising=False)


@pytest.mark.parametrize(
    ("file", "key", "option"),
    [
        ("mcp.json", "mcpServers", ""),
        (".mcp.json", "mcpServers", ""),
        ("claude_desktop_config.json", "mcpServers", ""),
        (".vscode/mcp.json", "servers", ""),
        (".cursor/mcp.json", "mcpServers", ""),
        ("elsewhere.json", "servers", "    config=elsewhere.json"),
    ],
)
def test_stdio_server_of_a_config_file(run: Run, tmp_path: Path, file: str, key: str, option: str) -> None:
    write(tmp_path / file, {key: {"shop": {"type": "stdio", **ENTRY}}})
    values = ["fixed", "x from outside", "x from outside", "else"]
    calls = "\n".join(
        f'${{r}} =    Call Tool    env_of    arguments={{"name": "{name}"}}\nShould Be Equal    ${{r.text}}    {value}'
        for name, value in zip(ENV, values, strict=True)
    )
    run(f"Connect To Server    shop{option}    protocol=legacy\n{calls}").passed()


def test_keyword_wins_over_the_env_of_the_file(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "mcp.json", {"mcpServers": {"shop": ENTRY}})
    run("""
        VAR    &{env}    FIXED=mine
        Connect To Server    shop    env=${env}    protocol=legacy
        ${r} =    Call Tool    env_of    arguments={"name": "FIXED"}
        Should Be Equal    ${r.text}    mine
    """).passed()


def test_workspace_folder_is_the_folder_of_the_project(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(Path(SERVER).read_text(encoding="utf-8"), encoding="utf-8")
    entry = {"command": COMMAND, "args": ["${workspaceFolder}/server.py"]}
    write(tmp_path / ".vscode" / "mcp.json", {"servers": {"shop": entry}})
    run("Connect To Server    shop    protocol=legacy\nCall Tool    echo    arguments={}").passed()


def test_url_server_of_a_config_file_with_its_headers(
    run: Run, tmp_path: Path, http_server: Callable[..., str]
) -> None:
    seen: list[dict[str, str]] = []

    def answer(method: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        seen.append(headers)
        return 401, {}, b""

    url = http_server(answer)
    entry = {"type": "http", "url": url, "headers": {"X-Api-Key": "${env:MCP_TEST_X}", "X-Other": "1"}}
    write(tmp_path / ".vscode" / "mcp.json", {"servers": {"shop": entry}})
    message = fail_to_connect(run, "Connect To Server    shop    alias=x")
    assert message.splitlines()[0] == (
        "Cannot connect to shop (.vscode/mcp.json): HTTP 401: the server wants a token (token=) or refuses this one."
    )
    assert seen[0]["x-api-key"] == "x from outside"
    assert seen[0]["x-other"] == "1"


@pytest.mark.parametrize(
    ("document", "target", "message"),
    [
        ({"mcpServers": {"a": ENTRY, "b": ENTRY}}, "shop", "mcp.json has no server 'shop'. It has: a, b."),
        ({"mcpServers": {}}, "shop", "mcp.json has no server 'shop'. It has: none."),
        ({"mcpServers": []}, "shop", "mcp.json has neither 'mcpServers' (Claude and others) nor 'servers' (VS Code)."),
        ([], "shop", "mcp.json has neither 'mcpServers' (Claude and others) nor 'servers' (VS Code)."),
        ({"servers": {"shop": {"type": "stdio"}}}, "shop", "server 'shop' of mcp.json has neither 'command' nor 'url'."),
        ({"servers": {"shop": {"command": "${env:MCP_TEST_UNSET}"}}}, "shop",
         "mcp.json uses ${env:MCP_TEST_UNSET}, but the environment has no such variable."),
        ({"servers": {"shop": {"command": "x", "env": {"K": "${input:key}"}}}}, "shop",
         "mcp.json asks for ${input:key} by hand; replace it by ${env:NAME} for a test run."),
    ],
)  # fmt: skip
def test_config_file_that_does_not_help(run: Run, tmp_path: Path, document: Any, target: str, message: str) -> None:
    write(tmp_path / "mcp.json", document)
    assert fail_to_connect(run, f"Connect To Server    {target}    config=mcp.json") == f"Cannot connect: {message}"


def test_config_file_that_is_no_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"servers": {} // mine\n}', encoding="utf-8")
    assert fail_to_connect(run, "Connect To Server    shop    config=mcp.json") == (
        "Cannot connect: mcp.json is not readable as JSON: Expecting ',' delimiter: line 1 column 16 (char 15). "
        "Comments are not JSON."
    )
