"""What a run says about several agents."""

from uuid import UUID, uuid4

from goldloop.evals.stats import ReplayOutcome, Verdict
from goldloop.goldens.runs.model import AgentReport, RunAgent
from goldloop.goldens.runs.reports import Compared, RunGolden, Side, report_agents

GOLDENS = [RunGolden(uuid4()) for _ in range(8)]
BASELINE = RunAgent(id=uuid4(), slug="base", version=1)
ALWAYS: dict[UUID, tuple[int, int]] = {golden.id: (5, 5) for golden in GOLDENS}


def _side(fails: int) -> Side:
    """An agent that fails one repeat of five on so many goldens."""
    replays = [
        Compared(golden.id, ReplayOutcome.FAILED if place < fails and not repeat else ReplayOutcome.PASSED)
        for place, golden in enumerate(GOLDENS)
        for repeat in range(5)
    ]
    return Side(RunAgent(id=uuid4(), slug="tried", version=1), replays, BASELINE, ALWAYS)


def _reports(*fails: int) -> list[AgentReport]:
    return report_agents(
        GOLDENS, [_side(each) for each in fails], repeats=5, mode="hybrid", set_name="all", margin=0.05
    )


def test_the_agent_that_a_run_is_about_is_judged_alone() -> None:
    alone, among = _reports(5)[0], _reports(5, 0, 0, 0, 0, 0)[0]
    assert (alone.verdict, among.verdict) == (Verdict.REGRESSION, Verdict.REGRESSION)


def test_one_of_many_others_stands_out_by_chance() -> None:
    other = _reports(0, 5, 0, 0, 0, 0)[1]
    assert other.mid_p is not None
    assert other.adjusted_p is not None
    assert other.mid_p < 0.05 < other.adjusted_p
    assert other.verdict is Verdict.INCONCLUSIVE


def test_one_that_is_worse_beyond_chance_is_a_regression_among_many_too() -> None:
    assert _reports(0, 8, 0, 0, 0, 0)[1].verdict is Verdict.REGRESSION


def test_a_baseline_without_replays_leaves_the_comparison_open() -> None:
    (found,) = report_agents(
        GOLDENS, [_side(0)._replace(passes={})], repeats=5, mode="hybrid", set_name="all", margin=0.05
    )
    assert (found.verdict, found.baseline, found.difference) == (Verdict.INCONCLUSIVE, BASELINE, None)
