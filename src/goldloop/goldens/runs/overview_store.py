"""SQL of what many runs show together."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome
from goldloop.evals.stats.model import Verdict
from goldloop.goldens.runs.model import Context, EvalMatrixCell, EvalMatrixRow, RunAgent, TrendPoint
from goldloop.kit.db import Tx


class Way(NamedTuple):
    """How goldens are replayed."""

    mode: Mode = Mode.HYBRID
    context: Context = Context.SNAPSHOT


async def find_newest_way(tx: Tx, set_id: UUID) -> Way | None:
    """How the newest run of a set replayed it; of one that was never run how its newest floor was measured."""
    row = await tx.fetchrow(
        """
        SELECT n.mode, n.context FROM unnest(ARRAY['run', 'floor']) WITH ORDINALITY AS k (kind, place) CROSS JOIN LATERAL (
            SELECT r.mode, r.context FROM eval_runs r WHERE r.tenant_id = $1 AND r.set_id = $2 AND r.kind = k.kind
            ORDER BY r.created_at DESC, r.id DESC LIMIT 1
        ) n
        ORDER BY k.place LIMIT 1
        """,
        tx.actor.tenant_id,
        set_id,
    )
    return Way(Mode(row["mode"]), Context(row["context"])) if row else None


async def list_agents(tx: Tx, set_id: UUID, way: Way, runs: int, limit: int) -> list[RunAgent]:
    """The agent versions of those of a set's newest runs that replayed it in one way, those that were tried last first, and
    then those of the newest floors, of which each golden has one."""
    rows = await tx.fetch(
        f"""
        SELECT n.agents FROM unnest(ARRAY['run', 'confirmation', 'floor']) WITH ORDINALITY AS k (kind, place) CROSS JOIN LATERAL (
            SELECT r.agents, r.mode, r.context, r.created_at, r.id FROM eval_runs r
            WHERE r.tenant_id = $1 AND r.set_id = $2 AND r.kind = k.kind
            ORDER BY r.created_at DESC, r.id DESC LIMIT {runs:d}
        ) n
        WHERE n.mode = $3 AND n.context = $4
        ORDER BY k.place, n.created_at DESC, n.id DESC
        """,
        tx.actor.tenant_id,
        set_id,
        *way,
    )
    agents = [agent for row in rows for agent in msgspec.convert(row["agents"], list[RunAgent])]
    return list({(agent.id, agent.version): agent for agent in reversed(agents)}.values())[::-1][:limit]


async def list_cells(
    tx: Tx, set_id: UUID, way: Way, agents: Sequence[RunAgent], goldens: int, repeats: int
) -> list[EvalMatrixRow]:
    """Each golden with the newest repeats of each agent version that were compared with it as it is now and replayed in one
    way, oldest golden first."""
    rows = await tx.fetch(
        f"""
        WITH chosen AS MATERIALIZED (
            SELECT g.session_id, g.revision, g.floor, g.floor_passes, g.floor_runs, g.promoted_at, s.first_message, s.input ->> 'message' AS message
            FROM goldens g JOIN sessions s ON s.tenant_id = g.tenant_id AND s.id = g.session_id
            WHERE g.tenant_id = $1 AND g.set_id = $2 ORDER BY g.promoted_at, g.session_id LIMIT {goldens:d}
        )
        SELECT c.session_id, c.floor, c.floor_passes, c.floor_runs, coalesce(nullif(c.first_message, ''), c.message, '') AS title,
               a.place, n.outcomes, n.ids
        FROM chosen c
        LEFT JOIN unnest($3::uuid[], $4::int[]) WITH ORDINALITY AS a (id, version, place) ON true
        LEFT JOIN LATERAL (
            SELECT array_agg(p.outcome ORDER BY p.ended_at, p.id) AS outcomes, array_agg(p.id ORDER BY p.ended_at, p.id) AS ids
            FROM (
                SELECT q.outcome, q.id, q.ended_at FROM eval_replays q
                WHERE q.tenant_id = $1 AND q.golden_id = c.session_id AND q.agent_id = a.id AND q.agent_version = a.version
                  AND q.revision = c.revision AND q.mode = $5 AND q.context = $6 AND q.state = 'compared'
                ORDER BY q.ended_at DESC, q.id DESC LIMIT {repeats:d}
            ) p
        ) n ON true
        ORDER BY c.promoted_at, c.session_id, a.place
        """,
        tx.actor.tenant_id,
        set_id,
        [agent.id for agent in agents],
        [agent.version for agent in agents],
        *way,
    )
    found: dict[UUID, EvalMatrixRow] = {}
    for row in rows:
        if row["session_id"] not in found:
            found[row["session_id"]] = _row(row)
        if row["place"] is not None:
            outcomes = [ReplayOutcome(outcome) for outcome in row["outcomes"] or ()]
            cell = EvalMatrixCell(outcomes=outcomes, replay_ids=row["ids"] or [])
            found[row["session_id"]].cells.append(cell)
    return list(found.values())


def _row(row: Any) -> EvalMatrixRow:
    return EvalMatrixRow(
        golden_id=row["session_id"],
        title=row["title"][:300],
        floor=NoiseFloor(row["floor"]) if row["floor"] else None,
        floor_passes=row["floor_passes"],
        floor_runs=row["floor_runs"],
        cells=[],
    )


async def list_trend(
    tx: Tx, set_id: UUID, agent_id: UUID | None, before: tuple[object, UUID], limit: int
) -> list[TrendPoint]:
    """Runs that are over, newest first; without what only measures the floor or confirms another."""
    arguments: list[Any] = [tx.actor.tenant_id, set_id, *before]
    of_agent = ""
    if agent_id is not None:
        arguments.append(agent_id)
        of_agent = "AND r.agent_id = $5"
    rows = await tx.fetch(
        f"""
        SELECT r.id, r.agents -> 0 AS agent, r.set_version, r.mode, r.context, r.pass_rate, r.verdict, r.confirmed, r.replays,
               r.pass_rate_low, r.pass_rate_high, r.created_at
        FROM eval_runs r
        WHERE r.tenant_id = $1 AND r.set_id = $2 AND (r.created_at, r.id) < ($3, $4) AND r.status = 'completed'
          AND r.kind = 'run' {of_agent}
        ORDER BY r.created_at DESC, r.id DESC LIMIT {limit:d}
        """,
        *arguments,
    )
    return [
        TrendPoint(
            run_id=row["id"],
            agent=msgspec.convert(row["agent"], RunAgent),
            set_version=row["set_version"],
            mode=Mode(row["mode"]),
            context=Context(row["context"]),
            pass_rate=row["pass_rate"],
            pass_rate_low=row["pass_rate_low"],
            pass_rate_high=row["pass_rate_high"],
            verdict=Verdict(row["verdict"]) if row["verdict"] else None,
            confirmed=row["confirmed"],
            replays=row["replays"],
            created_at=row["created_at"],
        )
        for row in rows
    ]
