"""Promotion through the API: all or none, with its provenance, undone step by step."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from goldloop.kit.db import Tx
from goldloop.kit.events import LISTENERS, Listener, listen
from goldloop.kit.queue import job
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import COMPANY, Desk, code, ok, places, some_id

pytestmark = pytest.mark.usefixtures("registry")

FULL = {"name": "Acme", "employees": 12, "active": "true", "stage": "late", "summary": "Makes things."}
TRUTH = {"name": "Acme", "employees": 12, "active": True, "stage": "late", "summary": "Makes things."}


async def state(desk: Desk, record: Any, *responses: Any) -> Any:
    """All that a promotion could change."""
    return (
        await desk.show(record),
        await desk.sources(record),
        [await desk.response(response) for response in responses],
        await desk.count("entity_field_history"),
        await desk.events("response.promoted"),
    )


async def preview(desk: Desk, response: Any, *fields: str) -> Any:
    path = f"/api/entities/{response['entity_id']}/responses/{response['id']}/promote/preview"
    return ok(await desk.reviewer.post(path, json={"fields": list(fields)}))


async def test_one_value_becomes_content_with_its_provenance(desk: Desk) -> None:
    record = await desk.make_record({"name": "Old"})
    response = await desk.submit(record, FULL)
    promoted = await desk.promote(response, "name")
    assert (promoted["status"], promoted["promoted_fields"]) == ("partially_promoted", ["name"])
    assert promoted["reviewed_by"] == str(desk.workspace.owner_id)
    shown = await desk.show(record)
    assert (shown["content"], shown["version"]) == ({"name": "Acme"}, 2)
    newest = (await desk.history(record, "name"))[0]
    assert (newest["kind"], newest["value"], newest["value_before"], newest["current"]) == (
        "promotion",
        "Acme",
        "Old",
        True,
    )
    assert (newest["response_id"], newest["dimension_key"]) == (response["id"], "name")
    assert newest["actor"]["id"] == str(desk.workspace.owner_id)
    (event,) = await desk.events("response.promoted")
    assert event["payload"] == {
        "entity_id": record["id"],
        "type": "company",
        "response_id": response["id"],
        "fields": {"name": "name"},
        "version": 2,
    }


async def test_many_values_are_promoted_in_one_version(desk: Desk) -> None:
    record = await desk.make_record()
    promoted = await desk.promote(await desk.submit(record, FULL), *FULL)
    assert (promoted["status"], sorted(promoted["promoted_fields"])) == ("promoted", sorted(FULL))
    shown = await desk.show(record)
    assert (shown["content"], shown["version"]) == (TRUTH, 2)
    assert {s["entity_version"] for s in (await desk.sources(record)).values()} == {2}
    assert len(await desk.events("response.promoted")) == 1


async def test_a_select_of_true_and_false_becomes_a_boolean_again(desk: Desk) -> None:
    for text, value in (("true", True), ("false", False)):
        record = await desk.make_record()
        await desk.promote(await desk.submit(record, {"active": text}), "active")
        assert (await desk.show(record))["content"] == {"active": value}


async def test_a_whole_number_fits_an_integer_field(desk: Desk) -> None:
    record = await desk.make_record()
    await desk.promote(await desk.submit(record, {"employees": 3.0}), "employees")
    assert (await desk.show(record))["content"] == {"employees": 3}


async def test_a_dimension_goes_into_the_field_that_it_names(desk: Desk) -> None:
    dimensions = [
        {"key": "headcount", "label": "Headcount", "type": "number", "fieldName": "employees"},
        {"key": "name", "label": "Name", "type": "text"},
        {"key": "mood", "label": "Mood", "type": "text"},
    ]
    await desk.make_set("survey", dimensions=dimensions)
    record = await desk.make_record()
    values = {"headcount": 4, "name": "Acme", "mood": "good"}
    response = await desk.submit(record, values, criteria_set_slug="survey")
    assert response["promotable_fields"] == ["headcount", "name"]
    answer = await desk.try_promote(response, "headcount", "mood")
    assert (answer.status_code, places(answer)) == (422, [("/fields/1", "not_promotable")])
    promoted = await desk.promote(response, "headcount", "name")
    assert promoted["status"] == "promoted", "what no field takes does not count"
    assert (await desk.show(record))["content"] == {"employees": 4, "name": "Acme"}
    assert (await desk.sources(record))["employees"]["dimension_key"] == "headcount"


async def test_two_dimensions_for_one_field_are_not_promoted_together(desk: Desk) -> None:
    dimensions = [
        {"key": "name", "label": "Name", "type": "text"},
        {"key": "alias", "label": "Alias", "type": "text", "fieldName": "name"},
    ]
    await desk.make_set("names", dimensions=dimensions)
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "alias": "Ac"}, criteria_set_slug="names")
    before = await state(desk, record, response)
    answer = await desk.try_promote(response, "name", "alias")
    assert (answer.status_code, places(answer)) == (422, [("/fields/1", "same_field")])
    assert await state(desk, record, response) == before
    await desk.promote(response, "name")
    assert (await desk.promote(response, "alias"))["status"] == "promoted"
    assert (await desk.show(record))["content"] == {"name": "Ac"}
    await desk.undo(record, "name")
    assert (await desk.response(response))["promoted_fields"] == ["name"]
    assert (await desk.show(record))["content"] == {"name": "Acme"}


@pytest.mark.parametrize(
    ("values", "fields", "place"),
    [
        ({"employees": 3}, ["employees"], ("/content/active", "required")),
        ({"name": "Acme", "employees": 3}, ["name", "employees"], ("/content/active", "required")),
        ({"name": "Acme"}, ["name", "employees"], ("/fields/1", "no_value")),
        ({"name": "Acme"}, ["name", "ghost"], ("/fields/1", "unknown_dimension")),
        ({"name": "Acme"}, ["name", "name"], ("/fields/1", "duplicate")),
        ({"name": "Acme"}, [], ("/fields", "empty")),
    ],
)
async def test_what_cannot_be_promoted_is_refused_and_nothing_changes(
    desk: Desk, values: dict[str, Any], fields: list[str], place: tuple[str, str]
) -> None:
    dimensions = [
        {"key": key, "label": key, "type": kind} for key, kind in (("name", "text"), ("employees", "number"))
    ]
    between_fields = {"dependentRequired": {"employees": ["active"]}}
    ok(await desk.try_change("/api/entity-types/company", {"json_schema": COMPANY | between_fields}))
    await desk.make_set("loose", dimensions=dimensions)
    record = await desk.make_record({"name": "Before"})
    response = await desk.submit(record, values, criteria_set_slug="loose")
    before = await state(desk, record, response)
    answer = await desk.try_promote(response, *fields)
    assert (answer.status_code, places(answer)) == (422, [place]), answer.text
    found = await preview(desk, response, *fields)
    assert [(e["path"], e["code"]) for e in found["errors"]] == [place]
    assert await state(desk, record, response) == before


async def test_a_schema_that_changed_since_the_submission_decides(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"employees": 5000, "stage": "seed"})
    schema = (await desk.admin.get("/api/entity-types/company")).json()["json_schema"]
    schema["properties"]["employees"]["maximum"] = 100
    del schema["properties"]["stage"]
    ok(await desk.try_change("/api/entity-types/company", {"json_schema": schema}))
    answer = await desk.try_promote(response, "employees")
    assert places(answer) == [("/content/employees", "maximum")]
    assert places(await desk.try_promote(response, "stage")) == [("/content/stage", "unknown_field")]
    assert (await desk.show(record))["content"] == {}


async def test_the_preview_is_what_happens(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme", "employees": 3})
    response = await desk.submit(record, FULL)
    for fields in (["name", "employees"], ["active"], ["stage", "summary", "employees"]):
        before = await state(desk, record, response)
        found = await preview(desk, response, *fields)
        assert await state(desk, record, response) == before, "looking changes nothing"
        assert (found["version"], found["errors"]) == (before[0]["version"], [])
        assert sorted(f["dimension"] for f in found["fields"]) == sorted(fields)
        promoted = await desk.promote(response, *fields, expected_version=found["version"])
        assert promoted["status"] == found["status_after"]
        shown = await desk.show(record)
        for field in found["fields"]:
            name = field["field"]
            assert shown["content"][name] == field["value"]
            assert field["present_before"] == (name in before[0]["content"])
            assert field["value_before"] == before[0]["content"].get(name)
            assert field["changes"] == (before[0]["content"].get(name) != field["value"])
    assert promoted["status"] == "promoted"


async def test_a_promotion_of_an_older_version_is_a_conflict_that_names_both(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, FULL)
    await desk.edit(record, content={"name": "Edited"})
    before = await state(desk, record, response)
    answer = await desk.try_promote(response, "name", expected_version=1)
    assert code(answer) == (409, "version_conflict")
    assert answer.json()["conflict"] == {"expected_version": 1, "actual_version": 2}
    assert await state(desk, record, response) == before
    await desk.promote(response, "name", expected_version=2)
    answer = await desk.try_undo(record, "name", expected_version=2)
    assert answer.json()["conflict"] == {"expected_version": 2, "actual_version": 3}
    ok(await desk.try_undo(record, "name", expected_version=3))


async def test_of_two_reviewers_at_once_exactly_one_wins_and_the_record_is_never_torn(desk: Desk) -> None:
    """Each response gives all fields the same mark, so a mixture would show."""
    _, second = await desk.person(Role.REVIEWER)
    fields = ["name", "employees", "summary"]
    for turn in range(12):
        record = await desk.make_record()
        responses = [
            await desk.submit(record, {"name": f"Mark {n}", "employees": n, "summary": str(n)})
            for n in (1, 2)
        ]
        answers = await asyncio.gather(
            desk.try_promote(responses[0], *fields, expected_version=1),
            desk.try_promote(responses[1], *fields, expected_version=1, by=second),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409], turn
        won = 0 if answers[0].status_code == 200 else 1
        assert code(answers[1 - won]) == (409, "version_conflict")
        shown = await desk.show(record)
        expected = {"name": f"Mark {won + 1}", "employees": won + 1, "summary": str(won + 1)}
        assert (shown["content"], shown["version"]) == (expected, 2)
        assert (await desk.response(responses[won]))["status"] == "promoted"
        assert (await desk.response(responses[1 - won]))["status"] == "submitted"
        assert {s["response_id"] for s in (await desk.sources(record)).values()} == {responses[won]["id"]}
    assert len(await desk.events("response.promoted")) == 12


async def test_promoting_and_editing_at_once_one_wins(desk: Desk) -> None:
    for _ in range(8):
        record = await desk.make_record({"name": "Before", "employees": 0})
        response = await desk.submit(record, {"name": "Promoted", "employees": 1})
        path = f"/api/entities/{record['id']}"
        body = {"version": 1, "content": {"name": "Edited", "employees": 2}}
        answers = await asyncio.gather(
            desk.try_promote(response, "name", "employees", expected_version=1),
            desk.reviewer.patch(path, json=body),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        content = (await desk.show(record))["content"]
        assert content in ({"name": "Promoted", "employees": 1}, {"name": "Edited", "employees": 2})


async def test_promoting_and_rejecting_at_once_one_wins(desk: Desk) -> None:
    for _ in range(8):
        record = await desk.make_record()
        response = await desk.submit(record, {"name": "Acme"})
        answers = await asyncio.gather(
            desk.try_promote(response, "name"), desk.try_review(response, "rejected", "No")
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        shown, content = await desk.response(response), (await desk.show(record))["content"]
        assert (shown["status"], content) in (("promoted", {"name": "Acme"}), ("rejected", {}))


async def test_statuses_follow_from_who_is_the_source_of_what(desk: Desk) -> None:
    record = await desk.make_record()
    first = await desk.submit(record, {"name": "First", "employees": 1})
    second = await desk.submit(record, {"name": "Second", "employees": 2})

    async def statuses() -> tuple[str, str]:
        return (await desk.response(first))["status"], (await desk.response(second))["status"]

    await desk.promote(first, "name")
    assert await statuses() == ("partially_promoted", "submitted")
    await desk.promote(first, "employees")
    assert await statuses() == ("promoted", "submitted")
    await desk.promote(second, "name")
    assert await statuses() == ("promoted", "partially_promoted"), "the first still gives the employees"
    await desk.promote(second, "employees")
    assert await statuses() == ("superseded", "promoted")
    assert code(await desk.try_promote(first, "name")) == (409, "not_promotable")
    await desk.undo(record, "name")
    assert await statuses() == ("promoted", "partially_promoted")
    await desk.undo(record, "employees")
    assert await statuses() == ("promoted", "submitted")
    assert (await desk.response(second))["promoted_fields"] == []
    assert (await desk.show(record))["content"] == {"name": "First", "employees": 1}


async def test_a_direct_edit_supersedes_and_cannot_be_undone(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 1})
    await desk.promote(response, "name", "employees")
    await desk.edit(record, content={"name": "Edited", "employees": 1})
    assert (await desk.response(response))["status"] == "promoted", "it still gives the employees"
    await desk.edit(record, content={"name": "Edited"})
    assert (await desk.response(response))["status"] == "superseded"
    for field in ("name", "employees"):
        assert code(await desk.try_undo(record, field)) == (409, "field_changed_since")
    assert (await desk.show(record))["content"] == {"name": "Edited"}


async def test_an_undo_restores_value_source_and_statuses(desk: Desk) -> None:
    record = await desk.make_record({"name": "Edited"})
    before = (await desk.show(record), await desk.sources(record))
    response = await desk.submit(record, {"name": "Acme", "employees": 3})
    await desk.promote(response, "name", "employees")
    undone = await desk.undo(record, "name")
    assert (undone["content"], undone["version"]) == ({"name": "Edited", "employees": 3}, 3)
    shown = await desk.response(response)
    assert (shown["status"], shown["promoted_fields"]) == ("partially_promoted", ["employees"])
    undone = await desk.undo(record, "employees")
    assert (undone["content"], await desk.sources(record)) == (before[0]["content"], before[1])
    shown = await desk.response(response)
    assert (shown["status"], shown["promoted_fields"]) == ("submitted", [])
    history = await desk.history(record, "name")
    assert [(h["kind"], h["value"], h["current"]) for h in history] == [
        ("undo", "Edited", False),
        ("promotion", "Acme", False),
        ("edit", "Edited", True),
    ]
    assert history[0]["undoes_id"] == history[1]["id"]
    (employees, _) = await desk.history(record, "employees")
    assert (employees["present"], employees["value_before"]) == (False, 3)
    assert len(await desk.events("response.promotion_undone")) == 2
    assert code(await desk.try_undo(record, "name")) == (409, "field_changed_since")
    await desk.promote(response, "name")
    assert (await desk.show(record))["content"] == {"name": "Acme"}


async def test_a_chain_of_promotions_is_undone_one_by_one(desk: Desk) -> None:
    record = await desk.make_record()
    chain = [await desk.submit(record, {"name": f"Name {n}"}) for n in range(4)]
    for response in chain:
        await desk.promote(response, "name")
    for place in (3, 2, 1, 0):
        assert (await desk.show(record))["content"] == {"name": f"Name {place}"}
        assert (await desk.sources(record))["name"]["response_id"] == chain[place]["id"]
        statuses = [(await desk.response(response))["status"] for response in chain]
        assert statuses == ["superseded"] * place + ["promoted"] + ["submitted"] * (3 - place)
        await desk.undo(record, "name")
    assert ((await desk.show(record))["content"], await desk.sources(record)) == ({}, {})
    assert code(await desk.try_undo(record, "name")) == (409, "field_changed_since")


async def test_promoting_the_same_value_again_changes_nothing(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 3})
    await desk.promote(response, "name")
    once = await desk.show(record)
    assert await desk.promote(response, "name") == await desk.response(response)
    assert await desk.show(record) == once
    await desk.promote(response, "name", "employees")
    assert [len(await desk.history(record, field)) for field in ("name", "employees")] == [1, 1]
    assert len(await desk.events("response.promoted")) == 2
    await desk.undo(record, "employees")
    await desk.undo(record, "name")
    shown = await desk.response(response)
    assert (shown["status"], shown["promoted_fields"]) == ("submitted", [])
    assert (await desk.show(record))["content"] == {}


async def test_an_earlier_promotion_counts_again_when_those_after_it_are_undone(desk: Desk) -> None:
    record = await desk.make_record()
    one = await desk.submit(record, {"name": "One", "employees": 1})
    two = await desk.submit(record, {"name": "Two"})
    for response, fields in ((one, ["name", "employees"]), (two, ["name"]), (one, ["name"])):
        await desk.promote(response, *fields)
    for expected in ("Two", "One"):
        assert (await desk.undo(record, "name"))["content"]["name"] == expected
    shown = await desk.response(one)
    assert (shown["status"], sorted(shown["promoted_fields"])) == ("promoted", ["employees", "name"])
    assert (await desk.response(two))["status"] == "submitted"


async def test_an_undo_takes_the_field_out_of_the_promoted_ones_also_if_it_was_promoted_before_an_edit(
    desk: Desk,
) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 1})
    await desk.promote(response, "name", "employees")
    await desk.edit(record, content={"name": "Edited", "employees": 1})
    await desk.promote(response, "name")
    assert (await desk.undo(record, "name"))["content"] == {"name": "Edited", "employees": 1}
    shown = await desk.response(response)
    assert (shown["status"], shown["promoted_fields"]) == ("partially_promoted", ["employees"])
    await desk.undo(record, "employees")
    shown = await desk.response(response)
    assert (shown["status"], shown["promoted_fields"]) == ("submitted", [])
    await desk.review(response, "rejected", "No")
    await desk.review(response, "submitted")
    await desk.promote(response, "name")
    await desk.undo(record, "name")
    await desk.withdraw(response)


async def test_an_undo_between_two_promotions_of_one_response_leaves_it_without_the_field(desk: Desk) -> None:
    record = await desk.make_record()
    one = await desk.submit(record, {"name": "One", "employees": 1})
    two = await desk.submit(record, {"name": "Two"})
    for response, fields in ((one, ["name", "employees"]), (two, ["name"]), (one, ["name"])):
        await desk.promote(response, *fields)
    await desk.undo(record, "name")
    shown = await desk.response(one)
    assert (shown["status"], shown["promoted_fields"]) == ("partially_promoted", ["employees"])
    assert (await desk.response(two))["status"] == "promoted"


@pytest.mark.parametrize("gone", ["rejected", "withdrawn"])
async def test_what_was_rejected_or_withdrawn_since_does_not_come_back_by_an_undo(
    desk: Desk, gone: str
) -> None:
    record = await desk.make_record({"name": "Zero"})
    one = await desk.submit(record, {"name": "One", "employees": 1})
    two = await desk.submit(record, {"name": "Two"})
    for response, fields in ((one, ["name", "employees"]), (two, ["name"]), (one, ["name"])):
        await desk.promote(response, *fields)
    await desk.undo(record, "name")
    await desk.undo(record, "employees")
    if gone == "rejected":
        await desk.review(one, "rejected", "No")
    else:
        await desk.withdraw(one)
    assert (await desk.undo(record, "name"))["content"] == {"name": "Zero"}
    assert (await desk.sources(record))["name"]["kind"] == "edit"
    assert [(await desk.response(each))["promoted_fields"] for each in (one, two)] == [[], []]
    assert (await desk.history(record, "name"))[0]["value"] == "Zero"


async def test_the_answer_to_a_promotion_is_what_the_response_shows_afterwards(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 3})
    assert await desk.promote(response, "name") == await desk.response(response)


async def test_reviewers_who_name_no_version_promote_different_fields_at_once(desk: Desk) -> None:
    record = await desk.make_record()
    responses = [await desk.submit(record, {"name": "Acme"}), await desk.submit(record, {"employees": 3})]
    answers = await asyncio.gather(
        desk.try_promote(responses[0], "name"), desk.try_promote(responses[1], "employees")
    )
    assert [answer.status_code for answer in answers] == [200, 200]
    assert (await desk.show(record))["content"] == {"name": "Acme", "employees": 3}


async def test_of_two_undos_at_once_one_wins(desk: Desk) -> None:
    for _ in range(6):
        record = await desk.make_record()
        for name in ("One", "Two"):
            await desk.promote(await desk.submit(record, {"name": name}), "name")
        answers = await asyncio.gather(*(desk.try_undo(record, "name", expected_version=3) for _ in range(3)))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        assert (await desk.show(record))["content"] == {"name": "One"}


async def test_an_undo_that_would_break_the_schema_is_refused(desk: Desk) -> None:
    record = await desk.make_record()
    await desk.promote(await desk.submit(record, {"name": "Acme"}), "name")
    schema = (await desk.admin.get("/api/entity-types/company")).json()["json_schema"]
    required = {"json_schema": schema | {"required": ["name"]}}
    ok(await desk.try_change("/api/entity-types/company", required))
    answer = await desk.try_undo(record, "name")
    assert (answer.status_code, places(answer)) == (422, [("/content/name", "required")])
    assert (await desk.show(record))["content"] == {"name": "Acme"}


async def test_an_agent_neither_promotes_nor_undoes_whatever_its_role(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    for role in (Role.REVIEWER, Role.ADMIN):
        agent = await desk.agent(role)
        assert code(await desk.try_promote(response, "name", by=agent)) == (403, "agents_propose")
    await desk.promote(response, "name")
    assert code(await desk.try_undo(record, "name", by=agent)) == (403, "agents_propose")
    assert (await desk.show(record))["content"] == {"name": "Acme"}


async def test_promotion_needs_its_right(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    narrow = await desk.workspace.client(Role.OWNER, scopes=["*.team.read", "responses.team.review"])
    for client in (desk.contributor, narrow):
        assert code(await desk.try_promote(response, "name", by=client)) == (403, "forbidden")
        assert code(await desk.try_undo(record, "name", by=client)) == (403, "forbidden")


async def test_a_response_is_promoted_only_into_its_own_record(
    desk: Desk, other_workspace: Workspace
) -> None:
    record, other = await desk.make_record(), await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    elsewhere = response | {"entity_id": other["id"]}
    assert code(await desk.try_promote(elsewhere, "name")) == (404, "response_not_found")
    nowhere = response | {"entity_id": some_id()}
    assert code(await desk.try_promote(nowhere, "name")) == (404, "entity_not_found")
    stranger = await other_workspace.client(Role.OWNER)
    assert code(await desk.try_promote(response, "name", by=stranger)) == (404, "entity_not_found")
    assert code(await desk.try_undo(record, "name", by=stranger)) == (404, "entity_not_found")
    assert (await desk.show(other))["content"] == {}


async def test_who_listens_to_promotions_and_undos_is_told_in_the_same_transaction(desk: Desk) -> None:
    @job("test.heard")
    async def heard_of(tx: Tx, **_: Any) -> None: ...

    names = ("response.promoted", "response.promotion_undone")
    for name in names:
        listen(name, Listener(job="test.heard", payload=lambda event: event.payload))
    try:
        record = await desk.make_record()
        response = await desk.submit(record, {"name": "Acme"})
        await desk.try_promote(response, "ghost")
        await desk.promote(response, "name")
        await desk.undo(record, "name")
    finally:
        for name in names:
            LISTENERS[name].pop()
    jobs = ok(await desk.admin.get("/api/jobs"))["data"]
    heard = [job["args"] for job in reversed(jobs) if job["name"] == "test.heard"]
    assert heard == [event["payload"] for name in names for event in await desk.events(name)]


async def test_what_a_change_displaces_is_not_looked_for_among_all_promotions(desk: Desk) -> None:
    """Also not by a plan that is kept from when there were few. What a connection read in transactions before is counted with
    this one until it is reported."""
    count = "SELECT pg_stat_get_xact_tuples_returned('entity_field_history_response'::regclass)"
    for _ in range(30):
        await desk.promote(await desk.submit(await desk.make_record(), FULL), "name")
    record = await desk.make_record({"name": "Old"})
    first = await desk.submit(record, FULL)
    await desk.promote(first, "name")
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        before = await tx.fetchval(count)
        await tx.execute(
            "SELECT record_field_changes($1, 'edit', $2, $3, $4)",
            UUID(record["id"]),
            {"name": "Acme"},
            {"name": "New"},
            3,
        )
        assert await tx.fetchval(count) - before < 10
    assert (await desk.response(first))["status"] == "superseded"


async def test_a_response_is_promoted_to_its_own_record_alone(desk: Desk) -> None:
    mine, other = await desk.make_record(), await desk.make_record()
    response = await desk.submit(mine, FULL)
    refused = await desk.try_promote(response | {"entity_id": other["id"]}, "name")
    assert code(refused) == (404, "response_not_found")
