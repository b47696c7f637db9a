"""What a tester reads when connecting fails, word for word where the words are ours."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from failing import HEALTHY, fail, fail_to_connect

FORMS = (
    "a URL (http://127.0.0.1:8000/mcp), a command (python server.py), a server object (module:object or "
    "path/to/file.py:object), a name from an mcp.json, or demo"
)
WORDS = "auto, legacy, modern, 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"
Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "wibble",
            f"Cannot connect to wibble: command 'wibble' was not found on PATH.\nHint: a target is {FORMS}.",
        ),
        (
            "./no/such/server --flag",
            "Cannot connect to ./no/such/server --flag: command './no/such/server' was not found on PATH.",
        ),
        ("ftp://shop", f"Cannot connect: 'ftp://shop' is a URL of a kind that MCP does not use. Give {FORMS}."),
        ("${EMPTY}", f"Cannot connect: the target is empty. Give {FORMS}."),
        ("${NONE}", f"Cannot connect: there is no target. Give {FORMS}."),
        ("${{[]}}", "Cannot connect: the command is empty."),
        ('python "server.py', "Cannot connect: the command 'python \"server.py' cannot be split into words: No closing quotation."),
        ("demo    over=stdio    cwd=no-such-folder", "Cannot connect to demo: working directory 'no-such-folder' does not exist."),
        ("${{sys.executable}}    over=memory", f"Cannot connect: {sys.executable} cannot be reached over memory; it is a target for stdio."),
        ("http://127.0.0.1:1/mcp    over=stdio", "Cannot connect: http://127.0.0.1:1/mcp cannot be reached over stdio; "
                                                 "it is a target for http."),
        ("http://127.0.0.1:port/mcp", "Cannot connect: 'http://127.0.0.1:port/mcp' is no URL: "
                                       "Port could not be cast to integer value as 'port'."),
        ("shop    config=no-such.json", "Cannot connect: there is no file 'no-such.json' (looked in {cwd})."),
        ("json:nothing", "Cannot connect: json has no object 'nothing'. It has: JSONDecoder, JSONDecodeError, "
                         "JSONEncoder, dump, dumps, detect_encoding, load, loads."),
        ("McpLibrary.demo.server:shop", "Cannot connect: McpLibrary.demo.server has no object 'shop'. It has: server."),
        ("no_such_module:server", "Cannot connect: there is no module 'no_such_module' on the Python path or in {cwd}."),
        ("no_such_file.py:server", "Cannot connect: there is no file 'no_such_file.py' (looked in {cwd})."),
        ("json:JSONDecoder", "Cannot connect: json:JSONDecoder is a class; name a server object or a function that "
                             "makes one."),
        ("${42}", "Cannot connect: int object is a int, not a server: expected an MCPServer or low-level Server of mcp, "
                  "a FastMCP server, or an ASGI app."),
        ("demo    client_capabilities=[]", "client_capabilities= takes a JSON object, got []."),
        ("demo    client_info=[]", "client_info= takes a JSON object, got []."),
        ("demo    timeout=0", "A timeout must be longer than nothing, got 0:00:00."),
        ("demo    protocol=2023-01-01", "ValueError: Argument 'protocol' got value '2023-01-01' that cannot be converted "
                                        f"to Protocol: '2023-01-01' is not supported. Use one of: {WORDS}"),
        ("demo    headers=abc", "ValueError: Argument 'headers' got value 'abc' that cannot be converted to HeaderMap: "
                                "a header line looks like 'Name: value', got 'abc'"),
        ("demo    token=visible", "ValueError: Argument 'token' got value 'visible' that cannot be converted to Secret "
                                  "or None."),
    ],
)  # fmt: skip
def test_target_or_option_that_means_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fail_to_connect(run, f"Connect To Server    {arguments}") == message.replace("{cwd}", str(tmp_path))


def test_module_that_cannot_be_imported(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken_server.py").write_text("1 / 0\n", encoding="utf-8")
    assert fail_to_connect(run, "Connect To Server    broken_server.py:mcp") == (
        "Cannot connect: importing 'broken_server.py' failed: ZeroDivisionError: division by zero"
    )


def test_raise_exceptions_over_http(run: Run) -> None:
    body = "Connect To Server    McpLibrary.demo.server:server    raise_exceptions=True    over=http"
    assert (
        fail_to_connect(run, body) == "Cannot connect: raise_exceptions= works over memory streams only, not over HTTP."
    )


@pytest.mark.parametrize("protocol", ["auto", "legacy", "modern"])
def test_server_that_exits_at_once_shows_its_stderr(run: Run, tmp_path: Path, protocol: str) -> None:
    (tmp_path / "ends.py").write_text("import sys\nprint('Loading')\nsys.exit('no database')\n", encoding="utf-8")
    command = f"{sys.executable} {tmp_path / 'ends.py'}"
    lines = fail_to_connect(run, f"Connect To Server    {command}    protocol={protocol}    alias=x").splitlines()
    era = "no modern connection (2026-07-28): " if protocol == "modern" else ""
    number, method = {"auto": (2, "initialize"), "legacy": (1, "initialize"), "modern": (1, "server/discover")}[
        protocol
    ]
    assert lines == [
        f"Cannot connect to {command}: {era}the server process exited with code 1; its stderr ends with: no database.",
        f"Server 'x' (stdio, no handshake), exchange {number}: {method}.",
    ]


def test_url_where_nothing_listens(run: Run, free_port: int) -> None:
    url = f"http://127.0.0.1:{free_port}/mcp"
    lines = fail_to_connect(run, f"Connect To Server    {url}    alias=x").splitlines()
    assert lines[0].startswith(
        f"Cannot connect to {url}: 127.0.0.1:{free_port} refused the connection: is the server running there? ("
    )
    assert lines[1:] == ["Server 'x' (http, no handshake), exchange 1: server/discover."]


def test_host_that_is_not_known(run: Run) -> None:
    lines = fail_to_connect(run, "Connect To Server    http://no-such-host.invalid/mcp    alias=x").splitlines()
    assert lines[0].startswith(
        "Cannot connect to http://no-such-host.invalid/mcp: the host name no-such-host.invalid is "
    )


@pytest.mark.parametrize(
    ("status", "kind", "body"),
    [
        (404, "text/html", b"<html><body>Not here</body></html>"),
        (200, "text/html", b"<html><body>Not here</body></html>"),
        (200, "application/json", b'{"status": "ok"}'),
    ],
)
def test_url_that_is_no_mcp_endpoint(
    run: Run, http_server: Callable[..., str], status: int, kind: str, body: bytes
) -> None:
    url = http_server(lambda *_: (status, {"Content-Type": kind}, body))
    message = fail_to_connect(run, f"Connect To Server    {url}    alias=x")
    text = body.decode()
    assert message == (
        f"Cannot connect to {url}: HTTP {status} with {kind} that is no JSON-RPC response; "
        f"the body begins with: {text}.\n"
        "Server 'x' (http, no handshake), exchange 2: initialize.\n"
        f"Evidence: HTTP {status}, {text}\n"
        "Hint: is this the URL of the MCP endpoint? It often ends with /mcp."
    )


def test_url_that_wants_a_token(run: Run, http_server: Callable[..., str]) -> None:
    url = http_server(lambda *_: (401, {"WWW-Authenticate": 'Bearer realm="shop"'}, b""))
    assert fail_to_connect(run, f"Connect To Server    {url}    alias=x") == (
        f"Cannot connect to {url}: HTTP 401: the server wants a token (token=) or refuses this one, "
        'WWW-Authenticate: Bearer realm="shop".\n'
        "Server 'x' (http, no handshake), exchange 1: server/discover.\n"
        "Evidence: HTTP 401, HTTP 401 without a body\n"
        "Hint: give a token with token=."
    )


def test_answer_over_http_beyond_the_ceiling(run: Run, http_server: Callable[..., str]) -> None:
    body = b'"' + b"x" * 34_000_000 + b'"'
    url = http_server(lambda *_: (200, {"Content-Type": "application/json"}, body))
    message = fail_to_connect(run, f"Connect To Server    {url}    alias=x")
    assert message.startswith(f"Cannot connect to {url}: the answer has more than 33554432 bytes; reading stopped; ")
    assert len(message) < 1000


def test_revision_that_the_server_does_not_negotiate(run: Run) -> None:
    lines = fail_to_connect(run, f"Connect To Server    {HEALTHY}    alias=x    protocol=2025-06-18").splitlines()
    assert lines[:2] == [
        f"Cannot connect to {HEALTHY}: asked for revision 2025-06-18, but the server negotiated 2025-11-25.",
        "Server 'x' (stdio, 2025-11-25), exchange 1: initialize.",
    ]


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_start_server_process_refuses_a_taken_port(run: Run, taken_port: int) -> None:
    assert fail_to_connect(run, f"Start Server Process    python server.py    http://127.0.0.1:{taken_port}/mcp") == (
        f"The server process did not start: port {taken_port} on 127.0.0.1 is taken already, so another process would be "
        "tested; stop it, or choose another port."
    )


def test_start_server_process_tells_how_the_process_ended(run: Run, tmp_path: Path, free_port: int) -> None:
    (tmp_path / "ends.py").write_text("import sys\nprint('Loading')\nsys.exit('no database')\n", encoding="utf-8")
    body = f"Start Server Process    {sys.executable} {tmp_path / 'ends.py'}    http://127.0.0.1:{free_port}/mcp"
    assert fail_to_connect(run, body) in (
        "The server process did not start: the process exited with code 1; its output ends with: Loading | no database.",
        "The server process did not start: the process exited with code 1; its output ends with: no database | Loading.",
    )


def test_start_server_process_gives_up_after_its_timeout(run: Run, free_port: int) -> None:
    url = f"http://127.0.0.1:{free_port}/mcp"
    assert fail_to_connect(run, f"Start Server Process    {HEALTHY[: HEALTHY.rindex(' ')]} -c 'import signal; signal.pause()'"
                                f"    {url}    timeout=0.5s") == (
        f"The server process did not start: nothing listens on {url} after 0.5 seconds; it wrote nothing."
    )  # fmt: skip


def test_start_server_process_that_is_not_found(run: Run, free_port: int) -> None:
    assert fail_to_connect(run, f"Start Server Process    wibble    http://127.0.0.1:{free_port}/") == (
        "The server process did not start: cannot start 'wibble': No such file or directory."
    )


def test_serve_in_process_refuses_what_is_no_object(run: Run) -> None:
    assert fail_to_connect(run, "Serve In Process    python server.py") == (
        "Only a server object can be served in this process; python server.py is none."
    )


def test_serve_in_process_refuses_a_taken_port(run: Run, taken_port: int) -> None:
    assert fail_to_connect(run, f"Serve In Process    McpLibrary.demo.server:server    port={taken_port}") == (
        f"Cannot serve McpLibrary.demo.server:server: port {taken_port} cannot be used: Address already in use"
    )


def test_unknown_alias_lists_the_open_ones(run: Run) -> None:
    body = f"Connect To Server    {HEALTHY}    alias=other    protocol=legacy\n"
    for keyword in ("Switch Server    nope", "Disconnect From Server    nope", "List Tools    server=nope"):
        assert fail(run, body + keyword) == "There is no connection 'nope'. Open are: 'shop', 'other'."


def test_alias_that_is_taken(run: Run) -> None:
    assert fail(run, "Connect To Server    demo    alias=shop") == (
        "There is an open connection 'shop' already. Disconnect it, or choose another alias."
    )


def test_no_connection(run: Run) -> None:
    assert run("Call Tool    echo    text=x").failure == "No server is connected. Use 'Connect To Server' first."


def test_http_request_on_stdio(run: Run) -> None:
    assert fail(run, "Send Http Request    GET") == (
        "'Send Http Request' cannot be used here: this connection is stdio; only Streamable HTTP has HTTP requests."
    )


def test_started_process_of_an_unknown_name(run: Run) -> None:
    assert run("Stop Server Process    nope").failure == "There is no server process nope. Running: none."


def test_target_may_be_a_list_of_words(run: Run) -> None:
    words = "    ".join(json.loads(json.dumps(HEALTHY.split())))
    run(f"VAR    @{{command}}    {words}\nConnect To Server    ${{command}}    protocol=legacy\nList Tools").passed()
