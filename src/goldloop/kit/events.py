"""The event log: a fact is one row, written in the transaction that made it true.

A concept declares its events in `events.py`; what is emitted is written by `emit`, or by an SQL function that returns what
it wrote. Whoever registered gets that very event, and leaves a job or marks in the same transaction. An event nobody listens
to is still in the log.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.ids import new_id
from goldloop.kit.queue import enqueue, set_marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`topic` is what a page has to read again when it happened, `subject_id` what it happened to."""

    id: UUID = field(default_factory=new_id)
    name: str
    topic: str
    subject_id: str
    payload: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def written(cls, event: dict[str, Any] | None) -> Self | None:
        """What `emit_event` wrote, as returned by the SQL function that called it; None where that wrote nothing."""
        return cls(**event | {"id": UUID(event["id"])}) if event else None


class Payload(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an event tells beside its subject. A field that is UNSET is left out."""


class NoPayload(Payload, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The subject says it all."""


P = TypeVar("P", bound=Payload)
NOTHING = NoPayload()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventType(Generic[P]):
    """An event that a concept declares. `subject` says what its subject id is, `when` when it happens, as the
    documentation has it."""

    name: str
    topic: str
    subject: str
    payload: type[P]
    when: str

    def of(self, subject_id: object, payload: P) -> Event:
        return Event(
            name=self.name,
            topic=self.topic,
            subject_id=str(subject_id),
            payload=msgspec.to_builtins(payload),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Leaves work for an event: a job with the returned payload, marks with the returned keys, or, where it takes a
    look at the database to know, whatever `act` leaves; `wants` is asked of an event before it whether there is anything to
    look for."""

    job: str | None = None
    payload: Callable[[Event], dict[str, Any] | None] = lambda event: {"event": event.payload}
    mark: str | None = None
    keys: Callable[[Event], list[str]] = lambda event: [event.subject_id]
    act: Callable[[Tx, Event], Awaitable[None]] | None = None
    wants: Callable[[Tx, Event], Awaitable[bool]] | None = None


TOPICS: dict[str, str] = {}
EVENTS: dict[str, EventType[Any]] = {}
LISTENERS: dict[str, list[Listener]] = {}
LISTENERS_TO_ALL: list[Listener] = []


def topic(name: str, *, read_by: str) -> str:
    """Register what a page may watch, with the permission that hearing of it takes."""
    TOPICS[name] = read_by
    return name


def declare(name: str, *, topic: str, subject: str, payload: type[P], when: str) -> EventType[P]:
    declared = EventType(name=name, topic=topic, subject=subject, payload=payload, when=when)
    EVENTS[name] = declared
    return declared


def listen(event_name: str, listener: Listener) -> None:
    LISTENERS.setdefault(event_name, []).append(listener)


def listen_all(listener: Listener) -> None:
    """For whoever wants every event, also those of concepts that are still to come."""
    LISTENERS_TO_ALL.append(listener)


async def emit(tx: Tx, event: Event) -> None:
    await tx.execute("SELECT emit_event($1, $2, $3, $4, $5)", *_arguments(event))
    await dispatch(tx, event)


async def emit_all(tx: Tx, events: Sequence[Event]) -> None:
    """Many events, in one statement."""
    columns = zip(*map(_arguments, events), strict=True)
    await tx.execute(
        """
        SELECT emit_event(e.id, e.name, e.topic, e.subject_id, e.payload)
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::jsonb[]) AS e (id, name, topic, subject_id, payload)
        """,
        *(map(list, columns) if events else [[]] * 5),
    )
    for event in events:
        await dispatch(tx, event)


def _arguments(event: Event) -> tuple[Any, ...]:
    return event.id, event.name, event.topic, event.subject_id, event.payload


async def notify(tx: Tx, topic: str, subject_id: str | None = None) -> None:
    """Tell whoever looks at a topic of something that is no fact to remember: a progress, a use."""
    await tx.execute("SELECT notify_change($1, $2)", topic, subject_id)


async def leaves_work(tx: Tx, event: Event) -> bool:
    """Whether any listener wants something left for an event."""
    for listener in (*LISTENERS.get(event.name, ()), *LISTENERS_TO_ALL):
        if listener.job and listener.payload(event) is not None:
            return True
        if listener.mark and listener.keys(event):
            return True
        if await _may_act(tx, listener, event):
            return True
    return False


async def _may_act(tx: Tx, listener: Listener, event: Event) -> bool:
    return listener.act is not None and (listener.wants is None or await listener.wants(tx, event))


async def dispatch(tx: Tx, event: Event) -> None:
    """Leave what the listeners to an event want left. For an event that is in the log already; `emit` does both."""
    tx.happened.append(event)
    for listener in (*LISTENERS.get(event.name, ()), *LISTENERS_TO_ALL):
        if listener.job and (payload := listener.payload(event)) is not None:
            await enqueue(tx, listener.job, payload)
        if listener.mark:
            await set_marks(tx, listener.mark, listener.keys(event))
        if listener.act and await _may_act(tx, listener, event):
            await listener.act(tx, event)
