"""SQL of eval runs and their replays."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome
from goldloop.evals.stats.model import Verdict
from goldloop.goldens.cases.store import set_by_name
from goldloop.goldens.runs import judging_store
from goldloop.goldens.runs.model import (
    MOST_REPLAYS,
    AgentReport,
    Estimate,
    EvalRun,
    EvalRunDetail,
    ReplayContext,
    RunAgent,
    RunKind,
    RunState,
    Trigger,
)
from goldloop.goldens.runs.planning import Planned
from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

_COLUMNS = f"""
    r.id, r.name, r.kind, r.trigger, r.set_id, r.set_name, r.set_version, r.golden_id, r.agents, r.baseline, r.repeats, r.mode,
    r.context, r.margin, r.concurrency, r.max_cost, r.estimate, r.status, r.stopped, r.replays, r.done, r.passed, r.failed,
    r.inconclusive, r.errors, r.cost, r.pass_rate, r.verdict, r.confirms_id, r.confirmed, r.waits, r.commit_sha, r.created_at,
    r.ended_at, (r.results -> 0 ->> 'difference')::float8 AS difference, (r.results -> 0 ->> 'low')::float8 AS low,
    (r.results -> 0 ->> 'high')::float8 AS high, (r.results -> 0 ->> 'smallestDetectable')::float8 AS smallest_detectable,
    r.created_by_kind, r.created_by_id, {name_sql("$1", "r.created_by_kind", "r.created_by_id")} AS created_by_name
"""
_JSON = json_object(
    EvalRun, "p", created_by=party_json("p.created_by_kind", "p.created_by_id", "p.created_by_name")
)


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


async def insert(
    tx: Tx, run: EvalRun, concurrency: int, replays: int, asked: str, session_id: UUID | None = None
) -> bool:
    """False where its id is taken. `asked` is a hash of what it is to do, `session_id` is the session of the task that begins it."""
    return bool(
        await tx.execute(
            """
        INSERT INTO eval_runs (tenant_id, id, name, kind, trigger, set_id, set_name, set_version, golden_id, agents, agent_id,
            baseline, repeats, mode, context, margin, concurrency, max_cost, estimate, status, replays, confirms_id, commit_sha,
            created_at, created_by_kind, created_by_id, asked, session_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
                $25, $26, $27, $28)
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
            replays,
            run.confirms_id,
            run.commit_sha,
            run.created_at,
            run.created_by.kind,
            run.created_by.id,
            asked,
            session_id,
        )
    )


def _run(row: Any) -> dict[str, Any]:
    fields = {name: row[name] for name in EvalRun.__struct_fields__ if name != "created_by"}
    return fields | {
        "kind": RunKind(row["kind"]),
        "trigger": Trigger(row["trigger"]),
        "agents": msgspec.convert(row["agents"], list[RunAgent]),
        "baseline": msgspec.convert(row["baseline"], RunAgent) if row["baseline"] else None,
        "mode": Mode(row["mode"]),
        "context": ReplayContext(row["context"]),
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
    if row is None:
        return None
    reports = msgspec.convert(row["results"] or [], list[AgentReport])
    return EvalRunDetail(**_run(row), reports=reports, judging=await judging_store.count(tx, run_id))


async def exists(tx: Tx, run_id: UUID) -> bool:
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM eval_runs r WHERE r.tenant_id = $1 AND r.id = $2)",
        tx.actor.tenant_id,
        run_id,
    )
    return found


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

    set_name: str | None = None
    agent_id: UUID | None = None
    status: RunState | None = None
    verdict: Verdict | None = None
    kind: RunKind | None = None
    waits: bool | None = None


async def list_newest_first(
    tx: Tx, wanted: Wanted, before: tuple[object, UUID], limit: int
) -> RawPage[EvalRun]:
    arguments: list[Any] = [tx.actor.tenant_id, *before]
    conditions = ["r.tenant_id = $1", "(r.created_at, r.id) < ($2, $3)"]
    for name, value in wanted._asdict().items():
        if value is not None:
            arguments.append(value)
            number = len(arguments)
            conditions.append(
                f"r.set_id = {set_by_name(number)}" if name == "set_name" else f"r.{name} = ${number}"
            )
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("r.agents")} FROM eval_runs r WHERE {" AND ".join(conditions)}
        ORDER BY r.created_at DESC, r.id DESC LIMIT {limit + 1:d}
    """
    return read_page(await tx.fetch_page(json_page(query, _JSON, limit, "created_at", "id"), *arguments))


async def count_result(
    tx: Tx, run_id: UUID, outcome: ReplayOutcome, cost: float | None, baseline: bool
) -> None:
    """Of a replay that was compared just now; what one came to that was made for the baseline is not the run's."""
    column = "errors" if outcome is ReplayOutcome.ERROR else str(outcome)
    counted = "" if baseline else f"{column} = {column} + 1,"
    await tx.execute(
        f"""
        UPDATE eval_runs SET done = done + 1, {counted}
            cost = CASE WHEN $3::float8 IS NULL THEN cost ELSE coalesce(cost, 0) + $3 END
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        run_id,
        cost,
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
        UPDATE eval_runs SET status = $3, results = $4, pass_rate = $5, pass_rate_low = $6, pass_rate_high = $7, verdict = $8,
            ended_at = $9
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        run_id,
        status,
        msgspec.to_builtins(reports),
        first.pass_rate if first else None,
        first.pass_rate_low if first else None,
        first.pass_rate_high if first else None,
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


async def find_asked(tx: Tx, run_id: UUID) -> str | None:
    """A hash of what a run was asked to do, if there is one of this id."""
    asked: str | None = await tx.fetchval(
        "SELECT r.asked FROM eval_runs r WHERE r.tenant_id = $1 AND r.id = $2", tx.actor.tenant_id, run_id
    )
    return asked


async def has_floor(tx: Tx, golden_id: UUID) -> bool:
    """Whether the noise floor of a golden was measured, or is."""
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM eval_runs r WHERE r.tenant_id = $1 AND r.golden_id = $2 AND r.kind = 'floor')",
        tx.actor.tenant_id,
        golden_id,
    )
    return found


async def find_session_id(tx: Tx, run_id: UUID) -> UUID | None:
    """The session of the task that began a run, if one did."""
    session_id: UUID | None = await tx.fetchval(
        "SELECT r.session_id FROM eval_runs r WHERE r.tenant_id = $1 AND r.id = $2",
        tx.actor.tenant_id,
        run_id,
    )
    return session_id
