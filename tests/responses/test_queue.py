"""Responses over all records through the API: what waits for review, by each question, and whom it is assigned to."""

import asyncio
from typing import Any
from uuid import UUID

import httpx
import pytest

from goldloop.kit.db import APP_ROLE
from goldloop.kit.ids import new_id
from goldloop.responses import jobs, queue_store
from goldloop.responses.model import ResponseStatus
from goldloop.responses.queue_store import Wanted
from goldloop.tenants.model import Role
from tests.loops import some
from tests.records import Desk, clients_of_namesakes, code, ok, places, some_id

NAME = {"name": "Acme"}


async def listed(client: httpx.AsyncClient, **params: Any) -> list[str]:
    """Ids, through all pages."""
    ids: list[str] = []
    cursor: str | None = None
    while True:
        query = {"limit": 2, **params, **({"cursor": cursor} if cursor else {})}
        page = ok(await client.get("/api/responses", params=query))
        ids += [row["id"] for row in page["data"]]
        if (cursor := page["next_cursor"]) is None:
            return ids


async def waiting(desk: Desk, **params: Any) -> list[str]:
    return await listed(desk.reviewer, promotable=True, **params)


async def assign_waiting(desk: Desk, records: list[Any], user_id: UUID) -> Any:
    body = {"entity_ids": [record["id"] for record in records], "user_id": str(user_id)}
    return ok(await desk.reviewer.post("/api/responses/assign", json=body))


async def take_mark(desk: Desk, kind: str, key: str) -> bool:
    """As a worker does; whether there was one."""
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        taken = await tx.execute(
            "DELETE FROM marks WHERE tenant_id = $1 AND kind = $2 AND key = $3", tx.actor.tenant_id, kind, key
        )
    return bool(taken)


async def test_responses_of_all_records_are_listed_newest_first_with_what_they_are_about(desk: Desk) -> None:
    made = [await desk.submit(await desk.make_record(title=f"Record {n}"), NAME) for n in range(5)]
    assert await listed(desk.reviewer) == [response["id"] for response in reversed(made)]
    (row,) = ok(await desk.reviewer.get("/api/responses", params={"limit": 1}))["data"]
    assert row["entity"] == {"id": made[4]["entity_id"], "title": "Record 4", "type": "company"}
    assert (row["values"], row["waits"], row["assigned_to"]) == (NAME, True, None)
    assert row["criteria_set_name"]
    assert (
        await desk.response(row) | {"entity": row["entity"], "criteria_set_name": row["criteria_set_name"]}
        == row
    )


async def test_what_waits_is_open_and_has_a_value_that_could_still_be_promoted(desk: Desk) -> None:
    await desk.make_set()
    record = await desk.make_record()
    rating = await desk.submit(record, {"team": 7}, criteria_set_slug="rubric")
    part = await desk.submit(record, {"name": "Acme", "employees": 3})
    whole = await desk.submit(record, {"summary": "s"})
    rejected = await desk.submit(record, NAME)
    withdrawn = await desk.submit(record, NAME)
    assert await waiting(desk) == [r["id"] for r in (withdrawn, rejected, whole, part)]
    await desk.withdraw(withdrawn)
    assert not (await desk.review(rejected, "rejected"))["waits"]
    assert (await desk.promote(part, "name"))["waits"]
    assert not (await desk.promote(whole, "summary"))["waits"]
    assert await waiting(desk) == [part["id"]]
    assert await listed(desk.reviewer, promotable=False) == [r["id"] for r in (rejected, whole, rating)]
    assert (await desk.show(record))["waiting"] == 1
    await desk.review(rejected, "submitted")
    await desk.undo(record, "summary")
    assert await waiting(desk) == [r["id"] for r in (rejected, whole, part)]
    newer = await desk.submit(record, {"name": "Acme B"})
    await desk.promote(newer, "name")
    assert (await desk.response(part))["status"] == "superseded"
    assert part["id"] not in await waiting(desk)


async def test_each_question_is_answered_by_itself_and_with_others(desk: Desk) -> None:
    other_type = await desk.make_type(
        "person", {"type": "object", "properties": {"name": {"type": "string"}}}
    )
    rubric = await desk.make_set()
    agent = await desk.agent()
    company, person = await desk.make_record(), await desk.make_record(type=other_type["slug"])
    by_person = await desk.submit(company, NAME)
    by_agent = await desk.submit(person, NAME, agent)
    rating = await desk.submit(company, {"team": 7}, criteria_set_slug="rubric")
    agent_id, person_id = by_agent["submitted_by_agent"], by_person["submitted_by_user"]
    await desk.review(rating, "rejected", "No")
    expected: list[tuple[dict[str, Any], list[Any]]] = [
        ({"status": "rejected"}, [rating]),
        ({"status": "submitted"}, [by_agent, by_person]),
        ({"type": "person"}, [by_agent]),
        ({"type": "company"}, [rating, by_person]),
        ({"criteria_set": "rubric"}, [rating]),
        ({"criteria_set": rubric["id"]}, [rating]),
        ({"submitted_by": "agent"}, [by_agent]),
        ({"submitted_by": "person"}, [rating, by_person]),
        ({"submitted_by": agent_id}, [by_agent]),
        ({"submitted_by": person_id}, [rating, by_person]),
        ({"submitted_by": some_id()}, []),
        ({"since": by_agent["created_at"]}, [rating, by_agent]),
        ({"until": by_agent["created_at"]}, [by_person]),
        ({"since": by_agent["created_at"], "until": rating["created_at"]}, [by_agent]),
        ({"assigned_to": "nobody"}, [rating, by_agent, by_person]),
        ({"type": "company", "submitted_by": "person", "promotable": True}, [by_person]),
    ]
    for params, rows in some(expected):
        assert await listed(desk.reviewer, **params) == [row["id"] for row in rows], params
        counted = ok(await desk.reviewer.get("/api/responses/count", params=params))
        assert counted == {"count": len(rows), "more": False}, params


async def test_a_person_and_an_agent_of_one_id_are_both_found(desk: Desk) -> None:
    agent, person = await clients_of_namesakes(desk)
    record = await desk.make_record()
    made = [await desk.submit(record, NAME, client) for client in (agent, person)]
    found = await listed(desk.reviewer, submitted_by=made[0]["submitted_by_agent"])
    assert found == [response["id"] for response in reversed(made)]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"type": "nothing"}, (404, "entity_type_not_found")),
        ({"criteria_set": "nothing"}, (404, "criteria_set_not_found")),
        ({"criteria_set": some_id()}, (404, "criteria_set_not_found")),
        ({"submitted_by": "anybody"}, (422, "invalid_input")),
        ({"assigned_to": "anybody"}, (422, "invalid_input")),
        ({"since": "yesterday"}, (422, "invalid_input")),
    ],
)
async def test_a_question_that_means_nothing_is_refused(
    desk: Desk, params: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert code(await desk.reviewer.get("/api/responses", params=params)) == expected


async def test_a_reviewer_assigns_responses_to_a_member_and_to_nobody(desk: Desk) -> None:
    user_id, colleague = await desk.person(Role.REVIEWER)
    made = [await desk.submit(await desk.make_record(), NAME) for _ in range(3)]
    ids = [response["id"] for response in made]
    path = "/api/responses/assign"
    done = ok(await desk.reviewer.post(path, json={"ids": ids[:2], "user_id": str(user_id)}))
    assert done["assigned_to"]["id"] == str(user_id)
    assert sorted(done["changed"]) == sorted(ids[:2])
    assert await listed(colleague, assigned_to="me") == [ids[1], ids[0]]
    assert await waiting(desk, assigned_to=str(user_id)) == [ids[1], ids[0]]
    assert await waiting(desk, assigned_to="nobody") == [ids[2]]
    again = ok(await desk.reviewer.post(path, json={"ids": ids[:1], "user_id": str(user_id)}))
    assert again["changed"] == []
    freed = ok(await desk.reviewer.post(path, json={"ids": ids[:1], "user_id": None}))
    assert freed == {"assigned_to": None, "changed": [ids[0]], "more": False}
    events = await desk.events("response.assigned")
    assert [event["payload"]["assigned_to"] for event in events] == [str(user_id), str(user_id), None]


async def test_all_that_waits_of_some_records_is_assigned_at_once(desk: Desk) -> None:
    user_id = await desk.workspace.make_member(Role.REVIEWER)
    first, second, other = [await desk.make_record() for _ in range(3)]
    waits = [await desk.submit(record, NAME) for record in (first, first, second)]
    await desk.submit(other, NAME)
    await desk.review(await desk.submit(second, NAME), "rejected")
    body = {"entity_ids": [first["id"], second["id"], some_id()], "user_id": str(user_id)}
    done = ok(await desk.reviewer.post("/api/responses/assign", json=body))
    assert sorted(done["changed"]) == sorted(response["id"] for response in waits)
    assert len(await waiting(desk, assigned_to=str(user_id))) == 3
    neither = await desk.reviewer.post("/api/responses/assign", json={"user_id": None})
    assert places(neither) == [("/ids", "required")]


async def test_assigning_is_refused_whole_where_it_cannot_be(desk: Desk) -> None:
    response = await desk.submit(await desk.make_record(), NAME)
    reader, _ = await desk.person(Role.VIEWER)
    path, ids = "/api/responses/assign", [response["id"]]
    to_reader = await desk.reviewer.post(path, json={"ids": ids, "user_id": str(reader)})
    assert places(to_reader) == [("/user_id", "cannot_review")]
    to_nobody_known = await desk.reviewer.post(path, json={"ids": ids, "user_id": some_id()})
    assert places(to_nobody_known) == [("/user_id", "member_not_found")]
    owner = str(desk.workspace.owner_id)
    unknown = await desk.reviewer.post(path, json={"ids": [*ids, some_id()], "user_id": owner})
    assert code(unknown) == (404, "responses_not_found")
    assert (await desk.response(response))["assigned_to"] is None
    by_contributor = await desk.contributor.post(path, json={"ids": ids, "user_id": owner})
    assert by_contributor.status_code == 403
    assert code(await (await desk.agent()).get("/api/responses", params={"assigned_to": "me"}))[0] == 422


async def test_what_was_a_removed_members_is_nobodys(desk: Desk) -> None:
    user_id, _ = await desk.person(Role.REVIEWER)
    record = await desk.make_record()
    first, second = [await desk.submit(record, NAME) for _ in range(2)]
    body = {"ids": [first["id"], second["id"]], "user_id": str(user_id)}
    ok(await desk.reviewer.post("/api/responses/assign", json=body))
    await desk.review(second, "rejected")
    owner = await desk.workspace.client()
    ok(await owner.delete(f"/api/members/{user_id}"))
    await desk.review(second, "submitted")
    assert await waiting(desk, assigned_to="nobody") == [second["id"], first["id"]]


@pytest.mark.parametrize(("role", "kept"), [("contributor", 0), ("viewer", 0), ("admin", 2)])
async def test_whoever_does_not_review_any_more_is_assigned_nothing(desk: Desk, role: str, kept: int) -> None:
    user_id, _ = await desk.person(Role.REVIEWER)
    record = await desk.make_record()
    ids = [(await desk.submit(record, NAME))["id"] for _ in range(2)]
    ok(await desk.reviewer.post("/api/responses/assign", json={"ids": ids, "user_id": str(user_id)}))
    owner = await desk.workspace.client()
    ok(await owner.patch(f"/api/members/{user_id}", json={"role": role}))
    assert len(await waiting(desk, assigned_to=str(user_id))) == kept
    assert len(await waiting(desk, assigned_to="nobody")) == 2 - kept
    events = await desk.events("response.assigned")
    assert [event["payload"]["assigned_to"] for event in events[2:]] == [None] * (2 - kept)


async def test_the_many_responses_of_a_removed_member_are_freed_batch_by_batch(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH", 3)
    user_id, _ = await desk.person(Role.REVIEWER)
    record = await desk.make_record()
    ids = [(await desk.submit(record, NAME))["id"] for _ in range(8)]
    await assign_waiting(desk, [record], user_id)
    ok(await (await desk.workspace.client()).delete(f"/api/members/{user_id}"))
    left = [len(await waiting(desk, assigned_to=str(user_id)))]
    while await take_mark(desk, "responses.unassign", str(user_id)):
        async with desk.workspace.db.tx(desk.workspace.system) as tx:
            await jobs.unassign(tx, str(user_id))
        left.append(len(await waiting(desk, assigned_to=str(user_id))))
    assert left == [5, 2, 0]
    assert len(await waiting(desk, assigned_to="nobody")) == len(ids)


async def test_assigning_what_waits_of_records_says_when_more_waits_and_goes_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_store, "MOST_ASSIGNED", 2)
    user_id = await desk.workspace.make_member(Role.REVIEWER)
    records = [await desk.make_record() for _ in range(2)]
    ids = [(await desk.submit(record, NAME))["id"] for record in (*records, *records, records[0])]
    answers = [await assign_waiting(desk, records, user_id) for _ in range(4)]
    assert [(sorted(answer["changed"]), answer["more"]) for answer in answers] == [
        (sorted(ids[:2]), True),
        (sorted(ids[2:4]), True),
        ([ids[4]], False),
        ([], False),
    ]


async def test_nothing_is_assigned_to_somebody_who_is_being_removed(desk: Desk) -> None:
    owner = await desk.workspace.client()
    for _ in range(6):
        user_id, _ = await desk.person(Role.REVIEWER)
        response = await desk.submit(await desk.make_record(), NAME)
        body = {"ids": [response["id"]], "user_id": str(user_id)}
        assigned_to, removed = await asyncio.gather(
            desk.reviewer.post("/api/responses/assign", json=body), owner.delete(f"/api/members/{user_id}")
        )
        assert removed.status_code == 204
        assert assigned_to.status_code in (200, 422)
        assert (await desk.response(response))["assigned_to"] is None


async def test_records_say_how_many_responses_wait_and_can_be_listed_by_it(desk: Desk) -> None:
    waits, quiet = await desk.make_record(title="Waits"), await desk.make_record(title="Quiet")
    await desk.submit(waits, NAME)
    await desk.submit(waits, {"employees": 3})
    rows = ok(await desk.reviewer.get("/api/entities"))["data"]
    assert {row["id"]: row["waiting"] for row in rows} == {waits["id"]: 2, quiet["id"]: 0}
    only = ok(await desk.reviewer.get("/api/entities", params={"waits": True}))["data"]
    assert [row["id"] for row in only] == [waits["id"]]
    assert ok(await desk.reviewer.get("/api/entities/count", params={"waits": True}))["count"] == 1
    found = ok(await desk.reviewer.get("/api/entities", params={"waits": True, "q": "quiet"}))["data"]
    assert found == []
    table = await desk.reviewer.get("/api/entities/records.csv", params={"waits": True})
    assert waits["id"] in table.text
    assert quiet["id"] not in table.text


async def test_records_are_found_the_same_where_many_responses_wait(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = await desk.make_record(title="Waits")
    await desk.make_record(title="Quiet")
    await desk.submit(waits, NAME)
    monkeypatch.setattr("goldloop.entities.records.store.COMMON", 0)
    only = ok(await desk.reviewer.get("/api/entities", params={"waits": True}))["data"]
    assert [row["id"] for row in only] == [waits["id"]]


OTHER_INDEXES = """
    SELECT i.indexrelid::regclass::text AS name FROM pg_index i
    WHERE i.indrelid = 'entity_responses'::regclass AND NOT i.indisunique AND i.indexrelid <> $1::text::regclass
"""


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (Wanted(waits=True), "entity_responses_waiting"),
        (Wanted(), "entity_responses_all"),
        (Wanted(agent=new_id(), status=ResponseStatus.REJECTED), "entity_responses_agent_status"),
        (Wanted(agent=new_id(), waits=True), "entity_responses_waiting_of_agent"),
    ],
)
async def test_a_list_is_read_off_its_index(desk: Desk, wanted: Wanted, index: str) -> None:
    """Also under row-level security, which lets no function stand in an index condition. The other indexes are away
    meanwhile: among few rows PostgreSQL takes any of them."""
    arguments: list[Any] = [desk.workspace.id]
    conditions = " AND ".join(queue_store._conditions(wanted, arguments))
    async with desk.workspace.db.pool.acquire() as connection:
        change = connection.transaction()
        await change.start()
        await connection.execute("SET LOCAL ROLE NONE")
        others = await connection.fetch(OTHER_INDEXES, index)
        await connection.execute(f"DROP INDEX {', '.join(row['name'] for row in others)}")
        await connection.execute(f"SET LOCAL ROLE {APP_ROLE}; SET LOCAL app.tenant = '{desk.workspace.id}'")
        for way in ("seqscan", "bitmapscan", "sort"):
            await connection.execute(f"SET LOCAL enable_{way} = off")
        plan = await connection.fetch(
            f"EXPLAIN SELECT id FROM entity_responses w WHERE {conditions} ORDER BY created_at DESC, id DESC LIMIT 2",
            *arguments,
        )
        await change.rollback()
    text = "\n".join(row[0] for row in plan)
    assert f" {index} " in text, text
    assert "Sort" not in text, text
