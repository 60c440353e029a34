"""SQL of the replays of eval runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.artifact_evals.rubric_scores import RubricScoreResult
from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.counting import ReplayOutcome
from goldloop.goldens.runs import judging_store
from goldloop.goldens.runs.model import (
    EvalRun,
    Replay,
    ReplayContext,
    ReplayDetail,
    ReplayJudging,
    ReplayState,
    RunAgent,
)
from goldloop.goldens.runs.planning import NewReplay
from goldloop.goldens.runs.reports import Compared
from goldloop.kit.db import Tx

_OF_REPLAY = """
    p.id, p.run_id, p.golden_id, p.revision, p.agent_id, p.agent_version, p.repeat, p.baseline, p.mode, p.context, p.state, p.outcome,
    p.accuracy, p.fidelity, p.divergence, p.error, p.tokens, p.cost, p.seconds, p.ended_at, p.agent, p.manifest, p.rows_applicable,
    p.rows_present, p.measures
"""


# The oldest first: once there are enough, later runs are answered as earlier ones were.
_PASSED = """
    FROM eval_replays p WHERE p.tenant_id = $1 AND p.golden_id = {} AND p.revision = {} AND p.state = 'compared'
    AND p.outcome = 'passed' ORDER BY p.ended_at, p.id
"""
SIBLINGS = 5  # other recordings of a golden that answer as well


async def insert(tx: Tx, run: EvalRun, replays: Sequence[NewReplay]) -> None:
    """Which other recordings answer them is settled here, so that all replays of a run are answered alike."""
    await tx.execute(
        f"""
        WITH new AS (
            SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::int[], $6::uuid[], $7::text[], $8::int[], $9::int[], $10::bool[])
                AS n (id, golden_id, revision, agent_id, agent, agent_version, repeat, baseline)
        ), recorded AS (
            SELECT g.golden_id, (
                ARRAY(SELECT a.session_id FROM golden_alternatives a WHERE a.tenant_id = $1 AND a.golden_id = g.golden_id
                      ORDER BY a.added_at, a.session_id LIMIT {SIBLINGS:d})
                || ARRAY(SELECT p.id {_PASSED.format("g.golden_id", "g.revision")} LIMIT {SIBLINGS:d})
            )[:{SIBLINGS:d}] AS siblings
            FROM (SELECT DISTINCT n.golden_id, n.revision FROM new n) g
        )
        INSERT INTO eval_replays (tenant_id, id, run_id, golden_id, revision, agent_id, agent, agent_version, repeat, baseline,
            mode, context, state, siblings)
        SELECT $1, n.id, $2, n.golden_id, n.revision, n.agent_id, n.agent, n.agent_version, n.repeat, n.baseline, $11, $12,
               'queued', r.siblings
        FROM new n JOIN recorded r ON r.golden_id = n.golden_id
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        run.id,
        *[list(column) for column in zip(*replays, strict=True)],
        run.mode,
        run.context,
    )


class Started(NamedTuple):
    id: UUID
    golden_id: UUID
    agent: str
    agent_version: int
    repeat: int
    manifest: str | None


async def start_next(tx: Tx, run_id: UUID, most: int) -> list[Started]:
    """The next replays in their order, of a run that is locked."""
    rows = await tx.fetch(
        f"""
        UPDATE eval_replays p SET state = 'running'
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.id IN (
            SELECT q.id FROM eval_replays q WHERE q.tenant_id = $1 AND q.run_id = $2 AND q.state = 'queued' ORDER BY q.id LIMIT {most:d}
        )
        RETURNING p.id, p.golden_id, p.agent, p.agent_version, p.repeat, p.manifest
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return sorted((Started(**row) for row in rows), key=lambda started: started.id)


async def count_running(tx: Tx, run_id: UUID) -> int:
    count: int = await tx.fetchval(
        "SELECT count(*) FROM eval_replays p WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state = 'running'",
        tx.actor.tenant_id,
        run_id,
    )
    return count


async def is_cost_unknown(tx: Tx, run_id: UUID) -> bool:
    """Whether a replay that ran does not know what it cost."""
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (SELECT FROM eval_replays p WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state = 'compared'
            AND p.outcome <> 'error' AND p.cost IS NULL)
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return found


async def list_open_runs(tx: Tx, golden_id: UUID) -> list[UUID]:
    """Runs that replay a golden now, or will."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT p.run_id FROM eval_replays p
        WHERE p.tenant_id = $1 AND p.golden_id = $2 AND p.state IN ('queued', 'running') ORDER BY p.run_id
        """,
        tx.actor.tenant_id,
        golden_id,
    )
    return [row["run_id"] for row in rows]


async def cancel_revoked(tx: Tx, run_id: UUID) -> list[UUID]:
    """Those of a run, which is locked, whose golden is none any more."""
    rows = await tx.fetch(
        """
        UPDATE eval_replays p SET state = 'cancelled'
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state IN ('queued', 'running')
          AND NOT EXISTS (SELECT FROM goldens g WHERE g.tenant_id = $1 AND g.session_id = p.golden_id)
        RETURNING p.id
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return sorted(row["id"] for row in rows)


async def cancel_outdated(tx: Tx, run_id: UUID) -> None:
    """Those that wait for a golden which is to be compared otherwise by now."""
    await tx.execute(
        """
        UPDATE eval_replays p SET state = 'cancelled' FROM goldens g
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state = 'queued'
          AND g.tenant_id = $1 AND g.session_id = p.golden_id AND g.revision <> p.revision
        """,
        tx.actor.tenant_id,
        run_id,
    )


async def cancel_queued(tx: Tx, run_id: UUID) -> bool:
    """Whether there was one."""
    return bool(
        await tx.execute(
            "UPDATE eval_replays SET state = 'cancelled' WHERE tenant_id = $1 AND run_id = $2 AND state = 'queued'",
            tx.actor.tenant_id,
            run_id,
        )
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
    """What a replay came to, and by which revision of its golden."""

    outcome: ReplayOutcome
    accuracy: float | None = None
    fidelity: float | None = None
    divergence: str | None = None
    error: str | None = None
    comparison: dict[str, Any] | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    revision: int | None = None


async def find_run_id(tx: Tx, replay_id: UUID) -> UUID | None:
    """The run of a replay that is not over."""
    run_id: UUID | None = await tx.fetchval(
        "SELECT run_id FROM eval_replays WHERE tenant_id = $1 AND id = $2 AND state = 'running'",
        tx.actor.tenant_id,
        replay_id,
    )
    return run_id


class Counted(NamedTuple):
    """A replay that was compared just now."""

    golden_id: UUID
    baseline: bool


async def set_compared(tx: Tx, replay_id: UUID, result: ReplayResult, at: datetime) -> Counted | None:
    """None where it is compared already, or cancelled."""
    row = await tx.fetchrow(
        """
        UPDATE eval_replays SET state = 'compared', outcome = $3, accuracy = $4, fidelity = $5, divergence = $6, error = $7,
            comparison = $8, tokens = $9, cost = $10, seconds = $11, revision = coalesce($12, revision), ended_at = $13
        WHERE tenant_id = $1 AND id = $2 AND state = 'running' RETURNING golden_id, baseline
        """,
        tx.actor.tenant_id,
        replay_id,
        *result,
        at,
    )
    return Counted(**row) if row else None


async def set_judging(tx: Tx, replay_id: UUID, judging: ReplayJudging) -> UUID | None:
    """How the judging of a replay stands, unless it is judged; its run then."""
    run_id: UUID | None = await tx.fetchval(
        """
        UPDATE eval_replays SET judging = $3, judging_reason = $4, judging_session_id = coalesce($5, judging_session_id)
        WHERE tenant_id = $1 AND id = $2 AND judging IS DISTINCT FROM 'judged' RETURNING run_id
        """,
        tx.actor.tenant_id,
        replay_id,
        judging.state,
        judging.reason,
        judging.session_id,
    )
    return run_id


class Judgement(NamedTuple):
    """What a judge says of a replay, in which session, and who it is."""

    session_id: UUID
    judge_id: UUID
    at: datetime
    result: RubricScoreResult


async def set_judged(tx: Tx, replay_id: UUID, judged: Judgement) -> UUID | None:
    """What a judge says of a replay, once; its run then."""
    run_id: UUID | None = await tx.fetchval(
        """
        UPDATE eval_replays SET judging = 'judged', judging_reason = NULL, judging_session_id = $3, judge_id = $4, judged_at = $5,
            rubric = $6, rubric_passed = $7
        WHERE tenant_id = $1 AND id = $2 AND judging IS DISTINCT FROM 'judged' RETURNING run_id
        """,
        tx.actor.tenant_id,
        replay_id,
        judged.session_id,
        judged.judge_id,
        judged.at,
        msgspec.to_builtins(judged.result),
        judged.result.passed,
    )
    return run_id


async def list_compared(tx: Tx, run_id: UUID) -> list[tuple[UUID, int, Compared]]:
    """The agents' ids and versions with their replays, in the order of the repeats; without those that were made for the
    baseline, or compared with a golden as it is no more."""
    rows = await tx.fetch(
        """
        SELECT p.agent_id, p.agent_version, p.golden_id, p.outcome, p.accuracy, p.divergence, p.error, p.tokens, p.cost, p.seconds
        FROM eval_replays p JOIN goldens g ON g.tenant_id = p.tenant_id AND g.session_id = p.golden_id AND g.revision = p.revision
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.state = 'compared' AND NOT p.baseline ORDER BY p.id
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
                ReplayOutcome(row["outcome"]),
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


async def leave_out(tx: Tx, run_ids: Sequence[UUID], agent: RunAgent) -> None:
    """What an agent did in these runs is in no baseline from now on."""
    await tx.execute(
        """
        UPDATE eval_replays SET left_out = true
        WHERE tenant_id = $1 AND run_id = ANY ($2) AND agent_id = $3 AND agent_version = $4 AND NOT baseline
        """,
        tx.actor.tenant_id,
        list(run_ids),
        agent.id,
        agent.version,
    )


async def list_failed(tx: Tx, golden_id: UUID, agent_id: UUID | None, without: UUID | None) -> list[UUID]:
    """Replays of a golden that failed, by one agent or by any, in all runs but one."""
    rows = await tx.fetch(
        """
        SELECT p.id FROM eval_replays p
        WHERE p.tenant_id = $1 AND p.golden_id = $2 AND p.outcome = 'failed' AND ($3::uuid IS NULL OR p.agent_id = $3)
          AND p.run_id IS DISTINCT FROM $4
        ORDER BY p.id
        """,
        tx.actor.tenant_id,
        golden_id,
        agent_id,
        without,
    )
    return [row["id"] for row in rows]


async def list_passed(tx: Tx, golden_id: UUID, revision: int, limit: int) -> list[UUID]:
    """The first replays of a golden that passed, of one revision."""
    rows = await tx.fetch(
        f"SELECT p.id {_PASSED.format('$2', '$3')} LIMIT {limit:d}", tx.actor.tenant_id, golden_id, revision
    )
    return [row["id"] for row in rows]


async def list_siblings(tx: Tx, replay_id: UUID) -> list[UUID]:
    """The sessions that answer a replay beside its golden, as they were when its run began."""
    found: list[UUID] | None = await tx.fetchval(
        "SELECT p.siblings FROM eval_replays p WHERE p.tenant_id = $1 AND p.id = $2",
        tx.actor.tenant_id,
        replay_id,
    )
    return found or []


class ReplayFilter(NamedTuple):
    golden_id: UUID | None = None
    agent_id: UUID | None = None
    outcome: ReplayOutcome | None = None


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
        f"SELECT {_OF_REPLAY}, p.comparison, {judging_store.COLUMNS}, p.rubric FROM eval_replays p WHERE p.tenant_id = $1 AND p.id = $2",
        tx.actor.tenant_id,
        replay_id,
    )
    if row is None:
        return None
    rubric = msgspec.convert(row["rubric"], RubricScoreResult) if row["rubric"] else None
    return ReplayDetail(
        **_replay(row), comparison=row["comparison"], judging=judging_store.from_row(row), rubric=rubric
    )


def _replay(row: Any) -> dict[str, Any]:
    fields = {name: row[name] for name in Replay.__struct_fields__ if name != "agent"}
    return fields | {
        "agent": RunAgent(id=row["agent_id"], slug=row["agent"], version=row["agent_version"]),
        "mode": Mode(row["mode"]),
        "context": ReplayContext(row["context"]),
        "state": ReplayState(row["state"]),
        "outcome": ReplayOutcome(row["outcome"]) if row["outcome"] else None,
    }
