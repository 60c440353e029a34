"""Records through the API: made, edited by people, refused where the schema or the version says no."""

import asyncio
from typing import Any

import pytest

from goldloop.entities.scores import get_entity_score
from goldloop.kit.errors import LONGEST_TEXT
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.records import Desk, code, ok, places, some_id


async def test_a_record_is_made_and_found(desk: Desk) -> None:
    made = await desk.make_record({"name": "Acme", "employees": 3}, metadata={"origin": "import"})
    assert (made["type"], made["version"], made["score"]) == ("company", 1, None)
    assert made["content"] == {"name": "Acme", "employees": 3}
    assert made["created_by"]["kind"] == "user"
    assert await desk.show(made) == made
    assert code(await desk.reviewer.get(f"/api/entities/{some_id()}")) == (404, "entity_not_found")


async def test_the_same_create_again_answers_the_same_and_makes_nothing(desk: Desk) -> None:
    new = {"id": some_id(), "type": "company", "title": "Acme", "content": {"name": "Acme"}}
    first = await desk.contributor.post("/api/entities", json=new)
    again = await desk.contributor.post("/api/entities", json=new)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert len(await desk.events("entity.created")) == 1
    assert len(await desk.history(first.json(), "name")) == 1
    for other in (new | {"title": "Other"}, new | {"content": {"name": "Other"}}):
        assert code(await desk.contributor.post("/api/entities", json=other)) == (409, "entity_exists")


async def test_a_record_of_no_type_or_without_a_title_is_refused(desk: Desk) -> None:
    answer = await desk.contributor.post("/api/entities", json={"type": "none", "title": "X"})
    assert (answer.status_code, places(answer)) == (422, [("/type", "entity_type_not_found")])
    answer = await desk.contributor.post("/api/entities", json={"type": "company", "title": " "})
    assert (answer.status_code, places(answer)) == (422, [("/title", "invalid_value")])


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"employees": -1}, ("/content/employees", "minimum")),
        ({"employees": "3"}, ("/content/employees", "type")),
        ({"stage": "middle"}, ("/content/stage", "enum")),
        ({"nothing": 1}, ("/content/nothing", "unknown_field")),
        ({"name": None}, ("/content/name", "type")),
    ],
)
async def test_content_always_satisfies_the_schema_whoever_writes(
    desk: Desk, content: dict[str, Any], place: tuple[str, str]
) -> None:
    record = await desk.make_record({"name": "Acme"})
    new = {"type": "company", "title": "Bad", "content": content}
    for answer in (
        await desk.admin.post("/api/entities", json=new),
        await desk.admin.patch(f"/api/entities/{record['id']}", json={"version": 1, "content": content}),
    ):
        assert answer.status_code == 422, answer.text
        assert places(answer) == [place]
    assert await desk.show(record) == record
    assert await desk.count("entities") == 1


async def test_an_edit_replaces_what_it_names_and_leaves_the_rest(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme", "employees": 3}, metadata={"a": 1})
    titled = await desk.edit(record, title="Acme Corp")
    assert (titled["title"], titled["content"], titled["metadata"], titled["version"]) == (
        "Acme Corp",
        record["content"],
        {"a": 1},
        2,
    )
    filled = await desk.edit(record, content={"active": True})
    assert (filled["title"], filled["content"], filled["version"]) == ("Acme Corp", {"active": True}, 3)
    assert (await desk.edit(record, metadata={"b": 2}))["metadata"] == {"b": 2}


async def test_an_edit_of_an_older_version_is_a_conflict_that_names_both(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme"})
    await desk.edit(record, content={"name": "First"})
    late = await desk.reviewer.patch(
        f"/api/entities/{record['id']}", json={"version": 1, "content": {"name": "Late"}}
    )
    assert code(late) == (409, "version_conflict")
    assert late.json()["conflict"] == {"expected_version": 1, "actual_version": 2}
    assert (await desk.show(record))["content"] == {"name": "First"}


async def test_of_many_edits_of_one_version_exactly_one_wins(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme"})
    for version in range(1, 6):
        answers = await asyncio.gather(
            *(
                desk.reviewer.patch(
                    f"/api/entities/{record['id']}",
                    json={"version": version, "content": {"name": f"v{version} by {n}", "employees": n}},
                )
                for n in range(4)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        (won,) = [answer.json() for answer in answers if answer.status_code == 200]
        assert (await desk.show(record))["content"] == won["content"], "and nothing is mixed"


async def test_an_agent_proposes_and_never_writes_whatever_its_role(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme"})
    agent = await desk.agent(Role.ADMIN)
    path = f"/api/entities/{record['id']}"
    edit = {"version": 1, "content": {"name": "Other"}}
    assert code(await agent.patch(path, json=edit)) == (403, "agents_propose")
    assert code(await agent.patch(path, json={"version": 1, "title": "Other"})) == (403, "agents_propose")
    assert code(await agent.delete(path)) == (403, "agents_propose")
    new = {"type": "company", "title": "Found", "content": {"name": "Found"}}
    assert code(await agent.post("/api/entities", json=new)) == (403, "agents_propose")
    assert await desk.show(record) == record
    bare = ok(await agent.post("/api/entities", json={"type": "company", "title": "Found"}))
    assert (bare["content"], bare["created_by"]["kind"]) == ({}, "agent")


async def test_a_contributor_makes_records_and_only_a_reviewer_edits_them(desk: Desk) -> None:
    made = ok(await desk.contributor.post("/api/entities", json={"type": "company", "title": "Acme"}))
    path = f"/api/entities/{made['id']}"
    assert (await desk.contributor.patch(path, json={"version": 1, "title": "B"})).status_code == 403
    assert (await desk.contributor.delete(path)).status_code == 403
    viewer = await desk.workspace.client(Role.VIEWER)
    assert (await viewer.post("/api/entities", json={"type": "company", "title": "B"})).status_code == 403
    assert (await viewer.get(path)).status_code == 200


async def test_nobody_writes_the_score_summary_by_hand(desk: Desk) -> None:
    forged = {"response_summary": {"latest_score": 99}, "kept": 1}
    record = await desk.make_record(metadata=forged)
    assert (record["metadata"], record["score"]) == ({"kept": 1}, None)
    edited = await desk.edit(record, metadata=forged)
    assert (edited["metadata"], edited["score"]) == ({"kept": 1}, None)
    await desk.make_set(entity_type_slugs=["company"])
    await desk.submit(record, {"team": 6, "market": 6}, criteria_set_slug="rubric")
    summary = (await desk.show(record))["metadata"]["response_summary"]
    for metadata in (forged, {}):
        edited = await desk.edit(record, metadata=metadata)
        assert (edited["metadata"]["response_summary"], edited["score"]) == (summary, 60.0)


@pytest.mark.parametrize(
    "metadata",
    [
        {"weighted_score": 1},
        {"weighted_score": 10},
        {"weighted_score": 5.5},
        {"weighted_score": 0.99},
        {"weighted_score": 11},
        {"weighted_score": "7"},
        {"weighted_score": None},
        {"weighted_score": True},
        {"weighted_score": 1e50},
        {"weighted_score": {"a": 1}},
        {},
    ],
)
async def test_the_score_in_a_list_is_the_score_of_the_pure_function(
    desk: Desk, metadata: dict[str, Any]
) -> None:
    record = await desk.make_record(metadata=metadata)
    expected = get_entity_score(metadata)
    assert record["score"] == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("role", [Role.CONTRIBUTOR, Role.OWNER])
async def test_an_agent_does_not_give_a_record_a_score_by_its_metadata(desk: Desk, role: Role) -> None:
    agent = await desk.agent(role)
    new = {"type": "company", "title": "Acme"}
    for score in (10, "10", None):
        refused = await agent.post("/api/entities", json={**new, "metadata": {"weighted_score": score}})
        assert places(refused) == [("/metadata/weighted_score", "agents_propose")]
    summary = {"response_summary": {"latest_score": 100}}
    for metadata in (summary, {"legacy": {"weighted_score": 10, **summary}}):
        made = ok(await agent.post("/api/entities", json={**new, "metadata": metadata}))
        assert made["score"] is None


async def test_deleting_a_record_takes_all_that_belongs_to_it(desk: Desk) -> None:
    ok(
        await desk.try_change(
            "/api/entity-types/company",
            {"field_configs": {"parent": {"relation": {"target_type": "company", "multiple": True}}}},
        )
    )
    record, other = await desk.make_record({"name": "Acme"}), await desk.make_record(title="Other")
    response = await desk.submit(record, {"name": "Better", "employees": 4})
    await desk.submit(record, {"name": "Again"}, parent_response_id=response["id"])
    await desk.promote(response, "name")
    await desk.undo(record, "name")
    await desk.promote(response, "employees")
    for source, target in ((record, other), (other, record)):
        body = {"field_key": "parent", "target_id": target["id"]}
        ok(await desk.contributor.post(f"/api/entities/{source['id']}/relations", json=body))
    assert (await desk.reviewer.delete(f"/api/entities/{record['id']}")).status_code == 204
    for path in ("", "/responses", "/relations", "/fields", f"/responses/{response['id']}"):
        answer = await desk.reviewer.get(f"/api/entities/{record['id']}{path}")
        assert answer.status_code == 404, path
    for table in ("entity_responses", "entity_relations", "entity_field_history", "entity_field_sources"):
        assert await desk.count(table) == 0, table
    assert [e["id"] for e in ok(await desk.reviewer.get("/api/entities"))["data"]] == [other["id"]]
    assert len(await desk.events("response.promoted")) == 2, "the log of events is kept"
    assert code(await desk.reviewer.delete(f"/api/entities/{record['id']}")) == (404, "entity_not_found")


async def test_a_record_of_another_workspace_is_not_there(desk: Desk, other_workspace: Workspace) -> None:
    record = await desk.make_record({"name": "Acme"})
    other = await other_workspace.client(Role.OWNER)
    path = f"/api/entities/{record['id']}"
    for answer in (
        await other.get(path),
        await other.patch(path, json={"version": 1, "title": "Mine"}),
        await other.delete(path),
        await other.get(f"{path}/responses"),
        await other.post(f"{path}/responses", json={"values": {}}),
        await other.get(f"{path}/fields/name/history"),
    ):
        assert code(answer) == (404, "entity_not_found")
    assert await desk.show(record) == record


async def test_an_edit_tells_which_fields_it_changed(desk: Desk) -> None:
    await desk.make_type("plain", {"type": "object", "properties": {"kept": {}}})
    record = await desk.make_record({"kept": 1, "odd": 1, "gone": None, "deep": {"a": [1]}}, type="plain")
    await desk.edit(record, title="Other")
    await desk.edit(record, content={"kept": 1, "odd": True, "new": None, "deep": {"a": [2]}})
    changed_fields = [event["payload"]["fields"] for event in await desk.events("entity.edited")]
    assert changed_fields == [[], ["deep", "gone", "new", "odd"]]


async def test_a_record_that_several_delete_at_the_same_moment_is_deleted_once(desk: Desk) -> None:
    record = await desk.make_record()
    answers = await asyncio.gather(*(desk.reviewer.delete(f"/api/entities/{record['id']}") for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [204, 404, 404, 404, 404]
    assert len(await desk.events("entity.removed")) == 1


@pytest.mark.parametrize("other", [{"metadata": {"x": True}}, {"metadata": {}}, {"content": {"a": True}}])
async def test_a_repeated_create_with_another_value_is_a_conflict(desk: Desk, other: dict[str, Any]) -> None:
    ok(
        await desk.admin.patch(
            "/api/entity-types/company", json={"json_schema": {"type": "object", "properties": {}}}
        )
    )
    new = {"id": some_id(), "type": "company", "title": "Acme", "content": {"a": 1}, "metadata": {"x": 1}}
    ok(await desk.reviewer.post("/api/entities", json=new))
    ok(await desk.reviewer.post("/api/entities", json=new | {"content": {"a": 1.0}}))
    assert code(await desk.reviewer.post("/api/entities", json=new | other)) == (409, "entity_exists")


async def test_a_create_repeated_after_a_record_was_rated_is_still_the_same(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    new = {"id": some_id(), "type": "company", "title": "Acme", "content": {}, "metadata": {"x": 1}}
    record = ok(await desk.reviewer.post("/api/entities", json=new))
    await desk.submit(record, {"team": 7, "market": 7}, criteria_set_slug="rubric")
    assert ok(await desk.reviewer.post("/api/entities", json=new))["metadata"]["x"] == 1


def in_short(path: str) -> str:
    return path if len(path) <= LONGEST_TEXT else f"{path[: LONGEST_TEXT - 1]}…"


@pytest.mark.parametrize("name", ["k" * 201, "k" * 2700, "ü" * 2700, "a\nb", "a\u202eb"])
async def test_a_field_has_a_short_name_on_one_line(desk: Desk, name: str) -> None:
    await desk.make_type("loose", {"type": "object", "properties": {}})
    record = await desk.make_record({"a": 1}, type="loose")
    refused = [(in_short(f"/content/{name}"), "invalid_field_name")]
    made = await desk.reviewer.post(
        "/api/entities", json={"type": "loose", "title": "T", "content": {name: 1}}
    )
    edited = await desk.reviewer.patch(
        f"/api/entities/{record['id']}", json={"version": 1, "content": {name: 1}}
    )
    for answer in (made, edited):
        assert (answer.status_code, places(answer)) == (422, refused)
    schema = {"type": "object", "properties": {name: {}}}
    typed = await desk.admin.post(
        "/api/entity-types", json={"slug": "other", "name": "Other", "json_schema": schema}
    )
    assert (typed.status_code, places(typed)) == (
        422,
        [(in_short(f"/json_schema/properties/{name}"), "invalid_field_name")],
    )


async def test_the_longest_name_of_a_field_can_be_edited(desk: Desk) -> None:
    longest = "字" * 200
    await desk.make_type("loose", {"type": "object", "properties": {}})
    record = await desk.make_record({longest: 1}, type="loose")
    edited = await desk.edit(record, content={longest: 2})
    assert edited["content"] == {longest: 2}


@pytest.mark.parametrize("title", ["a\nb", "a\x1b[2J", "a\u2028b", "a\u202eb"])
async def test_a_title_is_one_line(desk: Desk, title: str) -> None:
    answer = await desk.reviewer.post(
        "/api/entities", json={"type": "company", "title": title, "content": {}}
    )
    assert (answer.status_code, places(answer)) == (422, [("/title", "invalid_value")])


async def test_several_records_are_deleted_together_all_or_none(desk: Desk) -> None:
    kept, *others = [await desk.make_record(title=f"Thing {place}") for place in range(4)]
    ids = [record["id"] for record in others]
    for client in some([desk.contributor, await desk.agent(Role.REVIEWER)]):
        assert (await client.post("/api/entities/delete", json={"ids": ids})).status_code == 403
    answer = await desk.reviewer.post("/api/entities/delete", json={"ids": [*ids, ids[0], some_id()]})
    assert ok(answer) == {"removed": 3}
    assert ok(await desk.reviewer.post("/api/entities/delete", json={"ids": ids})) == {"removed": 0}
    assert [e["id"] for e in ok(await desk.reviewer.get("/api/entities"))["data"]] == [kept["id"]]
    assert {e["subject_id"] for e in await desk.events("entity.removed")} == set(ids)
    for bad in ([], [some_id()] * 201, ["x"]):
        assert (await desk.reviewer.post("/api/entities/delete", json={"ids": bad})).status_code == 422
