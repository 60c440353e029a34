"""What was promoted of a response is taken back in one call: all of it or nothing, in one version of the record."""

import asyncio
from typing import Any

import pytest

from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import Desk, code, ok, places, some_id

pytestmark = pytest.mark.usefixtures("registry")

FULL = {"name": "Acme", "employees": 12, "active": "true", "stage": "late"}


async def state(desk: Desk, record: Any, *responses: Any) -> Any:
    """All that an undo could change."""
    return (
        await desk.show(record),
        await desk.sources(record),
        [await desk.response(response) for response in responses],
        await desk.count("entity_field_history"),
        await desk.events("response.promotion_undone"),
    )


async def test_all_that_was_promoted_is_undone_in_one_version_with_one_event(desk: Desk) -> None:
    record = await desk.make_record({"name": "Old"})
    before = (await desk.show(record))["content"], await desk.sources(record)
    response = await desk.submit(record, FULL)
    await desk.promote(response, *FULL)
    undone = await desk.undo_response(response)
    assert (undone["status"], undone["promoted_fields"], undone["waits"]) == ("submitted", [], True)
    assert undone == await desk.response(response)
    shown = await desk.show(record)
    assert (shown["content"], shown["version"]) == (before[0], 3)
    assert await desk.sources(record) == before[1]
    for field in FULL:
        newest = (await desk.history(record, field))[0]
        assert (newest["kind"], newest["entity_version"]) == ("undo", 3)
    (event,) = await desk.events("response.promotion_undone")
    assert event["payload"] == {
        "entity_id": record["id"],
        "type": "company",
        "response_id": response["id"],
        "fields": {field: field for field in FULL},
        "version": 3,
    }


async def test_named_dimensions_are_undone_and_the_others_stay(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, FULL)
    await desk.promote(response, *FULL)
    undone = await desk.undo_response(response, "name", "stage")
    assert (undone["status"], sorted(undone["promoted_fields"])) == (
        "partially_promoted",
        ["active", "employees"],
    )
    assert (await desk.show(record))["content"] == {"employees": 12, "active": True}


async def test_each_field_has_again_what_it_had_before_whoever_it_was_from(desk: Desk) -> None:
    record = await desk.make_record({"stage": "seed"})
    one = await desk.submit(record, {"name": "One", "employees": 1})
    two = await desk.submit(record, {"name": "Two", "employees": 2, "stage": "late", "active": "true"})
    await desk.promote(one, "name", "employees")
    await desk.promote(two, "name", "employees", "stage", "active")
    assert (await desk.response(one))["status"] == "superseded"
    await desk.undo_response(two)
    assert (await desk.show(record))["content"] == {"name": "One", "employees": 1, "stage": "seed"}
    shown = await desk.response(one)
    assert (shown["status"], sorted(shown["promoted_fields"])) == ("promoted", ["employees", "name"])
    sources = await desk.sources(record)
    assert [sources[field]["response_id"] for field in ("name", "employees", "stage")] == [one["id"]] * 2 + [
        None
    ]


async def test_if_one_field_was_changed_since_nothing_is_undone_and_the_answer_names_it(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, FULL)
    await desk.promote(response, *FULL)
    content = (await desk.show(record))["content"]
    await desk.edit(record, content=content | {"employees": 13})
    before = await state(desk, record, response)
    answer = await desk.try_undo_response(response, "name", "employees", "stage")
    assert (code(answer), places(answer)) == (
        (409, "field_changed_since"),
        [("/fields/1", "field_changed_since")],
    )
    assert answer.json()["conflict"] == {"fields": ["employees"]}
    assert await state(desk, record, response) == before
    await desk.undo_response(response)
    assert (await desk.show(record))["content"] == {"employees": 13}, (
        "without names: what the record has of it"
    )


async def test_a_change_of_another_field_is_in_nobodys_way(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 3})
    await desk.promote(response, "name", "employees")
    await desk.edit(record, content={"name": "Acme", "employees": 3, "summary": "Makes things."})
    await desk.undo_response(response, "name", "employees")
    assert (await desk.show(record))["content"] == {"summary": "Makes things."}


async def test_who_names_a_version_is_refused_when_the_record_has_another(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    await desk.promote(response, "name")
    answer = await desk.try_undo_response(response, expected_version=1)
    assert (code(answer), answer.json()["conflict"]) == (
        (409, "version_conflict"),
        {"expected_version": 1, "actual_version": 2},
    )
    ok(await desk.try_undo_response(response, expected_version=2))


async def test_a_second_undo_finds_nothing_to_take_back(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 3})
    assert code(await desk.try_undo_response(response)) == (409, "field_changed_since"), "never promoted"
    await desk.promote(response, "name", "employees")
    await desk.undo_response(response, "name", "employees")
    before = await state(desk, record, response)
    assert code(await desk.try_undo_response(response)) == (409, "field_changed_since")
    answer = await desk.try_undo_response(response, "name", "employees")
    assert answer.json()["conflict"] == {"fields": ["employees", "name"]}
    assert await state(desk, record, response) == before


async def test_of_two_undos_at_once_one_wins(desk: Desk) -> None:
    _, second = await desk.person(Role.REVIEWER)
    for _ in range(6):
        record = await desk.make_record()
        response = await desk.submit(record, FULL)
        await desk.promote(response, *FULL)
        answers = await asyncio.gather(
            desk.try_undo_response(response), desk.try_undo_response(response, *FULL, by=second)
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        shown = await desk.show(record)
        assert (shown["content"], shown["version"]) == ({}, 3)


async def test_undoing_and_editing_at_once_leaves_no_half(desk: Desk) -> None:
    for _ in range(8):
        record = await desk.make_record()
        response = await desk.submit(record, {"name": "Acme", "employees": 3})
        await desk.promote(response, "name", "employees")
        body = {"version": 2, "content": {"name": "Edited", "employees": 3}}
        undone, edited = await asyncio.gather(
            desk.try_undo_response(response, "name", "employees"),
            desk.reviewer.patch(f"/api/entities/{record['id']}", json=body),
        )
        content = (await desk.show(record))["content"]
        assert (undone.status_code, edited.status_code, content) in (
            (200, 409, {}),
            (409, 200, {"name": "Edited", "employees": 3}),
        )


async def test_an_undo_that_would_break_the_schema_is_refused_whole(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 3})
    await desk.promote(response, "name", "employees")
    schema = (await desk.admin.get("/api/entity-types/company")).json()["json_schema"]
    ok(await desk.try_change("/api/entity-types/company", {"json_schema": schema | {"required": ["name"]}}))
    before = await state(desk, record, response)
    answer = await desk.try_undo_response(response)
    assert (answer.status_code, places(answer)) == (422, [("/content/name", "required")])
    assert await state(desk, record, response) == before
    await desk.undo_response(response, "employees")


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ([], ("/fields", "empty")),
        (["name", "ghost"], ("/fields/1", "unknown_dimension")),
        (["name", "name"], ("/fields/1", "duplicate")),
    ],
)
async def test_names_that_are_no_dimensions_are_refused(
    desk: Desk, fields: list[str], place: tuple[str, str]
) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    await desk.promote(response, "name")
    before = await state(desk, record, response)
    path = f"/api/entities/{record['id']}/responses/{response['id']}/undo"
    answer = await desk.reviewer.post(path, json={"fields": fields})
    assert (answer.status_code, places(answer)) == (422, [place])
    assert await state(desk, record, response) == before


async def test_it_needs_the_right_to_edit_and_a_person(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    await desk.promote(response, "name")
    assert code(await desk.try_undo_response(response, by=desk.contributor)) == (403, "forbidden")
    agent = await desk.agent(Role.ADMIN)
    assert code(await desk.try_undo_response(response, by=agent)) == (403, "agents_propose")
    assert (await desk.show(record))["content"] == {"name": "Acme"}


async def test_nobody_undoes_in_another_record_or_another_workspace(
    desk: Desk, other_workspace: Workspace
) -> None:
    record, other = await desk.make_record(), await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    await desk.promote(response, "name")
    elsewhere = response | {"entity_id": other["id"]}
    assert code(await desk.try_undo_response(elsewhere)) == (404, "response_not_found")
    nowhere = response | {"entity_id": some_id()}
    assert code(await desk.try_undo_response(nowhere)) == (404, "entity_not_found")
    stranger = await other_workspace.client(Role.OWNER)
    assert code(await desk.try_undo_response(response, by=stranger)) == (404, "entity_not_found")
    assert (await desk.show(record))["content"] == {"name": "Acme"}
