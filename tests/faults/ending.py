"""How the scripted server ends on stdio: its healthy way, and the faults of signals, children and last words."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from faults.messages import INTERNAL_ERROR, RpcError
from faults.replies import encode

if TYPE_CHECKING:
    from faults.core import Server
    from faults.messages import Context

STUBBORN_SECONDS = 120
CHILD_SECONDS = 60


class Connection(Protocol):
    """What is needed of the connection: its last answer, its session, and a way to write a line."""

    last: bytes
    context: Context

    def write(self, line: bytes) -> None:
        """Write a line to stdout."""


class Ending:
    """The end of the process, with the chosen faults."""

    def __init__(self, server: Server, connection: Connection) -> None:
        self.server, self.connection = server, connection
        self._lock = Path(tempfile.gettempdir(), f"faults-server-of-{os.getppid()}.lock")

    def begin(self) -> None:
        """Do what must be done at the start to end wrongly later."""
        if self.server.faulty("ignores-sigterm"):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self.server.faulty("leaves-child-behind"):
            nap = f"import time; time.sleep({CHILD_SECONDS})"
            nothing: Any = subprocess.DEVNULL
            subprocess.Popen([sys.executable, "-c", nap], stdin=nothing, stdout=nothing, stderr=nothing)
        if self.server.faulty("needs-clean-end"):
            self.server.unclean = self._lock.exists() and not _lives(int(self._lock.read_text()))
            self._lock.write_text(str(os.getpid()))

    async def before(self, tasks: set[asyncio.Task[None]]) -> None:
        """The input has ended; `tasks` are the calls in flight."""
        if self.server.faulty("ignores-end-of-input"):
            await asyncio.sleep(STUBBORN_SECONDS)
        if tasks and self.server.faulty("waits-for-calls-at-end"):
            await asyncio.wait(tasks)
        if tasks and self.server.faulty("half-line-at-end"):
            sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":1,"resu')
            sys.stdout.buffer.flush()
            os._exit(0)

    def after(self) -> None:
        """What is still in flight is given up."""
        code = -32000 if self.server.faulty("reserved-code-at-end") else INTERNAL_ERROR
        for identifier in self.connection.context.session.running:
            error = RpcError(code, "The server is ending").reply() | {"id": json.loads(identifier)}
            self.connection.write(encode(error))
        if self.server.faulty("farewell-on-stdout"):
            self.connection.write(b"Good-bye")
        if self.connection.last and self.server.faulty("answers-again-at-end"):
            self.connection.write(self.connection.last)
        if self._lock.exists() and self._lock.read_text() == str(os.getpid()):
            self._lock.unlink()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
