"""The single source of when something is sent again, when a receiver is left alone, and when it is switched off. Pure.

A delivery has the waits of Standard Webhooks, which end after a little more than a day. A receiver that takes nothing is asked
by one delivery at a time and waits of its own, so that a thousand events do not knock at a door that is shut; the others wait
for it without an attempt.
"""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=10),
)
RETRIED_FOR = timedelta(days=1)  # a failure after that is the last
JITTER = 0.2  # of a wait, at most: what failed together does not come again together

PAUSED_AFTER = 5  # failures one after another, of whatever is sent: then it is the receiver and not a message
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(
    minutes=5
)  # also how long a receiver that is back may wait for the first of what waits

SWITCHED_OFF_AFTER = timedelta(days=5)  # without a success
LEAST_FAILURES = 10  # in that time: a receiver that is hardly ever asked is given more

LONGEST_ASKED = timedelta(days=1)  # that `Retry-After` is heeded for


def next_try(step: int, first_at: datetime, at: datetime, asked: timedelta, jitter: float) -> datetime | None:
    """When to send again after `step` failures, the first of which was at `first_at` and the last is at `at`; None is never.
    `asked` is what the receiver asked for, `jitter` is between 0 and 1."""
    if at - first_at >= RETRIED_FOR:
        return None
    wait = WAITS[min(step, len(WAITS)) - 1] * (1 + JITTER * jitter)
    return at + max(wait, asked)


def pause_of(failures: int) -> timedelta:
    """How long a receiver is left alone after so many failures one after another."""
    if failures < PAUSED_AFTER:
        return timedelta(0)
    doublings: int = 2 ** min(failures - PAUSED_AFTER, 20)
    return min(FIRST_PAUSE * doublings, LONGEST_PAUSE)


def is_given_up(failures: int, failing_since: datetime, at: datetime) -> bool:
    """Whether a receiver is switched off."""
    return failures >= LEAST_FAILURES and at - failing_since >= SWITCHED_OFF_AFTER


def asked_wait(retry_after: str | None, at: datetime) -> timedelta:
    """What `Retry-After` asks for, in seconds or as a date; nothing where it cannot be read."""
    if retry_after is None:
        return timedelta(0)
    text = retry_after.strip()
    try:
        if text.isascii() and text.isdigit():
            wanted = timedelta(seconds=min(int(text[:12]), LONGEST_ASKED.total_seconds()))
        else:
            named = parsedate_to_datetime(text)
            wanted = (named if named.tzinfo else named.replace(tzinfo=UTC)) - at
    except (ValueError, OverflowError, IndexError):
        return timedelta(0)
    return min(max(wanted, timedelta(0)), LONGEST_ASKED)
