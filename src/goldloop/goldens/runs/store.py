"""SQL of eval runs and their replays."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.counting import NoiseFloor, Outcome
from goldloop.evals.stats.model import Pair, Verdict
from goldloop.goldens.runs.model import (
    MOST_REPLAYS,
    AgentReport,
    Context,
    Estimate,
    EvalRun,
    EvalRunDetail,
    Replay,
    ReplayDetail,
    ReplayState,
    RunAgent,
    RunKind,
    RunState,
    Trigger,
)
from goldloop.goldens.runs.planning import NewReplay, Planned
from goldloop.goldens.runs.reports import Compared
from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_COLUMNS = f"""
    r.id, r.name, r.kind, r.trigger, r.set_id, r.set_name, r.set_version, r.golden_id, r.agents, r.baseline, r.repeats, r.mode,
    r.context, r.margin, r.concurrency, r.max_cost, r.estimate, r.status, r.stopped, r.replays, r.done, r.passed, r.failed,
    r.inconclusive, r.errors, r.cost, r.pass_rate, r.verdict, r.confirms_id, r.confirmed, r.waits, r.commit_sha, r.created_at,
    r.ended_at, r.created_by_kind, r.created_by_id, {name_sql("r.tenant_id", "r.created_by_kind", "r.created_by_id")} AS created_by_name
"""
_OF_REPLAY = """
    p.id, p.run_id, p.golden_id, p.revision, p.agent_id, p.agent_version, p.repeat, p.mode, p.context, p.state, p.outcome,
    p.accuracy, p.fidelity, p.divergence, p.error, p.tokens, p.cost, p.seconds, p.ended_at, p.agent
"""


async def list_planned(tx: Tx, column: str, value: UUID, limit: int) -> list[Planned]:
    """Goldens, oldest first: those of a set (`set_id`) or one by its session (`session_id`)."""
    return await _planned(tx, f"g.{column} = $2", value, limit)


async def list_in_run(tx: Tx, run_id: UUID) -> list[Planned]:
    """Those of a run that are golden still, oldest first."""
    of_run = (
        "g.session_id IN (SELECT p.golden_id FROM eval_replays p WHERE p.tenant_id = $1 AND p.run_id = $2)"
    )
    return await _planned(tx, of_run, run_id, MOST_REPLAYS)


async def _planned(tx: Tx, condition: str, value: UUID, limit: int) -> list[Planned]:
    rows = await tx.fetch(
        f"""
        SELECT g.session_id, g.revision, g.floor, g.min_pass, g.agent_id, g.agent_version,
               s.input_tokens + s.output_tokens AS tokens, s.cost
        FROM goldens g JOIN sessions s ON s.tenant_id = g.tenant_id AND s.id = g.session_id
        WHERE g.tenant_id = $1 AND {condition} ORDER BY g.promoted_at, g.session_id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        value,
    )
    return [
        Planned(
            id=row["session_id"],
            revision=row["revision"],
            floor=NoiseFloor(row["floor"]) if row["floor"] else None,
            min_pass=row["min_pass"],
            agent_id=row["agent_id"],
            agent_version=row["agent_version"],
            tokens=row["tokens"],
            cost=row["cost"],
        )
        for row in rows
    ]


async def insert(tx: Tx, run: EvalRun, concurrency: int, replays: Sequence[NewReplay]) -> bool:
    """A run with all of its replays. False where its id is taken."""
    inserted = await tx.execute(
        """
        INSERT INTO eval_runs (tenant_id, id, name, kind, trigger, set_id, set_name, set_version, golden_id, agents, agent_id,
            baseline, repeats, mode, context, margin, concurrency, max_cost, estimate, status, replays, confirms_id, commit_sha,
            created_at, created_by_kind, created_by_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
                $25, $26)
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        run.id,
        run.name,
        run.kind,
        run.trigger,
        run.set_id,
        run.set_name,
        run.set_version,
        run.golden_id,
        msgspec.to_builtins(run.agents),
        run.agents[0].id,
        msgspec.to_builtins(run.baseline) if run.baseline else None,
        run.repeats,
        run.mode,
        run.context,
        run.margin,
        concurrency,
        run.max_cost,
        msgspec.to_builtins(run.estimate),
        run.status,
        len(replays),
        run.confirms_id,
        run.commit_sha,
        run.created_at,
        run.created_by.kind,
        run.created_by.id,
    )
    if not inserted:
        return False
    await tx.execute(
        """
        INSERT INTO eval_replays (tenant_id, id, run_id, golden_id, revision, agent_id, agent, agent_version, repeat, mode, context,
            state)
        SELECT $1, n.id, $2, n.golden_id, n.revision, n.agent_id, n.agent, n.agent_version, n.repeat, $10, $11, 'queued'
        FROM unnest($3::uuid[], $4::uuid[], $5::int[], $6::uuid[], $7::text[], $8::int[], $9::int[])
             AS n (id, golden_id, revision, agent_id, agent, agent_version, repeat)
        """,
        tx.actor.tenant_id,
        run.id,
        *[list(column) for column in zip(*replays, strict=True)],
        run.mode,
        run.context,
    )
    return True


def _run(row: Any) -> dict[str, Any]:
    fields = {name: row[name] for name in EvalRun.__struct_fields__ if name != "created_by"}
    return fields | {
        "kind": RunKind(row["kind"]),
        "trigger": Trigger(row["trigger"]),
        "agents": msgspec.convert(row["agents"], list[RunAgent]),
        "baseline": msgspec.convert(row["baseline"], RunAgent) if row["baseline"] else None,
        "mode": Mode(row["mode"]),
        "context": Context(row["context"]),
        "estimate": msgspec.convert(row["estimate"], Estimate),
        "status": RunState(row["status"]),
        "verdict": Verdict(row["verdict"]) if row["verdict"] else None,
        "created_by": Party(
            kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]
        ),
    }


async def find(tx: Tx, run_id: UUID) -> EvalRunDetail | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS}, r.results FROM eval_runs r WHERE r.tenant_id = $1 AND r.id = $2",
        tx.actor.tenant_id,
        run_id,
    )
    return (
        EvalRunDetail(**_run(row), reports=msgspec.convert(row["results"] or [], list[AgentReport]))
        if row
        else None
    )


class Locked(NamedTuple):
    run: EvalRun
    concurrency: int


async def lock(tx: Tx, run_id: UUID) -> Locked | None:
    """The run, which nobody else changes until the transaction ends."""
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM eval_runs r WHERE r.tenant_id = $1 AND r.id = $2 FOR NO KEY UPDATE OF r",
        tx.actor.tenant_id,
        run_id,
    )
    return Locked(EvalRun(**_run(row)), row["concurrency"]) if row else None


class Wanted(NamedTuple):
    """What a list of runs is narrowed by; None narrows nothing."""

    set_id: UUID | None = None
    agent_id: UUID | None = None
    status: RunState | None = None
    verdict: Verdict | None = None
    kind: RunKind | None = None
    waits: bool | None = None


async def list_newest_first(tx: Tx, wanted: Wanted, before: tuple[object, UUID], limit: int) -> list[EvalRun]:
    arguments: list[Any] = [tx.actor.tenant_id, *before]
    conditions = ["r.tenant_id = $1", "(r.created_at, r.id) < ($2, $3)"]
    for name, value in wanted._asdict().items():
        if value is not None:
            arguments.append(value)
            conditions.append(f"r.{name} = ${len(arguments)}")
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM eval_runs r WHERE {' AND '.join(conditions)} "
        f"ORDER BY r.created_at DESC, r.id DESC LIMIT {limit:d}",
        *arguments,
    )
    return [EvalRun(**_run(row)) for row in rows]


class Started(NamedTuple):
    id: UUID
    golden_id: UUID
    agent: str
    agent_version: int
    repeat: int


async def start_next(tx: Tx, run_id: UUID, most: int) -> list[Started]:
    """The next replays in their order, of a run that is locked."""
    rows = await tx.fetch(
        f"""
        UPDATE eval_replays p SET state = 'running'
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.id IN (
            SELECT q.id FROM eval_replays q WHERE q.tenant_id = $1 AND q.run_id = $2 AND q.state = 'queued' ORDER BY q.id LIMIT {most:d}
        )
        RETURNING p.id, p.golden_id, p.agent, p.agent_version, p.repeat
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return sorted(Started(**row) for row in rows)


async def count_running(tx: Tx, run_id: UUID) -> int:
    count: int = await tx.fetchval(
        "SELECT count(*) FROM eval_replays p WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state = 'running'",
        tx.actor.tenant_id,
        run_id,
    )
    return count


async def cancel_queued(tx: Tx, run_id: UUID) -> None:
    await tx.execute(
        "UPDATE eval_replays SET state = 'cancelled' WHERE tenant_id = $1 AND run_id = $2 AND state = 'queued'",
        tx.actor.tenant_id,
        run_id,
    )


async def cancel_running(tx: Tx, run_id: UUID) -> list[UUID]:
    """Their sessions."""
    rows = await tx.fetch(
        """
        UPDATE eval_replays SET state = 'cancelled' WHERE tenant_id = $1 AND run_id = $2 AND state = 'running' RETURNING id
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return sorted(row["id"] for row in rows)


class ReplayResult(NamedTuple):
    """What a replay came to."""

    outcome: Outcome
    accuracy: float | None = None
    fidelity: float | None = None
    divergence: str | None = None
    error: str | None = None
    comparison: dict[str, Any] | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


async def find_run_id(tx: Tx, replay_id: UUID) -> UUID | None:
    """The run of a replay that is not over."""
    run_id: UUID | None = await tx.fetchval(
        "SELECT run_id FROM eval_replays WHERE tenant_id = $1 AND id = $2 AND state = 'running'",
        tx.actor.tenant_id,
        replay_id,
    )
    return run_id


async def set_compared(tx: Tx, replay_id: UUID, result: ReplayResult, at: datetime) -> bool:
    """False where it is compared already, or cancelled."""
    return bool(
        await tx.execute(
            """
        UPDATE eval_replays SET state = 'compared', outcome = $3, accuracy = $4, fidelity = $5, divergence = $6, error = $7,
            comparison = $8, tokens = $9, cost = $10, seconds = $11, ended_at = $12
        WHERE tenant_id = $1 AND id = $2 AND state = 'running'
        """,
            tx.actor.tenant_id,
            replay_id,
            *result,
            at,
        )
    )


async def count_result(tx: Tx, run_id: UUID, result: ReplayResult) -> None:
    """Of a replay that was compared just now."""
    column = "errors" if result.outcome is Outcome.ERROR else str(result.outcome)
    await tx.execute(
        f"""
        UPDATE eval_runs SET done = done + 1, {column} = {column} + 1,
            cost = CASE WHEN $3::float8 IS NULL THEN cost ELSE coalesce(cost, 0) + $3 END
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        run_id,
        result.cost,
    )


async def set_stopped(tx: Tx, run_id: UUID, why: str) -> None:
    await tx.execute(
        "UPDATE eval_runs SET stopped = $3 WHERE tenant_id = $1 AND id = $2 AND stopped IS NULL",
        tx.actor.tenant_id,
        run_id,
        why,
    )


async def set_ended(
    tx: Tx, run_id: UUID, status: RunState, reports: Sequence[AgentReport], at: datetime
) -> None:
    first = reports[0] if reports else None
    await tx.execute(
        """
        UPDATE eval_runs SET status = $3, results = $4, pass_rate = $5, verdict = $6, ended_at = $7
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        run_id,
        status,
        msgspec.to_builtins(reports),
        first.pass_rate if first else None,
        first.verdict if first else None,
        at,
    )


async def set_confirmed(tx: Tx, run_id: UUID, confirmed: bool) -> None:
    """An alarm was looked at again; one that is confirmed waits for a person."""
    await tx.execute(
        "UPDATE eval_runs SET confirmed = $3, waits = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        run_id,
        confirmed,
    )


async def set_seen(tx: Tx, run_id: UUID) -> None:
    await tx.execute(
        "UPDATE eval_runs SET waits = false WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, run_id
    )


async def count_waiting(tx: Tx, most: int) -> int:
    count: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (SELECT FROM eval_runs WHERE tenant_id = $1 AND waits LIMIT {most:d}) w
        """,
        tx.actor.tenant_id,
    )
    return count


async def list_compared(tx: Tx, run_id: UUID) -> list[tuple[UUID, int, Compared]]:
    """The agents' ids and versions with their replays, in the order of the repeats."""
    rows = await tx.fetch(
        """
        SELECT p.agent_id, p.agent_version, p.golden_id, p.outcome, p.accuracy, p.divergence, p.error, p.tokens, p.cost, p.seconds
        FROM eval_replays p WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state = 'compared' ORDER BY p.id
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return [
        (
            row["agent_id"],
            row["agent_version"],
            Compared(
                row["golden_id"],
                Outcome(row["outcome"]),
                row["accuracy"],
                row["divergence"],
                row["error"],
                row["tokens"],
                row["cost"],
                row["seconds"],
            ),
        )
        for row in rows
    ]


async def count_baseline(
    tx: Tx,
    agent: RunAgent,
    goldens: Sequence[tuple[UUID, int]],
    mode: Mode,
    context: Context,
    without: UUID | None,
) -> dict[UUID, Pair]:
    """How often an agent's version passed goldens of these revisions before, in the same way, in all runs but one."""
    rows = await tx.fetch(
        """
        SELECT p.golden_id, count(*) FILTER (WHERE p.outcome = 'passed') AS passes, count(*) AS runs
        FROM unnest($2::uuid[], $3::int[]) AS g (id, revision)
        JOIN eval_replays p ON p.tenant_id = $1 AND p.golden_id = g.id AND p.agent_id = $4 AND p.agent_version = $5
            AND p.state = 'compared' AND p.revision = g.revision AND p.mode = $6 AND p.context = $7
            AND p.outcome IN ('passed', 'failed') AND p.run_id IS DISTINCT FROM $8
        GROUP BY p.golden_id
        """,
        tx.actor.tenant_id,
        [golden for golden, _ in goldens],
        [revision for _, revision in goldens],
        agent.id,
        agent.version,
        mode,
        context,
        without,
    )
    return {row["golden_id"]: (row["passes"], row["runs"]) for row in rows}


async def list_passed(tx: Tx, golden_id: UUID, without: UUID, limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"""
        SELECT p.id FROM eval_replays p
        WHERE p.tenant_id = $1 AND p.golden_id = $2 AND p.state = 'compared' AND p.outcome = 'passed' AND p.id <> $3
        ORDER BY p.ended_at DESC, p.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        golden_id,
        without,
    )
    return [row["id"] for row in rows]


class ReplayFilter(NamedTuple):
    golden_id: UUID | None = None
    agent_id: UUID | None = None
    outcome: Outcome | None = None


async def list_replays(tx: Tx, run_id: UUID, wanted: ReplayFilter, after: UUID, limit: int) -> list[Replay]:
    arguments: list[Any] = [tx.actor.tenant_id, run_id, after]
    conditions = ["p.tenant_id = $1", "p.run_id = $2", "p.id > $3"]
    for name, value in wanted._asdict().items():
        if value is not None:
            arguments.append(value)
            conditions.append(f"p.{name} = ${len(arguments)}")
    rows = await tx.fetch(
        f"SELECT {_OF_REPLAY} FROM eval_replays p WHERE {' AND '.join(conditions)} ORDER BY p.id LIMIT {limit:d}",
        *arguments,
    )
    return [Replay(**_replay(row)) for row in rows]


async def find_replay(tx: Tx, replay_id: UUID) -> ReplayDetail | None:
    row = await tx.fetchrow(
        f"SELECT {_OF_REPLAY}, p.comparison, p.rubric FROM eval_replays p WHERE p.tenant_id = $1 AND p.id = $2",
        tx.actor.tenant_id,
        replay_id,
    )
    return ReplayDetail(**_replay(row), comparison=row["comparison"], rubric=row["rubric"]) if row else None


def _replay(row: Any) -> dict[str, Any]:
    fields = {name: row[name] for name in Replay.__struct_fields__ if name != "agent"}
    return fields | {
        "agent": RunAgent(id=row["agent_id"], slug=row["agent"], version=row["agent_version"]),
        "mode": Mode(row["mode"]),
        "context": Context(row["context"]),
        "state": ReplayState(row["state"]),
        "outcome": Outcome(row["outcome"]) if row["outcome"] else None,
    }
