"""A golden stays as it is, also for whoever asks the database itself; revoked, it is an ordinary session again."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import pytest

from goldloop.kit.db import APP_ROLE, WORKER_ROLE, connect
from goldloop.kit.embedded_postgres import superuser_url
from tests.goldens.shelf import Shelf
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import request
from tests.records import code, ok, places
from tests.sessions.recordings import begin, event, read, send

ROLES = (APP_ROLE, WORKER_ROLE)


async def rows_of(shelf: Shelf, role: str, sql: str, session_id: str) -> list[Any]:
    async with shelf.workspace.db.in_role(role).tx(shelf.workspace.system) as tx:
        return await tx.fetch(sql, shelf.workspace.id, UUID(session_id))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE sessions SET status = 'failed' WHERE tenant_id = $1 AND id = $2 RETURNING id",
        "UPDATE sessions SET metadata = metadata - 'golden' WHERE tenant_id = $1 AND id = $2 RETURNING id",
        "SELECT id FROM sessions WHERE tenant_id = $1 AND id = $2 FOR UPDATE",
        "SELECT id FROM sessions WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE",
    ],
)
async def test_nobody_changes_or_locks_a_golden(shelf: Shelf, role: str, sql: str) -> None:
    golden = await shelf.promoted()
    before = await shelf.session(golden["sessionId"])
    assert await rows_of(shelf, role, sql, golden["sessionId"]) == []
    assert await shelf.session(golden["sessionId"]) == before
    await shelf.revoke(golden)
    assert len(await rows_of(shelf, role, sql, golden["sessionId"])) == 1


@pytest.mark.parametrize("role", ROLES)
async def test_nobody_deletes_a_golden(shelf: Shelf, role: str) -> None:
    golden = await shelf.promoted()
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await rows_of(
            shelf, role, "DELETE FROM sessions WHERE tenant_id = $1 AND id = $2", golden["sessionId"]
        )


async def test_even_whoever_may_delete_sessions_deletes_no_golden(
    shelf: Shelf, data_dir: Path, database_url: str
) -> None:
    golden = await shelf.promoted()
    connection = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))
    try:
        with pytest.raises(asyncpg.ForeignKeyViolationError):
            await connection.execute("DELETE FROM sessions WHERE id = $1", UUID(golden["sessionId"]))
    finally:
        await connection.close()


async def test_ending_cancelling_and_telling_more_of_a_golden_are_refused(shelf: Shelf) -> None:
    golden = await shelf.promoted()
    path = f"/api/sessions/{golden['sessionId']}"
    session = await shelf.session(golden["sessionId"])
    more = [event("agent.message", text="And another thing")]
    for answer in (
        await shelf.admin.post(f"{path}/end", json={"status": "failed", "error": "x"}),
        await shelf.admin.post(f"{path}/cancel"),
        await send(shelf.admin, session, more),
    ):
        assert code(answer) == (409, "session_ended")
    assert code(await shelf.admin.post(f"{path}/dismiss")) == (409, "session_needs_nobody")
    assert code(await shelf.admin.post(f"{path}/answer", json={"text": "x"})) == (409, "session_not_waiting")
    assert await shelf.session(golden["sessionId"]) == session


async def test_revoked_it_is_as_it_was(shelf: Shelf) -> None:
    session = await shelf.record(metadata={"run": 7})
    golden = await shelf.promote(session)
    await shelf.revoke(golden)
    assert (await shelf.session(session["id"]))["metadata"] == {"run": 7}
    assert await shelf.listed() == []
    assert code(await shelf.admin.delete(f"/api/admin/evals/golden/{session['id']}")) == (
        404,
        "golden_not_found",
    )
    assert (await shelf.promote(session, note="again"))["revision"] == 1


async def test_a_list_of_sessions_does_without_snapshots(shelf: Shelf) -> None:
    golden = await shelf.promoted(set="smoke")
    (listed,) = ok(await shelf.admin.get("/api/sessions", params={"golden": "true"}))["data"]
    assert (listed["id"], listed["metadata"]["golden"]["set"]) == (golden["sessionId"], "smoke")
    assert "snapshot" not in listed["metadata"]["golden"]
    assert "snapshot" in (await shelf.session(golden["sessionId"]))["metadata"]["golden"]


@pytest.mark.parametrize("key", ["golden", "accepted_for", "eval_source", "eval_result"])
async def test_nobody_says_of_a_new_session_that_it_is_golden(shelf: Shelf, key: str) -> None:
    body = {"source": "client", "metadata": {key: {"set": "x"}}}
    refused = await shelf.admin.post("/api/sessions", json=body)
    assert places(refused) == [(f"/metadata/{key}", "reserved")]


async def test_an_alternative_is_frozen_as_long_as_it_is_one(shelf: Shelf) -> None:
    golden, other = await shelf.promoted(), await shelf.record()
    accepted = ok(await shelf.admin.put(shelf.alternative(golden, other)))
    assert (accepted["alternatives"], accepted["revision"]) == ([other["id"]], 2)
    assert (await shelf.session(other["id"]))["metadata"]["accepted_for"] == [golden["sessionId"]]
    sql = "UPDATE sessions SET status = 'failed' WHERE tenant_id = $1 AND id = $2 RETURNING id"
    assert await rows_of(shelf, APP_ROLE, sql, other["id"]) == []
    assert code(await shelf.admin.post(f"/api/sessions/{other['id']}/cancel")) == (409, "session_ended")
    ok(await shelf.admin.delete(shelf.alternative(golden, other)))
    assert (await shelf.session(other["id"]))["metadata"] == {}
    assert len(await rows_of(shelf, APP_ROLE, sql, other["id"])) == 1


async def test_revoking_a_golden_frees_its_alternatives_but_not_those_of_others(shelf: Shelf) -> None:
    one, two, other = await shelf.promoted(), await shelf.promoted(), await shelf.record()
    ok(await shelf.admin.put(shelf.alternative(one, other)))
    ok(await shelf.admin.put(shelf.alternative(two, other)))
    await shelf.revoke(one)
    assert (await shelf.session(other["id"]))["metadata"]["accepted_for"] == [two["sessionId"]]
    await shelf.revoke(two)
    assert (await shelf.session(other["id"]))["metadata"] == {}


async def test_only_another_completed_session_of_the_same_type_is_an_alternative(shelf: Shelf) -> None:
    golden = await shelf.promoted()
    running, chat = await begin(shelf.admin), await shelf.record(type="chat")
    for session, why in (
        (running, "session_not_completed"),
        (chat, "not_an_alternative"),
        ({"id": golden["sessionId"]}, "not_an_alternative"),
    ):
        assert code(await shelf.admin.put(shelf.alternative(golden, session))) == (409, why)
    other = await shelf.record()
    assert code(await shelf.admin.delete(shelf.alternative(golden, other))) == (404, "golden_not_found")


async def test_a_golden_of_spans_is_not_changed_and_another_goes_on_for_it(
    emitter: Emitter, shelf: Shelf
) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.work()
    golden = await shelf.promote(await emitter.session())
    before = await shelf.session(golden["sessionId"])
    snapshot = before["metadata"]["golden"]["snapshot"]
    assert (snapshot["message"], snapshot["brief"]["message"]) == ("Hello", "Hello")
    assert (snapshot["agent"]["version"], snapshot["knowledge"]) == (None, None)
    await emitter.send(request(*turn(2, "Bye", "Goodbye.", "Hello", "Hi.")))
    await emitter.work()
    kept, after = await emitter.sessions()
    assert await shelf.session(golden["sessionId"]) == before
    assert (kept["id"], after["metadata"]["continues"]) == (before["id"], before["id"])
    texts = [e["payload"]["text"] for e in await read(shelf.admin, after) if e["type"] == "user.message"]
    assert texts == ["Bye"]
