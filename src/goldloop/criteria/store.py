"""SQL of criteria sets. The only writer of `criteria_sets`."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.criteria.model import CriteriaSet, CriteriaSetDefinition, Dimension, DisplayConfig, Kind, Scope
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.kit.version_cache import State, VersionCache
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_COLUMNS = f"""
    c.id, c.slug, c.name, c.description, c.kind, c.dimensions, c.entity_type_slugs, c.is_default, c.temporal_key,
    c.display_type, c.display_config, c.scope, c.version, c.entity_type_version, c.archived_at, c.created_at,
    c.updated_at, c.created_by_kind, c.created_by_id,
    {name_sql("$1", "c.created_by_kind", "c.created_by_id")} AS created_by_name
"""
_BRIEFLY = _COLUMNS.replace(
    "c.dimensions",
    """(SELECT coalesce(jsonb_agg(d - 'options' - 'description'), '[]') FROM jsonb_array_elements(c.dimensions) d)
    AS dimensions""",
)

_CACHE: VersionCache[CriteriaSet] = VersionCache(512)


def from_row(row: Any) -> CriteriaSet:
    return CriteriaSet(
        id=row["id"],
        slug=row["slug"],
        name=row["name"],
        description=row["description"],
        kind=Kind(row["kind"]),
        dimensions=msgspec.convert(row["dimensions"], list[Dimension]),
        entity_type_slugs=row["entity_type_slugs"],
        is_default=row["is_default"],
        temporal_key=row["temporal_key"],
        display_type=row["display_type"],
        display_config=msgspec.convert(row["display_config"], DisplayConfig | None),
        scope=msgspec.convert(row["scope"], Scope | None),
        version=row["version"],
        entity_type_version=row["entity_type_version"],
        archived_at=row["archived_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


def _fields(definition: CriteriaSetDefinition) -> tuple[Any, ...]:
    return (
        definition.name,
        definition.description or "",
        definition.kind,
        msgspec.to_builtins(definition.dimensions),
        definition.entity_type_slugs,
        definition.temporal_key,
        definition.display_type,
        msgspec.to_builtins(definition.display_config),
        msgspec.to_builtins(definition.scope),
    )


async def insert(
    tx: Tx,
    set_id: UUID,
    definition: CriteriaSetDefinition,
    *,
    is_default: bool = False,
    type_version: int | None = None,
) -> bool:
    """False when the id or the slug is taken."""
    return bool(
        await tx.execute(
            """
            INSERT INTO criteria_sets (tenant_id, id, slug, name, description, kind, dimensions, entity_type_slugs,
                temporal_key, display_type, display_config, scope, is_default, entity_type_version,
                created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            set_id,
            definition.slug,
            *_fields(definition),
            is_default,
            type_version,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def update(
    tx: Tx,
    set_id: UUID,
    definition: CriteriaSetDefinition,
    *,
    archived: bool,
    type_version: int | None = None,
) -> None:
    """Replace the definition; responses keep the snapshot that they were made with."""
    await tx.execute(
        """
        UPDATE criteria_sets SET name = $3, description = $4, kind = $5, dimensions = $6, entity_type_slugs = $7,
            temporal_key = $8, display_type = $9, display_config = $10, scope = $11, entity_type_version = $12,
            version = version + 1, updated_at = $14, archived_at = CASE WHEN $13 THEN coalesce(archived_at, $14) END
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        set_id,
        *_fields(definition),
        type_version,
        archived,
        await tx.began(),
    )


async def find(tx: Tx, set_id: UUID) -> CriteriaSet | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM criteria_sets c WHERE c.tenant_id = $1 AND c.id = $2",
        tx.actor.tenant_id,
        set_id,
    )
    return from_row(row) if row else None


async def list_by_id(tx: Tx, set_ids: Iterable[UUID]) -> list[CriteriaSet]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM criteria_sets c WHERE c.tenant_id = $1 AND c.id = ANY ($2)",
        tx.actor.tenant_id,
        list(set_ids),
    )
    return [from_row(row) for row in rows]


async def find_state(tx: Tx, state: State) -> CriteriaSet | None:
    """The set at a version that was just read, from the cache if this process parsed it before."""
    found = _CACHE.get(state) or await find(tx, state.id)
    if found is not None:
        _CACHE.put(State(state.tenant_id, found.id, found.version, found.updated_at), found)
    return found


async def find_by_slug(tx: Tx, slug: str) -> CriteriaSet | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM criteria_sets c WHERE c.tenant_id = $1 AND c.slug = $2",
        tx.actor.tenant_id,
        slug,
    )
    return from_row(row) if row else None


async def lock(tx: Tx, set_id: UUID) -> CriteriaSet | None:
    """The set, locked against submissions until the transaction ends."""
    await tx.execute(
        "SELECT FROM criteria_sets WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tx.actor.tenant_id, set_id
    )
    return await find(tx, set_id)


async def list_by_slug(
    tx: Tx, type_slug: str | None, slug: str | None, archived: bool, after: str, limit: int
) -> Rows[CriteriaSet]:
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("c.dimensions", "c.entity_type_slugs", "c.description")} FROM criteria_sets c
        WHERE c.tenant_id = $1 AND c.slug > $2 AND ($3::text IS NULL OR c.slug = $3)
          AND ($4::text IS NULL OR c.entity_type_slugs IS NULL OR $4 = ANY (c.entity_type_slugs))
          AND ($5 OR c.archived_at IS NULL)
        ORDER BY c.slug LIMIT $6
    """
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, after, slug, type_slug, archived, limit)
    return Rows.read(rows, from_row)


async def list_summaries(tx: Tx, ids: list[UUID]) -> dict[UUID, CriteriaSet]:
    """Sets by id, without the long texts of their dimensions."""
    rows = await tx.fetch(
        f"SELECT {_BRIEFLY} FROM criteria_sets c WHERE c.tenant_id = $1 AND c.id = ANY ($2)",
        tx.actor.tenant_id,
        ids,
    )
    return {row["id"]: from_row(row) for row in rows}


async def list_scoped_oldest_first(tx: Tx, type_slug: str, after: tuple[datetime, UUID]) -> list[CriteriaSet]:
    """The sets that name a type, in the order in which they were made, a batch at a time and briefly."""
    rows = await tx.fetch(
        f"""
        SELECT {_BRIEFLY} FROM criteria_sets c
        WHERE c.tenant_id = $1 AND $2 = ANY (c.entity_type_slugs) AND c.archived_at IS NULL
          AND (c.created_at, c.id) > ($3, $4)
        ORDER BY c.created_at, c.id LIMIT 100
        """,
        tx.actor.tenant_id,
        type_slug,
        *after,
    )
    return [from_row(row) for row in rows]


async def archive(tx: Tx, set_id: UUID) -> None:
    await tx.execute(
        """
        UPDATE criteria_sets SET archived_at = now(), version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        set_id,
    )


async def is_used(tx: Tx, set_id: UUID) -> bool:
    """Whether responses were made with it, also such as were withdrawn."""
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (SELECT FROM entity_responses r WHERE r.tenant_id = $1 AND r.criteria_set_id = $2)
        """,
        tx.actor.tenant_id,
        set_id,
    )
    return found


async def delete_if_unused(tx: Tx, set_id: UUID) -> bool:
    """False when responses were made with it: their history needs it."""
    return bool(
        await tx.execute(
            """
            DELETE FROM criteria_sets c WHERE c.tenant_id = $1 AND c.id = $2 AND NOT EXISTS (
                SELECT FROM entity_responses r WHERE r.tenant_id = $1 AND r.criteria_set_id = c.id)
            """,
            tx.actor.tenant_id,
            set_id,
        )
    )


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's criteria sets, as if made then. For the demo alone."""
    await tx.execute(
        "UPDATE criteria_sets SET created_at = $2, updated_at = $2 WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
