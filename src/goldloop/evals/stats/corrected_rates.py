"""What a pass rate would be without the judge's mistakes. Pure.

With labels from other runs, by what the judge gets right of passed runs (TPR) and of failed ones (TNR), Rogan and Gladen (1978):

    rate = (judged + TNR − 1) / (TPR + TNR − 1)

with the interval of Lang and Reiczigel (2014). With people's labels on a random part of this run, the mean of PPI++ (Angelopoulos,
Duchi and Zrnic 2023): the judge's rate, plus what people find on top where they looked. Two labels that nobody gave, one right pass
and one right failure, and t instead of the normal distribution keep its interval honest for few labels.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean, pvariance, variance

import msgspec

from goldloop.evals.model import Readable
from goldloop.evals.stats.distributions import t_quantile, z
from goldloop.evals.stats.licence import DECIDING, LEAST_OF_CLASS
from goldloop.evals.stats.model import InvalidCounts, Pair, check_level, checked

LEVEL = 0.95
LEAST_SKILL = 1.2  # TPR + TNR; a coin has 1, and the interval is as wide as the scale well before
COIN = (
    1.0  # its lower bound is above that, at the level that licences are decided at: of coins, 1 in 100 passes
)
LEAST_RANDOM = 30  # labels of people on a random part (design/evidence.md)
MOST_UNDECIDED = 0.05  # of what people looked at: whom they cannot tell of are not like the others


class CorrectionMethod(StrEnum):
    ROGAN_GLADEN = "rogan_gladen"
    PPI = "ppi"


class NoCorrection(StrEnum):
    """Why a rate is not corrected."""

    NO_VERDICTS = "no_verdicts"
    TOO_FEW_LABELS = "too_few_labels"
    JUDGE_TOO_WEAK = "judge_too_weak"
    NOT_RANDOM = "not_random"  # people chose what to label, or could not tell of too many
    CONTRADICTED = "contradicted"  # such a judge does not come to such a rate, whatever the true one is
    ALL_LABELLED = "all_labelled"  # people's own rate is the rate


class CorrectedRate(Readable, frozen=True, kw_only=True):
    """`raw` is the judge's rate over `n` runs. `rate`, `low` and `high` are None where there is a `reason`. `tuning` is how far PPI++
    leans on the judge, from 0 to 1."""

    method: CorrectionMethod
    raw: float | None
    n: int
    labels: int
    level: float
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    tuning: float | None = None
    reason: NoCorrection | None = None


def rogan_gladen(judged: Pair, passed: Pair, failed: Pair, level: float = LEVEL) -> CorrectedRate:
    """`judged`: (passed by the judge, runs). `passed`: (right, labels) where people passed a run, `failed` where they failed it."""
    check_level(level)
    (y, n), (tp, m1), (tn, m0) = (
        checked(judged, "judged"),
        checked(passed, "passed"),
        checked(failed, "failed"),
    )
    found = CorrectedRate(
        method=CorrectionMethod.ROGAN_GLADEN, raw=y / n if n else None, n=n, labels=m1 + m0, level=level
    )
    if not n:
        return _refuse(found, NoCorrection.NO_VERDICTS)
    if min(m1, m0) < LEAST_OF_CLASS:
        return _refuse(found, NoCorrection.TOO_FEW_LABELS)
    tpr, tnr = tp / m1, tn / m0
    if tpr + tnr < LEAST_SKILL or _least_skill((tp, m1), (tn, m0)) <= COIN:
        return _refuse(found, NoCorrection.JUDGE_TOO_WEAK)
    low, high = _lang_reiczigel(y, n, (tp, m1), (tn, m0), z((1 + level) / 2))
    if low >= 1 or high <= 0:
        return _refuse(found, NoCorrection.CONTRADICTED)
    return msgspec.structs.replace(
        found, rate=_share((y / n + tnr - 1) / (tpr + tnr - 1)), low=_share(low), high=_share(high)
    )


def _least_skill(passed: Pair, failed: Pair) -> float:
    """The one-sided lower bound of TPR + TNR, with one right and one wrong label more of each kind."""
    rates = [((right + 1) / (labels + 2), labels + 2) for right, labels in (passed, failed)]
    error = math.sqrt(sum(rate * (1 - rate) / labels for rate, labels in rates))
    return sum(rate for rate, _ in rates) - z(DECIDING) * error


def _lang_reiczigel(y: int, n: int, passed: Pair, failed: Pair, q: float) -> tuple[float, float]:
    """With half of q² passes and failures more, and one right and one wrong label more of each kind."""
    (tp, m1), (tn, m0) = passed, failed
    n_more, m1_more, m0_more = n + q * q, m1 + 2, m0 + 2
    p, tpr, tnr = (y + q * q / 2) / n_more, (tp + 1) / m1_more, (tn + 1) / m0_more
    skill = tpr + tnr - 1
    centre = (p + tnr - 1) / skill
    of_passed, of_failed = tpr * (1 - tpr) / m1_more, tnr * (1 - tnr) / m0_more
    shift = 2 * q * q * (centre * of_passed - (1 - centre) * of_failed)
    error = math.sqrt(p * (1 - p) / n_more + (1 - centre) ** 2 * of_failed + centre**2 * of_passed) / skill
    return centre + shift - q * error, centre + shift + q * error


def ppi_mean(
    labelled: Sequence[tuple[float, float]],
    rest: Sequence[float],
    *,
    random: bool,
    undecided: int = 0,
    level: float = LEVEL,
) -> CorrectedRate:
    """`labelled`: (judge, person) for each run of the part that people labelled; `rest`: the judge on the others; verdicts as 0 and 1,
    or scores between. `random`: that part was drawn, not chosen. `undecided` runs of the rest were drawn too, and people could not
    tell: above a twentieth, whoever cannot tell chooses."""
    check_level(level)
    _check_scores([score for pair in labelled for score in pair] + list(rest))
    judged = [judge for judge, _ in labelled] + list(rest)
    found = CorrectedRate(
        method=CorrectionMethod.PPI,
        raw=fmean(judged) if judged else None,
        n=len(judged),
        labels=len(labelled),
        level=level,
    )
    if not judged:
        return _refuse(found, NoCorrection.NO_VERDICTS)
    if not random or undecided > MOST_UNDECIDED * (len(labelled) + undecided):
        return _refuse(found, NoCorrection.NOT_RANDOM)
    if len(labelled) < LEAST_RANDOM:
        return _refuse(found, NoCorrection.TOO_FEW_LABELS)
    if not rest:
        return _refuse(found, NoCorrection.ALL_LABELLED)
    return _ppi(found, [*labelled, (1.0, 1.0), (0.0, 0.0)], rest)


def _ppi(
    found: CorrectedRate, labelled: Sequence[tuple[float, float]], rest: Sequence[float]
) -> CorrectedRate:
    judge, person = [a for a, _ in labelled], [b for _, b in labelled]
    n, others = len(labelled), len(rest)
    mean_judge, mean_person = fmean(judge), fmean(person)
    together = math.fsum((a - mean_judge) * (b - mean_person) for a, b in labelled) / n
    spread = variance([*judge, *rest])
    tuning = _share(together / ((1 + n / others) * spread)) if spread else 0.0
    rate = tuning * fmean(rest) + mean_person - tuning * mean_judge
    error = math.sqrt(
        tuning**2 * pvariance(rest) / others + pvariance([b - tuning * a for a, b in labelled]) / n
    )
    half = t_quantile((1 + found.level) / 2, n - 1) * error
    return msgspec.structs.replace(
        found, rate=_share(rate), low=_share(rate - half), high=_share(rate + half), tuning=tuning
    )


def _refuse(found: CorrectedRate, reason: NoCorrection) -> CorrectedRate:
    return msgspec.structs.replace(found, reason=reason)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _check_scores(scores: Sequence[float]) -> None:
    if any(not 0 <= score <= 1 for score in scores):
        raise InvalidCounts("a verdict is 0, 1 or a score between")
