"""What a pure workload is, how it is measured, and how the numbers are shown."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

MIN_ROUNDS = 5  # a median of fewer is one disturbance away from nonsense

Pass = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """One pass of each over the same `count` things."""

    subject: Pass
    baseline: Pass
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PureWorkload:
    """`bound` is how many passes of the baseline the subject may take; None where we only look."""

    name: str
    about: str
    baseline: str
    bound: float | None
    prepare: Callable[[], Prepared]


@dataclass(frozen=True, slots=True, kw_only=True)
class PureRow:
    """Times in microseconds for one thing, medians over the rounds, as is the ratio."""

    name: str
    count: int
    rounds: int
    subject_us: float
    baseline_us: float
    ratio: float
    ratio_low: float
    ratio_high: float
    bound: float | None

    @property
    def held(self) -> bool:
        return self.bound is None or self.ratio <= self.bound

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"held": self.held}


def measure_pure(workload: PureWorkload, seconds: float) -> PureRow:
    """Rounds of both, in turns, for as long as asked and at least `MIN_ROUNDS`, after one that does not count."""
    prepared = workload.prepare()
    _time(prepared.subject), _time(prepared.baseline)
    rounds: list[tuple[float, float]] = []
    end = time.perf_counter() + seconds
    while len(rounds) < MIN_ROUNDS or time.perf_counter() < end:
        rounds.append((_time(prepared.subject), _time(prepared.baseline)))
    ratios = [subject / baseline for subject, baseline in rounds]
    return PureRow(
        name=workload.name,
        count=prepared.count,
        rounds=len(rounds),
        subject_us=median(subject for subject, _ in rounds) / prepared.count * 1e6,
        baseline_us=median(baseline for _, baseline in rounds) / prepared.count * 1e6,
        ratio=median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
        bound=workload.bound,
    )


def _time(run: Pass) -> float:
    """Of this process alone: on a busy machine the time on the wall is mostly that of others."""
    started = time.process_time()
    run()
    return time.process_time() - started


HEAD = f"{'computation':<22}{'µs each':>9}{'baseline':>10}{'ratio':>7}  {'(low–high)':<13}{'at most':>8}"


def line(row: PureRow, workload: PureWorkload) -> str:
    spread = f"({row.ratio_low:.2f}–{row.ratio_high:.2f})"
    bound = "" if row.bound is None else f"{row.bound:.0f}"
    verdict = "" if row.held else "  EXCEEDED"
    return (
        f"{row.name:<22}{row.subject_us:>9.1f}{row.baseline_us:>10.1f}{row.ratio:>7.2f}  {spread:<13}{bound:>8}"
        f"{verdict}\n  {workload.about}, beside {workload.baseline}; {row.rounds} rounds"
    )
