"""What a replay came to, from its session and its golden. Pure."""

from collections.abc import Mapping
from typing import Any

import msgspec

from goldloop.evals.comparison.sessions import Similarity, compare
from goldloop.evals.recorded import Tools, read_session
from goldloop.evals.replay.outcomes import count_missed_reads, replay_outcome
from goldloop.evals.stats.counting import ReplayOutcome
from goldloop.goldens.runs.replay_store import ReplayResult

# What ends a run that is not the agent's doing: such a replay says nothing about the agent.
INFRASTRUCTURE = frozenset(
    {
        "no_model", "model_failed", "internal_error", "interrupted", "history_lost", "secret_unreadable", "host_not_allowed",
        "invalid_url", "agent_unreachable", "agent_timed_out", "agent_missing", "job_ended", "job_failed",
    }
)  # fmt: skip
CANCELLED = "Somebody cancelled the replay"
DIVERGENCE_CHARACTERS = 500


def judge(
    golden: Mapping[str, Any],
    replay: Mapping[str, Any],
    error: tuple[str, str] | None,
    similarity: Similarity | None,
) -> ReplayResult:
    """`error` is the code and the message of a replay that failed."""
    if replay["status"] == "cancelled":
        return ReplayResult(ReplayOutcome.ERROR, error=CANCELLED)
    if error is not None and error[0] in INFRASTRUCTURE:
        return ReplayResult(ReplayOutcome.ERROR, error=f"{error[0]}: {error[1]}"[:DIVERGENCE_CHARACTERS])
    comparison = compare(golden, {**replay, "tools": golden["tools"]}, similarity=similarity)
    missed = count_missed_reads({**replay, "tools": golden["tools"]})
    first = comparison.divergences[0].message if comparison.divergences else None
    return ReplayResult(
        replay_outcome(comparison, missed_reads=missed),
        accuracy=comparison.overall_accuracy,
        fidelity=fidelity(replay, golden),
        divergence=first[:DIVERGENCE_CHARACTERS] if first else None,
        error=f"{error[0]}: {error[1]}"[:DIVERGENCE_CHARACTERS] if error else None,
        comparison=msgspec.to_builtins(comparison),
    )


def fidelity(replay: Mapping[str, Any], golden: Mapping[str, Any]) -> float | None:
    """The share of its reads that were answered; None where it read nothing."""
    recorded = read_session(replay, "replay")
    tools = Tools(golden["tools"])
    reads = [call for call in recorded.calls if not tools.writes(call.name)]
    return sum(call.source != "miss" for call in reads) / len(reads) if reads else None
