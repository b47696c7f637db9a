"""The stdio transport: a child process in a group of its own, one JSON message a line.

Lines are split on the byte ``\\n`` only, since U+2028 and friends are ordinary characters inside a message. Stderr is
kept; the exit is observed; closing ends the whole process group, so that launchers leave no children behind.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from .frame import Frame, Headers
from .transcript import Transcript
from .transport import BYTE_CEILING, StreamTransport, TransportError

if TYPE_CHECKING:
    from anyio.abc import Process, TaskGroup

STDERR_LIMIT = 1024 * 1024
"""Bytes of stderr kept, the newest."""

EXIT_GRACE = 3.0
"""Seconds that a server has to leave after its stdin was closed, and again after SIGTERM."""


@dataclass(slots=True)
class ExitFacts:
    """How a server process ended when we closed it."""

    code: int | None
    after: float
    """Seconds from closing stdin to the end."""
    by: str
    """``itself``, ``end of input``, ``SIGTERM`` or ``SIGKILL``."""


class StdioTransport(StreamTransport):
    kind = "stdio"
    channel = "stdin"

    def __init__(
        self,
        command: Sequence[str],
        transcript: Transcript,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        byte_ceiling: int = BYTE_CEILING,
    ) -> None:
        super().__init__(transcript, byte_ceiling=byte_ceiling)
        self.command = list(command)
        self.env = {**os.environ, **env} if env else None
        self.cwd = cwd
        self.exit: ExitFacts | None = None
        self._process: Process | None = None
        self._stderr: deque[bytes] = deque()
        self._stderr_size = 0
        self._exited: anyio.Event
        self._drained: anyio.Event

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def returncode(self) -> int | None:
        return self._process.returncode if self._process else None

    def stderr(self) -> bytes:
        return b"".join(self._stderr)

    async def open(self, tasks: TaskGroup) -> None:
        self._exited, self._drained = anyio.Event(), anyio.Event()
        try:
            self._process = await anyio.open_process(
                self.command, env=self.env, cwd=self.cwd, start_new_session=os.name != "nt"
            )
        except FileNotFoundError:
            raise TransportError(self._not_found()) from None
        except OSError as error:
            raise TransportError(f"cannot start {self.command[0]!r}: {error.strerror or error}") from None
        tasks.start_soon(self._read_stderr)
        tasks.start_soon(self._watch_exit)
        tasks.start_soon(self._read_stdout)

    def _not_found(self) -> str:
        if self.cwd and not os.path.isdir(self.cwd):
            return f"working directory {self.cwd!r} does not exist"
        program = self.command[0]
        path = (self.env or os.environ).get("PATH")
        if shutil.which(program, path=path):
            return f"cannot start {program!r}: its interpreter was not found (look at its first line)"
        return f"command {program!r} was not found on PATH"

    async def write(self, raw: bytes, headers: Headers) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            # One call for the whole line: it is buffered at once, so that two senders cannot mix their lines.
            await self._process.stdin.send(raw + b"\n")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            await self._await_exit(0.5)
            raise TransportError(self._ending()) from None

    async def _read_stdout(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        buffer = bytearray()
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async for chunk in self._process.stdout:
                start = 0
                while (end := chunk.find(b"\n", start)) >= 0:
                    buffer += chunk[start:end]
                    self._line(bytes(buffer))
                    buffer.clear()
                    start = end + 1
                buffer += chunk[start:]
                if len(buffer) > self.byte_ceiling:
                    self.fail_pending(
                        f"the server wrote a line of more than {self.byte_ceiling} bytes; reading stopped"
                    )
                    self._signal(signal.SIGTERM)
                    return
        if buffer:
            self._line(bytes(buffer))
        self._drained.set()
        await self._await_exit(0.5)
        self.fail_pending(self._ending())

    def _line(self, line: bytes) -> None:
        line = line.removesuffix(b"\r")
        if line:
            self.deliver(Frame.received(line, "stdout"))

    # -- the end of the process, as a test wants it -------------------------------------------------------------

    async def end_input(self, limit: float) -> ExitFacts | None:
        """Close stdin and wait for the process; how it ended, or ``None`` when it still runs after ``limit`` seconds."""
        assert self._process is not None and self._process.stdin is not None
        start = time.monotonic()
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            await self._process.stdin.aclose()
        return await self._ended(start, limit, "end of input")

    async def signal(self, name: str, limit: float) -> ExitFacts | None:
        """Send a signal (``SIGTERM``, ``SIGKILL``) to the process alone and wait for its end, as `end_input` does."""
        assert self._process is not None
        start = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.Signals[name])
        return await self._ended(start, limit, name)

    async def _ended(self, start: float, limit: float, by: str) -> ExitFacts | None:
        if not await self._await_exit(limit):
            return None
        with anyio.move_on_after(limit):
            await self._drained.wait()  # What it wrote last is still on its way through the pipe.
        return ExitFacts(self.returncode, time.monotonic() - start, by)

    async def left_behind(self, limit: float) -> list[str]:
        """The processes that the server started and that still run ``limit`` seconds after its own end; POSIX only."""
        assert self._process is not None
        with anyio.move_on_after(limit):
            while _members(self._process.pid):
                await anyio.sleep(0.02)
        return _members(self._process.pid)

    async def _read_stderr(self) -> None:
        assert self._process is not None and self._process.stderr is not None
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async for chunk in self._process.stderr:
                self._stderr.append(chunk)
                self._stderr_size += len(chunk)
                while self._stderr_size > STDERR_LIMIT and len(self._stderr) > 1:
                    self._stderr_size -= len(self._stderr.popleft())

    async def _watch_exit(self) -> None:
        assert self._process is not None
        await self._process.wait()
        self._exited.set()

    async def _await_exit(self, limit: float) -> bool:
        with anyio.move_on_after(limit):
            await self._exited.wait()
        return self._exited.is_set()

    def _ending(self) -> str:
        code = self.returncode
        if code is None:
            ending = "the server closed its stdout but still runs"
        elif code < 0:
            ending = f"the server process was ended by {_signal_name(-code)}"
        else:
            ending = f"the server process exited with code {code}"
        tail = self.stderr_tail()
        return f"{ending}; its stderr ends with: {tail}" if tail else f"{ending} and wrote nothing to stderr"

    def stderr_tail(self, lines: int = 6) -> str:
        """The last lines of stderr, on one line."""
        text = self.stderr()[-4000:].decode("utf-8", "replace")
        return " | ".join([line.strip() for line in text.splitlines() if line.strip()][-lines:])

    async def close(self) -> None:
        process = self._process
        if process is None or self.exit is not None:
            return
        start = time.monotonic()
        by = "itself" if process.returncode is not None else "end of input"
        with anyio.CancelScope(shield=True):
            if process.stdin is not None:
                with contextlib.suppress(Exception), anyio.move_on_after(1):
                    await process.stdin.aclose()
            if not await self._await_exit(EXIT_GRACE):
                by = "SIGTERM"
                self._signal(signal.SIGTERM)
                if not await self._await_exit(EXIT_GRACE):
                    by = "SIGKILL"
            self.kill()
            await self._await_exit(EXIT_GRACE)
            self.exit = ExitFacts(process.returncode, time.monotonic() - start, by)
            self.closed_because = self.closed_because or "the connection was closed by us"
            with contextlib.suppress(Exception), anyio.move_on_after(1):
                await process.aclose()

    def kill(self) -> None:
        """End what is left of the process group, children of launchers included."""
        self._signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)

    def _signal(self, number: int) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                self._process.send_signal(signal.Signals(number))
            else:
                os.killpg(self._process.pid, number)


def _members(group: int) -> list[str]:
    """The living processes of a group, named where the system has /proc; one that only waits to be reaped is none of them."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return []
    if not os.path.exists("/proc/self/stat"):
        return ["a process of its group"]
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            head, _, tail = file.read().rpartition(")")
            state, _, its_group = tail.split()[:3]
            if int(its_group) == group and state not in "ZX":
                found.append(f"{head.partition('(')[2]} (pid {pid})")
    return found


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
