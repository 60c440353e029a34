"""What a replay came to, from its comparison and what no recording answered. Pure.

A read that was not answered never fails a replay that did as the golden did, and one that did not is inconclusive: nobody knows
what it would have done with the answer. A write that the golden does not do is the agent's own doing, whatever was missed.
"""

from collections.abc import Mapping
from typing import Any

from goldloop.evals.model import Comparison, DivergenceKind
from goldloop.evals.recorded import Tools, read_session
from goldloop.evals.replay.tape import Source
from goldloop.evals.stats.counting import ReplayOutcome

OWN_DOING = (DivergenceKind.UNEXPECTED_WRITE, DivergenceKind.WRONG_WRITE_ARGUMENT)


def replay_outcome(
    comparison: Comparison, *, missed_reads: int = 0, infrastructure_failed: bool = False
) -> ReplayOutcome:
    if infrastructure_failed:
        return ReplayOutcome.ERROR
    if comparison.passed:
        return ReplayOutcome.PASSED
    if missed_reads and not any(d.kind in OWN_DOING for d in comparison.divergences):
        return ReplayOutcome.INCONCLUSIVE
    return ReplayOutcome.FAILED


def count_missed_reads(replay: Mapping[str, Any]) -> int:
    """Of a session that was replayed, by what its events say about where answers came from."""
    recorded = read_session(replay, "replay")
    tools = Tools(recorded.tools)
    return sum(call.source == Source.MISS and not tools.writes(call.name) for call in recorded.calls)
