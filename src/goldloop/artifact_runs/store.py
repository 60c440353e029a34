"""SQL of runs and their results. The only writer of `artifact_eval_runs`, `artifact_eval_results` and `artifact_eval_failures`."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_runs.judging import Verdict
from goldloop.artifact_runs.model import (
    ArtifactEvalRun,
    RecordGap,
    RecordResult,
    ResultFilter,
    RunStatus,
)
from goldloop.artifact_runs.tally import Tally
from goldloop.kit.db import Tx
from goldloop.kit.pagination import FIRST_ID, Rows, bytes_of, within_bytes
from goldloop.tenants.model import Party
from goldloop.tenants.parties import name_sql

_OPEN = "('queued', 'running')"
_SELECT = f"""
    SELECT r.id, r.suite, r.entity_type, r.rubric_version, r.status, r.total, r.done, r.passed, r.summary, r.results_kept,
           r.scored_to, r.error, r.job_id, r.created_at, r.started_at, r.finished_at, r.created_by_kind, r.created_by_id,
           {name_sql("r.tenant_id", "r.created_by_kind", "r.created_by_id")} AS created_by_name
    FROM artifact_eval_runs r WHERE r.tenant_id = $1
"""


class Progress(NamedTuple):
    """A run with what only its worker needs."""

    run: ArtifactEvalRun
    job_id: UUID
    scored_to: UUID
    tally: Tally


def from_row(row: Any) -> Progress:
    tally = msgspec.convert(row["summary"], Tally)
    run = ArtifactEvalRun(
        id=row["id"],
        suite=row["suite"],
        entity_type=row["entity_type"],
        rubric_version=row["rubric_version"],
        status=RunStatus(row["status"]),
        total=row["total"],
        done=row["done"],
        passed=row["passed"],
        mean=tally.overall.mean,
        dimensions=tally.summaries(),
        results_kept=row["results_kept"],
        error=row["error"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )
    return Progress(run, row["job_id"], row["scored_to"], tally)


async def insert(
    tx: Tx, run_id: UUID, suite: str, entity_type: str, rubric_version: str, total: int, job_id: UUID
) -> bool:
    """False when the id is taken or a run of the suite is open."""
    return bool(
        await tx.execute(
            """
            INSERT INTO artifact_eval_runs (tenant_id, id, suite, entity_type, rubric_version, total, job_id, scored_to, summary,
                                        created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            run_id,
            suite,
            entity_type,
            rubric_version,
            total,
            job_id,
            FIRST_ID,
            msgspec.to_builtins(Tally()),
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, run_id: UUID) -> Progress | None:
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2", tx.actor.tenant_id, run_id)
    return from_row(row) if row else None


async def lock(tx: Tx, run_id: UUID) -> Progress | None:
    """The run, which nobody else advances or ends until the transaction does."""
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2 FOR NO KEY UPDATE OF r", tx.actor.tenant_id, run_id)
    return from_row(row) if row else None


async def find_open(tx: Tx, suite: str) -> Progress | None:
    row = await tx.fetchrow(f"{_SELECT} AND r.suite = $2 AND r.status IN {_OPEN}", tx.actor.tenant_id, suite)
    return from_row(row) if row else None


async def list_newest_first(tx: Tx, suite: str, before: tuple[datetime, UUID], limit: int) -> list[Progress]:
    rows = await tx.fetch(
        f"""
        {_SELECT} AND r.suite = $2 AND (r.created_at, r.id) < ($3, $4)
        ORDER BY r.created_at DESC, r.id DESC LIMIT $5
        """,
        tx.actor.tenant_id,
        suite,
        *before,
        limit,
    )
    return [from_row(row) for row in rows]


async def begin(tx: Tx, run_id: UUID) -> None:
    await tx.execute(
        """
        UPDATE artifact_eval_runs SET status = 'running', started_at = coalesce(started_at, $3)
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        run_id,
        await tx.moment(),
    )


async def advance(tx: Tx, run_id: UUID, scored_to: UUID, done: int, passed: int, tally: Tally) -> None:
    await tx.execute(
        """
        UPDATE artifact_eval_runs SET scored_to = $3, done = $4, passed = $5, summary = $6, total = greatest(total, $4)
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        run_id,
        scored_to,
        done,
        passed,
        msgspec.to_builtins(tally),
    )


async def finish(tx: Tx, run_id: UUID, status: RunStatus, error: str | None = None) -> bool:
    """False for a run that is over. One that is done had as many records as it found."""
    return bool(
        await tx.execute(
            f"""
            UPDATE artifact_eval_runs SET status = $3, error = $4, finished_at = $5,
                total = CASE WHEN $3 = 'done' THEN done ELSE total END
            WHERE tenant_id = $1 AND id = $2 AND status IN {_OPEN}
            """,
            tx.actor.tenant_id,
            run_id,
            str(status),
            error,
            await tx.moment(),
        )
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
            SELECT id, results_kept FROM artifact_eval_runs WHERE tenant_id = $1 AND suite = $2
            ORDER BY created_at DESC, id DESC OFFSET $3
        ) o WHERE o.results_kept LIMIT 1
        """,
        tx.actor.tenant_id,
        suite,
        kept_runs,
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


async def count_by_status(tx: Tx, type_id: UUID, reviewer: str, reviewer_kind: str) -> list[StatusCount]:
    """How many records of a type are in each status, and how many of them name a person who reviewed them."""
    rows = await tx.fetch(
        """
        SELECT coalesce(e.content ->> 'status', '') AS status, count(*) AS records,
               count(*) FILTER (WHERE e.content ->> $4 = 'user' AND btrim(e.content ->> $3) <> '') AS reviewed
        FROM entities e WHERE e.tenant_id = $1 AND e.type_id = $2 GROUP BY 1
        """,
        tx.actor.tenant_id,
        type_id,
        reviewer,
        reviewer_kind,
    )
    return [StatusCount(**row) for row in rows]
