"""How sure a rate is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.conversations.reports.intervals import wilson


@pytest.mark.parametrize(
    ("successes", "total", "interval"),
    [
        (0, 0, None),
        (0, 1, (0.0, 0.7935)),
        (1, 1, (0.2065, 1.0)),
        (1, 2, (0.0945, 0.9055)),
        (0, 10, (0.0, 0.2775)),
        (10, 10, (0.7225, 1.0)),
        (50, 100, (0.4038, 0.5962)),
        (81, 263, (0.2553, 0.3662)),  # Newcombe (1998), table I
    ],
)
def test_it_is_that_of_the_literature(
    successes: int, total: int, interval: tuple[float, float] | None
) -> None:
    found = wilson(successes, total)
    assert (found and (round(found.low, 4), round(found.high, 4))) == interval


@given(st.integers(1, 10**9), st.data())
def test_it_holds_the_rate_and_stays_between_none_and_all(total: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, total))
    found = wilson(successes, total)
    assert found is not None
    assert 0 <= found.low <= successes / total <= found.high <= 1
