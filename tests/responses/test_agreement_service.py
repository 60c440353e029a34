"""The agreement of a criteria set is that of the pure function over what was rated."""

import random
from collections import defaultdict
from typing import Any

import msgspec
import pytest

from goldloop.criteria.dimension_types import TYPES
from goldloop.criteria.model import Dimension
from goldloop.responses.agreement import measure_agreement
from tests.records import RUBRIC, Desk, clients_of_namesakes, ok


async def shown(desk: Desk, criteria_set: Any) -> list[Any]:
    return list(ok(await desk.reviewer.get(f"/api/criteria-sets/{criteria_set['id']}/agreement"))["data"])


def expected(dimensions: list[dict[str, Any]], responses: list[Any]) -> list[dict[str, Any]]:
    """Each respondent's newest response to a record (at a temporal value) counts."""
    newest: dict[tuple[str, Any], dict[str, dict[str, Any]]] = defaultdict(dict)
    for response in responses:
        unit = (response["entity_id"], response["temporal_value"])
        newest[unit][response["submitted_by"]["id"]] = response["values"]
    found = []
    for dimension in dimensions:
        units = [
            {rater: values.get(dimension["key"]) for rater, values in unit.items()}
            for unit in newest.values()
        ]
        level = TYPES[msgspec.convert(dimension, Dimension).type].level
        measured = msgspec.to_builtins(measure_agreement(units, level))
        alpha = measured["alpha"]
        found.append(
            {**measured, "alpha": None if alpha is None else pytest.approx(alpha, rel=1e-9, abs=1e-9)}
            | {"key": dimension["key"], "label": dimension["label"]}
        )
    return found


@pytest.mark.parametrize("seed", range(6))
async def test_the_route_agrees_with_the_pure_function(desk: Desk, seed: int) -> None:
    rng = random.Random(seed)
    dimensions = [*RUBRIC, {"key": "size", "label": "Size", "type": "number"}]
    temporal: dict[str, Any] = {"kind": "temporal", "temporal_key": "week"} if seed % 2 else {}
    made = await desk.make_set(dimensions=dimensions, **temporal)
    records = [await desk.make_record() for _ in range(6)]
    raters = [desk.contributor, (await desk.person())[1], await desk.agent()][: 1 + seed % 3]
    responses = []
    for _ in range(30):
        values: dict[str, Any] = {
            "team": rng.randint(0, 10),
            "market": rng.randint(4, 6),
            "verdict": rng.choice(["buy", "hold"]),
            "why": "words",
            "size": rng.uniform(-5, 5),
        }
        for key in [key for key in values if rng.random() < 0.3]:
            del values[key]
        when = {"temporal_value": rng.choice(["w1", "w2"])} if temporal else {}
        response = await desk.submit(
            rng.choice(records), values, rng.choice(raters), criteria_set_id=made["id"], **when
        )
        chance = rng.random()
        if chance < 0.1:
            await desk.withdraw(response, desk.reviewer)
        elif chance < 0.2:
            await desk.review(response, "rejected", "No")
        else:
            responses.append(response)
    assert await shown(desk, made) == expected(dimensions, responses)


async def test_one_rater_and_raters_who_never_met_are_told_apart(desk: Desk) -> None:
    made = await desk.make_set()
    one, two = await desk.make_record(), await desk.make_record()
    assert {d["reason"] for d in await shown(desk, made)} == {"no_pairs", "not_measured"}
    await desk.submit(one, {"team": 3, "verdict": "buy"}, criteria_set_slug="rubric")
    await desk.submit(two, {"team": 4}, criteria_set_slug="rubric")
    reasons = {d["key"]: d["reason"] for d in await shown(desk, made)}
    assert (reasons["team"], reasons["market"]) == ("one_rater", "no_pairs")
    await desk.submit(await desk.make_record(), {"team": 4}, await desk.agent(), criteria_set_slug="rubric")
    reasons = {d["key"]: d["reason"] for d in await shown(desk, made)}
    assert (reasons["team"], reasons["verdict"]) == ("no_pairs", "one_rater")


async def test_a_change_of_the_set_changes_nothing_about_what_was_rated_before(desk: Desk) -> None:
    made = await desk.make_set(
        dimensions=[{"key": "team", "label": "Team", "type": "rating", "scale": [0, 10]}]
    )
    people = [(await desk.person())[1] for _ in range(2)]
    for scores in ((1, 2), (5, 5), (9, 3)):
        record = await desk.make_record()
        for by, score in zip(people, scores, strict=True):
            await desk.submit(record, {"team": score}, by, criteria_set_slug="rubric")
    path = f"/api/criteria-sets/{made['id']}"
    before = ok(await desk.reviewer.get(f"{path}/agreement"))["data"]
    renamed = {"key": "people", "label": "People", "type": "number"}
    for dimensions in ([{**renamed, "key": "team"}], [renamed]):
        ok(await desk.try_change(path, {"dimensions": dimensions}))
        after = {found["key"]: found for found in ok(await desk.reviewer.get(f"{path}/agreement"))["data"]}
        assert after.pop("team") == before[0]
        assert [found["reason"] for found in after.values()] in ([], ["no_pairs"])


async def test_an_agent_and_a_member_with_one_id_are_two_raters(desk: Desk) -> None:
    rubric = await desk.make_set()
    record = await desk.make_record()
    for by, team in zip(await clients_of_namesakes(desk), (2, 8), strict=True):
        await desk.submit(record, {"team": team}, by=by, criteria_set_slug=rubric["slug"])
    (team, *_) = await shown(desk, rubric)
    assert (team["units"], team["raters"], team["values"]) == (1, 2, 2)
