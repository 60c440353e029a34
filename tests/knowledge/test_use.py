"""What becomes of knowledge in prompts: why it was there, who cited it, what was written with it, and what no prompt holds."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from goldloop.kit.clock import now
from goldloop.kit.queue import MARKS
from goldloop.knowledge.prompts import use_service
from goldloop.knowledge.rows import jobs
from goldloop.knowledge.rows import store as row_store
from goldloop.knowledge.selection import PER_TYPE
from tests.knowledge.lessons import ROWS, RULE, Lessons
from tests.records import code, ok
from tests.runtimes.scripted import Script, call, configured, start
from tests.sessions.recordings import begin


async def _why(lessons: Lessons, session: Any) -> Any:
    return ok(await lessons.admin.get(f"/api/sessions/{session['id']}/shared-context"))


async def test_a_session_says_why_each_line_was_in_its_prompt(lessons: Lessons) -> None:
    rows = [await lessons.write(f"Rule {number}") for number in range(PER_TYPE + 1)]
    prompt = await lessons.prompt()
    session = await begin(lessons.admin, manifest=prompt["manifest"])
    await lessons.change(rows[-1], content="Something else")
    why = await _why(lessons, session)
    shown = why["manifest"]
    assert (shown["manifest"], shown["prompt"]) == (prompt["manifest"], prompt["prompt"])
    assert shown["left_out"] == prompt["left_out"]
    assert shown["left_out"]["by_rank"] == 1
    assert [(row["id"], row["reason"], row["rank"]) for row in shown["rows"]] == [
        (row["id"], row["reason"], row["rank"]) for row in prompt["rows"]
    ]
    changed = {row["id"]: row["changed"] for row in shown["rows"]}
    assert [row_id for row_id, now_other in changed.items() if now_other] == [rows[-1]["id"]]
    assert {row["line"] for row in shown["rows"]} <= set(prompt["prompt"].splitlines())
    assert why["cited"] == []


async def test_a_session_without_a_prompt_of_knowledge_says_so(lessons: Lessons) -> None:
    assert await _why(lessons, await begin(lessons.admin)) == {"manifest": None, "cited": []}
    path = f"/api/sessions/{uuid4()}/shared-context"
    assert code(await lessons.admin.get(path)) == (404, "session_not_found")


async def _cite(lessons: Lessons) -> None:
    workspace = lessons.signals.desk.workspace
    for row in await lessons.signals.chats.marks("knowledge.citations"):
        async with workspace.db.tx(workspace.system) as tx:
            await MARKS["knowledge.citations"].run(tx, row["key"])


@pytest.mark.parametrize("ends", ["completed", "failed"])
async def test_a_row_that_an_answer_names_is_cited_where_the_session_ended_well(
    lessons: Lessons, ends: str
) -> None:
    cited, other = await lessons.write(), await lessons.write("Use euros")
    prompt = await lessons.prompt()
    session = await begin(lessons.admin, manifest=prompt["manifest"])
    name = cited["id"].replace("-", "")[-12:]
    said = {
        "id": str(uuid4()),
        "type": "agent.message",
        "payload": {"text": f"12, see [{name}] [{'0' * 12}]"},
    }
    path = f"/api/sessions/{session['id']}"
    ok(await lessons.admin.post(f"{path}/events", json=[said]))
    error = {"error": {"code": "x", "message": "y"}} if ends == "failed" else {}
    ok(await lessons.admin.post(f"{path}/end", json={"status": ends, **error}))
    for _ in range(2):  # once a session, however often it is looked at
        await _cite(lessons)
    well = ends == "completed"
    assert (await _why(lessons, session))["cited"] == ([cited["id"]] if well else [])
    assert (await lessons.show(cited))["confirmations"] == (1 if well else 0)
    assert (await lessons.show(other))["confirmations"] == 0
    (used,) = ok(await lessons.admin.get(f"{ROWS}/{cited['id']}/sessions"))["data"]
    assert used["cited"] is well
    assert (await lessons.prompt())["manifest"] == prompt["manifest"]  # ranks follow once a day


async def test_fields_that_a_session_wrote_with_a_row_are_listed(lessons: Lessons) -> None:
    desk = lessons.signals.desk
    row = await lessons.write()
    slug = await configured(desk.workspace, "reader", tool_groups=["responses"])
    record = await desk.make_record()
    submitted = {"entityId": record["id"], "values": {"employees": 12}}
    script = Script([call("submitResponse", "c1", **submitted), "Done"])
    session = await lessons.run(await start(lessons.admin, slug, entity_id=record["id"]), script)
    (response,) = ok(await lessons.admin.get(f"/api/entities/{record['id']}/responses"))["data"]
    ok(
        await lessons.admin.post(
            f"/api/entities/{record['id']}/responses/{response['id']}/promote", json={"fields": ["employees"]}
        )
    )
    (used,) = ok(await lessons.admin.get(f"{ROWS}/{row['id']}/sessions"))["data"]
    assert used["id"] == session["id"]
    assert used["fields"] == [
        {"entity_id": record["id"], "field": "employees", "response_id": response["id"], "current": True}
    ]


async def _flag_unused(lessons: Lessons, days: int) -> int:
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        return await use_service.flag_unused(tx, now() + timedelta(days=days))


async def test_what_no_prompt_has_held_for_long_is_proposed_to_be_retired(lessons: Lessons) -> None:
    outranked = await lessons.write("Outranked", type="lesson")
    used = await lessons.write("Used in a session", type="lesson")
    prompt = await lessons.prompt()
    await begin(lessons.admin, manifest=prompt["manifest"])
    await lessons.step(used, "shadow")
    await lessons.step(used, "approve")
    for number in range(PER_TYPE):
        await lessons.change(await lessons.write(f"Rule {number}", type="lesson"), pinned=True)
    await lessons.prompt()
    assert await _flag_unused(lessons, 89) == 0
    assert await _flag_unused(lessons, 100) == 2  # the session is as old
    assert await _flag_unused(lessons, 100) == 0
    (flagged,) = [row for row in await lessons.listed(waits=True) if row["id"] == outranked["id"]]
    assert (flagged["flags"], flagged["state"]) == (["unused"], "active")
    again = await lessons.step(outranked, "approve", reason="It is for the audit in spring")
    assert again["flags"] == []
    assert await _flag_unused(lessons, 89) == 0


async def test_what_a_prompt_holds_now_is_used_however_old(lessons: Lessons) -> None:
    await lessons.write()
    await lessons.prompt()
    assert await _flag_unused(lessons, 1000) == 0


async def test_what_a_prompt_had_until_something_changed_is_used(lessons: Lessons) -> None:
    """Nobody has asked since: the next prompt would have it."""
    await lessons.write()
    await lessons.prompt()
    other = await lessons.write("Use euros", type="lesson")
    await lessons.step(other, "retire")
    assert await _flag_unused(lessons, 1000) == 0


async def _age(lessons: Lessons, days: int) -> None:
    """Whatever happened until now is as many days older. By the owner of the tables: history is never changed otherwise."""
    older = f"interval '{days:d} days'"
    workspace = lessons.signals.desk.workspace
    async with workspace.db.pool.acquire() as connection, connection.transaction():
        await connection.execute(f"SET LOCAL ROLE NONE; SET LOCAL app.tenant = '{workspace.id}'")
        for table, columns in (
            ("shared_context", ("created_at", "last_confirmed_at", "read_at")),
            ("shared_context_history", ("at",)),
            ("prompt_manifests", ("created_at", "last_had_at")),
        ):
            changes = ", ".join(f"{column} = {column} - {older}" for column in columns)
            await connection.execute(f"UPDATE {table} SET {changes} WHERE tenant_id = $1", workspace.id)


async def test_what_prompts_had_until_lately_is_used(lessons: Lessons) -> None:
    await lessons.write("Outranked since", type="lesson")
    await lessons.prompt()
    await _age(lessons, 200)
    for number in range(PER_TYPE):
        await lessons.change(await lessons.write(f"Rule {number}", type="lesson"), pinned=True)
    assert "Outranked since" not in (await lessons.prompt())["prompt"]
    assert await _flag_unused(lessons, 89) == 0
    assert await _flag_unused(lessons, 91) == 1


async def test_what_has_just_come_back_could_not_be_used_yet(lessons: Lessons) -> None:
    row = await lessons.lesson()
    await lessons.step(row, "approve")
    (one, *_) = (await lessons.show(row))["support"]
    await lessons.dismiss(one["feedback_id"])
    assert (await lessons.show(row))["state"] == "shadow"
    await _age(lessons, 200)
    await lessons.review(one["feedback_id"], "pending")
    assert (await lessons.show(row))["state"] == "active"
    assert await _flag_unused(lessons, 89) == 0
    assert await _flag_unused(lessons, 91) == 1


async def test_ranks_of_all_that_was_confirmed_follow(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "RANKED_AT_ONCE", 2)
    rows = [await lessons.write(f"Rule {number}") for number in range(5)]
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        for row in rows:
            await row_store.set_confirmed(tx, UUID(row["id"]), await tx.moment())
    await MARKS["knowledge.ranks"].run(workspace.db, workspace.system, "workspace")
    ranks = {row["id"]: row["rank"] for row in await lessons.listed()}
    assert all(ranks[row["id"]] > row["rank"] for row in rows)


async def test_a_change_says_where_it_is_shown_for_some_prompts_only(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await lessons.write()
    for slug in ("a", "b", "c"):
        await lessons.signals.desk.workspace.make_agent(slug)
        await lessons.prompt(agent=slug)
    shown = await lessons.step(row, "diff", state="retired")
    assert (len(shown["scopes"]), shown["truncated"]) == (4, False)
    monkeypatch.setattr(use_service, "MOST_SCOPES", 2)
    shown = await lessons.step(row, "diff", state="retired")
    assert (len(shown["scopes"]), shown["truncated"]) == (3, True)
    assert shown["scopes"][0]["agent_id"] is None


async def test_rows_are_found_by_beginnings_of_their_words(lessons: Lessons) -> None:
    row = await lessons.write(context="when filling in Beschäftigte")
    other = await lessons.write("Use euros")
    for query, found in [
        ("employ", [row]),
        ("EMPLOYEES compan", [row]),
        ("beschaft", [row]),
        ("employ euros", []),
        ("euro", [other]),
        ("", [other, row]),
        ("!", [other, row]),
    ]:
        assert [each["id"] for each in await lessons.listed(q=query)] == [each["id"] for each in found], query
    await lessons.change(row, content="Count heads")
    assert await lessons.listed(q="employees") == []
    assert [each["id"] for each in await lessons.listed(q="heads", state="active")] == [row["id"]]


async def test_a_change_of_scope_is_shown_before_it_is_made(lessons: Lessons) -> None:
    row = await lessons.write()
    agent = await lessons.signals.desk.workspace.make_agent("b")
    await lessons.prompt()
    await lessons.prompt(agent="b")
    shown = await lessons.step(row, "diff", agent_id=str(agent.id))
    moved = {scope["agent_id"]: (len(scope["added"]), len(scope["removed"]) > 0) for scope in shown["scopes"]}
    assert moved == {None: (0, True), str(agent.id): (0, False)}
    assert code(await lessons.try_step(row, "diff", agent_id=str(uuid4()))) == (404, "agent_not_found")
    assert RULE in (await lessons.prompt())["prompt"]
