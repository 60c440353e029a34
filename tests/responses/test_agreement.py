"""Krippendorff's alpha: published values, the cases in which there is none, and the definition itself."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.dimension_types import TYPES, Level
from goldloop.criteria.model import DimensionType
from goldloop.responses.agreement import Undefined, measure_agreement
from tests import tables

TABLE = tables.load("krippendorff")


def units_of(ratings: list[list[Any]]) -> list[dict[Any, Any]]:
    """Rows of raters as units."""
    return (
        [{rater: row[unit] for rater, row in enumerate(ratings)} for unit in range(len(ratings[0]))]
        if ratings
        else []
    )


@pytest.mark.parametrize("row", TABLE["published"], ids=tables.ids)
def test_published_values(row: dict[str, Any]) -> None:
    found = measure_agreement(units_of(row["ratings"]), Level(row["level"]))
    assert round(found.alpha or 0, 3) == row["alpha"]
    assert (found.units, found.raters, found.values) == (row["units"], len(row["ratings"]), row["values"])
    assert (found.reason, found.level) == (None, row["level"])


@pytest.mark.parametrize("row", TABLE["edges"], ids=tables.ids)
def test_edges(row: dict[str, Any]) -> None:
    found = measure_agreement(units_of(row["ratings"]), Level(row["level"]) if row["level"] else None)
    assert found.alpha == pytest.approx(row["alpha"])
    assert found.reason == (Undefined(row["reason"]) if row["reason"] else None)


def test_integers_that_no_float_tells_apart_are_the_same() -> None:
    found = measure_agreement([{"a": 2**60, "b": 2**60 + 1}], Level.INTERVAL)
    assert (found.alpha, found.reason) == (None, Undefined.NO_VARIATION)


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        (DimensionType.SELECT, Level.NOMINAL),
        (DimensionType.RATING, Level.ORDINAL),
        (DimensionType.NUMBER, Level.INTERVAL),
        (DimensionType.TEXT, None),
        (DimensionType.RICHTEXT, None),
    ],
)
def test_level_of_measurement(kind: DimensionType, level: Level | None) -> None:
    assert TYPES[kind].level == level


def by_coincidence_matrix(units: list[dict[int, float]], level: Level) -> float:
    """The definition, pair by pair."""
    rows = [list(unit.values()) for unit in units if len(unit) > 1]
    totals = Counter(value for row in rows for value in row)
    n = sum(totals.values())

    def delta(c: float, k: float) -> float:
        if level is Level.NOMINAL:
            return float(c != k)
        if level is Level.INTERVAL:
            return (c - k) ** 2
        low, high = sorted((c, k))
        return (sum(m for g, m in totals.items() if low <= g <= high) - (totals[c] + totals[k]) / 2) ** 2

    observed = sum(
        delta(c, k) / (len(row) - 1)
        for row in rows
        for i, c in enumerate(row)
        for j, k in enumerate(row)
        if i != j
    )
    expected = sum(totals[c] * totals[k] * delta(c, k) for c in totals for k in totals)
    return 1 - (n - 1) * observed / expected


UNITS = st.lists(st.dictionaries(st.integers(0, 4), st.integers(1, 5).map(float), max_size=5), max_size=8)
LEVELS = st.sampled_from(list(Level))


@given(UNITS, LEVELS)
def test_the_quick_way_gives_what_the_definition_gives(units: list[dict[int, float]], level: Level) -> None:
    found = measure_agreement(units, level)
    if found.alpha is not None:
        assert found.alpha == pytest.approx(by_coincidence_matrix(units, level))
        assert found.alpha <= 1
    else:
        assert found.reason is not None


@given(UNITS, LEVELS, st.permutations(range(5)), st.randoms(use_true_random=False))
def test_neither_the_order_of_units_nor_who_is_who_matters(
    units: list[dict[int, float]], level: Level, names: list[int], random: Any
) -> None:
    renamed = [{names[rater]: value for rater, value in unit.items()} for unit in units]
    random.shuffle(renamed)
    one, other = measure_agreement(units, level), measure_agreement(renamed, level)
    assert one.alpha == pytest.approx(other.alpha)
    assert (one.reason, one.units, one.values) == (other.reason, other.units, other.values)


@given(UNITS, st.floats(0.01, 100), st.floats(-1000, 1000))
def test_interval_agreement_does_not_depend_on_the_unit_of_measure(
    units: list[dict[int, float]], factor: float, offset: float
) -> None:
    moved = [{rater: value * factor + offset for rater, value in unit.items()} for unit in units]
    one, other = measure_agreement(units, Level.INTERVAL), measure_agreement(moved, Level.INTERVAL)
    assert one.alpha == pytest.approx(other.alpha, abs=1e-6)


@given(UNITS)
def test_ordinal_agreement_depends_on_the_order_alone(units: list[dict[int, float]]) -> None:
    stretched = [{rater: value**3 for rater, value in unit.items()} for unit in units]
    assert measure_agreement(units, Level.ORDINAL) == measure_agreement(stretched, Level.ORDINAL)
