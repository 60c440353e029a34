"""A `goldloop worker` that is killed half-way through an erasure, for good: `steps` when the first sessions of it are gone,
`tables` when the workspace's conversations are; `none` is one like any other, which takes over from the dead."""

import os
import signal
import sys
from datetime import timedelta
from typing import Any

from goldloop.cli.main import main
from goldloop.erasures import step_service, workspace_store
from goldloop.jobs import runner

some, rows = step_service.erase_some, workspace_store.erase_rows


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def erase_some(tx: Any, erasure_id: Any, kind: str) -> int:
    count = await some(tx, erasure_id, kind)
    if kind == "session" and count:
        tx.after_commit.append(die)
    return count


async def erase_rows(tx: Any, table: str, limit: int) -> int:
    count = await rows(tx, table, limit)
    if table == "conversations":
        die()
    return count


if sys.argv[1] == "none":
    runner.HEARTBEAT_SECONDS, runner.HEARTBEAT_LOST, runner.SWEEP_SECONDS = 0.5, timedelta(seconds=4), 0.2
else:
    runner.SWEEP_SECONDS = 3600  # nobody takes over what others have left
if sys.argv[1] == "steps":
    step_service.erase_some = erase_some
if sys.argv[1] == "tables":
    workspace_store.erase_rows = erase_rows
sys.exit(main(["worker", "--json"]))
