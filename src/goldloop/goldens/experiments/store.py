"""SQL of experiments. The only writer of `eval_experiments`."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.model import Pair
from goldloop.goldens.experiments import findings
from goldloop.goldens.experiments.findings import Finding, PairedReplay
from goldloop.goldens.experiments.model import Experiment, ExperimentDesign, ExperimentState
from goldloop.goldens.experiments.planning import Compared
from goldloop.goldens.runs.model import RunAgent
from goldloop.kit.db import Tx
from goldloop.knowledge.selection import Scope
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

MODEL_UNKNOWN = timedelta(days=7)  # for which whoever runs an agent is taken to ask the same model


class NewRow(NamedTuple):
    """An experiment as it begins; `hashes`, `applies` and `tokens` are those of its rows."""

    id: UUID
    design: ExperimentDesign
    golden_ids: list[UUID]
    row_ids: list[UUID]
    row_hashes: list[str]
    applies: list[int]
    tokens: list[int]
    model: str | None
    wanted: int
    reused: int
    confirms: bool
    pairs: int
    status: ExperimentState
    asked: str
    created_at: datetime
    found: Sequence[Finding] | None = None  # where pairs are planned at once: which goldens they are of


async def insert(tx: Tx, new: NewRow) -> None:
    """Beside its run, which was inserted just now."""
    await tx.execute(
        """
        INSERT INTO eval_experiments (tenant_id, id, design, golden_ids, row_ids, row_hashes, applies, tokens, model, wanted, reused,
            confirms, pairs, status, asked, created_at, results)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        """,
        tx.actor.tenant_id,
        *new[:-1],
        None if new.found is None else msgspec.to_builtins(list(new.found)),
    )


_COLUMNS = f"""
    e.id, r.name, e.design, e.status, coalesce(c.stopped, r.stopped) AS stopped, r.set_id, r.set_name, r.set_version,
    r.agents -> 0 AS agent, e.model, r.mode, cardinality(e.golden_ids) AS goldens, cardinality(e.row_ids) AS rows, e.confirms, e.pairs,
    e.confirmation_id, r.replays + coalesce(c.replays, 0) AS replays, r.done + coalesce(c.done, 0) AS done,
    r.errors + coalesce(c.errors, 0) AS errors, e.reused,
    (r.estimate ->> 'tokens')::bigint + coalesce((c.estimate ->> 'tokens')::bigint, 0) AS estimated_tokens,
    CASE WHEN r.cost IS NULL AND c.cost IS NULL THEN NULL ELSE coalesce(r.cost, 0) + coalesce(c.cost, 0) END AS cost, r.max_cost,
    e.results, e.created_at, e.ended_at, e.golden_ids, e.row_ids, e.row_hashes, e.applies, e.tokens AS row_tokens, e.asked,
    r.created_by_kind, r.created_by_id, {name_sql("$1", "r.created_by_kind", "r.created_by_id")} AS created_by_name
"""
_FROM = """
    FROM eval_experiments e JOIN eval_runs r ON r.tenant_id = e.tenant_id AND r.id = e.id
    LEFT JOIN eval_runs c ON c.tenant_id = e.tenant_id AND c.id = e.confirmation_id
"""


class Stored(NamedTuple):
    """An experiment with all that is kept of it."""

    shown: Experiment
    golden_ids: list[UUID]
    findings: list[Finding]
    hashes: dict[UUID, str]


def _stored(row: Any) -> Stored:
    hashes = dict(zip(row["row_ids"], row["row_hashes"], strict=True))
    if row["results"] is not None:
        found = msgspec.convert(row["results"], list[Finding])
    else:
        rows = zip(row["row_ids"], row["row_hashes"], row["applies"], row["row_tokens"], strict=True)
        found = [Finding(row_id=i, row_hash=h, goldens=g, tokens=t) for i, h, g, t in rows]
    known = any(each.is_known for each in found)
    fields = {
        name: row[name] for name in Experiment.__struct_fields__ if name not in ("created_by", "findings")
    }
    shown = Experiment(
        **fields
        | {
            "design": ExperimentDesign(row["design"]),
            "status": ExperimentState(row["status"]),
            "agent": msgspec.convert(row["agent"], RunAgent),
            "mode": Mode(row["mode"]),
        },
        findings=findings.count(found) if known else None,
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )
    return Stored(shown, row["golden_ids"], found, hashes)


async def find(tx: Tx, experiment_id: UUID) -> Stored | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} {_FROM} WHERE e.tenant_id = $1 AND e.id = $2", tx.actor.tenant_id, experiment_id
    )
    return _stored(row) if row else None


async def lock(tx: Tx, experiment_id: UUID) -> Stored | None:
    """Nobody else goes on with it until the transaction ends."""
    locked = await tx.fetchval(
        "SELECT e.id FROM eval_experiments e WHERE e.tenant_id = $1 AND e.id = $2 FOR NO KEY UPDATE",
        tx.actor.tenant_id,
        experiment_id,
    )
    return await find(tx, experiment_id) if locked else None


async def find_asked(tx: Tx, experiment_id: UUID) -> str | None:
    asked: str | None = await tx.fetchval(
        "SELECT e.asked FROM eval_experiments e WHERE e.tenant_id = $1 AND e.id = $2",
        tx.actor.tenant_id,
        experiment_id,
    )
    return asked


async def find_of_run(tx: Tx, run_id: UUID) -> UUID | None:
    """The experiment that a run is the first or the second of."""
    found: UUID | None = await tx.fetchval(
        """
        SELECT e.id FROM eval_experiments e WHERE e.tenant_id = $1 AND e.id = $2
        UNION ALL SELECT e.id FROM eval_experiments e WHERE e.tenant_id = $1 AND e.confirmation_id = $2
        LIMIT 1
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return found


class Wanted(NamedTuple):
    set_id: UUID | None = None
    status: ExperimentState | None = None
    row_id: UUID | None = None


async def list_newest_first(
    tx: Tx, wanted: Wanted, before: tuple[object, UUID], limit: int
) -> list[Experiment]:
    arguments: list[Any] = [tx.actor.tenant_id, *before]
    conditions = ["e.tenant_id = $1", "(e.created_at, e.id) < ($2, $3)"]
    by = {"set_id": "r.set_id = ${}", "status": "e.status = ${}", "row_id": "${} = ANY (e.row_ids)"}
    for name, value in wanted._asdict().items():
        if value is not None:
            arguments.append(value)
            conditions.append(by[name].format(len(arguments)))
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} {_FROM} WHERE {' AND '.join(conditions)} "
        f"ORDER BY e.created_at DESC, e.id DESC LIMIT {limit:d}",
        *arguments,
    )
    return [_stored(row).shown for row in rows]


async def set_confirming(tx: Tx, experiment_id: UUID, run_id: UUID, found: Sequence[Finding]) -> None:
    await tx.execute(
        "UPDATE eval_experiments SET status = 'confirming', confirmation_id = $3, results = $4 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        experiment_id,
        run_id,
        msgspec.to_builtins(list(found)),
    )


async def set_ended(
    tx: Tx, experiment_id: UUID, status: ExperimentState, found: Sequence[Finding] | None, at: datetime
) -> None:
    await tx.execute(
        """
        UPDATE eval_experiments SET status = $3, results = coalesce($4, results), ended_at = $5 WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        experiment_id,
        status,
        None if found is None else msgspec.to_builtins(list(found)),
        at,
    )


async def set_reused(tx: Tx, experiment_id: UUID, reused: int) -> None:
    await tx.execute(
        "UPDATE eval_experiments SET reused = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        experiment_id,
        reused,
    )


async def sum_tokens(tx: Tx, experiment: Experiment) -> int | None:
    """What its replays used; None where none of them knows."""
    found: int | None = await tx.fetchval(
        "SELECT sum(p.tokens)::bigint FROM eval_replays p WHERE p.tenant_id = $1 AND p.run_id = ANY ($2)",
        tx.actor.tenant_id,
        [run_id for run_id in (experiment.id, experiment.confirmation_id) if run_id],
    )
    return found


async def list_scopes(tx: Tx, golden_ids: Sequence[UUID], agent_id: UUID) -> dict[UUID, Scope]:
    """Where prompts of an agent that replays these goldens are used, oldest golden first: about the type of the record that each
    is about, as it was frozen."""
    rows = await tx.fetch(
        """
        SELECT g.session_id, t.id AS entity_type_id
        FROM goldens g JOIN sessions s ON s.tenant_id = g.tenant_id AND s.id = g.session_id
        LEFT JOIN entity_types t ON t.tenant_id = g.tenant_id AND t.slug = s.metadata -> 'golden' -> 'snapshot' -> 'entity' ->> 'type'
        WHERE g.tenant_id = $1 AND g.session_id = ANY ($2) ORDER BY g.promoted_at, g.session_id
        """,
        tx.actor.tenant_id,
        list(golden_ids),
    )
    return {row["session_id"]: Scope(agent_id, row["entity_type_id"]) for row in rows}


async def list_floors(tx: Tx, golden_ids: Sequence[UUID]) -> list[Pair]:
    """Passes and runs of those goldens whose noise floor is known."""
    rows = await tx.fetch(
        """
        SELECT g.floor_passes, g.floor_runs FROM goldens g
        WHERE g.tenant_id = $1 AND g.session_id = ANY ($2) AND g.floor_runs IS NOT NULL
        """,
        tx.actor.tenant_id,
        list(golden_ids),
    )
    return [(row["floor_passes"], row["floor_runs"]) for row in rows]


class Way(NamedTuple):
    """By whom and how goldens are replayed: replays of another way are of something else."""

    agent: RunAgent
    mode: Mode
    model: str | None


_DECIDED = (
    "CASE p.outcome WHEN 'passed' THEN true WHEN 'failed' THEN false END"  # null where it is inconclusive
)

# By an index; what each row of a run was then is kept with its experiment.
_DRAWN = """
    FROM eval_replays p
    JOIN eval_experiments e ON e.tenant_id = p.tenant_id AND e.id = p.run_id AND e.model IS NOT DISTINCT FROM $6
    JOIN goldens g ON g.tenant_id = p.tenant_id AND g.session_id = p.golden_id AND g.revision = p.revision
    WHERE p.tenant_id = $1 AND p.golden_id = ANY ($2) AND p.agent_id = $3 AND p.agent_version = $4 AND p.mode = $5
      AND p.context = 'drawn' AND p.measures IS NULL AND p.state = 'compared'
"""


async def list_compared(tx: Tx, golden_ids: Sequence[UUID], way: Way, at: datetime) -> list[Compared]:
    """Replays of goldens as they are now that each had a part of what applied, in all experiments; also those that decided nothing, but
    not where the infrastructure failed. Where nobody knows which model an agent asks, only what was made in the last days before `at`
    counts: it may be another one."""
    rows = await tx.fetch(
        f"""
        SELECT p.golden_id, p.run_id, {_DECIDED} AS passed, p.rows_applicable, p.rows_present, e.row_ids, e.row_hashes
        {_DRAWN} AND p.outcome <> 'error' AND (e.model IS NOT NULL OR e.created_at >= $7) ORDER BY p.id
        """,
        *_arguments(tx, golden_ids, way),
        at - MODEL_UNKNOWN,
    )
    return [
        Compared(
            row["golden_id"],
            row["run_id"],
            row["passed"],
            row["rows_applicable"],
            row["rows_present"],
            dict(zip(row["row_ids"], row["row_hashes"], strict=True)),
        )
        for row in rows
    ]


async def list_repeats(tx: Tx, golden_ids: Sequence[UUID], agent: RunAgent) -> Mapping[UUID, int]:
    """The highest repeat of each golden that experiments made by an agent's version."""
    rows = await tx.fetch(
        """
        SELECT p.golden_id, max(p.repeat) AS repeat FROM eval_replays p
        WHERE p.tenant_id = $1 AND p.golden_id = ANY ($2) AND p.agent_id = $3 AND p.agent_version = $4 AND p.context = 'drawn'
        GROUP BY p.golden_id
        """,
        tx.actor.tenant_id,
        list(golden_ids),
        agent.id,
        agent.version,
    )
    return {row["golden_id"]: row["repeat"] for row in rows}


def _arguments(tx: Tx, golden_ids: Sequence[UUID], way: Way) -> list[Any]:
    return [tx.actor.tenant_id, list(golden_ids), way.agent.id, way.agent.version, way.mode, way.model]


async def list_paired(tx: Tx, run_id: UUID) -> list[PairedReplay]:
    """Replays of one run about one row each, of goldens as they are now; also those that decided nothing."""
    rows = await tx.fetch(
        f"""
        SELECT p.measures, p.golden_id, p.repeat, NOT p.baseline AS present, {_DECIDED} AS passed
        FROM eval_replays p JOIN goldens g ON g.tenant_id = p.tenant_id AND g.session_id = p.golden_id AND g.revision = p.revision
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.measures IS NOT NULL AND p.state = 'compared'
          AND p.outcome <> 'error'
        ORDER BY p.id
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return [PairedReplay(*row) for row in rows]


async def list_targeted(tx: Tx, row_ids: Sequence[UUID], golden_ids: Sequence[UUID]) -> dict[UUID, set[UUID]]:
    """Goldens that rows were learnt from: feedback that a row rests on is about the golden's session, or about a replay of it."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT s.row_id, g.id AS golden_id
        FROM shared_context_support s JOIN feedback f ON f.tenant_id = s.tenant_id AND f.id = s.feedback_id
        JOIN unnest($3::uuid[]) AS g (id) ON f.session_id = g.id OR f.context ->> 'golden_id' = g.id::text
        WHERE s.tenant_id = $1 AND s.row_id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(row_ids),
        list(golden_ids),
    )
    found: dict[UUID, set[UUID]] = {}
    for row in rows:
        found.setdefault(row["row_id"], set()).add(row["golden_id"])
    return found


async def list_set_versions(tx: Tx) -> dict[UUID, int]:
    rows = await tx.fetch(
        "SELECT s.id, s.version FROM golden_sets s WHERE s.tenant_id = $1", tx.actor.tenant_id
    )
    return {row["id"]: row["version"] for row in rows}
