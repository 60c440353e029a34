"""Use cases: read what is stored of traces, and add what they tell to their sessions, many traces in few statements."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from goldloop.conversations.model import TEXT_CHARACTERS
from goldloop.conversations.turns import service as turns
from goldloop.conversations.turns.content import NewMessage, NewTurn
from goldloop.conversations.turns.service import PlacedTurn
from goldloop.kit.db import Tx
from goldloop.kit.queue import set_marks
from goldloop.otlp import places, store
from goldloop.otlp.batch_cache import CACHE
from goldloop.otlp.beginnings import Origin, learned
from goldloop.otlp.counting import added, count, total
from goldloop.otlp.decoding import Decoded
from goldloop.otlp.drafts import Draft
from goldloop.otlp.mapper import TraceStory
from goldloop.otlp.model import SETTINGS, StoredBatch, Trace
from goldloop.otlp.session_service import Placed, Placing, place_all
from goldloop.otlp.store import Received
from goldloop.sessions import derived_service as derived
from goldloop.sessions.store import NewEvent
from goldloop.tenants.settings import service as settings

SETTLE = "otlp.settle"  # the mark of a session of which a trace has ended
WATCH = "otlp.watch"  # the mark of a session of which a trace has not ended
EVALUATIONS = "feedback.evaluations"  # the mark of a session with results of evaluations
LONGEST_ANSWER = 20_000  # characters of it that are kept as a session's output
LONGEST_ERROR = 4000
MOST_BYTES = (
    8 * 1024 * 1024
)  # of bodies that are read for one transaction: parsed they take several times that


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


class Reading(NamedTuple):
    """What a trace tells. `events` are those of the story's drafts, in their order."""

    trace_id: bytes
    story: TraceStory
    parts: TraceParts
    events: Sequence[NewEvent]


async def read_parts(tx: Tx, trace_ids: Sequence[bytes]) -> tuple[dict[bytes, TraceParts], list[bytes]]:
    """Of those traces of which something is stored still, as many as fit into one transaction, at least one; and the ids of
    those that do not."""
    stored = await store.batches_of(tx, trace_ids)
    known = CACHE.find(tx.actor.tenant_id, {batch.id for batches in stored.values() for batch in batches})
    missing: dict[bytes, None] = {}
    size, fitting = 0, 0
    for batches in stored.values():
        more = {
            batch.id: batch.size for batch in batches if batch.id not in known and batch.id not in missing
        }
        size += sum(more.values())
        if fitting and size > MOST_BYTES:
            break
        missing.update(dict.fromkeys(more))
        fitting += 1
    bodies = await store.bodies_of(tx, list(missing)) if missing else {}
    parts = {
        trace_id: TraceParts(
            batches,
            {batch.id: known[batch.id] for batch in batches if batch.id in known},
            {batch.id: bodies[batch.id] for batch in batches if batch.id in bodies},
        )
        for trace_id, batches in list(stored.items())[:fitting]
    }
    return parts, list(stored)[fitting:]


def is_early(story: TraceStory) -> bool:
    """Whether nobody can say yet whose a trace is: neither its session nor its root has come."""
    return story.makes_session and story.session is None and story.ended_at is None


def events_of(drafts: Sequence[Draft], received: datetime) -> list[NewEvent]:
    return [
        NewEvent(draft.id, draft.type, places.moment(draft.at, received), draft.payload) for draft in drafts
    ]


async def apply(tx: Tx, readings: Sequence[Reading]) -> None:
    """Add what is new of traces to their sessions, and what becomes of that."""
    if not readings:
        return
    ordered = sorted(readings, key=lambda each: (each.story.started_at, each.trace_id))
    received = [Received(each.trace_id, each.parts.first_at, each.parts.last_at) for each in ordered]
    traces = await store.lock_traces(tx, received)
    project = (await settings.read_cached(tx, SETTINGS)).project
    placing = [
        Placing(
            trace=traces[each.trace_id],
            story=each.story,
            events=each.events,
            received=each.parts.last_at,
            project=project or places.path_id(each.story.service) or places.NO_PROJECT,
        )
        for each in ordered
        if each.story.makes_session
    ]
    placed = await place_all(tx, placing)
    has_turn = await _add_turns(tx, placed)
    await _tell_origins(tx, placed, has_turn)
    counts = {each.trace_id: count(each.story) for each in ordered}
    saved = {each.trace.trace_id: _after(each, each.trace.trace_id in has_turn) for each in placed}
    await store.save_traces(
        tx,
        [
            msgspec.structs.replace(saved.get(trace_id, trace), counts=counts[trace_id])
            for trace_id, trace in traces.items()
        ],
    )
    await _mark_sessions(tx, placed, saved.values())
    if more := total(change for each, was in traces.items() for change in added(counts[each], was.counts)):
        # Last: traces of one source wait here for each other.
        first_at, last_at = min(each.first_at for each in received), max(each.last_at for each in received)
        await store.add_counts(tx, more, first_at, last_at)


async def _add_turns(tx: Tx, placed: Sequence[Placed]) -> set[bytes]:
    """What was asked and answered in traces, as turns of conversations; the ids of the traces that have one, now or before.
    Where that turn is there already with other content, which stays, there is none."""
    due = [each for each in placed if each.conversation is not None and not each.trace.has_turn]
    is_there = await turns.add_each(tx, [_turn_of(each) for each in due])
    done = {each.trace.trace_id for each, there in zip(due, is_there, strict=True) if there}
    return done | {each.trace.trace_id for each in placed if each.trace.has_turn}


def _turn_of(placed: Placed) -> PlacedTurn:
    story, exchange, where = placed.story, placed.story.exchange, placed.conversation
    assert exchange is not None
    assert where is not None
    turn = NewTurn(
        turn_id=placed.trace.trace_id.hex(),
        user=NewMessage(text=exchange.user[:TEXT_CHARACTERS]),
        assistant=NewMessage(text=exchange.assistant[:TEXT_CHARACTERS]),
        user_id=places.label(story.user),
        agent=places.label(placed.session.agent or story.agent),
        session_id=str(placed.session.id),
        ts=places.moment(exchange.at, placed.received),
    )
    return PlacedTurn(where.project, where.id, turn)


async def _tell_origins(tx: Tx, placed: Sequence[Placed], has_turn: set[bytes]) -> None:
    """What traces tell of sessions that were there before them."""
    before = {each.session.id: each.session for each in placed if not each.is_new}
    after = dict(before)
    for each in placed:
        if (session := after.get(each.session.id)) is not None:
            origin: Origin = each.origin
            if each.trace.trace_id not in has_turn or each.trace.has_turn:
                origin = origin._replace(conversation=None)
            after[session.id] = learned(session, origin)
    await derived.tell_origins(tx, [after[each] for each in before if after[each] != before[each]])


def _after(placed: Placed, has_turn: bool) -> Trace:
    story = placed.story
    return Trace(
        trace_id=placed.trace.trace_id,
        session_id=placed.session.id,
        first_at=placed.trace.first_at,
        last_at=placed.trace.last_at,
        ended_at=places.moment(story.ended_at, placed.received) if story.ended_at is not None else None,
        error=story.error[:LONGEST_ERROR].replace("\x00", "\ufffd") if story.error else None,
        answer=story.answer[:LONGEST_ANSWER] if story.answer else None,
        answer_span=bytes.fromhex(story.answer_span) if story.answer_span else None,
        has_turn=has_turn,
    )


async def _mark_sessions(tx: Tx, placed: Sequence[Placed], traces: Iterable[Trace]) -> None:
    saved = list(traces)
    await set_marks(tx, SETTLE, _names(trace.session_id for trace in saved if trace.ended_at is not None))
    await set_marks(tx, WATCH, _names(trace.session_id for trace in saved if trace.ended_at is None))
    evaluated = (
        each.session.id for each in placed if any(e.type == "evaluation.result" for e in each.events)
    )
    await set_marks(tx, EVALUATIONS, _names(evaluated))


def _names(ids: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(str(each) for each in ids))
