"""What a replay came to: a miss never fails one that did as the golden did."""

from typing import Any

import pytest

from goldloop.evals import compare
from goldloop.evals.replay.outcomes import count_missed_reads, replay_outcome
from goldloop.evals.stats import ReplayOutcome


def session(*calls: tuple[str, int], text: str = "Done.", missed: int = 0) -> dict[str, Any]:
    events: list[dict[str, Any]] = []
    for number, (name, x) in enumerate(calls):
        source = "miss" if number < missed else "tape"
        events.append({"type": "tool.call", "payload": {"id": number, "name": name, "arguments": {"x": x}}})
        events.append({"type": "tool.result", "payload": {"id": number, "result": 1, "answered_by": source}})
    events.append({"type": "agent.message", "payload": {"text": text}})
    return {"type": "agent", "status": "completed", "events": events}


GOLDEN = {**session(("get_a", 1), ("set_a", 1)), "facts": ["done"]}


@pytest.mark.parametrize(
    ("replay", "missed", "outcome"),
    [
        (session(("get_a", 1), ("set_a", 1)), 0, ReplayOutcome.PASSED),
        (session(("get_b", 1), ("set_a", 1)), 1, ReplayOutcome.PASSED),
        (session(("get_a", 1)), 0, ReplayOutcome.FAILED),
        (session(("get_b", 1)), 1, ReplayOutcome.INCONCLUSIVE),
        (session(("get_b", 1), ("set_a", 1), text="Well."), 1, ReplayOutcome.INCONCLUSIVE),
        (session(("get_b", 1), ("set_a", 2)), 1, ReplayOutcome.FAILED),
        (session(("get_b", 1), ("set_a", 1), ("set_b", 1)), 1, ReplayOutcome.FAILED),
    ],
    ids=["passed", "a miss and passed", "failed", "a miss and no write", "a miss and no fact", "another write", "a write more"],
)  # fmt: skip
def test_outcome(replay: dict[str, Any], missed: int, outcome: ReplayOutcome) -> None:
    assert replay_outcome(compare(GOLDEN, replay), missed_reads=missed) is outcome


def test_what_the_infrastructure_failed_is_neither_passed_nor_failed() -> None:
    assert replay_outcome(compare(GOLDEN, GOLDEN), infrastructure_failed=True) is ReplayOutcome.ERROR


def test_missed_reads_are_counted_by_where_answers_came_from() -> None:
    assert count_missed_reads(session(("get_a", 1), ("set_a", 1), ("get_b", 1), missed=2)) == 1


def test_the_share_of_reads_that_were_answered_is_shown() -> None:
    found = compare(GOLDEN, session(("get_a", 1), ("get_b", 1), ("set_a", 1), missed=1))
    assert (found.dimensions["fidelity"].score, found.dimensions["fidelity"].weight) == (0.5, 0)
    assert found.passed
    plain = {**GOLDEN, "events": [e for e in GOLDEN["events"] if e["type"] != "tool.result"]}
    assert "fidelity" not in compare(GOLDEN, plain).dimensions
