"""When a budget of a day or of storage is used up, and which limit counts of two."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from goldloop.limits.budgets import day_of, end_of_day, find_full, find_spent, lower, nearly_spent
from goldloop.limits.model import NONE, RunUsage, StorageMeasure, UsageLimits

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOTH = UsageLimits(tokens_per_day=100, cost_per_day=2.0)


@pytest.mark.parametrize(
    ("limits", "tokens", "cost", "code"),
    [
        (NONE, 10**9, 10**6, None),
        (BOTH, 0, 0.0, None),
        (BOTH, 99, 1.99, None),
        (BOTH, 100, 0.0, "token_budget_spent"),
        (BOTH, 5000, 0.0, "token_budget_spent"),  # runs under way went on
        (BOTH, 0, 2.0, "cost_budget_spent"),
        (BOTH, 100, 2.0, "token_budget_spent"),  # the first is told
        (UsageLimits(cost_per_day=2.0), 10**9, 1.0, None),
        (UsageLimits(tokens_per_day=100), 0, 10.0**6, None),
    ],
)
def test_no_run_starts_when_a_budget_of_the_day_is_used_up(
    limits: UsageLimits, tokens: int, cost: float, code: str | None
) -> None:
    found = find_spent(limits, RunUsage(tokens, cost), NOON)
    assert (found.code if found else None) == code
    if found:
        assert (found.status, found.headers["Retry-After"]) == (429, str(12 * 3600 + 1))


@pytest.mark.parametrize(
    ("tokens", "cost", "count"), [(0, 0.0, 0), (79, 1.59, 0), (80, 0.0, 1), (80, 1.6, 2), (500, 9.0, 2)]
)
def test_budgets_are_told_of_from_four_fifths_on(tokens: int, cost: float, count: int) -> None:
    assert nearly_spent(BOTH, RunUsage(tokens, cost)) == count
    assert nearly_spent(NONE, RunUsage(tokens, cost)) == 0


@pytest.mark.parametrize(
    ("most", "stored", "is_full"),
    [
        (None, (10**9, 10**9), False),
        (100, None, False),
        (100, (50, 49), False),
        (100, (50, 50), True),
        (100, (0, 900), True),
    ],
)
def test_storage_is_full_when_rows_and_blobs_together_reach_the_limit(
    most: int | None, stored: tuple[int, int] | None, is_full: bool
) -> None:
    measure = stored and StorageMeasure(row_bytes=stored[0], blob_bytes=stored[1], measured_at=NOON)
    found = find_full(UsageLimits(storage_bytes=most), measure)
    assert (found is not None) == is_full
    if found:
        assert (found.status, found.code) == (429, "storage_full")
        assert "measured at 2026-03-01 12:00 UTC" in found.detail


def test_a_day_is_one_of_utc() -> None:
    evening_in_new_york = datetime(2026, 3, 1, 22, tzinfo=timezone(timedelta(hours=-5)))
    assert day_of(evening_in_new_york).isoformat() == "2026-03-02"
    assert end_of_day(evening_in_new_york) == datetime(2026, 3, 3, tzinfo=UTC)
    assert end_of_day(datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)) == datetime(2027, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("own", "installation", "counts"),
    [
        (NONE, NONE, NONE),
        (BOTH, NONE, BOTH),
        (NONE, BOTH, BOTH),
        (
            UsageLimits(requests_per_minute=10, cost_per_day=3.0, storage_bytes=5),
            UsageLimits(requests_per_minute=20, cost_per_day=2.0, tokens_per_day=7),
            UsageLimits(requests_per_minute=10, cost_per_day=2.0, storage_bytes=5, tokens_per_day=7),
        ),
    ],
)
def test_of_the_limits_of_a_workspace_and_of_its_installation_the_lower_counts(
    own: UsageLimits, installation: UsageLimits, counts: UsageLimits
) -> None:
    assert lower(own, installation) == counts
