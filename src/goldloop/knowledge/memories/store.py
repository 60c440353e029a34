"""SQL of what agents remember about people. The only writer of `user_memories`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.knowledge.memories.model import Memory
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_COLUMNS = f"""
    m.id, m.user_id, m.content, m.created_by_kind, m.created_by_id, m.created_at,
    {name_sql("$1", "m.created_by_kind", "m.created_by_id")} AS created_by_name
"""


def from_row(row: Any) -> Memory:
    return Memory(
        id=row["id"],
        content=row["content"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
        created_at=row["created_at"],
    )


class NewMemory(NamedTuple):
    id: UUID
    user_id: UUID
    content: str
    at: datetime


async def insert(tx: Tx, new: NewMemory) -> bool:
    return bool(
        await tx.execute(
            """
            INSERT INTO user_memories (tenant_id, id, user_id, content, created_at, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            *new,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, user_id: UUID, memory_id: UUID) -> Memory | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM user_memories m WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.id = $3",
        tx.actor.tenant_id,
        user_id,
        memory_id,
    )
    return from_row(row) if row else None


async def list_newest_first(tx: Tx, user_id: UUID, before: tuple[object, UUID], limit: int) -> Rows[Memory]:
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("m.content")} FROM user_memories m
        WHERE m.tenant_id = $1 AND m.user_id = $2 AND (m.created_at, m.id) < ($3, $4)
        ORDER BY m.created_at DESC, m.id DESC LIMIT {limit:d}
    """
    return Rows.read(await tx.fetch(within_bytes(query), tx.actor.tenant_id, user_id, *before), from_row)


async def list_for_prompt(tx: Tx, user_id: UUID, limit: int) -> Sequence[tuple[UUID, str]]:
    """The newest that a person has, the oldest of them first; whoever runs something in their name may read them for it."""
    await tx.execute(f"SET LOCAL app.memories = '{user_id}'")
    rows = await tx.fetch(
        f"""
        SELECT m.id, m.content FROM user_memories m WHERE m.tenant_id = $1 AND m.user_id = $2
        ORDER BY m.created_at DESC, m.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        user_id,
    )
    await tx.execute("SET LOCAL app.memories = ''")
    return [(row["id"], row["content"]) for row in reversed(rows)]


async def delete(tx: Tx, user_id: UUID, memory_id: UUID) -> bool:
    return bool(
        await tx.execute(
            "DELETE FROM user_memories WHERE tenant_id = $1 AND user_id = $2 AND id = $3",
            tx.actor.tenant_id,
            user_id,
            memory_id,
        )
    )
