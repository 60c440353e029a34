"""Use cases of deliveries: queue what receivers want, take what is due, keep what became of it, send again by hand.

What takes a time takes it as an argument. Whoever calls `spread`, `take`, `record` and `wake` is the worker, which has no
rights to ask for.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import emit, notify
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.kit.queue import set_marks
from goldloop.webhooks import delivery_store, events, retries, store
from goldloop.webhooks.delivery_store import NewDelivery, Recorded
from goldloop.webhooks.messages import LoggedEvent, body_of, origin_of
from goldloop.webhooks.model import (
    ALL_EVENTS,
    Attempt,
    Delivery,
    DeliveryDetail,
    DeliveryNotFound,
    DeliveryStatus,
    SwitchedOff,
)
from goldloop.webhooks.ordering import Choice, Due, choose
from goldloop.webhooks.store import Health, Receiver

SPREAD = "webhooks.spread"  # the mark of an event that a receiver wants; `queue_webhooks` sets it
SEND = "webhooks.send"  # that of a receiver with deliveries that are due
WAKE = "webhooks.wake"  # that of a receiver and a moment when one will be

MOST_AT_ONCE = 8  # requests to one receiver
WINDOW = 200  # deliveries that are looked at for those
LOOKS = 50  # at further ones, where all wait for what is before them
WAKE_STEP = 5  # seconds: what is due within them wakes once
SHOWN_ATTEMPTS = 50
LONGEST_ERROR = 500  # characters
GONE = 410
NOT_CHOSEN = {events.PINGED.name}  # what is sent to the one that it is about, and to nobody for being chosen


class Taken(NamedTuple):
    """Something to send, as the receiver is at that moment."""

    due: Due
    event: LoggedEvent


class Batch(NamedTuple):
    receiver: Receiver | None
    taken: list[Taken]


class Outcome(NamedTuple):
    """What came of sending one; `retry_after` is what the receiver asked for."""

    taken: Taken
    attempt: Attempt
    retry_after: str | None

    @property
    def is_success(self) -> bool:
        return self.attempt.error is None


async def spread(tx: Tx, event_ids: Sequence[UUID], at: datetime) -> None:
    """Queue events for every receiver that wants them. Again, after a crash: nothing is queued twice."""
    listening = await store.list_listening(tx)
    await _queue(tx, event_ids, listening, at)


async def spread_to(tx: Tx, endpoint_id: UUID, event_ids: Sequence[UUID], at: datetime) -> None:
    """Queue events for one receiver, those that it wants."""
    listening = [each for each in await store.list_listening(tx) if each[0] == endpoint_id]
    await _queue(tx, event_ids, listening, at)


async def _queue(
    tx: Tx, event_ids: Sequence[UUID], listening: Sequence[tuple[UUID, list[str]]], at: datetime
) -> None:
    happened = await delivery_store.read_events(tx, event_ids) if listening else []
    new = [
        _delivery_of(endpoint_id, event)
        for event in happened
        for endpoint_id, wanted in listening
        if event.name in wanted or (ALL_EVENTS in wanted and event.name not in NOT_CHOSEN)
    ]
    receivers = await delivery_store.insert(tx, new, at)
    await set_marks(tx, SEND, list(map(str, receivers)))
    for endpoint_id in receivers:
        await notify(tx, events.WEBHOOKS, str(endpoint_id))


def _delivery_of(endpoint_id: UUID, event: LoggedEvent) -> NewDelivery:
    return NewDelivery(new_id(), endpoint_id, event.id, event.name, event.subject_id, event.created_at)


async def queue_one(tx: Tx, endpoint_id: UUID, event_id: UUID) -> Delivery:
    """One event for one receiver, whatever it wants, at once: as a subject of its own it waits for no other."""
    (event,) = await delivery_store.read_events(tx, [event_id])
    new = _delivery_of(endpoint_id, event)._replace(subject_id=str(event_id))
    await delivery_store.insert(tx, [new], event.created_at)
    await _send_at_once(tx, endpoint_id)
    return await _find(tx, endpoint_id, new.id)


async def _send_at_once(tx: Tx, endpoint_id: UUID) -> None:
    await store.end_pause(tx, endpoint_id)
    await set_marks(tx, SEND, [str(endpoint_id)])
    await notify(tx, events.WEBHOOKS, str(endpoint_id))


async def take(tx: Tx, endpoint_id: UUID, at: datetime) -> Batch:
    """What is to be sent to a receiver now: nothing while it is switched off or left alone."""
    receiver = await store.lock(tx, endpoint_id)
    is_paused = receiver is not None and receiver.paused_until is not None and receiver.paused_until > at
    if receiver is None or not receiver.enabled or is_paused:
        return Batch(receiver, [])
    probing = receiver.failures >= retries.PAUSED_AFTER
    for _ in range(LOOKS):
        due = await delivery_store.list_due(tx, endpoint_id, at, WINDOW)
        choice = choose(due, MOST_AT_ONCE, probing=probing)
        if choice.postponed:
            await delivery_store.postpone(tx, choice.postponed)
        if choice.sent or not choice.postponed:
            return Batch(receiver, await _with_events(tx, choice))
    return Batch(receiver, [])


async def _with_events(tx: Tx, choice: Choice) -> list[Taken]:
    found = await delivery_store.read_events(tx, [due.event_id for due in choice.sent])
    by_id = {event.id: event for event in found}
    return [Taken(due, by_id[due.event_id]) for due in choice.sent if due.event_id in by_id]


async def record(tx: Tx, endpoint_id: UUID, outcomes: Sequence[Outcome], at: datetime, jitter: float) -> None:
    """Keep what became of what was sent, and how the receiver fares."""
    receiver = await store.lock(tx, endpoint_id)
    if receiver is None:
        return  # deleted meanwhile, and its deliveries with it
    decided = [_decide(outcome, at, jitter) for outcome in outcomes]
    ours = await delivery_store.record(tx, decided, at)
    kept = [each for each in outcomes if each.taken.due.id in ours]
    await delivery_store.insert_attempts(tx, [(each.taken.due.id, each.attempt) for each in kept])
    if kept:
        await _keep_health(tx, receiver, kept, at)
    await notify(tx, events.WEBHOOKS, str(endpoint_id))


def _decide(outcome: Outcome, at: datetime, jitter: float) -> Recorded:
    due, number = outcome.taken.due, outcome.attempt.number
    first_at = due.first_at or at
    if outcome.is_success:
        return Recorded(due.id, number, DeliveryStatus.DELIVERED, due.step, first_at, at)
    step = due.step + 1
    asked = retries.asked_wait(outcome.retry_after, at)
    again = retries.next_try(step, first_at, at, asked, jitter)
    status = DeliveryStatus.FAILED if again is None else DeliveryStatus.WAITING
    return Recorded(due.id, number, status, step, first_at, again or at)


async def _keep_health(tx: Tx, receiver: Receiver, outcomes: Sequence[Outcome], at: datetime) -> None:
    """One success says that it is well: what waits is due then."""
    failed = [each for each in outcomes if not each.is_success]
    if len(failed) < len(outcomes):
        await store.set_health(tx, receiver.id, Health(0, None, None, None, at))
        if receiver.failures >= retries.PAUSED_AFTER:
            await delivery_store.move_up(tx, receiver.id, at)
        return
    failures = receiver.failures + len(failed)
    failing_since = receiver.failing_since or at
    asked = max(retries.asked_wait(each.retry_after, at) for each in failed)
    pause = max(retries.pause_of(failures), asked)
    error = failed[-1].attempt.error
    health = Health(failures, failing_since, at + pause if pause else None, error, None)
    await store.set_health(tx, receiver.id, health)
    if any(each.attempt.status == GONE for each in failed):
        await _switch_off(tx, receiver, SwitchedOff.GONE, at)
    elif retries.is_given_up(failures, failing_since, at):
        await _switch_off(tx, receiver, SwitchedOff.FAILING, at)


async def _switch_off(tx: Tx, receiver: Receiver, why: SwitchedOff, at: datetime) -> None:
    if receiver.enabled:
        await store.switch_off(tx, receiver.id, why, at)
        payload = events.WebhookSwitchedOff(url=origin_of(receiver.url), reason=why)
        await emit(tx, events.SWITCHED_OFF.of(receiver.id, payload))


async def wake(tx: Tx, endpoint_id: UUID, at: datetime) -> None:
    """Leave a mark for when the next delivery to a receiver is due."""
    receiver = await store.lock(tx, endpoint_id)
    due = await delivery_store.next_due(tx, endpoint_id)
    if receiver is None or not receiver.enabled or due is None:
        return
    due = max(due, receiver.paused_until or due)
    if due <= at:
        await set_marks(tx, SEND, [str(endpoint_id)])
        return
    seconds = (int(due.timestamp()) // WAKE_STEP + 1) * WAKE_STEP
    delay = max(datetime.fromtimestamp(seconds, UTC) - at, timedelta(milliseconds=1))
    await set_marks(tx, WAKE, [f"{endpoint_id} {seconds}"], delay=delay)


async def list_deliveries(
    tx: Tx,
    endpoint_id: UUID,
    status: DeliveryStatus | None,
    event: str | None,
    cursor: str | None,
    limit: int,
) -> Page[Delivery]:
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await delivery_store.list_newest_first(tx, endpoint_id, status, event, before, limit + 1)
    return page(rows, limit, lambda each: (each.created_at, each.id))


async def access(tx: Tx, endpoint_id: UUID, url: str, delivery_id: UUID) -> DeliveryDetail:
    found = await _find(tx, endpoint_id, delivery_id)
    (event,) = await delivery_store.read_events(tx, [found.event_id])
    tries = await delivery_store.list_attempts(tx, delivery_id, SHOWN_ATTEMPTS)
    fields = {name: getattr(found, name) for name in Delivery.__struct_fields__}
    return DeliveryDetail(**fields, url=url, body=body_of(event).decode(), tries=tries)


async def resend(tx: Tx, endpoint_id: UUID, delivery_id: UUID) -> Delivery:
    """With the same id, for a day from now on, and at once even while the receiver is left alone."""
    await _find(tx, endpoint_id, delivery_id)
    await delivery_store.queue_again(tx, delivery_id, now())
    await _send_at_once(tx, endpoint_id)
    return await _find(tx, endpoint_id, delivery_id)


async def _find(tx: Tx, endpoint_id: UUID, delivery_id: UUID) -> Delivery:
    found = await delivery_store.find(tx, endpoint_id, delivery_id)
    if found is None:
        raise DeliveryNotFound
    return found


async def forget(tx: Tx, before: datetime, limit: int) -> int:
    return await delivery_store.delete_old(tx, before, limit)


async def list_missed(
    tx: Tx, after: tuple[datetime, UUID], until: datetime, limit: int
) -> list[tuple[datetime, UUID]]:
    return await delivery_store.list_event_ids(tx, after, until, limit)
