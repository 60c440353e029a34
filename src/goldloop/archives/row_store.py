"""SQL of the tables of a workspace, whichever there are: the catalogue, rows as lines, and lines as rows.

The only place that writes tables of others, and only into a workspace that has none of what it writes.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from goldloop.archives.lines import count_sql, read_sql, write_sql
from goldloop.archives.model import Column, Reference, Table
from goldloop.archives.selection import columns_of
from goldloop.kit.db import WORKER_ROLE, Tx

Write = Callable[[bytes], Awaitable[None]]

# What a query costs here is rows made to JSON, which several processes of the database do better than one.
_SPREAD = "SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL jit = off"


async def tables(tx: Tx) -> list[Table]:
    """Every table with a column `tenant_id`, by name."""
    rows = await tx.fetch(
        """
        SELECT c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
               NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS has_default,
               a.attgenerated <> '' AS generated, a.attidentity <> '' AS identity
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND EXISTS (SELECT FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname = 'tenant_id'
                      AND NOT o.attisdropped)
        ORDER BY c.relname, a.attnum
        """
    )
    references = await _references(tx)
    columns: dict[str, list[Column]] = {}
    for row in rows:
        columns.setdefault(row["name"], []).append(
            Column(
                name=row["column"],
                type=row["type"],
                nullable=row["nullable"],
                has_default=row["has_default"],
                generated=row["generated"],
                identity=row["identity"],
            )
        )
    return [
        Table(name=name, columns=found, references=references.get(name, []))
        for name, found in columns.items()
    ]


async def _references(tx: Tx) -> dict[str, list[Reference]]:
    rows = await tx.fetch(
        """
        SELECT c.relname AS name, o.relname AS to, k.condeferrable AS deferrable
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class o ON o.oid = k.confrelid
        WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace AND k.conparentid = 0
        ORDER BY c.relname, k.conname
        """
    )
    found: dict[str, list[Reference]] = {}
    for row in rows:
        found.setdefault(row["name"], []).append(Reference(to=row["to"], deferrable=row["deferrable"]))
    return found


async def open_personal(tx: Tx) -> None:
    """For the operator: what a person alone sees is read as well."""
    await tx.execute("SET LOCAL app.archive = 'open'")


async def open_for_import(tx: Tx) -> None:
    """What is frozen can be written, and a row before the one of the same table that it refers to."""
    await tx.execute("SET LOCAL app.archive = 'open'; SET CONSTRAINTS ALL DEFERRED")


async def spread(tx: Tx) -> None:
    await tx.execute(_SPREAD)


async def count(tx: Tx, table: Table) -> int:
    found: int = await tx.fetchval(count_sql(table), tx.actor.tenant_id)
    return found


async def count_own(tx: Tx, table: str, condition: str) -> int:
    """Rows that somebody made, where the workspace itself is made with some."""
    found: int = await tx.fetchval(
        f"SELECT count(*) FROM {table} WHERE tenant_id = $1 AND {condition}", tx.actor.tenant_id
    )
    return found


async def clear(tx: Tx, tables: Sequence[str]) -> None:
    """Of a workspace that is empty but for these, as the owner of the tables: nobody else may delete from all of them."""
    await tx.execute("SET LOCAL ROLE NONE")
    for table in tables:
        await tx.execute(f"DELETE FROM {table} WHERE tenant_id = $1", tx.actor.tenant_id)
    await tx.execute(f"SET LOCAL ROLE {WORKER_ROLE}")


async def copy_out(tx: Tx, table: Table, write: Write) -> int:
    return await tx.copy_out(read_sql(table, tx.actor.tenant_id), write)


async def write(tx: Tx, table: Table, lines: Sequence[str], at: datetime, address: str) -> int:
    """How many of the lines are rows now: the others were there already."""
    return await tx.execute(write_sql(table), tx.actor.tenant_id, lines, at, address)


async def find_foreign_blob(tx: Tx, folder: str) -> str | None:
    """A blob that an event names outside of a folder: the rows of a file name whatever its writer liked."""
    found: str | None = await tx.fetchval(
        """
        SELECT blob FROM session_events
        WHERE tenant_id = $1 AND blob IS NOT NULL
          AND (NOT starts_with(blob, $2) OR substr(blob, length($2) + 1) !~ '^[A-Za-z0-9][A-Za-z0-9._-]*$')
        LIMIT 1
        """,
        tx.actor.tenant_id,
        folder,
    )
    return found


async def raise_sequences(tx: Tx, tables: Sequence[Table]) -> None:
    """What is numbered from now on comes after what was imported. As the owner of the tables."""
    await tx.execute("SET LOCAL ROLE NONE")
    for table in tables:
        for column in columns_of(table):
            if column.identity:
                await _raise(tx, table.name, column.name)


async def _raise(tx: Tx, table: str, column: str) -> None:
    sequence = await tx.fetchval("SELECT pg_get_serial_sequence($1, $2)", f'public."{table}"', column)
    highest = await tx.fetchval(
        f'SELECT max("{column}") FROM "{table}" WHERE tenant_id = $1', tx.actor.tenant_id
    )
    if highest and highest > await tx.fetchval(f"SELECT last_value FROM {sequence}"):
        await tx.fetchval("SELECT setval($1::text::regclass, $2)", sequence, highest)
