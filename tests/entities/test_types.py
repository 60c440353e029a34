"""Entity types through the API: defined once, changed only to what their records satisfy."""

import asyncio
from typing import Any

import pytest

from goldloop.entities.types import service
from goldloop.kit.queue import JOBS, MARKS
from goldloop.tenants.model import Role
from tests.entities.test_schema_cost import doubling
from tests.factories import Workspace
from tests.records import COMPANY, RUBRIC, Desk, code, make_desk, ok, places, some_id


async def test_the_same_create_again_answers_the_same_and_makes_nothing(desk: Desk) -> None:
    new = {"id": some_id(), "slug": "person", "name": "Person", "json_schema": COMPANY}
    first = await desk.admin.post("/api/entity-types", json=new)
    again = await desk.admin.post("/api/entity-types", json=new)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert len(await desk.events("entity_type.created")) == 2, "company and person"


async def test_a_taken_slug_or_id_with_other_content_is_a_conflict(desk: Desk) -> None:
    new = {"id": some_id(), "slug": "person", "name": "Person", "json_schema": COMPANY}
    ok(await desk.admin.post("/api/entity-types", json=new))
    for other in (
        new | {"name": "Other"},
        new | {"json_schema": {"type": "object", "properties": {}}},
        new | {"field_configs": {"name": {"label": "Called"}}},
        new | {"slug": "other"},
        new | {"id": some_id()},
        {key: value for key, value in new.items() if key != "id"},
    ):
        answer = await desk.admin.post("/api/entity-types", json=other)
        assert code(answer) == (409, "entity_type_exists"), other
    assert await desk.count("entity_types") == 2


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"json_schema": {"type": "array"}}, "/json_schema/type"),
        ({"json_schema": {"type": "object"}}, "/json_schema/properties"),
        (
            {"json_schema": {"type": "object", "properties": {"a": {"type": "strin"}}}},
            "/json_schema/properties/a/type",
        ),
        (
            {"json_schema": {"type": "object", "properties": {"a": {"$ref": "https://x.y/z"}}}},
            "/json_schema/properties/a/$ref",
        ),
        ({"field_configs": {"gone": {"label": "Gone"}}}, "/field_configs/gone"),
        (
            {"field_configs": {"name": {"relation": {"multiple": True}}}},
            "/field_configs/name/relation/target_type",
        ),
        ({"config": {"featuredScore": "x"}}, "/config/featuredScore"),
        ({"config": {"featuredScore": {"criteriaSetId": 1}}}, "/config/featuredScore"),
        ({"config": {"featuredScore": [1]}}, "/config/featuredScore"),
        ({"config": {"featuredScore": {"criteriaSetId": "quality"}}}, "/config/featuredScore"),
    ],
)
async def test_a_bad_definition_is_refused_with_its_place_on_create_and_on_change(
    desk: Desk, body: dict[str, Any], place: str
) -> None:
    new = {"slug": "person", "name": "Person", "json_schema": COMPANY}
    for answer in (
        await desk.admin.post("/api/entity-types", json=new | body),
        await desk.try_change("/api/entity-types/company", body),
    ):
        assert answer.status_code == 422, answer.text
        assert place in [path for path, _ in places(answer)]
    assert await desk.count("entity_types") == 1


async def test_fields_keep_the_order_that_they_were_given_in(desk: Desk) -> None:
    names = ["zeta", "alpha", "mid", "bb", "a"]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    configs = {name: {"label": name.upper()} for name in reversed(names)}
    made = await desk.make_type("ordered", schema, field_configs=configs)
    assert list(made["json_schema"]["properties"]) == names
    shown = ok(await desk.reviewer.get("/api/entity-types/ordered"))
    assert list(shown["json_schema"]["properties"]) == names
    assert list(shown["field_configs"]) == names[::-1]


async def test_a_change_of_the_order_alone_is_a_change(desk: Desk) -> None:
    turned = COMPANY | {"properties": dict(reversed(COMPANY["properties"].items()))}
    changed = ok(await desk.try_change("/api/entity-types/company", {"json_schema": turned}))
    assert list(changed["json_schema"]["properties"]) == list(turned["properties"])
    assert changed["version"] == 2


async def test_a_schema_that_records_break_is_refused_with_some_of_them_named(desk: Desk) -> None:
    fits = await desk.make_record({"name": "Acme"})
    breaks = [await desk.make_record({"employees": 5}, title=f"Without name {n}") for n in range(7)]
    answer = await desk.try_change(
        "/api/entity-types/company", {"json_schema": COMPANY | {"required": ["name"]}}
    )
    assert code(answer) == (409, "content_breaks_schema")
    named = answer.json()["conflict"]["records"]
    assert len(named) == 5
    assert {record["id"] for record in named} <= {record["id"] for record in breaks}
    assert {record["path"] for record in named} == {"/content/name"}
    assert fits["id"] not in {record["id"] for record in named}
    assert ok(await desk.admin.get("/api/entity-types/company"))["version"] == 1


async def test_a_record_and_a_schema_that_do_not_fit_each_other_never_both_win(desk: Desk) -> None:
    """Whichever commits first, afterwards every record satisfies its type's schema."""
    for turn in range(6):
        required = COMPANY | {"required": ["name"]}
        change, *made = await asyncio.gather(
            desk.try_change("/api/entity-types/company", {"json_schema": required}),
            *(
                desk.contributor.post("/api/entities", json={"type": "company", "title": f"{turn} {n}"})
                for n in range(3)
            ),
        )
        assert change.status_code in (200, 409), change.text
        assert {answer.status_code for answer in made} <= {201, 409, 422}
        nameless = ok(await desk.reviewer.get("/api/entities"))["data"]
        assert not (change.status_code == 200 and nameless), "a record slipped in"
        ok(await desk.try_change("/api/entity-types/company", {"json_schema": COMPANY}))
        for record in nameless:
            ok(await desk.reviewer.delete(f"/api/entities/{record['id']}"))


async def test_a_type_is_deleted_only_without_records(desk: Desk) -> None:
    record = await desk.make_record()
    assert code(await desk.admin.delete("/api/entity-types/company")) == (409, "entity_type_in_use")
    ok(await desk.reviewer.delete(f"/api/entities/{record['id']}"))
    assert (await desk.admin.delete("/api/entity-types/company")).status_code == 204
    assert code(await desk.admin.get("/api/entity-types/company")) == (404, "entity_type_not_found")
    assert code(await desk.admin.delete("/api/entity-types/company")) == (404, "entity_type_not_found")


async def test_a_featured_score_is_changed_but_never_cleared(desk: Desk) -> None:
    first = await desk.make_set("first", entity_type_slugs=["company"])
    second = await desk.make_set("second", entity_type_slugs=["company"])
    unchosen: tuple[dict[str, Any], ...] = (
        {},
        {"other": 1},
        {"featuredScore": {}},
        {"featuredScore": {"criteriaSetId": None}},
    )
    for config in unchosen:
        changed = ok(await desk.try_change("/api/entity-types/company", {"config": config}))
        assert changed["config"]["featuredScore"] == {"criteriaSetId": first["id"]}, config
    chosen = {"featuredScore": {"criteriaSetId": second["id"]}}
    assert ok(await desk.try_change("/api/entity-types/company", {"config": chosen}))["config"] == chosen
    assert ok(await desk.try_change("/api/entity-types/company", {"name": "Firm"}))["config"] == chosen


async def test_when_the_featured_set_is_deleted_the_next_scored_one_is_featured(desk: Desk) -> None:
    first = await desk.make_set("first", entity_type_slugs=["company"])
    await desk.make_set("unscored", entity_type_slugs=["company"], dimensions=RUBRIC[2:])
    third = await desk.make_set("third", entity_type_slugs=["company"])
    ok(await desk.admin.delete(f"/api/criteria-sets/{first['id']}"))
    shown = ok(await desk.admin.get("/api/entity-types/company"))
    assert shown["config"]["featuredScore"] == {"criteriaSetId": third["id"]}
    ok(await desk.admin.delete(f"/api/criteria-sets/{third['id']}"))
    fourth = await desk.make_set("fourth", entity_type_slugs=["company"])
    shown = ok(await desk.admin.get("/api/entity-types/company"))
    assert shown["config"]["featuredScore"] == {"criteriaSetId": fourth["id"]}


async def test_types_are_listed_by_slug_page_by_page(desk: Desk) -> None:
    for slug in ("zebra", "ant", "bee"):
        await desk.make_type(slug)
    seen, cursor = [], None
    while True:
        page = ok(
            await desk.reviewer.get(
                "/api/entity-types", params={"limit": 2} | ({"cursor": cursor} if cursor else {})
            )
        )
        seen += [found["slug"] for found in page["data"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == ["ant", "bee", "company", "zebra"]


async def test_only_admins_define_types(desk: Desk) -> None:
    new = {"slug": "person", "name": "Person", "json_schema": COMPANY}
    for client in (desk.reviewer, desk.contributor):
        assert (await client.post("/api/entity-types", json=new)).status_code == 403
        assert (
            await client.patch("/api/entity-types/company", json={"version": 1, "name": "X"})
        ).status_code == 403
        assert (await client.delete("/api/entity-types/company")).status_code == 403


async def test_the_same_slug_in_another_workspace_is_another_type(
    desk: Desk, other_workspace: Workspace
) -> None:
    other = await other_workspace.client(Role.ADMIN)
    assert code(await other.get("/api/entity-types/company")) == (404, "entity_type_not_found")
    ok(await other.post("/api/entity-types", json={"slug": "company", "name": "C", "json_schema": COMPANY}))


async def test_the_default_set_goes_with_its_type(desk: Desk) -> None:
    await desk.make_type("fleeting")
    slugs = {"slug": "default-fleeting"}
    assert len(ok(await desk.admin.get("/api/criteria-sets", params=slugs))["data"]) == 1
    ok(await desk.admin.delete("/api/entity-types/fleeting"))
    await desk.run_queued("criteria.remove_default")
    assert ok(await desk.admin.get("/api/criteria-sets", params=slugs))["data"] == []


async def test_a_schema_that_would_stop_the_server_is_refused_by_place(desk: Desk) -> None:
    new = {"slug": "trap", "name": "Trap", "json_schema": doubling("anyOf", 28)}
    answer = await desk.admin.post("/api/entity-types", json=new)
    assert code(answer) == (422, "invalid_input")
    assert [fault for _, fault in places(answer)] == ["too_costly"]


async def test_a_type_from_before_there_were_bounds_can_be_renamed_but_its_content_is_too_costly(
    desk: Desk,
) -> None:
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute("UPDATE entity_types SET json_schema = $1", doubling("anyOf", 28))
    assert ok(await desk.admin.patch("/api/entity-types/company", json={"name": "Firm"}))["name"] == "Firm"
    new = {"type": "company", "title": "Acme", "content": {"a": 1}}
    assert places(await desk.reviewer.post("/api/entities", json=new)) == [("/content", "too_costly")]


@pytest.mark.parametrize(("stored", "wanted"), [(1, True), (0, False), ([1], [True])])
async def test_a_schema_that_differs_by_true_for_1_is_another_schema(
    desk: Desk, stored: Any, wanted: Any
) -> None:
    before, after = ({"type": "object", "properties": {"a": {"const": each}}} for each in (stored, wanted))
    ok(await desk.admin.patch("/api/entity-types/company", json={"json_schema": before}))
    await desk.make_record({"a": stored})
    answer = await desk.admin.patch("/api/entity-types/company", json={"json_schema": after})
    assert code(answer) == (409, "content_breaks_schema")


@pytest.mark.parametrize("other", [{"config": {"x": True}}, {"config": {"x": 1, "y": 2}}, {"config": {}}])
async def test_a_repeated_create_with_another_config_is_a_conflict(desk: Desk, other: dict[str, Any]) -> None:
    new = {"id": some_id(), "slug": "person", "name": "P", "json_schema": COMPANY, "config": {"x": 1}}
    ok(await desk.admin.post("/api/entity-types", json=new))
    ok(await desk.admin.post("/api/entity-types", json=new | {"config": {"x": 1.0}}))
    assert code(await desk.admin.post("/api/entity-types", json=new | other)) == (409, "entity_type_exists")


async def test_a_create_repeated_after_a_set_was_featured_is_still_the_same(desk: Desk) -> None:
    new = {"id": some_id(), "slug": "person", "name": "P", "json_schema": COMPANY, "config": {"x": 1}}
    ok(await desk.admin.post("/api/entity-types", json=new))
    await desk.make_set("first", entity_type_slugs=["person"])
    assert "featuredScore" in ok(await desk.admin.post("/api/entity-types", json=new))["config"]


async def test_only_a_set_of_this_workspace_that_scores_the_type_can_be_featured(
    desk: Desk, other_workspace: Workspace
) -> None:
    foreign = await (await make_desk(other_workspace)).make_set("foreign")
    unscored = await desk.make_set("unscored", dimensions=[{"key": "a", "label": "A", "type": "text"}])
    elsewhere = await desk.make_set("elsewhere", entity_type_slugs=[(await desk.make_type("person"))["slug"]])
    for wrong, fault in (
        (foreign["id"], "criteria_set_not_found"),
        (some_id(), "criteria_set_not_found"),
        (unscored["id"], "cannot_be_featured"),
        (elsewhere["id"], "cannot_be_featured"),
    ):
        config = {"featuredScore": {"criteriaSetId": wrong}}
        answer = await desk.admin.patch("/api/entity-types/company", json={"config": config})
        assert places(answer) == [("/config/featuredScore/criteriaSetId", fault)]
        made = {"slug": "new", "name": "New", "json_schema": COMPANY, "config": config}
        answer = await desk.admin.post("/api/entity-types", json=made)
        assert places(answer) == [("/config/featuredScore/criteriaSetId", fault)]
    assert ok(await desk.admin.get("/api/entity-types/company"))["config"] == {}


async def test_the_id_of_a_featured_set_is_kept_in_the_usual_spelling(desk: Desk) -> None:
    everywhere = await desk.make_set("everywhere")
    config = {"featuredScore": {"criteriaSetId": everywhere["id"].upper(), "label": "Fit"}}
    changed = ok(await desk.admin.patch("/api/entity-types/company", json={"config": config}))
    assert changed["config"]["featuredScore"] == {"criteriaSetId": everywhere["id"], "label": "Fit"}
    config = {"featuredScore": {"criteriaSetId": f"urn:uuid:{everywhere['id']}"}}
    answer = await desk.admin.patch("/api/entity-types/company", json={"config": config})
    assert places(answer) == [("/config/featuredScore", "wrong_type")]


@pytest.mark.parametrize("spelling", ["{}", "urn:uuid:{}", "{{{}}}"])
async def test_records_are_scored_by_a_featured_set_however_its_id_was_stored(
    desk: Desk, spelling: str
) -> None:
    rubric = await desk.make_set(entity_type_slugs=["company"])
    await _store_featured(desk, spelling.format(rubric["id"].upper()))
    record = await desk.make_record()
    response = await desk.submit(record, {"team": 7, "market": 7}, criteria_set_slug="rubric")
    assert (await desk.show(record))["score"] == 70
    await _refresh(desk)
    await desk.review(response, "rejected")
    assert (await desk.show(record))["score"] is None


@pytest.mark.parametrize("stored", ["not an id", "00000000-0000-7000-8000-000000000001", 5, None])
async def test_a_rebuild_lives_with_a_featured_set_that_is_none(desk: Desk, stored: Any) -> None:
    await _store_featured(desk, stored)
    record = await desk.make_record()
    await desk.make_set(entity_type_slugs=["company"])
    await _refresh(desk)
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await JOBS["criteria.repair"].run(tx)
    await desk.submit(record, {"team": 7, "market": 7}, criteria_set_slug="rubric")
    assert (await desk.show(record))["score"] == 70


async def _store_featured(desk: Desk, set_id: Any) -> None:
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute("UPDATE entity_types SET config = $1", {"featuredScore": {"criteriaSetId": set_id}})


async def _refresh(desk: Desk) -> None:
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await MARKS["responses.of_type"].run(tx, "company")


async def test_records_are_read_a_few_at_a_time_for_a_new_schema(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "BATCH", 3)
    monkeypatch.setattr(service, "BATCH_BYTES", 5000)
    for number in range(8):
        await desk.make_record({"summary": "x" * (4000 if number % 2 else 10)})
    breaking = {"type": "object", "properties": {"summary": {"maxLength": 100}}}
    answer = await desk.admin.patch("/api/entity-types/company", json={"json_schema": breaking})
    assert len(answer.json()["conflict"]["records"]) == 4
    fitting = {"type": "object", "properties": {"summary": {"maxLength": 4000}}}
    ok(await desk.admin.patch("/api/entity-types/company", json={"json_schema": fitting}))
