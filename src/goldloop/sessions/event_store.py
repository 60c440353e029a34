"""SQL that reads events of sessions, and where the whole of a large payload is."""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.sessions.model import SessionEvent

_JSON = json_object(SessionEvent, "p")


class EventsFound(NamedTuple):
    """`largest` is at least as many bytes as the largest payload has."""

    page: RawPage[SessionEvent]
    largest: int


async def list_events(
    tx: Tx, session_id: UUID, after: int, limit: int, *, but_of: str | None = None
) -> EventsFound:
    """By `seq`, from after a given one; none of a session with the purpose `but_of`."""
    arguments: list[Any] = [tx.actor.tenant_id, session_id, after]
    shown = ""
    if but_of is not None:
        arguments.append(but_of)
        shown = "AND (SELECT s.purpose <> $4 FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2)"
    query = f"""
        SELECT e.seq, e.id, e.type, e.at, e.payload, e.blob IS NULL AS whole, {bytes_of("e.payload")}
        FROM session_events e
        WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.seq > $3 {shown} ORDER BY e.seq LIMIT {limit + 1:d}
    """
    found: Any = await tx.fetch_page(json_page(query, _JSON, limit, "seq"), *arguments)
    return EventsFound(read_page(found), found["largest"] or 0)


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
