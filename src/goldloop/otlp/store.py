"""SQL of batches, traces and sources. The only writer of their tables beside the named SQL functions."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.otlp.model import AnsweredTrace, Batch, Counts, Signal, StoredBatch, Trace, Turning

SPREAD = "otlp.spread"  # the mark of bodies whose traces are not written out yet
DERIVE = "otlp.derive"  # the mark of a trace of which something is new
GATHER = timedelta(seconds=2)  # what comes of a trace within that is derived at once


async def add(tx: Tx, batches: Sequence[Batch]) -> None:
    await tx.execute(
        "SELECT add_otel_batches($1, $2, $3, $4, $5, $6, $7, $8)",
        [batch.id for batch in batches],
        [int(batch.signal) for batch in batches],
        [batch.encoding for batch in batches],
        [batch.spans for batch in batches],
        [b"".join(batch.trace_ids) for batch in batches],
        [batch.body for batch in batches],
        SPREAD,
        GATHER,
    )


async def spread(tx: Tx, limit: int) -> int:
    """Write out which traces new bodies hold, and mark these; returns how many bodies they were."""
    count: int = await tx.fetchval("SELECT spread_otel_batches($1, $2)", DERIVE, limit)
    return count


async def list_waiting(tx: Tx, kinds: Sequence[str], after: str, limit: int) -> list[str]:
    """Traces that are marked to be derived, by their ids."""
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT m.key FROM marks m WHERE m.tenant_id = $1 AND m.kind = ANY ($2) AND m.key > $3
        ORDER BY m.key LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        list(kinds),
        after,
    )
    return [row["key"] for row in rows]


async def batches_of(tx: Tx, trace_ids: Sequence[bytes]) -> dict[bytes, list[StoredBatch]]:
    """Of each trace that has any, in the order in which they came."""
    rows = await tx.fetch(
        """
        SELECT t.trace_id, b.id, b.signal, b.encoding, b.received_at, octet_length(b.body) AS size
        FROM otel_trace_batches t JOIN otel_batches b ON b.tenant_id = t.tenant_id AND b.id = t.batch_id
        WHERE t.tenant_id = $1 AND t.trace_id = ANY ($2) ORDER BY b.received_at, b.id
        """,
        tx.actor.tenant_id,
        list(trace_ids),
    )
    found: dict[bytes, list[StoredBatch]] = {}
    for row in rows:
        batch = StoredBatch(
            row["id"], Signal(row["signal"]), row["encoding"], row["received_at"], row["size"]
        )
        found.setdefault(row["trace_id"], []).append(batch)
    return found


async def bodies_of(tx: Tx, batch_ids: Sequence[bytes]) -> dict[bytes, bytes]:
    rows = await tx.fetch(
        "SELECT b.id, b.body FROM otel_batches b WHERE b.tenant_id = $1 AND b.id = ANY ($2)",
        tx.actor.tenant_id,
        list(batch_ids),
    )
    return {row["id"]: row["body"] for row in rows}


class Received(NamedTuple):
    """When spans of a trace came, by our clock."""

    trace_id: bytes
    first_at: datetime
    last_at: datetime


async def lock_traces(tx: Tx, received: Sequence[Received]) -> dict[bytes, Trace]:
    """Traces, which nobody else derives until the transaction ends; those that are new are made. In the order of their ids,
    so that two who want the same ones never wait for each other."""
    rows = await tx.fetch(
        """
        INSERT INTO otel_traces AS t (tenant_id, trace_id, first_at, last_at)
        SELECT $1, n.trace_id, n.first_at, n.last_at
        FROM unnest($2::bytea[], $3::timestamptz[], $4::timestamptz[]) AS n (trace_id, first_at, last_at) ORDER BY n.trace_id
        ON CONFLICT (tenant_id, trace_id) DO UPDATE SET last_at = greatest(t.last_at, excluded.last_at)
        RETURNING t.trace_id, t.session_id, t.first_at, t.last_at, t.ended_at, t.error, t.answer, t.answer_span, t.has_turn,
            t.counts
        """,
        tx.actor.tenant_id,
        *(list(column) for column in zip(*received, strict=True)),
    )
    return {row["trace_id"]: _from_row(row) for row in rows}


def _from_row(row: Any) -> Trace:
    return Trace(**{**row, "counts": msgspec.convert(row["counts"], list[Counts])})


async def save_traces(tx: Tx, traces: Sequence[Trace]) -> None:
    await tx.execute(
        """
        UPDATE otel_traces t SET session_id = n.session_id, ended_at = n.ended_at, error = n.error, answer = n.answer,
            has_turn = n.has_turn, counts = $9::jsonb -> (n.place - 1)::int, answer_span = n.answer_span
        FROM unnest($2::bytea[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::boolean[], $8::bytea[])
            WITH ORDINALITY AS n (trace_id, session_id, ended_at, error, answer, has_turn, answer_span, place)
        WHERE t.tenant_id = $1 AND t.trace_id = n.trace_id
        """,
        tx.actor.tenant_id,
        [trace.trace_id for trace in traces],
        [trace.session_id for trace in traces],
        [trace.ended_at for trace in traces],
        [trace.error for trace in traces],
        [trace.answer for trace in traces],
        [trace.has_turn for trace in traces],
        [trace.answer_span for trace in traces],
        [msgspec.to_builtins(trace.counts) for trace in traces],
    )


async def find_answered(tx: Tx, trace_id: bytes, conversation_id: str) -> AnsweredTrace | None:
    """A trace that became a turn of this conversation."""
    row = await tx.fetchrow(
        """
        SELECT t.trace_id, t.answer_span, s.external_id
        FROM otel_traces t JOIN sessions s ON s.tenant_id = t.tenant_id AND s.id = t.session_id
        WHERE t.tenant_id = $1 AND t.trace_id = $2 AND t.has_turn AND s.conversation_id = $3
        """,
        tx.actor.tenant_id,
        trace_id,
        conversation_id,
    )
    return AnsweredTrace(*row) if row else None


async def find_last_answered(tx: Tx, session_id: UUID) -> AnsweredTrace | None:
    """The trace of a session that ended last."""
    row = await tx.fetchrow(
        """
        SELECT t.trace_id, t.answer_span, s.external_id
        FROM otel_traces t JOIN sessions s ON s.tenant_id = t.tenant_id AND s.id = t.session_id
        WHERE t.tenant_id = $1 AND t.session_id = $2 AND t.ended_at IS NOT NULL
        ORDER BY t.ended_at DESC LIMIT 1
        """,
        tx.actor.tenant_id,
        session_id,
    )
    return AnsweredTrace(*row) if row else None


async def has_other_traces(tx: Tx, session_id: UUID, trace_id: bytes) -> bool:
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (SELECT FROM otel_traces t WHERE t.tenant_id = $1 AND t.session_id = $2 AND t.trace_id <> $3)
        """,
        tx.actor.tenant_id,
        session_id,
        trace_id,
    )
    return found


async def turning_of(tx: Tx, session_id: UUID) -> Turning | None:
    """None where no trace belongs to the session. The last turn is the one whose root ended last."""
    row = await tx.fetchrow(
        """
        SELECT l.trace_id, l.error, l.answer,
               (SELECT max(o.last_at) FROM otel_traces o
                WHERE o.tenant_id = $1 AND o.session_id = $2 AND o.ended_at IS NULL) AS open_at
        FROM (VALUES (1)) one LEFT JOIN LATERAL (
            SELECT t.trace_id, t.error, t.answer FROM otel_traces t
            WHERE t.tenant_id = $1 AND t.session_id = $2 AND t.ended_at IS NOT NULL
            ORDER BY t.ended_at DESC LIMIT 1
        ) l ON true
        """,
        tx.actor.tenant_id,
        session_id,
    )
    assert row is not None
    if row["trace_id"] is None and row["open_at"] is None:
        return None
    return Turning(row["open_at"], row["error"], row["answer"])


async def add_counts(tx: Tx, counts: Sequence[Counts], first_at: datetime, last_at: datetime) -> None:
    await tx.execute(
        "SELECT add_otel_counts($1, $2, $3)",
        [msgspec.to_builtins(each) for each in counts],
        first_at,
        last_at,
    )


async def list_sources(tx: Tx, after: tuple[str, str, str], limit: int) -> list[Any]:
    """By service, scope and SDK."""
    return await tx.fetch(
        f"""
        SELECT s.service, s.scope, s.sdk, s.spans, s.requests, s.with_content, s.with_session, s.with_user, s.first_at, s.last_at
        FROM otel_sources s WHERE s.tenant_id = $1 AND (s.service, s.scope, s.sdk) > ($2, $3, $4)
        ORDER BY s.service, s.scope, s.sdk LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *after,
    )


async def trace_ids_after(tx: Tx, after: bytes, limit: int) -> list[bytes]:
    """Traces of which there are spans, in the order of their ids."""
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT t.trace_id FROM otel_trace_batches t WHERE t.tenant_id = $1 AND t.trace_id > $2
        ORDER BY t.trace_id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        after,
    )
    return [row["trace_id"] for row in rows]


async def prune(tx: Tx, before: datetime, limit: int) -> int:
    """Forget bodies that came before a moment, and which traces were in them."""
    return await tx.execute(
        f"""
        DELETE FROM otel_batches b USING (
            SELECT o.id FROM otel_batches o WHERE o.tenant_id = $1 AND o.received_at < $2
            ORDER BY o.received_at LIMIT {limit:d}
        ) old
        WHERE b.tenant_id = $1 AND b.id = old.id
        """,
        tx.actor.tenant_id,
        before,
    )
