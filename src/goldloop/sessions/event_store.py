"""SQL that reads events of sessions, and where the whole of a large payload is."""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.sessions.model import SessionEvent


async def list_events(tx: Tx, session_id: UUID, after: int, limit: int) -> Rows[SessionEvent]:
    """By `seq`, from after a given one."""
    query = f"""
        SELECT e.seq, e.id, e.type, e.at, e.payload, e.blob IS NULL AS whole, {bytes_of("e.payload")}
        FROM session_events e
        WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.seq > $3 ORDER BY e.seq LIMIT {limit:d}
    """
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, session_id, after)
    return Rows.read(rows, event_from_row)


def event_from_row(row: Any) -> SessionEvent:
    return SessionEvent(
        seq=row["seq"],
        id=row["id"],
        type=row["type"],
        at=row["at"],
        payload=row["payload"],
        whole=row["whole"],
    )


class StoredPayload(NamedTuple):
    payload: dict[str, Any]
    blob: str | None


async def find_payload(tx: Tx, session_id: UUID, seq: int) -> StoredPayload | None:
    row = await tx.fetchrow(
        """
        SELECT e.payload, e.blob FROM session_events e
        WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.seq = $3
        """,
        tx.actor.tenant_id,
        session_id,
        seq,
    )
    return StoredPayload(row["payload"], row["blob"]) if row else None


async def find_payload_of(tx: Tx, session_id: UUID, event_id: UUID) -> StoredPayload | None:
    row = await tx.fetchrow(
        """
        SELECT e.payload, e.blob FROM session_events e
        WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.id = $3
        """,
        tx.actor.tenant_id,
        session_id,
        event_id,
    )
    return StoredPayload(row["payload"], row["blob"]) if row else None


async def find_model(tx: Tx, session_id: UUID) -> str | None:
    """The language model that answered last in a session, as its provider calls it."""
    found: str | None = await tx.fetchval(
        """
        SELECT e.payload ->> 'model' FROM session_events e
        WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.type = 'model.response' ORDER BY e.seq DESC LIMIT 1
        """,
        tx.actor.tenant_id,
        session_id,
    )
    return found
