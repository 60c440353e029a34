"""How much a workspace stores: measured with its time, and nothing new is taken in beyond a limit."""

from typing import Any

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.sessions.payloads import LARGE
from goldloop.storage import jobs, service
from tests.factories import Workspace
from tests.limits.conftest import set_limits
from tests.records import Desk, code, ok
from tests.sessions.recordings import begin, event, send


async def measure(db: Database, workspace: Workspace, outside: Outside) -> None:
    """What a worker does with the job."""
    await jobs.measure(db, workspace.system, outside)


async def measured(desk: Desk) -> Any:
    return ok(await desk.admin.get("/api/limits"))["storage"]


async def queued(desk: Desk) -> int:
    listed = ok(await desk.admin.get("/api/jobs", params={"status": "todo", "limit": 200}))["data"]
    return sum(job["name"] == service.JOB for job in listed)


async def test_rows_and_blobs_are_measured_when_somebody_asks(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    assert await measured(desk) is None
    assert ok(await desk.admin.post("/api/limits/measure"))["job_id"]
    assert await queued(desk) == 1
    await measure(worker_db, desk.workspace, outside)
    before = await measured(desk)
    assert before["row_bytes"] > 0
    assert before["blob_bytes"] == 0
    session = await begin(desk.contributor)
    ok(await send(desk.contributor, session, [event("agent.message", text="é" * LARGE)]))
    await measure(worker_db, desk.workspace, outside)
    after = await measured(desk)
    assert after["blob_bytes"] > 2 * LARGE
    assert after["row_bytes"] > before["row_bytes"]
    assert after["measured_at"] > before["measured_at"]


async def test_what_others_store_is_not_measured(
    desk: Desk, other_workspace: Workspace, worker_db: Database, outside: Outside
) -> None:
    await measure(worker_db, desk.workspace, outside)
    before = await measured(desk)
    stranger = await other_workspace.client()
    ok(await send(stranger, await begin(stranger), [event("agent.message", text="é" * LARGE)]))
    await measure(worker_db, desk.workspace, outside)
    assert (await measured(desk))["blob_bytes"] == before["blob_bytes"]


async def test_it_is_measured_where_it_is_limited(desk: Desk, worker_db: Database) -> None:
    await set_limits(desk.admin, requests_per_minute=1000)
    await jobs.look(worker_db)
    assert await queued(desk) == 0
    await set_limits(desk.admin, storage_bytes=10**9)
    assert await queued(desk) == 1
    await jobs.look(worker_db)
    assert await queued(desk) == 2


async def test_a_full_workspace_takes_in_nothing_new_and_goes_on_with_what_has_begun(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    session = await begin(desk.contributor)
    await set_limits(desk.admin, storage_bytes=1)
    ok(
        await desk.contributor.post("/api/sessions", json={"source": "client", "agent": "outsider"})
    )  # not measured yet
    await measure(worker_db, desk.workspace, outside)
    await set_limits(desk.admin, storage_bytes=2)  # so that this process reads it now and not in a minute
    refused = await desk.contributor.post("/api/sessions", json={"source": "client", "agent": "outsider"})
    assert (code(refused), refused.headers["Retry-After"]) == ((429, "storage_full"), "3601")
    turn = {"turn_id": "t", "user": {"text": "Hi"}, "assistant": {"text": "Hello"}}
    path = f"/conversations/{desk.workspace.slug}/p/c/turns"
    assert code(await desk.contributor.post(path, json=turn)) == (429, "storage_full")
    spans = await desk.contributor.post("/v1/traces", json={"resourceSpans": []})
    assert (spans.status_code, spans.headers["Retry-After"]) == (429, "3601")
    assert (
        await desk.contributor.post("/v1/metrics", json={})
    ).status_code == 200  # of which nothing is kept
    ok(await send(desk.contributor, session, [event("user.message", text="More")]))
    ok(await desk.contributor.post(f"/api/sessions/{session['id']}/end", json={"status": "completed"}))
    record = await desk.make_record()
    assert record["title"] == "Acme"
    await set_limits(desk.admin)
    ok(await desk.contributor.post(path, json=turn))
