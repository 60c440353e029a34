"""The single source of how many replays of a run meet a rubric once a judge's errors are taken out. Pure.

People's labels on a random part of the run come first, then what is known of the judge from other runs. Where neither will do,
the reason is told and there is no rate.
"""

from collections.abc import Sequence

from goldloop.evals.stats.corrected_rates import LEVEL, MOST_UNDECIDED, NoCorrection, ppi_mean, rogan_gladen
from goldloop.evals.stats.corrected_rates import CorrectedRate as Found
from goldloop.evals.stats.licence import LEAST_OF_CLASS
from goldloop.evals.stats.licence import Licence as Worth
from goldloop.evals.stats.proportions import wilson
from goldloop.goldens.judges.licences import Opinion
from goldloop.goldens.judges.model import CorrectedRate, JudgeReason, RateMethod

REFUSALS = {
    NoCorrection.NO_VERDICTS: "the judge has judged nothing",
    NoCorrection.TOO_FEW_LABELS: (
        f"how the judge errs is not known: people have to label {LEAST_OF_CLASS} replays that they pass and {LEAST_OF_CLASS} that "
        "they fail, or a random part of this run"
    ),
    NoCorrection.JUDGE_TOO_WEAK: "the judge is hardly better than a coin: no rate follows from what it says",
    NoCorrection.NOT_RANDOM: (
        f"people could not tell of more than {MOST_UNDECIDED:.0%} of what they were given of this run: what they could tell of is no "
        "random part of it"
    ),
    NoCorrection.CONTRADICTED: (
        "a judge that errs as this one does elsewhere comes to no such rate, whatever the true one is: label a random part of this run"
    ),
    NoCorrection.ALL_LABELLED: "people labelled all of it",
}


def correct(
    judged: tuple[int, int], here: Sequence[Opinion], elsewhere: Worth
) -> tuple[CorrectedRate | None, JudgeReason | None]:
    """`judged` are (passed, replays) by the judge; `here` is what people say of a random part of these replays, `elsewhere` how the
    judge does on others."""
    known = [(each.judge, each.people) for each in here if each.people is not None]
    passed, replays = judged
    if known and len(known) == replays:
        agreed = sum(bool(people) for _, people in known)
        low, high = wilson(agreed, replays, LEVEL)
        of_people = CorrectedRate(
            rate=agreed / replays,
            low=low,
            high=high,
            level=LEVEL,
            method=RateMethod.PEOPLE,
            labels=replays,
        )
        return of_people, None
    rest_passed = passed - sum(judge for judge, _ in known)
    rest = [1.0] * rest_passed + [0.0] * (replays - len(known) - rest_passed)
    part = [(float(judge), float(bool(people))) for judge, people in known]
    by_part = found = ppi_mean(part, rest, random=True, undecided=len(here) - len(known))
    if by_part.reason is not None:
        tpr, tnr = elsewhere.tpr, elsewhere.tnr
        found = rogan_gladen(judged, (tpr.right, tpr.labels), (tnr.right, tnr.labels))
    if found.reason is not None:
        return None, _refusal(by_part.reason, found.reason)
    return _rate(found), None


def _refusal(of_part: NoCorrection | None, of_others: NoCorrection) -> JudgeReason:
    """Where nobody labelled elsewhere, what is wrong with the labels on this run."""
    chosen = of_part is NoCorrection.NOT_RANDOM and of_others is NoCorrection.TOO_FEW_LABELS
    reason = NoCorrection.NOT_RANDOM if chosen else of_others
    return JudgeReason(code=str(reason), message=REFUSALS[reason])


def _rate(found: Found) -> CorrectedRate:
    assert found.rate is not None and found.low is not None and found.high is not None  # noqa: PT018
    return CorrectedRate(
        rate=found.rate,
        low=found.low,
        high=found.high,
        level=found.level,
        method=RateMethod(str(found.method)),
        labels=found.labels,
    )
