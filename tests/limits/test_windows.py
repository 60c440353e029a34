"""When a request is let in: in windows of a minute of the clock, for each policy that it counts for."""

import pytest

from goldloop.limits.headers import rate_limit_headers
from goldloop.limits.windows import Count, Policy, Quota, Verdict, renewed, seconds_left, take, window_of

WORKSPACE, KEY = Policy("workspace", 3), Policy("key", 2)


@pytest.mark.parametrize(
    ("own", "others", "refused", "left"),
    [
        (0, 0, None, 2),
        (1, 0, None, 1),
        (2, 0, None, 0),  # the last one
        (3, 0, WORKSPACE, 0),
        (0, 2, None, 0),  # others have left one
        (0, 3, WORKSPACE, 0),
        (1, 9, WORKSPACE, 0),  # they went beyond before they told: never below nothing
    ],
)
def test_a_request_is_let_in_while_there_is_room(
    own: int, others: int, refused: Policy | None, left: int
) -> None:
    count = Count(0, own, others)
    verdict = take([(WORKSPACE, count)], 0.0)
    assert verdict == Verdict(refused, (Quota(WORKSPACE, left),), 60)
    assert count.own == own + (refused is None)


@pytest.mark.parametrize(
    ("of_workspace", "of_key", "refused", "counted"),
    [
        (0, 0, None, (1, 1)),
        (3, 0, WORKSPACE, (3, 0)),
        (0, 2, KEY, (0, 2)),  # and the workspace is not charged for it
        (3, 2, WORKSPACE, (3, 2)),
    ],
)
def test_it_counts_for_every_policy_or_for_none(
    of_workspace: int, of_key: int, refused: Policy | None, counted: tuple[int, int]
) -> None:
    counts = Count(0, of_workspace), Count(0, of_key)
    assert take(list(zip((WORKSPACE, KEY), counts, strict=True)), 0.0).refused_by is refused
    assert tuple(count.own for count in counts) == counted


def test_who_is_never_refused_is_counted() -> None:
    count = Count(0, 3)
    assert take([(WORKSPACE, count)], 0.0, always=True) == Verdict(None, (Quota(WORKSPACE, 0),), 60)
    assert count.own == 4


def test_without_a_policy_nothing_is_refused_and_nothing_told() -> None:
    verdict = take([], 0.0)
    assert verdict.refused_by is None
    assert rate_limit_headers(verdict) == {}


@pytest.mark.parametrize(
    ("now", "window", "left"),
    [(0.0, 0, 60), (0.5, 0, 60), (1.0, 0, 59), (59.0, 0, 1), (59.999, 0, 1), (60.0, 1, 60), (119.5, 1, 1)],
)
def test_a_window_is_a_minute_of_the_clock(now: float, window: int, left: int) -> None:
    assert (window_of(now), seconds_left(now)) == (window, left)


def test_a_new_window_begins_with_nothing() -> None:
    count = Count(7, 5, 5)
    assert renewed(count, 7) is count
    assert renewed(count, 8) == Count(8)
    assert renewed(None, 8) == Count(8)


def test_headers_name_each_policy_and_what_is_left_of_it() -> None:
    verdict = Verdict(None, (Quota(WORKSPACE, 1), Quota(KEY, 0)), 42)
    assert rate_limit_headers(verdict) == {
        "RateLimit-Policy": '"workspace";q=3;w=60, "key";q=2;w=60',
        "RateLimit": '"workspace";r=1;t=42, "key";r=0;t=42',
    }
