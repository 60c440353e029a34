"""Runs several processes as one: forks them, replaces one that ends, and stops them all.

The process that supervises has no event loop and no threads, before the first fork and ever after: a fork copies neither, and
what the others imported is in its memory once. Each child has a pipe to say by that it is ready, or why it cannot be.
"""

import contextlib
import gc
import logging
import os
import pickle
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NoReturn

from goldloop.kit.logs import name_process
from goldloop.kit.parent_death import die_with_parent, set_process_name

log = logging.getLogger("goldloop.processes")

WAITS = (0.0, 0.5, 1.0, 2.0, 5.0)  # seconds before each replacement in a row; then the last again
STEADY_SECONDS = 60.0  # one that lasted this long is the first of a row
MOST_UNREADY = 5  # that end in a row before they are ready: the next would too
KILL_SECONDS = 10.0  # the kernel needs no time at all, unless the disk hangs
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)

Tell = Callable[[Any], None]  # what a child says once: that it is ready, and something with it
Work = Callable[[Tell], None]  # what a child does, to its end
Explain = Callable[[Exception], Exception | None]


class ChildFailed(Exception):
    """A process could not start, or ends again and again; the message is fit to print."""


class StopAsked(Exception):
    """A stop signal came while something was waited for."""


@dataclass(eq=False, slots=True)
class Child:
    """A place that is always taken: `pid` is the process that has it now. Those of a higher `stage` are stopped first."""

    name: str
    work: Work
    stage: int
    stop_seconds: float
    pid: int = 0
    pipe: int = -1
    message: bytes = b""  # as far as it has come through the pipe
    ready: bool = False
    answer: Any = None
    ending: str = ""  # how the last that had it ended
    began: float = 0.0
    failures: int = 0  # ended in a row, none of them steady
    unready: int = 0  # ended in a row before they were ready
    due: float | None = None  # when it is to be replaced


class Supervisor:
    """`explain` turns what a child raised at its start into what is raised here; None where it is nobody's fault but ours."""

    def __init__(self, explain: Explain) -> None:
        self._explain = explain
        self._children: list[Child] = []
        self._selector = selectors.DefaultSelector()
        self._asked: list[int] = []  # stop signals that came

    def __enter__(self) -> "Supervisor":
        self._parent = os.getpid()
        self._life, self._life_held = os.pipe()
        self._woken, self._wake = socket.socketpair()
        self._woken.setblocking(False)
        self._wake.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._before = {number: signal.signal(number, _noted) for number in (*STOP_SIGNALS, signal.SIGCHLD)}
        self._wakeup_before = signal.set_wakeup_fd(self._wake.fileno())
        gc.collect()
        gc.freeze()  # or the first collection of each child would write into all of its pages
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stop()
        finally:
            signal.set_wakeup_fd(self._wakeup_before)
            for number, handler in self._before.items():
                signal.signal(number, handler)
            self._close()

    def start(self, name: str, work: Work, *, stage: int = 1, stop_seconds: float) -> Child:
        """Returns at once: `wait_until_ready` waits."""
        child = Child(name, work, stage, stop_seconds)
        self._children.append(child)
        self._fork(child)
        return child

    def wait_until_ready(self) -> None:
        """Until all have said so. Raises what kept one of them from it, or StopAsked."""
        while not all(child.ready for child in self._children):
            for child in self._look(None):
                raise self._failure(child)

    def run_once(self, name: str, work: Callable[[], Any], *, stop_seconds: float) -> Any:
        """What `work` returns in a process of its own, which then ends. The others may end meanwhile as at a start."""
        child = self.start(name, lambda tell: tell(work()), stop_seconds=stop_seconds)
        while child.pid:
            for ended in self._look(None):
                if ended is not child or not child.ready:
                    raise self._failure(ended)
        self._children.remove(child)
        return child.answer

    def supervise(self) -> None:
        """Replaces what ends, until a stop signal. Raises ChildFailed where that is of no use."""
        try:
            while True:
                for child in self._look(self._next_due()):
                    self._plan(child)
                for child in self._children:
                    if child.due is not None and child.due <= time.monotonic():
                        self._fork(child)
                        log.info("process replaced", extra={"child": child.name, "pid": child.pid})
        except StopAsked:
            pass

    def _next_due(self) -> float | None:
        due = [child.due for child in self._children if child.due is not None]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _plan(self, child: Child) -> None:
        """When a child that ended is replaced."""
        lasted = time.monotonic() - child.began
        child.failures = 0 if lasted > STEADY_SECONDS else child.failures
        child.unready = 0 if child.ready else child.unready + 1
        if child.unready >= MOST_UNREADY:
            raise ChildFailed(f"the process {child.name} ended {child.unready} times before it was ready")
        wait = WAITS[min(child.failures, len(WAITS) - 1)]
        child.due = time.monotonic() + wait
        child.failures += 1
        log.error(
            "process ended and is replaced", extra={"child": child.name, "why": child.ending, "wait": wait}
        )

    def _failure(self, child: Child) -> Exception:
        if isinstance(child.answer, Exception):
            return child.answer
        return ChildFailed(f"the process {child.name} could not start ({child.ending}); its log says why")

    def _look(self, seconds: float | None, *, stopping: bool = False) -> list[Child]:
        """Waits for something to happen; returns who ended. Raises StopAsked, unless that is under way."""
        for key, _ in self._selector.select(seconds):
            if key.data is None:
                self._note_signals()
            else:
                self._listen_to(key.data)
        ended = list(self._reap())
        if self._asked and not stopping:
            raise StopAsked
        return ended

    def _note_signals(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._asked += [number for number in self._woken.recv(4096) if number in STOP_SIGNALS]

    def _listen_to(self, child: Child) -> None:
        """A child says one thing, and then ends its pipe."""
        if more := os.read(child.pipe, 65536):
            child.message += more
            return
        self._selector.unregister(child.pipe)
        os.close(child.pipe)
        child.pipe = -1
        if child.message:
            child.ready, child.answer = pickle.loads(child.message)

    def _reap(self) -> Iterator[Child]:
        """Our children that ended. In a container others come to be ours, when those that started them are killed."""
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                for child in self._children:
                    if child.pid == pid:
                        self._note_end(child, os.waitstatus_to_exitcode(status))
                        yield child

    def _note_end(self, child: Child, code: int) -> None:
        while child.pipe >= 0:  # what it said before
            self._listen_to(child)
        child.ending = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if isinstance(child.answer, Exception):
            child.ending = f"{child.ending}: {child.answer}"
        log.info("process ended", extra={"child": child.name, "pid": child.pid, "how": child.ending})
        child.pid = 0

    def _fork(self, child: Child) -> None:
        child.pipe, telling = os.pipe()
        child.message, child.ready, child.answer, child.due = b"", False, None, None
        child.began = time.monotonic()
        sys.stdout.flush()
        sys.stderr.flush()
        child.pid = os.fork()
        if not child.pid:
            self._be(child, telling)
        os.close(telling)
        self._selector.register(child.pipe, selectors.EVENT_READ, child)
        log.info("process started", extra={"child": child.name, "pid": child.pid})

    def _be(self, child: Child, telling: int) -> NoReturn:
        """The child's whole life. It never returns into frames that are its parent's."""
        code = 1
        try:
            self._leave_parent(child)
            code = self._work(child, telling)
        except BaseException:
            log.critical("process failed", exc_info=True)
        finally:
            logging.shutdown()  # writes the lines that wait for each other
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _leave_parent(self, child: Child) -> None:
        signal.set_wakeup_fd(-1)
        for number in self._before:
            signal.signal(number, signal.SIG_DFL)
        os.setsid()  # a terminal's Ctrl-C is for the parent alone, which then stops this one
        os.close(self._life_held)
        die_with_parent(self._parent, self._life)
        name_process(child.name)
        set_process_name(f"goldloop {child.name}")
        self._selector.close()
        self._woken.close()
        self._wake.close()
        for other in self._children:
            if other.pipe >= 0:
                os.close(other.pipe)

    def _work(self, child: Child, telling: int) -> int:
        has_told = False

        def tell(answer: Any, *, ready: bool = True) -> None:
            nonlocal has_told
            has_told = True
            with open(telling, "wb") as pipe:
                pickle.dump((ready, answer), pipe)

        try:
            child.work(tell)
        except Exception as error:
            known = None if has_told else self._explain(error)
            if known is None:
                raise
            tell(known, ready=False)
            return 1
        return 0

    def _stop(self) -> None:
        for stage in sorted({child.stage for child in self._children}, reverse=True):
            self._stop_stage([child for child in self._children if child.stage == stage])

    def _stop_stage(self, children: list[Child]) -> None:
        """A second Ctrl-C while they stop is one for them as well."""
        began = time.monotonic()
        self._asked = [*self._asked[:1]] or [signal.SIGTERM]
        while left := [child for child in children if child.pid]:
            asked, self._asked = self._asked, []
            for child in left:
                for number in asked:
                    os.kill(child.pid, number)
                if time.monotonic() - began > child.stop_seconds:
                    log.error("process does not stop and is killed", extra={"child": child.name})
                    os.kill(child.pid, signal.SIGKILL)
                    child.stop_seconds += KILL_SECONDS
            self._look(0.5, stopping=True)

    def _close(self) -> None:
        self._selector.close()
        self._woken.close()
        self._wake.close()
        os.close(self._life)
        os.close(self._life_held)


def _noted(_number: int, _frame: Any) -> None:
    """The signal's number is in the socket that wakes the loop."""
