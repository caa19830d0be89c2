"""Items at once, in order, and no thread that keeps a process alive."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from porter.core.together import together


def test_results_are_in_order_and_as_many_work_as_were_asked_for() -> None:
    """Each of three waits for the other two: with fewer at once none would ever end."""
    barrier = threading.Barrier(3)

    def square(n: int) -> int:
        barrier.wait(timeout=30)
        return n * n

    assert together(square, range(6), 3) == (0, 1, 4, 9, 16, 25)
    assert together(square, (), 3) == ()


def test_the_first_exception_is_raised_after_all_have_ended() -> None:
    done: list[int] = []

    def odd_ones_fail(n: int) -> None:
        done.append(n)
        if n % 2:
            raise ValueError(n)

    with pytest.raises(ValueError, match="1"):
        together(odd_ones_fail, range(4), 2)
    assert sorted(done) == [0, 1, 2, 3]


_SLEEPS = """
import signal, sys, time
from porter.core.together import together
def sleep(n):
    if n == 0:
        print("begun", flush=True)
    time.sleep(600)
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs in the background
try:
    together(sleep, range(2), 2)
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_waits_for_nobody() -> None:
    child = subprocess.Popen([sys.executable, "-c", _SLEEPS], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=60) == 130
