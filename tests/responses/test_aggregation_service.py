"""What PostgreSQL counts is what the pure functions say about the same responses."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import pytest

from goldloop.criteria.model import Dimension
from goldloop.entities.scores import round_score, score_of_100
from goldloop.kit.db import Tx, connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.responses import store
from goldloop.responses.aggregation import ScorePoint, bucket_progression, mean, summarize_dimension
from tests.records import RUBRIC, Desk, clients_of_namesakes, code, ok, places, some_id

POOL: dict[str, list[dict[str, Any]]] = {
    "a": [
        {"type": "number"},
        {"type": "rating", "scale": [0, 5], "weight": 0.7},
        {"type": "select", "options": ["low", "high"]},
    ],
    "b": [
        {"type": "rating", "scale": [0, 10], "weight": 1},
        {"type": "number", "scale": [-1, 1], "weight": 0.2},
    ],
    "c": [
        {"type": "select", "options": ["x", "y", "a longer one"]},
        {"type": "select", "options": ["y", "z"]},
        {"type": "text"},
    ],
    "d": [{"type": "text"}, {"type": "richtext"}, {"type": "number"}],
}


def draw_dimensions(rng: random.Random) -> list[dict[str, Any]]:
    keys = rng.sample(sorted(POOL), rng.randint(1, len(POOL)))
    return [{"key": key, "label": f"{key}{rng.randint(0, 9)}", **rng.choice(POOL[key])} for key in keys]


def draw_value(rng: random.Random, dimension: dict[str, Any]) -> Any:
    if rng.random() < 0.25:
        return None
    if dimension["type"] in ("number", "rating"):
        low, high = dimension.get("scale", (-1000, 1000))
        return rng.choice([rng.randint(low, high), rng.uniform(low, high)])
    return rng.choice(dimension.get("options") or ["some text", "other"])


def close(value: Any) -> Any:
    """PostgreSQL adds up in another order than `fsum`."""
    return pytest.approx(value, rel=1e-9, abs=1e-9) if isinstance(value, float) else value


def expected_dimensions(responses: list[Any]) -> list[dict[str, Any]]:
    """Every dimension of the newest response and every one ever answered, as it was last called."""
    spoken = {key: r for r in responses for key in r["values"]}
    told = [r for r in responses if r is responses[-1] or r in spoken.values()]
    known: dict[str, tuple[int, dict[str, Any]]] = {}
    for response in told:
        for place, found in enumerate(response["criteria_snapshot"]):
            if found["key"] in spoken or response is responses[-1]:
                known[found["key"]] = (place, found)
    ordered = sorted(known.values(), key=lambda pair: (pair[0], pair[1]["key"]))
    shown = []
    for _, found in ordered:
        answers = [(r["submitted_by"]["id"], r["values"].get(found["key"])) for r in responses]
        stats = summarize_dimension(msgspec.convert(found, Dimension), answers)
        shown.append(
            {key: close(value) for key, value in msgspec.to_builtins(stats).items()}
            | {"label": found["label"], "value": close(stats.mean)}
        )
    return shown


@pytest.mark.parametrize("seed", range(8))
async def test_the_aggregate_is_that_of_the_pure_functions(desk: Desk, seed: int) -> None:
    rng = random.Random(seed)
    record = await desk.make_record()
    dimensions = draw_dimensions(rng)
    made = await desk.make_set(dimensions=dimensions)
    people = [desk.contributor, (await desk.person())[1], await desk.agent()]
    responses: list[Any] = []
    for _ in range(30):
        if rng.random() < 0.2:
            dimensions = draw_dimensions(rng)
            ok(await desk.try_change(f"/api/criteria-sets/{made['id']}", {"dimensions": dimensions}))
        values = {d["key"]: draw_value(rng, d) for d in dimensions}
        response = await desk.submit(record, values, rng.choice(people), criteria_set_id=made["id"])
        chance = rng.random()
        if chance < 0.1:
            await desk.withdraw(response, desk.reviewer)
        elif chance < 0.2:
            await desk.review(response, "rejected", "No")
        else:
            responses.append(response)
    found = await desk.aggregate(record, made)
    assert (found["count"], found["respondents"]) == (
        len(responses),
        len({response["submitted_by"]["id"] for response in responses}),
    )
    assert found["dimensions"] == expected_dimensions(responses)
    frequencies = [d["frequencies"] for d in found["dimensions"] if d["frequencies"]]
    assert [list(f) for f in frequencies] == [
        list(d["frequencies"]) for d in expected_dimensions(responses) if d["frequencies"]
    ], "in the order of the options"
    scores = [score for r in responses if (score := score_of_100(r["normalized_score"])) is not None]
    strategies: dict[str, Callable[[list[float]], float]] = {
        "mean": mean,
        "median": median,
        "min": min,
        "max": max,
    }
    for strategy, of in strategies.items():
        shown = await desk.aggregate(record, made, strategy=strategy)
        assert shown["score"] == (round_score(of(scores)) if scores else None)
        assert [d["value"] for d in shown["dimensions"]] == [d[strategy] for d in shown["dimensions"]]
    points = [
        ScorePoint(at=datetime.fromisoformat(r["created_at"]), score=score_of_100(r["normalized_score"]))
        for r in responses
    ]
    assert [(p["at"], p["score"], p["count"]) for p in found["progression"]] == [
        (b.at.isoformat().replace("+00:00", "Z"), round_score(b.score), b.count)
        for b in bucket_progression(points, 200)
    ]


@pytest.mark.parametrize("count", [9, 10, 11, 60])
async def test_many_points_become_stretches_of_equal_length(
    desk: Desk, data_dir: Path, database_url: str, count: int
) -> None:
    rng = random.Random(count)
    await desk.make_set()
    record = await desk.make_record()
    responses = [
        await desk.submit(record, {"team": rng.randint(0, 10)}, criteria_set_slug="rubric")
        for _ in range(count)
    ]
    times = sorted(
        datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=rng.choice([rng.random(), rng.random() * 1e6]))
        for _ in range(count)
    )
    superuser = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))
    for response, at in zip(responses, times, strict=True):
        await superuser.execute(
            "UPDATE entity_responses SET created_at = $2 WHERE id = $1", response["id"], at
        )
    await superuser.close()
    points = [
        ScorePoint(at=at, score=response["normalized_score"] * 100)
        for response, at in zip(responses, times, strict=True)
    ]
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        found = await progression(tx, record, responses[0])
    assert [(datetime.fromisoformat(p["at"]), p["score"], p["min"], p["max"], p["count"]) for p in found] == [
        (b.at, round_score(b.score), b.min, b.max, b.count) for b in bucket_progression(points, 10)
    ]
    assert len(found) <= 10


async def progression(tx: Tx, record: Any, response: Any) -> Any:
    found = await store.aggregate(tx, UUID(record["id"]), UUID(response["criteria_set_id"]), 10)
    return found["progression"]


async def test_points_of_one_moment_are_one_stretch(desk: Desk, data_dir: Path, database_url: str) -> None:
    await desk.make_set()
    record = await desk.make_record()
    for number in range(12):
        last = await desk.submit(record, {"team": number % 3}, criteria_set_slug="rubric")
    superuser = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))
    await superuser.execute(
        "UPDATE entity_responses SET created_at = now() WHERE entity_id = $1", record["id"]
    )
    await superuser.close()
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        found = await progression(tx, record, last)
    assert [(p["count"], p["min"], p["max"]) for p in found] == [(12, 0, 20)]


async def test_a_dimension_that_is_gone_keeps_what_was_said_of_it(desk: Desk) -> None:
    """However many responses came since."""
    made = await desk.make_set()
    record = await desk.make_record()
    await desk.submit(record, {"market": 7, "verdict": "hold"}, criteria_set_slug="rubric")
    changed = {"dimensions": [RUBRIC[0] | {"label": "Crew"}]}
    ok(await desk.try_change(f"/api/criteria-sets/{made['id']}", changed))
    for _ in range(105):
        await desk.submit(record, {"team": 4}, criteria_set_slug="rubric")
    found = {d["key"]: d for d in (await desk.aggregate(record, made))["dimensions"]}
    assert {key: d["label"] for key, d in found.items()} == {
        "team": "Crew",
        "market": "Market",
        "verdict": "Verdict",
    }
    assert (found["team"]["count"], found["market"]["mean"]) == (105, 7)
    assert found["verdict"]["frequencies"] == {"buy": 0, "hold": 1, "sell": 0}


async def test_the_raters_of_a_set_are_those_that_the_record_shows_beside_its_score(desk: Desk) -> None:
    rubric = await desk.make_set("rubric", entity_type_slugs=["company"])
    other = await desk.make_set("other", entity_type_slugs=["company"])
    record = await desk.make_record()
    for team in (2, 9, 4):
        _, person = await desk.person()
        await desk.submit(record, {"team": team}, by=person, criteria_set_slug="rubric")
    shown = (await desk.show(record))["raters"]
    assert shown["count"] == 3
    scores = [(each["min"], each["median"], each["max"]) for each in (shown,)]
    scores_of_people = [row["score"] for row in await raters_scores(desk, record, rubric)]
    assert scores == [(min(scores_of_people), median(scores_of_people), max(scores_of_people))]
    assert (await desk.aggregate(record, rubric))["raters"] == shown
    assert (await desk.aggregate(record, other))["raters"] is None, "nobody rated with it"


async def raters_scores(desk: Desk, record: Any, criteria_set: Any) -> list[Any]:
    path = f"/api/entities/{record['id']}/responses/scores"
    found = ok(await desk.reviewer.get(path, params={"criteria_set_id": criteria_set["id"]}))
    return list(found["data"])


async def test_nothing_said_is_nothing_and_not_zero(desk: Desk) -> None:
    made = await desk.make_set()
    found = await desk.aggregate(await desk.make_record(), made)
    assert (found["count"], found["respondents"], found["score"]) == (0, 0, None)
    assert (found["dimensions"], found["progression"]) == ([], [])


async def test_an_aggregate_of_no_record_or_no_set_is_not_found(desk: Desk) -> None:
    made = await desk.make_set()
    record = await desk.make_record()
    for record_id, set_id, expected in (
        (some_id(), made["id"], "entity_not_found"),
        (record["id"], some_id(), "criteria_set_not_found"),
    ):
        answer = await desk.reviewer.get(
            f"/api/entities/{record_id}/responses/aggregate", params={"criteria_set_id": set_id}
        )
        assert code(answer) == (404, expected)
    answer = await desk.reviewer.get(f"/api/entities/{record['id']}/responses/aggregate")
    assert (answer.status_code, places(answer)) == (422, [("/criteria_set_id", "missing")])


async def test_an_agent_and_a_member_with_one_id_are_two_respondents(desk: Desk) -> None:
    rubric = await desk.make_set()
    record = await desk.make_record()
    for by, team in zip(await clients_of_namesakes(desk), (2, 8), strict=True):
        await desk.submit(record, {"team": team}, by=by, criteria_set_slug=rubric["slug"])
    found = await desk.aggregate(record, rubric)
    (team,) = [each for each in found["dimensions"] if each["key"] == "team"]
    assert (found["respondents"], team["respondents"]) == (2, 2)
    assert team["spread"] == pytest.approx(18**0.5)
