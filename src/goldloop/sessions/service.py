"""Use cases: start and record sessions, add events, end, cancel, answer, dismiss and read them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from goldloop.agents import store as configurations
from goldloop.conversations.turns import store as turns
from goldloop.entities.records import service as records
from goldloop.entities.records.words import terms
from goldloop.kit.clock import now
from goldloop.kit.db import Caller, Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import Event, emit
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import LAST_ID, LAST_TIME, NO_ROWS, RawPage, decode_cursor, decode_pair
from goldloop.kit.queue import set_marks
from goldloop.sessions import event_store, events, labelled_store, list_store, store
from goldloop.sessions.beginning import JUDGING, REPLAY, TRIALS, NewSession, first_state
from goldloop.sessions.event_store import StoredPayload
from goldloop.sessions.labelled_service import list_labelled, show_own
from goldloop.sessions.limit_service import check_limits
from goldloop.sessions.list_store import ListFilter
from goldloop.sessions.model import (
    RESERVED_METADATA,
    Appended,
    ClaimLost,
    EventNotFound,
    NoRuntime,
    NothingToDismiss,
    NotWaiting,
    RanElsewhere,
    RunsHere,
    Session,
    SessionDetail,
    SessionEnded,
    SessionError,
    SessionEvent,
    SessionExists,
    SessionIsReplay,
    SessionNotFound,
    SessionSource,
    SessionStatus,
    SessionTurn,
)
from goldloop.sessions.payloads import LARGE, keep, spoken_words
from goldloop.sessions.permissions import JUDGINGS_READ, SESSIONS_CREATE, SESSIONS_READ
from goldloop.sessions.shown import is_hidden, previewed, shown
from goldloop.sessions.store import NewEvent, Outcome
from goldloop.tenants.agents import store as registry
from goldloop.tenants.model import Agent, AgentNotFound
from goldloop.tenants.parties.store import party_of

MOST_EVENTS = 1000  # of one call
MOST_SEQ = 2**31 - 1
MOST_TURNS = 100  # that are shown with a session
SILENCE = timedelta(minutes=15)  # of a session elsewhere, after which it counts as stalled
WATCH = "sessions.watch"  # the mark of a session elsewhere that might go silent
NOT_CONFIGURED = (
    "This agent has no configuration: it runs elsewhere. Configure it, or record it with source client"
)
_SENT = (
    "external_id", "type", "source", "purpose", "agent", "entity_id", "parent_session_id", "conversation", "input", "metadata"
)  # fmt: skip


async def create(tx: Tx, new: NewSession) -> Session:
    """Begin to record a session that runs elsewhere. The same create again answers with what is there."""
    tx.actor.check(SESSIONS_CREATE)
    agent = await find_agent(tx, new.agent)
    session = first_state(new, SessionSource.CLIENT, agent, None, new_id(), now(), party_of(tx.actor))
    created = await _insert(tx, new, session, [])
    await set_marks(tx, WATCH, [str(created.id)])
    return created


async def start(tx: Tx, new: NewSession, version: int | None = None) -> Session:
    """Queue a run of an agent here, in its newest version or the one that is named. The same start again answers with what is
    there."""
    tx.actor.check(SESSIONS_CREATE)
    agent, newest = await access_runnable(tx, new.agent)
    version = version or newest
    session = first_state(new, SessionSource.RUN, agent, version, new_id(), now(), party_of(tx.actor))
    message = {"text": new.input.get("message", "")}
    return await _insert(tx, new, session, [life("user.message", session.created_at, message)])


async def access_runnable(tx: Tx, name: str | None) -> tuple[Agent, int]:
    """An agent that can be run here, by its slug or its id, and its newest version."""
    agent = await find_agent(tx, name)
    if agent is None:
        raise AgentNotFound(f"No agent here is called {name}")
    if not agent.active:
        raise NoRuntime("This agent is not active")
    version = await configurations.find_newest(tx, agent.id)
    if version is None:
        raise NoRuntime(NOT_CONFIGURED)
    return agent, version.version


async def _insert(tx: Tx, new: NewSession, session: Session, more: list[NewEvent]) -> Session:
    if new.entity_id is not None:
        await records.access(tx, new.entity_id)
    await _check_parent(tx, session)
    await store.refuse_erased(tx, [session])
    await check_limits(tx, session)
    if not await store.insert(tx, session):
        return await _created_before(tx, session)
    began = life("session.created", session.created_at, about(session))
    await append(tx, session.id, [began, *more])
    await emit(tx, events.event_of(events.CREATED, session))
    return await access(tx, session.id)


async def _check_parent(tx: Tx, session: Session) -> None:
    parent_id = session.parent_session_id
    if parent_id is not None and (parent_id == session.id or await store.find(tx, parent_id) is None):
        raise InvalidInput.at(
            "/parent_session_id", "session_not_found", "There is no such session to be part of"
        )


async def find_agent(tx: Tx, agent: str | None) -> Agent | None:
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
        for name in (*_SENT, *(("manifest",) if again.source is SessionSource.CLIENT else ()))
    ):
        raise SessionExists(conflict={"id": str(found.id if found else again.id)})
    return found


async def access(tx: Tx, session_id: UUID) -> Session:
    tx.actor.check(SESSIONS_READ)
    session = await store.find(tx, session_id)
    if session is None:
        raise SessionNotFound
    return session


async def _access_shown(tx: Tx, session_id: UUID) -> Session:
    session = await access(tx, session_id)
    labelled = await list_labelled(tx, [session])
    if is_hidden(session, tx.actor, labelled):
        raise SessionNotFound
    return shown(session, tx.actor, labelled)


async def _hold(tx: Tx, session_id: UUID) -> Session:
    """The session, which nobody else changes until the transaction ends; one that is frozen has ended, and nobody does."""
    session = await store.lock(tx, session_id) or await store.find(tx, session_id)
    if session is None:
        raise SessionNotFound
    return session


async def show(tx: Tx, session_id: UUID) -> SessionDetail:
    session = await _access_shown(tx, session_id)
    names = [str(session.id), *([session.external_id] if session.external_id else [])]
    found = await turns.turns_of_session(tx, names, MOST_TURNS)
    return SessionDetail(
        **msgspec.structs.asdict(session), turns=[SessionTurn(**place._asdict()) for place in found]
    )


async def list_sessions(
    tx: Tx, wanted: ListFilter, agent: str | None, words: str | None, cursor: str | None, limit: int
) -> RawPage[Session]:
    """`agent` is a slug or an id of the registry; one that is not there has no sessions."""
    tx.actor.check(SESSIONS_READ)
    if wanted.purpose == JUDGING and not tx.actor.may(JUDGINGS_READ):
        return NO_ROWS
    if agent is not None:
        found = await find_agent(tx, agent)
        if found is None:
            return NO_ROWS
        wanted = wanted._replace(agent_id=found.id)
    wanted = wanted._replace(terms=tuple(terms(words or "")))
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    item = labelled_store.listed_json(wanted.purpose, tx.actor.may(JUDGINGS_READ))
    return await list_store.list_newest_first(tx, wanted, before, limit, item)


async def record(caller: Caller, session_id: UUID, new: Sequence[NewEvent]) -> Appended:
    """Events of a session that runs elsewhere. What was sent before is not added again."""
    caller.actor.check(SESSIONS_CREATE)
    caller.actor.check(SESSIONS_READ)
    return _appended(session_id, await store.append(caller, session_id, new, _words(new), watch=SILENCE))


def _check_elsewhere(session: Session) -> None:
    if session.source is SessionSource.RUN:
        raise RunsHere(conflict={"id": str(session.id)})


async def append(
    tx: Tx, session_id: UUID, new: Sequence[NewEvent], claim: int | None = None, *, late: bool = False
) -> Appended:
    """Raises ClaimLost for whoever works on a session that another has taken since. What is `late` is told of a session that
    may be over meanwhile."""
    return _appended(session_id, await store.append(tx, session_id, new, _words(new), claim, late))


def _words(new: Sequence[NewEvent]) -> list[str]:
    return spoken_words((event.type, event.payload) for event in new)


def _appended(session_id: UUID, found: Outcome) -> Appended:
    if found.outcome == "lost":
        raise ClaimLost
    if found.outcome == "absent":
        raise SessionNotFound
    if found.outcome == "here":
        raise RunsHere(conflict={"id": str(session_id)})
    if found.outcome == "ended":
        raise SessionEnded(conflict={"id": str(session_id)})
    return Appended(added=found.added, events=found.events)


async def end(
    tx: Tx,
    session_id: UUID,
    status: SessionStatus,
    output: Any = None,
    error: SessionError | None = None,
    at: datetime | None = None,
) -> Session:
    """End a session that runs elsewhere. Ending it again in the same way answers with what is there."""
    tx.actor.check(SESSIONS_CREATE)
    _check_elsewhere(await access(tx, session_id))
    if error is not None and status is not SessionStatus.FAILED:
        raise InvalidInput.at("/error", "not_failed", "Only a session that failed has an error")
    return await show_own(tx, await finish(tx, session_id, status, output, error, at))


async def cancel(tx: Tx, session_id: UUID) -> Session:
    """End a session now, whatever whoever runs it is doing: its next event is refused."""
    tx.actor.check(SESSIONS_CREATE)
    await access(tx, session_id)
    return await show_own(tx, await finish(tx, session_id, SessionStatus.CANCELLED))


async def answer(tx: Tx, session_id: UUID, text: str) -> Session:
    """What a person says to a session that waits for them: the result of its tool call. It goes on."""
    tx.actor.check(SESSIONS_CREATE)
    await access(tx, session_id)
    session = await _hold(tx, session_id)
    if session.status is not SessionStatus.WAITING or session.question is None:
        raise NotWaiting(conflict={"id": str(session_id), "status": str(session.status)})
    moment, call_id = await tx.moment(), session.question.call_id
    answered = {"call_id": call_id, "text": text, "by": msgspec.to_builtins(party_of(tx.actor))}
    result = {"id": call_id, "result": {"answer": text}}
    await append(
        tx,
        session_id,
        [life("session.answered", moment, answered), life("tool.result", moment, result)],
    )
    await store.set_queued(tx, session_id)
    await emit(tx, events.event_of(events.ANSWERED, session))
    return await show_own(tx, await access(tx, session_id))


async def dismiss(tx: Tx, session_id: UUID) -> Session:
    """A session that failed or stalled has been looked at: it waits for nobody any more. Again: no change."""
    tx.actor.check(SESSIONS_CREATE)
    await access(tx, session_id)
    session = await _hold(tx, session_id)
    if session.status not in (SessionStatus.FAILED, SessionStatus.STALLED):
        raise NothingToDismiss(conflict={"id": str(session_id), "status": str(session.status)})
    if session.dismissed_at is None:
        await store.set_dismissed(tx, session_id, await tx.moment())
        await emit(tx, events.event_of(events.DISMISSED, session))
    return await show_own(tx, await access(tx, session_id))


async def run_again(tx: Tx, session_id: UUID, again_id: UUID | None) -> Session:
    """The same input to the same agent, in the version that it has now. A failed one waits for nobody any more."""
    old = await access(tx, session_id)
    if old.source is not SessionSource.RUN:
        raise RanElsewhere(conflict={"id": str(session_id)})
    if old.purpose == REPLAY:
        raise SessionIsReplay(conflict={"id": str(session_id)})
    again = NewSession(
        agent=old.agent,
        input=old.input,
        type=old.type,
        purpose=old.purpose,
        id=again_id,
        entity_id=old.entity_id,
        task_id=old.task_id,
        parent_session_id=old.parent_session_id,
        conversation=old.conversation,
        metadata=_own(old.metadata) | {"run_again_of": str(old.id)},
    )
    session = await start(tx, again)
    if old.status in (SessionStatus.FAILED, SessionStatus.STALLED):
        await dismiss(tx, old.id)
    return session


def _own(metadata: dict[str, Any]) -> dict[str, Any]:
    """What is said of a session itself, and not of its being golden or a replay."""
    return {key: value for key, value in metadata.items() if key not in RESERVED_METADATA}


async def keep_eval_result(tx: Tx, session_id: UUID, result: dict[str, Any]) -> None:
    """What a replay came to beside its golden, for whoever compared them."""
    await store.set_eval_result(tx, session_id, result)


async def keep_eval_rubric(tx: Tx, session_id: UUID, rubric: dict[str, Any]) -> None:
    """What a judge says of a replay, for whoever asked it."""
    await store.set_eval_rubric(tx, session_id, rubric)


async def finish(
    tx: Tx,
    session_id: UUID,
    status: SessionStatus,
    output: Any = None,
    error: SessionError | None = None,
    at: datetime | None = None,
) -> Session:
    """End a session, wherever it runs, now or at a time before. Ending it again in the same way answers with what is there;
    it never ends before it began."""
    session = await _hold(tx, session_id)
    if status is SessionStatus.FAILED and error is None:
        error = SessionError(code="failed", message="It failed, and nobody told why")
    if session.status.is_over:
        if session.status is not status or session.error != error or not same_json(session.output, output):
            raise SessionEnded(conflict={"id": str(session_id), "status": session.status})
        return session
    moment = max(at, session.created_at) if at else await tx.moment()
    payload = {"output": output} if output is not None else {}
    payload |= msgspec.to_builtins(error) if error else {}
    await append(tx, session_id, [life(f"session.{status}", moment, payload)])
    await store.set_ended(tx, session_id, status, moment, output, error)
    if session.purpose in TRIALS and status is SessionStatus.FAILED:
        # Whoever asked for it is told; nobody need look at it.
        await store.set_dismissed(tx, session_id, moment)
    await emit(tx, _ended(session, status, error))
    return await access(tx, session_id)


def _ended(session: Session, status: SessionStatus, error: SessionError | None) -> Event:
    if status is SessionStatus.FAILED and error is not None:
        about = msgspec.structs.asdict(events.of(session))
        failed = events.SessionFailed(**about, code=error.code, message=error.message)
        return events.FAILED.of(session.id, failed)
    how = events.COMPLETED if status is SessionStatus.COMPLETED else events.CANCELLED
    return events.event_of(how, session)


async def list_events(
    tx: Tx, session_id: UUID, cursor: str | None, limit: int, after: int | None
) -> RawPage[SessionEvent]:
    """By `seq`; `after` is where whoever follows a session left off."""
    tx.actor.check(SESSIONS_READ)
    start = decode_cursor(cursor, int) or after or 0
    found = await event_store.list_events(tx, session_id, start, limit, but_of=JUDGING)
    if found.page.is_empty and (await _access_shown(tx, session_id)).purpose == JUDGING:
        found = await event_store.list_events(tx, session_id, start, limit)
    return previewed(found.page) if found.largest >= LARGE else found.page


async def access_payload(tx: Tx, session_id: UUID, seq: int) -> StoredPayload:
    await _access_shown(tx, session_id)
    found = await event_store.find_payload(tx, session_id, seq) if 0 < seq <= MOST_SEQ else None
    if found is None:
        raise EventNotFound
    return found


def life(kind: str, at: datetime, payload: dict[str, Any]) -> NewEvent:
    return NewEvent(new_id(), kind, at, payload)


def about(session: Session) -> dict[str, Any]:
    known = {
        "agent": session.agent,
        "entity_id": session.entity_id and str(session.entity_id),
        "input": keep(session.input).payload or None,  # the session has all of it
    }
    return {key: value for key, value in known.items() if value is not None}
