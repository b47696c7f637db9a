"""What a hostile server or a careless test must not be able to do: end the run, leak a secret, hang, or show a traceback."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
    elif message["method"] == "tools/list":
        loop = {"anyOf": [{"$ref": "#/properties/x"}] * 12}
        result = {"tools": [{"name": "t", "inputSchema": {"type": "object", "properties": {"x": loop, "odd": {"anyOf": 5}}}}]}
    elif message["method"] == "tools/call":
        text = json.dumps(message["params"]["arguments"]) + " \\ud800"
        result = {"content": [{"type": "text", "text": text}]}
    else:
        result = {}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def echo(tmp_path: Path) -> str:
    (tmp_path / "echo.py").write_text(SERVER, encoding="utf-8")
    return f"{sys.executable} {tmp_path / 'echo.py'}"


def test_lone_surrogate_does_not_end_the_run(run, echo: str):
    finished = run(
        f"""
*** Test Cases ***
Shown
    Connect To Server    {echo}    protocol=legacy
    ${{r}} =    Call Tool    t    arguments={{}}
    Should Be Equal    ${{r.text}}    x
Next
    No Operation
"""
    )
    assert finished.statuses == {"Shown": "FAIL", "Next": "PASS"}
    assert "\\ud800" in finished.failures["Shown"]


def test_secret_that_comes_back_is_masked_in_failures_of_other_libraries(run, echo: str, monkeypatch):
    monkeypatch.setenv("ROBUST_SECRET", "geheim-4711")
    finished = run(
        f"""
*** Variables ***
${{TOKEN: Secret}}    %{{ROBUST_SECRET}}

*** Test Cases ***
Echoed
    Connect To Server    {echo}    protocol=legacy
    ${{r}} =    Call Tool    t    y=${{TOKEN}}
    Should Be Equal    ${{r.text}}    nothing
"""
    )
    assert "<secret>" in finished.failure
    assert "geheim-4711" not in finished.xml


def test_hostile_input_schema_does_not_hang(run, echo: str):
    finished = run(
        f"""
*** Test Cases ***
Loop
    [Timeout]    20 s
    Connect To Server    {echo}    protocol=legacy
    ${{r}} =    Call Tool    t    x=5    odd=6
    Should Contain    ${{r.text}}    "x": "5"
"""
    )
    finished.passed()


def test_replies_can_be_copied_and_judged_after_the_connection_closed(run, echo: str):
    finished = run(
        f"""
*** Test Cases ***
Kept
    Connect To Server    {echo}    protocol=legacy
    ${{r}} =    Call Tool    t    arguments={{}}
    ${{copy}} =    Evaluate    copy.deepcopy($r)
    Should Be Equal    ${{copy.id}}    ${{r.id}}
    Disconnect From Server
    Call Should Succeed    ${{r}}
"""
    )
    finished.passed()


def test_target_that_exits_while_it_is_imported_is_a_clear_failure(run, tmp_path: Path):
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    finished = run(
        f"""
*** Test Cases ***
Leaves
    Connect To Server    {tmp_path / "leaves.py"}:x
Next
    No Operation
"""
    )
    assert finished.statuses == {"Leaves": "FAIL", "Next": "PASS"}
    assert "failed: SystemExit: 3" in finished.failures["Leaves"]
