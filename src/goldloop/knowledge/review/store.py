"""SQL of what the review agent made of groups when it was asked last. The only writer of `feedback_group_reviews`."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.knowledge.rows.group_store import rows_of

# What a row could rest on, as `support_store.list_facts_of_group` has it.
_STANDS = "f.status <> 'dismissed' AND f.withdrawn_at IS NULL AND f.replaced_by IS NULL"


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


async def list_to_ask(tx: Tx, limit: int, least: int) -> list[UUID]:
    """Groups of complaints that wait and about which the agent was not asked, as their members are now, those that weigh most
    first. Left out are those whose row a person or an agent has worded or decided about; those for which a row is over, as long
    as fewer than `least` more origins came; and those whose signals all are with the row of another group that stands, or that
    a person ended, by itself or with its group, when it had them all."""
    rows = await tx.fetch(
        f"""
        SELECT g.id FROM feedback_groups g
        CROSS JOIN LATERAL (
            SELECT coalesce(bool_or(c.state IN ('proposed', 'shadow', 'active')), false) AS stands, max(c.origins) AS origins,
                   coalesce(bool_or(c.state IN ('proposed', 'shadow', 'active') AND (c.decided <> 'proposed' OR c.wording
                       OR c.metadata->>'method' IS NOT DISTINCT FROM 'agent')), false) AS worded
            FROM shared_context c WHERE c.tenant_id = $1 AND c.id IN ({rows_of("g.id")})
        ) made
        WHERE g.tenant_id = $1 AND g.proposed AND g.state = 'open' AND g.pending > 0 AND g.rating = 'negative'
          AND NOT made.worded
          AND (made.stands OR made.origins IS NULL OR g.origins >= made.origins + $2)
          AND NOT EXISTS (
            SELECT FROM feedback_group_reviews r WHERE r.tenant_id = $1 AND r.group_id = g.id AND r.asked = ARRAY (
                SELECT newest.id FROM (
                    SELECT f.id FROM feedback f WHERE f.tenant_id = $1 AND f.group_id = g.id AND {_STANDS}
                    ORDER BY f.created_at DESC, f.id DESC LIMIT cardinality(r.asked)
                ) newest ORDER BY newest.id))
          AND (made.stands OR NOT EXISTS (
            SELECT FROM shared_context c
            CROSS JOIN LATERAL (
                SELECT CASE WHEN c.read_at > c.created_at THEN c.read_at WHEN c.decided = 'rejected' AND NOT EXISTS (
                    SELECT FROM shared_context_groups l WHERE l.tenant_id = $1 AND l.row_id = c.id) AND EXISTS (
                    SELECT FROM feedback_groups o WHERE o.tenant_id = $1 AND o.id = c.group_id AND o.state = 'dismissed')
                  THEN c.updated_at END AS at
            ) ended
            CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE NOT m.had) AS missing,
                       count(*) FILTER (WHERE NOT m.had AND m.since <= ended.at) AS missing_then,
                       count(*) FILTER (WHERE m.since <= ended.at) AS there_then
                FROM (
                    SELECT min(f.created_at) AS since, EXISTS (
                        SELECT FROM shared_context_support s WHERE s.tenant_id = $1 AND s.row_id = c.id AND NOT s.echo
                          AND s.origin_actor = f.origin_actor AND s.origin_artefact = f.origin_artefact
                          AND (s.lost_at IS NULL OR c.state IN ('rejected', 'retired'))) AS had
                    FROM feedback f WHERE f.tenant_id = $1 AND f.group_id = g.id AND {_STANDS}
                      AND f.origin_actor IS NOT NULL
                    GROUP BY f.origin_actor, f.origin_artefact
                ) m
            ) told
            WHERE c.tenant_id = $1 AND c.id IN (
                SELECT s.row_id FROM feedback f JOIN shared_context_support s ON s.tenant_id = $1
                  AND s.origin_actor = f.origin_actor AND s.origin_artefact = f.origin_artefact AND NOT s.echo
                WHERE f.tenant_id = $1 AND f.group_id = g.id AND {_STANDS})
              AND (c.state IN ('proposed', 'shadow', 'active') AND told.missing = 0
                OR c.state IN ('rejected', 'retired') AND told.there_then > 0
                  AND told.missing_then = 0 AND told.missing < $2)))
        ORDER BY g.weight DESC, g.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        least,
    )
    return [row["id"] for row in rows]
