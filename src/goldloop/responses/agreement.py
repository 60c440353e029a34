"""Krippendorff's alpha: how far those who rated the same things agree beyond chance.

Over all ordered pairs of values, alpha = 1 − observed / expected disagreement: observed within the units,
each pair weighing 1/(m − 1) in a unit of m values, expected between any two of all n values, weighing
1/(n − 1). Only units with two or more values count, so missing ratings need no filling in.

How far two values disagree follows from the level of measurement: nominal, whether they differ; interval,
their squared distance; ordinal, the squared distance of their ranks, a value's rank being the number of values
below it and half of those equal to it. Sums of squared distances are sums of squares around the mean, so every
level takes one pass over the values instead of a matrix of all their pairs. The result is the same as by
Krippendorff's coincidence matrix (Computing Krippendorff's Alpha-Reliability, 2011).

Pure.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from goldloop.criteria.dimension_types import Level, is_empty
from goldloop.kit.numbers import is_number


class Undefined(StrEnum):
    """Why there is no alpha."""

    NOT_MEASURED = "not_measured"  # text has no level of measurement
    ONE_RATER = "one_rater"
    NO_PAIRS = "no_pairs"  # nothing was rated by two
    NO_VARIATION = "no_variation"  # all values are the same: what chance would give cannot be told


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """`units`, `raters` and `values` count what could be compared."""

    alpha: float | None
    reason: Undefined | None = None
    level: Level | None = None
    units: int = 0
    raters: int = 0
    values: int = 0


Value = float | str
Unit = Mapping[Any, object]  # rater → value; empty or absent: not rated


def measure_agreement(units: Iterable[Unit], level: Level | None) -> Agreement:
    """What is not a value of that level (text or a number; above the nominal level a number) is not rated."""
    if level is None:
        return Agreement(alpha=None, reason=Undefined.NOT_MEASURED)
    rated = [_rated(unit, level) for unit in units]
    pairable = [unit for unit in rated if len(unit) > 1]
    rows = [list(unit.values()) for unit in pairable]
    everything = [value for row in rows for value in row]
    alpha, reason = None, None
    if not pairable:
        lone = len({rater for unit in rated for rater in unit}) == 1
        reason = Undefined.ONE_RATER if lone else Undefined.NO_PAIRS
    elif len(set(everything)) == 1:
        reason = Undefined.NO_VARIATION
    else:
        alpha = _alpha(rows, everything, level)
    return Agreement(
        alpha=alpha,
        reason=reason,
        level=level,
        units=len(pairable),
        raters=len({rater for unit in pairable for rater in unit}),
        values=len(everything),
    )


def _rated(unit: Unit, level: Level) -> dict[Hashable, Value]:
    rated: dict[Hashable, Value] = {}
    for rater, value in unit.items():
        if is_number(value):
            rated[rater] = float(value)
        elif level is Level.NOMINAL and isinstance(value, str) and not is_empty(value):
            rated[rater] = value
    return rated


def _alpha(rows: Sequence[Sequence[Value]], everything: Sequence[Value], level: Level) -> float:
    """`rows` have two values or more each, and not all values are equal."""
    positions = None
    if level is not Level.NOMINAL:
        positions = _ranks(everything) if level is Level.ORDINAL else _distances(everything)

    def disagreement(values: Sequence[Value]) -> float:
        if positions is None:
            return _differing_pairs(values)
        return _squared_distances([positions[value] for value in values])

    observed = sum(disagreement(row) / (len(row) - 1) for row in rows)
    return 1 - (len(everything) - 1) * observed / disagreement(everything)


def _differing_pairs(values: Sequence[Value]) -> float:
    return len(values) ** 2 - sum(count**2 for count in Counter(values).values())


def _squared_distances(positions: Sequence[float]) -> float:
    """Σ (a − b)² over all ordered pairs."""
    centre = sum(positions) / len(positions)
    return 2 * len(positions) * sum((position - centre) ** 2 for position in positions)


def _ranks(values: Sequence[Value]) -> dict[Value, float]:
    counted, below = Counter(values), 0
    ranks: dict[Value, float] = {}
    for value in sorted(counted, key=float):
        ranks[value] = (below + counted[value] / 2) / len(values)
        below += counted[value]
    return ranks


def _distances(values: Sequence[Value]) -> dict[Value, float]:
    """From the lowest value, as a share of the whole range: no square overflows or vanishes."""
    numbers = {value: float(value) for value in values}
    low, high = min(numbers.values()), max(numbers.values())
    return {value: (number - low) / (high - low) for value, number in numbers.items()}
