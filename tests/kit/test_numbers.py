"""What counts as a number."""

import math

import pytest

from goldloop.kit.numbers import MAX_NUMBER, is_number


@pytest.mark.parametrize("value", [0, -0.0, 3, 2.5, -1e99, MAX_NUMBER, 2**60])
def test_finite_ints_and_floats_are_numbers(value: object) -> None:
    assert is_number(value)


@pytest.mark.parametrize(
    "value", [None, True, False, "3", [3], math.nan, math.inf, -math.inf, 1e101, 10**400, 3j]
)
def test_the_rest_is_not(value: object) -> None:
    assert not is_number(value)
