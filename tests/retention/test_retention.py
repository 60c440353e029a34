"""How long things are kept: what is due goes in batches, what others refer to stays and is named."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from goldloop.erasures import step_service
from goldloop.erasures.jobs import erase
from goldloop.kit.db import ERASER_ROLE
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.retention import jobs, service
from goldloop.tenants.model import Role
from tests.erasures.planted import Ground, make_ground
from tests.factories import Workspace
from tests.goldens.shelf import Shelf
from tests.records import Desk, code, ok
from tests.sessions.recordings import begin, event, send


class Killed(Exception):
    """Where the process ends."""


NEVER: dict[str, Any] = {
    "traces_days": 90, "sessions_days": None, "conversations_days": None, "events_days": None
}  # fmt: skip


@pytest_asyncio.fixture
async def ground(desk: Desk, outside: Outside) -> Ground:
    return await make_ground(desk, outside)


async def age(ground: Ground, table: str, *columns: str, days: int = 100) -> None:
    """As if all of it were older."""
    workspace = ground.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        if table == "sessions":
            await tx.execute("SET LOCAL app.goldens = 'open'")
        for column in columns:
            await tx.execute(f"UPDATE {table} SET {column} = {column} - $1::interval", timedelta(days=days))


async def let_go(ground: Ground) -> list[Any]:
    """As the workers do, until nothing is due; the erasures that came of it, the oldest first."""
    workspace = ground.desk.workspace
    for _ in range(10):
        await jobs.let_go(workspace.db, workspace.system)
        opened = [each for each in await erasures(ground) if each["status"] == "queued"]
        if not opened:
            break
        for each in opened:
            await erase(workspace.db, workspace.system, ground.outside, run_id=each["id"])
    return await erasures(ground)


async def erasures(ground: Ground) -> list[Any]:
    return list(reversed(ok(await ground.admin.get("/api/erasures"))["data"]))


async def finished(ground: Ground, text: str = "Hello") -> Any:
    session = await begin(ground.admin)
    ok(await send(ground.admin, session, [event("user.message", text=text)]))
    return ok(await ground.admin.post(f"/api/sessions/{session['id']}/end", json={"status": "completed"}))


async def test_everything_is_kept_until_somebody_says_otherwise(ground: Ground) -> None:
    assert ok(await ground.admin.get("/api/retention")) == NEVER
    await finished(ground)
    await age(ground, "sessions", "created_at", "last_at", days=5000)
    assert await let_go(ground) == []


async def test_old_sessions_and_conversations_go_and_what_is_referred_to_stays_with_its_reason(
    ground: Ground,
) -> None:
    plain = await finished(ground, ground.word)
    golden = await Shelf(ground.desk.workspace, ground.admin).promoted()
    flagged = await finished(ground)
    await ground.signals.give(session_id=flagged["id"], comment="Look", source_type="observation")
    await ground.chats.say("quiet")
    await ground.chats.say("loud", "t")
    await ground.chats.react("loud", "t", "not_ok", text="No", user_id="u")
    await age(ground, "sessions", "created_at", "last_at")
    await age(ground, "conversations", "last_activity_at")
    young = await finished(ground)
    wanted = {**NEVER, "sessions_days": 30, "conversations_days": 30}
    due = ok(await ground.admin.post("/api/retention/preview", json=wanted))
    assert (due["sessions"], due["conversations"], due["events"]) == (1, 1, 0)
    assert {(each["what"], each["why"]): each["ids"] for each in due["kept"]} == {
        ("sessions", "golden"): [golden["sessionId"]],
        ("sessions", "open_feedback"): [flagged["id"]],
        ("conversations", "open_feedback"): ["Support/loud"],
    }
    assert await let_go(ground) == [], "a dry run sets nothing"
    assert ok(await ground.admin.put("/api/retention", json=wanted)) == wanted
    (done,) = await let_go(ground)
    assert (done["kind"], done["status"]) == ("retention", "done")
    assert (done["gone"]["sessions"], done["gone"]["conversations"]) == (1, 1)
    assert {each["what"] for each in done["kept"]} >= {"sessions (golden)", "conversations (open_feedback)"}
    left = {each["id"] for each in ok(await ground.admin.get("/api/sessions"))["data"]}
    assert {golden["sessionId"], flagged["id"], young["id"]} <= left
    assert plain["id"] not in left
    (conversation,) = await ground.rows("SELECT id FROM conversations")
    assert conversation == {"id": "loud"}


async def test_old_events_go_and_what_tells_of_erasures_stays(ground: Ground) -> None:
    await ground.chats.say("c")
    await ground.erase(kind="conversation", project="Support", conversation_id="c")
    workspace = ground.desk.workspace
    ok(await ground.admin.put("/api/retention", json={**NEVER, "events_days": 30}))
    connection = ground.desk.workspace.db.in_role("goldloop_eraser")
    opened = await ground.chats.say("d")
    asked = await ground.ask(kind="conversation", project="Support", conversation_id="d")
    assert opened
    async with connection.tx(workspace.system) as tx:
        await tx.execute(f"SET LOCAL app.erasure = '{asked['id']}'")
        await tx.execute("UPDATE events SET created_at = created_at - interval '100 days'")
    await ground.work(asked)
    await let_go(ground)
    names = {
        row["name"]
        for row in await ground.rows(
            "SELECT DISTINCT name FROM events WHERE created_at < now() - interval '1 day'"
        )
    }
    assert names == {"erasure.requested", "erasure.done", "retention.changed"}


async def test_an_event_that_a_receiver_waits_for_is_kept_until_it_has_it(ground: Ground) -> None:
    workspace = ground.desk.workspace
    await ground.chats.say("c")
    await ground.chats.say("d")
    asked = await ground.ask(kind="conversation", project="Support", conversation_id="d")
    endpoint, delivery = new_id(), new_id()
    async with workspace.db.in_role(ERASER_ROLE).tx(workspace.system) as tx:
        await tx.execute(f"SET LOCAL app.erasure = '{asked['id']}'")
        await tx.execute("UPDATE events SET created_at = created_at - interval '100 days'")
        waited_for = await tx.fetchval(
            "SELECT id FROM events WHERE topic = 'conversations' ORDER BY id LIMIT 1"
        )
        await tx.execute(
            """
            INSERT INTO webhook_endpoints (tenant_id, id, url, description, events, secret, created_by_kind)
            VALUES ($1, $2, 'https://example.com/', '', '{*}', $3, 'system')
            """,
            *(tx.actor.tenant_id, endpoint, b"x"),
        )
        await tx.execute(
            """
            INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, name, subject_id, event_at, next_at, created_at)
            VALUES ($1, $2, $3, $4, 'turn.added', 'c', now(), now(), now())
            """,
            *(tx.actor.tenant_id, delivery, endpoint, waited_for),
        )
    await ground.work(asked)
    wanted = {**NEVER, "events_days": 30}
    due = ok(await ground.admin.post("/api/retention/preview", json=wanted))
    (kept,) = due["kept"]
    assert (kept["what"], kept["why"], kept["ids"]) == ("events", "waiting_delivery", [str(waited_for)])
    ok(await ground.admin.put("/api/retention", json=wanted))
    batches = [each for each in await let_go(ground) if each["kind"] == "retention"]
    assert len(batches) == 1, "what is kept begins no batch after batch"
    assert {each["what"]: each["ids"] for each in batches[0]["kept"]}["events (waiting_delivery)"] == [
        str(waited_for)
    ]
    (left,) = await ground.rows("SELECT status FROM webhook_deliveries")
    assert left == {"status": "waiting"}


async def test_more_than_a_batch_goes_batch_by_batch(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BATCH", 2)
    for number in range(5):
        await ground.chats.say(f"c{number}")
    await age(ground, "conversations", "last_activity_at")
    ok(await ground.admin.put("/api/retention", json={**NEVER, "conversations_days": 1}))
    done = await let_go(ground)
    assert [each["gone"]["conversations"] for each in done] == [2, 2, 1]
    queued = await ground.rows(
        "SELECT args FROM list_jobs(NULL, NULL, $1, 100) WHERE name = $2", UUID(int=2**128 - 1), jobs.JOB
    )
    assert len(queued) >= 3, "after each batch the next waits at the end of the queue"


async def test_a_batch_that_is_killed_half_way_goes_on_and_takes_nothing_of_another_workspace(
    ground: Ground, other_workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, stranger = ground.desk.workspace, await other_workspace.client(Role.ADMIN)
    theirs = await begin(stranger)
    ok(await stranger.post(f"/api/sessions/{theirs['id']}/end", json={"status": "completed"}))
    await finished(ground)
    await ground.chats.say("c")
    await age(ground, "sessions", "created_at", "last_at")
    await age(ground, "conversations", "last_activity_at")
    async with other_workspace.db.tx(other_workspace.system) as tx:
        await tx.execute(
            "UPDATE sessions SET created_at = created_at - interval '100 days', last_at = last_at - interval '100 days'"
        )
    wanted = {**NEVER, "sessions_days": 30, "conversations_days": 30}
    ok(await ground.admin.put("/api/retention", json=wanted))
    assert ok(await stranger.get("/api/retention")) == NEVER, "each workspace has days of its own"
    await jobs.let_go(workspace.db, workspace.system)
    (batch,) = await erasures(ground)
    assert code(await stranger.get(f"/api/erasures/{batch['id']}")) == (404, "erasure_not_found")
    whole = step_service.erase_some

    async def dies(tx: Any, erasure_id: UUID, step: str) -> int:
        count = await whole(tx, erasure_id, step)
        if step == "conversation":
            raise Killed
        return count

    monkeypatch.setattr(step_service, "erase_some", dies)
    with pytest.raises(Killed):
        await ground.work(batch)
    monkeypatch.undo()
    await jobs.let_go(workspace.db, workspace.system)
    assert [each["id"] for each in await erasures(ground)] == [batch["id"]], "no second one beside it"
    done = await ground.work(batch)
    assert (done["gone"]["sessions"], done["gone"]["conversations"]) == (1, 1)
    assert ok(await stranger.get(f"/api/sessions/{theirs['id']}"))["id"] == theirs["id"]


async def test_only_an_administrator_says_how_long(ground: Ground) -> None:
    reviewer = await ground.desk.workspace.client(Role.REVIEWER)
    assert code(await reviewer.get("/api/retention")) == (403, "forbidden")
    assert code(await reviewer.put("/api/retention", json=NEVER)) == (403, "forbidden")
    assert code(await reviewer.post("/api/retention/preview", json=NEVER)) == (403, "forbidden")
    bad = await ground.admin.put("/api/retention", json={**NEVER, "sessions_days": 0})
    assert code(bad) == (422, "invalid_input")
