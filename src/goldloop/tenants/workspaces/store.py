"""SQL of the workspace. The only writer of `tenants`."""

from datetime import datetime
from uuid import UUID

from goldloop.kit.db import WORKER_ROLE, Database, Tx
from goldloop.tenants.model import Workspace


async def find(tx: Tx) -> Workspace | None:
    row = await tx.fetchrow(
        "SELECT id, slug, name, created_at FROM tenants WHERE id = $1", tx.actor.tenant_id
    )
    return Workspace(**row) if row else None


async def rename(tx: Tx, name: str) -> None:
    await tx.execute("UPDATE tenants SET name = $2 WHERE id = $1", tx.actor.tenant_id, name)


async def create(tx: Tx, slug: str, name: str) -> bool:
    """The transaction's own tenant. False when the slug is taken. Needs the worker's role."""
    made: bool = await tx.fetchval("SELECT create_tenant($1, $2, $3)", tx.actor.tenant_id, slug, name)
    return made


async def set_created_at(tx: Tx, at: datetime) -> None:
    """As the login that owns the tables, with which the transaction goes on as it was."""
    await tx.execute("SET LOCAL ROLE NONE")
    await tx.execute("UPDATE tenants SET created_at = $2 WHERE id = $1", tx.actor.tenant_id, at)
    await tx.execute(f"SET LOCAL ROLE {WORKER_ROLE}")


async def find_id(db: Database, slug: str) -> UUID | None:
    """A workspace by its slug, for the operator's commands. Needs the worker's role."""
    async with db.anonymous() as connection:
        found: UUID | None = await connection.fetchval("SELECT find_tenant($1)", slug)
        return found


async def ids(db: Database, after: UUID | None, limit: int) -> list[UUID]:
    async with db.anonymous() as connection:
        rows = await connection.fetch("SELECT id FROM tenant_ids($1, $2)", after, limit)
        return [row["id"] for row in rows]
