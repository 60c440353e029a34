"""The single source of whether a run is good enough, for the table, the files and the exit code alike. Pure."""

from enum import IntEnum

import msgspec

from goldloop.evals.reports.judged import too_low, why_refused
from goldloop.evals.reports.run_report import GoldenMove, RunReport
from goldloop.evals.stats.model import Verdict

MOST_ERRORS = 0.10  # of the replays; with more the infrastructure is what was tested
MOST_NAMED = 5  # goldens of one reason
ROUNDING = 1e-9


class GateExit(IntEnum):
    """As pytest has them."""

    PASSED = 0
    FAILED = 1
    INTERRUPTED = 2
    INFRASTRUCTURE = 3
    USAGE = 4
    NO_GOLDENS = 5


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """`min_pass_rate` is asked of the rate itself, `min_pass_rate_lower` of the lower end of its interval, `min_judge_pass_rate` of the
    lower end of the corrected rate of each judge, all of which need a licence."""

    min_pass_rate: float | None = None
    min_pass_rate_lower: float | None = None
    min_judge_pass_rate: float | None = None
    require_conclusive: bool = False


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    exit: GateExit
    reasons: list[str]
    warnings: list[str]


def decide_gate(report: RunReport, gate: Gate) -> Decision:
    counts, quarantined = report.counts, len(report.goldens) - len(report.counts.goldens)
    if not counts.goldens:
        reason = f"all {quarantined} goldens are quarantined" if quarantined else "no golden was selected"
        return Decision(exit=GateExit.NO_GOLDENS, reasons=[reason], warnings=[])
    if not counts.replays or counts.errors / counts.replays > MOST_ERRORS:
        reason = f"the infrastructure failed {counts.errors} of {counts.replays} replays"
        return Decision(
            exit=GateExit.INFRASTRUCTURE,
            reasons=[reason if counts.replays else "nothing was replayed"],
            warnings=[],
        )
    if gate.min_judge_pass_rate is not None and (refusals := why_refused(report.judged)):
        return Decision(exit=GateExit.USAGE, reasons=refusals, warnings=[])
    reasons: list[str] = []
    warnings: list[str] = []
    if report.verdict is Verdict.REGRESSION:
        reasons.append(f"regression against {report.baseline or 'the baseline'}")
    if report.baseline and report.interval is None:
        reasons.append(f"there is no replay of {report.baseline} to compare with")
    reasons += _below(report, gate)
    if gate.min_judge_pass_rate is not None:
        reasons += too_low(report.judged, gate.min_judge_pass_rate, ROUNDING)
    short = [golden.id for golden in report.goldens if golden.is_below]
    if short:
        reasons.append(f"{_few(short)} passed less often than their min_pass asks for")
    if report.verdict is Verdict.INCONCLUSIVE or counts.is_inconclusive:
        (reasons if gate.require_conclusive else warnings).append("the run is inconclusive")
    if counts.missing:
        warnings.append(f"{counts.missing} goldens have no replay that decides")
    if quarantined:
        warnings.append(f"{quarantined} goldens are quarantined")
    broken = [golden.id for golden in report.goldens if golden.change is GoldenMove.HARD_BREAK]
    if broken and report.verdict is not Verdict.REGRESSION:
        warnings.append(f"{_few(broken)} passed always before and never now")
    return Decision(exit=GateExit.FAILED if reasons else GateExit.PASSED, reasons=reasons, warnings=warnings)


def _few(goldens: list[str]) -> str:
    named, more = ", ".join(goldens[:MOST_NAMED]), len(goldens) - MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _below(report: RunReport, gate: Gate) -> list[str]:
    rate, lower = report.counts.pass_rate, report.rate.low if report.rate else None
    found = []
    for name, value, least in (
        ("pass rate", rate, gate.min_pass_rate),
        ("lower end of the pass rate", lower, gate.min_pass_rate_lower),
    ):
        if least is None:
            continue
        if value is None:
            found.append(f"there is no {name}, and at least {least:.1%} is asked for")
        elif value < least - ROUNDING:
            found.append(f"the {name} is {value:.1%}, and at least {least:.1%} is asked for")
    return found
