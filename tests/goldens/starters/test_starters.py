"""Starter sets: loaded into a workspace they run, become goldens and are tried, without a model."""

from typing import Any

import httpx
import pytest
import pytest_asyncio

from goldloop.goldens.experiments.end_service import MEASURE
from goldloop.goldens.replays import service as replays
from goldloop.goldens.runs import service as runs
from goldloop.goldens.starters import service
from goldloop.goldens.starters.catalogue import STARTERS
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from goldloop.sessions.beginning import REPLAY
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.goldens.tried import EVALS
from tests.loops import some
from tests.records import code, ok
from tests.runtimes.scripted import events_of, work

KINDS = (service.PROMOTE, runs.ADVANCE, replays.COMPARE, service.TRY, MEASURE)


class Loading:
    """What workers do after a set was asked for."""

    def __init__(
        self, workspace: Workspace, admin: httpx.AsyncClient, db: Database, outside: Outside
    ) -> None:
        self.workspace, self.admin, self.db, self.outside = workspace, admin, db, outside

    async def load(self, name: str, status: int = 202, **more: Any) -> Any:
        answer = await self.admin.post(f"{EVALS}/starters/{name}", json=more)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def queued(self) -> list[Any]:
        found: list[Any] = []
        for purpose in (REPLAY, service.STARTER):
            asked: dict[str, str | int] = {"status": "queued", "purpose": purpose, "limit": 200}
            found += ok(await self.admin.get("/api/sessions", params=asked))["data"]
        return found

    async def go_on(self, most: int = 400) -> None:
        marks = MarkRunner(self.db, self.outside)
        for _ in range(most):
            done = sum([await marks.drain(MARKS[kind]) for kind in KINDS])
            queued = await self.queued()
            for session in queued:
                await work(self.db, self.workspace, self.outside, session)
            if not done and not queued:
                return
        raise AssertionError("it does not end")

    async def rows(self, path: str, **query: Any) -> list[Any]:
        found: list[Any] = ok(await self.admin.get(path, params={"limit": 200, **query}))["data"]
        return found

    async def state(self, name: str) -> Any:
        (found,) = [
            row for row in ok(await self.admin.get(f"{EVALS}/starters"))["data"] if row["name"] == name
        ]
        return found


@pytest_asyncio.fixture
async def loading(workspace: Workspace, worker_db: Database, outside: Outside) -> Loading:
    return Loading(workspace, await workspace.client(Role.ADMIN), worker_db, outside)


@pytest.mark.parametrize("name", some(list(STARTERS)))
async def test_its_sessions_become_stable_goldens_and_its_trials_a_regression_an_open_question_and_a_pass(
    loading: Loading, name: str
) -> None:
    await check_goldens(loading, name)
    await check_trials(loading, name)
    await check_lessons(loading, name)


async def check_goldens(loading: Loading, name: str) -> None:
    starter = STARTERS[name]
    assert (await loading.state(name))["state"] == "absent"
    loaded = await loading.load(name, trials=True)
    assert (loaded["state"], loaded["goldens"], loaded["promoted"]) == ("loading", len(starter.requests), 0)
    await loading.go_on()
    assert await loading.state(name) == loaded | {"state": "loaded", "promoted": len(starter.requests)}
    goldens = await loading.rows(f"{EVALS}/golden", set=name)
    assert {g["firstMessage"] for g in goldens} == {request.message for request in starter.requests}
    assert {(g["floor"], g["floorPasses"], g["floorRuns"]) for g in goldens} == {("stable", 5, 5)}, [
        (g["firstMessage"], g["floorPasses"], g["facts"]) for g in goldens
    ]
    writing = 0
    for golden in goldens:
        happened = await events_of(loading.admin, {"id": golden["sessionId"]})
        assert {"model.request", "model.response", "tool.call", "tool.result"} <= {
            e["type"] for e in happened
        }
        assert not any("error" in e["payload"] for e in happened if e["type"] == "tool.result"), happened
        writing += any(e["payload"].get("name") == "submitResponse" for e in happened)
    assert writing >= 3
    assert writing < len(goldens)


async def check_trials(loading: Loading, name: str) -> None:
    ended = await loading.rows(f"{EVALS}/runs", kind="run")
    verdicts = [(run["verdict"], run["status"], run["baseline"]["version"]) for run in reversed(ended)]
    assert verdicts == [
        ("regression", "completed", 1),
        ("inconclusive", "completed", 1),
        ("no worse", "completed", 1),
    ], [(run["name"], run["passed"], run["failed"], run["passRate"]) for run in ended]
    worse = ended[-1]
    failed = await loading.rows(f"{EVALS}/runs/{worse['id']}/replays", outcome="failed")
    found = [ok(await loading.admin.get(f"{EVALS}/replays/{each['id']}")) for each in failed]
    kinds = {each["comparison"]["divergences"][0]["kind"] for each in some(found)}
    expected = {
        "sales-ops": {"missing_write"},
        "pe-analyst": {"wrong_write_argument"},
        "first-time-admin": {"unexpected_write"},
    }
    assert kinds == expected[name]
    learnt = await loading.rows("/api/feedback")
    assert {each["id"] for each in some(failed)} <= {row["session_id"] for row in learnt}
    agent = next(row for row in await loading.rows("/api/agents") if row["slug"] == name)
    versions = await loading.rows(f"/api/agents/{agent['id']}/versions")
    assert [(row["version"], row["restored_from"]) for row in versions] == [
        (4, 1),
        (3, None),
        (2, None),
        (1, None),
    ]


async def check_lessons(loading: Loading, name: str) -> None:
    """Of four lessons the one that says what the short instructions lack is worth something."""
    lessons = STARTERS[name].lessons
    if lessons is None:
        assert await loading.rows(f"{EVALS}/experiments") == []
        return
    (experiment,) = await loading.rows(f"{EVALS}/experiments")
    assert (experiment["status"], experiment["done"]) == (
        *("completed",),
        lessons.replays + 2 * lessons.pairs,
    )
    rows = {row["content"]: row for row in await loading.rows("/api/admin/shared-context")}
    assert rows.keys() == set(lessons.lessons)
    helps, *others = [rows[lesson] for lesson in lessons.lessons]
    assert (helps["value"]["label"], helps["value"]["confirmed"], helps["flags"]) == (
        "measured",
        True,
        ["helps"],
    )
    assert {(row["value"]["label"], *row["flags"]) for row in some(others)} == {("no effect found",)}
    assert {row["state"] for row in rows.values()} == {"shadow"}


async def test_loading_twice_changes_nothing(loading: Loading) -> None:
    await loading.load("sales-ops")
    waiting = await loading.load("sales-ops", 200, trials=True)
    assert waiting["state"] == "loading"
    await loading.go_on()
    golden, *_ = await loading.rows(f"{EVALS}/golden", set="sales-ops")
    assert (await loading.admin.delete(f"{EVALS}/golden/{golden['sessionId']}")).status_code == 204
    before = [await loading.rows(path) for path in ("/api/entities", "/api/agents", "/api/sessions", f"{EVALS}/golden", f"{EVALS}/runs")]  # fmt: skip
    again = await loading.load("sales-ops", 200)
    assert (again["state"], again["promoted"]) == ("loaded", again["goldens"] - 1)
    await loading.go_on()
    after = [await loading.rows(path) for path in ("/api/entities", "/api/agents", "/api/sessions", f"{EVALS}/golden", f"{EVALS}/runs")]  # fmt: skip
    assert after == before, "what somebody has revoked is not golden again"


async def test_a_session_that_is_run_again_is_no_part_of_the_set(loading: Loading) -> None:
    await loading.load("first-time-admin")
    await loading.go_on()
    before = await loading.rows(f"{EVALS}/golden")
    again = ok(await loading.admin.post(f"/api/sessions/{before[0]['sessionId']}/run-again", json={}))
    await work(loading.db, loading.workspace, loading.outside, again)
    await loading.go_on()
    assert ok(await loading.admin.get(f"/api/sessions/{again['id']}"))["status"] == "completed"
    assert await loading.rows(f"{EVALS}/golden") == before


async def test_what_is_in_the_way_is_named_and_nothing_is_loaded(loading: Loading) -> None:
    taken = {"slug": "sales-ops", "name": "Ours", "description": ""}
    ok(await loading.admin.post("/api/agents", json=taken))
    answer = await loading.admin.post(f"{EVALS}/starters/sales-ops", json={})
    assert code(answer) == (409, "agent_exists")
    assert await loading.rows("/api/entities") == []
    assert (await loading.state("sales-ops"))["state"] == "absent"
    ok(await loading.admin.post("/api/entity-types", json={"slug": "pe_deal", "name": "Ours", "json_schema": {"type": "object", "properties": {}}}))  # fmt: skip
    answer = await loading.admin.post(f"{EVALS}/starters/pe-analyst", json={})
    assert code(answer) == (409, "entity_type_exists")


async def test_an_unknown_set_is_not_found_and_only_administrators_load_one(
    loading: Loading, workspace: Workspace
) -> None:
    assert code(await loading.admin.post(f"{EVALS}/starters/nobody", json={})) == (404, "starter_not_found")
    reviewer = await workspace.client(Role.REVIEWER)
    assert code(await reviewer.post(f"{EVALS}/starters/sales-ops", json={})) == (403, "forbidden")
    assert code(await reviewer.get(f"{EVALS}/starters")) == (403, "forbidden")
