"""SQL of what people decided about groups of feedback, what that moved, and of the threshold that follows from it. The only
writer of `feedback_decisions`, `feedback_moves` and `feedback_grouping`."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.feedback.groups.thresholds import PROPOSED, Label
from goldloop.feedback.model import DismissReason
from goldloop.kit.db import Tx

MOST_LABELS = 500  # the newest decisions that a threshold is fitted to


async def lock(tx: Tx) -> float:
    """Hold the groups of the workspace, so that one changes them at a time; its threshold."""
    await tx.execute(
        "INSERT INTO feedback_grouping (tenant_id, threshold) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        tx.actor.tenant_id,
        PROPOSED,
    )
    threshold: float = await tx.fetchval(
        "SELECT g.threshold FROM feedback_grouping g WHERE g.tenant_id = $1 FOR UPDATE", tx.actor.tenant_id
    )
    return threshold


async def set_threshold(tx: Tx, threshold: float, labels: int) -> None:
    await tx.execute(
        "UPDATE feedback_grouping SET threshold = $2, labels = $3 WHERE tenant_id = $1",
        tx.actor.tenant_id,
        threshold,
        labels,
    )


class Decision(NamedTuple):
    id: UUID
    group_id: UUID
    kind: str
    other_id: UUID | None
    reason: DismissReason | None
    note: str | None
    label: Label | None
    at: datetime
    takes_back: UUID | None = None


async def insert_decision(tx: Tx, new: Decision) -> None:
    """With how the group was decided about until now."""
    await tx.execute(
        """
        INSERT INTO feedback_decisions (tenant_id, id, group_id, kind, other_id, reason, note, similarity, is_one_matter,
            decided_at, takes_back, decided_by_kind, decided_by_id, before)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_jsonb(before) FROM (
            SELECT g.state, g.returned, g.reason, g.note, g.decision_id, g.decided_at, g.decided_by_kind, g.decided_by_id,
                   g.escalates_at, g.merged_into
            FROM feedback_groups g WHERE g.tenant_id = $1 AND g.id = $3) before
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        *new[:6],
        new.label.similarity if new.label else None,
        new.label.is_one_matter if new.label else None,
        new.at,
        new.takes_back,
        tx.actor.kind,
        tx.actor.id,
    )


class Taken(NamedTuple):
    """A decision that was taken. `is_taken_back` is one that somebody has ended since."""

    group_id: UUID
    kind: str
    other_id: UUID | None
    is_taken_back: bool


async def find_decision(tx: Tx, decision_id: UUID) -> Taken | None:
    row = await tx.fetchrow(
        """
        SELECT d.group_id, d.kind, d.other_id,
               EXISTS (SELECT FROM feedback_decisions t WHERE t.tenant_id = $1 AND t.takes_back = d.id) AS is_taken_back
        FROM feedback_decisions d WHERE d.tenant_id = $1 AND d.id = $2
        """,
        tx.actor.tenant_id,
        decision_id,
    )
    return Taken(row["group_id"], row["kind"], row["other_id"], row["is_taken_back"]) if row else None


async def keep_places(tx: Tx, decision_id: UUID, ids: Sequence[UUID]) -> None:
    """Where feedback is that a decision is about to move."""
    await tx.execute(
        """
        INSERT INTO feedback_moves (tenant_id, decision_id, feedback_id, group_id, near_group_id, part, apart, drawn_from)
        SELECT f.tenant_id, $2, f.id, f.group_id, f.near_group_id, f.part, f.apart, f.drawn_from
        FROM feedback f WHERE f.tenant_id = $1 AND f.id = ANY ($3) ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        decision_id,
        list(ids),
    )


async def keep_places_of_group(tx: Tx, decision_id: UUID, group_id: UUID) -> None:
    """Where all members of a group are, and what is near it."""
    await tx.execute(
        """
        INSERT INTO feedback_moves (tenant_id, decision_id, feedback_id, group_id, near_group_id, part, apart, drawn_from)
        SELECT f.tenant_id, $2, f.id, f.group_id, f.near_group_id, f.part, f.apart, f.drawn_from
        FROM feedback f WHERE f.tenant_id = $1 AND (f.group_id = $3 OR f.near_group_id = $3) ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        decision_id,
        group_id,
    )


async def list_groups_before(tx: Tx, decision_id: UUID) -> list[UUID | None]:
    """The groups that moved feedback was in; None is what was in none."""
    rows = await tx.fetch(
        "SELECT DISTINCT m.group_id FROM feedback_moves m WHERE m.tenant_id = $1 AND m.decision_id = $2 ORDER BY 1",
        tx.actor.tenant_id,
        decision_id,
    )
    return [row["group_id"] for row in rows]


async def joined_among(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    """Those of the groups that people have merged others into, or added to."""
    rows = await tx.fetch(
        """
        SELECT g.id FROM unnest($2::uuid[]) AS g (id) WHERE EXISTS (
            SELECT FROM feedback_decisions d
            WHERE d.tenant_id = $1 AND (d.kind = 'merge' AND d.other_id = g.id OR d.kind = 'add' AND d.group_id = g.id)
              AND NOT EXISTS (SELECT FROM feedback_decisions t WHERE t.tenant_id = $1 AND t.takes_back = d.id))
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"] for row in rows}


async def list_labels(tx: Tx) -> list[Label]:
    """Of decisions that stand, the newest."""
    rows = await tx.fetch(
        f"""
        SELECT d.similarity, d.is_one_matter FROM feedback_decisions d
        WHERE d.tenant_id = $1 AND d.similarity IS NOT NULL
          AND NOT EXISTS (SELECT FROM feedback_decisions t WHERE t.tenant_id = $1 AND t.takes_back = d.id)
        ORDER BY d.decided_at DESC LIMIT {MOST_LABELS:d}
        """,
        tx.actor.tenant_id,
    )
    return [Label(row["similarity"], row["is_one_matter"]) for row in rows]
