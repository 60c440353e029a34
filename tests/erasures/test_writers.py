"""Who an erasure waits for: whoever writes in this database and began before it; nobody else, and no try is used up by it."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from goldloop.erasures import jobs, row_store
from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from tests.erasures.planted import Ground
from tests.records import ok

WHAT = {"kind": "conversation", "project": "Support", "conversation_id": "c"}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "BARRIER_SECONDS", 0.3)
    monkeypatch.setattr(jobs, "BACKUP_SECONDS", 0.3)


async def job_of(ground: Ground, erasure: Any) -> UUID:
    (row,) = await ground.rows("SELECT job_id FROM runs WHERE id = $1", UUID(erasure["id"]))
    return UUID(str(row["job_id"]))


async def test_a_writer_in_another_database_keeps_nobody_waiting(
    ground: Ground, data_dir: Path, impatient: None
) -> None:
    await ground.chats.say("c")
    elsewhere = await connect(superuser_url(data_dir, "postgres"))
    await elsewhere.execute("BEGIN; SELECT pg_current_xact_id()")
    try:
        assert (await ground.erase(**WHAT))["status"] == "done"
    finally:
        await elsewhere.close()


async def test_a_writer_of_this_database_ends_first_and_costs_no_try(
    ground: Ground, database_url: str, impatient: None
) -> None:
    await ground.chats.say("c")
    asked = await ground.ask(**WHAT)
    first = await job_of(ground, asked)
    writer = await connect(database_url)
    await writer.execute("BEGIN; SELECT pg_current_xact_id()")
    waits = await ground.work(asked)
    assert (waits["status"], waits["gone"]) == ("running", {})
    assert await job_of(ground, asked) != first, "another job goes on later"
    again = asyncio.create_task(ground.work(asked))
    await writer.execute("ROLLBACK")
    await writer.close()
    assert (await again)["status"] in ("running", "done")
    assert (await ground.work(asked))["status"] == "done"


async def test_a_backup_ends_first_and_costs_no_try(
    ground: Ground, database_url: str, impatient: None
) -> None:
    await ground.chats.add("c", {"turn_id": "t", "user": {"text": "Hi"}, "turn_log": {"a": 1}})
    await ground.chats.catch_up("blobs.write")
    backup = await connect(database_url)
    await backup.execute("SELECT pg_advisory_lock($1)", row_store.BACKUP_LOCK)
    asked = await ground.ask(**WHAT)
    assert (await ground.work(asked))["status"] == "running"
    await backup.execute("SELECT pg_advisory_unlock($1)", row_store.BACKUP_LOCK)
    await backup.close()
    done = await ground.work(asked)
    assert (done["status"], done["gone"]["blobs"]) == ("done", 1)
    assert ok(await ground.admin.get(f"/api/erasures/{asked['id']}"))["error"] is None
