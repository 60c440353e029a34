"""Types, criteria sets and views carry a version: whoever changes one says which they read, and nobody's work is
replaced unseen. Records do the same (`tests/entities/test_records.py`)."""

import asyncio
from typing import Any

import pytest

from tests.records import COMPANY, RUBRIC, Desk, code, ok, places

KINDS = ["type", "set", "view"]
CHANGED = {"type": "entity_type.changed", "set": "criteria_set.changed", "view": "view.changed"}


async def make(desk: Desk, kind: str) -> str:
    """The path of a new one, at version 1."""
    if kind == "type":
        await desk.make_type("person")
        return "/api/entity-types/person"
    if kind == "set":
        return f"/api/criteria-sets/{(await desk.make_set())['id']}"
    new = {"slug": "overview", "name": "Overview", "blocks": [{"type": "responses"}]}
    return f"/api/views/{ok(await desk.admin.post('/api/views', json=new))['id']}"


@pytest.mark.parametrize("kind", KINDS)
async def test_a_change_of_an_older_version_is_a_conflict_that_names_both(desk: Desk, kind: str) -> None:
    path = await make(desk, kind)
    first = ok(await desk.admin.patch(path, json={"version": 1, "name": "First"}))
    late = await desk.admin.patch(path, json={"version": 1, "name": "Late"})
    assert (first["version"], code(late)) == (2, (409, "version_conflict"))
    assert late.json()["conflict"] == {"expected_version": 1, "actual_version": 2}
    assert ok(await desk.admin.get(path)) == first
    assert code(await desk.admin.patch(path, json={"version": 3, "name": "Early"})) == (
        409,
        "version_conflict",
    )


@pytest.mark.parametrize("kind", KINDS)
async def test_of_two_changes_at_once_one_wins_and_the_other_learns_both_versions(
    desk: Desk, kind: str
) -> None:
    path = await make(desk, kind)
    for version in range(1, 6):
        answers = await asyncio.gather(
            *(
                desk.admin.patch(path, json={"version": version, "name": f"{version} by {who}"})
                for who in ("Ada", "Bo")
            )
        )
        lost, won = sorted(answers, key=lambda answer: answer.status_code == 200)
        assert (code(lost), won.status_code) == ((409, "version_conflict"), 200)
        assert lost.json()["conflict"] == {"expected_version": version, "actual_version": version + 1}
        assert ok(await desk.admin.get(path)) == won.json(), "and nothing is mixed"


@pytest.mark.parametrize("kind", KINDS)
async def test_a_change_that_names_no_version_is_the_last_word(desk: Desk, kind: str) -> None:
    path = await make(desk, kind)
    for number, name in enumerate(("First", "Second"), start=2):
        changed = ok(await desk.admin.patch(path, json={"name": name}))
        assert (changed["name"], changed["version"]) == (name, number)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", [0, -1, "1", 2**31, True])
async def test_a_version_is_a_number_from_one(desk: Desk, kind: str, version: Any) -> None:
    path = await make(desk, kind)
    answer = await desk.admin.patch(path, json={"name": "X", "version": version})
    assert (answer.status_code, [place for place, _ in places(answer)]) == (422, ["/version"])


@pytest.mark.parametrize("kind", KINDS)
async def test_what_changes_nothing_makes_no_version_and_no_event(desk: Desk, kind: str) -> None:
    path = await make(desk, kind)
    made = ok(await desk.admin.get(path))
    whole = {
        "type": ["name", "json_schema", "field_configs", "config"],
        "set": ["name", "kind", "dimensions", "description", "entity_type_slugs", "scope", "display_config"],
        "view": ["name", "blocks"],
    }[kind]
    for same in ({}, {"name": made["name"]}, {key: made[key] for key in whole}):
        assert ok(await desk.admin.patch(path, json={"version": 1, **same})) == made
    assert await desk.events(CHANGED[kind]) == []


@pytest.mark.parametrize("kind", KINDS)
async def test_a_change_sent_again_is_no_conflict_with_itself(desk: Desk, kind: str) -> None:
    path = await make(desk, kind)
    change = {"version": 1, "name": "Renamed"}
    once = ok(await desk.admin.patch(path, json=change))
    assert ok(await desk.admin.patch(path, json=change)) == once
    assert len(await desk.events(CHANGED[kind])) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", ["slug", "id", "entity_type", "is_default", "archived_at", "created_by"])
async def test_what_names_a_thing_or_is_the_servers_own_is_not_changed(
    desk: Desk, kind: str, part: str
) -> None:
    path = await make(desk, kind)
    made = ok(await desk.admin.get(path))
    answer = await desk.admin.patch(path, json={"version": 1, "name": "X", part: "other"})
    assert (answer.status_code, places(answer)) == (422, [(f"/{part}", "unknown_field")])
    assert ok(await desk.admin.get(path)) == made


async def test_in_json_true_is_not_1_and_so_it_is_a_change(desk: Desk) -> None:
    await desk.make_type("person", config={"shown": 1})
    changed = ok(await desk.try_change("/api/entity-types/person", {"config": {"shown": True}}))
    assert (changed["config"], changed["version"]) == ({"shown": True}, 2)
    schema = COMPANY | {"properties": {"n": {"enum": [1]}}}
    ok(await desk.try_change("/api/entity-types/person", {"json_schema": schema}))
    schema = COMPANY | {"properties": {"n": {"enum": [True]}}}
    assert ok(await desk.try_change("/api/entity-types/person", {"json_schema": schema}))["version"] == 4


async def test_a_set_is_archived_and_brought_back_only_by_saying_so(desk: Desk) -> None:
    path = await make(desk, "set")
    archived = ok(await desk.admin.patch(path, json={"version": 1, "archived": True}))
    assert archived["archived_at"] is not None
    changes: list[dict[str, Any]] = [{"name": "Other"}, {"dimensions": RUBRIC[:1]}, {"archived": True}]
    for change in changes:
        assert ok(await desk.try_change(path, change))["archived_at"] == archived["archived_at"], change
    back = ok(await desk.try_change(path, {"archived": False}))
    assert (back["archived_at"], back["name"], len(back["dimensions"])) == (None, "Other", 1)
    assert len(await desk.events("criteria_set.archived")) == 1


async def test_a_featured_set_hands_over_when_it_is_archived_and_not_back_by_a_rename(desk: Desk) -> None:
    async def featured() -> Any:
        return ok(await desk.admin.get("/api/entity-types/company"))["config"]["featuredScore"][
            "criteriaSetId"
        ]

    first = await desk.make_set("first", entity_type_slugs=["company"])
    second = await desk.make_set("second", entity_type_slugs=["company"])
    path = f"/api/criteria-sets/{first['id']}"
    assert await featured() == first["id"]
    ok(await desk.try_change(path, {"archived": True}))
    assert await featured() == second["id"]
    ok(await desk.try_change(path, {"name": "Other"}))
    ok(await desk.try_change(path, {"archived": False}))
    assert await featured() == second["id"], "what is featured stays while it gives scores"


async def test_a_set_is_renamed_also_when_what_it_names_is_gone(desk: Desk) -> None:
    await desk.make_type("group", field_configs={"owns": {"relation": {"target_type": "company"}}})
    scope = {"type": "relation", "fieldKey": "owns"}
    made = await desk.make_set(entity_type_slugs=["group"], scope=scope)
    path = f"/api/criteria-sets/{made['id']}"
    ok(await desk.try_change("/api/entity-types/group", {"field_configs": {}}))
    assert ok(await desk.try_change(path, {"name": "Was about owning"}))["scope"] == scope
    refused = await desk.try_change(path, {"scope": {"type": "relation", "fieldKey": "owes"}})
    assert places(refused) == [("/scope/fieldKey", "not_a_relation")]
    ok(await desk.admin.delete("/api/entity-types/group"))
    assert ok(await desk.try_change(path, {"name": "Was about groups"}))["entity_type_slugs"] == ["group"]
