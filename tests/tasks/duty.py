"""Tasks through the API, and what a worker does with their schedules."""

from datetime import datetime
from typing import Any

import httpx

from goldloop.kit.db import Database
from goldloop.tasks import jobs
from goldloop.tenants.auth.actors import system_actor
from tests.factories import Workspace
from tests.records import ok
from tests.runtimes.scripted import configured

DAILY = {"cron": "0 9 * * *", "timezone": "Europe/Berlin"}


async def make_task(workspace: Workspace, client: httpx.AsyncClient, **more: Any) -> Any:
    """A prompt to an agent that runs here."""
    if "agent" not in more:
        more["agent"] = await configured(workspace, f"worker-{len(await list_tasks(client))}")
    body = {"name": "Greet", "kind": "prompt", "config": {"message": "Greet us."}, **more}
    return ok(await client.post("/api/tasks", json=body))


async def list_tasks(client: httpx.AsyncClient) -> list[Any]:
    return list(ok(await client.get("/api/tasks", params={"limit": 200}))["data"])


async def show_task(client: httpx.AsyncClient, task: Any) -> Any:
    return ok(await client.get(f"/api/tasks/{task['id']}"))


async def sessions_of(client: httpx.AsyncClient, task: Any) -> list[Any]:
    return list(ok(await client.get("/api/sessions", params={"task_id": task["id"], "limit": 200}))["data"])


async def queued(client: httpx.AsyncClient, task: Any) -> list[Any]:
    """The jobs that wait to start the task."""
    jobs_of = ok(await client.get("/api/jobs", params={"limit": 200, "status": "todo"}))["data"]
    return [job for job in jobs_of if job["name"] == "tasks.run_due" and job["args"]["task_id"] == task["id"]]


async def come_due(db: Database, workspace: Workspace, task: Any, moment: datetime) -> str:
    """As if the clock had come to it: the task, and the job that names its time, are due at a moment."""
    async with db.tx(workspace.system) as tx:
        await tx.execute("UPDATE tasks SET next_at = $1 WHERE id = $2", moment, task["id"])
    return moment.isoformat()


async def start_due(db: Database, workspace: Workspace, task: Any, due: str) -> None:
    """What a worker does with a job that names a time."""
    await jobs.run_due(db, system_actor(workspace.id), task_id=task["id"], due=due)
