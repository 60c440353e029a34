"""Agreement beyond chance, beside values that were worked out elsewhere."""

import pytest

from goldloop.evals.stats import InvalidCounts, cohen_kappa
from goldloop.evals.stats.kappa import Both


@pytest.mark.parametrize(
    ("both", "kappa", "error", "low"),
    [
        (Both(26, 9, 1, 78), 0.7798, 0.0653, 0.672),
        (Both(10, 0, 0, 10), 1.0, 0.0, 1.0),
        (Both(5, 5, 5, 5), 0.0, 0.2236, -0.3678),
        (Both(0, 10, 10, 0), -1.0, 0.0, -1.0),
    ],
)
def test_kappa(both: Both, kappa: float, error: float, low: float) -> None:
    found = cohen_kappa(both)
    assert found is not None
    assert found.kappa == pytest.approx(kappa, abs=5e-5)
    assert (found.error, found.low) == (pytest.approx(error, abs=5e-4), pytest.approx(low, abs=1e-3))


@pytest.mark.parametrize("both", [Both(0, 0, 0, 0), Both(9, 0, 0, 0), Both(5, 0, 4, 0), Both(0, 0, 3, 6)])
def test_who_says_the_same_of_all_agrees_by_chance(both: Both) -> None:
    assert cohen_kappa(both) is None


def test_counts_are_not_negative() -> None:
    with pytest.raises(InvalidCounts):
        cohen_kappa(Both(1, -1, 1, 1))
