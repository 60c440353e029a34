"""Use cases: start and record sessions, add events, end, cancel and read them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.agents import service as configurations
from goldloop.entities.records import service as records
from goldloop.entities.records.words import terms
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import Event, EventType, emit
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_cursor, decode_pair, page
from goldloop.sessions import events, store
from goldloop.sessions.model import (
    Appended,
    ConversationRef,
    EventNotFound,
    ListedAgent,
    Session,
    SessionEnded,
    SessionError,
    SessionEvent,
    SessionExists,
    SessionNotFound,
    SessionSource,
    SessionStatus,
    SessionType,
)
from goldloop.sessions.payloads import spoken_words
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ
from goldloop.sessions.store import ListFilter, NewEvent, StoredPayload
from goldloop.tenants.agents import service as agents
from goldloop.tenants.agents import store as registry
from goldloop.tenants.model import Agent
from goldloop.tenants.parties.store import party_of

MOST_EVENTS = 1000  # of one call
MOST_SEQ = 2**31 - 1
NO_RUNTIME = (
    "This agent has no configuration: it runs elsewhere. Configure it, or record it with source client"
)

_SENT = ("external_id", "type", "source", "agent", "entity_id", "conversation", "input", "metadata")


class NewSession(NamedTuple):
    """`agent` is a slug or an id of the registry, or any text."""

    agent: str | None
    input: dict[str, Any]
    type: SessionType = SessionType.AGENT
    id: UUID | None = None
    external_id: str | None = None
    entity_id: UUID | None = None
    task_id: UUID | None = None
    parent_session_id: UUID | None = None
    conversation: ConversationRef | None = None
    metadata: dict[str, Any] | None = None
    at: datetime | None = None


async def create(tx: Tx, new: NewSession) -> Session:
    """Begin to record a session that runs elsewhere. The same create again answers with what is there."""
    tx.actor.check(SESSIONS_CREATE)
    agent = await _find_agent(tx, new.agent)
    if new.entity_id is not None:
        await records.access(tx, new.entity_id)
    moment = new.at or now()
    session = Session(
        id=new.id or new_id(),
        external_id=new.external_id,
        type=new.type,
        status=SessionStatus.RUNNING,
        source=SessionSource.CLIENT,
        agent=new.agent,
        agent_id=agent.id if agent else None,
        agent_version=None,
        entity_id=new.entity_id,
        task_id=new.task_id,
        parent_session_id=new.parent_session_id,
        conversation=new.conversation,
        input=new.input,
        output=None,
        error=None,
        first_message="",
        events=0,
        requests=0,
        tool_calls=0,
        input_tokens=0,
        output_tokens=0,
        cost=None,
        metadata=new.metadata or {},
        created_at=moment,
        started_at=moment,
        last_at=moment,
        ended_at=None,
        created_by=party_of(tx.actor),
    )
    if not await store.insert(tx, session):
        return await _created_before(tx, session)
    await _append(tx, session.id, [_life("session.created", moment, _about(session))])
    await emit(tx, _event(events.CREATED, session))
    return await access(tx, session.id)


async def _find_agent(tx: Tx, agent: str | None) -> Agent | None:
    """By its slug or its id in the registry."""
    if agent is None:
        return None
    try:
        return await registry.find(tx, UUID(agent))
    except ValueError:
        return await registry.find_by_slug(tx, agent)


async def _created_before(tx: Tx, again: Session) -> Session:
    found = await store.find(tx, again.id)
    if found is None and again.external_id is not None:
        found = await store.find_external(tx, again.external_id)
    if found is None or not all(
        same_json(msgspec.to_builtins(getattr(found, name)), msgspec.to_builtins(getattr(again, name)))
        for name in _SENT
    ):
        raise SessionExists(conflict={"id": str(found.id if found else again.id)})
    return found


async def access(tx: Tx, session_id: UUID) -> Session:
    tx.actor.check(SESSIONS_READ)
    session = await store.find(tx, session_id)
    if session is None:
        raise SessionNotFound
    return session


async def list_sessions(
    tx: Tx, wanted: ListFilter, agent: str | None, words: str | None, cursor: str | None, limit: int
) -> Page[Session]:
    """`agent` is a slug or an id of the registry; one that is not there has no sessions."""
    tx.actor.check(SESSIONS_READ)
    if agent is not None:
        found = await _find_agent(tx, agent)
        if found is None:
            return Page(data=[], next_cursor=None)
        wanted = wanted._replace(agent_id=found.id)
    wanted = wanted._replace(terms=tuple(terms(words or "")))
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, wanted, before, limit + 1)
    return page(rows, limit, lambda session: (session.created_at, session.id))


async def list_agents(tx: Tx, cursor: str | None, limit: int) -> Page[ListedAgent]:
    """By slug, each with what it runs with and its newest session."""
    tx.actor.check(SESSIONS_READ)
    found = await agents.list_agents(tx, cursor, limit)
    ids = [agent.id for agent in found.data]
    current = await configurations.list_current(tx, ids)
    last = await store.list_last_of_agents(tx, ids)
    rows = [
        ListedAgent(
            **msgspec.structs.asdict(agent),
            runs_with=current.get(agent.id),
            last_session=last.get(agent.id),
        )
        for agent in found.data
    ]
    return Page(data=rows, next_cursor=found.next_cursor)


async def record(tx: Tx, session_id: UUID, new: Sequence[NewEvent]) -> Appended:
    """Events of a session that runs elsewhere. What was sent before is not added again."""
    tx.actor.check(SESSIONS_CREATE)
    await access(tx, session_id)
    return await _append(tx, session_id, new)


async def _append(tx: Tx, session_id: UUID, new: Sequence[NewEvent]) -> Appended:
    found = await store.append(
        tx, session_id, new, spoken_words((event.type, event.payload) for event in new)
    )
    if found.outcome == "absent":
        raise SessionNotFound
    if found.outcome == "ended":
        raise SessionEnded(conflict={"id": str(session_id)})
    return Appended(added=found.added, events=found.events)


async def end(
    tx: Tx, session_id: UUID, status: SessionStatus, output: Any = None, error: SessionError | None = None
) -> Session:
    """End a session that runs elsewhere. Ending it again in the same way answers with what is there."""
    tx.actor.check(SESSIONS_CREATE)
    await access(tx, session_id)
    if error is not None and status is not SessionStatus.FAILED:
        raise InvalidInput.at("/error", "not_failed", "Only a session that failed has an error")
    return await _finish(tx, session_id, status, output, error)


async def cancel(tx: Tx, session_id: UUID) -> Session:
    """End a session now, whatever whoever runs it is doing: its next event is refused."""
    tx.actor.check(SESSIONS_CREATE)
    await access(tx, session_id)
    return await _finish(tx, session_id, SessionStatus.CANCELLED)


async def _finish(
    tx: Tx, session_id: UUID, status: SessionStatus, output: Any = None, error: SessionError | None = None
) -> Session:
    session = await store.lock(tx, session_id)
    if session is None:
        raise SessionNotFound
    if status is SessionStatus.FAILED and error is None:
        error = SessionError(code="failed", message="It failed, and nobody told why")
    if session.status.is_over:
        if session.status is not status or session.error != error or not same_json(session.output, output):
            raise SessionEnded(conflict={"id": str(session_id), "status": session.status})
        return session
    moment = await tx.moment()
    payload = {"output": output} if output is not None else {}
    payload |= msgspec.to_builtins(error) if error else {}
    await _append(tx, session_id, [_life(f"session.{status}", moment, payload)])
    await store.set_ended(tx, session_id, status, moment, output, error)
    await emit(tx, _ended(session, status, error))
    return await access(tx, session_id)


def _ended(session: Session, status: SessionStatus, error: SessionError | None) -> Event:
    if status is SessionStatus.FAILED and error is not None:
        about = msgspec.structs.asdict(_of(session))
        return events.FAILED.of(
            session.id, events.SessionFailed(**about, code=error.code, message=error.message)
        )
    return _event(events.COMPLETED if status is SessionStatus.COMPLETED else events.CANCELLED, session)


async def list_events(
    tx: Tx, session_id: UUID, cursor: str | None, limit: int, after: int | None
) -> Page[SessionEvent]:
    """By `seq`; `after` is where whoever follows a session left off."""
    await access(tx, session_id)
    start = decode_cursor(cursor, int) or after or 0
    rows = await store.list_events(tx, session_id, start, limit + 1)
    return page(rows, limit, lambda event: event.seq)


async def access_payload(tx: Tx, session_id: UUID, seq: int) -> StoredPayload:
    await access(tx, session_id)
    found = await store.find_payload(tx, session_id, seq) if 0 < seq <= MOST_SEQ else None
    if found is None:
        raise EventNotFound
    return found


def _life(kind: str, at: datetime, payload: dict[str, Any]) -> NewEvent:
    return NewEvent(new_id(), kind, at, payload)


def _about(session: Session) -> dict[str, Any]:
    known = {
        "agent": session.agent,
        "entity_id": session.entity_id and str(session.entity_id),
        "input": session.input or None,
    }
    return {key: value for key, value in known.items() if value is not None}


def _of(session: Session) -> events.OfSession:
    return events.OfSession(
        type=session.type,
        source=session.source,
        agent_id=session.agent_id or msgspec.UNSET,
        entity_id=session.entity_id or msgspec.UNSET,
        task_id=session.task_id or msgspec.UNSET,
    )


def _event(happened: EventType[events.OfSession], session: Session) -> Event:
    return happened.of(session.id, _of(session))
