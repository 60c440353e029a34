"""SQL that reads what judges say of replays."""

from typing import Any
from uuid import UUID

from goldloop.evals.stats.kappa import Both, cohen_kappa
from goldloop.goldens.runs.model import JudgeAgreement, JudgingState, ReplayJudging, RunJudging
from goldloop.kit.db import Tx

COLUMNS = "p.judging, p.judging_reason, p.judging_session_id"


def from_row(row: Any) -> ReplayJudging | None:
    if row["judging"] is None:
        return None
    return ReplayJudging(
        state=JudgingState(row["judging"]),
        reason=row["judging_reason"],
        session_id=row["judging_session_id"],
        withheld=False,
    )


async def lock(tx: Tx, replay_id: UUID) -> ReplayJudging | None:
    """None where nobody asked for it."""
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM eval_replays p WHERE p.tenant_id = $1 AND p.id = $2 FOR NO KEY UPDATE",
        tx.actor.tenant_id,
        replay_id,
    )
    return from_row(row) if row else None


async def count(tx: Tx, run_id: UUID) -> RunJudging | None:
    """None where no replay of a run was to be judged."""
    row = await tx.fetchrow(
        """
        SELECT count(*) FILTER (WHERE p.judging = 'pending') AS pending, count(*) FILTER (WHERE p.judging = 'judged') AS judged,
               count(*) FILTER (WHERE p.judging = 'not_judged') AS not_judged, count(*) FILTER (WHERE p.judging = 'failed') AS failed,
               count(*) FILTER (WHERE p.rubric_passed) AS passed,
               count(*) FILTER (WHERE p.rubric_passed AND p.outcome = 'passed') AS by_both,
               count(*) FILTER (WHERE p.rubric_passed AND p.outcome = 'failed') AS by_judge,
               count(*) FILTER (WHERE NOT p.rubric_passed AND p.outcome = 'passed') AS by_comparison,
               count(*) FILTER (WHERE NOT p.rubric_passed AND p.outcome = 'failed') AS by_neither
        FROM eval_replays p WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state = 'compared' AND p.judging IS NOT NULL
        """,
        tx.actor.tenant_id,
        run_id,
    )
    assert row is not None  # counts are there also of nothing
    both = Both(row["by_both"], row["by_judge"], row["by_comparison"], row["by_neither"])
    counts = {name: row[name] for name in ("pending", "judged", "not_judged", "failed")}
    if not any(counts.values()):
        return None
    found = cohen_kappa(both)
    agreement = JudgeAgreement(
        replays=sum(both), kappa=found.kappa if found else None, low=found.low if found else None
    )
    return RunJudging(**counts, passed=row["passed"], agreement=agreement, rates=[])
