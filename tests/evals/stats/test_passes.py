"""pass@k and pass^k."""

import pytest

from goldloop.evals.stats import InvalidCounts, pass_at_k, pass_hat_k


@pytest.mark.parametrize(
    ("passes", "runs", "k", "at_k", "hat_k"),
    [
        (2, 4, 1, 0.5, 0.5),
        (2, 4, 2, 5 / 6, 1 / 6),
        (2, 4, 4, 1.0, 0.0),
        (0, 4, 2, 0.0, 0.0),
        (4, 4, 3, 1.0, 1.0),
        (1, 2, 3, None, None),
        (0, 0, 1, None, None),
    ],
)
def test_pass(passes: int, runs: int, k: int, at_k: float | None, hat_k: float | None) -> None:
    assert pass_at_k(passes, runs, k) == pytest.approx(at_k)
    assert pass_hat_k(passes, runs, k) == pytest.approx(hat_k)


def test_k_is_at_least_one() -> None:
    with pytest.raises(InvalidCounts):
        pass_at_k(1, 2, 0)
