"""What is counted about connections, and what is left out of very much."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from goldloop.criteria.model import MAX_DIMENSIONS
from goldloop.kit import compute_threads
from goldloop.responses import agreement_service, store
from goldloop.responses import matrix_counts as counts
from goldloop.responses.aggregation import Strategy
from goldloop.responses.matrix_counts import MatrixRow, ReadMatrix, SnapshotRow, count_matrix
from goldloop.tenants.model import Party
from tests.clinic import RATING, Clinic
from tests.records import Desk, code, ok

SOMEBODY = Party(kind="user", id=UUID(int=1), name="Somebody")


def matrix(ratings: Mapping[str, float], dimensions: int = 1) -> ReadMatrix:
    asked = [{**RATING, "key": f"k{place}"} for place in range(dimensions)]
    snapshot = SnapshotRow(json.dumps(asked), [(UUID(int=2), datetime(2026, 1, 1, tzinfo=UTC))])
    values = json.dumps({key: {"k0": rating} for key, rating in ratings.items()})
    row = MatrixRow(SOMEBODY, len(ratings), values)
    return ReadMatrix([snapshot], [], [row], 1)


def test_of_very_many_connections_the_best_are_named_in_their_order() -> None:
    ratings = {str(uuid4()): 1 + place % 5 for place in range(counts.MOST_CONNECTIONS + 50)}
    found = count_matrix(matrix(ratings), Strategy.MEAN)
    assert (len(found.aggregates), found.connections_omitted) == (counts.MOST_CONNECTIONS, 50)
    dropped = ratings.keys() - found.aggregates.keys()
    assert {ratings[key] for key in dropped} == {1}
    assert list(found.aggregates) == [key for key in ratings if key not in dropped]
    given = [ratings[list(found.aggregates)[place]] for place in found.cells.connection]
    assert found.cells.values == [given]


def test_many_dimensions_leave_room_for_fewer_connections() -> None:
    ratings = {str(uuid4()): 3.0 for _ in range(counts.MOST_CONNECTIONS)}
    found = count_matrix(matrix(ratings, MAX_DIMENSIONS), Strategy.MEAN)
    assert len(found.aggregates) * MAX_DIMENSIONS == counts.MOST_NAMED


def test_of_very_many_values_the_newest_responses_count_and_one_always() -> None:
    key = str(uuid4())
    (row,) = matrix({key: 5}).rows
    older = row._replace(values=json.dumps({key: {"k0": 1}}))
    read = matrix({key: 5})._replace(rows=[row._replace(connections=counts.MOST_VALUES), older], found=7)
    found = count_matrix(read, Strategy.MEAN)
    assert found.aggregates[key].dimensions["k0"].value == 5
    assert found.responses_omitted == 6
    alone = read._replace(rows=[row._replace(connections=counts.MOST_VALUES + 1)])
    assert count_matrix(alone, Strategy.MEAN).aggregates[key].count == 1


def test_nothing_said_is_nothing_counted() -> None:
    found = count_matrix(ReadMatrix([], [], [], 0), Strategy.MEAN)
    assert (found.aggregates, found.connections_omitted, found.responses_omitted) == ({}, 0, 0)


@pytest.mark.parametrize(("name", "least"), [("MOST_RESPONSES", 2), ("MOST_BYTES", 1)])
async def test_an_aggregate_reads_the_newest_responses_and_says_how_many_it_left_out(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch, name: str, least: int
) -> None:
    protocol = await clinic.make_protocol("One")
    visit = await clinic.make_visit(protocol)
    for rating in (1, 1, 3, 5):
        await clinic.rate(visit, [(protocol, rating)])
    monkeypatch.setattr(store, name, least)
    found = await clinic.desk.aggregate(visit, clinic.criteria_set, compact="true")
    page = ok(await clinic.try_outcomes(protocol))
    mean = {2: 4, 1: 5}[least]
    assert (found["byConnection"][protocol["id"]]["weighted_score"], found["count"]) == (mean, 4)
    assert page["data"][0]["weighted_score"] == mean
    assert found["responses_omitted"] == page["responses_omitted"] == 4 - least
    assert len(found["matrix"]["cells"]["connection"]) == least
    assert found["connections_omitted"] == 0


@pytest.mark.parametrize(("name", "most"), [("MOST_RESPONSES", 4), ("MOST_VALUES", 5), ("MOST_BYTES", 60)])
async def test_agreement_compares_the_newest_responses_and_says_how_many_it_left_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    rubric = await desk.make_set()
    people = [(await desk.person())[1] for _ in range(2)]
    for team in (1, 2, 3):
        record = await desk.make_record()
        for person in people:
            await desk.submit(record, {"team": team}, person, criteria_set_slug=rubric["slug"])
    path = f"/api/criteria-sets/{rubric['id']}/agreement"
    whole = ok(await desk.reviewer.get(path))
    assert (whole["data"][0]["units"], whole["responses_omitted"]) == (3, 0)
    monkeypatch.setattr(agreement_service, name, most)
    part = ok(await desk.reviewer.get(path))
    kept = {4: 4, 5: 5, 60: 60 // len('{"team": 1}')}[most]
    assert part["responses_omitted"] == 6 - kept
    assert part["data"][0]["units"] == kept // 2


@contextmanager
def full() -> Iterator[None]:
    """As if as many counts as may wait did."""
    before = compute_threads._LIMITER.per_workspace
    compute_threads._LIMITER.per_workspace = 0
    try:
        yield
    finally:
        compute_threads._LIMITER.per_workspace = before


async def test_every_count_takes_its_turn(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    await clinic.rate(visit, [(protocol, 5)])
    set_id = clinic.criteria_set["id"]
    reader: httpx.AsyncClient = clinic.desk.reviewer
    paths: dict[str, dict[str, Any]] = {
        f"/api/entities/{visit['id']}/responses/aggregate": {"criteria_set_id": set_id},
        f"/api/entities/{protocol['id']}/outcomes": {"criteria_set_id": set_id},
        f"/api/criteria-sets/{set_id}/agreement": {},
        "/api/conversations/satisfaction": {},
        "/api/conversations/satisfaction.csv": {},
    }
    for path, query in paths.items():
        assert (await reader.get(path, params=query)).status_code == 200
        with full():
            answer = await reader.get(path, params=query)
        assert (code(answer), answer.headers["Retry-After"]) == ((429, "counting_busy"), "1"), path
    with full():
        await clinic.refresh(visit)
    assert await clinic.order(visit) == [("Protocol", 100)]
