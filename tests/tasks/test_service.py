"""Tasks: what can be made, changed and run, and that a schedule starts one session for each time it has."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from goldloop.kit.clock import now
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.loops import some
from tests.records import Desk, code, ok, places, some_id
from tests.runtimes.scripted import Script, configured, scripted, show, work
from tests.sessions.test_attention import waiting
from tests.tasks.duty import (
    DAILY,
    come_due,
    list_tasks,
    make_task,
    queued,
    sessions_of,
    show_task,
    start_due,
)


async def test_a_task_run_by_hand_is_a_session_that_names_it(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    task = await make_task(desk.workspace, desk.admin)
    assert (task["next_at"], task["last_session"], task["version"], task["enabled"]) == (None, None, 1, True)
    session = ok(await desk.contributor.post(f"/api/tasks/{task['id']}/run", json={}))
    assert (session["task_id"], session["status"], session["purpose"]) == (task["id"], "queued", "prompt")
    await work(worker_db, desk.workspace, scripted(outside, Script(["Hello."])), session)
    assert (await show(desk.contributor, session["id"]))["output"] == "Hello."
    last = (await show_task(desk.contributor, task))["last_session"]
    assert (last["id"], last["status"]) == (session["id"], "completed")
    assert last["ended_at"] is not None


async def test_running_twice_under_one_id_is_running_once(desk: Desk) -> None:
    task = await make_task(desk.workspace, desk.admin)
    body = {"id": some_id()}
    for _ in range(2):
        assert ok(await desk.contributor.post(f"/api/tasks/{task['id']}/run", json=body))["id"] == body["id"]
    assert len(await sessions_of(desk.contributor, task)) == 1


async def test_who_may_do_what_with_tasks(desk: Desk) -> None:
    task = await make_task(desk.workspace, desk.admin)
    path = f"/api/tasks/{task['id']}"
    body = {"name": "T", "kind": "prompt", "config": {"message": "x"}, "agent": task["agent"]}
    assert code(await desk.contributor.post("/api/tasks", json=body)) == (403, "forbidden")
    assert code(await desk.reviewer.patch(path, json={"name": "Other"})) == (403, "forbidden")
    assert code(await desk.contributor.delete(path)) == (403, "forbidden")
    _, viewer = await desk.person(Role.VIEWER)
    assert [each["id"] for each in await list_tasks(viewer)] == [task["id"]]
    assert code(await viewer.post(f"{path}/run", json={})) == (403, "forbidden")


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"kind": "feedback"}, ("/kind", "unknown_task_kind")),
        ({"config": {}}, ("/config/message", "missing")),
        ({"config": {"message": " "}}, ("/config/message", "invalid_value")),
        ({"config": {"message": "x", "more": 1}}, ("/config/more", "unknown_field")),
        ({"schedule": {"cron": "0 9 * *  *"}}, ("/schedule/cron", "invalid_cron")),
        ({"schedule": {"cron": "0 0 30 2 *"}}, ("/schedule/cron", "never_due")),
        (
            {"schedule": {"cron": "0 9 * * *", "timezone": "Berlin"}},
            ("/schedule/timezone", "unknown_timezone"),
        ),
        ({"agent": None}, ("/agent", "required")),
        (
            {"kind": "populate_fields", "config": {"type": "nothing"}},
            ("/config/type", "entity_type_not_found"),
        ),
        (
            {"kind": "populate_fields", "config": {"type": "company", "ids": [some_id()], "q": "x"}},
            ("/config/q", "ids_or_filter"),
        ),
    ],
)
async def test_what_cannot_be_a_task_is_refused_where_it_is_wrong(
    desk: Desk, wrong: dict[str, Any], place: tuple[str, str]
) -> None:
    agent = await configured(desk.workspace)
    body = {"name": "T", "kind": "prompt", "agent": agent, "config": {"message": "x"}, **wrong}
    answer = await desk.admin.post("/api/tasks", json=body)
    assert (answer.status_code, places(answer)) == (422, [place])
    assert await list_tasks(desk.admin) == []


async def test_an_unknown_kind_is_told_which_there_are(desk: Desk) -> None:
    body = {"name": "T", "kind": "eval", "config": {}}
    (fault,) = (await desk.admin.post("/api/tasks", json=body)).json()["errors"]
    assert {"prompt", "populate_fields"} <= set(fault["message"].replace(",", "").split())


async def test_a_task_needs_an_agent_that_runs_here(desk: Desk) -> None:
    elsewhere = await desk.workspace.make_agent("elsewhere")
    body = {"name": "T", "kind": "prompt", "config": {"message": "x"}}
    make = desk.admin.post
    assert code(await make("/api/tasks", json={**body, "agent": elsewhere.slug})) == (422, "no_runtime")
    assert code(await make("/api/tasks", json={**body, "agent": "nobody"})) == (404, "agent_not_found")


async def test_a_change_is_refused_on_top_of_another_and_the_same_again_is_none(desk: Desk) -> None:
    task = await make_task(desk.workspace, desk.admin)
    path = f"/api/tasks/{task['id']}"
    changed = ok(await desk.admin.patch(path, json={"version": 1, "name": "Greet all"}))
    assert (changed["name"], changed["version"]) == ("Greet all", 2)
    assert ok(await desk.admin.patch(path, json={"version": 1, "name": "Greet all"}))["version"] == 2
    stale = await desk.admin.patch(path, json={"version": 1, "name": "Other"})
    assert code(stale) == (409, "version_conflict")
    again = {"id": task["id"], "name": "Greet all", "kind": "prompt", "agent": task["agent"]}
    repeated = await desk.admin.post("/api/tasks", json={**again, "config": {"message": "Greet us."}})
    assert ok(repeated)["version"] == 2
    other = await desk.admin.post("/api/tasks", json={**again, "config": {"message": "Go away."}})
    assert code(other) == (409, "task_exists")


async def test_tasks_are_listed_newest_first_page_by_page(desk: Desk) -> None:
    agent = await configured(desk.workspace)
    made = [await make_task(desk.workspace, desk.admin, name=f"T{n}", agent=agent) for n in range(3)]
    first = ok(await desk.admin.get("/api/tasks", params={"limit": 2}))
    rest = ok(await desk.admin.get("/api/tasks", params={"limit": 2, "cursor": first["next_cursor"]}))
    found = [task["name"] for task in first["data"] + rest["data"]]
    assert found == [task["name"] for task in reversed(made)]
    assert rest["next_cursor"] is None


async def test_a_schedule_queues_its_next_time_and_no_other(desk: Desk) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    (job,) = await queued(desk.admin, task)
    assert datetime.fromisoformat(job["scheduled_at"]) == datetime.fromisoformat(task["next_at"]) > now()
    path = f"/api/tasks/{task['id']}"
    renamed = ok(await desk.admin.patch(path, json={"name": "Other"}))
    assert renamed["next_at"] == task["next_at"]
    assert [each["id"] for each in await queued(desk.admin, task)] == [job["id"]]
    moved = ok(await desk.admin.patch(path, json={"schedule": {"cron": "30 4 1 1 *"}}))
    (other,) = await queued(desk.admin, task)
    assert other["id"] != job["id"]
    assert other["args"]["due"] == moved["next_at"].replace("Z", "+00:00")
    off = ok(await desk.admin.patch(path, json={"enabled": False}))
    assert (off["next_at"], await queued(desk.admin, task)) == (None, [])
    on = ok(await desk.admin.patch(path, json={"enabled": True}))
    assert (on["next_at"], len(await queued(desk.admin, task))) == (moved["next_at"], 1)
    ok(await desk.admin.delete(path))
    assert await queued(desk.admin, task) == []
    assert code(await desk.admin.get(path)) == (404, "task_not_found")


async def test_a_time_that_was_missed_many_times_starts_one_session_and_the_next_is_ahead(
    desk: Desk, worker_db: Database
) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule={"cron": "* * * * *"})
    due = await come_due(worker_db, desk.workspace, task, now() - timedelta(days=3))
    await start_due(worker_db, desk.workspace, task, due)
    (session,) = await sessions_of(desk.admin, task)
    assert session["created_by"]["kind"] == "system"
    after = await show_task(desk.admin, task)
    assert datetime.fromisoformat(after["next_at"]) > now() - timedelta(minutes=1)
    assert after["next_at"][:10] >= now().date().isoformat()


async def test_a_job_that_comes_again_or_after_a_change_starts_nothing(
    desk: Desk, worker_db: Database
) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    due = await come_due(worker_db, desk.workspace, task, datetime(2026, 1, 5, 8, tzinfo=UTC))
    for _ in range(3):
        await start_due(worker_db, desk.workspace, task, due)
    assert len(await sessions_of(desk.admin, task)) == 1
    again = await come_due(worker_db, desk.workspace, task, datetime(2026, 1, 6, 8, tzinfo=UTC))
    ok(await desk.admin.patch(f"/api/tasks/{task['id']}", json={"enabled": False}))
    await start_due(worker_db, desk.workspace, task, again)
    assert len(await sessions_of(desk.admin, task)) == 1
    ok(await desk.admin.delete(f"/api/tasks/{task['id']}"))
    await start_due(worker_db, desk.workspace, task, again)


async def test_workers_that_have_the_same_job_at_once_start_one_session(
    desk: Desk, worker_db: Database
) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    due = await come_due(worker_db, desk.workspace, task, datetime(2026, 1, 5, 8, tzinfo=UTC))
    await asyncio.gather(*(start_due(worker_db, desk.workspace, task, due) for _ in range(5)))
    assert len(await sessions_of(desk.admin, task)) == 1
    assert len(await queued(desk.admin, task)) == 2  # the one that was faked, and the next


async def test_a_clock_that_is_behind_the_time_of_a_job_does_not_start_it_again(
    desk: Desk, worker_db: Database
) -> None:
    """The job came by a clock that was ahead; the next time is after the one that it named, not after now."""
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    ahead = datetime.fromisoformat(task["next_at"])
    await start_due(worker_db, desk.workspace, task, ahead.isoformat())
    assert len(await sessions_of(desk.admin, task)) == 1
    after = await show_task(desk.admin, task)
    assert datetime.fromisoformat(after["next_at"]) > ahead
    await start_due(worker_db, desk.workspace, task, ahead.isoformat())
    assert len(await sessions_of(desk.admin, task)) == 1


async def test_while_the_last_run_is_not_over_a_time_is_passed_over(desk: Desk, worker_db: Database) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    ok(await desk.admin.post(f"/api/tasks/{task['id']}/run", json={}))
    due = await come_due(worker_db, desk.workspace, task, datetime(2026, 1, 5, 8, tzinfo=UTC))
    await start_due(worker_db, desk.workspace, task, due)
    assert len(await sessions_of(desk.admin, task)) == 1
    passed = await show_task(desk.admin, task)
    assert passed["problem"]["code"] == "task_still_running"
    assert datetime.fromisoformat(passed["next_at"]) > now()


async def test_a_task_that_cannot_be_started_says_why_and_goes_on(desk: Desk, worker_db: Database) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    ok(await desk.admin.patch(f"/api/agents/{task['agent_id']}", json={"active": False}))
    due = await come_due(worker_db, desk.workspace, task, datetime(2026, 1, 5, 8, tzinfo=UTC))
    await start_due(worker_db, desk.workspace, task, due)
    assert await sessions_of(desk.admin, task) == []
    passed = await show_task(desk.admin, task)
    assert passed["problem"]["code"] == "no_runtime"
    (event,) = await desk.events("task.not_started")
    assert event["payload"]["code"] == "no_runtime"
    assert await waiting(desk.admin, "tasks") == 1
    assert ok(await desk.admin.patch(f"/api/tasks/{task['id']}", json={"enabled": False}))["next_at"] is None
    ok(await desk.admin.patch(f"/api/agents/{task['agent_id']}", json={"active": True}))
    ok(await desk.admin.patch(f"/api/tasks/{task['id']}", json={"enabled": True}))
    due = await come_due(worker_db, desk.workspace, task, datetime(2026, 1, 6, 8, tzinfo=UTC))
    await start_due(worker_db, desk.workspace, task, due)
    assert (await show_task(desk.admin, task))["problem"] is None
    assert await waiting(desk.admin, "tasks") == 0
    assert len(await sessions_of(desk.admin, task)) == 1


async def test_a_job_that_somebody_cancels_is_queued_anew(desk: Desk) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    (job,) = await queued(desk.admin, task)
    ok(await desk.admin.post(f"/api/jobs/{job['id']}/cancel"))
    (again,) = await queued(desk.admin, task)
    assert again["id"] != job["id"]
    assert again["args"] == job["args"]


async def test_a_job_that_was_given_up_after_its_time_leaves_the_next_time(
    desk: Desk, worker_db: Database
) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    (job,) = await queued(desk.admin, task)
    await come_due(worker_db, desk.workspace, task, datetime(2026, 1, 5, 8, tzinfo=UTC))
    ok(await desk.admin.post(f"/api/jobs/{job['id']}/cancel"))
    passed = await show_task(desk.admin, task)
    assert passed["problem"]["code"] == "job_ended"
    assert datetime.fromisoformat(passed["next_at"]) > now()
    assert len(some(await queued(desk.admin, task))) == 1
