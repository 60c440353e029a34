"""SQL of how much is stored."""

from typing import NamedTuple

from goldloop.kit.db import Tx

ROW = 28  # bytes that PostgreSQL spends on a row beside its columns
READ_WHOLE = (
    1024**3
)  # bytes of a table; of a larger one as much is looked at, spread over it, and the rest inferred


class Measured(NamedTuple):
    """A table of workspaces; `size` is that of the rows of all."""

    name: str
    columns: list[str]
    size: int


async def tables(tx: Tx) -> list[Measured]:
    """Those that this role may read; the others hold hashes and little else."""
    rows = await tx.fetch(
        """
        SELECT c.relname::text AS name, pg_relation_size(c.oid) AS size, array_agg(a.attname::text ORDER BY a.attnum) AS columns
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity
          AND has_table_privilege(c.oid, 'SELECT')
        GROUP BY c.oid, c.relname HAVING bool_or(a.attname = 'tenant_id') ORDER BY c.relname
        """
    )
    return [Measured(**row) for row in rows]


async def measure_rows(tx: Tx, table: Measured) -> int:
    """Bytes of the workspace's rows in a table, as they are stored: compressed, and with what is too long for a row."""
    share = min(1.0, READ_WHOLE / max(1, table.size))
    sample = f"TABLESAMPLE SYSTEM ({share * 100:.6f})" if share < 1 else ""
    columns = " + ".join(f'coalesce(pg_column_size(t."{column}"), 0)' for column in table.columns)
    found: int = await tx.fetchval(
        f"SELECT coalesce(sum({ROW} + {columns}), 0)::bigint FROM {table.name} t {sample} WHERE t.tenant_id = $1",
        tx.actor.tenant_id,
    )
    return round(found / share)
