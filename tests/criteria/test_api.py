"""Criteria sets through the API: defined, changed, archived; the default set follows its type."""

from typing import Any

import pytest

from goldloop.criteria import jobs as criteria_jobs
from goldloop.criteria import service
from goldloop.criteria.model import CriteriaSetDefinition, Dimension, DimensionType, Kind
from goldloop.kit.queue import JOBS
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import COMPANY, RUBRIC, Desk, code, ok, places, some_id

REPAIR = "criteria.repair"


async def default_set(desk: Desk, slug: str = "company") -> Any:
    """By reading alone: nothing is made."""
    found = ok(await desk.reviewer.get("/api/criteria-sets", params={"slug": f"default-{slug}"}))["data"]
    return found[0] if found else None


async def featured(desk: Desk, slug: str = "company") -> str | None:
    config = ok(await desk.reviewer.get(f"/api/entity-types/{slug}"))["config"]
    return (config.get("featuredScore") or {}).get("criteriaSetId")


async def test_a_set_is_defined_and_found(desk: Desk) -> None:
    made = await desk.make_set(
        description="How good?",
        entity_type_slugs=["company"],
        display_type="likert-matrix",
        display_config={"scale": [0, 10], "anchorLabels": {"min": "poor", "max": "good"}},
        dimensions=RUBRIC[:2],
    )
    assert (made["kind"], made["is_default"], made["version"], made["archived_at"]) == (
        "assessment",
        False,
        1,
        None,
    )
    assert made["dimensions"][0]["scale"] == [0, 10]
    viewer = await desk.workspace.client(Role.VIEWER)
    assert ok(await viewer.get(f"/api/criteria-sets/{made['id']}")) == made
    assert code(await viewer.get(f"/api/criteria-sets/{some_id()}")) == (404, "criteria_set_not_found")


async def test_the_same_create_again_answers_the_same_and_another_is_a_conflict(desk: Desk) -> None:
    new = {"id": some_id(), "slug": "rubric", "name": "R", "kind": "assessment", "dimensions": RUBRIC}
    first, again = [await desk.admin.post("/api/criteria-sets", json=new) for _ in range(2)]
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    for other in (new | {"name": "S"}, new | {"dimensions": RUBRIC[:1]}, new | {"id": some_id()}):
        assert code(await desk.admin.post("/api/criteria-sets", json=other)) == (409, "criteria_set_exists")
    made = [event["payload"]["slug"] for event in await desk.events("criteria_set.created")]
    assert sorted(made) == ["default-company", "rubric"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"dimensions": []}, ("/dimensions", "empty")),
        ({"dimensions": [RUBRIC[0], RUBRIC[0]]}, ("/dimensions/1/key", "duplicate_key")),
        ({"dimensions": [RUBRIC[0] | {"scale": [5, 1]}]}, ("/dimensions/0/scale", "scale_upside_down")),
        ({"dimensions": [RUBRIC[0] | {"weight": 2}]}, ("/dimensions/0/weight", "weight_out_of_range")),
        ({"dimensions": [{"key": "a", "label": "A", "type": "select"}]}, ("/dimensions/0/options", "options_missing")),
        ({"dimensions": [{"key": "a", "label": "A", "type": "date"}]}, ("/dimensions/0/type", "invalid_value")),
        ({"dimensions": [RUBRIC[0] | {"wieght": 1}]}, ("/dimensions/0/wieght", "unknown_field")),
        ({"display_type": "pie"}, ("/display_type", "unknown_display_type")),
        ({"display_type": "likert-matrix"}, ("/dimensions/2/type", "not_numeric")),
        ({"kind": "temporal"}, ("/temporal_key", "temporal_key_missing")),
        ({"entity_type_slugs": ["company", "ghost"]}, ("/entity_type_slugs/1", "entity_type_not_found")),
        ({"entity_type_slugs": []}, ("/entity_type_slugs", "wrong_count")),
        ({"scope": {"type": "relation"}}, ("/scope/fieldKey", "field_key_missing")),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)  # fmt: skip
async def test_a_bad_definition_is_refused_with_its_place_on_create_and_on_change(
    desk: Desk, body: dict[str, Any], place: tuple[str, str]
) -> None:
    made = await desk.make_set()
    new = {"slug": "other", "name": "Other", "kind": "assessment", "dimensions": RUBRIC}
    for answer in (
        await desk.admin.post("/api/criteria-sets", json=new | body),
        await desk.try_change(f"/api/criteria-sets/{made['id']}", body),
    ):
        assert answer.status_code == 422, answer.text
        assert place in places(answer)
    assert ok(await desk.admin.get(f"/api/criteria-sets/{made['id']}")) == made


async def test_slugs_of_default_sets_are_reserved(desk: Desk) -> None:
    new = {"slug": "default-company", "name": "Mine", "kind": "record", "dimensions": []}
    answer = await desk.admin.post("/api/criteria-sets", json=new)
    assert (answer.status_code, places(answer)) == (422, [("/slug", "reserved_slug")])


async def test_a_change_names_what_it_changes_and_null_clears(desk: Desk) -> None:
    made = await desk.make_set(description="How good?", entity_type_slugs=["company"])
    path = f"/api/criteria-sets/{made['id']}"
    renamed = ok(await desk.try_change(path, {"name": "Better"}))
    assert (renamed["name"], renamed["version"], renamed["dimensions"]) == ("Better", 2, made["dimensions"])
    cleared = ok(await desk.try_change(path, {"entity_type_slugs": None, "description": None}))
    assert (cleared["entity_type_slugs"], cleared["name"]) == (None, "Better")
    assert not cleared["description"]
    assert code(await desk.try_change(f"/api/criteria-sets/{some_id()}", {})) == (
        404,
        "criteria_set_not_found",
    )


async def test_sets_are_listed_for_a_type_with_those_of_all_types(desk: Desk) -> None:
    await desk.make_type("person")
    await desk.make_set("any")
    await desk.make_set("for-company", entity_type_slugs=["company"])
    await desk.make_set("for-person", entity_type_slugs=["person"])

    async def slugs(**params: Any) -> list[str]:
        seen: list[str] = []
        cursor = None
        while True:
            query = {"limit": 1, **params} | ({"cursor": cursor} if cursor else {})
            page = ok(await desk.reviewer.get("/api/criteria-sets", params=query))
            seen += [found["slug"] for found in page["data"]]
            if (cursor := page["next_cursor"]) is None:
                return seen

    assert await slugs(entity_type="company") == ["any", "default-company", "for-company"]
    assert await slugs(entity_type="person") == ["any", "default-person", "for-person"]
    assert await slugs(slug="any") == ["any"]
    answer = await desk.reviewer.get("/api/criteria-sets", params={"entity_type": "ghost"})
    assert code(answer) == (404, "entity_type_not_found")


async def test_a_set_nobody_used_is_deleted_and_one_with_responses_is_archived(desk: Desk) -> None:
    unused, used = await desk.make_set("unused"), await desk.make_set("used")
    record = await desk.make_record()
    response = await desk.submit(record, {"team": 3}, criteria_set_slug="used")
    assert ok(await desk.admin.delete(f"/api/criteria-sets/{unused['id']}")) is None
    assert code(await desk.admin.get(f"/api/criteria-sets/{unused['id']}")) == (404, "criteria_set_not_found")
    archived = ok(await desk.admin.delete(f"/api/criteria-sets/{used['id']}"))
    assert archived["archived_at"] is not None
    listed = ok(await desk.reviewer.get("/api/criteria-sets"))["data"]
    assert [s["slug"] for s in listed] == ["default-company"]
    listed = ok(await desk.reviewer.get("/api/criteria-sets", params={"archived": True}))["data"]
    assert [s["slug"] for s in listed] == ["default-company", "used"]
    assert await desk.response(response) == response
    again = await desk.contributor.post(
        f"/api/entities/{record['id']}/responses", json={"values": {"team": 3}, "criteria_set_id": used["id"]}
    )
    assert (again.status_code, places(again)) == (422, [("/criteria_set_id", "criteria_set_archived")])
    path = f"/api/criteria-sets/{used['id']}"
    renamed = ok(await desk.try_change(path, {"name": "Once used"}))
    assert (renamed["name"], renamed["archived_at"]) == ("Once used", archived["archived_at"])
    restored = ok(await desk.try_change(path, {"archived": False}))
    assert (restored["name"], restored["archived_at"]) == ("Once used", None)
    await desk.submit(record, {"team": 4}, criteria_set_slug="used")


async def test_a_withdrawn_response_still_keeps_its_set(desk: Desk) -> None:
    used = await desk.make_set()
    await desk.withdraw(await desk.submit(await desk.make_record(), {"team": 3}, criteria_set_slug="rubric"))
    assert ok(await desk.admin.delete(f"/api/criteria-sets/{used['id']}"))["archived_at"] is not None


async def test_the_default_set_is_made_with_its_type(desk: Desk) -> None:
    made = await default_set(desk)
    assert (made["kind"], made["is_default"], made["entity_type_slugs"]) == ("record", True, ["company"])
    assert [(d["key"], d["type"], d.get("fieldName")) for d in made["dimensions"]] == [
        ("name", "text", "name"),
        ("employees", "number", "employees"),
        ("active", "select", "active"),
        ("stage", "select", "stage"),
        ("summary", "richtext", "summary"),
    ]


@pytest.mark.parametrize("how", ["repair", "submit"])
async def test_a_default_set_that_is_missing_is_made_by_repair_and_when_it_is_needed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(criteria_jobs, "REPAIRED", 1)
    await desk.make_type("place", {"type": "object", "properties": {"city": {"type": "string"}}})
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute("DELETE FROM criteria_sets WHERE is_default")
    ok(await desk.reviewer.get("/api/criteria-sets", params={"entity_type": "company"}))
    assert await default_set(desk) is None, "reading makes nothing"
    if how == "repair":
        await repair(desk)
        slugs = [s["slug"] for s in ok(await desk.reviewer.get("/api/criteria-sets"))["data"]]
        assert slugs == ["default-company", "default-place"]
    else:
        await desk.submit(await desk.make_record(), {"name": "Acme"})
    made = await default_set(desk)
    assert made is not None
    await repair(desk)
    assert await default_set(desk) == made, "what is in order stays"


async def repair(desk: Desk) -> None:
    """As a worker does after `goldloop repair`: each batch queues the next."""
    after: str | None = ""
    while after is not None:
        async with desk.workspace.db.tx(desk.workspace.system) as tx:
            await JOBS[REPAIR].run(tx, after=after)
        queued = ok(await desk.admin.get("/api/jobs", params={"limit": 200}))["data"]
        newest = next((job["args"]["after"] for job in queued if job["name"] == REPAIR), "")
        after = newest if newest > after else None


async def test_the_default_set_follows_its_type_also_in_the_order_of_fields(desk: Desk) -> None:
    before = await default_set(desk)
    turned = COMPANY | {"properties": dict(reversed(COMPANY["properties"].items()))}
    ok(await desk.try_change("/api/entity-types/company", {"json_schema": turned}))
    after = await default_set(desk)
    assert (after["id"], after["version"]) == (before["id"], 2)
    assert [d["key"] for d in after["dimensions"]] == [d["key"] for d in before["dimensions"]][::-1]

    wider = COMPANY | {"properties": COMPANY["properties"] | {"city": {"type": "string"}}}
    changes = {"json_schema": wider, "field_configs": {"city": {"label": "Seat"}}}
    ok(await desk.try_change("/api/entity-types/company", changes))
    record = await desk.make_record()
    await desk.submit(record, {"city": "Bern"})
    assert [d["label"] for d in (await default_set(desk))["dimensions"]][-1] == "Seat"


async def test_a_type_made_anew_does_not_inherit_the_default_set_of_its_namesake(desk: Desk) -> None:
    ok(await desk.admin.delete("/api/entity-types/company"))
    await desk.make_type("company", {"type": "object", "properties": {"city": {"type": "string"}}})
    assert [d["key"] for d in (await default_set(desk))["dimensions"]] == ["city"]


async def test_a_default_set_is_neither_changed_nor_deleted(desk: Desk) -> None:
    made = await default_set(desk)
    path = f"/api/criteria-sets/{made['id']}"
    assert code(await desk.try_change(path, {"name": "Mine"})) == (409, "default_set_read_only")
    assert code(await desk.admin.delete(path)) == (409, "default_set_read_only")
    assert await default_set(desk) == made


async def test_the_first_scored_set_of_a_type_becomes_its_featured_score(desk: Desk) -> None:
    await desk.make_set("everywhere")
    await desk.make_set("unscored", entity_type_slugs=["company"], dimensions=RUBRIC[2:])
    zero = [RUBRIC[0] | {"weight": 0}]
    await desk.make_set("weightless", entity_type_slugs=["company"], dimensions=zero)
    assert await featured(desk) is None
    first = await desk.make_set("first", entity_type_slugs=["company"])
    await desk.make_set("second", entity_type_slugs=["company"])
    assert await featured(desk) == first["id"]


async def test_a_set_that_becomes_scored_or_scoped_later_is_featured_then(desk: Desk) -> None:
    made = await desk.make_set(dimensions=RUBRIC[2:], entity_type_slugs=["company"])
    assert await featured(desk) is None
    ok(await desk.try_change(f"/api/criteria-sets/{made['id']}", {"dimensions": RUBRIC}))
    assert await featured(desk) == made["id"]
    await desk.make_type("person")
    scope = {"entity_type_slugs": ["company", "person"]}
    ok(await desk.try_change(f"/api/criteria-sets/{made['id']}", scope))
    assert await featured(desk, "person") == made["id"]


async def test_what_a_set_rates_stays_once_somebody_has_rated_it(desk: Desk) -> None:
    fields = {
        name: {"relation": {"target_type": "company", "multiple": True}} for name in ("owns", "supplies")
    }
    await desk.make_type("group", field_configs=fields)
    made = await desk.make_set("edges", entity_type_slugs=["group"])
    path = f"/api/criteria-sets/{made['id']}"
    for field in ("owns", "supplies"):
        ok(await desk.try_change(path, {"scope": {"type": "relation", "fieldKey": field}}))
    record, other = await desk.make_record(type="group"), await desk.make_record()
    ok(
        await desk.admin.post(
            f"/api/entities/{record['id']}/relations",
            json={"field_key": "supplies", "target_id": other["id"]},
        )
    )
    response = await desk.submit(record, {other["id"]: {"team": 4}}, criteria_set_slug="edges")
    before = await desk.aggregate(record, made)
    for scope in (None, {"type": "entity"}, {"type": "relation", "fieldKey": "owns"}):
        refused = await desk.try_change(path, {"scope": scope})
        assert places(refused) == [("/scope", "scope_in_use")]
    ok(await desk.try_change(path, {"name": "Other", "scope": {"type": "relation", "fieldKey": "supplies"}}))
    assert await desk.aggregate(record, made) == before
    assert response["values"] == {other["id"]: {"team": 4}}


async def test_changing_or_archiving_a_set_changes_nothing_that_was_said_with_it(desk: Desk) -> None:
    made = await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    responses = [
        await desk.submit(record, {"team": n, "market": 10 - n, "verdict": "buy"}, criteria_set_slug="rubric")
        for n in (2, 7, 9)
    ]
    before = (await desk.show(record), await desk.aggregate(record, made))
    path = f"/api/criteria-sets/{made['id']}"
    other = [RUBRIC[0] | {"weight": 0.1, "scale": [0, 100], "label": "Crew"}, RUBRIC[3]]
    for change in (
        desk.try_change(path, {"dimensions": other, "name": "Changed"}),
        desk.admin.delete(path),
    ):
        ok(await change)
        assert (await desk.show(record), await desk.aggregate(record, made)) == before
        assert [await desk.response(response) for response in responses] == responses


async def test_only_admins_define_sets_and_another_workspace_sees_none(
    desk: Desk, other_workspace: Workspace
) -> None:
    made = await desk.make_set()
    new = {"slug": "mine", "name": "Mine", "kind": "assessment", "dimensions": RUBRIC}
    path = f"/api/criteria-sets/{made['id']}"
    for client in (desk.reviewer, desk.contributor):
        assert (await client.post("/api/criteria-sets", json=new)).status_code == 403
        assert (await client.patch(path, json={"version": 1, "name": "X"})).status_code == 403
        assert (await client.delete(path)).status_code == 403
    stranger = await other_workspace.client(Role.OWNER)
    for answer in (
        await stranger.get(path),
        await stranger.patch(path, json={"version": 1, "name": "X"}),
        await stranger.delete(path),
        await stranger.get(f"{path}/agreement"),
    ):
        assert code(answer) == (404, "criteria_set_not_found")


async def test_a_set_for_many_types_asks_the_database_as_often_as_one_for_two(desk: Desk) -> None:
    slugs = [(await desk.make_type(f"type-{n}"))["slug"] for n in range(20)]

    async def statements(slug: str, types: list[str]) -> int:
        asked: list[str] = []
        definition = CriteriaSetDefinition(
            slug=slug,
            name="S",
            kind=Kind.ASSESSMENT,
            dimensions=[Dimension(key="a", label="A", type=DimensionType.TEXT)],
            entity_type_slugs=types,
        )
        async with desk.workspace.db.tx(desk.workspace.system) as tx:
            with tx.connection.query_logger(lambda query: asked.append(query.query)):
                await service.create(tx, None, definition)
        return len(asked)

    assert await statements("many", slugs) == await statements("few", slugs[:2])


async def test_more_types_than_a_set_may_name_are_refused_before_any_is_looked_up(desk: Desk) -> None:
    new = {
        "slug": "s",
        "name": "S",
        "kind": "assessment",
        "dimensions": RUBRIC,
        "entity_type_slugs": ["x"] * 20_000,
    }
    refused = await desk.admin.post("/api/criteria-sets", json=new)
    assert places(refused) == [("/entity_type_slugs", "invalid_value")]
