"""Several processes that are one: what ends is replaced, what cannot start ends all, and nothing outlives the first."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from goldloop.kit.embedded_postgres.processes import find_process, list_children
from tests.servers import environment

SECONDS = 40.0  # generous: other tests may run on the same cores

# Children that wait for a signal, and what is run with them: each test has a line or two of its own.
PROGRAM = """
import os, signal, sys, time
from goldloop.kit import supervision
from goldloop.kit.supervision import ChildFailed, StopAsked, Supervisor

supervision.WAITS = (0.0,)
def say(text):
    os.write(1, text.encode() + b"\\n")
def wait(tell):
    asked = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: asked.append(number))
    tell(None)
    while not asked:
        time.sleep(0.01)
def stubborn(tell):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    tell(None)
    time.sleep(600)
def last(tell):
    wait(tell)
    say("last")
def first(tell):
    wait(tell)
    say("first")
def refuse(tell):
    raise ValueError("there is no tea")
def crash(tell):
    os._exit(7)
def log_a_line():
    import asyncio, logging
    from goldloop.kit.logs import LineHandler
    logging.basicConfig(level=logging.INFO, format="%%(message)s", handlers=[LineHandler(sys.stdout)], force=True)
    async def log():
        logging.getLogger("goldloop.test").info("the last line")
    asyncio.run(log())
def explain(error):
    return ChildFailed(f"sorry: {error}") if isinstance(error, ValueError) else None
try:
    with Supervisor(explain) as supervisor:
        %s
        supervisor.wait_until_ready()
        say("ready")
        supervisor.supervise()
except StopAsked:
    pass
except ChildFailed as failed:
    say(f"failed: {failed}")
say("end")
"""


class Supervised:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def says(self, text: str) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == text

    def children(self) -> dict[str, int]:
        return {child.command: child.pid for child in list_children(self.process.pid)}

    def child(self, name: str, other_than: int = 0) -> int:
        """Its pid, once there is one."""
        deadline = time.monotonic() + SECONDS
        while (pid := self.children().get(f"goldloop {name}", other_than)) == other_than:
            assert time.monotonic() < deadline, self.children()
            time.sleep(0.01)
        return pid

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


@contextmanager
def supervised(*lines: str) -> Iterator[Supervised]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM % "\n        ".join(lines)],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Supervised(process)
    finally:
        process.kill()
        process.communicate()


def gone(pid: int) -> bool:
    deadline = time.monotonic() + SECONDS
    while find_process(pid) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of processes are Linux's")
TWO = ("supervisor.start('a', wait, stop_seconds=30)", "supervisor.start('b', wait, stop_seconds=30)")


@ON_LINUX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_is_passed_on_and_all_end(number: signal.Signals) -> None:
    with supervised(*TWO) as program:
        program.says("ready")
        pids = program.children().values()
        assert len(pids) == 2
        assert program.stop(number) == 0
        program.says("end")
        assert all(gone(pid) for pid in pids)


@ON_LINUX
def test_whoever_is_killed_is_replaced_and_the_others_stay() -> None:
    with supervised(*TWO) as program:
        program.says("ready")
        before, other = program.child("a"), program.child("b")
        os.kill(before, signal.SIGKILL)
        again = program.child("a", other_than=before)
        os.kill(again, signal.SIGTERM)  # as somebody does who wants that one to start afresh
        assert program.child("a", other_than=again) != before
        assert program.child("b") == other
        assert program.stop() == 0


@ON_LINUX
def test_nothing_outlives_the_first_process() -> None:
    with supervised("supervisor.start('a', stubborn, stop_seconds=30)", *TWO[1:]) as program:
        program.says("ready")
        pids = list(program.children().values())
        program.process.kill()
        assert len(pids) == 2
        assert all(gone(pid) for pid in pids)


@ON_LINUX
def test_one_that_does_not_stop_is_killed() -> None:
    with supervised("supervisor.start('a', stubborn, stop_seconds=0.2)") as program:
        program.says("ready")
        pid = program.child("a")
        assert program.stop() == 0
        assert gone(pid)


def test_what_others_stand_on_is_stopped_after_them() -> None:
    with supervised(
        "supervisor.start('db', last, stage=0, stop_seconds=30)",
        "supervisor.start('api', first, stop_seconds=30)",
    ) as program:
        program.says("ready")
        assert program.stop() == 0
        for said in ("first", "last", "end"):
            program.says(said)


def test_one_that_cannot_start_says_why_and_ends_all() -> None:
    with supervised(TWO[0], "supervisor.start('b', refuse, stop_seconds=30)") as program:
        program.says("failed: sorry: there is no tea")
        program.says("end")
        assert program.process.wait(SECONDS) == 0


def test_one_that_dies_without_a_word_is_named_with_how_it_ended() -> None:
    with supervised(TWO[0], "supervisor.start('b', crash, stop_seconds=30)") as program:
        program.says("failed: the process b could not start (exit code 7); its log says why")
        program.says("end")


@ON_LINUX
def test_one_that_ends_again_and_again_before_it_is_ready_is_given_up(tmp_path: Path) -> None:
    once = tmp_path / "once"
    fails_later = f"lambda tell: crash(tell) if os.path.exists({str(once)!r}) else wait(tell)"
    with supervised(TWO[0], f"supervisor.start('b', {fails_later}, stop_seconds=30)") as program:
        program.says("ready")
        once.touch()
        other = program.child("a")
        os.kill(program.child("b"), signal.SIGKILL)
        program.says("failed: the process b ended 5 times before it was ready")
        program.says("end")
        assert gone(other)


def test_what_a_process_found_out_is_told_to_the_first_one() -> None:
    found = "say(repr(supervisor.run_once('start', lambda: {'a': [1, 'b' * 100_000]}, stop_seconds=5))[:12])"
    with supervised(found, "supervisor.start('a', wait, stop_seconds=30)") as program:
        program.says("{'a': [1, 'b")
        program.says("ready")
        assert program.stop() == 0


def test_lines_that_wait_for_each_other_are_written_when_a_process_ends() -> None:
    once = "supervisor.run_once('start', log_a_line, stop_seconds=5)"
    with supervised(once, "supervisor.start('a', wait, stop_seconds=30)") as program:
        program.says("the last line")
        program.says("ready")
        assert program.stop() == 0


@ON_LINUX
def test_a_stop_while_one_is_still_starting_stops_all() -> None:
    with supervised("supervisor.start('a', lambda tell: time.sleep(600), stop_seconds=30)") as program:
        pid = program.child("a")
        assert program.stop() == 0
        program.says("end")
        assert gone(pid)
