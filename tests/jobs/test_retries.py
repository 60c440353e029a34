"""When a failed run is tried again: the table."""

from datetime import timedelta

import pytest

from goldloop.jobs.retries import LONGEST_WAIT, tries_again, wait_before_retry
from goldloop.kit.queue import MAX_ATTEMPTS


@pytest.mark.parametrize(
    ("attempts_done", "seconds"),
    [
        (1, 2),
        (2, 4),
        (3, 8),
        (4, 16),
        (5, 32),
        (7, 128),
        (8, 256),
        (9, 300),
        (21, 300),
        (22, 300),
        (10_000, 300),
    ],
)
def test_the_wait_doubles_up_to_five_minutes(attempts_done: int, seconds: int) -> None:
    assert wait_before_retry(attempts_done) == timedelta(seconds=seconds)


def test_the_wait_never_shrinks_and_never_exceeds_the_longest() -> None:
    waits = [wait_before_retry(n) for n in range(1, 200)]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST_WAIT


@pytest.mark.parametrize(
    ("attempts_done", "max_attempts", "again"),
    [
        (1, 1, False),  # one attempt means no retry
        (0, 1, True),
        (1, 2, True),
        (2, 2, False),
        (3, 2, False),  # a manual retry may go beyond
        (MAX_ATTEMPTS - 1, MAX_ATTEMPTS, True),
        (MAX_ATTEMPTS, MAX_ATTEMPTS, False),
        (0, 0, False),
    ],
)
def test_a_run_is_repeated_until_the_attempts_are_used_up(
    attempts_done: int, max_attempts: int, again: bool
) -> None:
    assert tries_again(attempts_done, max_attempts) is again


def test_the_default_attempts_outlast_a_restart_of_what_a_job_needs() -> None:
    waited = sum((wait_before_retry(n) for n in range(1, MAX_ATTEMPTS)), timedelta())
    assert waited >= timedelta(minutes=5)
