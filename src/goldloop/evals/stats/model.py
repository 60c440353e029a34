"""The single source of the verdicts about a change, and of what may be counted. Pure."""

from collections.abc import Sequence
from enum import StrEnum
from operator import index
from typing import SupportsIndex

MARGIN = 0.05  # a pass rate that is at most this much lower is no worse
LEVEL = 0.90  # of the interval that decides: a false alarm on either side in at most one of twenty

Pair = tuple[int, int]


class InvalidCounts(ValueError):
    """What is counted is no number of passes out of runs."""


class Verdict(StrEnum):
    REGRESSION = "regression"
    IMPROVEMENT = "improvement"
    NO_WORSE = "no worse"
    INCONCLUSIVE = "inconclusive"


def decide(low: float, high: float, margin: float = MARGIN) -> Verdict:
    """By the interval of the difference between candidate and baseline."""
    if high < 0:
        return Verdict.REGRESSION
    if low > 0:
        return Verdict.IMPROVEMENT
    return Verdict.NO_WORSE if low > -margin else Verdict.INCONCLUSIVE


def check_level(level: float) -> None:
    if not 0 < level < 1:
        raise InvalidCounts(f"a level lies between 0 and 1, and {level} does not")


def checked(pair: Pair | None, place: str) -> Pair:
    """(passes, runs); none at all where the golden has no run."""
    if pair is None:
        return 0, 0
    passes, runs = map(_count, pair)
    if passes is None or runs is None or passes > runs:
        raise InvalidCounts(f"{place}: {tuple(pair)} is no number of passes out of a number of runs")
    return passes, runs


def _count(value: SupportsIndex) -> int | None:
    """Of any type of integer; None for what is none."""
    try:
        number = index(value)
    except TypeError:
        return None
    return None if isinstance(value, bool) or number < 0 else number


def both_sides(
    candidate: Sequence[Pair | None], baseline: Sequence[Pair | None]
) -> tuple[list[tuple[Pair, Pair]], int]:
    """The goldens that have runs on both sides, and how many have not: those are missing, neither passed nor failed."""
    if len(candidate) != len(baseline):
        raise InvalidCounts(
            f"one pair per golden for each side: {len(candidate)} of the candidate, {len(baseline)} of the baseline"
        )
    pairs = [
        (checked(a, f"candidate[{i}]"), checked(b, f"baseline[{i}]"))
        for i, (a, b) in enumerate(zip(candidate, baseline, strict=True))
    ]
    there = [(a, b) for a, b in pairs if a[1] and b[1]]
    return there, len(pairs) - len(there)
