"""The background loop: waits are bounded, interruptions cancel, closing is safe."""

import concurrent.futures
import threading

import anyio
import pytest

from McpLibrary.wire.loop import Loop, WaitTooLong

LIMIT = 20


@pytest.fixture
def loop():
    made = Loop()
    yield made
    made.close()


class Hanging:
    """A call that never ends by itself, and tells when it was cancelled."""

    def __init__(self) -> None:
        self.started, self.cancelled = threading.Event(), threading.Event()

    async def __call__(self) -> None:
        self.started.set()
        try:
            await anyio.sleep_forever()
        finally:
            self.cancelled.set()


async def double(number: int) -> int:
    await anyio.lowlevel.checkpoint()
    return 2 * number


def test_a_wait_gives_the_result(loop):
    assert not loop.running
    assert loop.wait(double, 4, limit=LIMIT) == 8
    assert loop.running


@pytest.mark.parametrize("error", [ValueError("x"), TimeoutError("the own timeout of the call")])
def test_an_error_of_the_call_comes_through(loop, error):
    async def fail():
        raise error

    with pytest.raises(type(error)) as caught:
        loop.wait(fail, limit=LIMIT)
    assert caught.value is error


def test_a_wait_that_is_too_long_is_cancelled(loop):
    hanging = Hanging()
    with pytest.raises(WaitTooLong, match=r"nothing came back within 0\.15 seconds"):
        loop.wait(hanging, limit=0.15)
    assert hanging.cancelled.wait(LIMIT)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, RuntimeError])
def test_an_interruption_of_the_wait_cancels_the_call(loop, interruption):
    hanging = Hanging()
    future = loop.spawn(hanging)
    assert hanging.started.wait(LIMIT)

    class Interrupted:
        def result(self, timeout):
            raise interruption

        cancel = future.cancel
        done = future.done

    with pytest.raises(interruption):
        loop.wait_for(Interrupted(), limit=LIMIT)
    assert hanging.cancelled.wait(LIMIT)
    assert loop.wait(double, 1, limit=LIMIT) == 2


def test_a_result_that_comes_just_behind_a_slice_is_not_lost(loop):
    class JustLate(concurrent.futures.Future):
        def result(self, timeout=None):
            if not self.done():
                self.set_result(7)
                raise concurrent.futures.TimeoutError
            return super().result(timeout)

    assert loop.wait_for(JustLate(), limit=LIMIT) == 7


def test_closing_cancels_what_is_left_and_ends_the_thread(loop):
    hanging = Hanging()
    loop.spawn(hanging)
    assert hanging.started.wait(LIMIT)
    loop.close()
    assert hanging.cancelled.is_set()
    assert not loop.running
    assert not [thread for thread in threading.enumerate() if thread.name == "McpLibrary"]


def test_closing_twice_or_unused_is_safe(loop):
    loop.close()
    loop.wait(double, 1, limit=LIMIT)
    loop.close()
    loop.close()
    assert not loop.running


def test_after_closing_it_starts_again(loop):
    loop.wait(double, 1, limit=LIMIT)
    loop.close()
    assert loop.wait(double, 2, limit=LIMIT) == 4
