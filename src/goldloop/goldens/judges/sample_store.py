"""SQL of samples of judged replays. The only writer of `eval_judge_samples` and `eval_judge_sampled`."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.goldens.judges.model import JudgeSample, JudgeSampleState, QueuedSample
from goldloop.goldens.rubrics import Rubric
from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_OF_SAMPLE = f"""
    s.id, s.judge_id, s.run_id, s.set_id, s.seed, s.population, s.size, s.labels_each, s.done, s.state, s.created_at, s.ended_at,
    s.created_by_kind, s.created_by_id, {name_sql("$1", "s.created_by_kind", "s.created_by_id")} AS created_by_name
"""

# Judged replays of a judge that are in no sample: of a run, of a set, or all.
_UNSAMPLED = """
    FROM eval_replays p
    WHERE p.tenant_id = $1 AND p.judge_id = $2 AND ($3::uuid IS NULL OR p.run_id = $3)
      AND ($4::uuid IS NULL OR EXISTS (
          SELECT FROM eval_runs r WHERE r.tenant_id = $1 AND r.id = p.run_id AND r.set_id = $4))
      AND NOT EXISTS (SELECT FROM eval_judge_sampled m WHERE m.tenant_id = $1 AND m.replay_id = p.id)
"""


def _sample(row: Any) -> JudgeSample:
    fields = {
        name: row[name] for name in JudgeSample.__struct_fields__ if name not in ("state", "created_by")
    }
    party = Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"])
    return JudgeSample(**fields, state=JudgeSampleState(row["state"]), created_by=party)


async def count_unsampled(
    tx: Tx, judge_id: UUID, run_id: UUID | None = None, set_id: UUID | None = None
) -> int:
    count: int = await tx.fetchval(
        f"SELECT count(*) {_UNSAMPLED}", tx.actor.tenant_id, judge_id, run_id, set_id
    )
    return count


async def insert(tx: Tx, sample: JudgeSample, asked: str) -> None:
    """With its replays, in the order of md5 of seed and id, so that anybody can draw it again."""
    await tx.execute(
        """
        INSERT INTO eval_judge_samples (tenant_id, id, judge_id, run_id, set_id, seed, population, size, labels_each, state, asked,
            created_at, created_by_kind, created_by_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10, $11, $12, $13)
        """,
        tx.actor.tenant_id,
        sample.id,
        sample.judge_id,
        sample.run_id,
        sample.set_id,
        sample.seed,
        sample.population,
        sample.size,
        sample.labels_each,
        asked,
        sample.created_at,
        sample.created_by.kind,
        sample.created_by.id,
    )
    await tx.execute(
        f"""
        INSERT INTO eval_judge_sampled (tenant_id, sample_id, replay_id, place)
        SELECT $1, $5, d.id, d.place FROM (
            SELECT p.id, row_number() OVER (ORDER BY md5($6::text || ':' || p.id), p.id) AS place {_UNSAMPLED}
        ) d WHERE d.place <= $7
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        sample.judge_id,
        sample.run_id,
        sample.set_id,
        sample.id,
        str(sample.seed),
        sample.size,
    )


async def find_asked(tx: Tx, sample_id: UUID) -> str | None:
    asked: str | None = await tx.fetchval(
        "SELECT s.asked FROM eval_judge_samples s WHERE s.tenant_id = $1 AND s.id = $2",
        tx.actor.tenant_id,
        sample_id,
    )
    return asked


async def find(tx: Tx, sample_id: UUID) -> JudgeSample | None:
    row = await tx.fetchrow(
        f"SELECT {_OF_SAMPLE} FROM eval_judge_samples s WHERE s.tenant_id = $1 AND s.id = $2",
        tx.actor.tenant_id,
        sample_id,
    )
    return _sample(row) if row else None


async def lock(tx: Tx, sample_id: UUID) -> JudgeSample | None:
    """Its labels come one after the other."""
    row = await tx.fetchrow(
        f"SELECT {_OF_SAMPLE} FROM eval_judge_samples s WHERE s.tenant_id = $1 AND s.id = $2 FOR NO KEY UPDATE",
        tx.actor.tenant_id,
        sample_id,
    )
    return _sample(row) if row else None


async def list_newest_first(
    tx: Tx, judge_id: UUID, before: tuple[object, UUID], limit: int
) -> list[JudgeSample]:
    rows = await tx.fetch(
        f"""
        SELECT {_OF_SAMPLE} FROM eval_judge_samples s
        WHERE s.tenant_id = $1 AND s.judge_id = $2 AND (s.created_at, s.id) < ($3, $4)
        ORDER BY s.created_at DESC, s.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        judge_id,
        *before,
    )
    return [_sample(row) for row in rows]


async def set_ended(tx: Tx, sample_id: UUID, state: JudgeSampleState, at: datetime) -> None:
    await tx.execute(
        "UPDATE eval_judge_samples SET state = $3, ended_at = $4 WHERE tenant_id = $1 AND id = $2 AND state = 'open'",
        tx.actor.tenant_id,
        sample_id,
        state,
        at,
    )


async def count_done(tx: Tx, sample_id: UUID, more: int) -> int:
    """How many replays of a sample, which is locked, have as many labels as wanted: `more` than before."""
    done: int = await tx.fetchval(
        "UPDATE eval_judge_samples SET done = done + $3 WHERE tenant_id = $1 AND id = $2 RETURNING done",
        tx.actor.tenant_id,
        sample_id,
        more,
    )
    return done


# What waits for a person in an open sample: where fewer have labelled than are wanted, and the person is none of them.
_WAITING = """
    FROM eval_judge_sampled m
    WHERE m.tenant_id = $1 AND m.sample_id = s.id AND m.labels < s.labels_each
      AND NOT EXISTS (SELECT FROM eval_judge_labels l WHERE l.tenant_id = $1 AND l.sample_id = m.sample_id
                      AND l.replay_id = m.replay_id AND l.labelled_by = $2 AND NOT l.replaced)
"""
_OF_QUEUED = f"""
    s.id, j.rubric ->> 'name' AS rubric, s.size, s.done, s.created_at, (SELECT count(*) {_WAITING}) AS "left",
    (SELECT count(*) FROM eval_judge_labels l WHERE l.tenant_id = $1 AND l.sample_id = s.id AND l.labelled_by = $2
        AND NOT l.replaced) AS mine
"""
_QUEUED = "FROM eval_judge_samples s JOIN eval_judges j ON j.tenant_id = s.tenant_id AND j.id = s.judge_id"


async def list_queued(tx: Tx, person: UUID, after: tuple[object, UUID], limit: int) -> list[QueuedSample]:
    """Open samples in which something waits for a person, oldest first."""
    rows = await tx.fetch(
        f"""
        SELECT {_OF_QUEUED} {_QUEUED}
        WHERE s.tenant_id = $1 AND s.state = 'open' AND (s.created_at, s.id) > ($3, $4) AND EXISTS (SELECT {_WAITING})
        ORDER BY s.created_at, s.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        person,
        *after,
    )
    return [QueuedSample(**row) for row in rows]


async def find_queued(tx: Tx, sample_id: UUID, person: UUID) -> QueuedSample | None:
    row = await tx.fetchrow(
        f"SELECT {_OF_QUEUED} {_QUEUED} WHERE s.tenant_id = $1 AND s.id = $3",
        tx.actor.tenant_id,
        person,
        sample_id,
    )
    return QueuedSample(**row) if row else None


async def count_waiting(tx: Tx, person: UUID, most: int) -> int:
    """Replays that wait for a person's label."""
    count: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (
            SELECT FROM eval_judge_samples s CROSS JOIN LATERAL (SELECT m.place {_WAITING}) w
            WHERE s.tenant_id = $1 AND s.state = 'open' LIMIT {most:d}
        ) counted
        """,
        tx.actor.tenant_id,
        person,
    )
    return count


async def find_next(tx: Tx, sample_id: UUID, person: UUID) -> UUID | None:
    """The next replay for a person. Each person begins elsewhere in the circle, so that two who label at once seldom label the
    same; the order is random all the same."""
    replay_id: UUID | None = await tx.fetchval(
        f"""
        SELECT w.replay_id FROM eval_judge_samples s CROSS JOIN LATERAL (SELECT m.replay_id, m.place {_WAITING}) w
        WHERE s.tenant_id = $1 AND s.id = $3 AND s.state = 'open'
        ORDER BY (w.place + (hashtextextended($2::uuid::text, 0) & 65535)) % s.size, w.place LIMIT 1
        """,
        tx.actor.tenant_id,
        person,
        sample_id,
    )
    return replay_id


class Sampled(NamedTuple):
    """A replay of a sample with who judged it by what."""

    sample_id: UUID
    replay_id: UUID
    golden_id: UUID
    judge_id: UUID
    rubric: Rubric
    labels: int


async def find_sampled(tx: Tx, sample_id: UUID, replay_id: UUID) -> Sampled | None:
    row = await tx.fetchrow(
        """
        SELECT m.sample_id, m.replay_id, p.golden_id, s.judge_id, j.rubric, m.labels FROM eval_judge_sampled m
        JOIN eval_judge_samples s ON s.tenant_id = m.tenant_id AND s.id = m.sample_id
        JOIN eval_judges j ON j.tenant_id = s.tenant_id AND j.id = s.judge_id
        JOIN eval_replays p ON p.tenant_id = m.tenant_id AND p.id = m.replay_id
        WHERE m.tenant_id = $1 AND m.sample_id = $2 AND m.replay_id = $3
        """,
        tx.actor.tenant_id,
        sample_id,
        replay_id,
    )
    return Sampled(**dict(row) | {"rubric": msgspec.convert(row["rubric"], Rubric)}) if row else None


async def add_labeller(tx: Tx, sample_id: UUID, replay_id: UUID) -> int:
    """How many people have labelled a replay of a sample that is locked, with one more."""
    labels: int = await tx.fetchval(
        """
        UPDATE eval_judge_sampled SET labels = labels + 1
        WHERE tenant_id = $1 AND sample_id = $2 AND replay_id = $3 RETURNING labels
        """,
        tx.actor.tenant_id,
        sample_id,
        replay_id,
    )
    return labels


async def is_in_open_sample(tx: Tx, replay_id: UUID) -> bool:
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM eval_judge_sampled m JOIN eval_judge_samples s ON s.tenant_id = m.tenant_id AND s.id = m.sample_id
            WHERE m.tenant_id = $1 AND m.replay_id = $2 AND s.state = 'open'
        )
        """,
        tx.actor.tenant_id,
        replay_id,
    )
    return found


async def has_open_sample(tx: Tx, run_id: UUID) -> bool:
    """Whether replays of a run are in a sample that people label."""
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM eval_judge_samples s JOIN eval_judge_sampled m ON m.tenant_id = s.tenant_id AND m.sample_id = s.id
            JOIN eval_replays p ON p.tenant_id = m.tenant_id AND p.id = m.replay_id
            WHERE s.tenant_id = $1 AND s.state = 'open' AND p.run_id = $2
        )
        """,
        tx.actor.tenant_id,
        run_id,
    )
    return found
