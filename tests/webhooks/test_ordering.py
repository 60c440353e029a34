"""What of the deliveries that are due is sent now."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from goldloop.webhooks.ordering import Due, choose

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


def due(number: int, *, step: int = 0, blocked: int | None = None) -> Due:
    until = None if blocked is None else AT + timedelta(seconds=blocked)
    return Due(UUID(int=number), UUID(int=number), step, step, None, AT, until)


def sent(*rows: Due, most: int = 8, probing: bool = False) -> list[int]:
    return [each.id.int for each in choose(rows, most, probing=probing).sent]


def test_nothing_is_due() -> None:
    assert choose([], 8, probing=False) == ([], [])


def test_what_waits_for_another_is_left_and_others_go_on() -> None:
    assert sent(due(1), due(2, blocked=-5), due(3), due(4, blocked=60)) == [1, 3]


def test_no_more_than_so_many_at_once() -> None:
    assert sent(due(1), due(2), due(3), most=2) == [1, 2]


def test_what_waits_for_a_later_moment_is_put_off_to_there() -> None:
    choice = choose([due(1, blocked=-5), due(2, blocked=0), due(3, blocked=60)], 8, probing=False)
    assert choice.postponed == [(UUID(int=3), AT + timedelta(seconds=60))]


def test_a_receiver_that_fails_is_tried_by_what_was_tried_least() -> None:
    assert sent(due(1, step=3), due(2, step=1), due(3, step=1), probing=True) == [2]
    assert sent(due(1, blocked=60), probing=True) == []
