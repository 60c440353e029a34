"""What runs are compared with: there are baseline replays of the same goldens, made in the same way, and only good ones."""

from typing import Any

import pytest
import pytest_asyncio

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from tests.goldens.runs.test_ends import replays_of
from tests.goldens.test_runs import clerk, make_goldens
from tests.goldens.tried import EVALS, HASTY, Say, Tried, tried
from tests.records import Desk, ok

GROUPS = ["entities-read", "responses"]


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)


async def test_a_changed_golden_has_its_floor_measured_again(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)
    path = f"{EVALS}/golden/{golden['sessionId']}"
    ok(await evals.admin.patch(path, json={"note": "Only words"}))
    assert await evals.go_on(clerk) == 0
    ok(await evals.admin.patch(path, json={"facts": ["10"]}))
    assert await evals.go_on(clerk) == 5
    assert ok(await evals.admin.get(path))["floor"] == "stable"


async def test_one_without_a_floor_gets_none_by_a_change(evals: Tried) -> None:
    record = await evals.desk.make_record()
    session = await evals.run(clerk, f"Set the employees of {record['id']} 10")
    golden = await evals.promote(session, floor=False)
    ok(await evals.admin.patch(f"{EVALS}/golden/{golden['sessionId']}", json={"facts": ["10"]}))
    assert await evals.go_on(clerk) == 0


@pytest.mark.parametrize("way", [{"mode": "frozen"}, {"context": "live"}])
async def test_a_run_makes_the_baseline_replays_that_it_lacks(evals: Tried, way: dict[str, Any]) -> None:
    await make_goldens(evals, 3)
    await evals.go_on(clerk)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    body = {"setName": "clerk", "repeats": 3, **way}
    foreseen = ok(await evals.admin.post(f"{EVALS}/runs/set", json={**body, "dryRun": True}))
    numbers = (foreseen["replays"], foreseen["baselineReplays"], foreseen["compared"], foreseen["tokens"])
    assert numbers == (18, 9, 0, 18 * 360)
    run = await evals.run_set("clerk", repeats=3, **way)
    assert await evals.go_on(clerk) == 18
    shown = await evals.show(run)
    assert (shown["verdict"], shown["done"], shown["replays"]) == ("regression", 18, 18)
    assert (shown["passed"], shown["failed"], shown["estimate"]["baselineReplays"]) == (0, 9, 9)
    (report,) = shown["reports"]
    assert (report["replays"], report["passRate"]) == (9, 0)
    assert {(g["baseline"]["passes"], g["baseline"]["runs"]) for g in report["goldens"]} == {(3, 3)}
    made = {(r["agent"]["version"], r["baseline"], r["outcome"]) for r in await replays_of(evals, run)}
    assert made == {(2, False, "failed"), (1, True, "passed")}
    again = await evals.run_set("clerk", repeats=3, **way)
    assert again["estimate"]["baselineReplays"] == 0  # which it has now
    told = ok(await evals.admin.get("/api/feedback", params={"limit": 200}))["data"]
    assert len(told) == 9


async def test_the_baseline_may_be_tried_in_the_same_run(evals: Tried) -> None:
    await make_goldens(evals, 3)
    await evals.go_on(clerk)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    both = [{"agent": "clerk", "version": 2}, {"agent": "clerk", "version": 1}]
    run = await evals.run_set("clerk", repeats=3, mode="frozen", agents=both, baseline=both[1])
    assert await evals.go_on(clerk) == 18
    shown = await evals.show(run)
    assert [report["verdict"] for report in shown["reports"]] == ["regression", "inconclusive"]
    baselines = [[golden["baseline"] for golden in report["goldens"]] for report in shown["reports"]]
    assert baselines == [[{"passes": 3, "runs": 3}] * 3, [None] * 3]  # nobody is compared with itself


async def test_a_version_is_compared_with_itself_only_where_that_ran_for_the_baseline(evals: Tried) -> None:
    await make_goldens(evals, 2)
    await evals.go_on(clerk)
    run = await evals.run_set("clerk", repeats=2, mode="frozen")
    assert await evals.go_on(clerk) == 8
    (report,) = (await evals.show(run))["reports"]
    assert report["replays"] == 4
    assert {(g["baseline"]["runs"], len(g["outcomes"])) for g in report["goldens"]} == {(2, 2)}


async def night(evals: Tried, say: Say) -> Any:
    run = await evals.run_set("clerk", repeats=1, trigger="scheduled")
    await evals.go_on(say)
    return await evals.show(run)


def drifted(instructions: str, message: str, results: list[Any]) -> Any:
    """As the agent is told, though its model is another one since."""
    return clerk(HASTY, message, results)


async def test_what_a_confirmed_regression_did_is_in_no_baseline(evals: Tried) -> None:
    await make_goldens(evals, 10)
    await evals.go_on(clerk)
    good = await night(evals, clerk)
    bad = await night(evals, drifted)
    assert (good["confirmed"], bad["confirmed"]) == (None, True)
    (confirmation,) = ok(await evals.admin.get(f"{EVALS}/runs", params={"kind": "confirmation"}))["data"]
    shown = await evals.show(confirmation)
    assert {g["baseline"]["runs"] for g in shown["reports"][0]["goldens"]} == {5 + 1}
    after = await night(evals, clerk)
    assert {(g["baseline"]["passes"], g["baseline"]["runs"]) for g in after["reports"][0]["goldens"]} == {
        (6, 6)
    }


async def test_a_run_of_a_version_that_was_worse_makes_its_baseline_anew(evals: Tried) -> None:
    await make_goldens(evals, 4)
    await evals.go_on(clerk)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    run = await evals.run_set("clerk", repeats=3, trigger="scheduled")
    await evals.go_on(clerk)
    assert (await evals.show(run))["confirmed"] is True
    worse = {"agent": "clerk", "version": 2}
    again = await evals.run_set("clerk", repeats=3, agents=[worse], baseline=worse)
    assert again["estimate"]["baselineReplays"] == 12


async def test_the_matrix_shows_goldens_as_they_are_now_and_one_way_of_replaying(evals: Tried) -> None:
    _, second = await make_goldens(evals, 2)
    await evals.go_on(clerk)

    async def cells(**query: Any) -> list[Any]:
        found = ok(await evals.admin.get(f"{EVALS}/matrix", params={"set": "clerk", **query}))
        return [
            (found["mode"], found["context"]),
            *[[cell["outcomes"] for cell in golden["cells"]] for golden in found["goldens"]],
        ]

    five = ["passed"] * 5
    assert await cells() == [("hybrid", "snapshot"), [five], [five]]
    await evals.run_set("clerk", repeats=2, mode="frozen", baseline="none")
    await evals.go_on(clerk)
    assert await cells() == [("frozen", "snapshot"), [["passed"] * 2], [["passed"] * 2]]
    assert await cells(mode="hybrid") == [("hybrid", "snapshot"), [five], [five]]
    change = {"facts": ["nobody ever says 4711"]}
    ok(await evals.admin.patch(f"{EVALS}/golden/{second['sessionId']}", json=change))
    assert await cells(mode="hybrid") == [("hybrid", "snapshot"), [five], [[]]]
