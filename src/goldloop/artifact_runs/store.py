"""SQL of what runs found. The only writer of `artifact_eval_runs`, `artifact_eval_results` and `artifact_eval_failures`."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.artifact_evals.loops import ReviewGate, ReviewProof
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_runs.judging import Verdict
from goldloop.artifact_runs.model import (
    ArtifactEvalRun,
    RecordGap,
    RecordResult,
    ResultFilter,
)
from goldloop.artifact_runs.tally import Tally
from goldloop.jobs.model import Run
from goldloop.jobs.run_store import COLUMNS
from goldloop.jobs.run_store import from_row as run_from_row
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes

KIND = "artifact_eval"
_SELECT = f"""
    SELECT {COLUMNS}, a.entity_type, a.rubric_version, a.passed, a.summary, a.results_kept
    FROM runs r JOIN artifact_eval_runs a ON a.tenant_id = r.tenant_id AND a.id = r.id
    WHERE r.tenant_id = $1 AND a.tenant_id = $1 AND r.kind = '{KIND}'
"""


class Progress(NamedTuple):
    """A run with what only its worker needs. `run.resume_point` is the id of the last record that is scored."""

    shown: ArtifactEvalRun
    run: Run
    tally: Tally

    @property
    def scored_to(self) -> UUID:
        return UUID(self.run.resume_point)


def from_row(row: Any) -> Progress:
    run, tally = run_from_row(row), msgspec.convert(row["summary"], Tally)
    shown = ArtifactEvalRun(
        id=run.id,
        suite=run.subject,
        entity_type=row["entity_type"],
        rubric_version=row["rubric_version"],
        status=run.status,
        total=run.total,
        done=run.done,
        passed=row["passed"],
        mean=tally.overall.mean,
        dimensions=tally.summaries(),
        results_kept=row["results_kept"],
        error=run.error_message,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.ended_at,
        created_by=run.created_by,
    )
    return Progress(shown, run, tally)


async def insert(tx: Tx, run_id: UUID, entity_type: str, rubric_version: str, begun: Tally) -> None:
    """What a run of a suite has beside every run."""
    await tx.execute(
        """
        INSERT INTO artifact_eval_runs (tenant_id, id, entity_type, rubric_version, summary)
        VALUES ($1, $2, $3, $4, $5)
        """,
        tx.actor.tenant_id,
        run_id,
        entity_type,
        rubric_version,
        msgspec.to_builtins(begun),
    )


async def find(tx: Tx, run_id: UUID) -> Progress | None:
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2", tx.actor.tenant_id, run_id)
    return from_row(row) if row else None


async def lock(tx: Tx, run_id: UUID) -> Progress | None:
    """The run, which nobody else advances or ends until the transaction does."""
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2 FOR NO KEY UPDATE OF r", tx.actor.tenant_id, run_id)
    return from_row(row) if row else None


async def list_newest_first(tx: Tx, suite: str, before: tuple[datetime, UUID], limit: int) -> list[Progress]:
    rows = await tx.fetch(
        f"""
        {_SELECT} AND r.subject = $2 AND (r.created_at, r.id) < ($3, $4)
        ORDER BY r.created_at DESC, r.id DESC LIMIT $5
        """,
        tx.actor.tenant_id,
        suite,
        *before,
        limit,
    )
    return [from_row(row) for row in rows]


async def add_up(tx: Tx, run_id: UUID, passed: int, tally: Tally) -> None:
    await tx.execute(
        "UPDATE artifact_eval_runs SET passed = $3, summary = $4 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        run_id,
        passed,
        msgspec.to_builtins(tally),
    )


async def insert_results(tx: Tx, run_id: UUID, verdicts: list[Verdict]) -> set[UUID]:
    """Keep what was found; returns whom it was kept for: a record that is gone by now has no result."""
    rows = await tx.fetch(
        """
        WITH given AS (
            SELECT g.entity_id, g.overall, g.urgency, g.scores, g.gaps
            FROM jsonb_to_recordset($3) AS g(
                entity_id uuid, overall double precision, urgency double precision, scores jsonb, gaps jsonb)
        ), locked AS (
            SELECT e.id FROM entities e
            WHERE e.tenant_id = $1 AND e.id = ANY ($4) ORDER BY e.id FOR KEY SHARE
        )
        INSERT INTO artifact_eval_results (tenant_id, run_id, entity_id, overall, urgency, scores, gaps)
        SELECT $1, $2, g.entity_id, g.overall, g.urgency, g.scores, g.gaps
        FROM given g JOIN locked ON locked.id = g.entity_id
        RETURNING entity_id
        """,
        tx.actor.tenant_id,
        run_id,
        msgspec.to_builtins(verdicts),
        [verdict.entity_id for verdict in verdicts],
    )
    kept = {row["entity_id"] for row in rows}
    failures = [v for v in verdicts if v.entity_id in kept for _ in v.failed]
    await tx.execute(
        """
        INSERT INTO artifact_eval_failures (tenant_id, run_id, entity_id, dimension, urgency)
        SELECT $1, $2, f.entity_id, f.dimension, f.urgency
        FROM unnest($3::uuid[], $4::text[], $5::double precision[]) AS f(entity_id, dimension, urgency)
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        run_id,
        [verdict.entity_id for verdict in failures],
        [str(dimension) for verdict in verdicts if verdict.entity_id in kept for dimension in verdict.failed],
        [verdict.urgency for verdict in failures],
    )
    return kept


_RANGES = {
    None: "",
    ResultFilter.FAILED: "AND k.urgency > 0",
    ResultFilter.PASSED: "AND k.urgency = 0",
}


async def list_results(
    tx: Tx,
    run_id: UUID,
    wanted: ResultFilter | None,
    dimension: KnowledgeDimension | None,
    before: tuple[float, UUID],
    limit: int,
) -> Rows[tuple[RecordResult, float]]:
    """What to fix first: by the importance of the worst gap. With the key that each is ordered by. The page is cut
    before anything is joined: it is one range of an index, whatever is asked for."""
    ranked, which = (
        ("artifact_eval_results", "")
        if dimension is None
        else ("artifact_eval_failures", "AND k.dimension = $6")
    )
    query = f"""
        SELECT r.entity_id, e.title, r.overall, r.urgency, r.scores, r.gaps, {bytes_of("r.gaps", "r.scores")}
        FROM (
            SELECT k.entity_id FROM {ranked} k
            WHERE k.tenant_id = $1 AND k.run_id = $2 AND (k.urgency, k.entity_id) < ($3, $4) {_RANGES[wanted]} {which}
            ORDER BY k.urgency DESC, k.entity_id DESC LIMIT $5
        ) page
        JOIN artifact_eval_results r ON r.tenant_id = $1 AND r.run_id = $2 AND r.entity_id = page.entity_id
        JOIN entities e ON e.tenant_id = $1 AND e.id = page.entity_id
        ORDER BY r.urgency DESC, r.entity_id DESC
    """
    chosen = [] if dimension is None else [str(dimension)]
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, run_id, *before, limit, *chosen)
    return Rows.read(rows, lambda row: (_result(row), row["urgency"]))


def _result(row: Any) -> RecordResult:
    return RecordResult(
        entity_id=row["entity_id"],
        title=row["title"],
        passed=row["urgency"] == 0,
        overall=row["overall"],
        scores=row["scores"],
        gaps=msgspec.convert(row["gaps"], list[RecordGap]),
    )


async def drop_old_results(tx: Tx, suite: str, kept_runs: int, limit: int) -> bool:
    """Forget results of runs older than the newest few, at most `limit` of them; whether there may be more."""
    old: UUID | None = await tx.fetchval(
        """
        SELECT o.id FROM (
            SELECT r.id, a.results_kept
            FROM runs r JOIN artifact_eval_runs a ON a.tenant_id = r.tenant_id AND a.id = r.id
            WHERE r.tenant_id = $1 AND r.kind = $4 AND r.subject = $2
            ORDER BY r.created_at DESC, r.id DESC OFFSET $3
        ) o WHERE o.results_kept LIMIT 1
        """,
        tx.actor.tenant_id,
        suite,
        kept_runs,
        KIND,
    )
    if old is None:
        return False
    dropped = await tx.execute(
        """
        DELETE FROM artifact_eval_results WHERE tenant_id = $1 AND run_id = $2 AND entity_id IN (
            SELECT entity_id FROM artifact_eval_results WHERE tenant_id = $1 AND run_id = $2 ORDER BY entity_id LIMIT $3)
        """,
        tx.actor.tenant_id,
        old,
        limit,
    )
    if dropped < limit:
        await tx.execute(
            "UPDATE artifact_eval_runs SET results_kept = false WHERE tenant_id = $1 AND id = $2",
            tx.actor.tenant_id,
            old,
        )
    return True


async def count_records(tx: Tx, entity_type: str) -> int:
    found: int = await tx.fetchval(
        """
        SELECT count(*) FROM entities e WHERE e.tenant_id = $1
        AND e.type_id = (SELECT t.id FROM entity_types t WHERE t.tenant_id = $1 AND t.slug = $2)
        """,
        tx.actor.tenant_id,
        entity_type,
    )
    return found


class StatusCount(NamedTuple):
    status: str
    records: int
    reviewed: int


async def count_by_status(tx: Tx, type_id: UUID, gate: ReviewGate) -> list[StatusCount]:
    """How many records of a type are in each status, and how many of them a person reviewed, by what the gate takes as
    proof: they name one, or one promoted the status."""
    rows = await tx.fetch(
        """
        SELECT coalesce(e.content ->> 'status', '') AS status, count(*) AS records,
               count(*) FILTER (
                   WHERE ($6 AND e.content ->> $4 = 'user' AND btrim(e.content ->> $3) <> '')
                      OR ($7 AND h.kind = 'promotion' AND h.actor_kind = 'user')) AS reviewed
        FROM entities e
        LEFT JOIN entity_field_sources s ON s.tenant_id = e.tenant_id AND s.entity_id = e.id AND s.field = $5
        LEFT JOIN entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
        WHERE e.tenant_id = $1 AND e.type_id = $2 GROUP BY 1
        """,
        tx.actor.tenant_id,
        type_id,
        gate.reviewer_field,
        gate.reviewer_kind_field,
        gate.status_field,
        gate.proof != ReviewProof.HISTORY,
        gate.proof != ReviewProof.TEXT,
    )
    return [StatusCount(**row) for row in rows]
