"""How a run ends that nobody expected to end so: at once and with a code, or later where it may still go well."""

import asyncio
import logging
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart

from goldloop.kit.blobs import BlobStore, BlobStoreFailed
from goldloop.kit.db import Database, Tx
from goldloop.kit.errors import Conflict
from goldloop.kit.events import emit
from goldloop.kit.outside import Outside
from goldloop.runtimes.purpose_service import PURPOSES, Purpose
from goldloop.sessions import events as session_events
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.events import event_of
from goldloop.sessions.model import Session
from goldloop.sessions.payloads import LARGE
from tests.records import Desk, ok
from tests.runtimes.scripted import (
    Script,
    call,
    configured,
    events_of,
    kinds,
    scripted,
    set_secret,
    show,
    start,
    work,
)

SECRET = "sk-not-in-a-log"


class Gone(Conflict):
    code, title = "record_gone", "What this is about is gone"


def finishing(monkeypatch: pytest.MonkeyPatch, finish: Any) -> None:
    monkeypatch.setitem(PURPOSES, "prompt", Purpose(name="prompt", finish=finish))


async def test_a_fault_of_ours_ends_the_session_at_once_and_is_in_the_log(
    desk: Desk,
    worker_db: Database,
    outside: Outside,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def finish(tx: Tx, session: Session, output: Any) -> None:
        raise KeyError(f"nobody thought of {SECRET}")

    finishing(monkeypatch, finish)
    agent = await configured(desk.workspace)
    await set_secret(desk, agent, "model_key", SECRET)
    session = await start(desk.contributor, agent)
    with caplog.at_level(logging.ERROR, "goldloop.runtimes"):
        await work(worker_db, desk.workspace, scripted(outside, Script(["Done."])), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", "internal_error")
    assert "KeyError" in ended["error"]["message"]
    (record,) = [record for record in caplog.records if record.name == "goldloop.runtimes"]
    assert "nobody thought of …" in record.getMessage()
    assert SECRET not in record.getMessage()


async def test_what_a_result_is_for_may_be_gone_and_says_so(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(tx: Tx, session: Session, output: Any) -> str | None:
        raise Gone

    monkeypatch.setitem(PURPOSES, "prompt", Purpose(name="prompt", check=check))
    session = await start(desk.contributor, await configured(desk.workspace))
    await work(worker_db, desk.workspace, scripted(outside, Script(["Done."])), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", "record_gone")


async def test_what_may_be_over_in_a_moment_is_left_to_the_next_try(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    session = await start(desk.contributor, await configured(desk.workspace))
    long = Script(["x" * LARGE])
    away = replace(outside, blobs=BlobStore("/dev/null/away"))
    with pytest.raises(BlobStoreFailed):
        await work(worker_db, desk.workspace, scripted(away, long), session)
    assert (await show(desk.contributor, session["id"]))["status"] == "running"
    await work(worker_db, desk.workspace, scripted(outside, long), session)
    assert (await show(desk.contributor, session["id"]))["status"] == "completed"


async def test_a_session_whose_past_is_lost_ends_with_that(
    desk: Desk, worker_db: Database, outside: Outside, tmp_path: Any
) -> None:
    agent = await configured(desk.workspace, tool_groups=["people"])
    session = await start(desk.contributor, agent)

    def ask(messages: list[ModelMessage]) -> ModelResponse:
        return ModelResponse(parts=[TextPart("x" * LARGE), call("askPerson", "c1", question="Really?")])

    script = Script([ask, "Done."])
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    ok(await desk.contributor.post(f"/api/sessions/{session['id']}/answer", json={"text": "Yes."}))
    lost = replace(outside, blobs=BlobStore(str(tmp_path)))
    await work(worker_db, desk.workspace, scripted(lost, script), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], (ended["error"] or {}).get("code")) == ("failed", "history_lost")


async def test_a_session_that_is_cancelled_while_it_ends_stays_cancelled_and_is_not_tried_again(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def finish(tx: Tx, session: Session, output: Any) -> None:
        ok(await desk.contributor.post(f"/api/sessions/{session.id}/cancel"))
        await emit(tx, event_of(session_events.DISMISSED, session))  # any effect of the result

    finishing(monkeypatch, finish)
    session = await start(desk.contributor, await configured(desk.workspace))
    await work(worker_db, desk.workspace, scripted(outside, Script(["Done."])), session)
    assert (await show(desk.contributor, session["id"]))["status"] == "cancelled"
    assert kinds(await events_of(desk.contributor, session))[-1] == "session.cancelled"


async def test_a_run_that_begins_while_its_session_is_cancelled_waits_and_finds_it_over(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    session = await start(desk.contributor, await configured(desk.workspace))
    workspace, script = desk.workspace, Script(["Done."])
    async with workspace.db.tx(workspace.system) as tx:
        await session_store.lock(tx, UUID(session["id"]))
        beginning = asyncio.create_task(work(worker_db, workspace, scripted(outside, script), session))
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        while not await tx.fetchval(waiting):
            assert not beginning.done(), "it did not wait"
            await asyncio.sleep(0.01)
        await sessions.cancel(tx, UUID(session["id"]))  # a deadlock, if whoever begins has the run already
    await beginning
    assert (await show(desk.contributor, session["id"]))["status"] == "cancelled"
    assert kinds(await events_of(desk.contributor, session)) == [
        "session.created",
        "user.message",
        "session.cancelled",
    ]
