"""SQL of limits. The only writer of `key_limits`, `storage_measures`, `request_counts` and `run_usage`, the latter two through
functions but for pruning."""

from datetime import date, datetime, timedelta
from uuid import UUID

from goldloop.kit.db import Autocommit, Tx
from goldloop.limits.model import RunUsage, StorageMeasure


async def find_usage(tx: Tx, day: date) -> RunUsage:
    row = await tx.fetchrow(
        """
        SELECT coalesce(sum(u.tokens), 0)::bigint AS tokens, coalesce(sum(u.cost), 0) AS cost
        FROM run_usage u WHERE u.tenant_id = $1 AND u.day = $2
        """,
        tx.actor.tenant_id,
        day,
    )
    assert row is not None
    return RunUsage(row["tokens"], row["cost"])


async def find_measure(tx: Tx) -> StorageMeasure | None:
    row = await tx.fetchrow(
        "SELECT m.row_bytes, m.blob_bytes, m.measured_at FROM storage_measures m WHERE m.tenant_id = $1",
        tx.actor.tenant_id,
    )
    return StorageMeasure(**row) if row else None


async def find_key_limits(tx: Tx) -> dict[UUID, int]:
    """Requests a minute, of the keys that have a limit of their own."""
    rows = await tx.fetch(
        "SELECT l.key_id, l.requests_per_minute FROM key_limits l WHERE l.tenant_id = $1", tx.actor.tenant_id
    )
    return {row["key_id"]: row["requests_per_minute"] for row in rows}


async def set_key_limit(tx: Tx, key_id: UUID, requests_per_minute: int) -> None:
    await tx.execute(
        """
        INSERT INTO key_limits (tenant_id, key_id, requests_per_minute) VALUES ($1, $2, $3)
        ON CONFLICT (tenant_id, key_id) DO UPDATE SET requests_per_minute = excluded.requests_per_minute
        """,
        tx.actor.tenant_id,
        key_id,
        requests_per_minute,
    )


async def remove_key_limit(tx: Tx, key_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM key_limits WHERE tenant_id = $1 AND key_id = $2", tx.actor.tenant_id, key_id
    )


async def tell_processes(tx: Tx) -> None:
    """Every process forgets what it knows of keys, and of limits with them."""
    await tx.execute("SELECT pg_notify('goldloop_auth', '')")


async def settle(
    caller: Autocommit, process_id: UUID, minute: datetime, counts: dict[UUID, int]
) -> dict[UUID, int]:
    """What other processes have counted in that minute."""
    others = await caller.call(
        "settle_request_counts", process_id, minute, list(counts), list(counts.values())
    )
    return dict(zip(counts, others, strict=True))


async def find_requests(tx: Tx, minute: datetime) -> dict[UUID, int]:
    """What all processes have counted in that minute, by workspace or key."""
    rows = await tx.fetch(
        """
        SELECT c.subject_id, sum(c.requests)::bigint AS requests FROM request_counts c
        WHERE c.tenant_id = $1 AND c.minute = $2 GROUP BY c.subject_id
        """,
        tx.actor.tenant_id,
        minute,
    )
    return {row["subject_id"]: row["requests"] for row in rows}


async def forget_counts(tx: Tx, kept: timedelta) -> None:
    """Of processes that count no more."""
    await tx.execute(
        "DELETE FROM request_counts WHERE tenant_id = $1 AND minute < now() - $2::interval",
        tx.actor.tenant_id,
        kept,
    )


async def forget_usage(tx: Tx, before: date) -> None:
    await tx.execute("DELETE FROM run_usage WHERE tenant_id = $1 AND day < $2", tx.actor.tenant_id, before)


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
