"""`goldloop worker`s that are killed at a moment of an eval run. Each is a fork of this program, which has done the importing.

It reads a line of JSON for each: `{"dies": "counting", "after": 4}` is a worker that dies the fourth time that it comes to this
moment; one without `dies` goes on until it is stopped. It writes the process id of each, and how it ended.
"""

import json
import os
import signal
import sys
from datetime import timedelta
from typing import Any

import openai  # noqa: F401
import pydantic_ai.models.openai  # noqa: F401

import goldloop.server  # noqa: F401
from goldloop.cli.main import main
from goldloop.goldens.experiments import store as experiments
from goldloop.goldens.runs import store as runs
from goldloop.jobs import marks, runner
from goldloop.runtimes import built_in  # noqa: F401
from goldloop.sessions import store as sessions

signal.signal(signal.SIGCHLD, signal.SIG_IGN)


class Death:
    def __init__(self, after: int) -> None:
        self.left = after

    def come(self) -> None:
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


def die(moment: str, after: int) -> None:
    """`running`: an event of a replay is committed. `counting`: the result of a replay is counted, and not yet committed.
    `counted`: it is committed, and its mark is still there. `ending`: the run ends, and nothing of that is committed.
    `measuring`: an experiment says what it found, likewise."""
    death = Death(after)
    append, count_result, set_ended = sessions.append, runs.count_result, runs.set_ended
    set_found = experiments.set_ended

    async def append_and_die(tx: Any, *more: Any, **named: Any) -> Any:
        tx.after_commit.append(death.come)
        return await append(tx, *more, **named)

    async def count_and_die(tx: Any, *more: Any) -> None:
        await count_result(tx, *more)
        if moment == "counting":
            death.come()
        tx.after_commit.append(death.come)

    async def end_and_die(*more: Any) -> None:
        await set_ended(*more)
        death.come()

    async def find_and_die(*more: Any) -> None:
        await set_found(*more)
        death.come()

    if moment == "running":
        sessions.append = append_and_die  # type: ignore[assignment]
    elif moment == "measuring":
        experiments.set_ended = find_and_die  # type: ignore[assignment]
    elif moment == "ending":
        runs.set_ended = end_and_die  # type: ignore[assignment]
    else:
        runs.count_result = count_and_die  # type: ignore[assignment]


def work(dies: str | None = None, after: int = 0) -> None:
    runner.HEARTBEAT_SECONDS, runner.HEARTBEAT_LOST, runner.SWEEP_SECONDS = 0.5, timedelta(seconds=2), 0.2
    marks.LEASE = timedelta(seconds=2)  # type: ignore[attr-defined]
    if dies:
        die(dies, after)
    sys.exit(main(["worker", "--json"]))


def write(line: dict[str, Any]) -> None:
    os.write(1, json.dumps(line).encode() + b"\n")


for asked in sys.stdin:
    if os.fork():
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if not child:
        os.dup2(2, 1)  # its hello goes to the log
        work(**json.loads(asked))
    write({"pid": child})
    write({"ended": child, "code": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])})
    os._exit(0)
