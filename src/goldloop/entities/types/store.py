"""SQL of entity types. The only writer of `entity_types`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.entities.model import EntityType
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.kit.version_cache import State, VersionCache
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_COLUMNS = f"""
    t.id, t.slug, t.name, t.json_schema, t.field_configs, t.config, t.version, t.created_at, t.updated_at,
    t.created_by_kind, t.created_by_id,
    {name_sql("$1", "t.created_by_kind", "t.created_by_id")} AS created_by_name
"""

_CACHE: VersionCache[EntityType] = VersionCache(256)


def from_row(row: Any) -> EntityType:
    return EntityType(
        id=row["id"],
        slug=row["slug"],
        name=row["name"],
        json_schema=row["json_schema"],
        field_configs=row["field_configs"],
        config=row["config"],
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def insert(
    tx: Tx,
    type_id: UUID,
    slug: str,
    name: str,
    json_schema: dict[str, Any],
    field_configs: dict[str, Any],
    config: dict[str, Any],
) -> bool:
    """False when the id or the slug is taken."""
    return bool(
        await tx.execute(
            """
            INSERT INTO entity_types (tenant_id, id, slug, name, json_schema, field_configs, config,
                                      created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            type_id,
            slug,
            name,
            json_schema,
            field_configs,
            config,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, slug: str) -> EntityType | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM entity_types t WHERE t.tenant_id = $1 AND t.slug = $2",
        tx.actor.tenant_id,
        slug,
    )
    return from_row(row) if row else None


async def find_state(tx: Tx, state: State) -> EntityType | None:
    """The type at a version that was just read, from the cache if this process parsed it before."""
    found = _CACHE.get(state) or await find_by_id(tx, state.id)
    if found is not None:
        _CACHE.put(State(state.tenant_id, found.id, found.version, found.updated_at), found)
    return found


async def find_by_id(tx: Tx, type_id: UUID) -> EntityType | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM entity_types t WHERE t.tenant_id = $1 AND t.id = $2",
        tx.actor.tenant_id,
        type_id,
    )
    return from_row(row) if row else None


async def lock(tx: Tx, slug: str) -> EntityType | None:
    """The type, locked against every write of its records until the transaction ends."""
    await tx.execute(
        "SELECT FROM entity_types WHERE tenant_id = $1 AND slug = $2 FOR UPDATE", tx.actor.tenant_id, slug
    )
    return await find(tx, slug)


async def lock_shared(tx: Tx, slug: str) -> None:
    """Locks the type against changes until the transaction ends. Taken after the record's lock, as in every write of records."""
    await tx.execute(
        "SELECT FROM entity_types WHERE tenant_id = $1 AND slug = $2 FOR SHARE", tx.actor.tenant_id, slug
    )


async def list_by_slug(tx: Tx, after: str | None, limit: int) -> Rows[EntityType]:
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("t.json_schema", "t.field_configs", "t.config")}
        FROM entity_types t WHERE t.tenant_id = $1 AND t.slug > $2 ORDER BY t.slug LIMIT $3
    """
    return Rows.read(await tx.fetch(within_bytes(query), tx.actor.tenant_id, after or "", limit), from_row)


async def slugs(tx: Tx) -> list[str]:
    """The slugs of all types."""
    rows = await tx.fetch("SELECT slug FROM entity_types WHERE tenant_id = $1", tx.actor.tenant_id)
    return [row["slug"] for row in rows]


async def update(
    tx: Tx,
    type_id: UUID,
    name: str,
    json_schema: dict[str, Any],
    field_configs: dict[str, Any],
    config: dict[str, Any],
) -> None:
    await tx.execute(
        """
        UPDATE entity_types SET name = $3, json_schema = $4, field_configs = $5, config = $6,
            version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        type_id,
        name,
        json_schema,
        field_configs,
        config,
    )


async def are_relations(tx: Tx, slugs: list[str], field_key: str | None) -> dict[str, bool]:
    """Which of these types there are, and whether a field of each is a relation."""
    rows = await tx.fetch(
        """
        SELECT slug, field_configs -> $3 ->> 'relation' IS NOT NULL AS is_relation
        FROM entity_types WHERE tenant_id = $1 AND slug = ANY ($2)
        """,
        tx.actor.tenant_id,
        slugs,
        field_key,
    )
    return {row["slug"]: row["is_relation"] for row in rows}


async def featured(tx: Tx, slugs: list[str]) -> dict[str, UUID]:
    """The criteria set that each of these types features, where it does."""
    rows = await tx.fetch(
        """
        SELECT slug, featured_set(config) AS set_id FROM entity_types
        WHERE tenant_id = $1 AND slug = ANY ($2) AND featured_set(config) IS NOT NULL
        """,
        tx.actor.tenant_id,
        slugs,
    )
    return {row["slug"]: row["set_id"] for row in rows}


async def set_featured(tx: Tx, slugs: list[str], criteria_set_id: UUID | None) -> list[str]:
    """The slugs of those that are there. No new version: nobody's edit of the type is in its way."""
    rows = await tx.fetch(
        """
        UPDATE entity_types
        SET config = jsonb_set(config, '{featuredScore}', coalesce(config -> 'featuredScore', '{}'::jsonb)
                               || $3::jsonb), updated_at = now()
        WHERE tenant_id = $1 AND slug = ANY ($2) RETURNING slug
        """,
        tx.actor.tenant_id,
        slugs,
        {"criteriaSetId": str(criteria_set_id) if criteria_set_id else None},
    )
    return [row["slug"] for row in rows]


async def featuring(tx: Tx, criteria_set_id: UUID) -> list[str]:
    """The slugs of the types that feature a criteria set."""
    rows = await tx.fetch(
        """
        SELECT slug FROM entity_types
        WHERE tenant_id = $1 AND featured_set(config) = $2 ORDER BY slug
        """,
        tx.actor.tenant_id,
        criteria_set_id,
    )
    return [row["slug"] for row in rows]


async def delete(tx: Tx, type_id: UUID) -> None:
    await tx.execute("DELETE FROM entity_types WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, type_id)


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's types, as if made then. For the demo alone."""
    await tx.execute(
        "UPDATE entity_types SET created_at = $2, updated_at = $2 WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
