"""The single source of what is said about a row's worth: unmeasured, flagged, measured, no effect found, or harmful; and what is
proposed for it. A person decides. Pure.

Two kinds of evidence come in: the value from an experiment of random halves (`row_values.py`), which flags rows, and pairs of
replays with and without this one row (`e_values.py`), which confirm. Targeted pairs are those of the goldens and sessions that the
row comes from: does it mend what it claims to? Guard pairs are those of the rest that it would apply to: does it break anything?
"""

from enum import StrEnum

import msgspec

from goldloop.evals.model import Readable
from goldloop.evals.stats.counting import MOST_INCONCLUSIVE
from goldloop.evals.stats.distributions import beta_quantile
from goldloop.evals.stats.e_values import ENOUGH, e_value
from goldloop.evals.stats.model import InvalidCounts
from goldloop.evals.stats.row_values import LEAST_SIDE, LEVEL, MOST_UNEVEN, NoValue, RowValue
from goldloop.evals.stats.stratified import bounds

ONE_SIDED = 0.95  # of the harm that is ruled out


class RowLabel(StrEnum):
    UNMEASURED = "unmeasured"
    FLAGGED = "flagged"  # it showed an effect among others, and pairs of it alone are still to come
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
    to the same. In others one or both decided nothing: these are lost, and `lost_better`, `lost_worse` and `lost_same` are what they
    would be if that were failures; `lost_with` and `lost_without` count the replays with the row and without it. `goldens` are those that pairs which decided are of, `spoilt`
    those of them in which a pair became worse; where nobody says, each pair is of another golden."""

    better: int = 0
    worse: int = 0
    same: int = 0
    lost_better: int = 0
    lost_worse: int = 0
    lost_same: int = 0
    lost_with: int = 0
    lost_without: int = 0
    goldens: int = 0
    spoilt: int = 0

    @property
    def n(self) -> int:
        return self.better + self.worse + self.same

    @property
    def made(self) -> int:
        return self.n + self.lost_better + self.lost_worse + self.lost_same

    @property
    def as_failed(self) -> "RowPairs":
        """With what is lost as failures."""
        return RowPairs(
            better=self.better + self.lost_better,
            worse=self.worse + self.lost_worse,
            same=self.same + self.lost_same,
        )

    def __add__(self, other: "RowPairs") -> "RowPairs":
        return RowPairs(
            **{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__}
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
    None without pairs. `confirmed`: by pairs that were about this row alone. `reason` says why there is no figure."""

    label: RowLabel
    proposal: RowProposal | None
    confirmed: bool
    figure: RowFigure | None
    helps: float | None
    harms: float | None
    harm_excluded: float | None
    reason: NoValue | None


def judge_row(
    value: RowValue | None = None,
    targeted: RowPairs = NO_PAIRS,
    guard: RowPairs = NO_PAIRS,
    *,
    is_targeted: bool | None = None,
    is_tried: bool = False,
) -> RowJudgement:
    """The figure is that of the pairs where there are enough of them, since they are about this row alone; else that of the
    experiment. Harm is looked for in both sets; help in the targeted one where the plan has one (`is_targeted`), else in the guard.
    Where nobody planned, it is targeted where a pair is. A row that an experiment flagged is flagged until all pairs that were wanted
    are there (`is_tried`); then they say what it is worth. Pairs of which too many are lost say nothing."""
    for pairs in (targeted, guard):
        if min(getattr(pairs, name) for name in pairs.__struct_fields__) < 0:
            raise InvalidCounts(f"{pairs} are no numbers of pairs")
    aims = bool(targeted.made) if is_targeted is None else is_targeted
    is_lost = are_lost(targeted, guard, aims)
    if is_lost:
        targeted = guard = NO_PAIRS
    helps, harms = help_e(targeted, guard, aims), harm_e(targeted, guard)
    pairs = targeted + guard
    label, proposal = _decide(value, helps, harms, is_tried and pairs.n >= LEAST_SIDE)
    confirmed = proposal in (RowProposal.ACTIVATE, RowProposal.RETIRE)
    figure = None if label is RowLabel.FLAGGED else figure_of_pairs(pairs, confirmed)
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
        reason=None if figure is not None else _why_not(value, is_lost),
    )


def _why_not(value: RowValue | None, is_lost: bool) -> NoValue | None:
    return NoValue.LOST if is_lost else value.reason if value is not None else None


def are_lost(targeted: RowPairs, guard: RowPairs, is_targeted: bool) -> bool:
    """Whether pairs cannot be believed for what is missing: too many replays of a side are, or it depends on what those count as
    whether the row helps or harms."""
    both = targeted + guard
    if max(both.lost_with, both.lost_without) > MOST_INCONCLUSIVE * both.made:
        return True
    if abs(_delta(both) - _delta(both.as_failed)) <= MOST_UNEVEN:
        return False
    decided, failed = _conclusions(targeted, guard, is_targeted)
    return decided != failed


def _delta(pairs: RowPairs) -> float:
    return (pairs.better - pairs.worse) / pairs.n if pairs.n else 0.0


def _conclusions(targeted: RowPairs, guard: RowPairs, is_targeted: bool) -> list[tuple[bool, bool]]:
    """Whether there is evidence of help and of harm, without what is lost and with it as failures."""
    return [
        (_help(*sides, is_targeted) >= ENOUGH, _harm(*sides) >= ENOUGH)
        for sides in ((targeted, guard), (targeted.as_failed, guard.as_failed))
    ]


def help_e(targeted: RowPairs, guard: RowPairs, is_targeted: bool) -> float | None:
    """Of one set alone, and always of the same: the larger of two e-values is none, and the smaller is one. So what is lost counts as
    nothing or as failures, whichever is less evidence."""
    if not targeted.n + guard.n:
        return None
    return min(_help(targeted, guard, is_targeted), _help(targeted.as_failed, guard.as_failed, is_targeted))


def harm_e(targeted: RowPairs, guard: RowPairs) -> float | None:
    """The mean of e-values is one, whatever they have to do with each other."""
    if not targeted.n + guard.n:
        return None
    return min(_harm(targeted, guard), _harm(targeted.as_failed, guard.as_failed))


def _help(targeted: RowPairs, guard: RowPairs, is_targeted: bool) -> float:
    pairs = targeted if is_targeted else guard
    return e_value(pairs.better, pairs.worse)


def _harm(targeted: RowPairs, guard: RowPairs) -> float:
    mirrored = [e_value(pairs.worse, pairs.better) for pairs in (targeted, guard) if pairs.n] or [1.0]
    return sum(mirrored) / len(mirrored)


def _decide(
    value: RowValue | None, helps: float | None, harms: float | None, is_tried: bool
) -> tuple[RowLabel, RowProposal | None]:
    if harms is not None and harms >= ENOUGH:
        return RowLabel.HARMFUL, RowProposal.RETIRE
    if helps is not None and helps >= ENOUGH:
        return RowLabel.MEASURED, RowProposal.ACTIVATE
    if value is not None and value.is_flagged and not is_tried:
        return RowLabel.FLAGGED, RowProposal.CONFIRM
    return RowLabel.UNMEASURED, None


def figure_of_pairs(pairs: RowPairs, confirmed: bool = False) -> RowFigure | None:
    """None where there are too few of them."""
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
    """The upper end for the share of goldens in which the row makes a pair worse (Clopper and Pearson): pairs of the same golden are
    no others, so goldens count, not pairs."""
    if not pairs.n:
        return None
    spoilt, goldens = (pairs.spoilt, pairs.goldens) if pairs.goldens else (pairs.worse, pairs.n)
    return 1.0 if spoilt == goldens else beta_quantile(ONE_SIDED, spoilt + 1, goldens - spoilt)
