"""Filling in many records: a session whose children do it, a few at a time, however often a worker dies."""

from typing import Any

import pytest

from goldloop.kit.db import Database
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.population import jobs, many_service
from goldloop.tenants.auth.actors import system_actor
from tests.loops import some
from tests.population.test_service import responses_of, result
from tests.records import Desk, code, ok, places, some_id
from tests.runtimes.scripted import Script, call, configured, events_of, kinds, scripted, show, work

FOUND = Script([result(values={"employees": 12})])


async def populate_many(desk: Desk, **body: Any) -> Any:
    return ok(await desk.contributor.post("/api/populate", json={"type": "company", **body}))


async def children_of(desk: Desk, parent: Any, **wanted: Any) -> list[Any]:
    query = {"parent_session_id": parent["id"], "limit": 200, **wanted}
    return list(ok(await desk.contributor.get("/api/sessions", params=query))["data"])


async def advance(db: Database, desk: Desk, parent: Any) -> None:
    """What a worker does with the mark of a session with children."""
    async with db.tx(system_actor(desk.workspace.id)) as tx:
        await jobs.advance(tx, parent["id"])


async def work_through(db: Database, desk: Desk, outside: Outside, parent: Any) -> Any:
    """Until it is over; whoever works on the children and on the parent takes turns."""
    await work(db, desk.workspace, outside, parent)
    while not (shown := await show(desk.contributor, parent["id"]))["ended_at"]:
        await advance(db, desk, parent)
        open_ones = await children_of(desk, parent, status="queued")
        assert len(open_ones) <= many_service.AT_ONCE
        for child in open_ones:
            await work(db, desk.workspace, outside, child)
    return shown


async def test_each_record_gets_a_session_and_a_response_and_the_parent_counts_them(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    made = [await desk.make_record(title=f"Acme {n}") for n in range(7)]
    parent = await populate_many(desk, dimensions=["employees"], text="Each has 12 people.")
    assert (parent["purpose"], parent["type"], parent["progress"]) == ("populate_many", "mixed", None)
    ended = await work_through(worker_db, desk, scripted(outside, FOUND), parent)
    assert ended["status"] == "completed"
    assert ended["output"] == {"completed": 7, "failed": 0, "cancelled": 0}
    assert ended["progress"] == {"done": 7, "total": 7}
    assert kinds(await events_of(desk.contributor, parent)) == [
        "session.created",
        "user.message",
        "session.claimed",
        "session.completed",
    ]
    for record in made:
        (response,) = await responses_of(desk, record)
        assert (response["values"], response["source"]) == ({"employees": 12}, "extraction")
    children = await children_of(desk, parent)
    assert {child["entity_id"] for child in children} == {record["id"] for record in made}
    assert not any("text" in child["input"] for child in some(children))


async def test_the_children_read_what_the_parent_was_given(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    await desk.make_record()
    parent = await populate_many(desk, text="Each has 12 people.", instructions="Count contractors.")
    script = Script([result(values={})])
    await work_through(worker_db, desk, scripted(outside, script), parent)
    (request,) = script.asked[0]
    assert "Each has 12 people." in request.parts[0].content  # type: ignore[union-attr,operator]
    assert "Count contractors." in (request.instructions or "")  # type: ignore[union-attr]
    [child] = await children_of(desk, parent)
    again = ok(await desk.contributor.post(f"/api/sessions/{child['id']}/run-again", json={}))
    await work(worker_db, desk.workspace, scripted(outside, script), again)
    assert "Each has 12 people." in script.asked[-1][0].parts[0].content  # type: ignore[union-attr,operator]
    ended = ok(await desk.contributor.get(f"/api/sessions/{parent['id']}"))
    assert ended["output"] == {"completed": 1, "failed": 0, "cancelled": 0}


async def test_only_the_records_of_a_filter_or_those_that_are_named_are_filled_in(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    await desk.make_type("person")
    blue, green, red = [await desk.make_record(title=title) for title in ("Blue", "Green", "Red")]
    other = ok(await desk.reviewer.post("/api/entities", json={"type": "person", "title": "Blue"}))
    ways: list[tuple[dict[str, Any], set[str], int]] = [
        ({"q": "blue"}, {blue["id"]}, 0),
        ({"ids": [green["id"], red["id"], green["id"]]}, {green["id"], red["id"]}, 0),
        ({"ids": [red["id"], other["id"], some_id()]}, {red["id"]}, 2),
    ]
    for wanted, filled, gone in ways:
        parent = await populate_many(desk, **wanted)
        ended = await work_through(worker_db, desk, scripted(outside, FOUND), parent)
        assert {child["entity_id"] for child in some(await children_of(desk, parent))} == filled
        assert ended["output"].get("gone", 0) == gone
        assert ended["progress"]["done"] == ended["progress"]["total"] == len(filled) + gone


async def test_what_fails_is_counted_and_the_others_go_on(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    for n in range(3):
        await desk.make_record(title=f"Acme {n}")
    parent = await populate_many(desk)
    await work(worker_db, desk.workspace, outside, parent)
    await advance(worker_db, desk, parent)
    first, *others = await children_of(desk, parent)
    await work(worker_db, desk.workspace, outside, first)  # without a model
    for child in others:
        await work(worker_db, desk.workspace, scripted(outside, FOUND), child)
    assert (await show(desk.contributor, parent["id"]))["progress"] == {"done": 0, "total": 3}
    await advance(worker_db, desk, parent)
    ended = await show(desk.contributor, parent["id"])
    assert ended["output"] == {"completed": 2, "failed": 1, "cancelled": 0}


async def test_a_worker_that_dies_anywhere_leaves_nothing_twice(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    """Each transaction is tried once in vain: what it did is undone, as when its worker is killed."""

    class Killed(BaseException):
        """Nothing catches it."""

    for n in range(7):
        await desk.make_record(title=f"Acme {n}")
    parent = await populate_many(desk)
    ends = scripted(outside, FOUND)

    async def dies(key: str) -> None:
        async with worker_db.tx(system_actor(desk.workspace.id)) as tx:
            await jobs.advance(tx, key)
            raise Killed

    await work(worker_db, desk.workspace, ends, parent)
    await work(worker_db, desk.workspace, ends, parent)  # its job came again
    while not (shown := await show(desk.contributor, parent["id"]))["ended_at"]:
        with pytest.raises(Killed):
            await dies(parent["id"])
        await advance(worker_db, desk, parent)
        await advance(worker_db, desk, parent)
        for child in await children_of(desk, parent, status="queued"):
            await work(worker_db, desk.workspace, ends, child)
            await work(worker_db, desk.workspace, ends, child)
    assert shown["output"] == {"completed": 7, "failed": 0, "cancelled": 0}
    assert len(await children_of(desk, parent)) == 7
    assert await desk.count("entity_responses") == 7


async def test_cancelling_the_parent_cancels_the_open_children_and_opens_no_more(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    for n in range(8):
        await desk.make_record(title=f"Acme {n}")
    parent = await populate_many(desk)
    await work(worker_db, desk.workspace, outside, parent)
    await advance(worker_db, desk, parent)
    done, *rest = await children_of(desk, parent)
    await work(worker_db, desk.workspace, scripted(outside, FOUND), done)
    ok(await desk.contributor.post(f"/api/sessions/{parent['id']}/cancel"))
    await advance(worker_db, desk, parent)
    statuses = {child["id"]: child["status"] for child in await children_of(desk, parent)}
    assert statuses == {done["id"]: "completed", **{child["id"]: "cancelled" for child in rest}}
    assert len(rest) == many_service.AT_ONCE - 1
    assert (await show(desk.contributor, parent["id"]))["status"] == "cancelled"
    await work(worker_db, desk.workspace, scripted(outside, FOUND), rest[0])
    assert await desk.count("entity_responses") == 1


async def test_a_child_that_waits_for_a_person_keeps_no_other_from_its_turn(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, "asker", tool_groups=["people"])
    for n in range(7):
        await desk.make_record(title=f"Acme {n}")
    asks = Script([call("askPerson", question="?")])
    parent = await populate_many(desk, agent=agent)
    await work(worker_db, desk.workspace, outside, parent)
    for _ in range(2):
        await advance(worker_db, desk, parent)
        for child in await children_of(desk, parent, status="queued"):
            await work(worker_db, desk.workspace, scripted(outside, asks), child)
    assert len(await children_of(desk, parent, status="waiting")) == 7
    assert (await show(desk.contributor, parent["id"]))["progress"] == {"done": 0, "total": 7}


async def test_an_agent_that_is_switched_off_meanwhile_ends_it(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, "reader")
    for n in range(7):
        await desk.make_record(title=f"Acme {n}")
    parent = await populate_many(desk, agent=agent)
    await work(worker_db, desk.workspace, outside, parent)
    await advance(worker_db, desk, parent)
    ok(await desk.admin.patch(f"/api/agents/{parent['agent_id']}", json={"active": False}))
    for child in (await children_of(desk, parent))[:2]:
        ok(await desk.contributor.post(f"/api/sessions/{child['id']}/cancel"))
    await advance(worker_db, desk, parent)
    ended = await show(desk.contributor, parent["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", "no_runtime")
    assert {child["status"] for child in some(await children_of(desk, parent))} == {"cancelled"}


async def test_a_list_without_records_is_done_at_once(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    parent = await populate_many(desk)
    ended = await work_through(worker_db, desk, outside, parent)
    assert ended["output"] == {"completed": 0, "failed": 0, "cancelled": 0}


async def test_a_task_fills_in_the_records_of_its_configuration(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    record = await desk.make_record()
    config = {"type": "company", "dimensions": ["employees"]}
    body = {"name": "Fill in", "kind": "populate_fields", "config": config}
    task = ok(await desk.admin.post("/api/tasks", json=body))
    assert task["agent"] == "field-populator"
    parent = ok(await desk.contributor.post(f"/api/tasks/{task['id']}/run", json={}))
    assert (parent["task_id"], parent["purpose"]) == (task["id"], "populate_many")
    await work_through(worker_db, desk, scripted(outside, FOUND), parent)
    assert len(await responses_of(desk, record)) == 1


async def test_what_cannot_be_filled_in_is_refused(desk: Desk) -> None:
    async def tried(**body: Any) -> Any:
        return await desk.contributor.post("/api/populate", json={"type": "company", **body})

    assert code(await tried(type="nothing")) == (404, "entity_type_not_found")
    assert places(await tried(ids=[])) == [("/ids", "invalid_value")]
    assert places(await tried(ids=[some_id()], q="x")) == [("/q", "ids_or_filter")]
    assert code(await tried(agent="nobody")) == (404, "agent_not_found")
    same = {"id": str(new_id())}
    assert ok(await tried(**same))["id"] == ok(await tried(**same))["id"] == same["id"]
    assert code(await tried(**same, q="other")) == (409, "session_exists")
