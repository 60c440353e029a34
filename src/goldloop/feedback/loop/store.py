"""SQL of the loop's report: attempts of agents, and what their rejections say."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.feedback.loop.report import Attempt, Outcome
from goldloop.kit.db import Tx

_OUTCOMES = {
    "promoted": Outcome.ACCEPTED,
    "partially_promoted": Outcome.ACCEPTED,
    "superseded": Outcome.ACCEPTED,
    "rejected": Outcome.REJECTED,
}


async def list_attempts(tx: Tx, after: tuple[datetime, UUID], until: datetime, limit: int) -> list[Attempt]:
    """Of agents and extractions, the oldest first; without those that rate connections. `after` alone says where they begin: of
    two such bounds PostgreSQL goes to the place of one in the index, and reads on from there to the other."""
    rows = await tx.fetch(
        f"""
        SELECT r.id, r.parent_response_id, r.status, r.created_at, r.reviewed_at,
               (SELECT count(*) FROM jsonb_object_keys(r.values)) AS filled,
               (SELECT count(*) FROM jsonb_each(r.field_meta) m WHERE r.values ? m.key
                AND jsonb_typeof(m.value -> 'sources') = 'array' AND jsonb_array_length(m.value -> 'sources') > 0) AS sourced,
               (SELECT avg((f.context #>> '{{quality,score}}')::float8) FROM feedback f
                WHERE f.tenant_id = $1 AND f.response_id = r.id AND f.source_type = 'extraction'
                  AND jsonb_typeof(f.context #> '{{quality,score}}') = 'number') AS quality
        FROM entity_responses r
        WHERE r.tenant_id = $1 AND r.withdrawn_at IS NULL AND r.scope IS NULL
          AND (r.source = 'extraction' OR r.submitted_by_agent IS NOT NULL)
          AND (r.created_at, r.id) > ($2, $3) AND r.created_at < $4
        ORDER BY r.created_at, r.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *after,
        until,
    )
    return [_attempt(row) for row in rows]


def _attempt(row: Any) -> Attempt:
    outcome = _OUTCOMES.get(row["status"], Outcome.WAITING)
    return Attempt(
        id=row["id"],
        parent_id=row["parent_response_id"],
        outcome=outcome,
        created_at=row["created_at"],
        decided_at=row["reviewed_at"] if outcome is not Outcome.WAITING else None,
        values=row["filled"],
        sourced=row["sourced"],
        quality=row["quality"],
    )
