"""SQL of responses about connections."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria.model import Dimension
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.tenants.model import Party
from goldloop.tenants.parties import name_sql

_RESPONDENT = "coalesce(r.submitted_by_agent, r.submitted_by_user)"
_KIND = """CASE WHEN r.submitted_by_agent IS NOT NULL THEN 'agent' WHEN r.submitted_by_user IS NOT NULL THEN 'user'
    ELSE 'system' END"""
_COUNTED = "r.withdrawn_at IS NULL AND r.status <> 'rejected' AND r.scope ->> 'type' = 'relation'"
_OF_SCOPED = f"r.criteria_set_id = $3 AND r.scope ->> 'fieldKey' = $4 AND {_COUNTED}"


class MatrixRow(NamedTuple):
    """A response about connections, as far as it is aggregated."""

    respondent: Party
    values: dict[str, dict[str, Any]]


class ScopedSet(NamedTuple):
    """A criteria set, and the field whose connections are rated with it: over time a set may have rated several."""

    id: UUID
    field_key: str


class OutcomeRow(NamedTuple):
    """A record, and as JSON what each response to it says about one that it is connected to."""

    id: UUID
    type: str
    title: str
    said: str


async def list_matrices(tx: Tx, entity_id: UUID, scoped: ScopedSet) -> list[MatrixRow]:
    """Those that count, oldest first."""
    rows = await tx.fetch(
        f"""
        SELECT {_KIND} AS kind, {_RESPONDENT} AS id, r.values,
               {name_sql("r.tenant_id", _KIND, _RESPONDENT)} AS name
        FROM entity_responses r
        WHERE r.tenant_id = $1 AND r.entity_id = $2 AND {_OF_SCOPED}
        ORDER BY r.created_at, r.id
        """,
        tx.actor.tenant_id,
        entity_id,
        *scoped,
    )
    return [MatrixRow(Party(kind=row["kind"], id=row["id"], name=row["name"]), row["values"]) for row in rows]


async def list_snapshots(
    tx: Tx, entity_ids: Sequence[UUID], scoped: ScopedSet
) -> dict[UUID, list[list[Dimension]]]:
    """The dimensions that the responses to each record which count were made with, newest first."""
    rows = await tx.fetch(
        f"""
        SELECT s.criteria_snapshot, array_agg(s.entity_id) AS entities, array_agg(s.at) AS moments FROM (
            SELECT r.entity_id, r.criteria_snapshot, max(r.created_at) AS at FROM entity_responses r
            WHERE r.tenant_id = $1 AND r.entity_id = ANY ($2) AND {_OF_SCOPED}
            GROUP BY r.entity_id, r.criteria_snapshot) s
        GROUP BY s.criteria_snapshot ORDER BY s.criteria_snapshot
        """,
        tx.actor.tenant_id,
        list(entity_ids),
        *scoped,
    )
    snapshots = [msgspec.convert(row["criteria_snapshot"], list[Dimension]) for row in rows]
    used: dict[UUID, list[tuple[datetime, int]]] = defaultdict(list)
    for place, row in enumerate(rows):
        for entity_id, moment in zip(row["entities"], row["moments"], strict=True):
            used[entity_id].append((moment, place))
    return {
        entity_id: [snapshots[place] for _, place in sorted(places, reverse=True)]
        for entity_id, places in used.items()
    }


async def titles(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await tx.fetch(
        "SELECT id, title FROM entities WHERE tenant_id = $1 AND id = ANY ($2)", tx.actor.tenant_id, list(ids)
    )
    return {row["id"]: row["title"] for row in rows}


async def scoped_sets(tx: Tx, entity_id: UUID) -> list[ScopedSet]:
    """What a record's connections are rated with, by the responses that count."""
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT r.criteria_set_id, r.scope ->> 'fieldKey' AS field_key FROM entity_responses r
        WHERE r.tenant_id = $1 AND r.entity_id = $2 AND {_COUNTED}
        ORDER BY r.criteria_set_id, field_key
        """,
        tx.actor.tenant_id,
        entity_id,
    )
    return [ScopedSet(row["criteria_set_id"], row["field_key"]) for row in rows]


async def write_scores(tx: Tx, entity_id: UUID, scoped: ScopedSet, scores: dict[str, dict[str, Any]]) -> int:
    """How many connections have other scores now."""
    changed: int = await tx.fetchval("SELECT write_edge_scores($1, $2, $3, $4)", entity_id, *scoped, scores)
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
          AND NOT EXISTS (SELECT FROM relation_scores s WHERE s.tenant_id = r.tenant_id AND s.relation_id = r.id
                          AND s.criteria_set_id = $4)
        ORDER BY r.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        entity_id,
        field_key,
        set_id,
        after,
    )


async def list_outcomes(tx: Tx, target_id: UUID, scoped: ScopedSet) -> list[OutcomeRow]:
    """What was said about one record by the responses to the records that are connected to it. As text: there may be
    many, and whoever counts them parses them elsewhere."""
    rows = await tx.fetch(
        f"""
        SELECT e.id, t.slug AS type, e.title, s.said FROM (
            SELECT r.entity_id, json_agg(r.values -> $2::uuid::text)::text AS said
            FROM entity_relations x
            JOIN entity_responses r ON r.tenant_id = x.tenant_id AND r.entity_id = x.source_id
            WHERE x.tenant_id = $1 AND x.target_id = $2::uuid AND x.field_key = $4 AND {_OF_SCOPED}
              AND r.values ? $2::uuid::text
            GROUP BY r.entity_id) s
        JOIN entities e ON e.tenant_id = $1 AND e.id = s.entity_id
        JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        """,
        tx.actor.tenant_id,
        target_id,
        *scoped,
    )
    return [OutcomeRow(**row) for row in rows]
