"""Use cases: derive a trace, end and watch the sessions of traces, show what sources tell."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.model import TEXT_CHARACTERS, TurnExists
from goldloop.conversations.turns import service as turns
from goldloop.conversations.turns.content import NewMessage, NewTurn
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Page, decode_keys, encode_cursor
from goldloop.kit.queue import set_marks
from goldloop.otlp import places, store
from goldloop.otlp.batch_cache import CACHE
from goldloop.otlp.counting import added, count
from goldloop.otlp.decoding import Decoded
from goldloop.otlp.drafts import Draft
from goldloop.otlp.emitters import emitter_of, missing_of
from goldloop.otlp.identity import TRACE_PREFIX
from goldloop.otlp.mapper import TraceStory
from goldloop.otlp.model import SETTINGS, Counts, OtlpSettings, OtlpSource, StoredBatch, Trace
from goldloop.otlp.speech import Exchange
from goldloop.otlp.store import DERIVE
from goldloop.sessions import derived_service as derived
from goldloop.sessions import derived_store, watch_service
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.derived_store import Origin
from goldloop.sessions.model import ConversationRef, Session, SessionError, SessionSource, SessionStatus
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.sessions.store import NewEvent
from goldloop.tenants.model import Agent
from goldloop.tenants.permissions import WORKSPACE_MANAGE
from goldloop.tenants.settings import service as settings

DERIVE_LARGE = "otlp.derive_large"  # the mark of a trace of which the blob store has to take something
DERIVE_LARGE_LATER = "otlp.derive_large_later"  # the same where no more of it is to be waited for
DERIVE_LATER = (
    "otlp.derive_later"  # the mark of a trace that was derived, or not, before enough of it had come
)
SETTLE = "otlp.settle"  # the mark of a session of which a trace has ended
WATCH = "otlp.watch"  # the mark of a session of which a trace has not ended
PATIENCE = timedelta(
    seconds=10
)  # for a session id or a root, before a trace is shown as a session of its own
SETTLED = timedelta(seconds=2)  # after the root, for what comes late
LONGEST_ANSWER = 20_000  # characters of it that are kept as a session's output
LONGEST_ERROR = 4000
MARKS_AT_ONCE = 1000


class TraceParts(NamedTuple):
    """What is stored of a trace: its batches, those that are parsed already, and the bodies of the others."""

    batches: list[StoredBatch]
    known: dict[bytes, Decoded]
    bodies: dict[bytes, bytes]

    @property
    def first_at(self) -> datetime:
        return self.batches[0].received_at

    @property
    def last_at(self) -> datetime:
        return self.batches[-1].received_at


async def read_parts(tx: Tx, trace_id: bytes) -> TraceParts | None:
    """None where nothing is stored of the trace any more."""
    batches = await store.batches_of(tx, trace_id)
    if not batches:
        return None
    known = CACHE.find(tx.actor.tenant_id, (batch.id for batch in batches))
    missing = [batch.id for batch in batches if batch.id not in known]
    return TraceParts(batches, known, await store.bodies_of(tx, missing) if missing else {})


def is_early(story: TraceStory) -> bool:
    """Whether nobody can say yet whose a trace is: neither its session nor its root has come."""
    return story.makes_session and story.session is None and story.ended_at is None


def events_of(drafts: Sequence[Draft], received: datetime) -> list[NewEvent]:
    return [
        NewEvent(draft.id, draft.type, places.moment(draft.at, received), draft.payload) for draft in drafts
    ]


async def apply(
    tx: Tx, trace_id: bytes, story: TraceStory, parts: TraceParts, events: Sequence[NewEvent]
) -> None:
    """Add what is new of a trace to its session, and what becomes of that. `events` are those of the story's drafts, in
    their order."""
    trace = await store.lock_trace(tx, trace_id, parts.first_at, parts.last_at)
    counts = count(story)
    if story.makes_session:
        await _apply_story(tx, trace, story, parts, events, counts)
    else:
        await store.save_trace(tx, msgspec.structs.replace(trace, counts=counts))
    if more := added(counts, trace.counts):  # last: traces of one source wait here for each other
        await store.add_counts(tx, more, parts.first_at, parts.last_at)


async def _apply_story(
    tx: Tx,
    trace: Trace,
    story: TraceStory,
    parts: TraceParts,
    events: Sequence[NewEvent],
    counts: list[Counts],
) -> None:
    session = await _session_of(tx, trace, story, parts.last_at)
    session = await _add_events(tx, trace, session, story, events)
    has_turn = trace.has_turn
    conversation = None
    if story.ended_at is not None and story.exchange is not None and not has_turn:
        conversation = await _add_turn(tx, trace, session, story, story.exchange, parts.last_at)
        has_turn = conversation is not None
    await _tell_origin(tx, session, story, events, parts.last_at, conversation)
    ended_at = places.moment(story.ended_at, parts.last_at) if story.ended_at is not None else None
    await store.save_trace(
        tx,
        Trace(
            trace_id=trace.trace_id,
            session_id=session.id,
            first_at=trace.first_at,
            last_at=trace.last_at,
            ended_at=ended_at,
            error=story.error[:LONGEST_ERROR].replace("\x00", "\ufffd") if story.error else None,
            answer=story.answer[:LONGEST_ANSWER] if story.answer else None,
            answer_span=bytes.fromhex(story.answer_span) if story.answer_span else None,
            has_turn=has_turn,
            counts=counts,
        ),
    )
    await set_marks(tx, SETTLE if ended_at is not None else WATCH, [str(session.id)])


async def _session_of(tx: Tx, trace: Trace, story: TraceStory, received: datetime) -> Session:
    """The session of a trace, locked: the one that it names, else one of its own. A trace that was taken for a session of
    its own, or for another's, before more of it came is moved while nothing refers to that."""
    wanted = places.external_id(story.session.value) if story.session else _own_id(trace)
    current = await derived.lock(tx, trace.session_id) if trace.session_id else None
    if current is not None and (story.session is None or _is_of(current, wanted)):
        return current
    session = await _find_or_derive(tx, story, wanted, received)
    if current is None or current.id == session.id:
        return session
    if await _is_referred_to(tx, trace, current):
        await derived.link(tx, current.id, "belongs_to", session.id)
        return current
    await derived.merge(tx, current, session)
    return session


def _own_id(trace: Trace) -> str:
    return f"{TRACE_PREFIX}{trace.trace_id.hex()}"


def _is_of(session: Session, wanted: str) -> bool:
    """Also where it goes on for one that is golden."""
    return session.external_id == wanted or session.metadata.get("continues_id") == wanted


async def _is_referred_to(tx: Tx, trace: Trace, session: Session) -> bool:
    return (
        session.source is not SessionSource.OTLP
        or trace.has_turn
        or "golden" in session.metadata
        or session.task_id is not None
        or await derived_store.has_children(tx, session.id)
        or await store.has_other_traces(tx, session.id, trace.trace_id)
    )


async def _find_or_derive(tx: Tx, story: TraceStory, wanted: str, received: datetime) -> Session:
    found = await derived.lock_external(tx, wanted)
    return found or await _derive_session(tx, story, wanted, received, {})


async def _derive_session(
    tx: Tx, story: TraceStory, external_id: str, received: datetime, metadata: dict[str, Any]
) -> Session:
    agent = await _find_agent(tx, story.agent)
    new = NewSession(
        agent=agent.slug if agent else story.agent,
        input={},
        type=story.type,
        external_id=external_id,
        metadata=metadata,
        at=min(places.moment(story.started_at, received), received),
    )
    return await derived.derive(tx, new, agent)


async def _find_agent(tx: Tx, name: str | None) -> Agent | None:
    """By the name that spans give it, as it is or as a slug would be."""
    return await sessions.find_agent(tx, places.slug(name) or name) if name else None


async def _add_events(
    tx: Tx, trace: Trace, session: Session, story: TraceStory, events: Sequence[NewEvent]
) -> Session:
    """What is not there yet, under any of its names. A session that was over goes on where the trace is new to it; a golden
    one never changes: another goes on in its place."""
    new = await _unknown(tx, session, story.drafts, events)
    if not new:
        return session
    if "golden" in session.metadata:
        session = await _continuation(tx, session, story, trace.last_at)
        new = await _unknown(tx, session, story.drafts, events)
    is_ours = session.source is SessionSource.OTLP  # whoever records one by the client also ends it
    if is_ours and session.status.is_over and trace.session_id != session.id:
        session = await derived.reopen(tx, session)
    for start in range(0, len(new), sessions.MOST_EVENTS):
        await sessions.append(tx, session.id, new[start : start + sessions.MOST_EVENTS], late=True)
    return session


async def _unknown(
    tx: Tx, session: Session, drafts: Sequence[Draft], events: Sequence[NewEvent]
) -> list[NewEvent]:
    names = [draft.known_as for draft in drafts]
    known = await derived.find_known(tx, session.id, [each for of in names for each in of])
    return [event for event, of in zip(events, names, strict=True) if known.isdisjoint(of)]


async def _continuation(tx: Tx, golden: Session, story: TraceStory, received: datetime) -> Session:
    """The session that goes on for a golden one: it has the same name, and a number where that is golden too."""
    number, session = 2, golden
    while "golden" in session.metadata:
        external_id = f"{(golden.external_id or str(golden.id))[:190]} #{number}"
        metadata = {"continues": str(session.id), "continues_id": golden.external_id or ""}
        found = await derived.lock_external(tx, external_id)
        session = found or await _derive_session(tx, story, external_id, received, metadata)
        number += 1
    return session


async def _tell_origin(
    tx: Tx,
    session: Session,
    story: TraceStory,
    events: Sequence[NewEvent],
    received: datetime,
    conversation: ConversationRef | None,
) -> None:
    """What the trace tells of the session itself: whose it is, when it began."""
    known = {
        "user_id": story.user,
        "service": story.service,
        "session_id_from": story.session.key if story.session else None,
    }
    metadata = {key: value.replace("\x00", "\ufffd") for key, value in known.items() if value}
    first_message = next((str(event.payload["text"]) for event in events if event.type == "user.message"), "")
    started_at = min(places.moment(story.started_at, received), received)
    is_earlier = session.started_at is None or started_at <= session.started_at
    has_news = session.agent is None or any(key not in session.metadata for key in metadata)
    if is_earlier or has_news or conversation is not None:
        agent = await _find_agent(tx, story.agent)
        name = agent.slug if agent else story.agent
        origin = Origin(
            name, agent.id if agent else None, metadata, started_at, first_message[:300], conversation
        )
        await derived.tell_origin(tx, session.id, origin)


async def _add_turn(
    tx: Tx, trace: Trace, session: Session, story: TraceStory, exchange: Exchange, received: datetime
) -> ConversationRef | None:
    """What was asked and answered in the trace, as a turn of a conversation. None where that turn is there already with
    other content, which stays."""
    chosen = (await settings.read_cached(tx, SETTINGS)).project
    project = chosen or places.path_id(story.service) or places.NO_PROJECT
    conversation_id = places.path_id(session.external_id) or str(session.id)
    turn = NewTurn(
        turn_id=trace.trace_id.hex(),
        user=NewMessage(text=exchange.user[:TEXT_CHARACTERS]),
        assistant=NewMessage(text=exchange.assistant[:TEXT_CHARACTERS]),
        user_id=places.label(story.user),
        agent=places.label(session.agent or story.agent),
        session_id=str(session.id),
        ts=places.moment(exchange.at, received),
    )
    try:
        await turns.add(tx, project, conversation_id, [turn], gate=True)
    except TurnExists:
        return None
    return ConversationRef(project=project, id=conversation_id)


async def settle(tx: Tx, session_id: UUID) -> None:
    """End a session whose traces have all ended, as the last one did; one that was ended otherwise before is corrected."""
    session = await derived.lock(tx, session_id)
    turning = await store.turning_of(tx, session_id)
    if session is None or turning is None or session.source is not SessionSource.OTLP:
        return
    if "merged_into" in session.metadata or "golden" in session.metadata:
        return
    if turning.open_at is not None:
        await set_marks(tx, WATCH, [str(session_id)])
        return
    status = SessionStatus.FAILED if turning.error else SessionStatus.COMPLETED
    error = SessionError(code="agent_failed", message=turning.error) if turning.error else None
    output = None if turning.error else turning.answer
    if session.status.is_over:
        if session.status is SessionStatus.CANCELLED:
            return
        if session.status is status and session.error == error and session.output == output:
            return
        await derived.reopen(tx, session)
    await sessions.finish(tx, session_id, status, output, error)


async def watch(tx: Tx, session_id: UUID) -> None:
    """Call a session stalled when the root of one of its traces never came, else look again later."""
    session = await derived.lock(tx, session_id)
    turning = await store.turning_of(tx, session_id)
    if session is None or turning is None or session.source is not SessionSource.OTLP:
        return
    if session.status is not SessionStatus.RUNNING:
        return
    if turning.open_at is None:
        await set_marks(tx, SETTLE, [str(session_id)])
    elif await tx.moment() - turning.open_at >= sessions.SILENCE:
        await watch_service.stall(tx, session)
    else:
        await set_marks(tx, WATCH, [str(session_id)])


async def mark_anew(tx: Tx, trace_id: bytes) -> bool:
    """Derive a trace again. False where there is none."""
    if not await store.batches_of(tx, trace_id):
        return False
    await set_marks(tx, DERIVE, [trace_id.hex()])
    return True


async def mark_all_anew(tx: Tx, after: bytes) -> tuple[int, bytes | None]:
    """Derive the next traces again; returns how many they are and where to go on, None at the end."""
    found = await store.trace_ids_after(tx, after, MARKS_AT_ONCE)
    await set_marks(tx, DERIVE, [trace_id.hex() for trace_id in found])
    return len(found), found[-1] if len(found) == MARKS_AT_ONCE else None


async def forget(tx: Tx, limit: int) -> int:
    """Bodies that are older than the workspace keeps them, so many at once; returns how many they were."""
    keep = timedelta(days=(await settings.read(tx, SETTINGS)).keep_days)
    return await store.prune(tx, await tx.moment() - keep, limit)


async def list_sources(tx: Tx, cursor: str | None, limit: int) -> Page[OtlpSource]:
    tx.actor.check(SESSIONS_READ)
    after = decode_keys(cursor, tuple[str, str, str]) or ("", "", "")
    rows = await store.list_sources(tx, after, limit + 1)
    found = [_source(row) for row in rows[:limit]]
    last = found[-1] if len(rows) > limit else None
    return Page(data=found, next_cursor=encode_cursor(last.service, last.scope, last.sdk) if last else None)


def _source(row: Any) -> OtlpSource:
    counts = Counts(**{name: row[name] for name in Counts.__struct_fields__})
    return OtlpSource(
        **msgspec.structs.asdict(counts),
        emitter=emitter_of(counts.scope).name,
        first_at=row["first_at"],
        last_at=row["last_at"],
        missing=missing_of(counts),
    )


async def read_settings(tx: Tx) -> OtlpSettings:
    tx.actor.check(SESSIONS_READ)
    return await settings.read(tx, SETTINGS)


async def change_settings(tx: Tx, value: OtlpSettings) -> OtlpSettings:
    tx.actor.check(WORKSPACE_MANAGE)
    await settings.write(tx, SETTINGS, value)
    return value
