"""The distributions beside scipy's."""

import pytest

from goldloop.evals.stats.distributions import beta_quantile, incomplete_beta, t_probability, t_quantile, z
from tests.evals.stats.references import REFERENCES
from tests.loops import some


@pytest.mark.parametrize(("a", "b", "x", "value"), REFERENCES["incomplete_beta"])
def test_incomplete_beta(a: float, b: float, x: float, value: float) -> None:
    assert incomplete_beta(a, b, x) == pytest.approx(value, abs=1e-12)


def test_beyond_its_ends_nothing_is_left_to_come() -> None:
    assert (incomplete_beta(2, 3, -0.1), incomplete_beta(2, 3, 0), incomplete_beta(2, 3, 1)) == (0, 0, 1)


def test_quantiles_of_beta() -> None:
    for p, a, b, value in some(REFERENCES["beta_quantile"]):
        assert beta_quantile(p, a, b) == pytest.approx(value, rel=1e-9, abs=1e-13)


def test_quantiles_of_t() -> None:
    for p, df, value in some(REFERENCES["t_quantile"]):
        assert t_quantile(p, df) == pytest.approx(value, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("t", "df", "value"), REFERENCES["t_probability"])
def test_probability_of_t(t: float, df: float, value: float) -> None:
    assert t_probability(t, df) == pytest.approx(value, abs=1e-12)


def test_quantiles_of_the_normal_distribution() -> None:
    assert z(0.95) == pytest.approx(1.6448536269514722, abs=1e-13)
    assert z(0.80) == pytest.approx(0.8416212335729143, abs=1e-13)
