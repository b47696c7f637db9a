"""``mcplibrary check`` on real servers: what it finds is known one by one, and nothing else is told.

Each finding is defended by the rule in the metadata of its test. When a server's next release mends one, the table says so.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from robot.api import ExecutionResult

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SERVERS = HERE / "servers"
NODE_MODULES = Path(os.environ.get("MCPLIBRARY_NODE_MODULES", ROOT / "node_modules"))
NODE_PACKAGES = "@modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31"
TYPESCRIPT_PACKAGES = "@modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2 zod@4"

UNKNOWN_TOOL = "Unknown Tool Is A Protocol Error"
RESOURCE_CODE = "Missing Resource Has A Code Of Its Own"
RESOURCE_NAMED = "Error About A Missing Resource Names It"
URI_CODE = "Refused URIs Have A Code For It"
CURSOR = "Unknown Cursor Is Invalid Params"
COMPLETION = "Malformed Completions Are Invalid Params"
UNKNOWN_PROMPT = "Unknown Prompt Is Invalid Params"
PROMPT_ARGUMENT = "Missing Prompt Argument Is Invalid Params"
EARLY = "Requests Before Initialize Are Refused"
PARAMS = "Malformed Params Are Invalid Params"
ODD = "Malformed Ids And Versions Are Not Served"
ORIGIN = "Foreign Origin Is Refused"
ORIGIN_OF_DELETE = "Foreign Origin Cannot End A Session"
HOST = "Foreign Host Is Refused"
LISTENING = "Local Server Listens On Loopback Only"
RESUMING = "Attempt To Resume What Is Not There Does No Harm"
UNKNOWN_SESSION = "Unknown Session Is Not Found"
ENDED_SESSION = "Ended Session Is Not Found"
VERSION = "Unsupported Version Is Refused With The Supported Ones"
BATCH = "Batches Are Refused"
TEXT_COPY = "Structured Content Is Text Too"
TAKES_LONG = "Every Listed Tool Can Be Called"
BARE = "Header Values Outside ASCII Are Refused"
SENTENCE = "Error Messages Are One Sentence"
BROKEN = "Broken Text Is Not Repaired"
OLD_BATCH = "Batches Are Answered Where They Belong"
FIRST_BATCH = "Initialize In A Batch Is Not Processed"
CODE = "Invalid Request Has Its Code"
NULL_ID = "Errors To Unreadable Messages Name No Id"
NEWER = "Lists Hold Nothing Newer Than The Revision"
TASK_CALL = "Plain Tool Refuses A Task Call"
TASK_IGNORED = "Task Parameter Is Ignored Without Task Support"
LATE_INITIALIZE = "Initialize After A Modern Opening Does No Harm"
CLOSING = "Ending Server Closes Its Subscriptions"
LOG_LEVEL = "Setting An Unknown Log Level Is Invalid Params"


def more(base: dict[str, set[str]], *, legacy: set[str] = frozenset(), modern: set[str] = frozenset()) -> dict:
    """The findings of a server, and what it shows in addition on one transport."""
    return {"legacy": base["legacy"] | legacy, "modern": base["modern"] | modern}


PYTHON_SDK = {
    "legacy": {UNKNOWN_TOOL, RESOURCE_CODE, UNKNOWN_PROMPT, PROMPT_ARGUMENT, CURSOR, OLD_BATCH, NEWER},
    "modern": {UNKNOWN_TOOL, UNKNOWN_PROMPT, PROMPT_ARGUMENT, CURSOR},
}
FASTMCP = {"legacy": {UNKNOWN_TOOL, RESOURCE_CODE, CURSOR, OLD_BATCH, NEWER}, "modern": {UNKNOWN_TOOL, CURSOR}}
TIME = {"legacy": {RESOURCE_CODE, UNKNOWN_PROMPT, CURSOR, OLD_BATCH, NEWER}, "modern": {UNKNOWN_PROMPT, CURSOR}}
TYPESCRIPT = {"legacy": {EARLY, PARAMS, CURSOR, SENTENCE, BROKEN}, "modern": {PARAMS, CURSOR, SENTENCE, BROKEN}}
EVERYTHING = {
    PARAMS, TAKES_LONG, UNKNOWN_TOOL, RESOURCE_CODE, RESOURCE_NAMED, URI_CODE, CURSOR, COMPLETION, LOG_LEVEL, SENTENCE,
    BROKEN, NEWER, TASK_CALL,
}  # fmt: skip
FILESYSTEM = {PARAMS, UNKNOWN_TOOL, TEXT_COPY, CURSOR, EARLY, SENTENCE, BROKEN, OLD_BATCH, NEWER, TASK_IGNORED}

PYTHON_ON_STDIO = {"legacy": {BROKEN}, "modern": {BROKEN}}
PYTHON_OVER_HTTP = {"legacy": {ODD, RESUMING, SENTENCE, CODE, NULL_ID}, "modern": {BARE, NULL_ID}}
NOTHING = {"legacy": set(), "modern": set()}


def findings(folder: Path) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The failed tests and the tests with a warning, by era."""
    failed: dict[str, set[str]] = {}
    warned: dict[str, set[str]] = {}
    suite = ExecutionResult(str(folder / "output.xml")).suite
    for test in suite.all_tests:
        era = next(e for e in ("legacy", "modern") if f"{e} era" in test.full_name.lower())
        failed.setdefault(era, set()), warned.setdefault(era, set())
        if test.status == "FAIL":
            failed[era].add(test.name)
        elif "should-broken" in test.tags:
            warned[era].add(test.name)
    return failed, warned


def check(mcplibrary, tmp_path: Path, *arguments: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    finished = mcplibrary("check", *arguments, "--outputdir", str(tmp_path / "report"), "--", "--console", "quiet")
    assert (tmp_path / "report" / "log.html").is_file(), finished.stdout + finished.stderr
    failed, warned = findings(tmp_path / "report")
    assert finished.returncode == sum(map(len, failed.values()))
    return failed, warned


@pytest.mark.parametrize("over", ["http", "stdio"])
def test_sample_server_is_healthy(over: str, mcplibrary, tmp_path: Path):
    assert check(mcplibrary, tmp_path, "demo", "--over", over) == (NOTHING, NOTHING)


def test_sdk_server_object(mcplibrary, tmp_path: Path):
    assert check(mcplibrary, tmp_path, f"{SERVERS / 'sdk_server.py'}:mcp") == (NOTHING, PYTHON_SDK)


def test_sdk_server_over_stdio(mcplibrary, tmp_path: Path):
    assert check(mcplibrary, tmp_path, f"{sys.executable} {SERVERS / 'sdk_server.py'}") == (
        NOTHING,
        more(more(PYTHON_SDK, **PYTHON_ON_STDIO), modern={CLOSING}),
    )


def test_sdk_server_over_http(mcplibrary, tmp_path: Path):
    port = free_port()
    with serving([sys.executable, str(SERVERS / "sdk_server.py"), "--http", str(port)], port):
        found = check(mcplibrary, tmp_path, f"http://127.0.0.1:{port}/mcp", "--xunit", "junit.xml")
    assert found == (NOTHING, more(PYTHON_SDK, **PYTHON_OVER_HTTP))
    assert (tmp_path / "report" / "junit.xml").is_file()


def test_fastmcp_object(mcplibrary, tmp_path: Path):
    assert check(mcplibrary, tmp_path, f"{SERVERS / 'fastmcp_server.py'}:mcp") == (NOTHING, FASTMCP)


def test_fastmcp_over_http_checks_no_origin_by_default(mcplibrary, tmp_path: Path):
    failed, warned = check(mcplibrary, tmp_path, f"{SERVERS / 'fastmcp_server.py'}:mcp", "--over", "http")
    assert failed == {"legacy": {ORIGIN, ORIGIN_OF_DELETE}, "modern": {ORIGIN}}
    assert warned == more(more(FASTMCP, **PYTHON_OVER_HTTP), legacy={HOST}, modern={HOST})


def test_time_server(mcplibrary, tmp_path: Path):
    failed, warned = check(mcplibrary, tmp_path, f"{sys.executable} -m mcp_server_time")
    assert failed == NOTHING
    assert warned == more(TIME, **PYTHON_ON_STDIO)


def node_server(name: str) -> str:
    program = NODE_MODULES / ".bin" / name
    if not program.exists() or shutil.which("node") is None:
        pytest.skip(f"{name} is not there; install Node.js and run: npm install {NODE_PACKAGES}")
    return str(program)


def test_everything_server_over_stdio(mcplibrary, tmp_path: Path):
    failed, warned = check(mcplibrary, tmp_path, f"{node_server('mcp-server-everything')} stdio")
    assert failed == {"legacy": set()}
    assert warned == {"legacy": EVERYTHING | {EARLY, OLD_BATCH}}


def test_everything_server_over_http(mcplibrary, tmp_path: Path):
    port = free_port()
    with serving([node_server("mcp-server-everything"), "streamableHttp"], port, PORT=str(port)):
        failed, warned = check(mcplibrary, tmp_path, f"http://127.0.0.1:{port}/mcp")
    assert failed == {"legacy": {ORIGIN, ORIGIN_OF_DELETE, BATCH, FIRST_BATCH, ENDED_SESSION}}
    # It listens on all addresses, which shows only on a machine that has more than loopback.
    assert warned["legacy"] - {LISTENING} == EVERYTHING | {HOST, UNKNOWN_SESSION, CODE, NULL_ID}


def test_filesystem_server(mcplibrary, tmp_path: Path):
    failed, warned = check(mcplibrary, tmp_path, f"{node_server('mcp-server-filesystem')} {tmp_path}")
    assert failed == {"legacy": set()}
    assert warned == {"legacy": FILESYSTEM}


def ts_server() -> list[str]:
    """A plain server of the official TypeScript SDK, as a command."""
    node = shutil.which("node")
    if node is None or not (NODE_MODULES / "@modelcontextprotocol" / "server").is_dir():
        pytest.skip(f"the TypeScript SDK is not there; install Node.js and run: npm install {TYPESCRIPT_PACKAGES}")
    return [node, str(SERVERS / "ts_server.cjs")]


def test_typescript_sdk_over_stdio(mcplibrary, tmp_path: Path):
    failed, warned = check(mcplibrary, tmp_path, subprocess.list2cmdline(ts_server()))
    assert failed == {"legacy": set(), "modern": {VERSION}}
    assert warned == more(TYPESCRIPT, legacy={OLD_BATCH}, modern={CLOSING, LATE_INITIALIZE})


def test_typescript_sdk_over_http(mcplibrary, tmp_path: Path):
    port = free_port()
    with serving([*ts_server(), "--http", str(port)], port):
        failed, warned = check(mcplibrary, tmp_path, f"http://127.0.0.1:{port}/mcp")
    assert failed == {"legacy": {BATCH, FIRST_BATCH}, "modern": set()}
    assert warned == more(TYPESCRIPT, legacy={NULL_ID}, modern={NULL_ID, BARE})


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class serving:
    """A server process that listens on a port while the block runs."""

    def __init__(self, command: list[str], port: int, **env: str) -> None:
        self.command, self.port, self.env = command, port, env

    def __enter__(self) -> None:
        from McpLibrary.session.server_process import ServerProcess

        self.process = ServerProcess(self.command, f"http://127.0.0.1:{self.port}/mcp", env=self.env, cwd=None, level=0)
        self.process.start(60)

    def __exit__(self, *error: object) -> None:
        self.process.stop()


def test_wheel_carries_suites_resources_and_rules(tmp_path: Path):
    """The built wheel, in a fresh environment outside the checkout, finds its own suites, resources and rules."""
    wheels = tmp_path / "wheels"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "-q", "--no-deps", "-w", str(wheels), str(ROOT)], check=True, cwd=tmp_path, timeout=300
    )
    (wheel,) = wheels.glob("*.whl")
    home = tmp_path / "site"
    subprocess.run(
        [*pip, "install", "-q", "--no-deps", "--target", str(home), str(wheel)], check=True, cwd=tmp_path, timeout=300
    )
    (tmp_path / "own.robot").write_text(
        "*** Settings ***\nResource    McpLibrary/resources/server.resource\nSuite Setup    Open Server Under Test\n\n"
        "*** Test Cases ***\nOwn\n    Use Server Under Test    modern\n    Server Should Still Answer\n",
        encoding="utf-8",
    )
    env = {**os.environ, "PYTHONPATH": str(home)}
    code = "import McpLibrary.cli as c; print(c.__file__); print(c.suites_folder())"
    where = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert all(line.startswith(str(home)) for line in where.stdout.split()), where.stdout
    finished = subprocess.run(
        [sys.executable, "-m", "robot", "--output", "NONE", "--log", "NONE", "--report", "NONE", "own.robot"],
        env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stdout
    documents = {path.name for path in (ROOT / "McpLibrary" / "docs").iterdir()}
    assert {"rules.md", "seeds.md", "roles.md", "rules.tsv"} < documents
    assert {path.name for path in (home / "McpLibrary" / "docs").iterdir()} == documents
    told = subprocess.run(
        [sys.executable, "-m", "McpLibrary", "rules", "HS-01"], env=env, cwd=tmp_path, capture_output=True, text=True
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert "judged by handshake: " in told.stdout
