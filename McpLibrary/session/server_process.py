"""A server process that is started for a test and reached by URL: readiness, taken ports, and a sure end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

PROBE_LIMIT = 2.0
"""Seconds that one look at the port may take."""

STOP_GRACE = 3.0


class StartFailed(Exception):
    """The process did not become ready; the text holds the end of its output."""


class ServerProcess:
    """A process in a group of its own whose output goes to a file, so that a full pipe can never block it."""

    def __init__(
        self, command: Sequence[str], url: str, *, env: Mapping[str, str], cwd: str | None, level: int
    ) -> None:
        self.command, self.url, self.level = list(command), url, level
        parts = urlsplit(url)
        self._address = (parts.hostname or "127.0.0.1", parts.port or (443 if parts.scheme == "https" else 80))
        self._env, self._cwd = {**os.environ, **env}, cwd
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self, timeout: float) -> None:
        """Start and wait until the port of the URL accepts connections. Raises `StartFailed`."""
        if self._listening():
            self.stop()
            raise StartFailed(
                f"port {self._address[1]} on {self._address[0]} is taken already, so another process would be tested; "
                "stop it, or choose another port"
            )
        try:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=self._output, stderr=self._output,
                env=self._env, cwd=self._cwd, start_new_session=os.name != "nt",
            )  # fmt: skip
        except OSError as error:
            self.stop()
            raise StartFailed(f"cannot start {self.command[0]!r}: {error.strerror or error}") from None
        end = time.monotonic() + timeout
        try:
            while not self._listening():
                if self._process.poll() is not None:
                    raise StartFailed(f"the process exited with code {self._process.returncode}; {self._ending()}")
                if time.monotonic() > end:
                    raise StartFailed(f"nothing listens on {self.url} after {timeout:g} seconds; {self._ending()}")
                time.sleep(0.05)
        except BaseException:
            self.stop()
            raise

    def _listening(self) -> bool:
        try:
            with socket.create_connection(self._address, timeout=PROBE_LIMIT):
                return True
        except OSError:
            return False

    def output(self) -> str:
        """Everything that the process wrote to stdout and stderr so far."""
        if self._output.closed:
            return ""
        self._output.seek(0)
        return self._output.read().decode("utf-8", "replace")

    def _ending(self) -> str:
        lines = [line.strip() for line in self.output().splitlines() if line.strip()]
        return f"its output ends with: {' | '.join(lines[-6:])}" if lines else "it wrote nothing"

    def stop(self) -> None:
        """End the process group: SIGTERM, then SIGKILL for what is left."""
        process = self._process
        if process is not None:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_GRACE)
            self._signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_GRACE)
        self._output.close()

    def _signal(self, number: int) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                self._process.send_signal(number)
            else:
                os.killpg(self._process.pid, number)
