"""What counts as a number."""

import math

import pytest

from goldloop.kit.numbers import MAX_NUMBER, is_number, may_be_out_of_range


@pytest.mark.parametrize("value", [0, -0.0, 3, 2.5, -1e99, MAX_NUMBER, 2**60])
def test_finite_ints_and_floats_are_numbers(value: object) -> None:
    assert is_number(value)


@pytest.mark.parametrize(
    "value", [None, True, False, "3", [3], math.nan, math.inf, -math.inf, 1e101, 10**400, 3j]
)
def test_the_rest_is_not(value: object) -> None:
    assert not is_number(value)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", False),
        (b"1", False),
        (b"1e60", True),
        (b"-1E+60", True),
        (b'{"a":1.5e-60}', True),
        (b'{"a": [2, 3e51]}', True),
        (b"[" + b"1" * 51 + b"]", True),
        (b"[" + b"0" * 400 + b"1]", True),
        (b'{"a":0.' + b"0" * 60 + b"1}", True),
        (b'{"id":"019b5ae1-3e45-7000-8000-0000000000e12"}', False),  # an id in hexadecimal
        (b'{"id":"call_4e60a87ff679a2f3e71d"}', False),
        (b'{"id":"a' + b"1" * 60 + b'"}', False),
        (b'{"id":"c3e45", "a": 1e60}', True),
        (b'{"text":"about 1e60"}', True),  # which is then looked at
    ],
)
def test_what_is_looked_at_for_its_range(body: bytes, expected: bool) -> None:
    assert may_be_out_of_range(body) is expected
