"""What replays came to: which of them count as passed or failed, which are counted beside that, and what unchanged replays
say about a golden. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec

from goldloop.evals.stats.model import InvalidCounts, Pair, checked

MOST_INCONCLUSIVE = 0.20  # of a run's replays; with more the run itself is inconclusive
FLOOR_REPLAYS = 5  # unchanged, of a golden when it is made


class ReplayOutcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"  # it failed, and asked for something that no recording answers
    ERROR = "error"  # the infrastructure failed, not the agent


class NoiseFloor(StrEnum):
    STABLE = "stable"
    FLAKY = "flaky"
    BROKEN = "broken"  # no unchanged replay passes: it is kept out of the counts


class GoldenCounts(msgspec.Struct, frozen=True, kw_only=True):
    passed: int = 0
    failed: int = 0
    inconclusive: int = 0
    error: int = 0

    @property
    def pair(self) -> Pair | None:
        """(passes, runs) as the statistics take them; None where nothing was decided."""
        runs = self.passed + self.failed
        return (self.passed, runs) if runs else None


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """`pass_rate` is the mean of the goldens' rates, None where no golden has one. `missing` goldens have no replay that
    decides."""

    goldens: dict[str, GoldenCounts]
    pass_rate: float | None
    missing: int
    replays: int
    inconclusive: int
    errors: int

    @property
    def is_inconclusive(self) -> bool:
        decided = self.replays - self.errors
        return decided > 0 and self.inconclusive / decided > MOST_INCONCLUSIVE

    @property
    def pairs(self) -> list[Pair | None]:
        return [golden.pair for golden in self.goldens.values()]


def count_outcomes(goldens: Iterable[str], outcomes: Mapping[str, Sequence[ReplayOutcome]]) -> Counts:
    """In the order of the goldens. A golden without outcomes is missing."""
    counted = {golden: _count(outcomes.get(golden, ())) for golden in goldens}
    if unknown := outcomes.keys() - counted.keys():
        raise InvalidCounts(f"these are not among the goldens: {', '.join(sorted(unknown))}")
    rates = [pair[0] / pair[1] for each in counted.values() if (pair := each.pair)]
    return Counts(
        goldens=counted,
        pass_rate=sum(rates) / len(rates) if rates else None,
        missing=len(counted) - len(rates),
        replays=sum(len(outcomes.get(golden, ())) for golden in counted),
        inconclusive=sum(each.inconclusive for each in counted.values()),
        errors=sum(each.error for each in counted.values()),
    )


def _count(outcomes: Sequence[ReplayOutcome]) -> GoldenCounts:
    counts = Counter(outcomes)
    return GoldenCounts(**{str(outcome): counts[outcome] for outcome in ReplayOutcome})


def classify_floor(passes: int, runs: int) -> NoiseFloor | None:
    """What unchanged replays say about a golden; None before there is one."""
    checked((passes, runs), "noise floor")
    if not runs:
        return None
    if passes == runs:
        return NoiseFloor.STABLE
    return NoiseFloor.FLAKY if passes else NoiseFloor.BROKEN
