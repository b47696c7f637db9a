"""Running ``robot`` and ``mcplibrary`` as a user does: in a process of their own, in a folder of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 300
"""Seconds after which a run counts as hanging."""


def _runner(tmp_path: Path, *command: str):
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *command, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT
        )

    return run


@pytest.fixture
def robot(tmp_path: Path):
    return _runner(tmp_path, "robot", "--outputdir", str(tmp_path / "results"), "--consolecolors", "off")


@pytest.fixture
def mcplibrary(tmp_path: Path):
    return _runner(tmp_path, "McpLibrary")
