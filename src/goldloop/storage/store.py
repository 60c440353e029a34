"""SQL of how much is stored. The only writer of `storage_measures`."""

from goldloop.archives.model import Table
from goldloop.kit.db import Tx

ROW = 28  # bytes that PostgreSQL spends on a row beside its columns
READ_WHOLE = (
    1024**3
)  # bytes of a table; of a larger one as much is looked at, spread over it, and the rest inferred


async def measure_rows(tx: Tx, table: Table) -> int:
    """Bytes of the workspace's rows in a table, as they are stored: compressed, and with what is too long for a row."""
    size: int = await tx.fetchval("SELECT pg_relation_size($1::text::regclass)", table.name)
    share = min(1.0, READ_WHOLE / max(1, size))
    sample = f"TABLESAMPLE SYSTEM ({share * 100:.6f})" if share < 1 else ""
    columns = " + ".join(f'coalesce(pg_column_size(t."{column.name}"), 0)' for column in table.columns)
    found: int = await tx.fetchval(
        f"SELECT coalesce(sum({ROW} + {columns}), 0)::bigint FROM {table.name} t {sample} WHERE t.tenant_id = $1",
        tx.actor.tenant_id,
    )
    return round(found / share)


async def write_measure(tx: Tx, row_bytes: int, blob_bytes: int) -> None:
    await tx.execute(
        """
        INSERT INTO storage_measures (tenant_id, row_bytes, blob_bytes, measured_at) VALUES ($1, $2, $3, now())
        ON CONFLICT (tenant_id) DO UPDATE
        SET row_bytes = excluded.row_bytes, blob_bytes = excluded.blob_bytes, measured_at = excluded.measured_at
        """,
        tx.actor.tenant_id,
        row_bytes,
        blob_bytes,
    )
