"""SQL of claims."""

from typing import Any
from uuid import UUID

from goldloop.claims.model import (
    QUALITY_AVG,
    SOURCE_COUNT,
    Aggregate,
    ClaimSettings,
    ClaimSource,
    SupportedClaim,
)
from goldloop.kit.db import Tx
from goldloop.kit.pagination import FIRST_ID, Rows, bytes_of, within_bytes

_SOURCES = "list_claim_sources($1, $2, $3, $4, $5, $6)"


async def aggregate(tx: Tx, claim_id: UUID, settings: ClaimSettings) -> Aggregate:
    row = await tx.fetchrow(
        f"SELECT count(*) AS sources, avg(quality) AS quality FROM {_SOURCES}",
        *_arguments(claim_id, settings),
        FIRST_ID,
        None,
    )
    assert row is not None
    return Aggregate(source_count=row["sources"], source_quality_avg=row["quality"])


async def was_counted(tx: Tx, claim_id: UUID) -> bool:
    """Whether the claim ever got its numbers from its sources, whoever wrote them since."""
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (SELECT FROM entity_field_history h
            WHERE h.tenant_id = $1 AND h.entity_id = $2 AND h.field = ANY ($3) AND h.kind = 'aggregate')
        """,
        tx.actor.tenant_id,
        claim_id,
        [SOURCE_COUNT, QUALITY_AVG],
    )
    return found


async def apply(tx: Tx, claim_id: UUID, found: Aggregate) -> bool:
    """Writes the aggregate; returns whether it changed anything. For the worker alone."""
    updated: bool = await tx.fetchval(
        "SELECT apply_claim_aggregate($1, $2, $3, $4)",
        tx.actor.tenant_id,
        claim_id,
        found.source_count,
        found.source_quality_avg,
    )
    return updated


async def list_sources(
    tx: Tx, claim_id: UUID, settings: ClaimSettings, after: UUID, limit: int
) -> Rows[ClaimSource]:
    query = f"""
        SELECT id, title, response_id, ratings, quality, {bytes_of("ratings")}
        FROM {_SOURCES} ORDER BY id
    """
    rows = await tx.fetch(within_bytes(query), *_arguments(claim_id, settings), after, limit)
    return Rows.read(rows, lambda row: _source(row, settings.source_type))


def _source(row: Any, source_type: str) -> ClaimSource:
    return ClaimSource(
        id=row["id"],
        type=source_type,
        title=row["title"],
        quality=row["quality"],
        response_id=row["response_id"],
        ratings=row["ratings"],
    )


async def supported_claims(tx: Tx, source_id: UUID, settings: ClaimSettings) -> list[str]:
    """The claims that a source supports; none for a record of another type."""
    rows = await tx.fetch(
        """
        SELECT r.target_id FROM entity_relations r
        JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.source_id
        JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id AND t.slug = $3
        WHERE r.tenant_id = $1 AND r.source_id = $2 AND r.field_key = $4
        """,
        tx.actor.tenant_id,
        source_id,
        settings.source_type,
        settings.relation_field,
    )
    return [str(row["target_id"]) for row in rows]


def _number(field: str) -> str:
    return f"CASE WHEN jsonb_typeof(e.content -> '{field}') = 'number' THEN e.content -> '{field}' END"


async def list_supported(
    tx: Tx, source_id: UUID, settings: ClaimSettings, after: UUID, limit: int
) -> list[SupportedClaim]:
    """The claims of a source with the numbers that they carry. What is no number of ours is none."""
    rows = await tx.fetch(
        f"""
        SELECT e.id, t.slug AS type, e.title, {_number(SOURCE_COUNT)} AS counted, {_number(QUALITY_AVG)} AS quality
        FROM entity_relations r
        JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.target_id
        JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        WHERE r.tenant_id = $1 AND r.source_id = $2 AND r.field_key = $3 AND r.target_id > $4
        ORDER BY r.target_id LIMIT $5
        """,
        tx.actor.tenant_id,
        source_id,
        settings.relation_field,
        after,
        limit,
    )
    return [
        SupportedClaim(
            id=row["id"],
            type=row["type"],
            title=row["title"],
            source_count=row["counted"] if type(row["counted"]) is int else None,
            source_quality_avg=row["quality"] if type(row["quality"]) in (int, float) else None,
        )
        for row in rows
    ]


async def list_claims(tx: Tx, settings: ClaimSettings, after: UUID, limit: int) -> list[UUID]:
    """Records that are supported, or were counted before, a batch at a time."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT x.id FROM (
            (SELECT DISTINCT r.target_id AS id FROM entity_relations r
             WHERE r.tenant_id = $1 AND r.field_key = $2 AND r.target_id > $3 ORDER BY id LIMIT $4)
            UNION ALL
            (SELECT DISTINCT h.entity_id FROM entity_field_history h
             WHERE h.tenant_id = $1 AND h.kind = 'aggregate' AND h.entity_id > $3 ORDER BY h.entity_id LIMIT $4)
        ) x ORDER BY x.id LIMIT $4
        """,
        tx.actor.tenant_id,
        settings.relation_field,
        after,
        limit,
    )
    return [row["id"] for row in rows]


def _arguments(claim_id: UUID, settings: ClaimSettings) -> tuple[Any, ...]:
    return claim_id, settings.source_type, settings.relation_field, settings.criteria_set
