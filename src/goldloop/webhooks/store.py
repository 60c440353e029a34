"""SQL of receivers. The only writer of `webhook_endpoints`."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql
from goldloop.webhooks.model import SwitchedOff, Webhook

MOST_COUNTED = 1001

_COLUMNS = f"""
    w.id, w.url, w.description, w.events, w.enabled, w.switched_off, w.switched_off_at, w.failures, w.failing_since,
    w.paused_until, w.last_error, w.last_success_at, w.version, w.created_at, w.updated_at, w.created_by_kind, w.created_by_id,
    CASE WHEN w.previous_until > now() THEN w.previous_until END AS previous_secret_until,
    (SELECT count(*) FROM (
        SELECT FROM webhook_deliveries d
        WHERE d.tenant_id = $1 AND d.endpoint_id = w.id AND d.status = 'waiting' LIMIT {MOST_COUNTED:d}) c) AS waiting,
    {name_sql("$1", "w.created_by_kind", "w.created_by_id")} AS created_by_name
"""


class Definition(NamedTuple):
    """What whoever makes or changes a webhook says about it."""

    url: str
    description: str
    events: list[str]
    enabled: bool


class Receiver(NamedTuple):
    """A receiver as the sender needs it; its secrets are sealed."""

    id: UUID
    url: str
    enabled: bool
    failures: int
    failing_since: datetime | None
    paused_until: datetime | None
    secret: bytes
    previous_secret: bytes | None
    previous_until: datetime | None


class Health(NamedTuple):
    """How a receiver fares."""

    failures: int
    failing_since: datetime | None
    paused_until: datetime | None
    last_error: str | None
    last_success_at: datetime | None


def from_row(row: Any) -> Webhook:
    return Webhook(
        id=row["id"],
        url=row["url"],
        description=row["description"],
        events=row["events"],
        enabled=row["enabled"],
        switched_off=SwitchedOff(row["switched_off"]) if row["switched_off"] else None,
        switched_off_at=row["switched_off_at"],
        failures=row["failures"],
        failing_since=row["failing_since"],
        paused_until=row["paused_until"],
        last_error=row["last_error"],
        last_success_at=row["last_success_at"],
        waiting=row["waiting"],
        previous_secret_until=row["previous_secret_until"],
        version=row["version"],
        created_at=row["created_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
        updated_at=row["updated_at"],
    )


async def insert(tx: Tx, webhook_id: UUID, new: Definition, secret: bytes) -> bool:
    """False when the id is taken."""
    return bool(
        await tx.execute(
            """
            INSERT INTO webhook_endpoints (tenant_id, id, url, description, events, enabled, secret, created_by_kind,
                created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            webhook_id,
            *new,
            secret,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, webhook_id: UUID) -> Webhook | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM webhook_endpoints w WHERE w.tenant_id = $1 AND w.id = $2",
        tx.actor.tenant_id,
        webhook_id,
    )
    return from_row(row) if row else None


async def lock(tx: Tx, webhook_id: UUID) -> Receiver | None:
    row = await tx.fetchrow(
        """
        SELECT id, url, enabled, failures, failing_since, paused_until, secret, previous_secret, previous_until
        FROM webhook_endpoints WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE
        """,
        tx.actor.tenant_id,
        webhook_id,
    )
    return Receiver(*row) if row else None


async def lock_all(tx: Tx) -> None:
    """Webhooks of a workspace are made one after the other, until the transaction ends."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || $1::uuid, 0))", tx.actor.tenant_id
    )


async def count(tx: Tx) -> int:
    counted: int = await tx.fetchval(
        "SELECT count(*) FROM webhook_endpoints WHERE tenant_id = $1", tx.actor.tenant_id
    )
    return counted


async def count_switched_off(tx: Tx) -> int:
    counted: int = await tx.fetchval(
        "SELECT count(*) FROM webhook_endpoints WHERE tenant_id = $1 AND switched_off IS NOT NULL",
        tx.actor.tenant_id,
    )
    return counted


async def list_newest_first(tx: Tx, before: tuple[object, UUID], limit: int) -> list[Webhook]:
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM webhook_endpoints w WHERE w.tenant_id = $1 AND (w.created_at, w.id) < ($2, $3)
        ORDER BY w.created_at DESC, w.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *before,
    )
    return [from_row(row) for row in rows]


async def list_listening(tx: Tx) -> list[tuple[UUID, list[str]]]:
    """Those that are switched on, with the events that they want."""
    rows = await tx.fetch(
        "SELECT id, events FROM webhook_endpoints WHERE tenant_id = $1 AND enabled", tx.actor.tenant_id
    )
    return [(row["id"], row["events"]) for row in rows]


async def update(tx: Tx, webhook_id: UUID, changed: Definition) -> None:
    """Whoever changes it has seen why it was switched off, and it is tried at once."""
    await tx.execute(
        """
        UPDATE webhook_endpoints SET url = $3, description = $4, events = $5, enabled = $6, switched_off = NULL,
            switched_off_at = NULL, failures = 0, failing_since = NULL, paused_until = NULL, last_error = NULL,
            version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        webhook_id,
        *changed,
    )


async def set_secret(
    tx: Tx, webhook_id: UUID, secret: bytes, previous: bytes | None, until: datetime | None
) -> None:
    await tx.execute(
        """
        UPDATE webhook_endpoints SET secret = $3, previous_secret = $4, previous_until = $5, version = version + 1,
            updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        webhook_id,
        secret,
        previous,
        until,
    )


async def set_health(tx: Tx, webhook_id: UUID, health: Health) -> None:
    await tx.execute(
        """
        UPDATE webhook_endpoints SET failures = $3, failing_since = $4, paused_until = $5, last_error = $6,
            last_success_at = coalesce($7, last_success_at)
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        webhook_id,
        *health,
    )


async def end_pause(tx: Tx, webhook_id: UUID) -> None:
    await tx.execute(
        "UPDATE webhook_endpoints SET paused_until = NULL WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        webhook_id,
    )


async def switch_off(tx: Tx, webhook_id: UUID, why: SwitchedOff, at: datetime) -> None:
    await tx.execute(
        """
        UPDATE webhook_endpoints SET enabled = false, switched_off = $3, switched_off_at = $4, version = version + 1,
            updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        webhook_id,
        why,
        at,
    )


async def delete(tx: Tx, webhook_id: UUID) -> bool:
    return bool(
        await tx.execute(
            "DELETE FROM webhook_endpoints WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, webhook_id
        )
    )
