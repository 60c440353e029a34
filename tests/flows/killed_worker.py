"""`goldloop worker`s that are killed at a moment of a session. Each is a fork of this program, which has done the importing.

It reads what is to be killed, a line of JSON each: `{"session": …, "commits": 3, "within": false}` is a worker that dies after
the third commit that adds an event to the session; one `within` dies before the third commit that also changes something else.
A worker whose session ends before that leaves by itself. Without a session it is one like any other, which takes over from the dead.
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
from goldloop.jobs import runner
from goldloop.runtimes import built_in  # noqa: F401
from goldloop.sessions import store

whole = store.append
CHANGES = {
    "response.submitted",
    "session.completed",
}  # events of transactions that change more than the session's log


def kill_at(session: str, commits: int, within: bool) -> None:
    done = 0
    seen: list[Any] = []  # the transactions that were counted

    async def append(caller: Any, session_id: Any, events: Any, *more: Any, **named: Any) -> Any:
        added = await whole(caller, session_id, events, *more, **named)
        kinds = {event.type for event in events}
        counts = bool(kinds & CHANGES) if within else bool(kinds)
        if str(session_id) == session and counts and not any(caller is other for other in seen):
            seen.append(caller)
            if within and len(seen) == commits:
                os.kill(os.getpid(), signal.SIGKILL)
            caller.after_commit.append(lambda: count("session.completed" in kinds))
        return added

    def count(ends: bool) -> None:
        nonlocal done
        done += 1
        if done == commits and not within:
            os.kill(os.getpid(), signal.SIGKILL)
        if ends:
            os._exit(0)

    store.append = append


def work(asked: dict[str, Any]) -> None:
    if asked["session"] is None:
        runner.HEARTBEAT_SECONDS, runner.HEARTBEAT_LOST, runner.SWEEP_SECONDS = 0.5, timedelta(seconds=4), 0.2
    else:
        runner.SWEEP_SECONDS = 3600  # nobody takes over what others have left
        kill_at(**asked)
    sys.exit(main(["worker", "--json"]))


for line in sys.stdin:
    child = os.fork()
    if not child:
        work(json.loads(line))
    print(json.dumps({"pid": child}), flush=True)
    print(json.dumps({"ended": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}), flush=True)
