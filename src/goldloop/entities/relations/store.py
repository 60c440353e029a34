"""SQL of relations. The only writer of `entity_relations` beside the named SQL functions."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.entities.model import Direction, Relation
from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

_SELECT = f"""
    SELECT r.id, r.source_id, s.title AS source_title, st.slug AS source_type, r.field_key,
           r.target_id, e.title AS target_title, t.slug AS target_type, r.metadata,
           r.created_at, r.created_by_kind, r.created_by_id,
           {name_sql("$1", "r.created_by_kind", "r.created_by_id")} AS created_by_name, {bytes_of("r.metadata")}
    FROM entity_relations r
    JOIN entities s ON s.tenant_id = r.tenant_id AND s.id = r.source_id
    JOIN entity_types st ON st.tenant_id = s.tenant_id AND st.id = s.type_id
    JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.target_id
    JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE r.tenant_id = $1
"""
_FROM_SOURCE = f"{_SELECT} AND r.source_id = $2"
_JSON = json_object(
    Relation, "p", created_by=party_json("p.created_by_kind", "p.created_by_id", "p.created_by_name")
)
_END = {Direction.OUT: "r.source_id", Direction.IN: "r.target_id"}


def from_row(row: Any) -> Relation:
    return Relation(
        id=row["id"],
        source_id=row["source_id"],
        source_title=row["source_title"],
        source_type=row["source_type"],
        field_key=row["field_key"],
        target_id=row["target_id"],
        target_title=row["target_title"],
        target_type=row["target_type"],
        metadata=row["metadata"],
        created_at=row["created_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def insert(tx: Tx, relation_id: UUID, source_id: UUID, field_key: str, target_id: UUID) -> bool:
    """False when the two are connected through this field already, or the id is taken."""
    return bool(
        await tx.execute(
            """
            INSERT INTO entity_relations (tenant_id, id, source_id, field_key, target_id, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            relation_id,
            source_id,
            field_key,
            target_id,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, source_id: UUID, relation_id: UUID) -> Relation | None:
    row = await tx.fetchrow(f"{_FROM_SOURCE} AND r.id = $3", tx.actor.tenant_id, source_id, relation_id)
    return from_row(row) if row else None


async def find_edge(tx: Tx, source_id: UUID, field_key: str, target_id: UUID) -> Relation | None:
    row = await tx.fetchrow(
        f"{_FROM_SOURCE} AND r.field_key = $3 AND r.target_id = $4",
        tx.actor.tenant_id,
        source_id,
        field_key,
        target_id,
    )
    return from_row(row) if row else None


async def fields_to(tx: Tx, source_id: UUID, targets: list[UUID], preferred: str) -> dict[UUID, str]:
    """The field through which each of the targets is connected: `preferred` where that is one of them."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT ON (target_id) target_id, field_key FROM entity_relations
        WHERE tenant_id = $1 AND source_id = $2 AND target_id = ANY ($3)
        ORDER BY target_id, field_key <> $4, field_key
        """,
        tx.actor.tenant_id,
        source_id,
        targets,
        preferred,
    )
    return {row["target_id"]: row["field_key"] for row in rows}


async def any_through(tx: Tx, source_id: UUID, field_key: str) -> bool:
    """Whether any record is connected through the field."""
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM entity_relations WHERE tenant_id = $1 AND source_id = $2 AND field_key = $3)",
        tx.actor.tenant_id,
        source_id,
        field_key,
    )
    return found


async def count_through(tx: Tx, type_id: UUID, fields: list[str]) -> dict[str, int]:
    """How many connections the records of a type have through each of the fields; those without any are left out."""
    rows = await tx.fetch(
        """
        SELECT r.field_key, count(*) AS edges FROM entity_relations r
        JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.source_id
        WHERE r.tenant_id = $1 AND e.type_id = $2 AND r.field_key = ANY ($3)
        GROUP BY r.field_key ORDER BY r.field_key
        """,
        tx.actor.tenant_id,
        type_id,
        fields,
    )
    return {row["field_key"]: row["edges"] for row in rows}


async def list_by_id(
    tx: Tx, entity_id: UUID, direction: Direction, field_key: str | None, after: UUID, limit: int
) -> RawPage[Relation]:
    """From a record to others, or from others to it. A query of its own with a field: each has its index."""
    arguments: list[Any] = [tx.actor.tenant_id, entity_id, after]
    conditions = f"AND {_END[direction]} = $2 AND r.id > $3"
    if field_key is not None:
        arguments.append(field_key)
        conditions += " AND r.field_key = $4"
    query = f"{_SELECT} {conditions} ORDER BY r.id LIMIT {limit + 1:d}"
    return read_page(await tx.fetch_page(json_page(query, _JSON, limit, "id"), *arguments))


async def delete(tx: Tx, source_id: UUID, relation_id: UUID) -> bool:
    return bool(
        await tx.execute(
            "DELETE FROM entity_relations WHERE tenant_id = $1 AND source_id = $2 AND id = $3",
            tx.actor.tenant_id,
            source_id,
            relation_id,
        )
    )


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's connections, as if made then. For the demo alone."""
    await tx.execute(
        "UPDATE entity_relations SET created_at = $2 WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
