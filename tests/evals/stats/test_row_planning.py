"""Which rows each replay holds, and how many replays find what."""

import random
from collections import Counter
from typing import Any

import pytest

from goldloop.evals.stats import InvalidCounts, random_halves, row_power, row_replays, row_values
from tests.evals.stats.drawn import draw_experiment


@pytest.mark.parametrize(
    ("rows", "replays"), [(0, 4), (1, 4), (1, 5), (3, 6), (12, 12), (7, 2), (5, 1), (5, 0)]
)
def test_each_row_is_in_half_of_the_replays_of_its_golden(rows: int, replays: int) -> None:
    names = [f"r{i}" for i in range(rows)]
    found = random_halves({"g": names, "h": names[:1]}, replays, 7)
    assert [(each.golden, each.replay) for each in found] == [(g, i) for g in "gh" for i in range(replays)]
    assert all(each.present <= each.applicable for each in found)
    held = Counter(row for each in found if each.golden == "g" for row in each.present)
    assert all(held[row] in (replays // 2, (replays + 1) // 2) for row in names)


def test_an_odd_replay_falls_to_either_side() -> None:
    sizes = {len(random_halves({"g": ["a"]}, 1, seed)[0].present) for seed in range(20)}
    assert sizes == {0, 1}


def test_the_same_seed_draws_the_same_whatever_else_is_planned() -> None:
    alone = random_halves({"g": ["a", "b", "c"]}, 6, "experiment")
    beside = random_halves({"f": ["a"], "g": ["c", "b", "a"]}, {"g": 6, "f": 2}, "experiment")
    assert alone == [each for each in beside if each.golden == "g"]
    assert alone != random_halves({"g": ["a", "b", "c"]}, 6, "another")


def test_rows_are_drawn_by_themselves() -> None:
    found = random_halves({f"g{i}": ["a", "b"] for i in range(200)}, 4, 1)
    together = sum({"a", "b"} <= each.present for each in found)
    assert together / len(found) == pytest.approx(0.25, abs=0.04)


def test_a_golden_that_is_not_planned_is_not_replayed() -> None:
    assert random_halves({"g": ["a"], "h": ["a"]}, {"g": 0}, 1) == []
    assert random_halves({}, 4, 1) == []
    with pytest.raises(InvalidCounts):
        random_halves({"g": []}, -1, 1)


@pytest.mark.parametrize(
    ("rows", "goldens", "replays", "power", "error"),
    [
        (12, 20, 240, 0.699312, 0.043853),
        (12, 20, 480, 0.983549, 0.029881),
        (12, 20, 33, 0.002087, 0.632456),
        (1, 20, 240, 0.937370, 0.042737),
        (60, 100, 5000, 1.0, 0.009091),
    ],
)
def test_power(rows: int, goldens: int, replays: int, power: float, error: float) -> None:
    plan = row_power(rows, goldens, replays, 0.2)
    assert (plan.power, plan.error) == (pytest.approx(power, abs=1e-6), pytest.approx(error, abs=1e-6))
    assert row_power(rows, goldens, replays, -0.2).power == plan.power


@pytest.mark.parametrize(("rows", "replays"), [(12, 32), (12, 0), (0, 240)])
def test_too_few_replays_or_no_rows_have_no_power(rows: int, replays: int) -> None:
    plan = row_power(rows, 20, replays, 0.2)
    assert (plan.power, plan.error, plan.smallest_detectable) == (None, None, None)


@pytest.mark.parametrize(("effect", "replays"), [(0.2, 320), (0.1, 1040), (0.4, 120), (-0.2, 320)])
def test_replays_to_buy(effect: float, replays: int) -> None:
    plan = row_replays(12, 20, effect)
    assert plan is not None
    assert plan.replays == replays
    assert plan.replays % 40 == 0
    assert plan.power is not None
    assert plan.power >= 0.8
    assert plan.smallest_detectable is not None
    assert plan.smallest_detectable <= abs(effect) + 1e-9
    fewer = row_power(12, 20, replays - 40, effect)
    assert fewer.power is None or fewer.power < 0.8


def test_what_varies_more_or_applies_seldom_takes_more() -> None:
    usual, shaky, seldom, stable = (
        row_replays(12, 20, 0.2),
        row_replays(12, 20, 0.2, variance=0.2),
        row_replays(12, 20, 0.2, share=0.25),
        row_replays(12, 20, 0.2, variance=0.0),
    )
    assert usual is not None
    assert shaky is not None
    assert seldom is not None
    assert stable is not None
    assert stable.replays < usual.replays < shaky.replays < seldom.replays


def test_replays_of_several_experiments_have_more_levels_and_a_row_that_none_drew_has_no_power() -> None:
    once, thrice = row_power(12, 20, 240, 0.2), row_power(12, 20, 240, 0.2, strata=60)
    assert once == row_power(12, 20, 240, 0.2, strata=20)
    assert thrice.error == pytest.approx((4 * 0.1 / (240 - 60 - 12)) ** 0.5)
    assert (thrice.power or 1) < (once.power or 0)
    assert row_power(12, 20, 240, 0.2, share=0).power is None


def test_where_goldens_are_many_some_of_them_are_enough() -> None:
    plan = row_replays(12, 1000, 0.2)
    assert plan is not None
    assert (plan.goldens, plan.replays) == (plan.replays // 2, 522)
    fewer = row_power(12, 260, 520, 0.2)
    assert (plan.power or 0) >= 0.8 > (fewer.power or 0)
    beside = row_replays(12, 20, 0.2, earlier=40)
    assert beside is not None
    assert beside.replays == 360


def test_an_effect_that_no_experiment_finds_has_no_plan() -> None:
    assert row_replays(12, 20, 0.0001) is None
    assert row_replays(0, 20, 0.2) is None


@pytest.mark.parametrize(
    "plan",
    [
        {"rows": -1},
        {"goldens": 0},
        {"replays": -1},
        {"effect": 1.2},
        {"variance": -0.1},
        {"share": -0.1},
        {"seen": 2},
    ],
)
def test_what_is_no_plan_is_refused(plan: dict[str, Any]) -> None:
    with pytest.raises(InvalidCounts):
        row_power(**{"rows": 1, "goldens": 1, "replays": 10, "effect": 0.2} | plan)


@pytest.mark.parametrize(("effect", "power"), [(0, 0.8), (0.2, 1), (0.2, 0)])
def test_an_effect_and_a_power_are_needed_to_plan(effect: float, power: float) -> None:
    with pytest.raises(InvalidCounts):
        row_replays(1, 1, effect, power=power)


def test_the_power_that_is_said_is_about_the_power_there_is() -> None:
    rng = random.Random(5)
    experiments, found, seen = 150, 0, 0.0
    for _ in range(experiments):
        value = row_values(draw_experiment(rng, 6, 15, 12, {"r00": 0.25})).rows[0]
        found += value.is_flagged
        seen += value.delta or 0.0
    plan = row_power(6, 15, 180, 0.25, seen=seen / experiments / 0.25)
    assert plan.power == pytest.approx(found / experiments, abs=0.1)
