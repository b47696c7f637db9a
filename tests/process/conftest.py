"""The robot process of a test, with a look for leftovers after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from robot_process import RobotRun


@pytest.fixture
def robot(tmp_path: Path) -> Iterator[RobotRun]:
    run = RobotRun(tmp_path)
    try:
        yield run
        run.assert_nothing_is_left()
    finally:
        run.clean_up()
