"""SQL of records. The only writer of `entities` and `entity_words` beside the named SQL functions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.entities.model import Entity
from goldloop.entities.records.ordering import Order
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_COLUMNS = f"""
    e.id, t.slug AS type, e.title, e.content, e.metadata, e.version, e.score, e.created_at, e.updated_at,
    e.created_by_kind, e.created_by_id,
    {name_sql("e.tenant_id", "e.created_by_kind", "e.created_by_id")} AS created_by_name
"""
HAIR = (
    1e-9  # below a threshold: scores from before they were rounded may be that far from what they stand for
)
_FROM = "FROM entities e JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id"


def from_row(row: Any) -> Entity:
    return Entity(
        id=row["id"],
        type=row["type"],
        title=row["title"],
        content=row["content"],
        metadata=row["metadata"],
        version=row["version"],
        score=row["score"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def find(tx: Tx, entity_id: UUID) -> Entity | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} {_FROM} WHERE e.tenant_id = $1 AND e.id = $2", tx.actor.tenant_id, entity_id
    )
    return from_row(row) if row else None


async def titles(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await tx.fetch(
        "SELECT id, title FROM entities WHERE tenant_id = $1 AND id = ANY ($2)", tx.actor.tenant_id, list(ids)
    )
    return {row["id"]: row["title"] for row in rows}


async def lock(tx: Tx, entity_id: UUID) -> None:
    await tx.execute(
        "SELECT FROM entities WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE",
        tx.actor.tenant_id,
        entity_id,
    )


async def lock_to_remove(tx: Tx, entity_id: UUID) -> None:
    """Locks a record for deletion: a concurrent deletion waits, and then does not find it."""
    await tx.execute(
        "SELECT FROM entities WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tx.actor.tenant_id, entity_id
    )


async def lock_keys(tx: Tx, ids: list[UUID]) -> bool:
    """Locks records against deletion until the transaction ends; False when one does not exist."""
    locked = await tx.fetch(
        "SELECT id FROM entities WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE",
        tx.actor.tenant_id,
        ids,
    )
    return len(locked) == len(set(ids))


async def list_page(
    tx: Tx,
    order: Order,
    after: tuple[object, UUID],
    limit: int,
    type_id: UUID | None,
    terms: list[str],
    min_score: float | None,
) -> Rows[tuple[Entity, Any]]:
    """A page of records with the key that each is ordered by. The statement holds only what is asked for, so that
    every combination is served by its own index, and how many: a plan for any number would not be worth keeping."""
    arguments: list[Any] = [tx.actor.tenant_id, *after]
    compare, direction = ("<", "DESC") if order.descending else (">", "ASC")
    conditions = [f"e.tenant_id = $1 AND ({order.expression}, e.id) {compare} ($2, $3)"]
    if type_id is not None:
        arguments.append(type_id)
        conditions.append(f"e.type_id = ${len(arguments)}")
    if min_score is not None:
        arguments.append(min_score - HAIR)
        conditions.append(f"coalesce(e.score, '-Infinity') >= ${len(arguments)}")
    for term in terms:
        arguments += [term, term + "\U0010ffff"]
        conditions.append(
            f"""EXISTS (SELECT FROM entity_words w WHERE w.tenant_id = e.tenant_id AND w.entity_id = e.id
                AND w.word >= ${len(arguments) - 1} AND w.word < ${len(arguments)})"""
        )
    query = f"""
        SELECT {_COLUMNS}, {order.expression} AS order_key, {bytes_of("e.content", "e.metadata")} {_FROM}
        WHERE {" AND ".join(conditions)}
        ORDER BY {order.expression} {direction}, e.id {direction} LIMIT {limit:d}
    """
    rows = await tx.fetch(within_bytes(query), *arguments)
    return Rows.read(rows, lambda row: (from_row(row), row["order_key"]))


async def contents(
    tx: Tx, type_id: UUID, after: UUID, limit: int, size: int
) -> list[tuple[UUID, str, dict[str, Any]]]:
    """Ids, titles and contents of a type's records, a batch of about `size` bytes at a time; at least one."""
    rows = await tx.fetch(
        """
        SELECT s.id, s.title, s.content FROM (
            SELECT b.id, b.title, b.content, sum(b.size) OVER (ORDER BY b.id) - b.size AS before
            FROM (SELECT e.id, e.title, e.content, octet_length(e.content::text) AS size FROM entities e
                  WHERE e.tenant_id = $1 AND e.type_id = $2 AND e.id > $3 ORDER BY e.id LIMIT $4) b
        ) s WHERE s.before < $5 ORDER BY s.id
        """,
        tx.actor.tenant_id,
        type_id,
        after,
        limit,
        size,
    )
    return [(row["id"], row["title"], row["content"]) for row in rows]


async def any_of_type(tx: Tx, type_id: UUID) -> bool:
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM entities WHERE tenant_id = $1 AND type_id = $2)",
        tx.actor.tenant_id,
        type_id,
    )
    return found


async def insert(
    tx: Tx,
    entity_id: UUID,
    type_id: UUID,
    type_version: int,
    title: str,
    content: dict[str, Any],
    metadata: dict[str, Any],
    title_words: list[str],
) -> str:
    """`made`, `taken` (the id is in use) or `stale` (the type changed since its schema was checked)."""
    outcome: str = await tx.fetchval(
        "SELECT create_entity($1, $2, $3, $4, $5, $6, $7)",
        entity_id,
        type_id,
        type_version,
        title,
        content,
        metadata,
        title_words,
    )
    return outcome


async def update(
    tx: Tx,
    entity_id: UUID,
    expected_version: int,
    type_version: int,
    title: str,
    content: dict[str, Any],
    metadata: dict[str, Any] | None,
    title_words: list[str] | None,
) -> str:
    """`changed`, `conflict` (another version is there), `stale` (the type changed) or `absent`. Writes the history of
    each field whose value differs."""
    outcome: str = await tx.fetchval(
        "SELECT edit_entity($1, $2, $3, $4, $5, $6, $7)",
        entity_id,
        expected_version,
        type_version,
        title,
        content,
        metadata,
        title_words,
    )
    return outcome


async def delete(tx: Tx, entity_id: UUID) -> bool:
    return bool(
        await tx.execute(
            "DELETE FROM entities WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, entity_id
        )
    )


async def date_back(tx: Tx, since: datetime) -> None:
    """Sets the creation time of this transaction's records. For the demo alone."""
    await tx.execute(
        "UPDATE entities SET created_at = $2 WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
