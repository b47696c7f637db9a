"""A real `robot` process over a generated suite, and proof that nothing of it stays behind."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import psutil
import toy_records
from robot.api import ExecutionResult
from toy_records import LIMIT

HERE = Path(__file__).resolve().parent
MARK = "MCPLIBRARY_TEST_MARK"
"""Environment variable by which every process of a run, however orphaned, is known as ours."""

HEADER = """\
*** Settings ***
Library    McpLibrary    timeout={timeout}    auto_close={auto_close}
Library    toy_probe
"""


def lives(pid: int) -> bool:
    """Whether the process runs; one that ended but was not collected by its parent does not."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


class RobotRun:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = folder / "record.jsonl"
        self.output = folder / "output.xml"
        self.mark = uuid.uuid4().hex
        self.started = 0.0
        self.took = 0.0
        self.process: subprocess.Popen[bytes]

    def toy(self, *options: str) -> str:
        """The toy server as a target for a suite."""
        words = [sys.executable, str(HERE / "toy_server.py"), "--record", str(self.record), *options]
        return shlex.join(words)

    def start(self, suite: str, *options: str, timeout: str = "60s", auto_close: str = "LEVEL") -> RobotRun:
        file = self.folder / "suite.robot"
        file.write_text(HEADER.format(timeout=timeout, auto_close=auto_close) + suite, encoding="utf-8")
        command = [
            sys.executable, "-m", "robot", "--pythonpath", str(HERE), "--outputdir", str(self.folder),
            "--variable", f"RECORD:{self.record}", "--variable", f"TOY:{self.toy()}", *options, str(file),
        ]  # fmt: skip
        self.started = time.monotonic()
        with open(self.folder / "console.txt", "wb") as console:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True,
                env={**os.environ, MARK: self.mark},
            )  # fmt: skip
        return self

    def finish(self, limit: float = 2 * LIMIT) -> int:
        """Wait for the end; the exit code. A robot that hangs fails the test and is killed."""
        try:
            code = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"robot still ran after {limit:g} seconds:\n{self.console()}") from None
        self.took = time.monotonic() - self.started
        return code

    def send(self, number: int, *, group: bool = False) -> None:
        """Send a signal to robot, or to its whole process group as a terminal does."""
        (os.killpg if group else os.kill)(self.process.pid, number)

    def console(self) -> str:
        return (self.folder / "console.txt").read_text(encoding="utf-8", errors="replace")

    def tests(self) -> dict[str, Any]:
        suite = ExecutionResult(str(self.output)).suite
        return {test.name: test for test in suite.all_tests}

    def failures(self) -> dict[str, str]:
        return {name: test.message for name, test in self.tests().items() if test.failed}

    def records(self, what: str | None = None, **facts: Any) -> list[dict[str, Any]]:
        return toy_records.records(self.record, what, **facts)

    def await_record(self, what: str, **facts: Any) -> dict[str, Any]:
        return toy_records.await_record(self.record, what, **facts)

    def alive(self) -> list[psutil.Process]:
        """Every living process of this run, known by its environment."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.status() != psutil.STATUS_ZOMBIE and process.environ().get(MARK) == self.mark:
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def assert_nothing_is_left(self) -> None:
        end = time.monotonic() + 5
        while left := self.alive():
            if time.monotonic() > end:
                raise AssertionError(f"still running: {[' '.join(process.cmdline()) for process in left]}")
            time.sleep(0.05)

    def clean_up(self) -> None:
        for process in self.alive():
            process.kill()
        if self.process.poll() is None:
            self.process.wait(LIMIT)
