"""SQL of the raw bodies of traces that are erased."""

from collections.abc import Sequence
from typing import NamedTuple

from goldloop.kit.db import Tx


class Body(NamedTuple):
    """A stored body of spans or log records."""

    id: bytes
    signal: int
    encoding: int
    body: bytes


async def next_body(tx: Tx, traces: Sequence[bytes]) -> Body | None:
    """One that has something of one of these traces."""
    row = await tx.fetchrow(
        """
        SELECT b.id, b.signal, b.encoding, b.body FROM otel_trace_batches t
        JOIN otel_batches b ON b.tenant_id = t.tenant_id AND b.id = t.batch_id
        WHERE t.tenant_id = $1 AND t.trace_id = ANY ($2) LIMIT 1
        """,
        tx.actor.tenant_id,
        list(traces),
    )
    return Body(*row) if row else None


async def replace_body(
    tx: Tx, batch_id: bytes, encoding: int, trace_ids: Sequence[bytes], spans: int, body: bytes | None
) -> None:
    await tx.execute(
        "SELECT replace_otel_body($1, $2, $3, $4, $5)", batch_id, encoding, spans, b"".join(trace_ids), body
    )


async def unlink_body(tx: Tx, batch_id: bytes, traces: Sequence[bytes]) -> None:
    """It has nothing of these traces any more."""
    await tx.execute("SELECT unlink_otel_body($1, $2)", batch_id, list(traces))


async def erase_traces(tx: Tx, traces: Sequence[bytes]) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_traces($1)", list(traces))
    return gone
