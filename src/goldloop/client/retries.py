"""The single source of the retry policy. Pure."""

from datetime import datetime
from email.utils import parsedate_to_datetime

import msgspec

PASSING = frozenset({429, 502, 503, 504})  # answers that say "not now"


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Only what does no harm when repeated is sent again. `budget` bounds the whole call, waits and all."""

    attempts: int = 4
    first_wait: float = 0.25  # seconds; doubles with each attempt
    longest_wait: float = 8.0
    budget: float = 30.0

    def wait(self, *, attempt: int, elapsed: float, retry_after: float | None, chance: float) -> float | None:
        """Seconds until the next attempt, None when there is none. `attempt` counts from 1, `chance` is 0 to 1:
        it spreads clients that failed together over the upper half of the wait."""
        if attempt >= self.attempts:
            return None
        backoff = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1))
        seconds = max(retry_after or 0.0, backoff * (0.5 + chance / 2))
        return seconds if elapsed + seconds < self.budget else None


def parse_retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds, from a number or a date; None when there is nothing to go by."""
    if not header:
        return None
    try:
        return max(0.0, float(int(header)))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - now).total_seconds())
    except (TypeError, ValueError):
        return None
