"""SQL of what the review agent made of groups when it was asked last. The only writer of `feedback_group_reviews`."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx


class GroupReview(NamedTuple):
    """`asked` is the feedback that it was asked about; `verdict` is None where it decided nothing."""

    group_id: UUID
    verdict: str | None
    reason: str | None
    asked: Sequence[UUID]
    session_id: UUID


async def keep(tx: Tx, reviews: Sequence[GroupReview], at: datetime) -> None:
    """In place of what was made of these groups before."""
    await tx.executemany(
        """
        INSERT INTO feedback_group_reviews (tenant_id, group_id, verdict, reason, asked, session_id, looked_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (tenant_id, group_id) DO UPDATE SET verdict = excluded.verdict, reason = excluded.reason,
            asked = excluded.asked, session_id = excluded.session_id, looked_at = excluded.looked_at
        """,
        [
            (
                tx.actor.tenant_id,
                each.group_id,
                each.verdict,
                each.reason,
                sorted(each.asked),
                each.session_id,
                at,
            )
            for each in reviews
        ],
    )


async def find_asked(tx: Tx, groups: Sequence[UUID]) -> dict[UUID, set[UUID]]:
    """The feedback about which it was asked last, of those of some groups that it was asked about."""
    rows = await tx.fetch(
        "SELECT r.group_id, r.asked FROM feedback_group_reviews r WHERE r.tenant_id = $1 AND r.group_id = ANY ($2)",
        tx.actor.tenant_id,
        list(groups),
    )
    return {row["group_id"]: set(row["asked"]) for row in rows}
