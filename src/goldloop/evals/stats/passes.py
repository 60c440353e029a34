"""How often at least one of k runs passes, and how often all of them do. Pure.

Both are unbiased from n ≥ k runs; with fewer they are not defined.
"""

from math import comb

from goldloop.evals.stats.model import InvalidCounts, checked


def pass_at_k(passes: int, runs: int, k: int) -> float | None:
    """That at least one of k runs passes: 1 - C(n - c, k) / C(n, k)."""
    _check(passes, runs, k)
    return 1 - comb(runs - passes, k) / comb(runs, k) if runs >= k else None


def pass_hat_k(passes: int, runs: int, k: int) -> float | None:
    """pass^k, that all of k runs pass: C(c, k) / C(n, k)."""
    _check(passes, runs, k)
    return comb(passes, k) / comb(runs, k) if runs >= k else None


def _check(passes: int, runs: int, k: int) -> None:
    checked((passes, runs), "passes")
    if k < 1:
        raise InvalidCounts(f"k is at least 1, and {k} is not")
