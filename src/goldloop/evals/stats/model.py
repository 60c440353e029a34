"""The single source of the verdicts about a change, and of what may be counted. Pure."""

from collections.abc import Sequence
from enum import StrEnum

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
    passes, runs = pair
    if not (_is_count(passes) and _is_count(runs) and passes <= runs):
        raise InvalidCounts(f"{place}: ({passes}, {runs}) is no number of passes out of a number of runs")
    return passes, runs


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


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
