"""SQL of the groups of feedback that rows rest on. The only writer of `shared_context_groups`."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from goldloop.feedback.groups.origins import Origin
from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeState
from goldloop.knowledge.proposals.extract import Extract
from goldloop.knowledge.rows.group_store import rows_of_group

MOST_SHARING = 100  # rows that rest on a signal of a group, the newest


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


async def link_drawn(tx: Tx, row_id: UUID, groups: Sequence[UUID], at: datetime) -> None:
    """Let a row that rests on some groups rest on those as well that wording has drawn its feedback into."""
    await tx.execute(
        """
        INSERT INTO shared_context_groups (tenant_id, row_id, group_id, added_at)
        SELECT DISTINCT $1::uuid, $2::uuid, g.id, $4::timestamptz FROM shared_context_support s
        JOIN feedback f ON f.tenant_id = $1 AND f.id = s.feedback_id AND f.drawn_from = ANY ($3) AND f.group_id <> ALL ($3)
        JOIN feedback_groups g ON g.tenant_id = $1 AND g.id = f.group_id AND g.state IN ('open', 'snoozed')
        WHERE s.tenant_id = $1 AND s.row_id = $2 AND s.group_id IS NOT NULL
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        row_id,
        list(groups),
        at,
    )


async def list_concerned(tx: Tx, group_id: UUID) -> list[UUID]:
    """Rows that rest on a group, and those that stand and rest on feedback which is in it by now; the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT c.id FROM shared_context c WHERE c.tenant_id = $1 AND (c.id IN ({rows_of_group(2)})
            OR c.state IN ('proposed', 'shadow', 'active') AND c.id IN (
                SELECT s.row_id FROM feedback f JOIN shared_context_support s ON s.tenant_id = $1 AND s.feedback_id = f.id
                WHERE f.tenant_id = $1 AND f.group_id = $2 AND s.group_id IS NOT NULL))
        ORDER BY c.id DESC
        """,
        tx.actor.tenant_id,
        group_id,
    )
    return [row["id"] for row in rows]


async def lock_feedback(tx: Tx, groups: Sequence[UUID], limit: int) -> None:
    """The newest of some groups, and all that the rows concerned rest on: in the order of their ids and before any row, as
    whoever reviews feedback comes to the rows after it."""
    members = f"""
        SELECT m.id FROM feedback m WHERE m.tenant_id = $1 AND m.group_id = named.id
        ORDER BY m.created_at DESC, m.id DESC LIMIT {limit:d}
    """
    await tx.execute(
        f"""
        WITH RECURSIVE parts AS (
            SELECT named.id FROM unnest($2::uuid[]) AS named (id)
            UNION SELECT g.id FROM parts p JOIN feedback_groups g ON g.tenant_id = $1 AND g.merged_into = p.id
        ), concerned AS (
            SELECT r.id FROM parts p JOIN shared_context r ON r.tenant_id = $1 AND r.group_id = p.id
            UNION SELECT l.row_id FROM parts p JOIN shared_context_groups l ON l.tenant_id = $1 AND l.group_id = p.id
            UNION SELECT s.row_id FROM unnest($2::uuid[]) AS named (id)
            JOIN feedback m ON m.tenant_id = $1 AND m.group_id = named.id
            JOIN shared_context_support s ON s.tenant_id = $1 AND s.feedback_id = m.id
        )
        SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id IN (
            SELECT m.id FROM unnest($2::uuid[]) AS named (id) CROSS JOIN LATERAL ({members}) m
            UNION SELECT s.feedback_id FROM concerned c JOIN shared_context_support s ON s.tenant_id = $1 AND s.row_id = c.id
        ) ORDER BY f.id FOR NO KEY UPDATE
        """,
        tx.actor.tenant_id,
        list(groups),
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


async def list_groups_of_feedback(tx: Tx, feedback_id: UUID) -> list[UUID]:
    """The group that feedback is in, as far as whoever asks may see, and those that rows rest on it by."""
    rows = await tx.fetch(
        """
        SELECT f.group_id AS id FROM feedback f WHERE f.tenant_id = $1 AND f.id = $2 AND f.group_id IS NOT NULL
        UNION SELECT s.group_id FROM shared_context_support s
        WHERE s.tenant_id = $1 AND s.feedback_id = $2 AND s.group_id IS NOT NULL
        ORDER BY 1
        """,
        tx.actor.tenant_id,
        feedback_id,
    )
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


async def list_sharing(
    tx: Tx, origins: Sequence[Origin], but: Sequence[UUID], states: Sequence[KnowledgeState]
) -> list[UUID]:
    """Rows besides some that are in one of these states and rest on one of these signals or more, the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT c.id FROM shared_context c
        WHERE c.tenant_id = $1 AND c.state = ANY ($5) AND c.id <> ALL ($4) AND c.id IN (
            SELECT s.row_id FROM unnest($2::text[], $3::text[]) AS o (actor, artefact)
            JOIN shared_context_support s
              ON s.tenant_id = $1 AND s.origin_actor = o.actor AND s.origin_artefact = o.artefact AND NOT s.echo)
        ORDER BY c.created_at DESC, c.id DESC LIMIT {MOST_SHARING:d}
        """,
        tx.actor.tenant_id,
        [origin.actor for origin in origins],
        [origin.artefact for origin in origins],
        list(but),
        [str(state) for state in states],
    )
    return [row["id"] for row in rows]


async def find_alike(tx: Tx, found: Extract, entity_type_id: UUID | None) -> UUID | None:
    """What stands in the words of this very feedback, or a proposal that says the same of the same scope, as long as it has
    the words of feedback that supports it."""
    row_id: UUID | None = await tx.fetchval(
        """
        SELECT c.id FROM shared_context_support s JOIN shared_context c ON c.tenant_id = $1 AND c.id = s.row_id
        WHERE s.tenant_id = $1 AND s.feedback_id = $2 AND s.medoid AND s.lost_at IS NULL
          AND c.state IN ('proposed', 'shadow', 'active')
        UNION SELECT c.id FROM shared_context c
        WHERE c.tenant_id = $1 AND c.state = 'proposed' AND c.content = $3 AND c.context IS NOT DISTINCT FROM $4
          AND c.agent_id IS NOT DISTINCT FROM $5 AND c.entity_type_id IS NOT DISTINCT FROM $6 AND EXISTS (
            SELECT FROM shared_context_support s WHERE s.tenant_id = $1 AND s.row_id = c.id AND s.medoid AND s.lost_at IS NULL)
        LIMIT 1
        """,
        tx.actor.tenant_id,
        found.medoid,
        found.content,
        found.context,
        found.agent_id,
        entity_type_id,
    )
    return row_id


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


async def count_unheard(tx: Tx, origins: Sequence[Origin], row_id: UUID) -> int:
    """How many of these signals a row has never rested on."""
    counted: int = await tx.fetchval(
        """
        SELECT count(*) FROM unnest($2::text[], $3::text[]) AS o (actor, artefact) WHERE NOT EXISTS (
            SELECT FROM shared_context_support s WHERE s.tenant_id = $1 AND s.row_id = $4 AND s.origin_actor = o.actor
              AND s.origin_artefact = o.artefact AND NOT s.echo)
        """,
        tx.actor.tenant_id,
        [origin.actor for origin in origins],
        [origin.artefact for origin in origins],
        row_id,
    )
    return counted
