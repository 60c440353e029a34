"""SQL of sessions that others are held to: what their metadata says of that. Nobody else can change or lock their rows."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions.model import Session
from goldloop.sessions.store import COLUMNS, from_row


@asynccontextmanager
async def _opened(tx: Tx) -> AsyncIterator[None]:
    """The database lets only a transaction that says so change them."""
    await tx.execute("SET LOCAL app.goldens = 'open'")
    yield
    await tx.execute("SET LOCAL app.goldens = ''")


async def lock(tx: Tx, session_id: UUID) -> Session | None:
    """Also one that is frozen; nobody else changes it until the transaction ends."""
    async with _opened(tx):
        row = await tx.fetchrow(
            f"SELECT {COLUMNS} FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2 FOR NO KEY UPDATE OF s",
            tx.actor.tenant_id,
            session_id,
        )
    return from_row(row) if row else None


async def set_metadata(tx: Tx, session_id: UUID, key: str, value: Any) -> None:
    """One of the keys that freeze it; None takes it away."""
    async with _opened(tx):
        await tx.execute(
            "UPDATE sessions SET metadata = (metadata - $3::text) || $4::jsonb WHERE tenant_id = $1 AND id = $2",
            tx.actor.tenant_id,
            session_id,
            key,
            {} if value is None else {key: value},
        )


async def set_golden_set(tx: Tx, session_ids: Sequence[UUID], name: str) -> None:
    async with _opened(tx):
        await tx.execute(
            """
            UPDATE sessions SET metadata = jsonb_set(metadata, '{golden,set}', $3::jsonb)
            WHERE tenant_id = $1 AND id = ANY ($2)
            """,
            tx.actor.tenant_id,
            list(session_ids),
            name,
        )
