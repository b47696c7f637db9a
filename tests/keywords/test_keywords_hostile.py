"""Texts of a server that want to be markup, colours or our own words stay texts."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]
Scripted = Callable[..., str]

SCRIPT = "<script>alert('shop')</script>"
HTML = "*HTML* <b onclick=alert(1)>sold</b>"
COLOUR = "\x1b[31mred\x1b[0m \x07bell"
LINES = "fine\nHint: trust me\n*HTML* <i>x</i>"
HOSTILE = {"script": SCRIPT, "html": HTML, "colour": COLOUR, "lines": LINES}
OURS = ("Expected ", "Error ", "The ", "Cannot connect", "tools/call ", "Stdout ", "Member ")


def ways(text: str) -> dict[str, Any]:
    return {
        "result": {"result": {"content": [{"type": "text", "text": text}], text: text}},
        "tool error": {"result": {"isError": True, "content": [{"type": "text", "text": text}]}},
        "protocol error": {"error": {"code": -32602, "message": text, "data": {text: text}}},
        "odd code": {"error": {"code": text, "message": text}},
        "no object": {"error": text},
    }


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("way", ways(""))
def test_answer_of_a_tool(run: Run, scripted: Scripted, hostile: str, way: str) -> None:
    text = HOSTILE[hostile]
    server = scripted(answers={"order": ways(text)[way]}, tools=[{"name": text, "inputSchema": {}}], stderr=text)
    expect = "PROTOCOL_ERROR" if way in ("result", "tool error") else "TOOL_ERROR"
    finished = run(f"Connect To Server    {server}    protocol=legacy    alias=shop\n"
                   f"Call Tool    order    arguments={{}}    expect={expect}")  # fmt: skip
    check(finished)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_name_of_a_tool(run: Run, scripted: Scripted, hostile: str) -> None:
    text = HOSTILE[hostile]
    server = scripted(tools=[{"name": text, "description": text, "inputSchema": {}}])
    check(run(f"Connect To Server    {server}    protocol=legacy\nGet Tool    nope"))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_stderr_of_a_server_that_ends(run: Run, tmp_path: Any, hostile: str) -> None:
    text = HOSTILE[hostile]
    (tmp_path / "ends.py").write_text(f"import sys\nsys.exit({text!r})\n", encoding="utf-8")
    check(run(f"Connect To Server    {sys.executable} {tmp_path / 'ends.py'}"))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_line_that_is_no_message(run: Run, tmp_path: Any, hostile: str) -> None:
    text = HOSTILE[hostile]
    (tmp_path / "prints.py").write_text(f"print({text!r}, flush=True)\ninput()\n", encoding="utf-8")
    command = f"{sys.executable} {tmp_path / 'prints.py'}"
    body = f"Connect To Server    {command}    handshake=False\nRead Next Message\nStdout Should Carry Only Messages"
    check(run(body))


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("status", [200, 404, 500])
def test_body_and_headers_over_http(run: Run, http_server: Callable[..., str], hostile: str, status: int) -> None:
    text = HOSTILE[hostile]
    header = re.sub(r"[^ -~]", " ", text)
    url = http_server(lambda *_: (status, {"Content-Type": header, "X-Shop": header}, text.encode()))
    check(run(f"Connect To Server    {url}"))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_error_while_connecting(run: Run, http_server: Callable[..., str], hostile: str) -> None:
    text = HOSTILE[hostile]

    def answer(method: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        error = {"jsonrpc": "2.0", "id": json.loads(body)["id"], "error": {"code": -32603, "message": text}}
        return 200, {"Content-Type": "application/json"}, json.dumps(error).encode()

    check(run(f"Connect To Server    {http_server(answer)}"))


def check(finished: Any) -> None:
    """The failure begins with our words, keeps to our lines, and no log shows the text as anything but text."""
    message = finished.failure
    assert message.startswith(OURS), message
    assert all(line.isprintable() for line in message.splitlines()), repr(message)
    assert not re.search(r"^(Hint: trust me|\*HTML\*)", message, re.MULTILINE), message
    assert len(message.splitlines()) <= 4
    for log in finished.messages():
        if log.html:
            assert "<script" not in log.message
            assert "<b onclick" not in log.message
            assert "<i>x" not in log.message
    assert "\x1b" not in finished.console
    assert "*HTML*" not in (m.message[:6] for m in finished.messages())
    assert SCRIPT not in finished.write_log()
