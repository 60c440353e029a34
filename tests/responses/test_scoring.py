"""The score of a response: one table for the server and the browser."""

import math
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.model import Dimension, DimensionType
from goldloop.entities.scores import score_badge_variant
from goldloop.kit.numbers import round_off
from goldloop.responses.scoring import NO_SCORE, compute_response_score
from tests import tables

TABLE = tables.load("response_score")
DIMENSIONS = msgspec.convert(TABLE["dimensions"], dict[str, Dimension])


@pytest.mark.parametrize("row", TABLE["cases"], ids=tables.ids)
def test_score(row: dict[str, Any]) -> None:
    score = compute_response_score(row["values"], [DIMENSIONS[key] for key in row["use"]])
    assert score.weighted == pytest.approx(row["weighted"])
    assert score.normalized == pytest.approx(row["normalized"])


COMMON_SCALES = [
    (0, 1),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (1, 7),
    (1, 9),
    (1, 10),
    (1, 11),
    (0, 5),
    (0, 10),
    (0, 20),
    (0, 100),
]


@pytest.mark.parametrize("scale", COMMON_SCALES, ids=str)
@pytest.mark.parametrize("weight", [1, 0.1, 0.2, 0.3, 0.35, 0.6, 0.7, 0.9, 1 / 3])
def test_a_value_that_reaches_a_threshold_is_scored_so(scale: tuple[int, int], weight: float) -> None:
    """By whatever weight, alone or beside an equal: the score is the nearest number to the true fraction."""
    low, high = scale
    both = [
        Dimension(key=key, label=key, type=DimensionType.RATING, scale=scale, weight=weight) for key in "ab"
    ]
    for value in range(low, high + 1):
        true = Fraction(value - low, high - low) * 100
        for dimensions in (both[:1], both):
            score = compute_response_score({"a": value, "b": value}, dimensions)
            assert score.weighted == value
            shown = round_off(score.normalized * 100)  # type: ignore[operator]
            for threshold in range(0, 101, 5):
                assert (shown >= threshold) == (true >= threshold), (value, threshold)
            if true.denominator == 1:
                assert shown == true
            assert (score_badge_variant(score.normalized * 100) == "default") == (true >= 70)  # type: ignore[operator]


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 10**400])
def test_what_is_not_a_finite_number_does_not_score(wrong: float) -> None:
    assert compute_response_score({"quality": wrong}, [DIMENSIONS["quality"]]) == NO_SCORE


def test_a_weight_that_is_not_a_number_does_not_score() -> None:
    odd = Dimension(key="a", label="A", type=DimensionType.NUMBER, scale=(0, 1), weight=math.nan)
    assert compute_response_score({"a": 1}, [odd]) == NO_SCORE


@st.composite
def answers(draw: st.DrawFn) -> tuple[dict[str, Any], list[Dimension]]:
    values, dimensions = {}, []
    for n in range(draw(st.integers(0, 5))):
        low = draw(st.integers(-100, 100))
        high = low + draw(st.integers(1, 100))
        weight = draw(st.none() | st.sampled_from([0, 1]) | st.floats(0.001, 1))
        dimensions.append(
            Dimension(key=f"d{n}", label="D", type=DimensionType.RATING, scale=(low, high), weight=weight)
        )
        values[f"d{n}"] = draw(st.none() | st.floats(low, high) | st.integers(low - 50, high + 50))
    return values, dimensions


@given(answers())
def test_scores_stay_within_their_range_and_come_together(
    case: tuple[dict[str, Any], list[Dimension]],
) -> None:
    values, dimensions = case
    score = compute_response_score(values, dimensions)
    counted = [values[d.key] for d in dimensions if d.weight and values[d.key] is not None]
    assert (score.weighted is None) == (score.normalized is None) == (not counted)
    if score.weighted is not None and score.normalized is not None:
        assert 0 <= score.normalized <= 1
        assert min(counted) - 1e-9 <= score.weighted <= max(counted) + 1e-9


@given(answers())
def test_the_order_of_dimensions_does_not_matter(case: tuple[dict[str, Any], list[Dimension]]) -> None:
    values, dimensions = case
    one, other = (compute_response_score(values, way) for way in (dimensions, dimensions[::-1]))
    assert one.normalized == pytest.approx(other.normalized)
    assert one.weighted == pytest.approx(other.weighted)
