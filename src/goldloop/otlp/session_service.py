"""Use cases: find or make the sessions of traces, and add the events that they do not have yet."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.ids import new_id
from goldloop.otlp import places, store
from goldloop.otlp.beginnings import Origin, begun, learned, origin_of
from goldloop.otlp.identity import TRACE_PREFIX
from goldloop.otlp.mapper import TraceStory
from goldloop.otlp.model import Trace
from goldloop.sessions import derived_service as derived
from goldloop.sessions import derived_store
from goldloop.sessions import service as sessions
from goldloop.sessions.model import ConversationRef, Session, SessionSource
from goldloop.sessions.store import NewEvent
from goldloop.tenants.model import Agent
from goldloop.tenants.parties.store import party_of


class Placing(NamedTuple):
    """A trace, locked, that makes a session or belongs to one. `project` is where its turn would go."""

    trace: Trace
    story: TraceStory
    events: Sequence[NewEvent]
    received: datetime
    project: str

    @property
    def wanted(self) -> str:
        """The external id of its session: the one that it names, else one of its own."""
        named = self.story.session
        return places.external_id(named.value) if named else f"{TRACE_PREFIX}{self.trace.trace_id.hex()}"


class Placed(NamedTuple):
    """A trace with its session, locked, as it was before the trace told more of it. `is_new` is one that was made for it, or
    for another trace of these; `conversation` is where the trace's turn goes, if it has one."""

    trace: Trace
    story: TraceStory
    events: Sequence[NewEvent]
    received: datetime
    session: Session
    is_new: bool
    origin: Origin
    conversation: ConversationRef | None


class _Found:
    """What is known of the sessions of the traces at hand, so that nothing is asked twice."""

    def __init__(self) -> None:
        self.by_id: dict[UUID, Session] = {}
        self.by_name: dict[str, Session] = {}
        self.made: set[UUID] = set()
        self.agents: dict[str | None, Agent | None] = {None: None}
        self.known: dict[UUID, set[UUID]] = {}  # events that a session has
        self.added: dict[UUID, list[list[NewEvent]]] = {}

    def keep(self, session: Session) -> None:
        self.by_id[session.id] = session
        if session.external_id is not None:
            self.by_name[session.external_id] = session


async def place_all(tx: Tx, placing: Sequence[Placing]) -> list[Placed]:
    """The sessions of traces, with the events that they did not have yet. In the order of `placing`."""
    if not placing:
        return []
    found = _Found()
    ids = [each.trace.session_id for each in placing if each.trace.session_id]
    for session in await derived.lock_all(tx, ids, [each.wanted for each in placing]):
        found.keep(session)
    await _find_agents(tx, found, placing)
    await _make_missing(tx, found, placing)
    chosen = [await _session_of(tx, found, each) for each in placing]
    await _find_known(tx, found, placing, chosen)
    placed = [
        await _add_events(tx, found, each, session) for each, session in zip(placing, chosen, strict=True)
    ]
    await derived.append_all(tx, found.added)
    return placed


async def _find_agents(tx: Tx, found: _Found, placing: Sequence[Placing]) -> None:
    """By the names that spans give them, as they are or as slugs would be."""
    for name in {each.story.agent for each in placing} - found.agents.keys():
        found.agents[name] = await sessions.find_agent(tx, places.slug(name or "") or name)


def _origin(found: _Found, each: Placing, session: Session | None) -> Origin:
    return origin_of(
        each.story,
        each.events,
        found.agents[each.story.agent],
        each.received,
        _conversation(each, session) if session else None,
    )


def _conversation(each: Placing, session: Session) -> ConversationRef | None:
    """Where its turn goes. None while it has none."""
    if each.story.ended_at is None or each.story.exchange is None:
        return None
    return ConversationRef(project=each.project, id=places.path_id(session.external_id) or str(session.id))


async def _make_missing(tx: Tx, found: _Found, placing: Sequence[Placing]) -> None:
    """The sessions that are named and not there yet, as all their traces at hand tell them."""
    new: dict[str, Session] = {}
    for each in placing:
        current = found.by_id.get(each.trace.session_id) if each.trace.session_id else None
        if each.wanted in found.by_name or (current and _is_settled(each, current)):
            continue
        session = new.get(each.wanted) or _begun(tx, found, each, each.wanted, {})
        new[each.wanted] = learned(session, _origin(found, each, session))
    await _make(tx, found, list(new.values()))
    found.made = {session.id for session in new.values()} & found.by_id.keys()


def _begun(tx: Tx, found: _Found, each: Placing, external_id: str, metadata: dict[str, str]) -> Session:
    return begun(each.story, _origin(found, each, None), external_id, metadata, new_id(), party_of(tx.actor))


async def _make(tx: Tx, found: _Found, new: Sequence[Session]) -> None:
    wanted = {session.id for session in new}
    for session in await derived.derive_all(tx, new):
        found.keep(session)
        if session.id in wanted:
            found.known[session.id] = set()
            found.added[session.id] = [[derived.beginning_of(session)]]


def _is_settled(each: Placing, current: Session) -> bool:
    """Whether the session that a trace was taken for is its own: it names no other. Also where that goes on for one that is
    golden."""
    if each.story.session is None:
        return True
    return current.external_id == each.wanted or current.metadata.get("continues_id") == each.wanted


async def _session_of(tx: Tx, found: _Found, each: Placing) -> Session:
    """A trace that was taken for a session of its own, or for another's, before more of it came is moved while nothing refers
    to that."""
    current = found.by_id.get(each.trace.session_id) if each.trace.session_id else None
    if current is not None and _is_settled(each, current):
        return current
    session = found.by_name[each.wanted]
    if current is None or current.id == session.id:
        return session
    if await _is_referred_to(tx, each.trace, current):
        await derived.link(tx, current, "belongs_to", session.id)
        return current
    await derived.merge(tx, current, session)
    return session


async def _is_referred_to(tx: Tx, trace: Trace, session: Session) -> bool:
    return (
        session.source is not SessionSource.OTLP
        or trace.has_turn
        or session.is_frozen
        or session.task_id is not None
        or await derived_store.has_children(tx, session.id)
        or await store.has_other_traces(tx, session.id, trace.trace_id)
    )


async def _find_known(tx: Tx, found: _Found, placing: Sequence[Placing], chosen: Sequence[Session]) -> None:
    """Which of the events of traces their sessions have, under any of their names."""
    pairs = [
        (session.id, name)
        for each, session in zip(placing, chosen, strict=True)
        if session.id not in found.known
        for draft in each.story.drafts
        for name in draft.known_as
    ]
    for session_id, _ in pairs:
        found.known.setdefault(session_id, set())
    for session_id, event_id in await derived.find_known(tx, pairs):
        found.known[session_id].add(event_id)


async def _add_events(tx: Tx, found: _Found, each: Placing, session: Session) -> Placed:
    """What is not there yet. A session that was over goes on where the trace is new to it; a golden one never changes: another
    goes on in its place."""
    session = found.by_id[session.id]  # as the trace before has left it
    new = _unknown(found, each, session)
    if new and session.is_frozen:
        session = await _continuation(tx, found, each, session)
        await _find_known(tx, found, [each], [session])
        new = _unknown(found, each, session)
    if new:
        is_ours = session.source is SessionSource.OTLP  # whoever records one by the client also ends it
        if is_ours and session.status.is_over and each.trace.session_id != session.id:
            session = await derived.reopen(tx, session)
            found.keep(session)
        found.known[session.id].update(event.id for event in new)
        found.added.setdefault(session.id, []).append(new)
    return Placed(
        trace=each.trace,
        story=each.story,
        events=each.events,
        received=each.received,
        session=session,
        is_new=session.id in found.made,
        origin=_origin(found, each, session),
        conversation=_conversation(each, session),
    )


def _unknown(found: _Found, each: Placing, session: Session) -> list[NewEvent]:
    known = found.known.get(session.id, set())
    return [
        event
        for event, draft in zip(each.events, each.story.drafts, strict=True)
        if known.isdisjoint(draft.known_as)
    ]


async def _continuation(tx: Tx, found: _Found, each: Placing, golden: Session) -> Session:
    """The session that goes on for a golden one: it has the same name, and a number where that is golden too."""
    number, session = 2, golden
    while session.is_frozen:
        external_id = f"{(golden.external_id or str(golden.id))[:190]} #{number}"
        if external_id not in found.by_name:
            for there in await derived.lock_all(tx, [], [external_id]):
                found.keep(there)
        if external_id not in found.by_name:
            metadata = {"continues": str(session.id), "continues_id": golden.external_id or ""}
            await _make(tx, found, [_begun(tx, found, each, external_id, metadata)])
        session = found.by_name[external_id]
        number += 1
    return session
