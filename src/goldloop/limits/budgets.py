"""What is left of the budgets of a day and of storage, and when one of them is used up. Pure."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from goldloop.kit.errors import TooManyRequests
from goldloop.limits.model import (
    CostBudgetSpent,
    RunUsage,
    StorageFull,
    StorageMeasure,
    TokenBudgetSpent,
    UsageLimits,
)

NEARLY = 0.8  # of a budget: from there on whoever runs the workspace is told
MEASURED_EVERY = timedelta(hours=1)  # where storage is limited


class Budget(NamedTuple):
    used: float
    most: float
    spent: type[TooManyRequests]


def day_of(moment: datetime) -> date:
    """Budgets are of days in UTC."""
    return moment.astimezone(UTC).date()


def end_of_day(moment: datetime) -> datetime:
    return datetime.combine(day_of(moment) + timedelta(days=1), time(), UTC)


def lower(own: UsageLimits, installation: UsageLimits) -> UsageLimits:
    """What counts where a workspace and its installation both say something."""

    def least(name: str) -> Any:
        return min(
            (limit for each in (own, installation) if (limit := getattr(each, name)) is not None),
            default=None,
        )

    return UsageLimits(**{name: least(name) for name in UsageLimits.__struct_fields__})


def day_budgets(limits: UsageLimits, used: RunUsage) -> Iterator[Budget]:
    if limits.tokens_per_day is not None:
        yield Budget(used.tokens, limits.tokens_per_day, TokenBudgetSpent)
    if limits.cost_per_day is not None:
        yield Budget(used.cost, limits.cost_per_day, CostBudgetSpent)


def find_spent(limits: UsageLimits, used: RunUsage, now: datetime) -> TooManyRequests | None:
    """Why no run may start now; None where one may."""
    for used_up, most, error in day_budgets(limits, used):
        if used_up >= most:
            detail = f"{error.title} ({used_up:,.10g} of {most:,.10g} used)"
            return error(detail, headers=_retry_after(end_of_day(now) - now))
    return None


def find_full(limits: UsageLimits, measure: StorageMeasure | None) -> StorageFull | None:
    """Why nothing more is stored; None where there is room, or nobody has measured yet."""
    if limits.storage_bytes is None or measure is None or measure.bytes < limits.storage_bytes:
        return None
    return StorageFull(
        f"{StorageFull.title} ({measure.bytes:,} of {limits.storage_bytes:,} bytes, measured at {measure.measured_at:%Y-%m-%d %H:%M} UTC)",
        headers=_retry_after(MEASURED_EVERY),
    )


def _retry_after(wait: timedelta) -> dict[str, str]:
    return {"Retry-After": str(max(1, int(wait.total_seconds()) + 1))}


def nearly_spent(limits: UsageLimits, used: RunUsage) -> int:
    """How many budgets of the day are used up or nearly so."""
    return sum(budget.used >= NEARLY * budget.most for budget in day_budgets(limits, used))
