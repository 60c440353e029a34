"""SQL of the scores that connections carry. The only writer of `relation_scores`, by its SQL functions."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from goldloop.edges.ranking import OutcomeRow
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.responses.matrix_counts import ScopedSet
from goldloop.responses.store import COUNTED_MATRIX, OF_SCOPED, newest


async def scoped_sets(tx: Tx, entity_id: UUID) -> list[ScopedSet]:
    """What a record's connections are rated with, by the responses that count."""
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT r.criteria_set_id, r.scope ->> 'fieldKey' AS field_key FROM entity_responses r
        WHERE r.tenant_id = $1 AND r.entity_id = $2 AND {COUNTED_MATRIX}
        ORDER BY r.criteria_set_id, field_key
        """,
        tx.actor.tenant_id,
        entity_id,
    )
    return [ScopedSet(row["criteria_set_id"], row["field_key"]) for row in rows]


async def write_scores(tx: Tx, entity_id: UUID, scoped: ScopedSet, scores: str) -> int:
    """`scores` as JSON, by connection. How many connections have other ones now."""
    changed: int = await tx.fetchval(
        "SELECT write_edge_scores($1, $2, $3, $4::text::jsonb)", entity_id, *scoped, scores
    )
    return changed


async def clear_stray_scores(tx: Tx, entity_id: UUID, kept: Sequence[ScopedSet]) -> int:
    """Caches of what nobody rated the record's connections with; how many had some."""
    cleared: int = await tx.fetchval(
        "SELECT clear_edge_scores($1, $2, $3)",
        entity_id,
        [scoped.id for scoped in kept],
        [scoped.field_key for scoped in kept],
    )
    return cleared


async def list_sources(tx: Tx, after: UUID, limit: int) -> list[UUID]:
    """Records whose connections have scores, or should have, a batch at a time."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT x.id FROM (
            (SELECT DISTINCT r.entity_id AS id FROM entity_responses r
             WHERE r.tenant_id = $1 AND r.scope IS NOT NULL AND r.entity_id > $2 ORDER BY id LIMIT $3)
            UNION ALL
            (SELECT DISTINCT r.source_id FROM entity_relations r
             WHERE r.tenant_id = $1 AND r.metadata ? 'scores' AND r.source_id > $2 ORDER BY r.source_id LIMIT $3)
            UNION ALL
            (SELECT DISTINCT s.source_id FROM relation_scores s
             WHERE s.tenant_id = $1 AND s.source_id > $2 ORDER BY s.source_id LIMIT $3)
        ) x ORDER BY x.id LIMIT $3
        """,
        tx.actor.tenant_id,
        after,
        limit,
    )
    return [row["id"] for row in rows]


async def list_ranked(
    tx: Tx, entity_id: UUID, field_key: str, set_id: UUID, after: tuple[object, UUID], limit: int
) -> Rows[Any]:
    """Connections with a score, best first, after a score and a relation. How many is part of the statement: a plan
    that is kept for any number would read them all."""
    scores = "r.metadata #> ARRAY['scores', s.criteria_set_id::text]"
    query = f"""
        SELECT s.relation_id, s.score, {scores} AS scores, e.id, t.slug AS type, e.title, {bytes_of(scores)}
        FROM relation_scores s
        JOIN entity_relations r ON r.tenant_id = s.tenant_id AND r.id = s.relation_id
        JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.target_id
        JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        WHERE s.tenant_id = $1 AND s.source_id = $2 AND s.field_key = $3 AND s.criteria_set_id = $4
          AND (s.score, s.relation_id) < ($5, $6)
        ORDER BY s.score DESC, s.relation_id DESC LIMIT {limit:d}
    """
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, entity_id, field_key, set_id, *after)
    return Rows.read(rows, lambda row: row)


async def list_unranked(
    tx: Tx, entity_id: UUID, field_key: str, set_id: UUID, after: UUID, limit: int
) -> list[Any]:
    """Connections without a score, after a relation."""
    return await tx.fetch(
        f"""
        SELECT r.id AS relation_id, NULL::float8 AS score, NULL::jsonb AS scores, e.id, t.slug AS type, e.title
        FROM entity_relations r
        JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.target_id
        JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        WHERE r.tenant_id = $1 AND r.source_id = $2 AND r.field_key = $3 AND r.id > $5
          AND NOT EXISTS (SELECT FROM relation_scores s WHERE s.tenant_id = $1 AND s.relation_id = r.id
                          AND s.criteria_set_id = $4)
        ORDER BY r.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        entity_id,
        field_key,
        set_id,
        after,
    )


async def list_outcomes(tx: Tx, target_id: UUID, scoped: ScopedSet) -> Rows[OutcomeRow]:
    """What was said about one record by the responses to the records that are connected to it, newest first."""
    query = f"""
        SELECT r.entity_id, r.values -> $2::uuid::text AS values, count(*) OVER () AS total
        FROM entity_relations x
        JOIN entity_responses r ON r.tenant_id = x.tenant_id AND r.entity_id = x.source_id
        WHERE x.tenant_id = $1 AND x.target_id = $2::uuid AND x.field_key = $4 AND {OF_SCOPED}
          AND r.values ? $2::uuid::text
    """
    rows = await tx.fetch(
        f"""
        SELECT e.id, t.slug AS type, e.title, s.values::text AS values, s.total AS found
        FROM ({newest(query, "values")}) s
        JOIN entities e ON e.tenant_id = $1 AND e.id = s.entity_id
        JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        """,
        tx.actor.tenant_id,
        target_id,
        *scoped,
    )
    return Rows.read(rows, lambda row: OutcomeRow(row["id"], row["type"], row["title"], row["values"]))
