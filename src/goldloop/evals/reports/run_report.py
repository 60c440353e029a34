"""The single source of what a run of a set came to: outcomes of each golden beside its baseline, and the verdict. Pure."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from goldloop.evals.reports.judged import JudgedResult
from goldloop.evals.stats.counting import Counts, NoiseFloor, ReplayOutcome, count_outcomes
from goldloop.evals.stats.model import MARGIN, Pair, Verdict
from goldloop.evals.stats.proportions import Bounds, golden_rate
from goldloop.evals.stats.stratified import StratifiedInterval, stratified_interval

TOO_FEW_OF_ONE = 3  # runs of a single golden: they decide nothing


class GoldenMove(StrEnum):
    """Of one golden. None of them is a verdict: so few runs say nothing about one golden."""

    HARD_BREAK = "hard_break"  # passed always before, and never now
    FLIPPED = "flipped"
    IMPROVED = "improved"  # never before, and always now
    UNCHANGED = "unchanged"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    MISSING = "missing"
    QUARANTINED = "quarantined"  # no unchanged replay of it passes


class GoldenResult(msgspec.Struct, frozen=True, kw_only=True):
    """`divergence` is the first of the first repeat that failed."""

    id: str
    outcomes: list[ReplayOutcome]
    baseline: Pair | None = None
    floor: NoiseFloor | None = None
    min_pass: float | None = None
    divergence: str | None = None
    error: str | None = None
    seconds: float = 0.0

    @property
    def pair(self) -> Pair | None:
        passes, failures = (
            self.outcomes.count(ReplayOutcome.PASSED),
            self.outcomes.count(ReplayOutcome.FAILED),
        )
        return (passes, passes + failures) if passes + failures else None

    @property
    def change(self) -> GoldenMove:
        if self.floor is NoiseFloor.BROKEN:
            return GoldenMove.QUARANTINED
        if self.pair is None:
            counts = Counter(self.outcomes)
            if not counts:
                return GoldenMove.MISSING
            return GoldenMove.INCONCLUSIVE if counts[ReplayOutcome.INCONCLUSIVE] else GoldenMove.ERROR
        return _change(self.pair, self.baseline)

    @property
    def is_below(self) -> bool:
        """It passed less often than people ask of it."""
        if self.pair is None or self.min_pass is None or self.floor is NoiseFloor.BROKEN:
            return False
        passes, runs = self.pair
        return passes / runs < self.min_pass

    @property
    def fails(self) -> bool:
        """A hard break, or less than people ask of it."""
        return self.is_below or self.change is GoldenMove.HARD_BREAK


def _change(now: Pair, before: Pair | None) -> GoldenMove:
    passes, runs = now
    passes_before, runs_before = before or (1, 1)  # without a baseline: the golden itself passed
    if passes * runs_before == passes_before * runs:
        return GoldenMove.UNCHANGED
    if passes == 0 and passes_before == runs_before:
        return GoldenMove.HARD_BREAK
    return GoldenMove.IMPROVED if passes == runs and passes_before == 0 else GoldenMove.FLIPPED


class RunReport(msgspec.Struct, frozen=True, kw_only=True):
    """`rate` are the bounds of the mean of the goldens' rates. `interval` is None without a baseline; `verdict` is
    inconclusive also where too many replays were. `judged` is what judges say, on which no verdict depends."""

    set: str
    agent: str
    baseline: str | None
    repeats: int
    mode: str
    goldens: list[GoldenResult]
    counts: Counts
    rate: Bounds | None
    interval: StratifiedInterval | None
    verdict: Verdict | None
    margin: float
    judged: list[JudgedResult] = []


def build_report(
    goldens: Sequence[GoldenResult],
    *,
    set_name: str,
    agent: str,
    baseline: str | None,
    repeats: int,
    mode: str,
    margin: float = MARGIN,
) -> RunReport:
    counted = [golden for golden in goldens if golden.floor is not NoiseFloor.BROKEN]
    counts = count_outcomes([g.id for g in counted], {g.id: g.outcomes for g in counted})
    pairs = [pair for golden in counted if (pair := golden.pair)]
    interval = None
    if any(golden.baseline for golden in counted):
        interval = stratified_interval(
            [golden.pair for golden in counted], [golden.baseline for golden in counted], margin=margin
        )
    return RunReport(
        set=set_name,
        agent=agent,
        baseline=baseline,
        repeats=repeats,
        mode=mode,
        goldens=list(goldens),
        counts=counts,
        rate=golden_rate(pairs),
        interval=interval,
        verdict=_verdict(counted, counts, interval, baseline),
        margin=margin,
    )


def _verdict(
    goldens: Sequence[GoldenResult], counts: Counts, interval: StratifiedInterval | None, baseline: str | None
) -> Verdict | None:
    """None where nobody asked for a comparison. One that was asked for and could not be made is inconclusive, and so is
    one golden alone that ran a few times: by noise such a golden falls in every second set."""
    if interval is None:
        return Verdict.INCONCLUSIVE if baseline else None
    runs = [golden.pair[1] for golden in goldens if golden.pair and golden.baseline]
    too_few = len(runs) == 1 and runs[0] <= TOO_FEW_OF_ONE
    return Verdict.INCONCLUSIVE if too_few or counts.is_inconclusive else interval.verdict
