"""Schedules on real workers: two of them and a clock that jumps make one run."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest_asyncio

from goldloop.app import build_app
from goldloop.jobs.runner import JobRunner
from goldloop.kit.clock import now
from goldloop.kit.db import WORKER_ROLE, Database, open_database
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from tests.factories import make_workspace
from tests.outside import embedded_outside
from tests.records import Desk, make_desk
from tests.runtimes.scripted import Script, scripted
from tests.servers import eventually
from tests.tasks.duty import make_task, queued, sessions_of, show_task


@dataclass
class Duty:
    """A workspace on a database of its own, and workers whose agents answer at once."""

    db: Database
    url: str
    outside: Outside
    desk: Desk

    @contextlib.asynccontextmanager
    async def workers(self, count: int) -> AsyncIterator[None]:
        outside = scripted(self.outside, Script(["Done."]))
        made = [JobRunner(self.db, self.url, 2, outside) for _ in range(count)]
        running = [asyncio.create_task(each.run()) for each in made]
        try:
            yield
        finally:
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def jump(self, task: Any, moment: datetime) -> None:
        """The clock jumps: the next time of the task, and of the job that names it, is now at a moment."""
        async with self.db.tx(self.desk.workspace.system) as tx:
            await tx.execute("UPDATE tasks SET next_at = $1 WHERE id = $2", moment, task["id"])
        async with self.db.anonymous() as connection:
            await connection.execute("SET LOCAL search_path = procrastinate")
            await connection.execute(
                """
                UPDATE procrastinate_jobs SET scheduled_at = $1,
                    args = jsonb_set(args, '{payload,due}', to_jsonb($2::text))
                WHERE task_name = 'tasks.run_due' AND status = 'todo'
                """,
                moment,
                moment.isoformat(),
            )

    async def until_ended(self, task: Any, count: int) -> list[Any]:
        async def ended() -> list[Any] | None:
            found = await sessions_of(self.desk.admin, task)
            over = [each for each in found if each["status"] == "completed"]
            return over if len(over) >= count else None

        return await eventually(ended, 60)


@pytest_asyncio.fixture
async def duty(fresh_database_url: str, tmp_path: Path) -> AsyncIterator[Duty]:
    outside = embedded_outside(tmp_path)
    async with open_database(fresh_database_url) as opened:
        db = Database(pool=opened.pool, role=WORKER_ROLE)
        auth = Authenticator(db=opened, secret=b"a secret of the tests")
        app = build_app(opened, auth, Feed(db=opened, url=fresh_database_url, auth=auth), outside)
        async with make_workspace(db, app) as workspace:
            yield Duty(db, fresh_database_url, outside, await make_desk(workspace))


async def test_two_workers_and_a_clock_that_jumps_make_one_run_for_each_time(duty: Duty) -> None:
    task = await make_task(duty.desk.workspace, duty.desk.admin, schedule={"cron": "0 9 1 1 *"})
    async with duty.workers(2):
        await duty.jump(task, now() - timedelta(days=400))  # forth, past many times that it had
        (first,) = await duty.until_ended(task, 1)
        after = await show_task(duty.desk.admin, task)
        assert datetime.fromisoformat(after["next_at"]) > now()
        (job,) = await queued(duty.desk.admin, task)
        assert job["args"]["due"] == after["next_at"].replace("Z", "+00:00")
        await duty.jump(task, now() - timedelta(seconds=1))  # and once more
        both = await duty.until_ended(task, 2)
    assert {each["id"] for each in both} >= {first["id"]}
    assert len(await sessions_of(duty.desk.admin, task)) == 2
    assert len(await queued(duty.desk.admin, task)) == 1


async def test_a_job_queued_twice_for_one_time_runs_once_on_two_workers(duty: Duty) -> None:
    task = await make_task(duty.desk.workspace, duty.desk.admin, schedule={"cron": "0 9 1 1 *"})
    async with duty.db.anonymous() as connection:
        await connection.execute("SET LOCAL search_path = procrastinate")
        for _ in range(5):
            await connection.execute(
                """
                INSERT INTO procrastinate_jobs (queue_name, task_name, args, scheduled_at)
                SELECT queue_name, task_name, jsonb_set(args, '{id}', to_jsonb(gen_random_uuid())), scheduled_at
                FROM procrastinate_jobs WHERE task_name = 'tasks.run_due' LIMIT 1
                """
            )
    await duty.jump(task, now() - timedelta(hours=1))
    async with duty.workers(2):
        await duty.until_ended(task, 1)

        async def idle() -> bool | None:
            waiting = await queued(duty.desk.admin, task)
            return True if len(waiting) == 1 else None

        await eventually(idle, 60)
    assert len(await sessions_of(duty.desk.admin, task)) == 1
