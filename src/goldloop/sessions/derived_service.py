"""Use cases of sessions that are derived from what others send: they begin, go on, and may turn out to be part of another.
Whoever derives them also ends and watches them."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.sessions import derived_store, events, store
from goldloop.sessions.beginning import NewSession, first_state
from goldloop.sessions.derived_store import Origin
from goldloop.sessions.model import Session, SessionExists, SessionSource
from goldloop.sessions.permissions import SESSIONS_CREATE
from goldloop.sessions.service import about, access, append, life
from goldloop.tenants.model import Agent
from goldloop.tenants.parties.store import party_of


async def derive(tx: Tx, new: NewSession, agent: Agent | None) -> Session:
    """Locked; the one of the same external id where there is one."""
    tx.actor.check(SESSIONS_CREATE)
    session = first_state(new, SessionSource.OTLP, agent, None, new_id(), now(), party_of(tx.actor))
    if not await store.insert(tx, session):
        found = await lock_external(tx, new.external_id or "")
        if found is None:
            raise SessionExists(conflict={"id": str(session.id)})
        return found
    await append(tx, session.id, [life("session.created", session.created_at, about(session))])
    await emit(tx, events.event_of(events.CREATED, session))
    return msgspec.structs.replace(session, events=1)


async def reopen(tx: Tx, session: Session) -> Session:
    """A session that was over, locked, goes on: more of it was told."""
    await derived_store.set_reopened(tx, session.id)
    await append(tx, session.id, [life("session.reopened", await tx.moment(), {"was": str(session.status)})])
    await emit(tx, events.event_of(events.REOPENED, session))
    return await access(tx, session.id)


async def merge(tx: Tx, session: Session, into: Session) -> None:
    """A session, locked, turns out to be part of another, which has its events from now on. Its own stay where they are, and
    it is in no list any more."""
    merged = life("session.merged", await tx.moment(), {"merged_into": str(into.id)})
    await append(tx, session.id, [merged], late=True)
    await derived_store.set_merged(tx, session.id, into.id)
    await emit(tx, events.event_of(events.MERGED, session))


async def lock(tx: Tx, session_id: UUID) -> Session | None:
    """The session, which nobody else changes until the transaction ends."""
    tx.actor.check(SESSIONS_CREATE)
    return await store.lock(tx, session_id)


async def lock_external(tx: Tx, external_id: str) -> Session | None:
    tx.actor.check(SESSIONS_CREATE)
    return await derived_store.lock_external(tx, external_id)


async def link(tx: Tx, session_id: UUID, key: str, other: UUID) -> None:
    """Say in its metadata which other session it has to do with."""
    tx.actor.check(SESSIONS_CREATE)
    await derived_store.set_link(tx, session_id, key, other)


async def tell_origin(tx: Tx, session_id: UUID, origin: Origin) -> None:
    tx.actor.check(SESSIONS_CREATE)
    await derived_store.set_origin(tx, session_id, origin)


async def find_known(tx: Tx, session_id: UUID, event_ids: Sequence[UUID]) -> set[UUID]:
    """Those of the ids that the session has events of."""
    tx.actor.check(SESSIONS_CREATE)
    return await derived_store.known_events(tx, session_id, event_ids)
