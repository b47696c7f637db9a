"""Importing is cheap, the libdoc page is complete, and a dry run connects to nothing."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from robot.libdocpkg import LibraryDocumentation

from McpLibrary import McpLibrary

HEAVY = ("mcp", "mcp_types", "httpx", "httpx_sse", "jsonschema", "pydantic", "anyio", "uvicorn", "starlette", "hypothesis",
         "locust", "jinja2")  # fmt: skip
KEYWORDS = LibraryDocumentation("McpLibrary").keywords


def loaded(code: str, folder: Path) -> list[str]:
    """The heavy modules that a fresh interpreter has loaded after this code."""
    report = f"\nimport json, sys\nprint(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", code + report], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_import_loads_nothing_heavy(tmp_path: Path) -> None:
    assert loaded("import McpLibrary", tmp_path) == []


@pytest.mark.parametrize("arguments", [["McpLibrary", "list"], ["McpLibrary", "show"], ["McpLibrary", "page.json"]])
def test_libdoc_loads_nothing_heavy(tmp_path: Path, arguments: list[str]) -> None:
    code = f"from robot.libdoc import libdoc_cli\nlibdoc_cli({arguments!r}, exit=False)"
    assert loaded(code, tmp_path) == []


def test_dry_run_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "suite.robot").write_text(
        """
*** Settings ***
Library    McpLibrary    timeout=5s    auto_close=SUITE
*** Test Cases ***
Test
    Connect To Server    demo    token=${TOKEN}
    ${r} =    Call Tool    echo    text=x    expect=ANY
    Assert Error Code    ${r}    method not found
""",
        encoding="utf-8",
    )
    code = "from robot import run_cli\nassert run_cli(['--dryrun', '--output', 'NONE', 'suite.robot'], exit=False) == 0"
    assert loaded(code, tmp_path) == []


def test_library_has_keywords_of_every_kind() -> None:
    assert {"Connect To Server", "Call Tool", "Send Raw Bytes", "Assert Error Code", "Wait For Notification"} <= {
        keyword.name for keyword in KEYWORDS
    }


@pytest.mark.parametrize("keyword", KEYWORDS, ids=lambda keyword: keyword.name)
def test_keyword_is_documented(keyword: Any) -> None:
    doc = inspect.getdoc(getattr(McpLibrary, keyword.name.lower().replace(" ", "_"))) or ""
    first = doc.partition("\n")[0]
    assert first[:1].isupper(), f"{keyword.name}: no sentence in the first line of its documentation"
    assert keyword.tags, f"{keyword.name} has no tag"
    names = [argument.name for argument in keyword.args if argument.name]
    if names:
        assert "\nArgs:\n" in doc, f"{keyword.name} documents no arguments"
        section = doc.partition("\nArgs:\n")[2]
        missing = [name for name in names if not re.search(rf"^    {name}: ", section, re.MULTILINE)]
        assert not missing, f"{keyword.name} does not document {missing}"
        assert all(argument.doc for argument in keyword.args if argument.name), "libdoc does not see the Args section"
