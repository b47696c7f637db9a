"""The ready-made suites against the scripted server: silent on the healthy one, and each fault is caught by a test of its rule."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from catalog import FAULTS, Fault
from robot import run
from robot.api import ExecutionResult
from robot.api import TestSuiteBuilder as SuiteBuilder

from McpLibrary.cli import OTHER_ERA, suites_folder

HERE = Path(__file__).parent
SERVER = str(HERE / "server.py")
ERAS = ("legacy", "modern")
NO_OTHER_ADDRESS = "Not applicable: this machine has no address but loopback."
EXPECTED_SKIPS = (
    "Not applicable: the server offers tasks.",
    "Not applicable: this is a rule for servers that speak ",
    "Not applicable: the server declares every capability that has methods.",
)
"""How the reasons begin for what does not apply to the healthy server, beside the rules of the other transport."""

FILES: dict[str, set[str]] = {}
"""The suites that have a test with this tag, rule ids among them."""
for _suite in SuiteBuilder().build(suites_folder()).suites:
    for _tag in {str(tag) for test in _suite.tests for tag in test.tags}:
        FILES.setdefault(_tag, set()).add(str(_suite.source))

RULES = set(FILES)


@contextmanager
def target(transport: str, *arguments: str) -> Iterator[str]:
    """The scripted server as a target: its command, or its URL while it runs."""
    if transport == "stdio":
        yield subprocess.list2cmdline([sys.executable, SERVER, *arguments])
        return
    command = [sys.executable, SERVER, "--http", "--port", "0", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            first = process.stderr.readline()
            assert first.startswith("Listening on http"), f"the scripted server did not start: {first}"
            yield first.split()[-1]
        finally:
            process.kill()


def judge(
    server: str, era: str, tmp_path: Path, *, include: list[str] | None = None, claimed: tuple[str, ...] = ERAS
) -> list:
    """The tests of a run of the suites on a server, in one era; without claims those are found out."""
    # Reading all suites takes longer than running a few tests.
    files = sorted(set().union(*(FILES[tag] for tag in include))) if include else [str(suites_folder())]
    with open(os.devnull, "w") as nowhere:
        run(
            *files,
            outputdir=str(tmp_path),
            include=include or [],
            exclude=list(OTHER_ERA[era]),
            variable=[
                f"SERVER:{server}", f"PROTOCOL:{era}", f"CLAIMED: list:{list(claimed)}",
                f"PROFILE:{HERE / 'profile.yaml'}", "SILENCE:0.3 s", "TIMEOUT:3 s",
            ],
            console="none", log=None, report=None, runemptysuite=True, stdout=nowhere, stderr=nowhere,
        )  # fmt: skip
    return list(ExecutionResult(str(tmp_path / "output.xml")).suite.all_tests)


def complains(test) -> bool:
    return test.status == "FAIL" or "should-broken" in test.tags


# A server of both eras, and one of each era alone; its claims are given, or found out by the suites.
HEALTHY = [("both", "legacy", ERAS), ("both", "modern", ERAS), ("legacy", "legacy", ()), ("modern", "modern", ())]


@pytest.mark.parametrize(("eras", "era", "claimed"), HEALTHY)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_healthy_server_passes_everything(
    transport: str, eras: str, era: str, claimed: tuple[str, ...], tmp_path: Path
):
    with target(transport, "--eras", eras) as server:
        tests = judge(server, era, tmp_path, claimed=claimed)
    assert len(tests) > 40
    assert [f"{t.name}: {t.message}" for t in tests if complains(t)] == []
    skips = {t.message for t in tests if t.status == "SKIP"} - {NO_OTHER_ADDRESS}
    other = "stdio" if transport == "http" else "http"
    wrong_transport = f"Not applicable: this is a rule for {other}, the server is reached over {transport}."
    assert [text for text in skips if not text.startswith((wrong_transport, *EXPECTED_SKIPS))] == []


def cases() -> Iterator[tuple[str, str, str]]:
    for name, fault in FAULTS.items():
        if covered(fault):
            for transport in sorted(fault.transports):
                for era in ERAS if fault.eras == "both" else (fault.eras.split()[0],):
                    yield name, transport, era


def covered(fault: Fault) -> list[str]:
    """Those of its rules that the suites have a test for."""
    return [rule for rule in fault.rules if rule in RULES]


@pytest.mark.parametrize(("name", "transport", "era"), list(cases()))
def test_fault_is_caught(name: str, transport: str, era: str, tmp_path: Path):
    alone = FAULTS[name].eras.endswith(" only")
    with target(transport, "--eras", era if alone else "both", "--fault", name) as server:
        claimed = (era,) if alone else ERAS
        tests = judge(server, era, tmp_path, include=covered(FAULTS[name]), claimed=claimed)
    if {t.message for t in tests} == {NO_OTHER_ADDRESS}:
        pytest.skip(NO_OTHER_ADDRESS)
    assert [t.name for t in tests if complains(t)], [(t.name, t.status, t.message) for t in tests]
    assert not any("setup failed" in t.message or "No keyword with name" in t.message for t in tests)


def test_every_rule_of_the_suites_has_a_fault():
    without = {
        # Rules that say the same as another one of the same test, or that follow from it.
        "SEC-10", "TOOL-41", "CACHE-01",
    }  # fmt: skip
    proven = {rule for fault in FAULTS.values() for rule in fault.rules}
    named = {tag for tag in RULES if re.fullmatch(r"[A-Z]+-[A-Z]?[0-9]+", tag)}
    assert named - proven - without == set()
