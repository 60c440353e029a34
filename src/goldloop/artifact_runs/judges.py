"""A worker's side of judging: the process that does it, what becomes of a record that ends it, and when to give up. Infrastructure.

A suite is somebody's own code. It may loop, wait for a network, end its process or exhaust the memory; nothing in Python
can stop a thread that does. A process can be ended, so there is one for each run.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import IO, TypeVar

import msgspec

from goldloop.artifact_evals.values import shown
from goldloop.artifact_runs.judging import Opening, RecordRow, Task, Verdict, not_judged
from goldloop.kit.child_process import start_child

RECORD_SECONDS = 10.0  # for one record; the slowest of ours takes a thousandth of one
LOADING_SECONDS = 60.0  # a suite's package may be slow to import, and the machine busy
SLICE_SECONDS = 2.0  # of judging between two looks at the run: how far it is, whether it was cancelled
GRACE_SECONDS = 2.0  # after which the worker ends a process that has put off its own alarm
MOST_LOST = 3  # records that may end the process before the suite is taken to be at fault
MODULE = "goldloop.artifact_runs.child"

_T = TypeVar("_T")


class Judges:
    """Judges records for one run. `fault` says why it gave up; what it was given until then is judged."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.fault: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lost = 0
        self._late = False
        self._closed = False
        self._lock = threading.Lock()

    def judge(self, rows: Sequence[RecordRow]) -> list[Verdict]:
        """The first of the records, in their order: all, unless they take long or the suite is given up. Blocks."""
        until = time.monotonic() + SLICE_SECONDS
        verdicts: list[Verdict] = []
        for row in rows:
            verdict = self._ask(row)
            if verdict is None:
                break
            verdicts.append(verdict)
            if self.fault is not None or time.monotonic() > until:
                break
        return verdicts

    def close(self) -> None:
        """From any thread, also while another judges, which then ends."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                _kill(self._process)
        self._end(self.task.seconds)

    def _ask(self, row: RecordRow) -> Verdict | None:
        """A verdict on a record; None when no process is to be had."""
        process = self._process or self._start()
        if process is None:
            return None
        verdict = self._exchange(process, row, Verdict, self.task.seconds)
        if verdict is not None:
            return verdict
        return None if self._closed else self._lose(row)

    def _start(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._closed:
                return None
            self._process = process = start_child(MODULE)
        opening = self._exchange(process, self.task, Opening, self.task.loading_seconds)
        if opening is None or opening.problem is not None:
            why = opening.problem if opening else self._end(self.task.loading_seconds)
            self.fault = f"The suite {self.task.suite} cannot be loaded where it judges: {why}"
            return None
        return process

    def _exchange(
        self, process: "subprocess.Popen[bytes]", message: object, answer: type[_T], seconds: float
    ) -> _T | None:
        """Say something and read the answer; None when the process has ended instead, or had to be."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode(message) + b"\n")
            process.stdin.flush()
            if not _is_answered(process.stdout, seconds + GRACE_SECONDS):
                self._late = True
                return None
            line = process.stdout.readline()
        except (OSError, ValueError):  # nobody reads any more; closed meanwhile
            return None
        return msgspec.json.decode(line, type=answer) if line.endswith(b"\n") else None

    def _lose(self, row: RecordRow) -> Verdict:
        """The record ended the process: that is its verdict, and the next one gets another process."""
        reason = self._end(self.task.seconds)
        self._lost += 1
        if self._lost >= MOST_LOST:
            self.fault = (
                f"The suite {self.task.suite} was given up after {self._lost} records, "
                f"the last of them {shown(row.title)}: {reason}"
            )
        return not_judged(row.id, reason)

    def _end(self, seconds: float) -> str:
        """See the process off, and say how it ended; `seconds` are those that it had."""
        process, self._process = self._process, None
        late, self._late = self._late, False
        if process is None:
            return "its process was ended"
        _kill(process)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was not yet written has no reader
                    pipe.close()
        code = process.wait()
        if late or code == -signal.SIGALRM:
            return f"the suite gave no answer within {seconds:g} s"
        if code < 0:
            return f"the suite's process was ended by {signal.Signals(-code).name}"
        return f"the suite ended its process with code {code}"


def _is_answered(pipe: IO[bytes], seconds: float) -> bool:
    """Whether there is something to read, or nobody left to write it, within so many seconds."""
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """With whatever it has started; one that has ended stays as it ended."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def search_path() -> tuple[str, ...]:
    """Where this process finds packages, so that the other finds the same suites."""
    return tuple(sys.path)
