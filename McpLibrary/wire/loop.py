"""The background event loop that carries all traffic while Robot's main thread runs keywords.

Robot cannot interrupt an ``async def`` keyword, and a call that blocks until its coroutine ends leaves it running after an
interruption. So keywords wait in short slices and cancel what they started when anything interrupts them.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Future: TypeAlias = concurrent.futures.Future[T]
Function: TypeAlias = Callable[..., Awaitable[T]]

SLICE = 0.1
"""Seconds of one wait; Robot's timeouts on Windows only get through between two of them."""

CLOSE_LIMIT = 10.0
"""Seconds that closing the loop may take; more than a stubborn server needs to be ended (twice its grace of 3 seconds)."""


class WaitTooLong(Exception):
    """The safety limit of a wait passed; the coroutine should have ended by its own timeout before."""


class Loop:
    """One event loop in a daemon thread, started by the first use and closed once."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._scopes: dict[Any, Any] = {}
        """The scopes that cancel the tasks, by task."""

    @property
    def running(self) -> bool:
        return self._loop is not None

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name="McpLibrary", daemon=True)
                self._thread.start()
                # The listener's `close` does not run when Robot is killed by a second Ctrl-C.
                atexit.register(self.close)
            return self._loop

    def spawn(self, function: Function[T], *args: Any) -> Future[T]:
        """Start ``function(*args)`` in the loop and return its future at once; cancelling that cancels it."""
        loop = self._loop or self._started()
        future: Future[T] = concurrent.futures.Future()
        loop.call_soon_threadsafe(self._start, loop, future, function, args)
        return future

    def _start(
        self, loop: asyncio.AbstractEventLoop, future: Future[T], function: Function[T], args: tuple[Any, ...]
    ) -> None:
        task = loop.create_task(self._call(future, function, args))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _call(self, future: Future[T], function: Function[T], args: tuple[Any, ...]) -> None:
        import anyio

        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        # Cancelled by a scope and not by its task, so that shielded clean-up (ending a process) is never cut short.
        with anyio.CancelScope() as scope:
            self._scopes[task] = scope

            def cancel_with_future(done: Future[T]) -> None:
                if done.cancelled() and task in self._scopes:
                    loop.call_soon_threadsafe(scope.cancel)

            future.add_done_callback(cancel_with_future)
            try:
                result = await function(*args)
            except Exception as error:
                if not future.cancelled():
                    future.set_exception(error)
            else:
                if not future.cancelled():
                    future.set_result(result)
            finally:
                del self._scopes[task]
        if not future.done():
            future.cancel()

    def wait(self, function: Function[T], *args: Any, limit: float) -> T:
        """Run ``function(*args)`` in the loop and wait for it; any interruption cancels it."""
        future = self.spawn(function, *args)
        return self.wait_for(future, limit=limit)

    def wait_for(self, future: Future[T], *, limit: float) -> T:
        """Wait for a spawned call; any interruption (limit, Robot's timeout, Ctrl-C) cancels it."""
        end = time.monotonic() + limit
        try:
            while True:
                try:
                    return future.result(SLICE)
                except concurrent.futures.TimeoutError:
                    if future.done():  # It ended between the two lines above.
                        return future.result()
                    if time.monotonic() > end:
                        raise WaitTooLong(f"nothing came back within {limit:g} seconds") from None
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what is left, give it a bounded time to clean up, and stop the thread; safe to call twice."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        atexit.unregister(self.close)
        with contextlib.suppress(concurrent.futures.TimeoutError, concurrent.futures.CancelledError):
            asyncio.run_coroutine_threadsafe(self._cancel_all(), loop).result(CLOSE_LIMIT + 1)
        loop.call_soon_threadsafe(loop.stop)
        # A callback that blocks could keep the loop from stopping: the daemon thread is then left behind.
        thread.join(CLOSE_LIMIT)

    async def _cancel_all(self) -> None:
        for scope in list(self._scopes.values()):
            scope.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=CLOSE_LIMIT)
        # What is left was started by servers that were hosted here.
        foreign = asyncio.all_tasks() - {asyncio.current_task()}
        for task in foreign:
            task.cancel()
        if foreign:
            await asyncio.wait(foreign, timeout=1)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
