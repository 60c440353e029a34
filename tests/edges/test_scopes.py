"""A criteria set that rates something else than it did: what was said before stays what it was about."""

from typing import Any

import pytest

from goldloop.edges.jobs import refresh_edge_scores, repair_edge_scores
from tests.clinic import Clinic
from tests.records import ok


class Visit:
    """Two protocols that were done and two that were planned, one of them both: rated as done, then as planned."""

    def __init__(self, clinic: Clinic) -> None:
        self.clinic = clinic

    async def rated(self) -> "Visit":
        clinic = self.clinic
        self.done, self.both, self.planned = [
            await clinic.make_protocol(title) for title in ("Done", "Both", "Planned")
        ]
        self.record = await clinic.make_visit(self.done, self.both)
        for protocol in (self.both, self.planned):
            await clinic.connect(self.record, protocol, "planned")
        await clinic.rate(self.record, [(self.done, 3), (self.both, 5)])
        await clinic.rate_field("planned")
        self.newest = await clinic.rate(self.record, [(self.both, 1), (self.planned, 2)])
        await clinic.refresh(self.record)
        return self

    async def metadata(self) -> dict[tuple[str, str], Any]:
        path = f"/api/entities/{self.record['id']}/relations"
        return {
            (relation["field_key"], relation["target_title"]): relation["metadata"]
            for relation in ok(await self.clinic.desk.reviewer.get(path))["data"]
        }

    async def scores(self) -> dict[tuple[str, str], Any]:
        set_id = self.clinic.criteria_set["id"]
        found = await self.metadata()
        return {key: each["scores"][set_id]["score"] if each else None for key, each in found.items()}

    async def by_connection(self) -> dict[str, Any]:
        found = await self.clinic.desk.aggregate(self.record, self.clinic.criteria_set)
        return {
            each["title"]: (each["count"], each["weighted_score"]) for each in found["byConnection"].values()
        }

    async def repair(self, *spoil: str) -> None:
        workspace = self.clinic.desk.workspace
        async with workspace.db.tx(workspace.system) as tx:
            await tx.execute("DELETE FROM marks")
            for sql in spoil:
                await tx.execute(sql, self.record["id"])
            await repair_edge_scores(tx)
            keys = [row["key"] for row in await tx.fetch("SELECT key FROM marks WHERE kind = 'edges.scores'")]
            assert self.record["id"] in keys
        for key in keys:
            await refresh_edge_scores(workspace.db, workspace.system, key)


@pytest.fixture
def visit(clinic: Clinic) -> Visit:
    return Visit(clinic)


SCORES = {
    ("protocols", "Done"): 50,
    ("protocols", "Both"): 100,
    ("planned", "Both"): 0,
    ("planned", "Planned"): 25,
}


async def test_connections_through_each_field_keep_what_was_said_about_them(visit: Visit) -> None:
    await visit.rated()
    assert await visit.scores() == SCORES
    assert await visit.clinic.order(visit.record, "protocols") == [("Both", 100), ("Done", 50)]
    assert await visit.clinic.order(visit.record, "planned") == [("Planned", 25), ("Both", 0)]


async def test_the_aggregate_and_outcomes_are_about_the_field_that_is_rated_now(visit: Visit) -> None:
    clinic = (await visit.rated()).clinic

    async def outcome(protocol: Any) -> list[tuple[int, Any]]:
        return [(each["count"], each["weighted_score"]) for each in await clinic.outcomes(protocol)]

    assert await visit.by_connection() == {"Both": (1, 1), "Planned": (1, 2)}
    found = await clinic.desk.aggregate(visit.record, clinic.criteria_set, compact="true")
    assert (found["count"], found["score"]) == (1, 12.5)
    assert sorted(each["title"] for each in found["matrix"]["connections"]) == ["Both", "Planned"]
    assert [await outcome(each) for each in (visit.done, visit.both, visit.planned)] == [
        [],
        [(1, 1)],
        [(1, 2)],
    ]
    await clinic.rate_field("protocols")
    assert await visit.by_connection() == {"Both": (1, 5), "Done": (1, 3)}
    assert [await outcome(each) for each in (visit.done, visit.both, visit.planned)] == [
        [(1, 3)],
        [(1, 5)],
        [],
    ]


async def test_a_field_whose_responses_are_withdrawn_loses_its_scores_and_the_other_keeps_them(
    visit: Visit,
) -> None:
    clinic = (await visit.rated()).clinic
    await clinic.desk.withdraw(visit.newest)
    await clinic.refresh(visit.record)
    assert await visit.scores() == SCORES | {("planned", "Both"): None, ("planned", "Planned"): None}
    assert await clinic.order(visit.record, "protocols") == [("Both", 100), ("Done", 50)]
    assert sorted(await clinic.order(visit.record, "planned")) == [("Both", None), ("Planned", None)]
    assert await visit.by_connection() == {}


async def test_the_repair_puts_the_scores_of_each_field_where_they_belong(visit: Visit) -> None:
    await visit.rated()
    right = await visit.metadata()
    ranked = [await visit.clinic.order(visit.record, field) for field in ("protocols", "planned")]
    whose = "WHERE source_id = $1"
    spoils = [
        f"UPDATE entity_relations SET metadata = (SELECT max(metadata::text) FROM entity_relations {whose})::jsonb {whose}",
        f"UPDATE entity_relations SET metadata = '{{}}' {whose} AND field_key = 'protocols'",
        f"""UPDATE entity_relations SET metadata = '{{"scores": {{}}}}' {whose} AND field_key = 'planned'""",
        f"UPDATE relation_scores SET field_key = 'protocols' {whose}",
        f"UPDATE relation_scores SET score = -1 {whose} AND field_key = 'planned'",
        f"DELETE FROM relation_scores {whose} AND field_key = 'protocols'",
    ]
    for spoil in spoils:
        await visit.repair(spoil)
        assert await visit.metadata() == right, spoil
        found = [await visit.clinic.order(visit.record, field) for field in ("protocols", "planned")]
        assert found == ranked, spoil
    await visit.repair(
        "UPDATE entity_responses SET withdrawn_at = now() WHERE entity_id = $1 AND scope ->> 'fieldKey' = 'planned'"
    )
    assert await visit.scores() == SCORES | {("planned", "Both"): None, ("planned", "Planned"): None}


async def test_a_set_that_rates_records_now_counts_only_what_was_said_about_records(visit: Visit) -> None:
    clinic = (await visit.rated()).clinic
    await clinic.rate_field(None)
    empty = await clinic.desk.aggregate(visit.record, clinic.criteria_set, compact="true")
    assert (empty["count"], empty["score"], empty["dimensions"], empty["progression"]) == (0, None, [], [])
    assert "byConnection" not in empty
    assert "matrix" not in empty
    assert await clinic.outcomes(visit.both) == []
    ok(await clinic.try_rate(visit.record, {"rating": 4}))
    about_record = await clinic.desk.aggregate(visit.record, clinic.criteria_set)
    assert (about_record["count"], about_record["score"]) == (1, 75)
    assert "byConnection" not in about_record
    await clinic.rate_field("planned")
    again = await clinic.desk.aggregate(visit.record, clinic.criteria_set)
    assert (again["count"], again["score"]) == (1, 12.5)
    assert await visit.by_connection() == {"Both": (1, 1), "Planned": (1, 2)}


async def test_raters_are_compared_on_what_is_rated_now(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    await clinic.connect(visit, protocol, "planned")
    _, first = await clinic.desk.person()
    _, second = await clinic.desk.person()
    await clinic.rate(visit, [(protocol, 5)], by=first)
    await clinic.rate_field("planned")
    await clinic.rate(visit, [(protocol, 1)], by=second)
    path = f"/api/criteria-sets/{clinic.criteria_set['id']}/agreement"
    found = {each["key"]: each for each in ok(await clinic.desk.reviewer.get(path))["data"]}
    assert (found["rating"]["units"], found["rating"]["raters"]) == (0, 0), "they rated different things"
