"""The suites of rounds and states on real SDK servers: what is sealed passes, what is not sealed fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_real_servers import SERVERS, check, ts_server

PROFILE = """
ROLES:
  handwritten_rounds_tool:
    name: reserve
    arguments: {title: Jasmine}
    other_arguments: {title: Dune}
    key: qty
    answer: {qty: 2}
    text: Reserved 2 x Jasmine
"""
UNSEALED = {"Spoilt State Is Not Taken"}


def found(mcplibrary, tmp_path: Path, command: list[str]) -> tuple[set[str], set[str]]:
    """Tests about states that failed, and that warned, in the modern era."""
    profile = tmp_path / "profile.yaml"
    profile.write_text(PROFILE, encoding="utf-8")
    failed, warned = check(
        mcplibrary, tmp_path, subprocess.list2cmdline(command), "--profile", str(profile), "--protocol", "modern",
        "--include", "rounds",
    )  # fmt: skip
    return failed["modern"], warned["modern"]


@pytest.mark.parametrize("sealed", [True, False], ids=["sealed", "unsealed"])
def test_low_level_python_server(sealed: bool, mcplibrary, tmp_path: Path):
    failed, warned = found(
        mcplibrary, tmp_path, [sys.executable, str(SERVERS / "lowlevel_asking.py"), *["--sealed"] * sealed]
    )
    assert failed == (set() if sealed else UNSEALED)
    assert ("State Of Another Call Is Not Taken" in warned) is not sealed


@pytest.mark.parametrize("sealed", [True, False], ids=["codec", "no codec"])
def test_typescript_server(sealed: bool, mcplibrary, tmp_path: Path):
    node = ts_server()[0]
    failed, warned = found(mcplibrary, tmp_path, [node, str(SERVERS / "ts_asking.cjs"), *["--sealed"] * sealed])
    assert failed == (set() if sealed else UNSEALED)
    # The codec binds no arguments unless its user says so, and signs without hiding.
    assert {"State Of Another Call Is Not Taken", "State Is Opaque"} <= warned
