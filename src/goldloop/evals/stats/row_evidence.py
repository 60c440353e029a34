"""The single source of what is said about a row's worth: unmeasured, measured, no effect found, or harmful; and what is proposed
for it. A person decides. Pure.

Two kinds of evidence come in: the value from an experiment of random halves (`row_values.py`), which flags rows, and pairs of
replays with and without this one row (`e_values.py`), which confirm. Targeted pairs are those of the goldens and sessions that the
row comes from: does it mend what it claims to? Guard pairs are those of the rest that it would apply to: does it break anything?
"""

from enum import StrEnum

import msgspec

from goldloop.evals.model import Readable
from goldloop.evals.stats.distributions import beta_quantile
from goldloop.evals.stats.e_values import ENOUGH, e_value
from goldloop.evals.stats.model import InvalidCounts
from goldloop.evals.stats.row_values import LEAST_SIDE, LEVEL, NoValue, RowValue
from goldloop.evals.stats.stratified import bounds

ONE_SIDED = 0.95  # of the harm that is ruled out


class RowLabel(StrEnum):
    UNMEASURED = "unmeasured"
    MEASURED = "measured"
    NO_EFFECT = "no effect found"
    HARMFUL = "harmful"


class RowProposal(StrEnum):
    CONFIRM = "confirm"  # flagged among others: to be replayed with and without it
    ACTIVATE = "activate"
    RETIRE = "retire"


class RowBasis(StrEnum):
    PAIRS = "pairs"
    HALVES = "halves"


class RowPairs(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of replays of a golden, with the row and without it: only the one with it passed, only the one without, or both came
    to the same."""

    better: int = 0
    worse: int = 0
    same: int = 0

    @property
    def n(self) -> int:
        return self.better + self.worse + self.same

    def __add__(self, other: "RowPairs") -> "RowPairs":
        return RowPairs(
            better=self.better + other.better, worse=self.worse + other.worse, same=self.same + other.same
        )


NO_PAIRS = RowPairs()


class RowFigure(Readable, frozen=True, kw_only=True):
    """By how much more replays pass with the row, 0.2 being 20 points, with its 95% interval; `n` pairs of replays, or replays of
    an experiment."""

    basis: RowBasis
    delta: float
    low: float
    high: float
    n: int


class RowJudgement(Readable, frozen=True, kw_only=True):
    """`helps` and `harms` are e-values, and `harm_excluded` the share of goldens that the row spoils at most, with 95% confidence;
    None without pairs. `confirmed`: by pairs that were about this row alone. `reason` says why an experiment gave no figure."""

    label: RowLabel
    proposal: RowProposal | None
    confirmed: bool
    figure: RowFigure | None
    helps: float | None
    harms: float | None
    harm_excluded: float | None
    reason: NoValue | None


def judge_row(
    value: RowValue | None = None, targeted: RowPairs = NO_PAIRS, guard: RowPairs = NO_PAIRS
) -> RowJudgement:
    """The figure is that of the pairs where there are enough of them, since they are about this row alone; else that of the
    experiment. Harm is looked for in both sets, help in the targeted one, or in the guard where no pair is targeted."""
    for pairs in (targeted, guard):
        if min(pairs.better, pairs.worse, pairs.same) < 0:
            raise InvalidCounts(f"{pairs} are no numbers of pairs")
    flagged = value is not None and value.is_flagged
    helps, harms = help_e(targeted, guard), harm_e(targeted, guard)
    label, proposal = _decide(value, helps, harms)
    confirmed = proposal in (RowProposal.ACTIVATE, RowProposal.RETIRE)
    figure = _of_pairs(targeted + guard, confirmed) if confirmed or not flagged else None
    figure = figure or _of_experiment(value)
    if figure is not None and label is RowLabel.UNMEASURED:
        label = RowLabel.NO_EFFECT
    return RowJudgement(
        label=label,
        proposal=proposal,
        confirmed=confirmed,
        figure=figure,
        helps=helps,
        harms=harms,
        harm_excluded=_harm_excluded(guard if guard.n else targeted),
        reason=value.reason if value is not None and figure is None else None,
    )


def help_e(targeted: RowPairs, guard: RowPairs) -> float | None:
    pairs = targeted if targeted.n else guard
    return e_value(pairs.better, pairs.worse) if pairs.n else None


def harm_e(targeted: RowPairs, guard: RowPairs) -> float | None:
    """The mean of e-values is one, whatever they have to do with each other."""
    mirrored = [e_value(pairs.worse, pairs.better) for pairs in (targeted, guard) if pairs.n]
    return sum(mirrored) / len(mirrored) if mirrored else None


def _decide(
    value: RowValue | None, helps: float | None, harms: float | None
) -> tuple[RowLabel, RowProposal | None]:
    if harms is not None and harms >= ENOUGH:
        return RowLabel.HARMFUL, RowProposal.RETIRE
    if helps is not None and helps >= ENOUGH:
        return RowLabel.MEASURED, RowProposal.ACTIVATE
    if value is not None and value.delta is not None and value.is_flagged:
        return (RowLabel.HARMFUL if value.delta < 0 else RowLabel.MEASURED), RowProposal.CONFIRM
    return RowLabel.UNMEASURED, None


def _of_pairs(pairs: RowPairs, confirmed: bool) -> RowFigure | None:
    if not pairs.n or not (confirmed or pairs.n >= LEAST_SIDE):
        return None
    seen = [(1, 0)] * pairs.better + [(0, 1)] * pairs.worse + [(1, 1)] * pairs.same
    delta = (pairs.better - pairs.worse) / pairs.n
    low, high = bounds([((a, 1), (b, 1)) for a, b in seen], delta, LEVEL)
    return RowFigure(basis=RowBasis.PAIRS, delta=delta, low=low, high=high, n=pairs.n)


def _of_experiment(value: RowValue | None) -> RowFigure | None:
    if value is None or value.delta is None or value.low is None or value.high is None:
        return None
    return RowFigure(
        basis=RowBasis.HALVES, delta=value.delta, low=value.low, high=value.high, n=value.replays
    )


def _harm_excluded(pairs: RowPairs) -> float | None:
    """The upper end for the share of pairs that the row makes worse (Clopper and Pearson); the pass rate cannot fall by more."""
    if not pairs.n:
        return None
    return 1.0 if pairs.worse == pairs.n else beta_quantile(ONE_SIDED, pairs.worse + 1, pairs.n - pairs.worse)
