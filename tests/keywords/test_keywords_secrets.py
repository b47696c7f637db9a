"""A secret never reaches a file that Robot writes, whatever the log level, and whatever the server makes of it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from failing import HEALTHY

Run = Callable[..., Any]
SECRET = 'zq"xjheim\\Wörter-qxzj'
"""With all that is escaped somewhere; its letters are found in no other text."""
PLAIN = "zqxjheim-rter-qxzj"
SUITE = """\
*** Settings ***
Library    McpLibrary    timeout=10s
*** Variables ***
${{TOKEN: Secret}}    %{{MCP_TEST_SECRET}}
*** Test Cases ***
Test
{body}
"""


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MCP_TEST_SECRET", SECRET)
    return SECRET


def written(run: Run, body: str, status: str) -> str:
    """Everything that Robot wrote about a suite that uses the secret."""
    text = "\n".join(f"    {line.strip()}" for line in body.strip().splitlines())
    finished = run(SUITE.format(body=text))
    assert finished.statuses == {"Test": status}, finished.failures
    # Robot packs long texts of a log file; packed, they could hold or hide any few letters by chance.
    html = re.sub(r'"(eN[A-Za-z0-9+/=]{20,})"', unpacked, finished.write_log())
    return str(
        finished.xml + html + finished.log + json.dumps(finished.failures, ensure_ascii=False) + finished.console
    )


def unpacked(match: re.Match[str]) -> str:
    return zlib.decompress(base64.b64decode(match[1])).decode("utf-8")


def assert_hidden(text: str) -> None:
    """No part of the secret is there, so neither is any escaped form of it."""
    for part in ("xjheim", "rter-q", "qxzj"):
        assert part not in text, f"a part of the secret is shown: {excerpt(text, part)}"


def excerpt(text: str, part: str) -> str:
    at = text.index(part)
    return text[max(0, at - 200) : at + 200]


def echoing(method: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
    """A legacy server over HTTP that repeats the token wherever it can."""
    token = headers.get("authorization", "").encode("latin-1").decode("utf-8", "replace")
    message = json.loads(body) if body else {}
    if message.get("method") == "initialize":
        result: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": token}}
    elif message.get("method") == "tools/call":
        result = {"content": [{"type": "text", "text": f"you said {token}"}]}
    else:
        error = {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": -32601, "message": f"not for {token}"}}
        return 200, {"Content-Type": "application/json"}, json.dumps(error, ensure_ascii=False).encode()
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    return (
        200,
        {"Content-Type": "application/json", "X-Echo": token.encode().decode("latin-1")},
        json.dumps(answer).encode(),
    )


def test_secret_in_env_that_the_server_repeats(run: Run, secret: str) -> None:
    text = written(
        run,
        f"""
        VAR    &{{env}}    KEY=${{TOKEN}}
        Connect To Server    {HEALTHY}    env=${{env}}    protocol=legacy
        ${{r}} =    Call Tool    env_of    arguments={{"name": "KEY"}}
        Should Be Equal    ${{r.text}}    ${{TOKEN.value}}    values=False
        Log    ${{r}}
        Log    ${{r.text}}
        Get Transcript
        Get Exchange
        """,
        "PASS",
    )
    assert "&lt;secret&gt;" in text
    assert_hidden(text)


def test_secret_among_the_arguments_of_a_tool(run: Run, secret: str) -> None:
    text = written(
        run,
        f"""
        Connect To Server    {HEALTHY}    protocol=legacy
        VAR    &{{arguments}}    password=${{TOKEN}}
        Call Tool    login    arguments=${{arguments}}
        Call Tool    login    password=${{TOKEN}}
        Send Raw Request    tools/nope    ${{arguments}}
        """,
        "PASS",
    )
    assert_hidden(text)


@pytest.fixture
def plain_secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MCP_TEST_SECRET", PLAIN)
    return PLAIN


def test_token_and_header_that_the_server_repeats(run: Run, plain_secret: str, http_server: Callable[..., str]) -> None:
    text = written(
        run,
        f"""
        VAR    &{{headers}}    X-Key=${{TOKEN}}    X-Plain=1
        Connect To Server    {http_server(echoing)}    token=${{TOKEN}}    headers=${{headers}}
        ${{info}} =    Get Server Info
        ${{r}} =    Call Tool    echo    arguments={{}}
        Should Contain    ${{r.text}}    you said Bearer
        ${{r}} =    Send Raw Request    tools/nope    headers=${{headers}}
        Log    ${{r.headers}}
        Call Should Succeed    ${{r}}
        """,
        "FAIL",
    )
    assert "not for Bearer &lt;secret&gt;" in text
    assert_hidden(text)


def test_secret_at_the_edge_of_the_evidence_is_not_cut_into_view(run: Run, plain_secret: str) -> None:
    # The evidence is cut at 200 characters: whichever way the secret lies there, no part of it may show.
    for lead in range(135, 175, 3):
        text = written(
            run,
            f"""
            Connect To Server    {HEALTHY}    protocol=legacy
            VAR    &{{arguments}}    a={"x" * lead}    b=${{TOKEN}}
            ${{r}} =    Call Tool    echo    arguments=${{arguments}}
            Call Should Be Tool Error    ${{r}}
            """,
            "FAIL",
        )
        assert "zqx" not in text, f"cut at {lead}: {excerpt(text, 'zqx')}"


def test_secret_in_a_failure_to_connect(run: Run, plain_secret: str, tmp_path: Any) -> None:
    (tmp_path / "ends.py").write_text("import os, sys\nsys.exit('bad key ' + os.environ['KEY'])\n", encoding="utf-8")
    python = HEALTHY.split()[0]
    text = written(
        run,
        f"""
        VAR    &{{env}}    KEY=${{TOKEN}}
        Connect To Server    {python} {tmp_path / "ends.py"}    env=${{env}}    protocol=legacy
        """,
        "FAIL",
    )
    assert "its stderr ends with: bad key &lt;secret&gt;" in text
    assert_hidden(text)


def test_secret_in_the_output_of_a_started_process(run: Run, plain_secret: str, tmp_path: Any) -> None:
    (tmp_path / "ends.py").write_text("import os, sys\nsys.exit('bad key ' + os.environ['KEY'])\n", encoding="utf-8")
    python = HEALTHY.split()[0]
    text = written(
        run,
        f"""
        VAR    &{{env}}    KEY=${{TOKEN}}
        Start Server Process    {python} {tmp_path / "ends.py"}    http://127.0.0.1:1/    env=${{env}}
        """,
        "FAIL",
    )
    assert_hidden(text)
