"""What a target text means, and what is said when it means nothing."""

import json
import re
import sys
from pathlib import Path

import pytest

from McpLibrary.session.targets import FORMS, BadTarget, Target, TransportKind, merged_env, parse

AUTO, STDIO, HTTP, SSE, MEMORY = TransportKind


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    """No config file is found by chance."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "kind", "members"),
    [
        ("http://127.0.0.1:8000/mcp", HTTP, {"url": "http://127.0.0.1:8000/mcp"}),
        ("  https://example.com/mcp ", HTTP, {"url": "https://example.com/mcp"}),
        ("python server.py", STDIO, {"command": ["python", "server.py"]}),
        ("python 'my server.py' --flag=\"a b\"", STDIO, {"command": ["python", "my server.py", "--flag=a b"]}),
        ("server", STDIO, {"command": ["server"]}),
        ("./server.py", STDIO, {"command": ["./server.py"]}),
        ("npx -y @scope/server@1", STDIO, {"command": ["npx", "-y", "@scope/server@1"]}),
        ("shop:server", MEMORY, {"object": "shop:server"}),
        ("my.shop:factory.server", MEMORY, {"object": "my.shop:factory.server"}),
        ("path/to/shop.py:server", MEMORY, {"object": "path/to/shop.py:server"}),
        ("docker run image:latest", STDIO, {"command": ["docker", "run", "image:latest"]}),
        (["python", Path("a b.py"), 7], STDIO, {"command": ["python", "a b.py", "7"], "shown": "python 'a b.py' 7"}),
    ],
)
def test_targets_mean_what_they_look_like(text, kind, members):
    target = parse(text)
    assert target.kind is kind
    assert {name: getattr(target, name) for name in members} == members


def test_demo_is_the_sample_server_and_can_be_a_process():
    target = parse("demo", kind=STDIO)
    assert (target.shown, target.kind) == ("demo", STDIO)
    assert target.command == [sys.executable, "-m", "McpLibrary.demo"]


def test_an_object_is_a_target_itself():
    server = object()
    target = parse(server)
    assert (target.kind, target.object, target.shown) == (MEMORY, server, "object object")


@pytest.mark.parametrize(
    ("text", "wish", "kind"),
    [
        ("http://h/mcp", SSE, SSE),
        ("http://h/mcp", HTTP, HTTP),
        ("shop:server", HTTP, HTTP),
        ("shop:server", MEMORY, MEMORY),
        ("python server.py", STDIO, STDIO),
    ],
)
def test_the_transport_can_be_chosen(text, wish, kind):
    assert parse(text, kind=wish).kind is kind


@pytest.mark.parametrize(
    ("text", "wish", "words"),
    [
        ("http://h/mcp", STDIO, ["http://h/mcp cannot be reached over stdio", "http"]),
        ("http://h/mcp", MEMORY, ["cannot be reached over memory"]),
        ("python server.py", HTTP, ["cannot be reached over http", "stdio"]),
        ("python server.py", SSE, ["cannot be reached over sse"]),
        ("shop:server", STDIO, ["cannot be reached over stdio"]),
        ("shop:server", SSE, ["cannot be reached over sse"]),
        ("", AUTO, ["the target is empty", FORMS]),
        ("   ", AUTO, ["the target is empty", FORMS]),
        (None, AUTO, ["there is no target", FORMS]),
        ("ws://h/mcp", AUTO, ["'ws://h/mcp'", "MCP does not use", FORMS]),
        ("python 'server.py", AUTO, ["cannot be split into words", "No closing quotation"]),
    ],
)
def test_what_cannot_be_says_what_is_right(text, wish, words):
    with pytest.raises(BadTarget) as caught:
        parse(text, kind=wish)
    assert all(word in str(caught.value) for word in words), caught.value


# -- config files ---------------------------------------------------------------------------------------------------


def write(path, document):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return str(path)


def config(**entry):
    return {"mcpServers": {"shop": entry}}


@pytest.mark.parametrize(
    "name", ["mcp.json", ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "claude_desktop_config.json"]
)
@pytest.mark.parametrize("member", ["mcpServers", "servers"])
def test_a_name_is_looked_up_in_the_known_files(name, member):
    write(name, {member: {"shop": {"command": "python", "args": ["a b.py", 7]}}})
    target = parse("shop")
    assert (target.kind, target.command) == (STDIO, ["python", "a b.py", "7"])
    assert target.shown == f"shop ({Path(name)})"
    assert parse("other").command == ["other"]


def test_the_first_file_with_the_name_counts():
    write("mcp.json", {"mcpServers": {"other": {"command": "x"}}})
    write(".mcp.json", config(command="y"))
    write(".vscode/mcp.json", config(command="z"))
    assert parse("shop").command == ["y"]


@pytest.mark.parametrize(
    ("entry", "kind", "members"),
    [
        ({"url": "http://h/mcp"}, HTTP, {"url": "http://h/mcp", "headers": []}),
        ({"url": "http://h/mcp", "type": "http", "headers": {"A": 1}}, HTTP, {"headers": [("A", "1")]}),
        ({"url": "http://h/sse", "type": "sse"}, SSE, {"url": "http://h/sse"}),
        ({"url": "http://h/sse", "transport": "sse"}, SSE, {}),
        (
            {"command": "c", "env": {"A": 1}, "cwd": "folder"},
            STDIO,
            {"env": {"A": "1"}, "cwd": "folder", "command": ["c"]},
        ),
        ({"command": "c", "args": None, "env": None}, STDIO, {"env": {}, "cwd": None}),
    ],
)
def test_entries_of_a_config_file(entry, kind, members):
    target = parse("shop", config=write("own.json", config(**entry)))
    assert target.kind is kind
    assert {name: getattr(target, name) for name in members} == members


def test_a_config_file_may_begin_with_a_byte_order_mark():
    write("own.json", "\ufeff" + json.dumps(config(command="c")))
    assert parse("shop", config="own.json").command == ["c"]


def test_variables_are_replaced_everywhere(monkeypatch):
    monkeypatch.setenv("UNIT_TOKEN", "t")
    monkeypatch.delenv("UNIT_ABSENT", raising=False)
    entry = {
        "command": "${env:UNIT_TOKEN}",
        "args": [
            "--x=${UNIT_TOKEN}/${UNIT_TOKEN}",
            "${UNIT_ABSENT:-fall back}",
            "${UNIT_ABSENT:-}",
            "$UNIT_TOKEN",
            "${}",
        ],
        "env": {"A": "${env:UNIT_TOKEN}"},
    }
    target = parse("shop", config=write("own.json", config(**entry)))
    assert target.command == ["t", "--x=t/t", "fall back", "", "$UNIT_TOKEN", "${}"]
    assert target.env == {"A": "t"}


@pytest.mark.parametrize("folder", ["project", "project/.vscode", "project/.cursor"])
def test_the_workspace_folder_is_that_of_the_project(folder, tmp_path):
    path = write(tmp_path / folder / "mcp.json", config(command="c", cwd="${workspaceFolder}/src"))
    assert Path(parse("shop", config=path).cwd) == (tmp_path / "project").resolve() / "src"


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (config(command="${UNIT_ABSENT}"), ["${UNIT_ABSENT}", "the environment has no such variable"]),
        (config(command="c", args=["${input:token}"]), ["${input:token} by hand", "${env:NAME}"]),
        (config(args=["x"]), ["'shop'", "neither 'command' nor 'url'"]),
        (config(command=["c"]), ["neither 'command' nor 'url'"]),
        ({"mcpServers": {"one": {}, "two": {}}}, ["has no server 'shop'", "It has: one, two."]),
        ({"mcpServers": {}}, ["It has: none."]),
        ({"mcpServers": {"shop": "text"}}, ["has no server 'shop'"]),
        ({"mcpServers": []}, ["neither 'mcpServers'", "nor 'servers'"]),
        ({"other": {}}, ["neither 'mcpServers'", "nor 'servers'"]),
        ([], ["neither 'mcpServers'"]),
        ("{ // comment\n}", ["is not readable as JSON", "Comments are not JSON"]),
    ],
)
def test_a_config_file_that_does_not_help_says_what_is_right(document, words, monkeypatch):
    monkeypatch.delenv("UNIT_ABSENT", raising=False)
    with pytest.raises(BadTarget) as caught:
        parse("shop", config=write("own.json", document))
    assert all(word in str(caught.value) for word in words), caught.value


def test_a_config_file_that_is_not_there_says_where_it_was_looked_for():
    with pytest.raises(BadTarget, match=re.escape("there is no file 'nowhere.json' (looked in ")):
        parse("shop", config="nowhere.json")


@pytest.mark.parametrize("text", ["${input:perplexity-key}", "${env:MY-VARIABLE}"])
def test_names_with_a_hyphen_are_variables_too(text):
    with pytest.raises(BadTarget):
        parse("shop", config=write("own.json", config(command="c", env={"KEY": text})))


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "c", "args": "server.py"},
        {"command": "c", "env": ["A=1"]},
        {"url": "http://h/", "headers": ["A: 1"]},
    ],
)
def test_malformed_members_of_an_entry_say_what_is_right(entry):
    with pytest.raises(BadTarget):
        parse("shop", config=write("own.json", config(**entry)))


def test_the_environment_of_a_keyword_wins_over_that_of_the_file():
    target = Target(STDIO, "x", env={"A": "1", "B": "2"})
    assert merged_env(target, {"B": "3", "C": "4"}) == {"A": "1", "B": "3", "C": "4"}
    assert target.env == {"A": "1", "B": "2"}
