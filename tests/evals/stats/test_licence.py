"""Which judges may decide."""

import random
from collections import Counter

import pytest

from goldloop.evals.stats import Both, Licence, NoLicence, judge_licence, licence_of
from tests.evals.stats.references import REFERENCES


@pytest.mark.parametrize("expected", REFERENCES["kappa"])
def test_figures(expected: dict[str, list[float]]) -> None:
    found = licence_of(Both(*expected["counts"]))  # type: ignore[arg-type]
    assert (found.kappa, found.error) == (
        pytest.approx(expected["kappa"], abs=1e-9),
        pytest.approx(expected["error"], abs=1e-9),
    )
    assert found.kappa is not None
    assert found.error is not None
    assert found.low_95 == pytest.approx(found.kappa - 1.644854 * found.error, abs=1e-6)
    assert found.low == pytest.approx(found.kappa - 2.326348 * found.error, abs=1e-6)
    assert (found.tpr.low, found.tpr.high) == pytest.approx(tuple(expected["tpr"]))
    assert (found.tnr.low, found.tnr.high) == pytest.approx(tuple(expected["tnr"]))


@pytest.mark.parametrize(
    ("both", "reasons"),
    [
        (Both(26, 9, 1, 78), ()),
        (Both(35, 0, 0, 15), ()),
        (Both(34, 0, 0, 15), (NoLicence.TOO_FEW_LABELS,)),
        (Both(36, 0, 0, 14), (NoLicence.TOO_FEW_FAILED,)),
        (Both(14, 0, 0, 36), (NoLicence.TOO_FEW_PASSED,)),
        (Both(40, 6, 4, 50), ()),
        (Both(30, 12, 9, 24), (NoLicence.KAPPA_LOW, NoLicence.TNR_LOW)),
        (Both(200, 8, 0, 17), (NoLicence.TNR_LOW,)),
        (Both(60, 40, 0, 0), (NoLicence.NO_KAPPA, NoLicence.TNR_LOW)),
        (
            Both(0, 0, 0, 0),
            (NoLicence.TOO_FEW_LABELS, NoLicence.TOO_FEW_PASSED, NoLicence.TOO_FEW_FAILED, NoLicence.NO_KAPPA, NoLicence.TNR_LOW),
        ),
    ],
)  # fmt: skip
def test_every_reason_why_not_is_named(both: Both, reasons: tuple[NoLicence, ...]) -> None:
    found = licence_of(both)
    assert found.reasons == reasons
    assert found.granted == (not reasons)
    assert found.n == sum(both)


def test_verdicts_are_counted_by_who_gave_them() -> None:
    verdicts = [(True, True)] * 4 + [(True, False)] * 3 + [(False, True)] * 2 + [(False, False)]
    found = judge_licence(verdicts)
    assert (found.both_passed, found.only_judge_passed, found.only_people_passed, found.both_failed) == (
        4,
        3,
        2,
        1,
    )
    assert (found.tpr.rate, found.tnr.rate) == (4 / 6, 1 / 4)
    assert (judge_licence([]).tpr.rate, judge_licence([]).kappa) == (None, None)


def of_goldens(*goldens: Both) -> Licence:
    return licence_of(Both(*map(sum, zip(*goldens, strict=True))), goldens)


@pytest.mark.parametrize(
    ("goldens", "reasons", "largest"),
    [
        ([Both(30, 0, 0, 30)], (NoLicence.TOO_FEW_GOLDENS,), 1.0),
        ([Both(3, 0, 0, 3)] * 9, (NoLicence.TOO_FEW_GOLDENS,), 1 / 9),
        ([Both(3, 0, 0, 3)] * 10, (), 0.1),
        ([Both(3, 0, 0, 2)] * 10, (), 0.1),
        ([Both(5, 0, 0, 5)] + [Both(2, 0, 0, 2)] * 10, (), 0.2),
        ([Both(6, 0, 0, 5)] + [Both(2, 0, 0, 2)] * 10, (NoLicence.UNEVEN_GOLDENS,), 11 / 51),
    ],
)
def test_a_licence_is_of_several_goldens_and_none_of_them_has_most(
    goldens: list[Both], reasons: tuple[NoLicence, ...], largest: float
) -> None:
    found = of_goldens(*goldens)
    assert (found.reasons, found.goldens, found.largest) == (reasons, len(goldens), pytest.approx(largest))


def test_verdicts_are_counted_by_golden() -> None:
    found = judge_licence([(True, True), (True, False), (True, True)], ["a", "b", "a"])
    assert (found.goldens, found.largest, found.n) == (2, pytest.approx(2 / 3), 3)
    assert (judge_licence([]).goldens, judge_licence([], []).goldens) == (None, 0)


def test_where_goldens_are_right_or_wrong_as_a_whole_the_bound_is_that_of_goldens() -> None:
    """Ten goldens of ten replays, of which the judge is wrong about one: not as sure as of ninety among a hundred."""
    apart = licence_of(Both(50, 0, 10, 40))
    whole = of_goldens(*[Both(10, 0, 0, 0)] * 5, Both(0, 0, 10, 0), *[Both(0, 0, 0, 10)] * 4)
    assert apart.granted
    assert whole.kappa == apart.kappa
    assert whole.error is not None and apart.error is not None and whole.error > 2 * apart.error  # noqa: PT018
    assert whole.reasons == (NoLicence.KAPPA_LOW,)


def test_of_goldens_of_one_replay_each_nothing_is_lost() -> None:
    one_each = (
        [Both(1, 0, 0, 0)] * 40 + [Both(0, 1, 0, 0)] * 6 + [Both(0, 0, 1, 0)] * 4 + [Both(0, 0, 0, 1)] * 50
    )
    found, apart = of_goldens(*one_each), licence_of(Both(40, 6, 4, 50))
    assert found.low == pytest.approx(apart.low, abs=0.002)


def draw_counts(rng: random.Random, kappa: float, n: int, passed: float = 0.6) -> Both:
    """Of a judge that passes as many runs as people do, and agrees with them as far as `kappa` says."""
    differ = (1 - kappa) * passed * (1 - passed)
    cells = (passed - differ, differ, differ, 1 - passed - differ)
    drawn = Counter(rng.choices(range(4), cells, k=n))
    return Both(*(drawn[cell] for cell in range(4)))


def licences(kappa: float, n: int, draws: int = 1000) -> list[Licence]:
    rng = random.Random(50)
    return [licence_of(draw_counts(rng, kappa, n)) for _ in range(draws)]


def test_of_a_thousand_judges_that_hardly_agree_none_has_a_licence() -> None:
    assert sum(each.granted for each in licences(0.3, 50)) == 0


def test_nearly_all_judges_that_agree_have_one() -> None:
    assert sum(each.granted for each in licences(0.8, 100)) >= 950


def licences_of_goldens(kappa: float, n: int, goldens: int = 10, draws: int = 1000) -> list[Licence]:
    rng = random.Random(50)
    return [
        of_goldens(*(draw_counts(rng, kappa, n // goldens) for _ in range(goldens))) for _ in range(draws)
    ]


def test_so_it_is_with_labels_of_ten_goldens() -> None:
    assert sum(each.granted for each in licences_of_goldens(0.3, 50)) == 0
    assert sum(each.granted for each in licences_of_goldens(0.8, 100)) >= 920


def test_of_judges_that_are_right_or_wrong_by_golden_few_more_slip_through() -> None:
    """At the least kappa, all ten replays of a golden alike: about 6 of 100, and 20 by the error that knows of no goldens."""
    rng = random.Random(50)
    drawn = [
        [Both(*(10 * count for count in draw_counts(rng, 0.5, 1))) for _ in range(10)] for _ in range(1000)
    ]
    assert sum(of_goldens(*goldens).granted for goldens in drawn) <= 80
    assert sum(licence_of(Both(*map(sum, zip(*goldens, strict=True)))).granted for goldens in drawn) >= 150


def test_at_the_bound_of_95_percent_more_would_slip_through() -> None:
    """Judges at the least kappa, at one look: about 2 of 100, and 6 at the usual bound."""
    found = licences(0.5, 100)
    granted = sum(each.granted for each in found) / len(found)
    usual = sum(each.low_95 is not None and each.low_95 >= 0.5 for each in found) / len(found)
    assert granted <= 0.03
    assert usual >= 0.04
