"""SQL of views. The only writer of `views`."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql
from goldloop.views.model import Block, View, blocks_from_json

_SELECT = f"""
    SELECT v.id, v.slug, v.name, v.entity_type_slug, v.blocks, v.version, v.created_at, v.updated_at,
           v.created_by_kind, v.created_by_id,
           {name_sql("$1", "v.created_by_kind", "v.created_by_id")} AS created_by_name, {bytes_of("v.blocks")}
    FROM views v WHERE v.tenant_id = $1
"""


def from_row(row: Any) -> View:
    return View(
        id=row["id"],
        slug=row["slug"],
        name=row["name"],
        entity_type=row["entity_type_slug"],
        blocks=blocks_from_json(row["blocks"]),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def insert(
    tx: Tx, view_id: UUID, slug: str, name: str, entity_type: str | None, blocks: list[Block]
) -> bool:
    """False when the id or the slug is taken."""
    return bool(
        await tx.execute(
            """
            INSERT INTO views (tenant_id, id, slug, name, entity_type_slug, blocks, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            view_id,
            slug,
            name,
            entity_type,
            msgspec.to_builtins(blocks),
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, view_id: UUID) -> View | None:
    row = await tx.fetchrow(f"{_SELECT} AND v.id = $2", tx.actor.tenant_id, view_id)
    return from_row(row) if row else None


async def lock(tx: Tx, view_id: UUID) -> View | None:
    """The view, locked until the transaction ends."""
    await tx.execute(
        "SELECT FROM views WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tx.actor.tenant_id, view_id
    )
    return await find(tx, view_id)


async def find_by_slug(tx: Tx, slug: str) -> View | None:
    row = await tx.fetchrow(f"{_SELECT} AND v.slug = $2", tx.actor.tenant_id, slug)
    return from_row(row) if row else None


async def list_by_slug(tx: Tx, entity_type: str | None, after: str, limit: int) -> Rows[View]:
    query = f"""
        {_SELECT} AND v.slug > $2
        AND ($3::text IS NULL OR v.entity_type_slug IS NULL OR v.entity_type_slug = $3) ORDER BY v.slug LIMIT $4
    """
    return Rows.read(
        await tx.fetch(within_bytes(query), tx.actor.tenant_id, after, entity_type, limit), from_row
    )


async def slugs(tx: Tx) -> list[str]:
    """The slugs of all views."""
    rows = await tx.fetch("SELECT slug FROM views WHERE tenant_id = $1", tx.actor.tenant_id)
    return [row["slug"] for row in rows]


async def update(tx: Tx, view_id: UUID, name: str, blocks: list[Block]) -> None:
    await tx.execute(
        """
        UPDATE views SET name = $3, blocks = $4, version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        view_id,
        name,
        msgspec.to_builtins(blocks),
    )


async def delete(tx: Tx, view_id: UUID) -> bool:
    return bool(
        await tx.execute("DELETE FROM views WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, view_id)
    )


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's views, as if made then. For the demo alone."""
    await tx.execute(
        "UPDATE views SET created_at = $2, updated_at = $2 WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
