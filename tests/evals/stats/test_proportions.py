"""Intervals of a pass rate beside those of statsmodels."""

from typing import Any

import pytest

from goldloop.evals.stats import InvalidCounts, clopper_pearson, golden_rate, jeffreys, wilson
from tests.evals.stats.references import REFERENCES


@pytest.mark.parametrize("row", REFERENCES["proportions"], ids=str)
def test_interval(row: dict[str, Any]) -> None:
    for name, interval in (("wilson", wilson), ("jeffreys", jeffreys), ("clopper_pearson", clopper_pearson)):
        found = interval(row["passes"], row["runs"], row["level"])
        assert tuple(found) == pytest.approx(row[name], abs=1e-9)


def test_seventeen_of_twenty() -> None:
    assert wilson(17, 20) == pytest.approx((0.6396, 0.9476), abs=5e-5)
    assert clopper_pearson(17, 20) == pytest.approx((0.6211, 0.9679), abs=5e-5)
    assert jeffreys(17, 20) == pytest.approx((0.6514, 0.9559), abs=5e-5)


@pytest.mark.parametrize("interval", [wilson, jeffreys, clopper_pearson])
def test_none_and_all_end_where_rates_end(interval: Any) -> None:
    assert interval(0, 4).low == 0
    assert interval(4, 4).high == 1
    assert 0 < interval(0, 4).high < 1
    assert interval(0, 0) == (0, 1)
    with pytest.raises(InvalidCounts):
        interval(5, 4)


def test_a_rate_over_goldens_is_that_of_their_runs_where_each_ran_as_often() -> None:
    assert golden_rate([(5, 5), (4, 5), (3, 5), (5, 5)]) == pytest.approx(wilson(17, 20))


def test_a_golden_that_ran_often_counts_once() -> None:
    found = golden_rate([(0, 1), (20, 20)])
    assert found is not None
    assert found.low < 0.5 < found.high
    assert found.high - found.low > 0.7
    assert golden_rate([]) is None
    assert golden_rate([(0, 0)]) is None
