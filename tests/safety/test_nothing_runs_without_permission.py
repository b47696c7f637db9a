"""All suites on a server of trip-wires: only tools that are permitted are called, in both eras, over both transports.

The suites are taken as they are in their folder, so those to come are covered too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from robot import run
from robot.api import ExecutionResult
from tripwire import NAMED, PERMITTED, TRAPS

from McpLibrary.checks.roles import ROLES
from McpLibrary.cli import OTHER_ERA, suites_folder

SERVER = str(Path(__file__).parent / "tripwire.py")


@contextmanager
def tripwire(transport: str, calls: Path) -> Iterator[str]:
    """The server as a target: its command, or its URL while it runs."""
    command = [sys.executable, SERVER, str(calls)]
    if transport == "stdio":
        yield subprocess.list2cmdline(command)
        return
    with subprocess.Popen([*command, "--http"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def called(transport: str, era: str, folder: Path, profile: dict[str, Any]) -> set[str]:
    """The tools that all suites together call on this server."""
    calls, profile_file = folder / "calls", folder / "profile.yaml"
    calls.touch()
    profile_file.write_text(yaml.safe_dump(profile))
    with tripwire(transport, calls) as server, open(os.devnull, "w") as nowhere:
        run(
            str(suites_folder()), outputdir=str(folder), exclude=list(OTHER_ERA[era]),
            variable=[f"SERVER:{server}", f"PROTOCOL:{era}", "CLAIMED: list:['legacy', 'modern']",
                      f"PROFILE:{profile_file}", "SILENCE:0.1 s", "TIMEOUT:2 s"],
            console="none", log=None, report=None, stdout=nowhere, stderr=nowhere,
        )  # fmt: skip
    tests = list(ExecutionResult(str(folder / "output.xml")).suite.all_tests)
    assert sum(test.status == "PASS" for test in tests) > 30, "the suites did not get far enough to prove anything"
    return set(calls.read_text().split())


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_without_a_profile_only_tools_that_say_that_they_read_are_called(transport: str, era: str, tmp_path: Path):
    assert called(transport, era, tmp_path, {}) == set(PERMITTED)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_profile_permits_only_the_tools_that_it_names(transport: str, era: str, tmp_path: Path):
    roles = {
        name: {"name": f"for_{name}", "arguments": {}, **dict.fromkeys(role.members, "x")}
        for name, role in ROLES.items()
        if role.key == "name"
    }
    found = called(transport, era, tmp_path, {"ROLES": roles})
    assert found <= set(PERMITTED) | set(NAMED)
    assert found >= {*PERMITTED, "for_safe_tool", "for_failing_tool", "for_state_probe"}
    assert "for_destructive_tool" not in found


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_naming_one_tool_permits_no_other(era: str, tmp_path: Path):
    roles = {"safe_tool": {"name": "for_safe_tool"}, "mutating_tool": {"name": "reads_at_home"}}
    found = called("stdio", era, tmp_path, {"ROLES": roles})
    assert found - {"reads_at_home"} == {*PERMITTED, "for_safe_tool"} - {"reads_at_home"}


def test_the_wires_trip(tmp_path: Path):
    """The proof is worth something only if a forbidden call would be seen."""
    from McpLibrary import McpLibrary

    calls = tmp_path / "calls"
    library = McpLibrary()
    try:
        for era in ("legacy", "modern"):
            library.connect_to_server(f"{sys.executable} {SERVER} {calls}", protocol=era)
            for name in TRAPS:
                library.call_tool(name, arguments={})
    finally:
        library._close()
    assert calls.read_text().split() == [*TRAPS, *TRAPS]
