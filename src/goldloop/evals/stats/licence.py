"""May a judge decide? Only one that agrees with people, as far as their verdicts on the same runs can tell. Pure.

People look at a licence while labels come in, and a judge of no worth has many chances then; so the bound of kappa that decides
is that of 99%, one-sided (design/evidence.md has what either bound lets through). Accuracy is not asked for: where nine of ten
runs pass, a judge that passes all of them is right nine times in ten.
"""

from collections.abc import Iterable
from enum import StrEnum

from goldloop.evals.model import Readable
from goldloop.evals.stats.kappa import ONE_SIDED, Both, cohen_kappa
from goldloop.evals.stats.proportions import wilson

DECIDING = 0.99  # one-sided, of kappa's bound
LEAST_KAPPA = 0.50  # of that bound
LEAST_LABELS = 50
LEAST_OF_CLASS = 15  # runs that people passed, and runs that they failed
LEAST_TNR = 0.60  # of Wilson's lower end: what a gate is for is to stop bad runs


class NoLicence(StrEnum):
    TOO_FEW_LABELS = "too_few_labels"
    TOO_FEW_PASSED = "too_few_passed"
    TOO_FEW_FAILED = "too_few_failed"
    NO_KAPPA = "no_kappa"  # the judge, or people, say the same of all runs
    KAPPA_LOW = "kappa_low"
    TNR_LOW = "tnr_low"


class JudgedRate(Readable, frozen=True, kw_only=True):
    """`right` of `labels`, with Wilson's 95% interval; `rate` is None without labels."""

    right: int
    labels: int
    rate: float | None
    low: float
    high: float


class Licence(Readable, frozen=True, kw_only=True):
    """`reasons` are all those why not. `low` is the one-sided 99% bound of kappa, which decides, `low_95` the usual one. `tpr` is how
    often the judge passes what people passed, `tnr` how often it fails what they failed. The four counts are of runs, by what the
    judge said and what people said."""

    granted: bool
    reasons: tuple[NoLicence, ...]
    n: int
    kappa: float | None
    error: float | None
    low: float | None
    low_95: float | None
    tpr: JudgedRate
    tnr: JudgedRate
    both_passed: int
    only_judge_passed: int
    only_people_passed: int
    both_failed: int


def judge_licence(verdicts: Iterable[tuple[bool, bool]]) -> Licence:
    """`(judge, person)` for each run that both have judged; True where it passed."""
    seen = [(bool(judge), bool(person)) for judge, person in verdicts]
    return licence_of(
        Both(*(seen.count(each) for each in ((True, True), (True, False), (False, True), (False, False))))
    )


def licence_of(both: Both) -> Licence:
    """The same from counts; the first of the two is the judge."""
    agreement, usual = cohen_kappa(both, DECIDING), cohen_kappa(both, ONE_SIDED)
    tpr = _rate(both.passed, both.passed + both.second_only)
    tnr = _rate(both.neither, both.neither + both.first_only)
    low = agreement.low if agreement else None
    tests = {
        NoLicence.TOO_FEW_LABELS: sum(both) < LEAST_LABELS,
        NoLicence.TOO_FEW_PASSED: tpr.labels < LEAST_OF_CLASS,
        NoLicence.TOO_FEW_FAILED: tnr.labels < LEAST_OF_CLASS,
        NoLicence.NO_KAPPA: low is None,
        NoLicence.KAPPA_LOW: low is not None and low < LEAST_KAPPA,
        NoLicence.TNR_LOW: tnr.low < LEAST_TNR,
    }
    reasons = tuple(reason for reason, applies in tests.items() if applies)
    return Licence(
        granted=not reasons,
        reasons=reasons,
        n=sum(both),
        kappa=agreement.kappa if agreement else None,
        error=agreement.error if agreement else None,
        low=low,
        low_95=usual.low if usual else None,
        tpr=tpr,
        tnr=tnr,
        both_passed=both.passed,
        only_judge_passed=both.first_only,
        only_people_passed=both.second_only,
        both_failed=both.neither,
    )


def _rate(right: int, labels: int) -> JudgedRate:
    low, high = wilson(right, labels)
    return JudgedRate(right=right, labels=labels, rate=right / labels if labels else None, low=low, high=high)
