"""SQL of the history of fields. Written only by the SQL functions that change content."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.model import ChangeKind, FieldChange
from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

_SELECT = f"""
    SELECT h.id, h.field, h.kind, h.value, h.value IS NOT NULL AS present, h.value_before,
           h.value_before IS NOT NULL AS present_before, h.response_id, h.dimension_key, h.undoes_id, h.entity_version,
           h.actor_kind, h.actor_id, {name_sql("$1", "h.actor_kind", "h.actor_id")} AS actor_name, h.created_at,
           coalesce(s.history_id = h.id, false) AS current, {bytes_of("h.value", "h.value_before")}
    FROM entity_field_history h
    LEFT JOIN entity_field_sources s ON s.tenant_id = h.tenant_id AND s.entity_id = h.entity_id AND s.field = h.field
    WHERE h.tenant_id = $1 AND h.entity_id = $2
"""

_JSON = json_object(FieldChange, "p", actor=party_json("p.actor_kind", "p.actor_id", "p.actor_name"))


def from_row(row: Any) -> FieldChange:
    return FieldChange(
        id=row["id"],
        field=row["field"],
        kind=ChangeKind(row["kind"]),
        value=row["value"],
        present=row["present"],
        value_before=row["value_before"],
        present_before=row["present_before"],
        response_id=row["response_id"],
        dimension_key=row["dimension_key"],
        undoes_id=row["undoes_id"],
        current=row["current"],
        entity_version=row["entity_version"],
        actor=Party(kind=row["actor_kind"], id=row["actor_id"], name=row["actor_name"]),
        created_at=row["created_at"],
    )


async def list_newest_first(
    tx: Tx, entity_id: UUID, field: str, before: int, limit: int
) -> RawPage[FieldChange]:
    changes = f"{_SELECT} AND h.field = $3 AND h.entity_version < $4 ORDER BY h.entity_version DESC"
    query = json_page(f"{changes} LIMIT {limit + 1:d}", _JSON, limit, "entity_version")
    return read_page(await tx.fetch_page(query, tx.actor.tenant_id, entity_id, field, before))


async def list_sources(tx: Tx, entity_id: UUID, after: str, limit: int) -> RawPage[FieldChange]:
    """The entry that each field's present value comes from, by field."""
    sources = f"{_SELECT} AND s.history_id = h.id AND h.field > $3 ORDER BY h.field"
    query = json_page(f"{sources} LIMIT {limit + 1:d}", _JSON, limit, "field")
    return read_page(await tx.fetch_page(query, tx.actor.tenant_id, entity_id, after))


class SourceOf(NamedTuple):
    """Where the present value of a record's field comes from."""

    entity_id: UUID
    field: str
    kind: ChangeKind
    actor: Party
    created_at: datetime


async def list_sources_of(tx: Tx, entity_ids: list[UUID], fields: Sequence[str]) -> list[SourceOf]:
    """Of a batch of records and some of their fields, without the values; what nothing is known of is not in it."""
    rows = await tx.fetch(
        f"""
        SELECT s.entity_id, s.field, h.kind, h.actor_kind, h.actor_id, h.created_at,
               {name_sql("$1", "h.actor_kind", "h.actor_id")} AS actor_name
        FROM entity_field_sources s
        JOIN entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
        WHERE s.tenant_id = $1 AND s.entity_id = ANY ($2) AND s.field = ANY ($3)
        """,
        tx.actor.tenant_id,
        entity_ids,
        list(fields),
    )
    return [
        SourceOf(
            entity_id=row["entity_id"],
            field=row["field"],
            kind=ChangeKind(row["kind"]),
            actor=Party(kind=row["actor_kind"], id=row["actor_id"], name=row["actor_name"]),
            created_at=row["created_at"],
        )
        for row in rows
    ]


async def dimensions_in_use(tx: Tx, entity_id: UUID, response_id: UUID) -> set[str]:
    """The dimensions of a response that the present values of fields come from."""
    rows = await tx.fetch(
        """
        SELECT h.dimension_key FROM entity_field_sources s
        JOIN entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
        WHERE s.tenant_id = $1 AND s.entity_id = $2 AND h.response_id = $3 AND h.dimension_key IS NOT NULL
        """,
        tx.actor.tenant_id,
        entity_id,
        response_id,
    )
    return {row["dimension_key"] for row in rows}


async def list_promoted(tx: Tx, entity_id: UUID, response_id: UUID) -> list[FieldChange]:
    """The promotions of a response that the present values of fields come from, by field: as many as it has dimensions."""
    rows = await tx.fetch(
        f"{_SELECT} AND s.history_id = h.id AND h.kind = 'promotion' AND h.response_id = $3 ORDER BY h.field",
        tx.actor.tenant_id,
        entity_id,
        response_id,
    )
    return [from_row(row) for row in rows]


async def find_source(tx: Tx, entity_id: UUID, field: str) -> FieldChange | None:
    row = await tx.fetchrow(
        f"{_SELECT} AND h.field = $3 AND s.history_id = h.id", tx.actor.tenant_id, entity_id, field
    )
    return from_row(row) if row else None
