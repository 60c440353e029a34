"""SQL of a whole workspace that is erased."""

from datetime import datetime
from uuid import UUID

from goldloop.erasures.model import ErasedWorkspace
from goldloop.kit.db import Database, Tx


async def close_workspace(tx: Tx) -> None:
    await tx.execute("SELECT close_workspace()")


async def list_tables(tx: Tx) -> list[str]:
    """The tables of tenants that the eraser may empty, those that refer to others first."""
    rows = await tx.fetch(
        """
        WITH RECURSIVE tenant_tables AS (
            SELECT c.oid, c.relname::text AS name FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity
        ), refers AS (
            SELECT DISTINCT k.conrelid AS source, k.confrelid AS target FROM pg_constraint k
            WHERE k.contype = 'f' AND k.conrelid <> k.confrelid
        ), deep AS (
            SELECT t.oid, 0 AS level FROM tenant_tables t
            UNION
            SELECT r.source, d.level + 1 FROM deep d JOIN refers r ON r.target = d.oid WHERE d.level < 20
        )
        SELECT t.name, max(d.level) AS level FROM tenant_tables t JOIN deep d ON d.oid = t.oid
        GROUP BY t.name ORDER BY level DESC, t.name
        """
    )
    return [row["name"] for row in rows]


async def erase_rows(tx: Tx, table: str, limit: int) -> int:
    gone: int = await tx.fetchval("SELECT erase_rows($1, $2)", table, limit)
    return gone


async def erase_rest(tx: Tx) -> None:
    """With the erasure, so that nothing more can be erased in this transaction."""
    await tx.execute("SELECT erase_rest()")


async def erase_workspace(tx: Tx, gone: dict[str, int], requested_at: datetime, job_id: UUID) -> None:
    await tx.execute("SELECT erase_workspace($1, $2, $3)", gone, requested_at, job_id)


async def list_erased_workspaces(db: Database, limit: int) -> list[ErasedWorkspace]:
    """For the operator's commands. Needs the worker's role."""
    async with db.anonymous() as connection:
        rows = await connection.fetch(
            "SELECT workspace_id, slug, gone, requested_at, ended_at FROM list_erased_workspaces($1)", limit
        )
        return [ErasedWorkspace(**row) for row in rows]
