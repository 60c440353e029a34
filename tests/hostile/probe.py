"""Whether a server's event loop was held: `/healthz`, asked all the time, and the processor time between.

Held time is counted in seconds of the server's own processor time between asking and being answered. A busy
machine makes an answer late, but it does not make the server work more, so it does not look like a held loop.
"""

import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import create_connection, socket

EVERY = 0.03  # seconds between an answer and the next question; what is held for longer is seen all but that
PATIENCE = 20.0  # seconds; a loop that waits without working, as for a lock, shows only here
HELD_FLOOR = 0.25  # seconds; the largest good body was seen to hold it for 0.03 to 0.05
HELD_FACTOR = 8  # times what harmless requests of the same size hold it, on this machine today

_QUESTION = b"GET /healthz HTTP/1.1\r\nHost: goldloop.test\r\n\r\n"


def processor_seconds(pid: int) -> float:
    """What a process has worked so far, all its threads together; elsewhere than on Linux just the time."""
    if sys.platform != "linux":
        return time.monotonic()
    return time.clock_gettime((~pid << 3) | 2)  # what clock_getcpuclockid(3) answers for a pid


def peak_memory(pid: int) -> int:
    """The most bytes that a process had in memory at once; 0 where that cannot be told."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


@dataclass(frozen=True, slots=True)
class Wait:
    """One question: when it was asked and answered, and what the server worked meanwhile."""

    asked: float
    answered: float
    worked: float


@dataclass
class Probe:
    port: int
    pid: int
    waits: deque[Wait] = field(default_factory=lambda: deque(maxlen=100_000))
    failure: BaseException | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def running(self) -> Iterator["Probe"]:
        thread = threading.Thread(target=self._ask_until_stopped, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._stopped.set()
            thread.join()

    def _ask_until_stopped(self) -> None:
        try:
            while not self._stopped.is_set():
                with create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
                    self._ask_on(connection)
        except BaseException as error:  # the test that looks at the probe fails with it
            self.failure = error

    def _ask_on(self, connection: socket) -> None:
        """Until the server ends the connection, as it does when this thread was not let run for long."""
        while not self._stopped.wait(EVERY):
            asked, worked = time.monotonic(), processor_seconds(self.pid)
            try:
                connection.sendall(_QUESTION)
                answer = connection.recv(65536)
            except ConnectionError:
                return
            if not answer:
                return
            if not answer.startswith(b"HTTP/1.1 200 "):
                raise ConnectionError(f"/healthz answered {answer[:80]!r}")
            self.waits.append(Wait(asked, time.monotonic(), processor_seconds(self.pid) - worked))

    async def held(self, start: float, end: float) -> float:
        """The longest that the loop was held by what ran between two times."""
        await asyncio.to_thread(self._wait_until_asked_after, end)
        if self.failure:
            raise AssertionError("the probe had no answer") from self.failure
        return max(w.worked for w in list(self.waits) if w.answered >= start and w.asked <= end)

    def _wait_until_asked_after(self, end: float) -> None:
        """What was asked meanwhile may not be answered yet."""
        while not self.failure and not (self.waits and self.waits[-1].asked > end):
            time.sleep(EVERY)
