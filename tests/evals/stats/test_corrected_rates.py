"""Pass rates without the judge's mistakes, beside the values of others."""

import random

import pytest

from goldloop.evals.stats import InvalidCounts, NoCorrection, ppi_mean, rogan_gladen
from goldloop.evals.stats.model import Pair
from tests.evals.stats.references import REFERENCES

GOOD: tuple[Pair, Pair] = ((180, 200), (140, 200))


@pytest.mark.parametrize(
    ("judged", "passed", "failed", "level", "rate", "low", "high"),
    [
        ((400, 1000), *GOOD, 0.95, 0.1666667, 0.0563507, 0.2627330),
        ((45, 60), (20, 25), (18, 25), 0.95, 0.9038462, 0.5769386, 1.0),
        ((45, 60), (25, 25), (25, 25), 0.95, 0.75, 0.6270210, 0.8907872),
    ],
)
def test_rogan_and_gladen(
    judged: Pair, passed: Pair, failed: Pair, level: float, rate: float, low: float, high: float
) -> None:
    found = rogan_gladen(judged, passed, failed, level)
    assert (found.rate, found.low, found.high) == pytest.approx((rate, low, high), abs=1e-6)
    assert (found.raw, found.reason) == (judged[0] / judged[1], None)
    assert (found.n, found.labels) == (judged[1], passed[1] + failed[1])


@pytest.mark.parametrize(
    ("judged", "passed", "failed", "reason"),
    [
        ((0, 0), *GOOD, NoCorrection.NO_VERDICTS),
        ((1000, 1000), *GOOD, NoCorrection.CONTRADICTED),
        ((0, 1000), *GOOD, NoCorrection.CONTRADICTED),
        ((5, 10), (14, 14), (15, 15), NoCorrection.TOO_FEW_LABELS),
        ((5, 10), (20, 20), (0, 0), NoCorrection.TOO_FEW_LABELS),
        ((5, 10), (20, 20), (3, 20), NoCorrection.JUDGE_TOO_WEAK),
        ((5, 10), (12, 20), (12, 20), NoCorrection.JUDGE_TOO_WEAK),  # a coin comes to that
        ((5, 10), (120, 200), (120, 200), None),
        ((5, 10), (119, 200), (12, 20), NoCorrection.JUDGE_TOO_WEAK),
    ],
)
def test_a_judge_that_is_too_weak_or_unknown_corrects_nothing(
    judged: Pair, passed: Pair, failed: Pair, reason: NoCorrection | None
) -> None:
    found = rogan_gladen(judged, passed, failed)
    assert found.reason is reason
    assert ((found.rate, found.low, found.high) == (None, None, None)) == (reason is not None)


@pytest.mark.parametrize("expected", REFERENCES["ppi"])
def test_ppi_is_that_of_its_authors_with_two_labels_more(expected: dict[str, list]) -> None:  # type: ignore[type-arg]
    found = ppi_mean(expected["labelled"], expected["rest"], random=True)
    assert (found.rate, found.low, found.high) == pytest.approx(
        (expected["rate"], expected["low"], expected["high"]), abs=1e-9
    )
    assert (found.n, found.labels) == (200, len(expected["labelled"]))


@pytest.mark.parametrize(
    ("labels", "rest", "random_part", "reason"),
    [
        (0, 0, True, NoCorrection.NO_VERDICTS),
        (29, 100, True, NoCorrection.TOO_FEW_LABELS),
        (30, 100, False, NoCorrection.NOT_RANDOM),
        (30, 0, True, NoCorrection.ALL_LABELLED),
        (30, 1, True, None),
    ],
)
def test_labels_that_say_nothing_about_the_rest_correct_nothing(
    labels: int, rest: int, random_part: bool, reason: NoCorrection | None
) -> None:
    found = ppi_mean([(1, 1)] * labels, [1] * rest, random=random_part)
    assert found.reason is reason
    assert (found.rate is None) == (reason is not None)


@pytest.mark.parametrize(
    ("undecided", "reason"),
    [(0, None), (2, None), (3, NoCorrection.NOT_RANDOM), (40, NoCorrection.NOT_RANDOM)],
)
def test_what_people_could_tell_of_is_no_random_part_where_they_often_could_not(
    undecided: int, reason: NoCorrection | None
) -> None:
    found = ppi_mean([(1, 1), (0, 0)] * 20, [1] * 60, random=True, undecided=undecided)
    assert found.reason is reason


def test_a_coin_corrects_nothing_and_a_good_judge_does() -> None:
    rng = random.Random(16)

    def corrected(right: float, labels: int) -> float:
        drawn = [[sum(rng.random() < right for _ in range(labels)) for _ in range(2)] for _ in range(1000)]
        found = [rogan_gladen((30, 60), (good, labels), (bad, labels)) for good, bad in drawn]
        return sum(each.reason is None for each in found) / len(found)

    assert max(corrected(0.5, labels) for labels in (15, 20, 50)) <= 0.02
    assert corrected(0.9, 15) >= 0.98


def test_a_judge_that_says_nothing_is_not_leaned_on() -> None:
    against = [(i % 2, 1 - i % 2) for i in range(60)]
    found = ppi_mean(against, [1] * 40, random=True)
    assert (found.tuning, found.rate) == (0, 0.5)


@pytest.mark.parametrize("score", [-0.1, 1.5, float("nan")])
def test_a_verdict_lies_between_0_and_1(score: float) -> None:
    with pytest.raises(InvalidCounts):
        ppi_mean([(1, 1)] * 30, [score], random=True)


def verdict(rng: random.Random, truth: bool) -> bool:
    """Of a judge that passes 90% of what is good and fails 70% of what is not."""
    return rng.random() < (0.9 if truth else 0.3)


def test_intervals_hold_the_true_rate_as_often_as_they_say() -> None:
    rng = random.Random(4)
    draws, raw_wrong, by_rates, by_part = 400, 0, 0, 0
    for _ in range(draws):
        run = [(verdict(rng, truth), truth) for truth in (rng.random() < 0.6 for _ in range(200))]
        judged = (sum(judge for judge, _ in run), len(run))
        good, bad = (sum(verdict(rng, truth) == truth for _ in range(40)) for truth in (True, False))
        corrected = rogan_gladen(judged, (good, 40), (bad, 40))
        part = ppi_mean(run[:40], [judge for judge, _ in run[40:]], random=True)
        by_rates += corrected.low <= 0.6 <= corrected.high  # type: ignore[operator]
        by_part += part.low <= 0.6 <= part.high  # type: ignore[operator]
        raw_wrong += abs(judged[0] / judged[1] - 0.6) > 0.05
    assert by_rates / draws >= 0.93
    assert by_part / draws >= 0.92
    assert raw_wrong / draws > 0.5
