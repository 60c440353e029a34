"""SQL that reads what baselines came to."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.model import Pair
from goldloop.goldens.runs.model import ReplayContext, ReplayUse, RunAgent
from goldloop.kit.db import Tx


async def count_baseline(
    tx: Tx,
    agent: RunAgent,
    goldens: Sequence[tuple[UUID, int]],
    mode: Mode,
    context: ReplayContext,
    without: Sequence[UUID],
) -> dict[UUID, Pair]:
    """How often an agent's version passed goldens of these revisions, in the same way, in all runs but some; what those made for
    a baseline counts as well."""
    rows = await tx.fetch(
        """
        SELECT p.golden_id, count(*) FILTER (WHERE p.outcome = 'passed') AS passes, count(*) AS runs
        FROM unnest($2::uuid[], $3::int[]) AS g (id, revision)
        JOIN eval_replays p ON p.tenant_id = $1 AND p.golden_id = g.id AND p.agent_id = $4 AND p.agent_version = $5
            AND p.state = 'compared' AND p.revision = g.revision AND p.mode = $6 AND p.context = $7
            AND p.outcome IN ('passed', 'failed') AND NOT p.left_out AND (p.baseline OR p.run_id <> ALL ($8))
        GROUP BY p.golden_id
        """,
        tx.actor.tenant_id,
        [golden for golden, _ in goldens],
        [revision for _, revision in goldens],
        agent.id,
        agent.version,
        mode,
        context,
        list(without),
    )
    return {row["golden_id"]: (row["passes"], row["runs"]) for row in rows}


async def mean_use(
    tx: Tx,
    agent: RunAgent,
    goldens: Sequence[tuple[UUID, int]],
    mode: Mode,
    context: ReplayContext,
    without: Sequence[UUID],
) -> ReplayUse:
    """What the replays that `count_baseline` counts used, on average."""
    (row,) = await tx.fetch(
        """
        SELECT avg(p.tokens)::float8 AS tokens, avg(p.cost)::float8 AS cost, avg(p.seconds)::float8 AS seconds
        FROM unnest($2::uuid[], $3::int[]) AS g (id, revision)
        JOIN eval_replays p ON p.tenant_id = $1 AND p.golden_id = g.id AND p.agent_id = $4 AND p.agent_version = $5
            AND p.state = 'compared' AND p.revision = g.revision AND p.mode = $6 AND p.context = $7
            AND p.outcome IN ('passed', 'failed') AND NOT p.left_out AND (p.baseline OR p.run_id <> ALL ($8))
        """,
        tx.actor.tenant_id,
        [golden for golden, _ in goldens],
        [revision for _, revision in goldens],
        agent.id,
        agent.version,
        mode,
        context,
        list(without),
    )
    return ReplayUse(tokens=row["tokens"], cost=row["cost"], seconds=row["seconds"])
