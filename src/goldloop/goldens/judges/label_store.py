"""SQL of people's labels. The only writer of `eval_judge_labels`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.goldens.judges.model import JudgeLabel, OwnLabel
from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql


class OldLabel(NamedTuple):
    id: UUID
    version: int
    label: OwnLabel


def _own(row: Any) -> OwnLabel:
    return OwnLabel(**{name: row[name] for name in OwnLabel.__struct_fields__})


async def find_label(tx: Tx, sample_id: UUID, replay_id: UUID, person: UUID) -> OldLabel | None:
    """What a person says of a replay."""
    row = await tx.fetchrow(
        """
        SELECT l.id, l.version, l.replay_id, l.passed, l.values, l.note, l.labelled_at FROM eval_judge_labels l
        WHERE l.tenant_id = $1 AND l.sample_id = $2 AND l.replay_id = $3 AND l.labelled_by = $4 AND NOT l.replaced
        """,
        tx.actor.tenant_id,
        sample_id,
        replay_id,
        person,
    )
    return OldLabel(row["id"], row["version"], _own(row)) if row else None


async def set_replaced(tx: Tx, label_id: UUID) -> None:
    await tx.execute(
        "UPDATE eval_judge_labels SET replaced = true WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        label_id,
    )


class KeptLabel(NamedTuple):
    id: UUID
    judge_id: UUID
    sample_id: UUID
    replay_id: UUID
    version: int
    passed: bool | None
    values: dict[str, Any]
    score: float | None
    note: str
    labelled_by: UUID
    labelled_at: datetime


async def insert_label(tx: Tx, new: KeptLabel) -> None:
    await tx.execute(
        """
        INSERT INTO eval_judge_labels (tenant_id, id, judge_id, sample_id, replay_id, version, passed, values, score, note,
            labelled_by, labelled_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """,
        tx.actor.tenant_id,
        *new,
    )


async def list_own(
    tx: Tx, sample_id: UUID, person: UUID, before: tuple[object, UUID], limit: int
) -> list[OwnLabel]:
    rows = await tx.fetch(
        f"""
        SELECT l.replay_id, l.passed, l.values, l.note, l.labelled_at FROM eval_judge_labels l
        WHERE l.tenant_id = $1 AND l.sample_id = $2 AND l.labelled_by = $3 AND NOT l.replaced
          AND (l.labelled_at, l.replay_id) < ($4, $5)
        ORDER BY l.labelled_at DESC, l.replay_id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        sample_id,
        person,
        *before,
    )
    return [_own(row) for row in rows]


_OF_LABEL = f"""
    l.id, l.sample_id, l.replay_id, l.version, l.passed, l.values, l.score, l.note, l.replaced, l.labelled_at, l.labelled_by,
    {name_sql("$1", "'user'", "l.labelled_by")} AS labelled_by_name
"""


def _label(row: Any) -> JudgeLabel:
    fields = {name: row[name] for name in JudgeLabel.__struct_fields__ if name != "labelled_by"}
    return JudgeLabel(
        **fields, labelled_by=Party(kind="user", id=row["labelled_by"], name=row["labelled_by_name"])
    )


async def list_labels(tx: Tx, judge_id: UUID, before: tuple[object, UUID], limit: int) -> list[JudgeLabel]:
    """Of samples that have ended, with those that were replaced."""
    rows = await tx.fetch(
        f"""
        SELECT {_OF_LABEL} FROM eval_judge_labels l
        JOIN eval_judge_samples s ON s.tenant_id = l.tenant_id AND s.id = l.sample_id AND s.state <> 'open'
        WHERE l.tenant_id = $1 AND l.judge_id = $2 AND (l.labelled_at, l.id) < ($3, $4)
        ORDER BY l.labelled_at DESC, l.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        judge_id,
        *before,
    )
    return [_label(row) for row in rows]


class Differing(NamedTuple):
    """A replay of which more people say something else than the judge."""

    replay_id: UUID
    run_id: UUID
    golden_id: UUID
    sample_id: UUID
    rubric: dict[str, Any]
    judge_passed: bool


async def list_differing(tx: Tx, judge_id: UUID, after: UUID, limit: int) -> list[Differing]:
    rows = await tx.fetch(
        f"""
        SELECT p.id AS replay_id, p.run_id, p.golden_id, l.sample_id, p.rubric, p.rubric_passed AS judge_passed
        FROM eval_judge_labels l
        JOIN eval_judge_samples s ON s.tenant_id = l.tenant_id AND s.id = l.sample_id AND s.state <> 'open'
        JOIN eval_replays p ON p.tenant_id = l.tenant_id AND p.id = l.replay_id
        WHERE l.tenant_id = $1 AND l.judge_id = $2 AND NOT l.replaced AND p.id > $3
        GROUP BY p.tenant_id, p.id, l.sample_id
        HAVING sign(count(*) FILTER (WHERE l.passed) - count(*) FILTER (WHERE NOT l.passed))
               = CASE WHEN p.rubric_passed THEN -1 ELSE 1 END
        ORDER BY p.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        judge_id,
        after,
    )
    return [Differing(**row) for row in rows]


async def list_of_replays(tx: Tx, replay_ids: Sequence[UUID]) -> list[JudgeLabel]:
    """What people say of replays, oldest first."""
    rows = await tx.fetch(
        f"""
        SELECT {_OF_LABEL} FROM eval_judge_labels l
        WHERE l.tenant_id = $1 AND l.replay_id = ANY ($2) AND NOT l.replaced ORDER BY l.labelled_at, l.id
        """,
        tx.actor.tenant_id,
        list(replay_ids),
    )
    return [_label(row) for row in rows]
