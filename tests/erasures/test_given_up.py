"""An erasure whose job ends before it does: what is hidden stays so, and asking again, the hour or the job itself goes on."""

from typing import Any
from uuid import UUID

import pytest

from goldloop.erasures import jobs, service
from goldloop.jobs import run_store
from goldloop.jobs.ending_service import job_ended
from goldloop.jobs.model import JobStatus
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.retention import jobs as retention_jobs
from tests.erasures.planted import Ground
from tests.records import code, ok
from tests.sessions.recordings import begin, event, send


class Broken(Exception):
    """What the job ends with."""


async def job_of(ground: Ground, erasure_id: str) -> UUID:
    (row,) = await ground.rows("SELECT job_id FROM runs WHERE id = $1", UUID(erasure_id))
    assert row["job_id"] is not None, "the run knows its job"
    return UUID(str(row["job_id"]))


async def break_half_way(ground: Ground, erasure: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of it is gone, and the next step breaks, whoever tries."""

    async def breaks(*_: Any) -> None:
        raise Broken

    with monkeypatch.context() as patched:
        patched.setattr(jobs.Eraser, "_erase_traces", breaks)
        with pytest.raises(Broken):
            await ground.work(erasure)


async def give_up(ground: Ground, erasure: Any) -> None:
    """As the runner does after the last try."""
    workspace = ground.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await emit(tx, job_ended(await job_of(ground, erasure["id"]), service.JOB, JobStatus.FAILED))


async def cancel(ground: Ground, erasure: Any) -> None:
    ok(await ground.admin.post(f"/api/jobs/{await job_of(ground, erasure['id'])}/cancel"))


async def subjects(ground: Ground) -> dict[str, dict[str, Any]]:
    """One of each kind of thing that is hidden."""
    where = {"project": "Support", "conversation_id": "c"}
    await ground.chats.add("c", {"turn_id": "t", "user": {"text": ground.word}, "user_id": ground.user})
    await ground.chats.add("d", {"turn_id": "t", "user": {"text": ground.word}, "user_id": ground.user})
    session = await begin(ground.admin, metadata={"user_id": ground.user})
    ok(await send(ground.admin, session, [event("user.message", text=ground.word)]))
    record = await ground.desk.make_record({"summary": ground.word})
    return {
        "conversation": {"kind": "conversation", **where},
        "session": {"kind": "session", "session_id": session["id"]},
        "record": {"kind": "record", "entity_id": record["id"]},
        "end_user": {"kind": "end_user", "user_id": ground.user},
    }


@pytest.mark.parametrize("ends", [give_up, cancel])
@pytest.mark.parametrize("kind", ["conversation", "session", "record", "end_user"])
async def test_asked_for_again_it_goes_on_from_where_its_job_ended(
    ground: Ground, kind: str, ends: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = (await subjects(ground))[kind]
    asked = await ground.ask(**subject)
    await break_half_way(ground, asked, monkeypatch)
    await ends(ground, asked)
    over = ok(await ground.admin.get(f"/api/erasures/{asked['id']}"))
    assert over["status"] == ("failed" if ends is give_up else "cancelled")
    again = await ground.ask(**subject)
    assert (again["id"], again["status"]) == (asked["id"], "queued")
    assert again["gone"] == over["gone"] != {}, "what went is not forgotten"
    done = await ground.work(again)
    assert (done["status"], done["error"]) == ("done", None)
    if kind == "end_user":
        new = {"turn_id": "n", "user": {"text": "Back"}, "user_id": ground.user}
        await ground.chats.add("fresh", new)
    else:
        assert code(await ground.admin.post("/api/erasures", json=subject)) == (404, "nothing_to_erase")


async def test_one_that_was_cancelled_before_it_began_is_asked_for_again(ground: Ground) -> None:
    subject = (await subjects(ground))["conversation"]
    asked = await ground.ask(**subject)
    await cancel(ground, asked)
    turn = {"turn_id": "n", "user": {"text": "More"}}
    refused = await ground.chats.backend.post(ground.chats.path("c", "turns"), json=turn)
    assert code(refused) == (409, "being_erased"), "it is hidden still"
    same_id = await ground.ask(**subject, id=asked["id"])
    assert same_id["status"] == "queued"
    assert (await ground.work(same_id))["status"] == "done"
    await ground.chats.add("c", turn)


async def test_every_hour_what_was_given_up_or_lost_its_job_goes_on(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = await subjects(ground)
    given_up = await ground.ask(**named["conversation"])
    await break_half_way(ground, given_up, monkeypatch)
    await give_up(ground, given_up)
    lost = await ground.ask(**named["session"])
    async with ground.desk.workspace.db.tx(ground.desk.workspace.system) as tx:
        await tx.execute("SET LOCAL search_path = procrastinate")
        await tx.execute(
            "DELETE FROM procrastinate_jobs WHERE args ->> 'id' = $1", str(await job_of(ground, lost["id"]))
        )
    stopped = await ground.ask(**named["record"])
    await cancel(ground, stopped)
    alive = await ground.ask(**named["end_user"])
    before = await job_of(ground, alive["id"])
    await jobs.look(ground.desk.workspace.db)
    status = {each["id"]: each["status"] for each in ok(await ground.admin.get("/api/erasures"))["data"]}
    assert status == {
        given_up["id"]: "queued", lost["id"]: "queued", stopped["id"]: "cancelled", alive["id"]: "queued"
    }  # fmt: skip
    assert await job_of(ground, alive["id"]) == before, "one that has a job keeps it"
    done = [(await ground.work(each))["status"] for each in (given_up, lost, alive)]
    assert done == ["done"] * 3


async def test_a_job_that_somebody_tries_again_takes_its_erasure_up(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await ground.ask(**(await subjects(ground))["conversation"])
    await break_half_way(ground, asked, monkeypatch)
    await give_up(ground, asked)
    assert (await ground.work(asked))["status"] == "queued", "another job goes on with it"
    assert (await ground.work(asked))["status"] == "done"


@pytest.mark.parametrize("ends", [give_up, cancel])
async def test_retention_goes_on_with_a_batch_whose_job_ended(
    ground: Ground, ends: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = ground.desk.workspace
    await ground.chats.say("c")
    kept = {"traces_days": 90, "sessions_days": None, "conversations_days": 1, "events_days": None}
    ok(await ground.admin.put("/api/retention", json=kept))
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute("UPDATE conversations SET last_activity_at = last_activity_at - interval '9 days'")
    await retention_jobs.let_go(workspace.db, workspace.system)
    (batch,) = ok(await ground.admin.get("/api/erasures"))["data"]
    await break_half_way(ground, batch, monkeypatch)
    await ends(ground, batch)
    await retention_jobs.let_go(workspace.db, workspace.system)
    (again,) = ok(await ground.admin.get("/api/erasures"))["data"]
    assert (again["id"], again["status"]) == (batch["id"], "queued")
    done = await ground.work(again)
    assert (done["status"], done["gone"]["conversations"]) == ("done", 1)


async def test_a_run_that_may_not_be_changed_is_given_no_job(ground: Ground) -> None:
    asked = await ground.ask(**(await subjects(ground))["conversation"])
    workspace = ground.desk.workspace
    eraser = workspace.db.in_role("goldloop_eraser")
    with pytest.raises(RuntimeError, match="no row"):
        async with eraser.tx(workspace.system) as tx:  # names no erasure
            await run_store.set_job(tx, UUID(asked["id"]), new_id())
