"""When something is sent again, when a receiver is left alone, and when it is switched off."""

from datetime import UTC, datetime, timedelta

import pytest

from goldloop.webhooks.retries import asked_wait, is_given_up, next_try, pause_of

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)
NOTHING = timedelta(0)


def test_the_waits_end_after_a_little_more_than_a_day() -> None:
    at: datetime | None = AT
    waits: list[timedelta] = []
    while at is not None:
        again = next_try(len(waits) + 1, AT, at, NOTHING, 0)
        if again is not None:
            waits.append(again - at)
        at = again
    minutes = [wait.total_seconds() / 60 for wait in waits]
    assert minutes == [5 / 60, 5, 30, 120, 300, 600, 600]


@pytest.mark.parametrize(
    ("step", "age", "asked", "jitter", "wait"),
    [
        (1, 0, 0, 0, 5),
        (1, 0, 0, 1, 6),  # a fifth more at most
        (1, 0, 60, 0, 60),  # the receiver's own wish
        (2, 5, 60, 0, 300),  # which never makes it earlier
        (50, 3600, 0, 0, 36000),
        (3, 86_399, 0, 0, 1800),
        (3, 86_400, 0, 0, None),
    ],
)
def test_when_it_is_sent_again(step: int, age: int, asked: int, jitter: float, wait: int | None) -> None:
    again = next_try(step, AT - timedelta(seconds=age), AT, timedelta(seconds=asked), jitter)
    assert again == (None if wait is None else AT + timedelta(seconds=wait))


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0), (4, 0), (5, 5), (6, 10), (10, 160), (11, 300), (10_000, 300)]
)
def test_how_long_a_receiver_is_left_alone(failures: int, seconds: int) -> None:
    assert pause_of(failures) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("failures", "days", "given_up"), [(10, 5, True), (9, 5, False), (10_000, 4.9, False), (10, 400, True)]
)
def test_when_a_receiver_is_switched_off(failures: int, days: float, given_up: bool) -> None:
    assert is_given_up(failures, AT - timedelta(days=days), AT) is given_up


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("0", 0),
        ("120", 120),
        (" 7 ", 7),
        ("-5", 0),
        ("1e9", 0),
        ("9" * 400, 86400),
        ("soon", 0),
        ("Wed, 18 Nov 2026 12:01:00 GMT", 60),
        ("Wed, 18 Nov 2026 11:00:00 GMT", 0),
        ("Wed, 18 Nov 9999 11:00:00 GMT", 86400),
        ("Wed, 99 Nov 2026 12:01:00 GMT", 0),
        ("²", 0),
    ],
)
def test_what_a_receiver_asks_for_is_heeded_for_a_day_at_most(text: str | None, seconds: int) -> None:
    assert asked_wait(text, AT) == timedelta(seconds=seconds)
