"""McpLibrary's engine as a client of the official conformance suite, one scenario a test; needs Node and the suite."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
INSTALL = "npm install node@22 @modelcontextprotocol/conformance@0.2.0-alpha.12"
OLDEST_NODE = 22

SCENARIOS = [
    # scenario, wire, checks that must succeed (wire-schema-valid not counted)
    ("initialize", "2025-11-25", 1),
    ("tools_call", "2025-11-25", 1),
    ("tools_call", "2026-07-28", 1),
    ("sse-retry", "2025-11-25", 3),
    ("elicitation-sep1034-client-defaults", "2025-11-25", 5),
    ("request-metadata", "2026-07-28", 8),
    ("http-standard-headers", "2026-07-28", 9),
    ("http-custom-headers", "2026-07-28", 18),
    ("http-invalid-tool-headers", "2026-07-28", 12),
    ("sep-2322-client-request-state", "2026-07-28", 5),
    ("json-schema-ref-no-deref", "2026-07-28", 1),
    ("json-schema-2020-12-preservation", "2026-07-28", 8),
]


@cache
def suite() -> tuple[str, str] | str:
    """Node and the suite's script, or why there is none."""
    modules = Path(os.environ.get("MCPLIBRARY_NODE_MODULES") or ROOT / "node_modules")
    script = modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    if not script.is_file():
        return f"no conformance suite in {modules.name}; install it by: {INSTALL}"
    seen = []
    for node in (modules / ".bin" / "node", modules / "node" / "bin" / "node", shutil.which("node")):
        if node is None or not Path(node).exists():
            continue
        shown = subprocess.run([str(node), "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
        version = re.match(r"v(\d+)", shown)
        if version and int(version[1]) >= OLDEST_NODE:
            return str(node), str(script)
        seen.append(shown.strip() or "one that does not start")
    return f"Node {OLDEST_NODE} or newer is needed, found {', '.join(seen) or 'none'}; install it by: {INSTALL}"


def run(scenario: str, wire: str, folder: Path) -> tuple[list[dict[str, Any]], str]:
    """The checks of one scenario, and what suite and client wrote."""
    found = suite()
    if isinstance(found, str):
        pytest.skip(found)
    node, script = found
    client = shlex.join([sys.executable, str(Path(__file__).with_name("conformance_client.py"))])
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [node, script, "client", "--scenario", scenario, "--spec-version", wire, "--timeout", "60000",
         "-o", str(folder), "--command", client],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    output = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    for name in ("stdout.txt", "stderr.txt"):
        output += "".join(f"\n--- client {name}\n{file.read_text()}" for file in folder.rglob(name))
    files = list(folder.rglob("checks.json"))
    assert len(files) == 1, f"the suite (exit {done.returncode}) wrote {len(files)} checks.json:\n{output[-4000:]}"
    return json.loads(files[0].read_text()), output


@pytest.mark.parametrize(("scenario", "wire", "at_least"), SCENARIOS, ids=[f"{s}@{w}" for s, w, _ in SCENARIOS])
def test_scenario(scenario: str, wire: str, at_least: int, tmp_path: Path) -> None:
    checks, output = run(scenario, wire, tmp_path)
    # A tick of the suite proves little: an idle client gets some. So each status is read, and successes are counted.
    bad = [f"{c['status']} {c['id']}: {c.get('errorMessage') or c['description']}" for c in checks
           if c["status"] in ("FAILURE", "WARNING")]  # fmt: skip
    assert not bad, "\n".join([*bad, output[-4000:]])
    real = [c["id"] for c in checks if c["status"] == "SUCCESS" and c["id"] != "wire-schema-valid"]
    assert len(real) >= at_least, f"{len(real)} checks succeeded, {at_least} are needed: {real}\n{output[-4000:]}"
    assert "--- client stderr.txt\nTraceback" not in output, output[-4000:]
