"""What counts: a run that is missing or failed by its infrastructure is never a failure."""

import pytest

from goldloop.evals.stats import InvalidCounts, NoiseFloor, ReplayOutcome, classify_floor, count_outcomes

P, F, I, E = ReplayOutcome.PASSED, ReplayOutcome.FAILED, ReplayOutcome.INCONCLUSIVE, ReplayOutcome.ERROR  # noqa: E741


def test_only_what_was_decided_counts() -> None:
    found = count_outcomes(["a", "b", "c", "d"], {"a": [P, F, E], "b": [P, I], "c": [E, I]})
    assert found.pairs == [(1, 2), (1, 1), None, None]
    assert found.pass_rate == 0.75
    assert (found.missing, found.replays, found.inconclusive, found.errors) == (2, 7, 2, 2)


def test_a_run_without_anything_decided_has_no_rate() -> None:
    assert count_outcomes(["a"], {"a": [E]}).pass_rate is None
    assert count_outcomes([], {}).pass_rate is None


@pytest.mark.parametrize(
    ("outcomes", "inconclusive"),
    [([P, P, P, P, I], False), ([P, P, P, I], True), ([P, P, P, P, I, E, E, E], False), ([E], False), ([], False)],
)  # fmt: skip
def test_above_a_fifth_the_run_itself_is_inconclusive(
    outcomes: list[ReplayOutcome], inconclusive: bool
) -> None:
    assert count_outcomes(["a"], {"a": outcomes}).is_inconclusive is inconclusive


def test_an_outcome_of_no_golden_is_refused() -> None:
    with pytest.raises(InvalidCounts):
        count_outcomes(["a"], {"b": [P]})


@pytest.mark.parametrize(
    ("passes", "runs", "floor"),
    [(5, 5, NoiseFloor.STABLE), (4, 5, NoiseFloor.FLAKY), (1, 5, NoiseFloor.FLAKY), (0, 5, NoiseFloor.BROKEN), (0, 0, None)],
)  # fmt: skip
def test_noise_floor(passes: int, runs: int, floor: NoiseFloor | None) -> None:
    assert classify_floor(passes, runs) is floor
