"""SQL of what people decided about groups of feedback, and of the threshold that follows from it. The only writer of
`feedback_decisions` and `feedback_grouping`."""

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
    moved: list[UUID] | None = None
    takes_back: UUID | None = None


async def insert_decision(tx: Tx, new: Decision) -> None:
    await tx.execute(
        """
        INSERT INTO feedback_decisions (tenant_id, id, group_id, kind, other_id, reason, note, similarity, is_one_matter,
            decided_at, moved, takes_back, decided_by_kind, decided_by_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """,
        tx.actor.tenant_id,
        *new[:6],
        new.label.similarity if new.label else None,
        new.label.is_one_matter if new.label else None,
        new.at,
        new.moved,
        new.takes_back,
        tx.actor.kind,
        tx.actor.id,
    )


async def list_moved(tx: Tx, decision_id: UUID) -> list[UUID]:
    """The feedback that a merge has put into another group."""
    moved: list[UUID] | None = await tx.fetchval(
        "SELECT d.moved FROM feedback_decisions d WHERE d.tenant_id = $1 AND d.id = $2",
        tx.actor.tenant_id,
        decision_id,
    )
    return moved or []


async def is_joined(tx: Tx, group_id: UUID) -> bool:
    """Whether people put together what is in a group: merged another into it, or added to it."""
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM feedback_decisions d
            WHERE d.tenant_id = $1 AND (d.kind = 'merge' AND d.other_id = $2 OR d.kind = 'add' AND d.group_id = $2)
              AND NOT EXISTS (SELECT FROM feedback_decisions t WHERE t.tenant_id = $1 AND t.takes_back = d.id))
        """,
        tx.actor.tenant_id,
        group_id,
    )
    return found


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
