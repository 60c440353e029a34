"""SQL of how many rows there are."""

from typing import NamedTuple

from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeState, KnowledgeType

MOST_COUNTED = 1000  # of one type and state; beyond, counting costs more than it tells


class Count(NamedTuple):
    type: KnowledgeType
    state: KnowledgeState
    total: int
    waits: int


async def count(tx: Tx) -> list[Count]:
    """By type and state, of those of which there are any; each count ends at MOST_COUNTED."""
    rows = await tx.fetch(
        f"""
        SELECT t.type, s.state, a.count, a.waits
        FROM unnest($2::text[]) WITH ORDINALITY AS t (type, place)
        CROSS JOIN unnest($3::text[]) WITH ORDINALITY AS s (state, place)
        CROSS JOIN LATERAL (
            SELECT count(*) AS count, count(*) FILTER (WHERE f.waits) AS waits FROM (
                SELECT c.waits FROM shared_context c
                WHERE c.tenant_id = $1 AND c.type = t.type AND c.state = s.state LIMIT {MOST_COUNTED:d}
            ) f
        ) a
        WHERE a.count > 0 ORDER BY t.place, s.place
        """,
        tx.actor.tenant_id,
        [str(kind) for kind in KnowledgeType],
        [str(state) for state in KnowledgeState],
    )
    return [
        Count(KnowledgeType(row["type"]), KnowledgeState(row["state"]), row["count"], row["waits"])
        for row in rows
    ]
