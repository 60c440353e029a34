"""Watching sessions that run elsewhere: one that is not heard of for a while is called stalled."""

from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.queue import set_marks
from goldloop.sessions import attention_store, events, service, store
from goldloop.sessions.model import Session, SessionStatus


async def watch(tx: Tx, session_id: UUID) -> None:
    """Call a session elsewhere stalled when nothing came from it for a while, else look again later."""
    session = await store.lock(tx, session_id)
    if session is None or session.status is not SessionStatus.RUNNING:
        return
    if await tx.moment() - await attention_store.heard_at(tx, session_id) >= service.SILENCE:
        await stall(tx, session)
    else:
        await set_marks(tx, service.WATCH, [str(session_id)])


async def stall(tx: Tx, session: Session) -> None:
    """A running session, locked, is not heard of any more."""
    await service.append(tx, session.id, [service.life("session.stalled", await tx.moment(), {})])
    await store.set_stalled(tx, session.id)
    await emit(tx, events.event_of(events.STALLED, session))
