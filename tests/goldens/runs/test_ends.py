"""Runs end, whatever becomes of their goldens, and what they say of failures stands as long as it is so."""

from typing import Any

import pytest
import pytest_asyncio

from goldloop.evals.model import InvalidSession
from goldloop.goldens.replays import jobs as replay_jobs
from goldloop.goldens.replays import service as replays
from goldloop.goldens.runs import service as runs
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.sessions.whole_sessions import PayloadLost
from tests.goldens.test_runs import clerk, make_goldens
from tests.goldens.tried import CAREFUL, EVALS, HASTY, Tried, tried
from tests.loops import some
from tests.records import Desk, ok

GROUPS = ["entities-read", "responses"]


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)


async def replays_of(evals: Tried, run: Any) -> list[Any]:
    found = ok(await evals.admin.get(f"{EVALS}/runs/{run['id']}/replays", params={"limit": 200}))
    return list(found["data"])


async def revoke(evals: Tried, golden: Any) -> None:
    assert (await evals.admin.delete(f"{EVALS}/golden/{golden['sessionId']}")).status_code == 204


async def waiting(evals: Tried) -> list[Any]:
    query: dict[str, Any] = {"status": "pending", "limit": 200}
    return list(ok(await evals.admin.get("/api/feedback", params=query))["data"])


async def test_a_run_goes_on_without_a_golden_that_is_revoked_before_it_is_compared(evals: Tried) -> None:
    first, second = await make_goldens(evals, 2)
    await evals.go_on(clerk)
    run = await evals.run_set("clerk", repeats=1)
    await evals.drain(runs.ADVANCE)
    await evals.work_off(clerk)
    await revoke(evals, first)
    await evals.go_on(clerk)
    shown = await evals.show(run)
    assert (shown["status"], shown["done"]) == ("completed", 1)
    assert {r["goldenId"]: r["state"] for r in await replays_of(evals, run)} == {
        first["sessionId"]: "cancelled",
        second["sessionId"]: "compared",
    }
    assert [golden["goldenId"] for golden in shown["reports"][0]["goldens"]] == [second["sessionId"]]


async def test_replays_that_wait_or_run_end_with_their_golden(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)
    run = await evals.run_set("clerk", repeats=6)
    await evals.drain(runs.ADVANCE)
    begun = await evals.queued()
    assert len(begun) == 4
    await revoke(evals, golden)
    assert await evals.go_on(clerk) == 0
    assert (await evals.show(run))["status"] == "completed"
    assert {r["state"] for r in some(await replays_of(evals, run))} == {"cancelled"}
    sessions = [ok(await evals.admin.get(f"/api/sessions/{each['id']}")) for each in begun]
    assert {session["status"] for session in sessions} == {"cancelled"}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PayloadLost(), "blob store"),
        (InvalidSession("golden.events", "a session has a list of events"), "golden.events"),
    ],
)
async def test_what_can_never_be_compared_is_an_error_at_once(
    evals: Tried, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    await make_goldens(evals, 1)
    await evals.go_on(clerk)

    async def broken(*_: Any) -> None:
        raise error

    monkeypatch.setattr(replay_jobs, "read_whole_session", broken)
    run = await evals.run_set("clerk", repeats=1)
    await evals.drain(runs.ADVANCE)
    await evals.work_off(clerk)
    await evals.drain(replays.COMPARE, runs.ADVANCE)
    assert (await evals.show(run))["status"] == "completed"
    (replay,) = await replays_of(evals, run)
    assert replay["outcome"] == "error"
    assert reason in replay["error"]


async def test_what_cannot_be_compared_after_the_last_try_is_an_error(
    evals: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make_goldens(evals, 1)
    await evals.go_on(clerk)

    async def broken(*_: Any) -> None:
        raise RuntimeError("the encoder cannot be loaded")

    monkeypatch.setattr(replay_jobs, "_similarity", broken)
    run = await evals.run_set("clerk", repeats=1)
    await evals.drain(runs.ADVANCE)
    await evals.work_off(clerk)
    for tried_before in range(10):
        assert (await evals.show(run))["done"] == 0, tried_before
        await evals.drain(replays.COMPARE)
        async with evals.desk.workspace.db.tx(evals.desk.workspace.system) as tx:
            await tx.execute("UPDATE marks SET due_at = now() - interval '1 hour' WHERE attempts > 0")
    await evals.drain(runs.ADVANCE)
    shown = await evals.show(run)
    assert (shown["status"], shown["errors"]) == ("completed", 1)
    assert "the encoder cannot be loaded" in (await replays_of(evals, run))[0]["error"]


async def test_a_run_is_cancelled_while_a_replay_that_is_over_awaits_its_comparison(evals: Tried) -> None:
    await make_goldens(evals, 1)
    await evals.go_on(clerk)
    run = await evals.run_set("clerk", repeats=6)
    await evals.drain(runs.ADVANCE)
    await evals.work_off(clerk)
    cancelled = ok(await evals.admin.post(f"{EVALS}/runs/{run['id']}/cancel"))
    assert cancelled["status"] == "cancelled"
    over = [
        ok(await evals.admin.get(f"/api/sessions/{replay['id']}"))["status"]
        for replay in (await replays_of(evals, run))[:4]
    ]
    assert over == ["completed"] * 4
    assert await evals.go_on(clerk) == 0
    assert (await evals.show(run))["done"] == 0


async def test_a_floor_is_of_the_golden_as_it_is_now(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.drain(runs.ADVANCE)
    await evals.work_off(clerk)
    await evals.drain(replays.COMPARE)  # four of five are compared with what it was
    change = {"facts": ["nobody ever says this 4711"]}
    path = f"{EVALS}/golden/{golden['sessionId']}"
    ok(await evals.admin.patch(path, json=change))
    await evals.go_on(clerk)
    shown = ok(await evals.admin.get(path))
    assert (shown["revision"], shown["floor"]) == (2, "broken")
    assert (shown["floorPasses"], shown["floorRuns"]) == (0, 5)
    floors = ok(await evals.admin.get(f"{EVALS}/runs", params={"kind": "floor"}))["data"]
    assert [run["done"] for run in floors] == [5, 4]


async def test_replays_count_by_what_they_were_compared_with(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)
    run = await evals.run_set("clerk", repeats=5, baseline="none")
    await evals.drain(runs.ADVANCE)
    await evals.work_off(clerk)
    await evals.drain(replays.COMPARE)
    change = {"facts": ["nobody ever says this 4711"]}
    ok(await evals.admin.patch(f"{EVALS}/golden/{golden['sessionId']}", json=change))
    await evals.go_on(clerk)
    (report,) = (await evals.show(run))["reports"]
    assert report["goldens"][0]["outcomes"] == ["failed"]
    assert [(r["revision"], r["outcome"]) for r in await replays_of(evals, run)] == [
        *[(1, "passed")] * 4,
        (2, "failed"),
    ]


async def test_failures_of_a_run_that_is_cancelled_are_told_and_it_has_no_verdict(evals: Tried) -> None:
    await make_goldens(evals, 1)
    await evals.go_on(clerk)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    run = await evals.run_set("clerk", repeats=6)
    await evals.drain(runs.ADVANCE)
    await evals.work_off(clerk)
    await evals.drain(replays.COMPARE)
    cancelled = ok(await evals.admin.post(f"{EVALS}/runs/{run['id']}/cancel"))
    assert (cancelled["failed"], cancelled["verdict"], cancelled["passRate"]) == (4, None, 0)
    assert [report["verdict"] for report in cancelled["reports"]] == [None]
    assert len(await waiting(evals)) == 4


async def test_what_is_told_of_failures_waits_until_they_are_mended(evals: Tried) -> None:
    await make_goldens(evals, 4)
    await evals.go_on(clerk)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    await evals.run_set("clerk", repeats=3, trigger="scheduled")
    await evals.go_on(clerk)
    assert len(await waiting(evals)) == 12 + 20  # with those that confirm it
    await evals.configure(instructions=CAREFUL, tool_groups=GROUPS)
    unsure = await evals.run_set("clerk", repeats=1)
    await evals.go_on(clerk)
    assert (await evals.show(unsure))["verdict"] == "inconclusive"
    assert len(await waiting(evals)) == 32
    mended = await evals.run_set("clerk", repeats=3, margin=0.15)
    await evals.go_on(clerk)
    assert (await evals.show(mended))["verdict"] == "no worse"
    assert await waiting(evals) == []


async def test_what_is_told_of_a_golden_waits_no_more_when_it_is_revoked(evals: Tried) -> None:
    first, second = await make_goldens(evals, 2)
    await evals.go_on(clerk)
    await evals.configure(instructions=HASTY, tool_groups=GROUPS)
    await evals.run_set("clerk", repeats=2)
    await evals.go_on(clerk)
    await revoke(evals, first)
    await evals.go_on(clerk)
    assert [row["context"]["golden_id"] for row in await waiting(evals)] == [second["sessionId"]] * 2
