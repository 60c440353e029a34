"""What a run's rate is once a judge's errors are taken out, and why there is none."""

from uuid import UUID

import pytest

from goldloop.evals.stats.corrected_rates import NoCorrection
from goldloop.goldens.judges.licences import Opinion, weigh
from goldloop.goldens.judges.rates import REFUSALS, correct

GOLDEN = UUID(int=1)
NOBODY = weigh([])
AGREES = [Opinion(True, 1, 0, GOLDEN)] * 20 + [Opinion(False, 0, 1, GOLDEN)] * 20


def test_each_reason_for_no_rate_is_told_in_words() -> None:
    assert set(REFUSALS) == set(NoCorrection)
    assert all(REFUSALS.values())


@pytest.mark.parametrize(
    ("undecided", "elsewhere", "method", "reason"),
    [
        (0, NOBODY, "ppi", None),
        (2, NOBODY, "ppi", None),
        (3, NOBODY, None, "not_random"),  # 3 of 43 are more than a twentieth
        (3, weigh(AGREES), "rogan_gladen", None),
    ],
)
def test_of_too_many_that_people_cannot_tell_of_the_rest_is_no_random_part(
    undecided: int, elsewhere: object, method: str | None, reason: str | None
) -> None:
    here = AGREES + [Opinion(False, 0, 0, GOLDEN)] * undecided
    rate, refused = correct((50, 100), here, elsewhere)  # type: ignore[arg-type]
    assert (rate and rate.method, refused and refused.code) == (method, reason)


def test_who_passes_what_the_judge_passes_and_cannot_tell_of_the_rest_makes_no_rate() -> None:
    here = [Opinion(True, 1, 0, GOLDEN)] * 40 + [Opinion(False, 0, 0, GOLDEN)] * 40
    rate, refused = correct((50, 100), here, NOBODY)
    assert rate is None
    assert refused is not None
    assert refused.code == "not_random"


def test_where_people_labelled_all_it_is_their_rate() -> None:
    rate, _ = correct((20, 40), AGREES, NOBODY)
    assert rate is not None
    assert (rate.method, rate.rate) == ("people", 0.5)


def test_where_nobody_judged_there_is_no_rate() -> None:
    rate, refused = correct((0, 0), [], NOBODY)
    assert (rate, refused and refused.code) == (None, "no_verdicts")
