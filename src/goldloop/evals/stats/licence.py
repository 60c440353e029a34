"""May a judge decide? Only one that agrees with people, as far as their verdicts on the same runs can tell. Pure.

People look at a licence while labels come in, and a judge of no worth has many chances then; so the bound of kappa that decides
is that of 99%, one-sided (design/evidence.md has what either bound lets through). Accuracy is not asked for: where nine of ten
runs pass, a judge that passes all of them is right nine times in ten. Runs of one golden are alike, so a licence is of several.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum

from goldloop.evals.model import Readable
from goldloop.evals.stats.kappa import ONE_SIDED, Both, cohen_kappa
from goldloop.evals.stats.proportions import wilson

DECIDING = 0.99  # one-sided, of kappa's bound
LEAST_KAPPA = 0.50  # of that bound
LEAST_LABELS = 50
LEAST_OF_CLASS = 15  # runs that people passed, and runs that they failed
LEAST_GOLDENS = (
    10  # five repeats of each are enough labels; with fewer, chance agrees on all of them too often
)
MOST_OF_ONE = 0.20  # of the labels: else it is the one golden that is judged
LEAST_TNR = 0.60  # of Wilson's lower end: what a gate is for is to stop bad runs


class NoLicence(StrEnum):
    TOO_FEW_LABELS = "too_few_labels"
    TOO_FEW_PASSED = "too_few_passed"
    TOO_FEW_FAILED = "too_few_failed"
    TOO_FEW_GOLDENS = "too_few_goldens"
    UNEVEN_GOLDENS = "uneven_goldens"  # too many of the labels are of one
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
    often the judge passes what people passed, `tnr` how often it fails what they failed. `goldens` is of how many the runs are, and
    `largest` the share of the one with the most; None where that is not known. The four counts are of runs, by what the judge said
    and what people said."""

    granted: bool
    reasons: tuple[NoLicence, ...]
    n: int
    kappa: float | None
    error: float | None
    low: float | None
    low_95: float | None
    tpr: JudgedRate
    tnr: JudgedRate
    goldens: int | None
    largest: float | None
    both_passed: int
    only_judge_passed: int
    only_people_passed: int
    both_failed: int


_ORDER = ((True, True), (True, False), (False, True), (False, False))


def judge_licence(
    verdicts: Iterable[tuple[bool, bool]], goldens: Iterable[Hashable] | None = None
) -> Licence:
    """`(judge, person)` for each run that both have judged; True where it passed. `goldens` names the golden of each; without, each
    run counts as one of its own kind."""
    seen = [(bool(judge), bool(person)) for judge, person in verdicts]
    if goldens is None:
        return licence_of(_count(seen))
    by_golden: dict[Hashable, list[tuple[bool, bool]]] = defaultdict(list)
    for golden, each in zip(goldens, seen, strict=True):
        by_golden[golden].append(each)
    return licence_of(_count(seen), [_count(each) for each in by_golden.values()])


def _count(seen: Sequence[tuple[bool, bool]]) -> Both:
    return Both(*(seen.count(each) for each in _ORDER))


def licence_of(both: Both, goldens: Sequence[Both] | None = None) -> Licence:
    """The same from counts, in all and by golden; the first of the two is the judge."""
    agreement, usual = cohen_kappa(both, DECIDING, goldens), cohen_kappa(both, ONE_SIDED, goldens)
    largest = max((sum(each) for each in goldens or ()), default=0)
    tpr = _rate(both.passed, both.passed + both.second_only)
    tnr = _rate(both.neither, both.neither + both.first_only)
    low = agreement.low if agreement else None
    tests = {
        NoLicence.TOO_FEW_LABELS: sum(both) < LEAST_LABELS,
        NoLicence.TOO_FEW_PASSED: tpr.labels < LEAST_OF_CLASS,
        NoLicence.TOO_FEW_FAILED: tnr.labels < LEAST_OF_CLASS,
        NoLicence.TOO_FEW_GOLDENS: goldens is not None and len(goldens) < LEAST_GOLDENS,
        NoLicence.UNEVEN_GOLDENS: goldens is not None
        and len(goldens) >= LEAST_GOLDENS
        and largest > MOST_OF_ONE * sum(both),
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
        goldens=None if goldens is None else len(goldens),
        largest=None if not goldens else largest / sum(both),
        both_passed=both.passed,
        only_judge_passed=both.first_only,
        only_people_passed=both.second_only,
        both_failed=both.neither,
    )


def _rate(right: int, labels: int) -> JudgedRate:
    low, high = wilson(right, labels)
    return JudgedRate(right=right, labels=labels, rate=right / labels if labels else None, low=low, high=high)
