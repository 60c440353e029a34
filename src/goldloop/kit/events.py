"""The event log: a fact is one row, written in the transaction that made it true.

Whoever registered for an event gets its job queued or its marks set in that same transaction. An event
nobody listens to is still in the log.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from goldloop.kit.db import Tx
from goldloop.kit.ids import new_id
from goldloop.kit.queue import enqueue, set_marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`topic` is what a page has to read again when it happened, `subject_id` what it happened to."""

    name: str
    topic: str
    subject_id: str
    payload: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Leaves work for an event: a job with the returned payload, marks with the returned keys, or, where it takes a
    look at the database to know, whatever `act` leaves."""

    job: str | None = None
    payload: Callable[[Event], dict[str, Any] | None] = lambda event: {"event": event.payload}
    mark: str | None = None
    keys: Callable[[Event], list[str]] = lambda event: [event.subject_id]
    act: Callable[[Tx, Event], Awaitable[None]] | None = None


LISTENERS: dict[str, list[Listener]] = {}


def listen(event_name: str, listener: Listener) -> None:
    LISTENERS.setdefault(event_name, []).append(listener)


async def emit(tx: Tx, event: Event) -> None:
    await tx.execute(f"SELECT {emit_sql(1)}", *emit_arguments(event))
    await dispatch(tx, event)


async def emit_all(tx: Tx, events: Sequence[Event]) -> None:
    """Many events, in one statement."""
    columns = zip(*map(emit_arguments, events), strict=True)
    await tx.execute(
        """
        SELECT emit_event(e.id, e.name, e.topic, e.subject_id, e.payload)
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::jsonb[]) AS e (id, name, topic, subject_id, payload)
        """,
        *(map(list, columns) if events else [[]] * 5),
    )
    for event in events:
        await dispatch(tx, event)


def emit_sql(first: int) -> str:
    """The call that writes an event, its parameters numbered from `first`: a hot write makes it part of its
    own statement, saves the round trip, and leaves only `dispatch` to do."""
    return "emit_event({})".format(", ".join(f"${number}" for number in range(first, first + 5)))


def emit_arguments(event: Event) -> tuple[Any, ...]:
    return new_id(), event.name, event.topic, event.subject_id, event.payload


async def dispatch(tx: Tx, event: Event) -> None:
    for listener in LISTENERS.get(event.name, ()):
        if listener.job and (payload := listener.payload(event)) is not None:
            await enqueue(tx, listener.job, payload)
        if listener.mark:
            await set_marks(tx, listener.mark, listener.keys(event))
        if listener.act:
            await listener.act(tx, event)
