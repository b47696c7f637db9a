"""Helpers for all tests: a suite from text, run in this process, with everything that Robot wrote about it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from robot.api import ExecutionResult, ResultWriter, TestSuite

SETTINGS = "*** Settings ***\nLibrary    McpLibrary    timeout=10s\n"


@dataclass
class SuiteRun:
    """A finished run: its result model with all messages, and the files that were written."""

    result: Any
    output: Path
    console: str

    @property
    def tests(self) -> dict[str, Any]:
        return {test.name: test for test in self.result.suite.all_tests}

    @property
    def statuses(self) -> dict[str, str]:
        return {name: test.status for name, test in self.tests.items()}

    @property
    def failures(self) -> dict[str, str]:
        return {name: test.message for name, test in self.tests.items() if test.failed}

    @property
    def failure(self) -> str:
        """The message of the one test that should have failed."""
        failures = self.failures
        assert len(failures) == 1, f"one test should have failed, but: {failures or 'none'}"
        return next(iter(failures.values()))

    def messages(self, test: str | None = None) -> list[Any]:
        """The log messages of a test, or of the whole run with its setups and teardowns."""
        found: list[Any] = []
        _collect(self.tests[test] if test else self.result.suite, found)
        return found

    @property
    def log(self) -> str:
        """Every log message of the run as one text."""
        return "\n".join(message.message for message in self.messages())

    @property
    def xml(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def write_log(self) -> str:
        """Write log.html and report.html; their text."""
        log, report = self.output.with_name("log.html"), self.output.with_name("report.html")
        ResultWriter(str(self.output)).write_results(
            log=str(log), report=str(report), stdout=io.StringIO(), stderr=io.StringIO()
        )
        return log.read_text(encoding="utf-8") + report.read_text(encoding="utf-8")

    def passed(self) -> SuiteRun:
        assert not self.failures, f"{self.failures}\n{self.console}"
        return self


def _collect(node: Any, found: list[Any]) -> None:
    if hasattr(node, "level") and hasattr(node, "timestamp"):
        found.append(node)
        return
    for name in ("setup", "suites", "tests", "body", "teardown"):
        part = getattr(node, name, None)
        for child in part if isinstance(part, list) or hasattr(part, "__iter__") else [part] if part else []:
            _collect(child, found)


def run_suite(text: str | Path, tmp_path: Path, **options: Any) -> SuiteRun:
    """Run a suite from text, or suites from a folder, in this process, logged at TRACE.

    Text without a section is the body of one test that has McpLibrary imported; text without settings gets the import.
    """
    output = tmp_path / "output.xml"
    console = io.StringIO()
    if isinstance(text, Path):
        suite = TestSuite.from_file_system(text)
    else:
        suite = TestSuite.from_string(_completed(text))
        suite.name = "Suite"
    suite.run(**{"output": str(output), "loglevel": "TRACE", "stdout": console, "stderr": console, **options})
    return SuiteRun(ExecutionResult(str(output)), output, console.getvalue())


def _completed(text: str) -> str:
    if "***" not in text:
        body = "\n".join(f"    {line.strip()}" for line in text.strip().splitlines())
        text = f"*** Test Cases ***\nTest\n{body}\n"
    return text if "*** Settings ***" in text else SETTINGS + text


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., SuiteRun]]:
    """`run_suite` with the folder of this test."""
    yield partial(run_suite, tmp_path=tmp_path)
