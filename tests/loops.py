"""What a loop that asserts goes over. `test_test_rules.py` asks for one of these where the things may be none."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def some(things: Iterable[T]) -> list[T]:
    """These, of which there is at least one: a loop over nothing would assert nothing."""
    found = list(things)
    assert found, "there is nothing to look at"
    return found


def any_number(things: Iterable[T]) -> Iterable[T]:
    """These, of which there may well be none: other runs of the loop, or another loop, look at some."""
    return things
