"""SQL of the feedback in groups: how much there is, of which origins, what waits. Reads only."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.feedback.groups.origins import Origin
from goldloop.feedback.model import FeedbackSource
from goldloop.kit.db import Tx

FLAGGED = "(f.source_type = 'observation' AND f.rating = 'negative' AND f.created_by IS NOT NULL)"


async def count_by_day(tx: Tx, group_id: UUID, since: datetime) -> dict[str, int]:
    """How many members came on each day since then, by its date in UTC."""
    rows = await tx.fetch(
        """
        SELECT to_char(f.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS count FROM feedback f
        WHERE f.tenant_id = $1 AND f.group_id = $2 AND f.created_at >= $3
        GROUP BY 1 ORDER BY 1
        """,
        tx.actor.tenant_id,
        group_id,
        since,
    )
    return {row["day"]: row["count"] for row in rows}


class Counts(NamedTuple):
    members: int
    pending: int
    sources: list[str]
    first_at: datetime | None
    last_at: datetime | None


async def count_members(tx: Tx, group_id: UUID) -> Counts:
    row = await tx.fetchrow(
        """
        SELECT count(*) AS members, count(*) FILTER (WHERE f.status = 'pending') AS pending,
               coalesce(array_agg(DISTINCT f.source_type), '{}') AS sources, min(f.created_at) AS first_at,
               max(f.created_at) AS last_at
        FROM feedback f WHERE f.tenant_id = $1 AND f.group_id = $2
        """,
        tx.actor.tenant_id,
        group_id,
    )
    assert row is not None
    return Counts(row["members"], row["pending"], sorted(row["sources"]), row["first_at"], row["last_at"])


class Member(NamedTuple):
    id: UUID
    comment: str | None
    vector: list[float] | None
    model: str | None
    origin: Origin
    flagged: bool = False  # by an administrator, and nobody has dismissed it


async def list_members(tx: Tx, group_id: UUID, limit: int, ids: Sequence[UUID] | None = None) -> list[Member]:
    """The newest, or those of `ids`. One that somebody dismissed, and not the whole group for a reason, is no signal any
    more: its origin counts for nothing."""
    rows = await tx.fetch(
        f"""
        SELECT f.id, f.comment, f.embedding, f.embedding_model, f.origin_artefact, f.source_type, f.masked,
               {FLAGGED} AS flagged,
               CASE WHEN f.status = 'dismissed' AND (f.decision_id IS NULL OR d.kind = 'review') THEN NULL ELSE f.origin_actor
               END AS origin_actor
        FROM feedback f LEFT JOIN feedback_decisions d ON d.tenant_id = f.tenant_id AND d.id = f.decision_id
        WHERE f.tenant_id = $1 AND f.group_id = $2 AND ($3::uuid[] IS NULL OR f.id = ANY ($3))
        ORDER BY f.created_at DESC, f.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        group_id,
        None if ids is None else list(ids),
    )
    return [
        Member(
            row["id"],
            row["comment"],
            row["embedding"],
            row["embedding_model"],
            _origin(row),
            row["flagged"] and row["origin_actor"] is not None,
        )
        for row in rows
    ]


def _origin(row: Any) -> Origin:
    """What a person repeats word for word is one signal; that sessions fail for one reason is one for each."""
    source = row["source_type"]
    words = "" if source == FeedbackSource.SESSION else row["masked"] or ""
    return Origin(row["origin_actor"], row["origin_artefact"], source == FeedbackSource.CHAT, words)


async def list_pending(tx: Tx, group_id: UUID, limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"""
        SELECT f.id FROM feedback f WHERE f.tenant_id = $1 AND f.group_id = $2 AND f.status = 'pending'
        ORDER BY f.created_at DESC, f.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        group_id,
    )
    return [row["id"] for row in rows]


async def list_reviewed_before(tx: Tx, group_id: UUID, decision_id: UUID, limit: int) -> list[UUID]:
    """Members that were reviewed, but not by a decision, the last first."""
    rows = await tx.fetch(
        f"""
        SELECT f.id FROM feedback f WHERE f.tenant_id = $1 AND f.group_id = $2 AND f.status <> 'pending'
          AND f.decision_id IS DISTINCT FROM $3
        ORDER BY f.reviewed_at DESC, f.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        group_id,
        decision_id,
    )
    return [row["id"] for row in rows]


async def list_comments(tx: Tx, block: str, but: Sequence[UUID], limit: int) -> list[str]:
    """Of others of a block, the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT f.comment FROM feedback f
        WHERE f.tenant_id = $1 AND f.block = $2 AND f.embedding_model IS NOT NULL AND f.id <> ALL ($3)
        ORDER BY f.created_at DESC, f.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        block,
        list(but),
    )
    return [row["comment"] for row in rows if row["comment"]]
