"""How many rated a record and how far they are apart: beside the score, kept with the record, right after whatever
changes it; and the raters and their scores themselves."""

import csv
import io
from statistics import median, stdev
from typing import Any

import httpx

from goldloop.entities.scores import round_score
from goldloop.kit.pagination import FIRST_ID
from goldloop.responses.jobs import rebuild_summaries, refresh_of_type
from tests.loops import some
from tests.records import Desk, clients_of_namesakes, code, ok, places

GUIDE = [
    {"key": "security", "label": "Security", "type": "rating", "scale": [1, 5], "weight": 0.7},
    {"key": "support", "label": "Support", "type": "rating", "scale": [1, 5], "weight": 0.3},
]
SEED_KEYS = {
    "latest_score",
    "latest_response_id",
    "latest_criteria_set_id",
    "latest_source",
    "score_scale_max",
    "updated_at",
}


async def people(desk: Desk, count: int) -> list[httpx.AsyncClient]:
    return [(await desk.person())[1] for _ in range(count)]


async def rate(desk: Desk, record: Any, team: float, by: httpx.AsyncClient | None = None) -> Any:
    """A score of ten times as much."""
    return await desk.submit(record, {"team": team}, by, criteria_set_slug="rubric")


async def shown(desk: Desk, record: Any) -> tuple[Any, ...]:
    """The score, and beside it how many rated, the median, the lowest and the highest."""
    found = await desk.show(record)
    raters = found["raters"] or {}
    return (found["score"], *(raters.get(key) for key in ("count", "median", "min", "max")))


async def rebuild(desk: Desk) -> None:
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await rebuild_summaries(tx, str(FIRST_ID))


async def test_the_example_of_the_guide_is_60_wherever_it_is_shown(desk: Desk) -> None:
    await desk.make_set("guide", entity_type_slugs=["company"], dimensions=GUIDE)
    record = await desk.make_record()
    made = await desk.submit(record, {"security": 4, "support": 2}, criteria_set_slug="guide")
    assert (made["weighted_score"], made["normalized_score"]) == (3.4, 0.6)
    found = await desk.show(record)
    assert (found["score"], found["metadata"]["response_summary"]["latest_score"]) == (60, 60)
    (listed,) = ok(await desk.reviewer.get("/api/entities", params={"min_score": 60}))["data"]
    assert listed["score"] == 60
    assert ok(await desk.reviewer.get("/api/entities", params={"min_score": 60.01}))["data"] == []
    table = await desk.reviewer.get("/api/entities/records.csv", params={"min_score": 60})
    assert [row["score"] for row in csv.DictReader(io.StringIO(table.text[1:]))] == ["60"]
    scores = ok(await by_set(desk, record, "scores", made["criteria_set_id"]))["data"]
    assert [point["score"] for point in scores] == [60]


async def test_a_score_that_is_not_whole_is_the_same_number_in_the_list_the_filter_and_the_table(
    desk: Desk,
) -> None:
    thirds = {"key": "a", "label": "A", "type": "rating", "scale": [0, 3], "weight": 1}
    await desk.make_set("thirds", entity_type_slugs=["company"], dimensions=[thirds])
    rated = await desk.make_record()
    await desk.submit(rated, {"a": 2}, criteria_set_slug="thirds")
    brought = await desk.make_record(metadata={"weighted_score": 7})
    listed = ok(await desk.reviewer.get("/api/entities", params={"min_score": 66.67}))["data"]
    assert {(each["id"], each["score"]) for each in listed} == {(rated["id"], 66.67), (brought["id"], 66.67)}
    table = await desk.reviewer.get("/api/entities/records.csv", params={"min_score": 66.67})
    assert [row["score"] for row in csv.DictReader(io.StringIO(table.text[1:]))] == ["66.67", "66.67"]


async def test_each_rater_counts_once_by_their_newest_response(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    first, second, third = await people(desk, 3)
    assert await shown(desk, record) == (None, None, None, None, None)
    await rate(desk, record, 9, first)
    assert await shown(desk, record) == (90, 1, 90, 90, 90)
    assert (await desk.show(record))["raters"]["spread"] is None, "one is not apart from anybody"
    await rate(desk, record, 2, first)
    assert await shown(desk, record) == (20, 1, 20, 20, 20), "a changed mind is not two raters"
    await rate(desk, record, 3.5, second)
    await rate(desk, record, 3.5, await desk.agent())
    await rate(desk, record, 7.3, third)
    assert await shown(desk, record) == (73, 4, 35, 20, 73)
    found = await desk.show(record)
    assert found["raters"]["spread"] == round_score(stdev([20, 35, 35, 73]))
    assert (found["raters"]["disagree"], found["raters"]["more"]) == (True, False)
    summary = found["metadata"]["response_summary"]
    assert summary.keys() == SEED_KEYS | {"raters"}
    (listed,) = ok(await desk.reviewer.get("/api/entities"))["data"]
    assert listed["raters"] == found["raters"]
    await desk.submit(record, {"why": "only words"}, first, criteria_set_slug="rubric")
    assert await shown(desk, record) == (73, 4, 35, 20, 73), "what has no score changes none"


async def test_namesakes_are_two_raters(desk: Desk) -> None:
    made = await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    agent, person = await clients_of_namesakes(desk)
    await rate(desk, record, 2, agent)
    await rate(desk, record, 4, person)
    assert await shown(desk, record) == (40, 2, 30, 20, 40)
    rows = ok(await by_set(desk, record, "raters", made["id"]))["data"]
    assert [row["submitted_by"]["kind"] for row in rows] == ["agent", "user"]


async def test_review_and_withdrawal_change_the_raters_whichever_response_they_are_about(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    first, second = await people(desk, 2)
    old = await rate(desk, record, 1, first)
    newer = await rate(desk, record, 5, first)
    latest = await rate(desk, record, 9, second)
    assert await shown(desk, record) == (90, 2, 70, 50, 90)
    await desk.review(newer, "rejected", "No")
    assert await shown(desk, record) == (90, 2, 50, 10, 90), "the one before counts again, the headline stays"
    await desk.review(newer, "submitted")
    assert await shown(desk, record) == (90, 2, 70, 50, 90)
    await desk.withdraw(latest, second)
    assert await shown(desk, record) == (50, 1, 50, 50, 50)
    await desk.withdraw(old, first)
    assert await shown(desk, record) == (50, 1, 50, 50, 50)
    await desk.withdraw(newer, first)
    assert await shown(desk, record) == (None, None, None, None, None)


async def test_the_raters_are_those_of_the_set_that_gives_the_score(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    other = await desk.make_set("other", entity_type_slugs=["company"])
    both, one = await desk.make_record(), await desk.make_record()
    first, second = await people(desk, 2)
    for record in some([both, one]):
        await rate(desk, record, 2, first)
    kept = await rate(desk, one, 4, second)
    for place, person in enumerate(some([first, second])):
        await desk.submit(both, {"team": 6 + place}, person, criteria_set_slug="other")
    assert await shown(desk, both) == (20, 1, 20, 20, 20)
    config = {"featuredScore": {"criteriaSetId": other["id"]}}
    ok(await desk.try_change("/api/entity-types/company", {"config": config}))
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await refresh_of_type(tx, "company")
    assert await shown(desk, both) == (70, 2, 65, 60, 70)
    assert await shown(desk, one) == (40, 2, 30, 20, 40), "not rated with the new one: it keeps what it has"
    await desk.review(kept, "rejected", "No")
    assert await shown(desk, one) == (20, 1, 20, 20, 20), "and that stays right"


async def test_a_repair_makes_every_summary_right_and_leaves_right_ones_alone(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    records = [await desk.make_record() for _ in range(4)]
    first, second = await people(desk, 2)
    for record in some(records[:3]):
        await rate(desk, record, 2, first)
        await rate(desk, record, 4, second)
    right = [await desk.show(record) for record in records]
    forged = {"response_summary": {"latest_score": 99, "latest_criteria_set_id": str(FIRST_ID)}}
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        change = "UPDATE entities SET metadata = {} WHERE tenant_id = $1 AND id = $2"
        tenant = tx.actor.tenant_id
        await tx.execute(change.format("metadata #- '{response_summary,raters}'"), tenant, records[0]["id"])
        await tx.execute(change.format("metadata - 'response_summary'"), tenant, records[1]["id"])
        await tx.execute(change.format("metadata || $3"), tenant, records[3]["id"], forged)
    assert [(await shown(desk, record))[:2] for record in records] == [
        (40, None),
        (None, None),
        (40, 2),
        (99, None),
    ]
    await rebuild(desk)
    now = [await desk.show(record) for record in records]
    assert [(each["score"], each["raters"]) for each in now] == [
        (each["score"], each["raters"]) for each in right
    ]
    assert now[2] == right[2], "also its time: nothing of it was written"
    assert "response_summary" not in now[3]["metadata"]


async def test_a_repair_goes_on_from_batch_to_batch(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    records = sorted([await desk.make_record() for _ in range(3)], key=lambda record: record["id"])
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        first = await tx.fetchval("SELECT repair_response_summaries($1, 2)", FIRST_ID)
        assert str(first) == records[1]["id"]
        assert await tx.fetchval("SELECT repair_response_summaries($1, 2)", first) is None


async def test_of_very_many_raters_so_many_are_counted_and_it_is_said(desk: Desk) -> None:
    made = await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    teams = [1, 4, 7, 9]
    for team, person in zip(teams, some(await people(desk, 4)), strict=True):
        await rate(desk, record, team, person)
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        for most in some([1, 3, 4, 5]):
            summary = await tx.fetchval(
                "SELECT compute_response_summary($1, $2, now(), $3)", record["id"], made["id"], most
            )
            assert (summary["raters"]["count"], summary["raters"]["more"]) == (min(most, 4), most < 4)
    assert summary["raters"]["median"] == median(10 * team for team in teams)


async def by_set(desk: Desk, record: Any, what: str, set_id: str, **params: Any) -> httpx.Response:
    path = f"/api/entities/{record['id']}/responses/{what}"
    return await desk.reviewer.get(path, params={"criteria_set_id": set_id, **params})


async def walk(desk: Desk, record: Any, what: str, set_id: str) -> list[Any]:
    found: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        page = ok(await by_set(desk, record, what, set_id, limit=2, **cursor))
        assert len(page["data"]) <= 2
        found += page["data"]
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


async def test_raters_stand_side_by_side_and_scores_over_time_page_by_page(desk: Desk) -> None:
    made = await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    raters = await people(desk, 5)
    newest = {}
    everything = []
    for turn in range(2):
        for place, person in enumerate(some(raters)):
            response = await rate(desk, record, place + turn, person)
            everything.append(response)
            newest[response["submitted_by"]["id"]] = response
    rejected = await rate(desk, record, 9, raters[0])
    await desk.review(rejected, "rejected", "No")
    await desk.withdraw(await rate(desk, record, 9, raters[1]), raters[1])
    side_by_side = await walk(desk, record, "raters", made["id"])
    assert {row["submitted_by"]["id"]: row["id"] for row in side_by_side} == {
        rater: response["id"] for rater, response in newest.items()
    }
    assert len(side_by_side) == 5
    points = await walk(desk, record, "scores", made["id"])
    assert [(p["response_id"], p["score"], p["submitted_by"]) for p in points] == [
        (r["id"], r["normalized_score"] * 100, r["submitted_by"]) for r in reversed(everything)
    ]
    assert (await desk.show(record))["raters"]["median"] == 30


async def test_raters_and_scores_of_what_there_is_not_are_not_found(desk: Desk) -> None:
    made = await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    nobody = {"id": str(FIRST_ID)}
    for what in some(["raters", "scores"]):
        assert code(await by_set(desk, nobody, what, made["id"])) == (404, "entity_not_found")
        assert code(await by_set(desk, record, what, str(FIRST_ID))) == (404, "criteria_set_not_found")
        assert places(await by_set(desk, record, what, made["id"], cursor="x"))[0][0] == "/cursor"
        assert ok(await by_set(desk, record, what, made["id"]))["data"] == []


MORE = """
    INSERT INTO entity_responses (tenant_id, id, entity_id, type_id, criteria_set_id, criteria_snapshot, submitted_by_user, source,
        values, field_meta, weighted_score, normalized_score, promotable_fields, created_at)
    SELECT tenant_id, gen_random_uuid(), entity_id, type_id, criteria_set_id, criteria_snapshot, submitted_by_user, source, values,
           field_meta, weighted_score, normalized_score, promotable_fields, created_at - g * interval '1 second'
    FROM entity_responses, generate_series(1, 300) g WHERE tenant_id = $1
"""
READ = "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'entity_responses'"


async def test_raters_are_found_without_reading_all_that_they_ever_said(desk: Desk) -> None:
    made = await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    for person in some(await people(desk, 3)):
        await rate(desk, record, 5, person)
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute(MORE, tx.actor.tenant_id)
        before = await tx.fetchval(READ)
        summary = await tx.fetchval(
            "SELECT compute_response_summary($1, $2, now())", record["id"], made["id"]
        )
        listed = "SELECT * FROM list_raters($1, $2, $3, false, false, 50)"
        assert len(await tx.fetch(listed, record["id"], made["id"], FIRST_ID)) == 3
        read = await tx.fetchval(READ) - before
    assert summary["raters"]["count"] == 3
    assert read < 20, "each rater is looked up; of the 900 responses nearly none is read"
