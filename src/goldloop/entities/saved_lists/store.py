"""SQL of saved lists and chosen columns. The only writer of `saved_lists` and `list_columns`."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.entities.saved_lists.model import ListQuery, SavedList
from goldloop.kit.db import Actor, Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_COLUMNS = f"""
    l.id, l.name, l.entity_type_slug, l.query, l.shared, l.version, l.created_at, l.updated_at, l.created_by_kind,
    l.created_by_id, {name_sql("$1", "l.created_by_kind", "l.created_by_id")} AS created_by_name
"""


def from_row(row: Any, reader: Actor) -> SavedList:
    return SavedList(
        id=row["id"],
        name=row["name"],
        query=msgspec.convert({**row["query"], "type": row["entity_type_slug"]}, ListQuery),
        shared=row["shared"],
        own=(row["created_by_kind"], row["created_by_id"]) == (reader.kind, reader.id),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


def _stored(query: ListQuery) -> dict[str, Any]:
    """Without the type, which has a column of its own: a list goes with it."""
    return {key: value for key, value in msgspec.to_builtins(query).items() if key != "type"}


async def insert(tx: Tx, list_id: UUID, name: str, query: ListQuery, shared: bool) -> bool:
    """False when the id is taken."""
    return bool(
        await tx.execute(
            """
            INSERT INTO saved_lists (tenant_id, id, name, entity_type_slug, query, shared, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            list_id,
            name,
            query.type,
            _stored(query),
            shared,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, list_id: UUID) -> SavedList | None:
    """Whosever it is."""
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM saved_lists l WHERE l.tenant_id = $1 AND l.id = $2",
        tx.actor.tenant_id,
        list_id,
    )
    return from_row(row, tx.actor) if row else None


async def lock(tx: Tx, list_id: UUID) -> SavedList | None:
    await tx.execute(
        "SELECT FROM saved_lists WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tx.actor.tenant_id, list_id
    )
    return await find(tx, list_id)


async def list_by_name(tx: Tx, after: tuple[str, UUID], limit: int) -> Rows[SavedList]:
    """Those of the reader, and those that are shared; each kind through an index of its own."""
    whose = ("l.shared", "NOT l.shared AND l.created_by_kind = $5 AND l.created_by_id = $6")
    branches = (
        f"""(
            SELECT {_COLUMNS}, {bytes_of("l.query")} FROM saved_lists l
            WHERE l.tenant_id = $1 AND {condition} AND (l.name, l.id) > ($2, $3) ORDER BY l.name, l.id LIMIT $4
        )"""
        for condition in whose
    )
    query = f"SELECT s.* FROM ({' UNION ALL '.join(branches)}) s ORDER BY s.name, s.id LIMIT $4"
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, *after, limit, tx.actor.kind, tx.actor.id)
    return Rows.read(rows, lambda row: from_row(row, tx.actor))


async def update(tx: Tx, list_id: UUID, name: str, query: ListQuery, shared: bool) -> None:
    await tx.execute(
        """
        UPDATE saved_lists SET name = $3, entity_type_slug = $4, query = $5, shared = $6, version = version + 1,
            updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        list_id,
        name,
        query.type,
        _stored(query),
        shared,
    )


async def delete(tx: Tx, list_id: UUID) -> None:
    await tx.execute("DELETE FROM saved_lists WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, list_id)


async def columns(tx: Tx, entity_type: str) -> list[str]:
    """Those that the reader chose; none where they never did."""
    found: list[str] | None = await tx.fetchval(
        """
        SELECT columns FROM list_columns
        WHERE tenant_id = $1 AND party_kind = $2 AND party_id = $3 AND entity_type_slug = $4
        """,
        tx.actor.tenant_id,
        tx.actor.kind,
        tx.actor.id,
        entity_type,
    )
    return found or []


async def set_columns(tx: Tx, entity_type: str, chosen: list[str]) -> None:
    await tx.execute(
        """
        INSERT INTO list_columns (tenant_id, party_kind, party_id, entity_type_slug, columns) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (tenant_id, party_kind, party_id, entity_type_slug) DO UPDATE SET columns = excluded.columns,
            updated_at = excluded.updated_at
        """,
        tx.actor.tenant_id,
        tx.actor.kind,
        tx.actor.id,
        entity_type,
        chosen,
    )
