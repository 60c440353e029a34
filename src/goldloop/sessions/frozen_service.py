"""Use cases of sessions that others are held to: freeze one, change what is known of it as such, let it go. Whoever calls
them has asked who may."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions import frozen_store
from goldloop.sessions.model import ACCEPTED_FOR, GOLDEN, Session, SessionNotFound
from goldloop.sessions.permissions import SESSIONS_READ


async def hold(tx: Tx, session_id: UUID) -> Session:
    """The session, which nobody else changes until the transaction ends, be it frozen or not."""
    tx.actor.check(SESSIONS_READ)
    session = await frozen_store.lock(tx, session_id)
    if session is None:
        raise SessionNotFound
    return session


async def set_golden(tx: Tx, session_id: UUID, golden: dict[str, Any] | None) -> None:
    """What is known of it as a golden; None: it is none any more."""
    await frozen_store.set_metadata(tx, session_id, GOLDEN, golden)


async def rename_set(tx: Tx, session_ids: Sequence[UUID], name: str) -> None:
    """The set that goldens are in has another name."""
    await frozen_store.set_golden_set(tx, session_ids, name)


async def accept_for(tx: Tx, session: Session, golden_id: UUID) -> None:
    """A session, locked, is as good as a golden."""
    accepted = {*session.metadata.get(ACCEPTED_FOR, []), str(golden_id)}
    await frozen_store.set_metadata(tx, session.id, ACCEPTED_FOR, sorted(accepted))


async def accept_no_more(tx: Tx, session: Session, golden_id: UUID) -> None:
    accepted = {*session.metadata.get(ACCEPTED_FOR, [])} - {str(golden_id)}
    await frozen_store.set_metadata(tx, session.id, ACCEPTED_FOR, sorted(accepted) or None)
