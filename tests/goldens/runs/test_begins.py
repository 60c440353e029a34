"""What a run is asked to do: by whom, for how much, and once."""

from typing import Any

import pytest_asyncio

from goldloop.kit.db import Database
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from tests.goldens.test_runs import clerk, make_goldens
from tests.goldens.tried import EVALS, HASTY, Tried, tried
from tests.records import Desk, ok, places
from tests.runtimes.scripted import configured

GROUPS = ["entities-read", "responses"]


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)


async def test_whoever_replays_goldens_of_different_agents_says_which_one_is_tried(evals: Tried) -> None:
    await make_goldens(evals, 2, "mixed")
    evals.agent = await configured(evals.desk.workspace, "greeter", instructions="Greet.", tool_groups=[])
    greeting = await evals.run(lambda *_: "Hello!", "Say hello")
    await evals.promote(greeting, set="mixed")
    body: dict[str, Any] = {"setName": "mixed", "repeats": 1, "dryRun": True}
    refused = await evals.admin.post(f"{EVALS}/runs/set", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "agents_differ")
    assert [path for path, _ in places(refused)] == ["/agents"]
    foreseen = ok(
        await evals.admin.post(f"{EVALS}/runs/set", json={**body, "agents": [{"agent": "greeter"}]})
    )
    assert (foreseen["goldens"], foreseen["baseline"]["slug"]) == (3, "greeter")


async def test_a_limit_of_what_nobody_knows_the_price_of_is_refused(evals: Tried) -> None:
    await make_goldens(evals, 1)
    await evals.go_on(clerk)
    refused = await evals.admin.post(f"{EVALS}/runs/set", json={"setName": "clerk", "maxCost": 5})
    assert (refused.status_code, refused.json()["code"]) == (422, "cost_unknown")
    assert [path for path, _ in places(refused)] == ["/maxCost"]


async def test_a_run_begins_no_replay_that_would_cost_more_than_is_left(evals: Tried) -> None:
    evals.model = "gpt-4o"
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)
    cost = ok(await evals.admin.get(f"/api/sessions/{golden['sessionId']}"))["cost"]
    assert cost > 0
    run = await evals.run_set("clerk", repeats=12, maxCost=cost * 6.5, baseline="none")
    assert await evals.go_on(clerk) == 6
    shown = await evals.show(run)
    assert (shown["status"], shown["stopped"], shown["done"]) == ("completed", "cost_limit", 6)
    assert shown["cost"] <= shown["maxCost"]


async def test_a_run_with_a_limit_stops_where_replays_do_not_know_their_cost(evals: Tried) -> None:
    evals.model = "gpt-4o"
    await make_goldens(evals, 1)
    await evals.go_on(clerk)
    evals.model = "scripted"
    run = await evals.run_set("clerk", repeats=12, maxCost=100)
    assert await evals.go_on(clerk) == 4
    assert (await evals.show(run))["stopped"] == "cost_unknown"


async def test_a_version_is_the_goldens_own_agents_where_none_is_named(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    body = {"goldenSessionId": golden["sessionId"]}
    run = ok(await evals.admin.post(f"{EVALS}/runs", json={**body, "version": 1}))
    assert [(agent["slug"], agent["version"]) for agent in run["agents"]] == [("clerk", 1)]
    refused = await evals.admin.post(f"{EVALS}/runs", json={**body, "version": 9})
    assert (refused.status_code, refused.json()["code"]) == (404, "agent_version_not_found")


async def test_an_agent_that_is_named_twice_is_one(evals: Tried) -> None:
    await make_goldens(evals, 1)
    await evals.go_on(clerk)
    twice = [{"agent": "clerk"}, {"agent": "clerk", "version": 1}]
    run = await evals.run_set("clerk", repeats=2, agents=twice)
    await evals.go_on(clerk)
    shown = await evals.show(run)
    assert (shown["status"], shown["done"], shown["replays"]) == ("completed", 2, 2)
    assert len(shown["agents"]) == len(shown["reports"]) == 1


async def test_an_id_is_of_one_run(evals: Tried) -> None:
    await make_goldens(evals, 1)
    await evals.go_on(clerk)
    body = {"setName": "clerk", "repeats": 1, "id": str(new_id())}
    run = ok(await evals.admin.post(f"{EVALS}/runs/set", json=body))
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)  # the newest version is another one now
    again = ok(await evals.admin.post(f"{EVALS}/runs/set", json=body))
    assert (again["id"], again["agents"]) == (run["id"], run["agents"])
    for other in ({"repeats": 2}, {"mode": "live"}, {"margin": 0.1}, {"name": "Another"}):
        refused = await evals.admin.post(f"{EVALS}/runs/set", json={**body, **other})
        assert (refused.status_code, refused.json()["code"]) == (409, "eval_run_exists"), other
