"""Budgets of a day: what runs use is counted, and none starts when it is used up; what has started goes on."""

from datetime import timedelta
from typing import Any

import pytest

from goldloop.kit.clock import now
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.limits.conftest import set_limits
from tests.records import Desk, code, ok, some_id
from tests.runtimes.scripted import Script, call, configured, scripted, show, start, work
from tests.sessions.recordings import begin, send, story
from tests.tasks.duty import DAILY, come_due, make_task, sessions_of, show_task, start_due


async def uses(desk: Desk) -> dict[str, Any]:
    return {use["limit"]: use for use in ok(await desk.admin.get("/api/limits"))["uses"]}


async def spend(desk: Desk, tokens: int, cost: float = 0.0, days_ago: int = 0) -> None:
    """As if runs had."""
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute(
            "SELECT count_run_usage($1, $2, $3, $4)",
            some_id(),
            tokens,
            cost,
            now() - timedelta(days=days_ago),
        )


async def test_what_runs_use_is_counted_and_what_ran_elsewhere_is_not(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    session = await start(desk.contributor, await configured(desk.workspace))
    await work(worker_db, desk.workspace, scripted(outside, Script(["Done."])), session)
    ok(await send(desk.contributor, await begin(desk.contributor), story()))
    used = await uses(desk)
    assert (used["tokens_per_day"]["used"], used["tokens_per_day"]["left"]) == (15, None)
    await set_limits(desk.admin, tokens_per_day=40)
    assert (await uses(desk))["tokens_per_day"]["left"] == 25


@pytest.mark.parametrize(
    ("limits", "expected"),
    [({"tokens_per_day": 100}, "token_budget_spent"), ({"cost_per_day": 0.5}, "cost_budget_spent")],
)
async def test_no_run_starts_when_the_budget_of_today_is_used_up(
    desk: Desk, limits: dict[str, float], expected: str
) -> None:
    agent = await configured(desk.workspace)
    await set_limits(desk.admin, **limits)
    await spend(desk, 10**6, 10.0, days_ago=1)  # yesterday's
    asked = {"agent": agent, "input": {"message": "Go."}, "id": some_id()}
    before = ok(await desk.contributor.post("/api/sessions", json=asked))
    await spend(desk, 100, 0.5)
    refused = await desk.contributor.post("/api/sessions", json=asked | {"id": some_id()})
    assert code(refused) == (429, expected)
    assert 0 < int(refused.headers["Retry-After"]) <= 24 * 3600 + 1
    again = await desk.contributor.post("/api/sessions", json=asked)
    assert ok(again)["id"] == before["id"]  # what was started before is answered as before
    ok(await desk.contributor.post("/api/sessions", json={"source": "client", "agent": "outsider"}))


async def test_a_run_that_waits_fails_with_the_reason_and_one_under_way_goes_on(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, tool_groups=["people"])
    asking = await start(desk.contributor, agent)
    script = scripted(outside, Script([call("askPerson", question="Sure?"), "Done."]))
    await work(worker_db, desk.workspace, script, asking)
    assert (await show(desk.contributor, asking["id"]))["status"] == "waiting"
    queued = await start(desk.contributor, agent)
    await set_limits(desk.admin, tokens_per_day=15)
    await work(worker_db, desk.workspace, script, queued)
    failed = await show(desk.contributor, queued["id"])
    assert (failed["status"], failed["error"]["code"]) == ("failed", "token_budget_spent")
    assert "15 of 15 used" in failed["error"]["message"]
    ok(await desk.contributor.post(f"/api/sessions/{asking['id']}/answer", json={"text": "Yes"}))
    await work(worker_db, desk.workspace, script, asking)
    assert (await show(desk.contributor, asking["id"]))["status"] == "completed"


async def test_a_task_that_is_due_is_passed_over_with_the_reason(desk: Desk, worker_db: Database) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    await set_limits(desk.admin, tokens_per_day=10)
    await spend(desk, 10)
    assert code(await desk.contributor.post(f"/api/tasks/{task['id']}/run", json={})) == (
        429,
        "token_budget_spent",
    )
    due = await come_due(worker_db, desk.workspace, task, now() - timedelta(minutes=1))
    await start_due(worker_db, desk.workspace, task, due)
    assert await sessions_of(desk.contributor, task) == []
    assert "tokens of today are used up" in str(await show_task(desk.admin, task))


async def test_whoever_runs_the_workspace_is_told_from_four_fifths_on(desk: Desk) -> None:
    async def waits() -> int:
        kinds = ok(await desk.admin.get("/api/inbox"))["data"]
        return sum(kind["count"] for kind in kinds if kind["kind"] == "limits")

    await set_limits(desk.admin, tokens_per_day=100, cost_per_day=10)
    await spend(desk, 79)
    assert await waits() == 0
    await spend(desk, 1)
    assert await waits() == 1
    await spend(desk, 0, 10.0)
    assert await waits() == 2
    assert Role.VIEWER not in [kind["kind"] for kind in ok(await desk.contributor.get("/api/inbox"))["data"]]
