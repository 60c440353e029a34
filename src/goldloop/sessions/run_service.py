"""Use cases of whoever runs a session here: claim it, ask a person, end it. Every one is refused when the claim is lost."""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.sessions import events, service, store
from goldloop.sessions.model import (
    ClaimLost,
    Question,
    Session,
    SessionError,
    SessionStatus,
)


class Claim(NamedTuple):
    """The right to work on a session, until somebody else takes it."""

    session_id: UUID
    number: int


async def claim(tx: Tx, session_id: UUID, payload: dict[str, Any]) -> Claim | None:
    """Take a session that is not over and waits for nobody. None where there is nothing to do."""
    session = await store.lock(tx, session_id)
    if session is None or session.status.is_over or session.status is SessionStatus.WAITING:
        return None
    moment = await tx.moment()
    number = await store.claim(tx, session_id, moment)
    claimed = service.life("session.claimed", moment, {"claim": number, **payload})
    await service.append(tx, session_id, [claimed], number)
    return Claim(session_id, number)


async def lock_open(tx: Tx, session_id: UUID) -> Session | None:
    """A session that nobody else changes until the transaction ends, for whoever goes on with it without a claim. None
    where it is over, or not there."""
    session = await store.lock(tx, session_id)
    return None if session is None or session.status.is_over else session


async def access(tx: Tx, claim: Claim) -> Session:
    """The session, for whoever works on it still. Raises ClaimLost."""
    session = await store.find_claimed(tx, claim.session_id, claim.number)
    if session is None or session.status is not SessionStatus.RUNNING:
        raise ClaimLost
    return session


async def finish(
    tx: Tx, claim: Claim, status: SessionStatus, output: Any = None, error: SessionError | None = None
) -> Session:
    await hold(tx, claim)
    return await service.finish(tx, claim.session_id, status, output, error)


async def ask(tx: Tx, claim: Claim, question: Question) -> None:
    """Leave a session to wait for a person. Whoever had the claim has it no more."""
    session = await hold(tx, claim)
    asked = {"call_id": question.call_id, "question": question.text}
    waits = service.life("session.waiting", await tx.moment(), asked)
    await service.append(tx, claim.session_id, [waits], claim.number)
    await store.set_waiting(tx, claim.session_id, question)
    await emit(tx, events.event_of(events.WAITING, session))


async def set_prompt(tx: Tx, claim: Claim, manifest: str, payload: dict[str, Any]) -> None:
    """What knowledge is in the prompt of a session from its first request on."""
    await hold(tx, claim)
    loaded = service.life("prompt.loaded", await tx.moment(), {"manifest": manifest, **payload})
    await service.append(tx, claim.session_id, [loaded], claim.number)
    await store.set_manifest(tx, claim.session_id, manifest)


async def hold(tx: Tx, claim: Claim) -> Session:
    """The session, which nobody else takes until the transaction ends."""
    session = await store.lock_claimed(tx, claim.session_id, claim.number)
    if session is None or session.status.is_over:
        raise ClaimLost
    return session
