"""Events of limits."""

from goldloop.kit.events import Payload, declare, topic
from goldloop.limits.permissions import LIMITS_MANAGE

LIMITS = topic("limits", read_by=LIMITS_MANAGE)


class LimitsChanged(Payload, frozen=True, kw_only=True):
    """Null: none. What ends in `_before` is what it was."""

    requests_per_minute: int | None
    requests_per_minute_before: int | None
    key_requests_per_minute: int | None
    key_requests_per_minute_before: int | None
    tokens_per_day: int | None
    tokens_per_day_before: int | None
    cost_per_day: float | None
    cost_per_day_before: float | None
    storage_bytes: int | None
    storage_bytes_before: int | None


class KeyLimitChanged(Payload, frozen=True, kw_only=True):
    """Null: the limit of every key, where there is one."""

    requests_per_minute: int | None
    requests_per_minute_before: int | None


CHANGED = declare(
    "limits.changed",
    topic=LIMITS,
    subject="workspace",
    payload=LimitsChanged,
    when="Somebody set what the workspace may use",
)
KEY_CHANGED = declare(
    "limits.key_changed",
    topic=LIMITS,
    subject="key",
    payload=KeyLimitChanged,
    when="Somebody set how many requests a minute a key may make, or took that back",
)
