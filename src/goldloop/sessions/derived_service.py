"""Use cases of sessions that are derived from what others send: they begin, go on, and may turn out to be part of another.
Whoever derives them also ends and watches them."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import emit, emit_all
from goldloop.sessions import derived_store, events, store
from goldloop.sessions.derived_store import Addition
from goldloop.sessions.model import Session
from goldloop.sessions.payloads import spoken_words
from goldloop.sessions.permissions import SESSIONS_CREATE
from goldloop.sessions.service import MOST_EVENTS, about, access, append, life
from goldloop.sessions.store import NewEvent

SESSIONS_AT_ONCE = 20  # whose events go into one statement


async def derive_all(tx: Tx, new: Sequence[Session]) -> list[Session]:
    """Sessions as they begin, locked; in the place of one whose external id somebody has taken meanwhile the one that is
    there. Whoever makes them also writes down that they began (`beginning_of`)."""
    tx.actor.check(SESSIONS_CREATE)
    if not new:
        return []
    await store.refuse_erased(tx, new)
    made = await derived_store.insert_all(tx, new)
    await emit_all(tx, [events.event_of(events.CREATED, each) for each in new if each.id in made])
    taken = [each.external_id or "" for each in new if each.id not in made]
    found = {each.external_id: each for each in await lock_all(tx, [], taken)} if taken else {}
    return [each if each.id in made else found[each.external_id] for each in new]


def beginning_of(session: Session) -> NewEvent:
    """The first event of a session that was derived."""
    return life("session.created", session.created_at, about(session))


async def append_all(tx: Tx, added: Mapping[UUID, Sequence[Sequence[NewEvent]]]) -> None:
    """Events of several sessions, which may be over meanwhile; those of each in lists of which each brings its own words."""
    additions: list[Addition] = []
    for session_id, lists in added.items():
        whole = [event for each in lists for event in each]
        words = dict.fromkeys(
            word for each in lists for word in spoken_words((e.type, e.payload) for e in each)
        )
        for start in range(0, len(whole), MOST_EVENTS):
            additions.append(Addition(session_id, whole[start : start + MOST_EVENTS], list(words)))
            words = {}
    for start in range(0, len(additions), SESSIONS_AT_ONCE):
        await derived_store.append_all(tx, additions[start : start + SESSIONS_AT_ONCE])


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


async def lock_all(tx: Tx, ids: Sequence[UUID], external_ids: Sequence[str]) -> list[Session]:
    """Those of the ids, and those that whoever sends them calls so."""
    tx.actor.check(SESSIONS_CREATE)
    return await derived_store.lock_all(tx, ids, external_ids)


async def link(tx: Tx, session: Session, key: str, other: UUID) -> None:
    """Say in its metadata which other session it has to do with; one that is frozen stays as it is."""
    tx.actor.check(SESSIONS_CREATE)
    if not session.is_frozen:
        await derived_store.set_link(tx, session.id, key, other)


async def tell_origins(tx: Tx, sessions: Sequence[Session]) -> None:
    """What was learned of sessions, locked: whose they are, when they began."""
    tx.actor.check(SESSIONS_CREATE)
    if sessions:
        await derived_store.set_origins(tx, sessions)


async def find_known(tx: Tx, pairs: Sequence[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """Those of the pairs of a session and an event's id that are there."""
    tx.actor.check(SESSIONS_CREATE)
    return await derived_store.known_events(tx, pairs) if pairs else set()
