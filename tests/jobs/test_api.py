"""Jobs and marks through HTTP: what ran, what failed and why; retrying and cancelling."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.ids import new_id
from goldloop.kit.queue import enqueue, job, mark, set_marks
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some

pytestmark = pytest.mark.usefixtures("registry", "registered")


@pytest.fixture
def registered(registry: None) -> None:
    @job("test.note", max_attempts=2)
    async def note(tx: Tx, **payload: Any) -> None: ...

    @mark("test.counts")
    async def recount(tx: Tx, key: str) -> None: ...


async def make_job(workspace: Workspace, **payload: Any) -> UUID:
    async with workspace.db.tx(workspace.system) as tx:
        return await enqueue(tx, "test.note", payload, run_at=now() + timedelta(hours=1))


async def end_job(workspace: Workspace, job_id: UUID, status: str, *failures: str) -> None:
    """What a worker would have left; the shared database of these tests has none running."""
    async with workspace.db.anonymous() as connection:
        await connection.execute("SET LOCAL search_path = procrastinate")
        number = await connection.fetchval(
            "UPDATE procrastinate_jobs SET status = 'doing' WHERE args ->> 'id' = $1 RETURNING id",
            str(job_id),
        )
        for attempt, message in enumerate(failures, 1):
            await connection.execute(
                "INSERT INTO job_failures (job_id, attempt, type, message, detail) VALUES ($1, $2, 'Oops', $3, 'at …')",
                number,
                attempt,
                message,
            )
        await connection.execute(
            "SELECT procrastinate_finish_job_v1($1, $2::text::procrastinate_job_status, false)",
            number,
            status,
        )


async def read_pages(client: httpx.AsyncClient, path: str, **params: Any) -> list[list[dict[str, Any]]]:
    pages, cursor = [], None
    while True:
        answer = await client.get(path, params=params | ({"cursor": cursor} if cursor else {}))
        assert answer.status_code == 200, answer.text
        pages.append(answer.json()["data"])
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return pages


def joined(pages: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [row for page in pages for row in page]


def notes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the jobs that record the use of the test's own keys."""
    return [row for row in rows if row["name"] == "test.note"]


async def test_jobs_are_listed_newest_first_a_page_at_a_time(workspace: Workspace) -> None:
    made = [str(await make_job(workspace, n=n)) for n in range(5)]
    viewer = await workspace.client(Role.VIEWER)
    pages = await read_pages(viewer, "/api/jobs", limit=2)
    assert all(len(page) == 2 for page in some(pages[:-1]))
    listed = notes(joined(pages))
    assert [row["id"] for row in listed] == sorted(made, reverse=True)
    first = next(row for row in listed if row["id"] == made[0])
    assert first["args"] == {"n": 0}
    assert (first["status"], first["attempts"], first["max_attempts"]) == ("todo", 0, 2)
    assert first["actor"] == {"kind": "system", "id": None, "name": "system"}
    assert first["error"] is first["started_at"] is first["finished_at"] is None
    assert first["queued_at"] < first["scheduled_at"]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("todo", ["todo"]),
        ("succeeded", ["succeeded"]),
        ("failed", ["failed"]),
        ("cancelled", ["aborted", "cancelled"]),  # while it waited, or while it ran: people see no difference
        ("doing", []),
    ],
)
async def test_a_filter_by_status_shows_just_those(
    workspace: Workspace, status: str, expected: list[str]
) -> None:
    made = {
        name: await make_job(workspace) for name in ("todo", "succeeded", "failed", "aborted", "cancelled")
    }
    for name in ("succeeded", "failed", "aborted"):
        await end_job(workspace, made[name], name)
    admin = await workspace.client(Role.ADMIN)
    assert (await admin.post(f"/api/jobs/{made['cancelled']}/cancel")).status_code == 200
    rows = notes(joined(await read_pages(admin, "/api/jobs", status=status)))
    assert sorted(row["id"] for row in rows) == sorted(str(made[name]) for name in expected)
    assert {row["status"] for row in rows} <= {status}


@pytest.mark.parametrize("query", ["status=lost", "limit=0", "limit=201", "cursor=nonsense"])
async def test_a_query_that_makes_no_sense_is_refused_with_its_place(
    workspace: Workspace, query: str
) -> None:
    answer = await (await workspace.client(Role.VIEWER)).get(f"/api/jobs?{query}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == f"/{query.split('=')[0]}"


@pytest.mark.parametrize(("role", "traceback"), [(Role.ADMIN, "at …"), (Role.VIEWER, "")])
async def test_a_failed_job_tells_why_each_run_failed_and_to_who_manages_jobs_where(
    workspace: Workspace, role: Role, traceback: str
) -> None:
    job_id = await make_job(workspace)
    await end_job(workspace, job_id, "failed", "first reason", "second reason")
    shown = (await (await workspace.client(role)).get(f"/api/jobs/{job_id}")).json()
    assert shown["status"] == "failed"
    assert (shown["error"]["type"], shown["error"]["message"]) == ("Oops", "second reason")
    assert [(f["attempt"], f["message"], f["detail"]) for f in shown["failures"]] == [
        (2, "second reason", traceback),
        (1, "first reason", traceback),
    ]


async def test_a_failed_job_is_queued_again_once(workspace: Workspace) -> None:
    job_id = await make_job(workspace)
    await end_job(workspace, job_id, "failed", "reason")
    admin = await workspace.client(Role.ADMIN)
    retried = await admin.post(f"/api/jobs/{job_id}/retry")
    assert (retried.status_code, retried.json()["status"]) == (200, "todo")
    assert retried.json()["scheduled_at"] is None, "it runs now, not when it was first planned"

    again = await admin.post(f"/api/jobs/{job_id}/retry")
    assert again.status_code == 409
    assert (again.json()["code"], again.json()["conflict"]["status"]) == ("job_not_retryable", "todo")


async def test_a_retry_sent_twice_under_one_key_acts_once(workspace: Workspace) -> None:
    job_id = await make_job(workspace)
    await end_job(workspace, job_id, "failed", "reason")
    admin = await workspace.client(Role.ADMIN)
    key = {"Idempotency-Key": str(new_id())}
    first = await admin.post(f"/api/jobs/{job_id}/retry", headers=key)
    again = await admin.post(f"/api/jobs/{job_id}/retry", headers=key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    other = await admin.post(f"/api/jobs/{job_id}/cancel", headers=key)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


async def test_a_waiting_job_is_cancelled_and_an_ended_one_cannot_be(workspace: Workspace) -> None:
    job_id = await make_job(workspace)
    admin = await workspace.client(Role.ADMIN)
    cancelled = await admin.post(f"/api/jobs/{job_id}/cancel")
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
    again = await admin.post(f"/api/jobs/{job_id}/cancel")
    assert again.status_code == 409
    assert (again.json()["code"], again.json()["conflict"]["status"]) == ("job_not_cancellable", "cancelled")
    retried = await admin.post(f"/api/jobs/{job_id}/retry")
    assert (retried.status_code, retried.json()["code"]) == (409, "job_not_retryable")


@pytest.mark.parametrize("act", ["retry", "cancel"])
async def test_only_who_manages_jobs_retries_and_cancels(workspace: Workspace, act: str) -> None:
    job_id = await make_job(workspace)
    for role in (Role.VIEWER, Role.CONTRIBUTOR, Role.REVIEWER):
        client = await workspace.client(role)
        assert (await client.get(f"/api/jobs/{job_id}")).status_code == 200
        answer = await client.post(f"/api/jobs/{job_id}/{act}")
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


async def test_a_key_whose_scopes_leave_jobs_out_reads_none(workspace: Workspace) -> None:
    narrow = await workspace.client(Role.OWNER, scopes=["agents.team.read"])
    for path in ("/api/jobs", f"/api/jobs/{new_id()}", "/api/marks"):
        assert (await narrow.get(path)).status_code == 403


async def test_jobs_of_another_workspace_are_not_there(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    job_id = await make_job(workspace)
    await end_job(workspace, job_id, "failed", "reason")
    stranger = await other_workspace.client(Role.OWNER)
    assert notes((await stranger.get("/api/jobs")).json()["data"]) == []
    for answer in (
        await stranger.get(f"/api/jobs/{job_id}"),
        await stranger.post(f"/api/jobs/{job_id}/retry"),
        await stranger.post(f"/api/jobs/{job_id}/cancel"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "job_not_found")
    assert (await stranger.get(f"/api/jobs/{new_id()}")).status_code == 404


async def test_state_that_waits_to_be_rebuilt_is_listed_and_can_be_retried(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        await set_marks(tx, "test.counts", ["a", "b", "c"])
    admin = await workspace.client(Role.ADMIN)
    pages = await read_pages(admin, "/api/marks", limit=2)
    assert [len(page) for page in pages] == [2, 1]
    listed = joined(pages)
    assert sorted(m["key"] for m in listed) == ["a", "b", "c"]
    assert all((m["attempts"], m["last_error"]) == (0, None) for m in listed)
    assert (await admin.post("/api/marks/retry", json={"kind": "test.counts", "key": "a"})).status_code == 204

    missing = await admin.post("/api/marks/retry", json={"kind": "test.counts", "key": "z"})
    assert (missing.status_code, missing.json()["code"]) == (404, "mark_not_found")
    viewer = await workspace.client(Role.VIEWER)
    assert (await viewer.get("/api/marks")).status_code == 200
    refused = await viewer.post("/api/marks/retry", json={"kind": "test.counts", "key": "a"})
    assert refused.status_code == 403
    stranger = await other_workspace.client(Role.OWNER)
    assert (await stranger.get("/api/marks")).json() == {"data": [], "next_cursor": None}
    foreign = await stranger.post("/api/marks/retry", json={"kind": "test.counts", "key": "a"})
    assert foreign.status_code == 404


async def test_a_job_is_called_in_words_and_a_failed_one_says_what_to_do(workspace: Workspace) -> None:
    waits, failed = await make_job(workspace), await make_job(workspace)
    await end_job(workspace, failed, "failed", "no answer")
    viewer = await workspace.client(Role.VIEWER)
    rows = {row["id"]: row for row in notes(joined(await read_pages(viewer, "/api/jobs")))}
    assert {row["title"] for row in rows.values()} == {"Test: note"}
    assert (rows[str(waits)]["advice"], rows[str(failed)]["advice"]) == (None, "Run it again.")


async def test_routine_jobs_are_left_out_or_shown_alone(workspace: Workspace) -> None:
    made = str(await make_job(workspace))
    async with workspace.db.tx(workspace.system) as tx:
        routine = str(await enqueue(tx, "archives.clean", {}, run_at=now() + timedelta(hours=1)))
    viewer = await workspace.client(Role.VIEWER)

    async def listed(**params: Any) -> list[str]:
        return [row["id"] for row in joined(await read_pages(viewer, "/api/jobs", **params))]

    assert await listed(routine="false", status="todo") == [made]
    assert (routine in await listed(routine="true"), made in await listed(routine="true")) == (True, False)
    assert {made, routine} <= set(await listed())
    refused = await viewer.get("/api/jobs?routine=perhaps")
    assert refused.status_code == 422
