"""Asking for an erasure: who may, what is hidden at once, what is refused meanwhile, and each kind of thing."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from goldloop.erasures import step_service, workspace_store
from goldloop.erasures.jobs import erase
from goldloop.kit.db import APP_ROLE, ERASER_ROLE, WORKER_ROLE
from goldloop.kit.ids import new_id
from goldloop.tenants.model import Role
from tests.erasures.planted import Ground
from tests.factories import Workspace
from tests.records import code, ok, places
from tests.sessions.recordings import begin, event, send


class Killed(Exception):
    """Where the process ends."""


async def say(ground: Ground, conversation: str = "c", **more: Any) -> None:
    await ground.chats.add(
        conversation,
        {"turn_id": "t", "user": {"text": f"I am {ground.word}"}, "user_id": ground.user, **more},
    )


async def test_what_is_asked_to_go_is_not_there_from_that_moment_on(ground: Ground) -> None:
    await say(ground)
    session = await begin(
        ground.admin, metadata={"user_id": ground.user}, conversation={"project": "Support", "id": "c"}
    )
    path = "/api/conversations/Support/c"
    assert (await ground.admin.get(path)).status_code == 200
    await ground.ask(kind="conversation", project="Support", conversation_id="c")
    assert (await ground.admin.get(path)).status_code == 404
    assert code(await ground.admin.get(f"/api/sessions/{session['id']}")) == (404, "session_not_found")
    assert code(await send(ground.admin, session, [event("user.message", text="x")])) == (
        404,
        "session_not_found",
    )


async def test_nothing_is_taken_in_about_what_is_being_erased(ground: Ground) -> None:
    await say(ground)
    await ground.chats.add("other", {"turn_id": "o", "user": {"text": "Hi"}, "user_id": "somebody"})
    asked = await ground.ask(kind="end_user", user_id=ground.user)
    new = {"turn_id": "n", "user": {"text": "More"}, "user_id": ground.user}
    refused = [
        await ground.chats.backend.post(ground.chats.path("fresh", "turns"), json=new),
        await ground.chats.backend.post(
            ground.chats.path("other", "turns", "o", "feedback"),
            json={"reaction": "ok", "user_id": ground.user},
        ),
        await ground.admin.post(
            "/api/sessions", json={"source": "client", "agent": "a", "metadata": {"user_id": ground.user}}
        ),
    ]
    assert [code(each) for each in refused] == [(409, "being_erased")] * 3
    await ground.chats.react("other", "o", "ok", user_id="somebody")
    await ground.work(asked)
    await ground.chats.add("fresh", new)


@pytest.mark.parametrize("kind", ["alternative", "golden", "feedback", "session", "conversation"])
async def test_killed_at_any_step_it_goes_on_and_does_nothing_twice(
    ground: Ground, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(ground)
    await ground.chats.react("c", "t", "not_ok", text=f"No {ground.word}", user_id=ground.user)
    session = await begin(ground.admin, metadata={"user_id": ground.user})
    ok(await send(ground.admin, session, [event("user.message", text=ground.word)]))
    asked = await ground.ask(kind="end_user", user_id=ground.user)
    whole = step_service.erase_some

    async def dies(tx: Any, erasure_id: UUID, step: str) -> int:
        count = await whole(tx, erasure_id, step)
        if step == kind:
            raise Killed  # before the commit: as if the process had ended
        return count

    monkeypatch.setattr(step_service, "erase_some", dies)
    with pytest.raises(Killed):
        await ground.work(asked)
    half = ok(await ground.admin.get(f"/api/erasures/{asked['id']}"))
    assert (half["status"], half["ended_at"]) == ("running", None)
    monkeypatch.undo()
    done = await ground.work(asked)
    assert (done["status"], done["gone"]["conversations"], done["gone"]["feedback"]) == ("done", 1, 1)
    assert done["gone"]["sessions"] == 1


async def test_without_the_right_and_from_elsewhere_nothing_goes(
    ground: Ground, other_workspace: Workspace
) -> None:
    await say(ground)
    body = {"kind": "conversation", "project": "Support", "conversation_id": "c"}
    reviewer = await ground.desk.workspace.client(Role.REVIEWER)
    agent = await ground.desk.agent(Role.ADMIN)
    stranger = await other_workspace.client(Role.ADMIN)
    assert code(await reviewer.post("/api/erasures", json=body)) == (403, "forbidden")
    assert code(await reviewer.post("/api/erasures/preview", json=body)) == (403, "forbidden")
    assert code(await reviewer.get("/api/erasures")) == (403, "forbidden")
    assert code(await agent.post("/api/erasures", json=body)) == (403, "only_people_erase")
    assert code(await stranger.post("/api/erasures", json=body)) == (404, "nothing_to_erase")
    assert code(await stranger.post("/api/erasures/preview", json=body)) == (404, "nothing_to_erase")
    asked = await ground.ask(**body)
    assert code(await stranger.get(f"/api/erasures/{asked['id']}")) == (404, "erasure_not_found")
    admin = await ground.desk.workspace.client(Role.ADMIN)
    whole = {"kind": "workspace", "confirm": ground.desk.workspace.slug}
    assert code(await admin.post("/api/erasures", json=whole)) == (403, "forbidden")


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"kind": "session"}, ("/session_id", "missing")),
        ({"kind": "conversation", "project": "P"}, ("/conversation_id", "missing")),
        ({"kind": "end_user", "user_id": "u", "project": "P"}, ("/project", "unexpected")),
        ({"kind": "retention"}, ("/kind", "not_for_asking")),
        ({"kind": "workspace", "confirm": "no"}, ("/confirm", "not_confirmed")),
    ],
)
async def test_a_bad_request_says_where(ground: Ground, body: Any, fault: tuple[str, str]) -> None:
    owner = await ground.desk.workspace.client(Role.OWNER)
    answer = await owner.post("/api/erasures", json=body)
    assert answer.status_code == 422
    assert places(answer) == [fault]


async def test_a_record_goes_with_all_that_was_said_about_it(ground: Ground) -> None:
    desk = ground.desk
    record = await desk.make_record({"summary": ground.word})
    await desk.promote(await desk.submit(record, {"name": "Acme", "summary": ground.word}), "name")
    other = await desk.make_record()
    await desk.submit(other, {"name": "Stays"})
    done = await ground.erase(kind="record", entity_id=record["id"])
    assert (done["gone"]["entities"], done["gone"]["entity_responses"]) == (1, 1)
    assert code(await ground.admin.get(f"/api/entities/{record['id']}"))[0] == 404
    assert await desk.count("entity_responses") == 1


async def test_responses_go_and_what_was_promoted_of_them_stays_the_records_own(ground: Ground) -> None:
    desk = ground.desk
    record = await desk.make_record()
    gone = await desk.submit(record, {"summary": ground.word}, notes=ground.word)
    kept = await desk.submit(record, {"name": "Acme", "summary": ground.word}, notes=ground.word)
    await desk.promote(kept, "name")
    done = await ground.erase(kind="responses", entity_id=record["id"])
    assert (done["gone"]["entity_responses"], done["gone"]["entity_responses (text)"]) == (1, 1)
    assert (await desk.show(record))["content"] == {"name": "Acme"}
    assert (await desk.response(kept))["values"] == {"name": "Acme"}
    path = f"/api/entities/{record['id']}/responses/{gone['id']}"
    assert (await desk.reviewer.get(path)).status_code == 404
    await desk.undo(record, "name")


async def test_a_session_goes_and_turns_that_only_name_it_are_told_of(ground: Ground) -> None:
    session = await begin(ground.admin, external_id=f"s-{ground.word}")
    await say(ground, session_id=f"s-{ground.word}")
    done = await ground.erase(kind="session", session_id=session["id"])
    assert done["gone"]["sessions"] == 1
    assert {each["what"]: each["ids"] for each in done["kept"]}["conv_turns"] == ["Support/c"]
    assert (await ground.admin.get("/api/conversations/Support/c")).status_code == 200


async def test_a_workspace_goes_as_a_whole_and_no_other_with_it(
    ground: Ground, other_workspace: Workspace
) -> None:
    workspace = ground.desk.workspace
    await say(ground, turn_log={"a": ground.word})
    await ground.chats.catch_up("blobs.write")
    record = await ground.desk.make_record()
    first = await ground.desk.submit(record, {"name": "One"})
    await ground.desk.submit(record, {"name": "Two"}, parent_response_id=first["id"])
    await begin(ground.admin, metadata={"user_id": ground.user})
    await ground.chats.react("c", "t", "not_ok", text="No", user_id=ground.user)
    owner = await workspace.client(Role.OWNER)
    body = {"kind": "workspace", "confirm": workspace.slug}
    asked = ok(await owner.post("/api/erasures", json=body))
    assert (await owner.get("/api/workspace")).status_code == 401
    assert (await (await workspace.browser()).get("/api/workspace")).status_code == 401
    await erase(workspace.db, workspace.system, ground.outside, run_id=asked["id"])
    (found,) = [
        each
        for each in await workspace_store.list_erased_workspaces(workspace.db, 100)
        if each.workspace_id == workspace.id
    ]
    assert (found.slug, found.gone["tenants"], found.gone["conversations"]) == (workspace.slug, 1, 1)
    assert found.gone["blobs"] == 1
    async with workspace.db.tx(workspace.system) as tx:
        assert await tx.fetchval("SELECT count(*) FROM tenants") == 0
        assert await tx.fetchval("SELECT count(*) FROM conversations") == 0
    client = await other_workspace.client()
    assert (await client.get("/api/workspace")).status_code == 200
    await erase(workspace.db, workspace.system, ground.outside, run_id=asked["id"])  # again: nothing to do


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE, ERASER_ROLE])
async def test_nobody_deletes_what_is_only_added_to_but_within_an_open_erasure(
    ground: Ground, role: str
) -> None:
    session = await begin(ground.admin)
    delete = "DELETE FROM session_events WHERE session_id = $1"
    change = "UPDATE events SET payload = '{}'"
    workspace = ground.desk.workspace
    for statement, arguments in ((delete, (UUID(session["id"]),)), (change, ())):
        try:
            async with workspace.db.in_role(role).tx(workspace.system) as tx:
                await tx.execute(f"SET LOCAL app.erasure = '{new_id()}'")
                assert await tx.execute(statement, *arguments) == 0
                assert role == ERASER_ROLE
        except asyncpg.InsufficientPrivilegeError:
            assert role != ERASER_ROLE
