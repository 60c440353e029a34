"""SQL of deliveries and attempts. The only writer of `webhook_deliveries` and `webhook_attempts`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.webhooks.messages import LoggedEvent
from goldloop.webhooks.model import Attempt, Delivery, DeliveryStatus
from goldloop.webhooks.ordering import OVERTAKEN_AFTER, Due

_COLUMNS = """
    d.id, d.endpoint_id, d.event_id, d.name, d.subject_id, d.status, d.attempts, d.next_at, d.event_at, d.created_at, d.ended_at,
    a.status AS last_status, a.error AS last_error
"""
_LAST = """
    LEFT JOIN webhook_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id AND a.number = d.attempts
"""


class NewDelivery(NamedTuple):
    id: UUID
    endpoint_id: UUID
    event_id: UUID
    name: str
    subject_id: str
    event_at: datetime


class Recorded(NamedTuple):
    """What became of a delivery by an attempt, which was its `attempts`-th."""

    id: UUID
    attempts: int
    status: DeliveryStatus
    step: int
    first_at: datetime
    next_at: datetime


def from_row(row: Any) -> Delivery:
    status = DeliveryStatus(row["status"])
    return Delivery(
        id=row["id"],
        webhook_id=row["endpoint_id"],
        event_id=row["event_id"],
        event=row["name"],
        subject_id=row["subject_id"],
        status=status,
        attempts=row["attempts"],
        next_at=row["next_at"] if status is DeliveryStatus.WAITING else None,
        last_status=row["last_status"],
        last_error=row["last_error"],
        event_at=row["event_at"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
    )


async def read_events(tx: Tx, event_ids: Sequence[UUID]) -> list[LoggedEvent]:
    rows = await tx.fetch(
        """
        SELECT id, tenant_id, name, subject_id, payload, actor_kind, actor_id, created_at
        FROM events WHERE tenant_id = $1 AND id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(event_ids),
    )
    return [LoggedEvent(**row) for row in rows]


async def list_event_ids(
    tx: Tx, after: tuple[datetime, UUID], until: datetime, limit: int
) -> list[tuple[datetime, UUID]]:
    """What happened in a time, oldest first."""
    rows = await tx.fetch(
        f"""
        SELECT created_at, id FROM events
        WHERE tenant_id = $1 AND created_at >= $2 AND (created_at, id) > ($2, $3) AND created_at <= $4
        ORDER BY created_at, id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *after,
        until,
    )
    return [(row["created_at"], row["id"]) for row in rows]


async def insert(tx: Tx, new: Sequence[NewDelivery], at: datetime) -> list[UUID]:
    """Queue deliveries, but for those that are there; returns the receivers of what is new. It is due as of its event, so that
    what happened first is sent first."""
    columns = map(list, zip(*new, strict=True)) if new else [[]] * len(NewDelivery._fields)
    rows = await tx.fetch(
        """
        INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, name, subject_id, event_at, next_at, created_at)
        SELECT $1, n.id, n.endpoint_id, n.event_id, n.name, n.subject_id, n.event_at, least(n.event_at, $8), $8
        FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[])
            AS n (id, endpoint_id, event_id, name, subject_id, event_at)
        ON CONFLICT DO NOTHING RETURNING endpoint_id
        """,
        tx.actor.tenant_id,
        *columns,
        at,
    )
    return sorted({row["endpoint_id"] for row in rows})


async def list_due(tx: Tx, endpoint_id: UUID, at: datetime, limit: int) -> list[Due]:
    """Those due first, each with when the first before it on its subject is due, unless that has failed often and waits."""
    rows = await tx.fetch(
        f"""
        SELECT d.id, d.event_id, d.attempts, d.step, d.first_at, d.next_at, b.next_at AS blocked_until
        FROM (
            SELECT w.id, w.event_id, w.attempts, w.step, w.first_at, w.next_at, w.subject_id, w.event_at FROM webhook_deliveries w
            WHERE w.tenant_id = $1 AND w.endpoint_id = $2 AND w.status = 'waiting' AND w.next_at <= $3
            ORDER BY w.next_at, w.event_at, w.event_id LIMIT {limit:d}
        ) d LEFT JOIN LATERAL (
            SELECT e.next_at FROM webhook_deliveries e
            WHERE e.tenant_id = $1 AND e.endpoint_id = $2 AND e.subject_id = d.subject_id AND e.status = 'waiting'
              AND (e.event_at, e.event_id) < (d.event_at, d.event_id) AND (e.step < {OVERTAKEN_AFTER:d} OR e.next_at <= $3)
            ORDER BY e.event_at, e.event_id LIMIT 1
        ) b ON true
        ORDER BY d.next_at, d.event_at, d.event_id
        """,
        tx.actor.tenant_id,
        endpoint_id,
        at,
    )
    return [Due(*row) for row in rows]


async def postpone(tx: Tx, postponed: Sequence[tuple[UUID, datetime]]) -> None:
    await tx.execute(
        """
        UPDATE webhook_deliveries d SET next_at = p.next_at
        FROM unnest($2::uuid[], $3::timestamptz[]) AS p (id, next_at) WHERE d.tenant_id = $1 AND d.id = p.id
        """,
        tx.actor.tenant_id,
        [each for each, _ in postponed],
        [until for _, until in postponed],
    )


async def next_due(tx: Tx, endpoint_id: UUID) -> datetime | None:
    """When the first of what waits is due."""
    found: datetime | None = await tx.fetchval(
        "SELECT min(next_at) FROM webhook_deliveries WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'waiting'",
        tx.actor.tenant_id,
        endpoint_id,
    )
    return found


async def move_up(tx: Tx, endpoint_id: UUID, at: datetime) -> None:
    """What waits for a receiver that is back is due as of its event, so that it comes in that order."""
    await tx.execute(
        """
        UPDATE webhook_deliveries SET next_at = least(event_at, $3)
        WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'waiting' AND next_at > $3
        """,
        tx.actor.tenant_id,
        endpoint_id,
        at,
    )


async def record(tx: Tx, recorded: Sequence[Recorded], at: datetime) -> set[UUID]:
    """What became of deliveries, but for those that somebody else has recorded an attempt of; returns the rest."""
    rows = await tx.fetch(
        """
        UPDATE webhook_deliveries d SET attempts = r.attempts, status = r.status, step = r.step, first_at = r.first_at,
            next_at = r.next_at, ended_at = CASE WHEN r.status = 'waiting' THEN NULL ELSE $8::timestamptz END
        FROM unnest($2::uuid[], $3::integer[], $4::text[], $5::integer[], $6::timestamptz[], $7::timestamptz[])
            AS r (id, attempts, status, step, first_at, next_at)
        WHERE d.tenant_id = $1 AND d.id = r.id AND d.attempts = r.attempts - 1 AND d.status = 'waiting'
        RETURNING d.id
        """,
        tx.actor.tenant_id,
        *map(list, zip(*recorded, strict=True)),
        at,
    )
    return {row["id"] for row in rows}


async def insert_attempts(tx: Tx, attempts: Sequence[tuple[UUID, Attempt]]) -> None:
    await tx.executemany(
        """
        INSERT INTO webhook_attempts (tenant_id, delivery_id, number, at, milliseconds, status, error, request_headers,
            answer_type, answer)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """,
        [
            (
                tx.actor.tenant_id,
                delivery_id,
                each.number,
                each.at,
                each.milliseconds,
                each.status,
                each.error,
                each.request_headers,
                each.answer_type,
                each.answer,
            )
            for delivery_id, each in attempts
        ],
    )


async def queue_again(tx: Tx, delivery_id: UUID, at: datetime) -> None:
    """From the first wait on, with a day of its own."""
    await tx.execute(
        """
        UPDATE webhook_deliveries SET status = 'waiting', step = 0, first_at = NULL, next_at = $3, ended_at = NULL
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        delivery_id,
        at,
    )


async def find(tx: Tx, endpoint_id: UUID, delivery_id: UUID) -> Delivery | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM webhook_deliveries d {_LAST} WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.id = $3",
        tx.actor.tenant_id,
        endpoint_id,
        delivery_id,
    )
    return from_row(row) if row else None


async def list_attempts(tx: Tx, delivery_id: UUID, limit: int) -> list[Attempt]:
    rows = await tx.fetch(
        f"""
        SELECT number, at, milliseconds, status, error, request_headers, answer_type, answer FROM webhook_attempts
        WHERE tenant_id = $1 AND delivery_id = $2 ORDER BY number DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        delivery_id,
    )
    return [Attempt(**row) for row in rows]


async def list_newest_first(
    tx: Tx,
    endpoint_id: UUID,
    status: DeliveryStatus | None,
    event: str | None,
    before: tuple[object, UUID],
    limit: int,
) -> list[Delivery]:
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM webhook_deliveries d {_LAST}
        WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND (d.created_at, d.id) < ($3, $4)
          AND ($5::text IS NULL OR d.status = $5) AND ($6::text IS NULL OR d.name = $6)
        ORDER BY d.created_at DESC, d.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        endpoint_id,
        *before,
        status,
        event,
    )
    return [from_row(row) for row in rows]


async def delete_old(tx: Tx, before: datetime, limit: int) -> int:
    """Forget what is over, or has waited, for so long; a batch."""
    return await tx.execute(
        f"""
        DELETE FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY (ARRAY(
            SELECT o.id FROM webhook_deliveries o WHERE o.tenant_id = $1 AND o.created_at < $2
            ORDER BY o.created_at LIMIT {limit:d}))
        """,
        tx.actor.tenant_id,
        before,
    )
