"""SQL of the groups of feedback that rows rest on. The only writer of `shared_context_groups`."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from goldloop.feedback.groups.origins import Origin
from goldloop.kit.db import Tx


async def link(tx: Tx, row_id: UUID, group_id: UUID, at: datetime) -> None:
    await tx.execute(
        """
        INSERT INTO shared_context_groups (tenant_id, row_id, group_id, added_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        row_id,
        group_id,
        at,
    )


_GROUPS = """
    WITH RECURSIVE own AS (
        SELECT named.id FROM (
            SELECT c.group_id AS id FROM shared_context c WHERE c.tenant_id = $1 AND c.id = $2 AND c.group_id IS NOT NULL
            UNION SELECT l.group_id FROM shared_context_groups l WHERE l.tenant_id = $1 AND l.row_id = $2
        ) named
        UNION SELECT g.merged_into FROM own o JOIN feedback_groups g ON g.tenant_id = $1 AND g.id = o.id AND g.state = 'merged'
    )
"""


async def list_groups(tx: Tx, row_id: UUID) -> list[UUID]:
    """The groups that a row rests on, and those that they were merged into."""
    rows = await tx.fetch(f"{_GROUPS} SELECT o.id FROM own o", tx.actor.tenant_id, row_id)
    return [row["id"] for row in rows]


async def all_dismissed(tx: Tx, row_id: UUID) -> bool:
    """Whether people have dismissed every group that a row rests on; false where it rests on none."""
    found: bool | None = await tx.fetchval(
        f"""
        {_GROUPS}
        SELECT bool_and(g.state = 'dismissed') FROM own o JOIN feedback_groups g ON g.tenant_id = $1 AND g.id = o.id
        WHERE g.state <> 'merged'
        """,
        tx.actor.tenant_id,
        row_id,
    )
    return bool(found)


async def list_sharing(tx: Tx, origins: Sequence[Origin], but: Sequence[UUID]) -> list[UUID]:
    """Rows besides some that stand and rest on one of these signals or more, the oldest first."""
    rows = await tx.fetch(
        """
        SELECT c.id FROM shared_context c
        WHERE c.tenant_id = $1 AND c.state IN ('proposed', 'shadow', 'active') AND c.id <> ALL ($4) AND c.id IN (
            SELECT s.row_id FROM unnest($2::text[], $3::text[]) AS o (actor, artefact)
            JOIN shared_context_support s
              ON s.tenant_id = $1 AND s.origin_actor = o.actor AND s.origin_artefact = o.artefact AND NOT s.echo)
        ORDER BY c.created_at, c.id
        """,
        tx.actor.tenant_id,
        [origin.actor for origin in origins],
        [origin.artefact for origin in origins],
        list(but),
    )
    return [row["id"] for row in rows]


async def count_missing(tx: Tx, origins: Sequence[Origin], row_id: UUID, groups: Sequence[UUID]) -> int:
    """How many of these signals a row rests on neither by its groups, as they are now, nor by what somebody named."""
    counted: int = await tx.fetchval(
        """
        SELECT count(*) FROM unnest($2::text[], $3::text[]) AS o (actor, artefact)
        WHERE NOT EXISTS (
            SELECT FROM shared_context_support s WHERE s.tenant_id = $1 AND s.row_id = $4 AND s.origin_actor = o.actor
              AND s.origin_artefact = o.artefact AND s.group_id IS NULL AND s.lost_at IS NULL AND NOT s.echo)
          AND NOT EXISTS (
            SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.group_id = ANY ($5) AND f.origin_actor = o.actor
              AND f.origin_artefact = o.artefact AND f.status <> 'dismissed')
        """,
        tx.actor.tenant_id,
        [origin.actor for origin in origins],
        [origin.artefact for origin in origins],
        row_id,
        list(groups),
    )
    return counted
