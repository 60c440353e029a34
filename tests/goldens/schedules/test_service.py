"""Sets that a task replays, by the clock or by hand, and after a deployment by a key."""

from typing import Any

import pytest
import pytest_asyncio

from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.schedules import service
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ
from goldloop.tenants.model import Role
from goldloop.tenants.permissions import AGENTS_READ
from tests.goldens.test_runs import clerk, make_goldens
from tests.goldens.tried import CAREFUL, EVALS, HASTY, Tried, tried
from tests.loops import some
from tests.records import Desk, code, ok, places
from tests.runtimes.scripted import work
from tests.tasks.duty import DAILY, sessions_of, show_task, start_due

GROUPS = ["entities-read", "responses"]


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    """With a set of four goldens that have a floor."""
    found = await tried(desk, worker_db, outside)
    await make_goldens(found, 4)
    await found.go_on(clerk)
    return found


async def make_task(evals: Tried, **config: Any) -> Any:
    body = {
        "name": "Every night",
        "kind": "eval_run",
        "agent": evals.agent,
        "config": {"setName": "clerk", **config},
        "schedule": DAILY,
    }
    return ok(await evals.admin.post("/api/tasks", json=body))


async def run_due(evals: Tried, task: Any) -> Any:
    """The session of a time of the schedule, as far as a worker runs it."""
    due = (await show_task(evals.admin, task))["next_at"]
    await start_due(evals.db, evals.desk.workspace, task, due)
    session = (await sessions_of(evals.admin, task))[0]
    await work(evals.db, evals.desk.workspace, evals.outside, session)
    return session


async def newest_runs(evals: Tried, **query: Any) -> list[Any]:
    return list(ok(await evals.admin.get(f"{EVALS}/runs", params={"kind": "run", **query}))["data"])


async def test_a_set_is_replayed_by_the_clock_and_the_session_says_what_came_of_it(evals: Tried) -> None:
    task = await make_task(evals, repeats=2, margin=0.2)
    session = await run_due(evals, task)
    (run,) = await newest_runs(evals)
    assert (run["trigger"], run["name"], run["repeats"]) == ("scheduled", "Every night", 2)
    assert run["margin"] == 0.2
    assert [(each["slug"], each["version"]) for each in run["agents"]] == [("clerk", 1)]
    assert (await evals.admin.get(f"/api/sessions/{session['id']}")).json()["status"] == "running"
    assert await evals.go_on(clerk) == 8
    ended = ok(await evals.admin.get(f"/api/sessions/{session['id']}"))
    assert (ended["status"], ended["purpose"]) == ("completed", "eval_run")
    assert ended["output"] == {"evalRunId": run["id"], "verdict": "no worse", "passRate": 1}


async def test_the_next_time_is_passed_over_while_the_last_run_is_not_over(evals: Tried) -> None:
    task = await make_task(evals)
    await run_due(evals, task)
    due = (await show_task(evals.admin, task))["next_at"]
    await start_due(evals.db, evals.desk.workspace, task, due)
    assert (await show_task(evals.admin, task))["problem"]["code"] == "task_still_running"
    assert len(await newest_runs(evals)) == 1


async def test_a_worker_that_dies_after_it_began_a_run_begins_no_other(evals: Tried) -> None:
    task = await make_task(evals)
    session = await run_due(evals, task)
    await work(evals.db, evals.desk.workspace, evals.outside, session)
    (run,) = await newest_runs(evals)
    assert run["replays"] == 12


async def test_an_alarm_of_a_task_is_confirmed_by_fresh_repeats_before_it_waits_for_a_person(
    evals: Tried,
) -> None:
    task = await make_task(evals)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    await run_due(evals, task)
    await evals.go_on(clerk)
    (run,) = await newest_runs(evals)
    assert (run["verdict"], run["confirmed"], run["waits"]) == ("regression", True, True)
    (confirmation,) = ok(await evals.admin.get(f"{EVALS}/runs", params={"kind": "confirmation"}))["data"]
    assert (confirmation["confirmsId"], confirmation["repeats"]) == (run["id"], 5)
    assert confirmation["trigger"] == "scheduled"
    waits = ok(await evals.admin.get("/api/inbox"))["data"]
    assert [row["count"] for row in some(waits) if row["kind"] == "regressions"] == [1]


async def test_others_are_tried_beside_the_agent_of_the_task(evals: Tried) -> None:
    await evals.configure(instructions=CAREFUL + " Always.", tool_groups=GROUPS)
    task = await make_task(
        evals,
        agents=[{"agent": "clerk", "version": 1}],
        baseline={"agent": "clerk", "version": 1},
        repeats=1,
    )
    await run_due(evals, task)
    (run,) = await newest_runs(evals)
    assert [each["version"] for each in run["agents"]] == [2, 1]
    assert run["baseline"]["version"] == 1


async def test_whoever_runs_tasks_runs_it_by_hand(evals: Tried) -> None:
    task = await make_task(evals, baseline="none", repeats=1)
    contributor = await evals.desk.workspace.client(Role.CONTRIBUTOR)
    session = ok(await contributor.post(f"/api/tasks/{task['id']}/run", json={}))
    await work(evals.db, evals.desk.workspace, evals.outside, session)
    (run,) = await newest_runs(evals)
    assert (run["baseline"], run["createdBy"]["kind"]) == (None, "system")
    assert code(await contributor.get(f"{EVALS}/runs/{run['id']}")) == (403, "forbidden")


async def test_a_session_that_is_cancelled_stops_its_run(evals: Tried) -> None:
    session = await run_due(evals, await make_task(evals))
    ok(await evals.admin.post(f"/api/sessions/{session['id']}/cancel"))
    await MarkRunner(evals.db, evals.outside).drain(MARKS[service.STOP])
    (run,) = await newest_runs(evals)
    assert (run["status"], run["done"]) == ("cancelled", 0)


async def test_a_run_that_is_cancelled_ends_its_session(evals: Tried) -> None:
    session = await run_due(evals, await make_task(evals))
    (run,) = await newest_runs(evals)
    ok(await evals.admin.post(f"{EVALS}/runs/{run['id']}/cancel"))
    ended = ok(await evals.admin.get(f"/api/sessions/{session['id']}"))
    assert ended["status"] == "cancelled"
    await MarkRunner(evals.db, evals.outside).drain(MARKS[service.STOP])


async def test_a_set_that_is_empty_by_then_fails_the_session_and_blames_nobody(evals: Tried) -> None:
    task = await make_task(evals)
    for golden in ok(await evals.admin.get(f"{EVALS}/golden"))["data"]:
        ok(await evals.admin.delete(f"{EVALS}/golden/{golden['sessionId']}"))
    session = await run_due(evals, task)
    ended = ok(await evals.admin.get(f"/api/sessions/{session['id']}"))
    assert (ended["status"], ended["error"]["code"]) == ("failed", "no_goldens")
    assert ok(await evals.admin.get("/api/feedback"))["data"] == []


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ({"setName": "nobody"}, ("/config/setName", "golden_set_not_found")),
        ({}, ("/config/setName", "missing")),
        ({"setName": "clerk", "repeats": 0}, ("/config/repeats", "invalid_value")),
        ({"setName": "clerk", "margin": 2}, ("/config/margin", "invalid_value")),
        ({"setName": "clerk", "maxCost": -1}, ("/config/maxCost", "invalid_value")),
        ({"setName": "clerk", "agents": [{"agent": "nobody"}]}, ("/config/agents/0", "agent_not_found")),
        (
            {"setName": "clerk", "baseline": {"agent": "clerk", "version": 9}},
            ("/config/baseline", "agent_version_not_found"),
        ),
        ({"setName": "clerk", "trigger": "manual"}, ("/config/trigger", "unknown_field")),
    ],
)
async def test_what_could_not_run_cannot_be_configured(
    desk: Desk, worker_db: Database, outside: Outside, config: dict[str, Any], place: tuple[str, str]
) -> None:
    found = await tried(desk, worker_db, outside)
    await found.promote(await found.run(lambda *_: "Fine.", "Hello"), set="clerk", floor=False)
    body = {"name": "Every night", "kind": "eval_run", "agent": "clerk", "config": config}
    answer = await found.admin.post("/api/tasks", json=body)
    assert answer.status_code == 422
    assert places(answer) == [place]


async def test_a_task_of_this_kind_needs_an_agent(evals: Tried) -> None:
    body = {"name": "Every night", "kind": "eval_run", "config": {"setName": "clerk"}}
    assert places(await evals.admin.post("/api/tasks", json=body)) == [("/agent", "required")]


async def test_a_deployment_replays_a_set_with_the_key_of_an_admin_and_no_lesser_one(evals: Tried) -> None:
    body = {"setName": "clerk", "trigger": "post-deploy", "commitSha": "0123abc", "repeats": 1}
    for role in (Role.VIEWER, Role.CONTRIBUTOR, Role.REVIEWER):
        key = await evals.desk.workspace.client(role)
        assert code(await key.post(f"{EVALS}/runs/set", json=body)) == (403, "forbidden"), role
    scopes = [EVALS_MANAGE, EVALS_READ, SESSIONS_CREATE, SESSIONS_READ, AGENTS_READ]
    admin = await evals.desk.workspace.client(Role.ADMIN, scopes=scopes)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    begun = await admin.post(f"{EVALS}/runs/set", json=body)
    assert begun.status_code == 202, begun.text
    assert (begun.json()["trigger"], begun.json()["commitSha"]) == ("post-deploy", "0123abc")
    await evals.go_on(clerk)
    run = ok(await admin.get(f"{EVALS}/runs/{begun.json()['id']}"))
    assert (run["status"], run["confirmed"], run["waits"]) == ("completed", True, True)
