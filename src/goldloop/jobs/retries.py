"""When a failed run is tried again. Pure."""

from datetime import timedelta

FIRST_WAIT = timedelta(seconds=2)
LONGEST_WAIT = timedelta(minutes=5)


def wait_before_retry(attempts_done: int) -> timedelta:
    """Doubles with every attempt: 2 s, 4 s, 8 s, … up to five minutes."""
    doublings: int = 2 ** min(attempts_done - 1, 20)
    return min(FIRST_WAIT * doublings, LONGEST_WAIT)


def tries_again(attempts_done: int, max_attempts: int) -> bool:
    return attempts_done < max_attempts
