"""Reads a session with all of its events, the large ones whole, in short transactions. Infrastructure."""

from collections.abc import Container
from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.db import Actor, Database
from goldloop.kit.outside import Outside
from goldloop.sessions import event_store
from goldloop.sessions.large_payloads import read_whole
from goldloop.sessions.model import Session, SessionEvent

PAGE = 200


class PayloadLost(Exception):
    """The blob store does not have a payload any more."""


async def read_events(
    db: Database,
    outside: Outside,
    actor: Actor,
    session_id: UUID,
    whole_types: Container[str] | None = None,
    after: int = 0,
) -> list[SessionEvent]:
    """By `seq`, from after a given one. Large payloads of other types than `whole_types` stay previews, where that is given. Raises PayloadLost."""
    events: list[SessionEvent] = []
    more = True
    while more:
        async with db.reading().tx(actor) as tx:
            found = await event_store.list_events(tx, session_id, after, PAGE)
        for event in found.page.read(SessionEvent).data:
            after = event.seq
            if not event.whole and (whole_types is None or event.type in whole_types):
                payload = await _read_payload(db, outside, actor, session_id, event.seq)
                event = msgspec.structs.replace(event, payload=payload, whole=True)
            events.append(event)
        more = found.page.next_cursor is not None
    return events


async def _read_payload(
    db: Database, outside: Outside, actor: Actor, session_id: UUID, seq: int
) -> dict[str, Any]:
    async with db.reading().tx(actor) as tx:
        stored = await event_store.find_payload(tx, session_id, seq)
    whole = await read_whole(outside.blobs, actor.tenant_id, stored) if stored else None
    if whole is None:
        raise PayloadLost
    payload: dict[str, Any] = msgspec.json.decode(whole)
    return payload


async def read_whole_session(
    db: Database, outside: Outside, actor: Actor, session: Session
) -> dict[str, Any]:
    """As evals compare and replay it. Raises PayloadLost."""
    events = await read_events(db, outside, actor, session.id)
    return {
        "type": str(session.type),
        "status": str(session.status),
        "input": session.input,
        "output": session.output,
        "events": [{"type": event.type, "payload": event.payload} for event in events],
    }
