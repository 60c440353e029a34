"""How long a suite's own code may take in a process of ours that has nothing else to do: the scorecard, a test.

The server does not use this: it judges in a process that it can end (`artifact_runs/judges.py`).
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import NoReturn

from goldloop.artifact_evals.suite import Limit, OutOfTime

SECONDS = 10.0  # for one fixture; the slowest of ours takes a thousandth of one


def limit_of(seconds: float) -> Limit:
    """Each fixture may take so long; 0 is for ever."""
    return partial(_within, seconds)


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raises OutOfTime in what is going on. Python code and most waits are left at once; where there is no such signal
    (Windows, another thread than the main one) there is no limit."""
    if (
        seconds <= 0
        or not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise OutOfTime(f"within {seconds:g} s")

    handler = signal.signal(signal.SIGALRM, ring)
    begun = time.monotonic()
    others, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if others:  # somebody else's alarm, such as that of a test's own time limit
            signal.setitimer(signal.ITIMER_REAL, max(0.001, others - (time.monotonic() - begun)), interval)
