"""What responses rebuild after their type has changed."""

from typing import Any

from goldloop.responses.jobs import refresh_of_type
from tests.records import COMPANY, RUBRIC, Desk, ok


async def change_type(desk: Desk, **changes: Any) -> None:
    ok(await desk.try_change("/api/entity-types/company", changes))
    await refresh(desk)


async def refresh(desk: Desk) -> None:
    """As a worker does, for whom the change left a mark."""
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        assert (
            await tx.fetchval(
                "SELECT count(*) FROM marks WHERE kind = 'responses.of_type' AND key = 'company' AND tenant_id = $1",
                tx.actor.tenant_id,
            )
            >= 1
        )
        await refresh_of_type(tx, "company")


async def test_a_field_that_is_added_or_removed_changes_what_can_be_promoted_and_the_status(
    desk: Desk,
) -> None:
    await desk.make_set(
        "extract", dimensions=[{"key": k, "label": k, "type": "text"} for k in ("name", "mood")]
    )
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "mood": "good"}, criteria_set_slug="extract")
    untouched = await desk.submit(record, {"name": "Other"}, criteria_set_slug="extract")
    assert (await desk.promote(response, "name"))["status"] == "promoted"
    properties = COMPANY["properties"]
    await change_type(desk, json_schema={**COMPANY, "properties": {**properties, "mood": {"type": "string"}}})
    shown = await desk.response(response)
    assert (shown["status"], shown["promotable_fields"]) == ("partially_promoted", ["mood", "name"])
    assert (await desk.response(untouched)) == untouched
    await change_type(desk, json_schema=COMPANY)
    assert (await desk.response(response))["status"] == "promoted"


async def test_records_show_the_score_of_the_set_that_is_featured_now(desk: Desk) -> None:
    first = await desk.make_set("first", entity_type_slugs=["company"])
    second = await desk.make_set("second", entity_type_slugs=["company"])
    both, one = await desk.make_record(), await desk.make_record()
    for record in (both, one):
        await desk.submit(record, {"team": 2}, criteria_set_slug="first")
    rated = await desk.submit(both, {"team": 8}, criteria_set_slug="second")
    before = (await desk.show(one))["score"]
    await change_type(desk, config={"featuredScore": {"criteriaSetId": second["id"]}})
    summary = (await desk.show(both))["metadata"]["response_summary"]
    assert (summary["latest_response_id"], summary["latest_criteria_set_id"]) == (rated["id"], second["id"])
    assert (await desk.show(one))["score"] == before, "not rated with the new one: it keeps the score it has"
    assert first["id"] != second["id"]


async def test_when_a_featured_set_is_archived_or_leaves_the_type_the_next_one_is_featured(
    desk: Desk,
) -> None:
    async def featured() -> Any:
        shown = ok(await desk.admin.get("/api/entity-types/company"))
        return shown["config"]["featuredScore"]["criteriaSetId"]

    await desk.make_type("person")
    record = await desk.make_record()
    first = await desk.make_set("first", entity_type_slugs=["company"])
    await desk.submit(record, {"team": 2}, criteria_set_slug="first")
    score = (await desk.show(record))["score"]
    await desk.make_set(
        "text", entity_type_slugs=["company"], dimensions=[RUBRIC[-1] | {"key": "t", "type": "text"}]
    )
    ok(await desk.admin.delete(f"/api/criteria-sets/{first['id']}"))
    assert await featured() == first["id"], "there is no other yet"
    second = await desk.make_set("second", entity_type_slugs=["company"])
    assert await featured() == second["id"]
    third = await desk.make_set("third", entity_type_slugs=["company"])
    ok(await desk.try_change(f"/api/criteria-sets/{second['id']}", {"entity_type_slugs": ["person"]}))
    assert await featured() == third["id"]
    await refresh(desk)
    assert (await desk.show(record))["score"] == score, "what was said before stays"
