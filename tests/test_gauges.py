"""Gauges of a process: what waits, for how long, and what it stands on. Read when somebody asks, and not else."""

import asyncio
import signal
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import httpx
import pytest
import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families

import goldloop.gauges
from goldloop.gauges import Gauges
from goldloop.kit.clock import now
from goldloop.kit.db import APP_ROLE, WORKER_ROLE, Database, open_database
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.metrics import READ_GAUGES
from goldloop.kit.queue import JOBS, MARKS, enqueue, set_marks
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.workspaces import events
from tests.factories import Workspace, make_workspace
from tests.servers import GOLDLOOP, Program, eventually, free_port

MARK, JOB = "claims.aggregate", "criteria.repair"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine answers late."""
    monkeypatch.setattr(goldloop.gauges, "PATIENCE_SECONDS", 60.0)


@pytest_asyncio.fixture
async def db(fresh_database_url: str) -> AsyncIterator[Database]:
    async with open_database(fresh_database_url, role=WORKER_ROLE, size=4) as opened:
        yield opened


@pytest_asyncio.fixture
async def workspace(db: Database) -> AsyncIterator[Workspace]:
    async with make_workspace(db) as made:
        yield made


@pytest.fixture
def feed(db: Database, fresh_database_url: str) -> Feed:
    db = db.in_role(APP_ROLE)
    return Feed(db=db, url=fresh_database_url, auth=Authenticator(db=db, secret=b"secret"))


@pytest.fixture
def gauges(db: Database, feed: Feed) -> Gauges:
    return Gauges(db, feed, fresh_seconds=0)


def read(text: bytes) -> dict[str, dict[tuple[str, ...], float]]:
    """By name, then by the values of its labels."""
    families = text_string_to_metric_families(text.decode())
    return {
        family.name: {tuple(sample.labels.values()): sample.value for sample in family.samples}
        for family in families
        if family.name in READ_GAUGES
    }


async def test_every_gauge_is_there_with_a_number_for_each_kind_that_there_is(gauges: Gauges) -> None:
    found = read(await gauges.exposition())
    assert found.keys() == READ_GAUGES.keys()
    assert {name for name, state in found["goldloop_queued_jobs"] if state == "due"} >= JOBS.keys()
    assert {kind for kind, state in found["goldloop_queued_marks"] if state == "due"} == MARKS.keys()
    assert found["goldloop_database_up"] == {(): 1}
    assert found["goldloop_event_lag_seconds"] == {(): 0}


async def test_marks_are_counted_by_what_becomes_of_them(
    gauges: Gauges, workspace: Workspace, db: Database
) -> None:
    async with db.tx(workspace.system) as tx:
        await set_marks(
            tx, MARK, ["due", "old", "waiting", "failing", "leased", "given up"], delay=timedelta(0)
        )
        for key, change in {
            "old": "due_at = now() - interval '90 seconds'",
            "waiting": "due_at = now() + interval '1 hour'",
            "failing": "due_at = now() + interval '1 hour', attempts = 3",
            "leased": "leased_until = now() + interval '1 hour'",
            "given up": "due_at = 'infinity', attempts = 9",
        }.items():
            await tx.execute(
                f"UPDATE marks SET {change} WHERE tenant_id = $1 AND key = $2", workspace.id, key
            )
    found = read(await gauges.exposition())
    counted = {state: n for (kind, state), n in found["goldloop_queued_marks"].items() if kind == MARK}
    assert counted == {"due": 2, "waiting": 1, "failing": 1, "running": 1, "given_up": 1}
    assert found["goldloop_oldest_due_mark_seconds"][MARK,] >= 90
    others = {n for (kind,), n in found["goldloop_oldest_due_mark_seconds"].items() if kind != MARK}
    assert others == {0}


async def test_jobs_are_counted_by_whether_they_wait_are_due_or_run(
    gauges: Gauges, workspace: Workspace, db: Database
) -> None:
    async with db.tx(workspace.system) as tx:
        for after in (timedelta(hours=1), timedelta(minutes=-2), None, None):
            await enqueue(tx, JOB, {}, run_at=now() + after if after is not None else None)
        await tx.execute("SET LOCAL search_path = procrastinate")  # of triggers of its tables
        await tx.execute(
            "UPDATE procrastinate.procrastinate_jobs SET status = 'doing' WHERE id = ("
            "SELECT max(id) FROM procrastinate.procrastinate_jobs)"
        )
    found = read(await gauges.exposition())
    counted = {state: n for (name, state), n in found["goldloop_queued_jobs"].items() if name == JOB}
    assert counted == {"waiting": 1, "due": 2, "running": 1}
    oldest = found["goldloop_oldest_due_job_seconds"]
    assert (oldest["default",] >= 120, oldest["long",]) == (True, 0)


async def test_a_job_that_was_queued_for_no_time_is_due_since_then(
    gauges: Gauges, workspace: Workspace, db: Database
) -> None:
    async with db.tx(workspace.system) as tx:
        await enqueue(tx, JOB, {})
        await tx.execute("UPDATE procrastinate.procrastinate_events SET at = at - interval '1 hour'")
    oldest = read(await gauges.exposition())["goldloop_oldest_due_job_seconds"]
    assert 3600 <= oldest["default",] < 7200


async def test_many_who_ask_at_once_cost_one_look(db: Database, feed: Feed, workspace: Workspace) -> None:
    gauges = Gauges(db, feed, fresh_seconds=3600)

    async def count() -> float:
        return read(await gauges.exposition())["goldloop_queued_marks"][MARK, "due"]

    assert set(await asyncio.gather(*(count() for _ in range(5)))) == {0}
    async with db.tx(workspace.system) as tx:
        await set_marks(tx, MARK, ["one"], delay=timedelta(0))
    assert await count() == 0
    gauges.fresh_seconds = 0
    assert await count() == 1


async def test_the_first_who_asks_is_told_however_short_the_machine_has_run(
    db: Database, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goldloop.gauges, "time", SimpleNamespace(monotonic=lambda: 1.0))
    found = read(await Gauges(db, feed, fresh_seconds=3600).exposition())
    assert found["goldloop_database_up"] == {(): 1}


async def test_a_database_that_does_not_answer_is_said_and_the_rest_is_there(
    fresh_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goldloop.gauges, "PATIENCE_SECONDS", 0.2)
    async with open_database(fresh_database_url, role=WORKER_ROLE, size=1) as db:
        feed = Feed(db=db, url=fresh_database_url, auth=Authenticator(db=db, secret=b"secret"))
        async with db.anonymous():  # nobody else gets a connection
            text = await Gauges(db, feed).exposition()
    found = read(text)
    assert found["goldloop_database_up"] == {(): 0}
    assert found["goldloop_pool_connections"] == {("idle",): 0, ("in_use",): 1}
    assert "goldloop_queued_jobs" not in found
    assert b"goldloop_http_requests_total" in text


async def test_the_lag_is_how_long_an_event_is_not_heard_of(
    gauges: Gauges, feed: Feed, workspace: Workspace, db: Database
) -> None:
    async def lag() -> float:
        return read(await gauges.exposition())["goldloop_event_lag_seconds"][()]

    renamed = events.RENAMED.of(UUID(int=1), events.WorkspaceRenamed(name="B", name_before="A"))
    async with feed.open(workspace.system):
        async with db.tx(workspace.system) as tx:
            await emit(tx, renamed)
        assert await lag() > 0, "the feed does not run"
        running = asyncio.create_task(feed.run())
        try:
            await eventually(lambda: _is_zero(lag()))
            assert read(await gauges.exposition())["goldloop_listening"] == {(): 1}
        finally:
            running.cancel()
            await asyncio.wait([running])
    assert await lag() == 0, "nobody looks"


async def _is_zero(asked: object) -> bool:
    return (await asked) == 0  # type: ignore[misc]


async def test_a_worker_answers_where_it_is_told_to_and_stops_when_asked(
    fresh_database_url: str, tmp_path: Path
) -> None:
    port = free_port()
    program = Program(
        [*GOLDLOOP, "worker", "--json", "--port", str(port)],
        tmp_path,
        {"GOLDLOOP_DATABASE_URL": fresh_database_url},
    )
    try:
        hello = await program.line()
        assert hello == {"role": "worker", "url": f"http://127.0.0.1:{port}"}
        async with httpx.AsyncClient(base_url=hello["url"], timeout=60) as client:
            assert (await client.get("/healthz")).json()["status"] == "ok"
            assert (await client.get("/readyz")).json()["schema"] == "current"
            metrics = await client.get("/metrics")
            assert metrics.headers["content-type"].startswith("text/plain")
            assert read(metrics.content).keys() == READ_GAUGES.keys()
            refused = await client.get(f"/api/entities/{new_id()}")
            assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
        program.process.send_signal(signal.SIGTERM)
        assert await program.ended() == 0
    finally:
        program.close()


async def test_a_worker_is_told_that_its_port_is_taken(fresh_database_url: str, tmp_path: Path) -> None:
    other = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    async with other:
        port = other.sockets[0].getsockname()[1]
        program = Program(
            [*GOLDLOOP, "worker", "--json"],
            tmp_path,
            {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_WORKER_PORT": str(port)},
        )
        try:
            assert (await program.line())["error"]["code"] == "port_in_use"
        finally:
            program.close()
