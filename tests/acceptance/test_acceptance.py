"""The acceptance suites, over every transport and in both eras, and the README's own examples."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("over", ["memory", "http", "stdio"])
def test_keywords(over: str, era: str, robot):
    finished = robot("--variable", f"OVER:{over}", "--variable", f"ERA:{era}", str(HERE / "keywords.robot"))
    assert finished.returncode == 0, finished.stdout


def test_raw_keywords(robot):
    finished = robot(str(HERE / "raw.robot"))
    assert finished.returncode == 0, finished.stdout


def test_readme_examples_run(robot, tmp_path: Path):
    blocks = re.findall(r"```robotframework\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for number, block in enumerate(blocks):
        (tmp_path / f"readme{number}.robot").write_text(block, encoding="utf-8")
    finished = robot(str(tmp_path))
    assert finished.returncode == 0, finished.stdout


def test_readme_commands_are_those_of_ci():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"```shell\n(.*?)\n```", readme, re.DOTALL)
    assert commands[:2] == [
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/mcplibrary check demo",
        "python3 -m venv .venv && .venv/bin/pip install -q '.[test]' && .venv/bin/pytest",
    ]
    assert sys.version_info >= (3, 11)
