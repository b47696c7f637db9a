"""That the benchmark still runs and gives a figure for every row; how fast anything is, it does not judge."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("per_call.py")


def test_figures_for_every_row(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    words = [sys.executable, str(SCRIPT), "--rounds", "1", "--blocks", "1", "--calls", "2", "--imports", "1",
             "--json", str(file)]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(file.read_text())
    figures = {(row["where"], row["what"]): row for row in report["rows"]}
    for transport in ("stdio", "http", "memory"):
        for era in ("modern", "legacy"):
            for what in ("mcp.Client", "empty keyword", "Call Tool", "Send Raw Request"):
                assert figures[f"{transport} {era}", what]["seconds"] > 0
    for transport in ("stdio", "http"):
        rival = figures[f"{transport} legacy", "robotframework-mcpclient"]
        assert rival.get("seconds", 0) > 0 or "not installed" in rival["skipped"]
    assert figures["import", "robot process, Library McpLibrary"]["seconds"] > 0
    assert all(bar["limit"] > 0 for bar in report["bars"])
