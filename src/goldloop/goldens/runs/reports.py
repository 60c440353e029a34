"""The single source of what a run came to, from the outcomes of its replays and of its baseline's. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.evals.reports.run_report import GoldenResult, RunReport, build_report
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome
from goldloop.evals.stats.holm import holm
from goldloop.evals.stats.ledger import variance_ledger
from goldloop.evals.stats.model import Pair, Verdict
from goldloop.evals.stats.planning import repeats_beside, run_variance
from goldloop.goldens.runs.model import AgentReport, GoldenReport, Passes, ReplayUse, RunAgent, Spread

FAMILY_ERROR = 0.05  # of any false verdict about the other agents of a run
WANTED_CHANGE = 0.10  # what `repeats_to_buy` would make visible


class RunGolden(NamedTuple):
    """A golden that a run replays."""

    id: UUID
    floor: NoiseFloor | None = None
    min_pass: float | None = None


class Compared(NamedTuple):
    """A replay that is over."""

    golden_id: UUID
    outcome: ReplayOutcome
    accuracy: float | None = None
    divergence: str | None = None
    error: str | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


class Side(NamedTuple):
    """An agent of a run: its replays, how often its baseline passed each golden, and what that used."""

    agent: RunAgent
    replays: Sequence[Compared]
    baseline: RunAgent | None
    passes: Mapping[UUID, Pair]
    use: ReplayUse | None = None


def report_agents(
    goldens: Sequence[RunGolden],
    sides: Sequence[Side],
    *,
    repeats: int,
    mode: str,
    set_name: str,
    margin: float,
) -> list[AgentReport]:
    """In the order of the sides. With several, each one's p is adjusted for all of them."""
    reports = [
        (side, build_report(
            _results(goldens, side),
            set_name=set_name,
            agent=side.agent.slug,
            baseline=side.baseline.slug if side.baseline else None,
            repeats=repeats,
            mode=mode,
            margin=margin,
        ))
        for side in sides
    ]  # fmt: skip
    mid_ps = [report.interval.mid_p if report.interval else None for _, report in reports]
    worse, better = adjust_p(mid_ps), adjust_p([1 - p if p is not None else None for p in mid_ps])
    return [
        _report(side, report, _allowed(report, place, worse[place], better[place]), worse[place], goldens)
        for place, (side, report) in enumerate(reports)
    ]


def adjust_p(values: Sequence[float | None]) -> list[float | None]:
    """For all that there are; None stays None."""
    adjusted = iter(holm([p for p in values if p is not None]))
    return [next(adjusted) if p is not None else None for p in values]


def _allowed(report: RunReport, place: int, worse: float | None, better: float | None) -> Verdict | None:
    """The first agent is the one that a run is about. The others are many: by chance alone one of them stands out."""
    if place == 0 or report.interval is None:
        return report.verdict
    if report.verdict is Verdict.REGRESSION and (worse is None or worse > FAMILY_ERROR):
        return Verdict.INCONCLUSIVE
    if report.verdict is Verdict.IMPROVEMENT and (better is None or better > FAMILY_ERROR):
        return Verdict.NO_WORSE
    return report.verdict


def _results(goldens: Sequence[RunGolden], side: Side) -> list[GoldenResult]:
    by_golden = _by_golden(side.replays)
    return [
        GoldenResult(
            id=str(golden.id),
            outcomes=[replay.outcome for replay in by_golden.get(golden.id, ())],
            baseline=side.passes.get(golden.id) if side.baseline else None,
            floor=golden.floor,
            min_pass=golden.min_pass,
            divergence=_first(by_golden.get(golden.id, ()), "divergence", ReplayOutcome.FAILED),
            error=_first(by_golden.get(golden.id, ()), "error", ReplayOutcome.ERROR),
        )
        for golden in goldens
    ]


def _by_golden(replays: Sequence[Compared]) -> dict[UUID, list[Compared]]:
    found: dict[UUID, list[Compared]] = defaultdict(list)
    for replay in replays:
        found[replay.golden_id].append(replay)
    return found


def _first(replays: Sequence[Compared], name: str, outcome: ReplayOutcome) -> str | None:
    return next((getattr(r, name) for r in replays if r.outcome is outcome and getattr(r, name)), None)


def _report(
    side: Side,
    report: RunReport,
    verdict: Verdict | None,
    adjusted_p: float | None,
    goldens: Sequence[RunGolden],
) -> AgentReport:
    interval, counts = report.interval, report.counts
    by_golden = _by_golden(side.replays)
    rows = [
        GoldenReport(
            golden_id=golden.id,
            change=result.change,
            outcomes=result.outcomes,
            baseline=Passes(passes=result.baseline[0], runs=result.baseline[1]) if result.baseline else None,
            floor=golden.floor,
            min_pass=golden.min_pass,
            seconds=_sum([r.seconds for r in by_golden.get(golden.id, ())]),
            accuracy=_mean([r.accuracy for r in by_golden.get(golden.id, ())]),
            divergence=result.divergence,
            error=result.error,
        )
        for golden, result in zip(goldens, report.goldens, strict=True)
    ]
    outcomes = Counter(replay.outcome for replay in side.replays)
    like = interval.like_these if interval else None
    return AgentReport(
        agent=side.agent,
        baseline=side.baseline,
        verdict=verdict,
        pass_rate=counts.pass_rate,
        pass_rate_low=report.rate.low if report.rate else None,
        pass_rate_high=report.rate.high if report.rate else None,
        difference=interval.difference if interval else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        goldens_like_these=(like.low, like.high) if like else None,
        mid_p=interval.mid_p if interval else None,
        adjusted_p=adjusted_p,
        smallest_detectable=interval.smallest_detectable if interval else None,
        repeats_to_buy=_repeats(report),
        margin=report.margin,
        replays=len(side.replays),
        passed=outcomes[ReplayOutcome.PASSED],
        failed=outcomes[ReplayOutcome.FAILED],
        inconclusive=outcomes[ReplayOutcome.INCONCLUSIVE],
        errors=outcomes[ReplayOutcome.ERROR],
        missing=counts.missing,
        changes=dict(Counter(str(row.change) for row in rows)),
        spread=_spread([[r.accuracy for r in by_golden.get(golden.id, ())] for golden in goldens]),
        tokens=sum(replay.tokens or 0 for replay in side.replays),
        cost=_sum([replay.cost for replay in side.replays]),
        seconds=_mean([replay.seconds for replay in side.replays]),
        use=ReplayUse(
            tokens=_mean([replay.tokens for replay in side.replays]),
            cost=_mean([replay.cost for replay in side.replays]),
            seconds=_mean([replay.seconds for replay in side.replays]),
        ),
        baseline_use=side.use if interval else None,
        goldens=rows,
    )


def _repeats(report: RunReport) -> int | None:
    """How often each golden must run beside this baseline for a change of ten points to be found: by the same runs as
    `smallest_detectable`, so that the two never disagree. None where more repeats alone do not find it, or nothing is compared."""
    counted = [golden for golden in report.goldens if golden.floor is not NoiseFloor.BROKEN]
    pairs = [(g.pair, g.baseline) for g in counted if g.pair and g.baseline]
    if not pairs:
        return None
    return repeats_beside(pairs, run_variance([pair for both in pairs for pair in both]), WANTED_CHANGE)


def _spread(scores: Sequence[Sequence[float | None]]) -> Spread | None:
    known = [[[score] for score in golden if score is not None] for golden in scores]
    if not any(known):
        return None
    ledger = variance_ledger(known)
    return Spread(agent=ledger.agent, case=ledger.case)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if known else None


def primary_verdict(reports: Sequence[AgentReport]) -> AgentReport | None:
    """Of the agent that the run is about."""
    return reports[0] if reports else None
