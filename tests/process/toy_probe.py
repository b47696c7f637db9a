"""Robot keywords of the process tests that look at McpLibrary from outside, without using its loop."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from typing import Any

from robot.api.deco import keyword, library
from robot.libraries.BuiltIn import BuiltIn
from toy_records import LIMIT, await_record


class Injected(Exception):
    """Stands for the exception that Robot's timeouts raise in the main thread on Windows."""

    ROBOT_SUPPRESS_NAME = True


@library
class toy_probe:
    @keyword
    def wait_until_recorded(self, file: str, what: str) -> None:
        await_record(file, what)

    @keyword
    def frames_of(self, method: str) -> list[dict[str, float]]:
        """When each notification of this method was sent and received, all read straight from the transcript."""
        context = BuiltIn().get_library_instance("McpLibrary").ctx
        frames = context.connection().session.transcript.frames()
        return [
            {"sent": frame.value["params"].get("sent", 0.0), "received": frame.at}
            for frame in frames
            if frame.method == f"notifications/{method}"
        ]

    @keyword
    def wait_until_seen(self, method: str, count: int) -> list[dict[str, float]]:
        end = time.monotonic() + LIMIT
        while len(found := self.frames_of(method)) < count:
            if time.monotonic() > end:
                raise AssertionError(f"only {len(found)} of {count} notifications were seen without a keyword of ours")
            time.sleep(0.02)
        return found

    @keyword
    def kept_bytes(self) -> int:
        context = BuiltIn().get_library_instance("McpLibrary").ctx
        return sum(len(frame.raw) for frame in context.connection().session.transcript.frames())

    @keyword
    def use_windows_timeouts(self) -> None:
        """From now on Robot times keywords and tests as it does on Windows."""
        from robot.running.timeouts.runner import Runner
        from robot.running.timeouts.windows import WindowsRunner

        Runner.runner_implementation = WindowsRunner

    @keyword
    def inject_when_recorded(self, file: str, what: str) -> None:
        """Raise an exception in the main thread once the server wrote that down."""
        main = threading.main_thread().ident

        def run() -> None:
            await_record(file, what)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(main), ctypes.py_object(Injected))

        threading.Thread(target=run, daemon=True).start()

    @keyword
    def kill_when_recorded(self, file: str, what: str) -> None:
        """Kill the server once it wrote that down."""

        def run() -> None:
            os.kill(await_record(file, what)["pid"], signal.SIGKILL)

        threading.Thread(target=run, daemon=True).start()

    @keyword
    def threads_of_library(self) -> list[Any]:
        return [thread.name for thread in threading.enumerate() if "McpLibrary" in thread.name]
