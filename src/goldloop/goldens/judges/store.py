"""SQL of judges, their licences, and what people's labels say of them. The only writer of `eval_judges` and `eval_judge_licences`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.goldens.judges.model import JudgeLicence, LabelledShare
from goldloop.goldens.rubrics import Rubric
from goldloop.kit.db import Tx
from goldloop.tenants.parties.store import find_parties


class KnownJudge(NamedTuple):
    """A judge with how much it judged, and when last."""

    id: UUID
    criteria_set_id: UUID | None
    rubric: Rubric
    rubric_hash: str
    model: str | None
    prompt: str
    first_at: datetime
    last_at: datetime
    judged: int
    passed: int
    open_sample_id: UUID | None


# `last` is found by the end of an index. A judge of which all replays are gone judged when it was first seen.
_JUDGES = """
    FROM eval_judges j CROSS JOIN LATERAL (
        SELECT coalesce((SELECT p.judged_at FROM eval_replays p WHERE p.tenant_id = $1 AND p.judge_id = j.id
                         ORDER BY p.judged_at DESC, p.id DESC LIMIT 1), j.first_at) AS last_at
    ) l
"""
_COLUMNS = """
    j.id, j.criteria_set_id, j.rubric, j.rubric_hash, j.model, j.prompt, j.first_at, l.last_at,
    (SELECT count(*) FROM eval_replays p WHERE p.tenant_id = $1 AND p.judge_id = j.id) AS judged,
    (SELECT count(*) FROM eval_replays p WHERE p.tenant_id = $1 AND p.judge_id = j.id AND p.rubric_passed) AS passed,
    (SELECT s.id FROM eval_judge_samples s WHERE s.tenant_id = $1 AND s.judge_id = j.id AND s.state = 'open') AS open_sample_id
"""


def _judge(row: Any) -> KnownJudge:
    fields = dict(row) | {"rubric": msgspec.convert(row["rubric"], Rubric), "model": row["model"] or None}
    return KnownJudge(**fields)


class NewJudge(NamedTuple):
    id: UUID
    criteria_set_id: UUID | None
    rubric: Rubric
    rubric_hash: str
    model: str | None
    prompt: str


async def insert(tx: Tx, new: NewJudge, at: datetime) -> None:
    """Its id says what it is: one that is there stays, and has the criteria set that the rubric is of now."""
    await tx.execute(
        """
        INSERT INTO eval_judges (tenant_id, id, criteria_set_id, rubric, rubric_hash, model, prompt, first_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (tenant_id, id) DO UPDATE SET criteria_set_id = excluded.criteria_set_id
        WHERE eval_judges.criteria_set_id IS DISTINCT FROM excluded.criteria_set_id
        """,
        tx.actor.tenant_id,
        new.id,
        new.criteria_set_id,
        msgspec.to_builtins(new.rubric),
        new.rubric_hash,
        new.model or "",
        new.prompt,
        at,
    )


async def find(tx: Tx, judge_id: UUID) -> KnownJudge | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} {_JUDGES} WHERE j.tenant_id = $1 AND j.id = $2", tx.actor.tenant_id, judge_id
    )
    return _judge(row) if row else None


async def lock(tx: Tx, judge_id: UUID) -> bool:
    """Samples and licences of a judge come one after the other. False where there is no such judge."""
    found = await tx.fetchval(
        "SELECT true FROM eval_judges j WHERE j.tenant_id = $1 AND j.id = $2 FOR NO KEY UPDATE",
        tx.actor.tenant_id,
        judge_id,
    )
    return bool(found)


async def list_last_first(
    tx: Tx, in_set: UUID | None, before: tuple[object, UUID], limit: int
) -> list[KnownJudge]:
    """Those by rubrics of the goldens of a set, or all."""
    by_set = """
        AND j.criteria_set_id IN (
            SELECT g.criteria_set_id FROM goldens g WHERE g.tenant_id = $1 AND g.set_id = $4
        )
    """
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} {_JUDGES} WHERE j.tenant_id = $1 AND (l.last_at, j.id) < ($2, $3) {by_set if in_set else ""}
        ORDER BY l.last_at DESC, j.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *before,
        *([in_set] if in_set else []),
    )
    return [_judge(row) for row in rows]


async def list_by_id(tx: Tx, judge_ids: Sequence[UUID]) -> list[KnownJudge]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} {_JUDGES} WHERE j.tenant_id = $1 AND j.id = ANY ($2) ORDER BY j.id",
        tx.actor.tenant_id,
        list(judge_ids),
    )
    return [_judge(row) for row in rows]


async def find_newest_model(tx: Tx) -> str | None:
    """The model that judged last in the workspace; None where nobody judged, or nobody tells."""
    model: str | None = await tx.fetchval(
        f"SELECT j.model {_JUDGES} WHERE j.tenant_id = $1 ORDER BY l.last_at DESC, j.id DESC LIMIT 1",
        tx.actor.tenant_id,
    )
    return model or None


class Said(NamedTuple):
    """How many people say of a replay that it meets the rubric, and how many that it does not."""

    replay_id: UUID
    run_id: UUID
    golden_id: UUID
    judge_passed: bool
    ended_at: datetime
    passes: int
    fails: int


async def list_said(tx: Tx, since: Mapping[UUID, datetime | None]) -> dict[UUID, list[Said]]:
    """By judge, in samples that have ended, for each since a time where one is given."""
    rows = await tx.fetch(
        """
        SELECT l.judge_id, l.replay_id, p.run_id, p.golden_id, p.rubric_passed AS judge_passed, s.ended_at,
               count(*) FILTER (WHERE l.passed) AS passes, count(*) FILTER (WHERE NOT l.passed) AS fails
        FROM unnest($2::uuid[], $3::timestamptz[]) w (judge_id, since)
        JOIN eval_judge_labels l ON l.judge_id = w.judge_id
        JOIN eval_judge_samples s ON s.tenant_id = l.tenant_id AND s.id = l.sample_id
        JOIN eval_replays p ON p.tenant_id = l.tenant_id AND p.id = l.replay_id
        WHERE l.tenant_id = $1 AND NOT l.replaced AND s.state <> 'open' AND (w.since IS NULL OR s.ended_at > w.since)
        GROUP BY l.judge_id, l.replay_id, p.run_id, p.golden_id, p.rubric_passed, s.ended_at ORDER BY l.judge_id, l.replay_id
        """,
        tx.actor.tenant_id,
        list(since),
        list(since.values()),
    )
    found: dict[UUID, list[Said]] = {judge_id: [] for judge_id in since}
    for row in rows:
        fields = dict(row)
        found[fields.pop("judge_id")].append(Said(**fields))
    return found


async def list_people(tx: Tx, judge_id: UUID, since: datetime | None) -> list[UUID]:
    """Who labelled, in samples that have ended."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT l.labelled_by FROM eval_judge_labels l
        JOIN eval_judge_samples s ON s.tenant_id = l.tenant_id AND s.id = l.sample_id
        WHERE l.tenant_id = $1 AND l.judge_id = $2 AND NOT l.replaced AND s.state <> 'open'
          AND ($3::timestamptz IS NULL OR s.ended_at > $3)
        ORDER BY l.labelled_by
        """,
        tx.actor.tenant_id,
        judge_id,
        since,
    )
    return [row["labelled_by"] for row in rows]


_OF_LICENCE = """
    c.id, c.judge_id, c.kappa, c.low, c.tpr, c.tnr, c.labelled, c.goldens, c.people, c.issued_at, c.issued_by_kind, c.issued_by_id,
    c.expires_at, c.withdrawn_at, c.withdrawn_by_kind, c.withdrawn_by_id
"""


async def _licences(tx: Tx, rows: Sequence[Any]) -> list[JudgeLicence]:
    """With the names of people."""
    names = await find_parties(tx, {party for row in rows for party in _parties(row)})
    return [
        JudgeLicence(
            **{
                name: row[name]
                for name in ("id", "judge_id", "kappa", "low", "labelled", "goldens", "issued_at")
            },
            tpr=msgspec.convert(row["tpr"], LabelledShare),
            tnr=msgspec.convert(row["tnr"], LabelledShare),
            people=[names["user", person] for person in row["people"]],
            issued_by=names[row["issued_by_kind"], row["issued_by_id"]],
            expires_at=row["expires_at"],
            withdrawn_at=row["withdrawn_at"],
            withdrawn_by=names[row["withdrawn_by_kind"], row["withdrawn_by_id"]]
            if row["withdrawn_by_kind"]
            else None,
        )
        for row in rows
    ]


def _parties(row: Any) -> Iterator[tuple[str, UUID | None]]:
    yield row["issued_by_kind"], row["issued_by_id"]
    if row["withdrawn_by_kind"]:
        yield row["withdrawn_by_kind"], row["withdrawn_by_id"]
    for person in row["people"]:
        yield "user", person


async def insert_licence(tx: Tx, licence: JudgeLicence) -> None:
    await tx.execute(
        """
        INSERT INTO eval_judge_licences (tenant_id, id, judge_id, kappa, low, tpr, tnr, labelled, goldens, people, issued_at,
            issued_by_kind, issued_by_id, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """,
        tx.actor.tenant_id,
        licence.id,
        licence.judge_id,
        licence.kappa,
        licence.low,
        msgspec.to_builtins(licence.tpr),
        msgspec.to_builtins(licence.tnr),
        licence.labelled,
        licence.goldens,
        [person.id for person in licence.people],
        licence.issued_at,
        licence.issued_by.kind,
        licence.issued_by.id,
        licence.expires_at,
    )


async def set_withdrawn(tx: Tx, licence_id: UUID, at: datetime) -> None:
    await tx.execute(
        """
        UPDATE eval_judge_licences SET withdrawn_at = $3, withdrawn_by_kind = $4, withdrawn_by_id = $5
        WHERE tenant_id = $1 AND id = $2 AND withdrawn_at IS NULL
        """,
        tx.actor.tenant_id,
        licence_id,
        at,
        tx.actor.kind,
        tx.actor.id,
    )


async def find_licence(tx: Tx, judge_id: UUID, licence_id: UUID) -> JudgeLicence | None:
    rows = await tx.fetch(
        f"SELECT {_OF_LICENCE} FROM eval_judge_licences c WHERE c.tenant_id = $1 AND c.judge_id = $2 AND c.id = $3",
        tx.actor.tenant_id,
        judge_id,
        licence_id,
    )
    return next(iter(await _licences(tx, rows)), None)


async def list_newest_licences(tx: Tx, judge_ids: Sequence[UUID]) -> dict[UUID, JudgeLicence]:
    """The newest licence of each judge that has one."""
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT ON (c.judge_id) {_OF_LICENCE} FROM eval_judge_licences c
        WHERE c.tenant_id = $1 AND c.judge_id = ANY ($2) ORDER BY c.judge_id, c.issued_at DESC, c.id DESC
        """,
        tx.actor.tenant_id,
        list(judge_ids),
    )
    return {licence.judge_id: licence for licence in await _licences(tx, rows)}


async def list_licences(
    tx: Tx, judge_id: UUID, before: tuple[object, UUID], limit: int
) -> list[JudgeLicence]:
    rows = await tx.fetch(
        f"""
        SELECT {_OF_LICENCE} FROM eval_judge_licences c
        WHERE c.tenant_id = $1 AND c.judge_id = $2 AND (c.issued_at, c.id) < ($3, $4)
        ORDER BY c.issued_at DESC, c.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        judge_id,
        *before,
    )
    return await _licences(tx, rows)


class Judged(NamedTuple):
    """Replays of one agent of a run that one judge judged. `last_at` is when the last of all of the run's was."""

    judge_id: UUID
    agent: str
    agent_id: UUID
    agent_version: int
    replays: int
    passed: int


async def count_judged(tx: Tx, run_id: UUID) -> list[Judged]:
    """Without those that were made for the others to be compared with."""
    rows = await tx.fetch(
        """
        SELECT p.judge_id, p.agent, p.agent_id, p.agent_version, count(*) AS replays,
               count(*) FILTER (WHERE p.rubric_passed) AS passed
        FROM eval_replays p
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.judge_id IS NOT NULL AND NOT p.baseline
        GROUP BY p.judge_id, p.agent, p.agent_id, p.agent_version ORDER BY p.judge_id, p.agent, p.agent_version
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return [Judged(**row) for row in rows]


class Pairing(NamedTuple):
    """Of a judged replay: what the judge says, and what people say of those in samples that have ended."""

    judge_id: UUID
    agent_id: UUID
    agent_version: int
    golden_id: UUID
    judge_passed: bool
    passes: int
    fails: int


async def list_pairings(tx: Tx, run_id: UUID) -> list[Pairing]:
    """Judged replays of a run that people labelled, where all samples that have some of the run's were drawn when all of it was
    judged: what is labelled is a random part of it only then."""
    rows = await tx.fetch(
        """
        WITH judged AS (
            SELECT p.judge_id, max(p.judged_at) AS last_at FROM eval_replays p
            WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.judge_id IS NOT NULL GROUP BY p.judge_id
        ), partial AS (
            SELECT DISTINCT p.judge_id FROM eval_replays p
            JOIN judged d ON d.judge_id = p.judge_id
            JOIN eval_judge_sampled m ON m.tenant_id = p.tenant_id AND m.replay_id = p.id
            JOIN eval_judge_samples s ON s.tenant_id = m.tenant_id AND s.id = m.sample_id
            WHERE p.tenant_id = $1 AND p.run_id = $2 AND s.created_at < d.last_at
        )
        SELECT p.judge_id, p.agent_id, p.agent_version, p.golden_id, p.rubric_passed AS judge_passed,
               count(*) FILTER (WHERE l.passed) AS passes, count(*) FILTER (WHERE NOT l.passed) AS fails
        FROM eval_replays p
        JOIN eval_judge_labels l ON l.tenant_id = p.tenant_id AND l.replay_id = p.id AND NOT l.replaced
        JOIN eval_judge_samples s ON s.tenant_id = l.tenant_id AND s.id = l.sample_id AND s.state <> 'open'
        WHERE p.tenant_id = $1 AND p.run_id = $2 AND p.judge_id IS NOT NULL AND NOT p.baseline
          AND NOT EXISTS (SELECT FROM partial a WHERE a.judge_id = p.judge_id)
        GROUP BY p.id, p.judge_id, p.agent_id, p.agent_version, p.golden_id, p.rubric_passed ORDER BY p.id
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return [Pairing(**row) for row in rows]
