"""Use cases of receivers: name, change and remove them, give them another secret, ask for a test."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from goldloop.entities.model import check_version
from goldloop.kit.clock import now
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Fault, Forbidden, InvalidInput
from goldloop.kit.events import EVENTS, NOTHING, emit
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.kit.queue import enqueue, set_marks
from goldloop.webhooks import delivery_service, events, store
from goldloop.webhooks.delivery_service import NOT_CHOSEN
from goldloop.webhooks.messages import data_schema, origin_of
from goldloop.webhooks.model import (
    ALL_EVENTS,
    MOST_ENDPOINTS,
    Delivery,
    EventInfo,
    Recovery,
    TooManyWebhooks,
    Webhook,
    WebhookExists,
    WebhookNotFound,
    WebhookSwitchedOff,
)
from goldloop.webhooks.permissions import WEBHOOKS_MANAGE
from goldloop.webhooks.store import Definition

RECOVER = "webhooks.recover"  # the job
MOST_RECOVERED = timedelta(days=30)  # as long as deliveries are kept


def place_of(tenant_id: UUID, webhook_id: UUID) -> str:
    """What a secret is sealed for."""
    return f"webhooks/{tenant_id}/{webhook_id}"


def check_manages(tx: Tx) -> None:
    tx.actor.check(WEBHOOKS_MANAGE)
    if tx.actor.kind is ActorKind.AGENT:
        raise Forbidden("Where the events of a workspace are sent is decided by people")


def list_events(tx: Tx) -> list[EventInfo]:
    check_manages(tx)
    return [
        EventInfo(
            name=each.name,
            topic=each.topic,
            subject=each.subject,
            when=each.when,
            data=data_schema(each.payload),
        )
        for name, each in sorted(EVENTS.items())
        if name not in NOT_CHOSEN
    ]


async def create(tx: Tx, webhook_id: UUID, new: Definition, sealed: bytes) -> Webhook:
    check_manages(tx)
    _check(webhook_id, new)
    await store.lock_all(tx)
    if await store.count(tx) >= MOST_ENDPOINTS:
        raise TooManyWebhooks
    if not await store.insert(tx, webhook_id, new, sealed):
        raise WebhookExists(conflict={"id": str(webhook_id)})
    await emit(tx, events.CREATED.of(webhook_id, events.OfWebhook(url=origin_of(new.url))))
    return await access(tx, webhook_id)


def _check(webhook_id: UUID, new: Definition) -> None:
    faults = [
        Fault(path=f"/events/{place}", code="unknown_event", message=f"There is no event {name}")
        for place, name in enumerate(new.events)
        if name != ALL_EVENTS and (name not in EVENTS or name in NOT_CHOSEN)
    ]
    if webhook_id == LAST_ID:  # no list would show it
        faults.append(Fault(path="/id", code="reserved_id", message="This id cannot be used"))
    if faults:
        raise InvalidInput(errors=faults)


async def access(tx: Tx, webhook_id: UUID) -> Webhook:
    check_manages(tx)
    webhook = await store.find(tx, webhook_id)
    if webhook is None:
        raise WebhookNotFound
    return webhook


async def list_webhooks(tx: Tx, cursor: str | None, limit: int) -> Page[Webhook]:
    check_manages(tx)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, before, limit + 1)
    return page(rows, limit, lambda each: (each.created_at, each.id))


async def change(tx: Tx, webhook_id: UUID, version: int | None, changed: dict[str, Any]) -> Webhook:
    """What waits goes on where it is switched on."""
    check_manages(tx)
    await store.lock(tx, webhook_id)
    before = await access(tx, webhook_id)
    check_version("webhook", version, before.version)
    after = Definition(*(changed.get(name, getattr(before, name)) for name in Definition._fields))
    _check(webhook_id, after)
    await store.update(tx, webhook_id, after)
    await emit(tx, events.CHANGED.of(webhook_id, events.OfWebhook(url=origin_of(after.url))))
    if after.enabled:
        await set_marks(tx, delivery_service.SEND, [str(webhook_id)])
    return await access(tx, webhook_id)


async def remove(tx: Tx, webhook_id: UUID) -> None:
    before = await access(tx, webhook_id)
    if await store.delete(tx, webhook_id):
        await emit(tx, events.REMOVED.of(webhook_id, events.OfWebhook(url=origin_of(before.url))))


async def rotate(tx: Tx, webhook_id: UUID, sealed: bytes, keep: timedelta) -> Webhook:
    """A secret in place of the one that is there, which signs as well for so long."""
    check_manages(tx)
    before = await store.lock(tx, webhook_id)
    if before is None:
        raise WebhookNotFound
    until = now() + keep if keep else None
    await store.set_secret(tx, webhook_id, sealed, before.secret if keep else None, until)
    await emit(tx, events.ROTATED.of(webhook_id, NOTHING))
    return await access(tx, webhook_id)


async def ping(tx: Tx, webhook_id: UUID) -> Delivery:
    """Send it a test, at once even while it is left alone."""
    await check_enabled(tx, webhook_id)
    pinged = events.PINGED.of(webhook_id, NOTHING)
    await emit(tx, pinged)
    return await delivery_service.queue_one(tx, webhook_id, pinged.id)


async def check_enabled(tx: Tx, webhook_id: UUID) -> None:
    if not (await access(tx, webhook_id)).enabled:
        raise WebhookSwitchedOff


async def recover(tx: Tx, webhook_id: UUID, since: datetime) -> Recovery:
    """Queue what happened since then and was not queued for it."""
    await check_enabled(tx, webhook_id)
    at = now()
    if not at - MOST_RECOVERED <= since <= at:
        raise InvalidInput.at("/since", "out_of_range", "What it has missed goes back 30 days at most")
    payload = {"webhook_id": str(webhook_id), "since": since.isoformat(), "until": at.isoformat()}
    return Recovery(job_id=await enqueue(tx, RECOVER, payload))
