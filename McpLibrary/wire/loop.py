"""The background event loop that carries all traffic while Robot's main thread runs keywords.

Robot cannot interrupt an ``async def`` keyword, and a plain ``portal.call()`` leaves its coroutine running after an
interruption. So keywords wait in short slices and cancel what they started when anything interrupts them.
"""

from __future__ import annotations

import atexit
import concurrent.futures
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

T = TypeVar("T")

SLICE = 0.1
"""Seconds of one wait; Robot's timeouts on Windows only get through between two of them."""

CLOSE_LIMIT = 5.0
"""Seconds that closing the loop may take before it is left to the end of the process."""


class WaitTooLong(Exception):
    """The safety limit of a wait passed; the coroutine should have ended by its own timeout before."""


class Loop:
    """One event loop in a daemon thread, started by the first use and closed once."""

    def __init__(self) -> None:
        self._portal: BlockingPortal | None = None
        self._stack: contextlib.ExitStack | None = None
        self._lock = threading.Lock()

    @property
    def running(self) -> bool:
        return self._portal is not None

    def portal(self) -> BlockingPortal:
        with self._lock:
            if self._portal is None:
                from anyio.from_thread import start_blocking_portal

                self._stack = contextlib.ExitStack()
                self._portal = self._stack.enter_context(start_blocking_portal(name="McpLibrary"))
                # The listener's `close` does not run when Robot is killed by a second Ctrl-C.
                atexit.register(self.close)
            return self._portal

    def spawn(self, function: Callable[..., Awaitable[T]], *args: Any) -> concurrent.futures.Future[T]:
        """Start ``function(*args)`` in the loop and return its future at once."""
        return self.portal().start_task_soon(function, *args)

    def wait(self, function: Callable[..., Awaitable[T]], *args: Any, limit: float) -> T:
        """Run ``function(*args)`` in the loop and wait for it; any interruption cancels it."""
        future = self.spawn(function, *args)
        return self.wait_for(future, limit=limit)

    def wait_for(self, future: concurrent.futures.Future[T], *, limit: float) -> T:
        """Wait for a spawned call; any interruption (limit, Robot's timeout, Ctrl-C) cancels it."""
        end = time.monotonic() + limit
        try:
            while True:
                try:
                    return future.result(SLICE)
                except concurrent.futures.TimeoutError:
                    if future.done():
                        raise
                    if time.monotonic() > end:
                        raise WaitTooLong(f"nothing came back within {limit:g} seconds") from None
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what is left and stop the thread; safe to call twice."""
        with self._lock:
            portal, stack = self._portal, self._stack
            self._portal = self._stack = None
        if portal is None or stack is None:
            return
        atexit.unregister(self.close)
        stopper = portal.start_task_soon(portal.stop, True)
        with contextlib.suppress(concurrent.futures.TimeoutError, concurrent.futures.CancelledError):
            stopper.result(CLOSE_LIMIT)
        # Leaving the portal's own context manager joins its thread without a limit, so a cleanup that hangs
        # would hang Robot: join with one, and otherwise leave the daemon thread to the end of the process.
        closer = threading.Thread(target=_leave, args=(stack,), daemon=True)
        closer.start()
        closer.join(CLOSE_LIMIT)


def _leave(stack: contextlib.ExitStack) -> None:
    with contextlib.suppress(Exception):
        stack.close()
