"""Runs: goldens are replayed, compared with a baseline and counted once, and nothing else changes."""

import json
from typing import Any

import pytest
import pytest_asyncio
from pydantic_ai.messages import ToolCallPart

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from tests.goldens.tried import CAREFUL, EVALS, HASTY, Tried, tried
from tests.loops import some
from tests.records import Desk, ok
from tests.runtimes.scripted import call, events_of


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)


def clerk(instructions: str, message: str, results: list[Any]) -> str | ToolCallPart:
    """Reads the record that its message names, proposes what it is told; in a hurry it only says so."""
    entity, employees = message.split()[-2:]
    if not results:
        return call("getEntity", "read", entityId=entity)
    if CAREFUL in instructions and len(results) == 1:
        return call("submitResponse", "write", entityId=entity, values={"employees": int(employees)})
    return f"It has {employees} employees."


async def make_goldens(evals: Tried, count: int, set_name: str = "clerk") -> list[Any]:
    made = []
    for number in range(count):
        record = await evals.desk.make_record()
        session = await evals.run(clerk, f"Set the employees of {record['id']} {number + 10}")
        assert session["status"] == "completed", session["error"]
        made.append(await evals.promote(session, set=set_name))
    return made


async def test_a_worse_version_is_a_regression_and_the_restored_one_is_none(evals: Tried) -> None:
    goldens = await make_goldens(evals, 4)
    await evals.go_on(clerk)
    floors = [ok(await evals.admin.get(f"{EVALS}/golden/{g['sessionId']}")) for g in goldens]
    assert [(g["floor"], g["floorPasses"], g["floorRuns"]) for g in floors] == [("stable", 5, 5)] * 4

    await evals.configure(instructions=HASTY, tool_groups=["entities-read", "responses"])
    run = await evals.run_set("clerk", repeats=3)
    assert (run["status"], run["estimate"]["replays"], run["baseline"]["version"]) == ("running", 12, 1)
    assert run["estimate"]["tokens"] == 12 * 360
    assert await evals.go_on(clerk) == 12
    ended = await evals.show(run)
    (report,) = ended["reports"]
    assert (ended["status"], ended["verdict"], report["verdict"]) == ("completed", "regression", "regression")
    assert (report["passed"], report["failed"], report["passRate"]) == (0, 12, 0)
    assert report["high"] < 0
    listed = ok(await evals.admin.get(f"{EVALS}/runs", params={"verdict": "regression"}))["data"][0]
    numbers = ("difference", "low", "high", "smallestDetectable", "passRate")
    assert [listed[name] for name in numbers] == [report[name] for name in numbers]
    assert {golden["change"] for golden in some(report["goldens"])} == {"hard_break"}
    assert (report["use"]["tokens"], report["baselineUse"]["tokens"]) == (
        240,
        360,
    )  # it asks its model less often
    assert "submitResponse" in report["goldens"][0]["divergence"]
    replays = ok(await evals.admin.get(f"{EVALS}/runs/{run['id']}/replays", params={"limit": 200}))["data"]
    replay = ok(await evals.admin.get(f"{EVALS}/replays/{replays[0]['id']}"))
    assert replay["comparison"]["divergences"][0]["kind"] == "missing_write"
    session = ok(await evals.admin.get(f"/api/sessions/{replay['id']}"))
    assert session["metadata"]["eval_source"] == replay["goldenId"]
    assert session["metadata"]["eval_result"]["passed"] is False
    told = ok(await evals.admin.get("/api/feedback", params={"limit": 200}))["data"]
    assert len(told) == 12
    assert {row["context"]["golden_session_id"] for row in some(told)} == {g["sessionId"] for g in goldens}

    await evals.configure(instructions=CAREFUL, tool_groups=["entities-read", "responses"])
    again = await evals.run_set("clerk", repeats=3, margin=0.15)
    await evals.go_on(clerk)
    restored = await evals.show(again)  # so few runs see no smaller change than 14 points
    assert (restored["verdict"], restored["passRate"]) == ("no worse", 1)
    matrix = ok(await evals.admin.get(f"{EVALS}/matrix", params={"set": "clerk"}))
    assert [agent["version"] for agent in matrix["agents"]] == [3, 2, 1]
    assert matrix["goldens"][0]["cells"][1]["outcomes"] == ["failed"] * 3
    trend = ok(await evals.admin.get(f"{EVALS}/trend", params={"set": "clerk"}))["data"]
    assert [(point["verdict"], point["passRate"]) for point in trend] == [("no worse", 1), ("regression", 0)]


async def test_what_a_run_would_use_and_could_compare_is_known_before_it_begins(evals: Tried) -> None:
    first, _ = await make_goldens(evals, 2)
    await evals.go_on(clerk)
    one = {"goldenSessionId": first["sessionId"], "repeats": 2, "dryRun": True}
    foreseen = ok(await evals.admin.post(f"{EVALS}/runs", json=one))
    assert (foreseen["replays"], foreseen["tokens"], foreseen["goldens"], foreseen["compared"]) == (
        2,
        720,
        1,
        1,
    )
    whole = {"setName": "clerk", "dryRun": True}
    compared = {
        mode: ok(await evals.admin.post(f"{EVALS}/runs/set", json={**whole, "mode": mode}))["compared"]
        for mode in ("hybrid", "frozen")
    }
    assert compared == {"hybrid": 2, "frozen": 0}  # the noise floor was measured in one mode
    alone = ok(await evals.admin.post(f"{EVALS}/runs/set", json={**whole, "baseline": "none"}))
    assert (alone["baseline"], alone["compared"], alone["goldens"]) == (None, 0, 2)
    listed = ok(await evals.admin.get(f"{EVALS}/runs", params={"kind": "run"}))
    assert listed["data"] == []


async def test_every_answer_says_where_it_came_from(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)

    def other(instructions: str, message: str, results: list[Any]) -> str | ToolCallPart:
        entity = message.split()[-2]
        steps = [
            call("getEntity", "a", entityId=entity),  # recorded
            call("listEntityTypes", "b"),  # never recorded: read as it is
            call("submitResponse", "c", entityId=entity, values={"employees": -5}),  # refused, as it would be
            call("submitResponse", "d", entityId=entity, values={"employees": 77}),  # would have worked
        ]
        return steps[len(results)] if len(results) < len(steps) else "Done."

    for mode, sources in (
        ("hybrid", ["tape", "live", "dry", "dry"]),
        ("frozen", ["tape", "miss", "miss", "miss"]),
        ("live", ["live", "live", "dry", "dry"]),
    ):
        body = {"goldenSessionId": golden["sessionId"], "mode": mode, "baseline": "none"}
        run = ok(await evals.admin.post(f"{EVALS}/runs", json=body))
        await evals.go_on(other)
        (replay,) = ok(await evals.admin.get(f"{EVALS}/runs/{run['id']}/replays"))["data"]
        results = [e["payload"] for e in await events_of(evals.admin, replay) if e["type"] == "tool.result"]
        assert [result["answered_by"] for result in results] == sources, mode
        assert replay["outcome"] == "failed", "a write that the golden does not do is its own doing"
        if mode == "hybrid":
            assert "error" in results[2]
            assert results[3]["result"]["submitted"] is True
    responses = ok(await evals.admin.get("/api/responses", params={"limit": 200}))["data"]
    assert "77" not in json.dumps([row["values"] for row in some(responses)])


async def test_a_run_that_is_cancelled_stops_and_keeps_what_is_compared(evals: Tried) -> None:
    await make_goldens(evals, 3)
    await evals.go_on(clerk)
    run = await evals.run_set("clerk", repeats=5)
    cancelled = ok(await evals.admin.post(f"{EVALS}/runs/{run['id']}/cancel"))
    assert (cancelled["status"], cancelled["stopped"]) == ("cancelled", "cancelled")
    assert await evals.go_on(clerk) == 0
    again = ok(await evals.admin.post(f"{EVALS}/runs/{run['id']}/cancel"))
    assert (again["status"], again["done"]) == ("cancelled", 0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"setName": "nobody"}, (404, "golden_set_not_found")),
        ({"setName": "clerk", "agents": [{"agent": "nobody"}]}, (404, "agent_not_found")),
        (
            {"setName": "clerk", "agents": [{"agent": "clerk", "version": 9}]},
            (404, "agent_version_not_found"),
        ),
        ({"setName": "clerk", "repeats": 0}, (422, "invalid_input")),
        ({"setName": "clerk", "repeats": 101}, (422, "invalid_input")),
        ({}, (422, "invalid_input")),
    ],
)
async def test_what_cannot_be_run_is_refused(
    evals: Tried, body: dict[str, Any], expected: tuple[int, str]
) -> None:
    await make_goldens(evals, 1)
    answer = await evals.admin.post(f"{EVALS}/runs/set", json=body)
    assert (answer.status_code, answer.json()["code"]) == expected
