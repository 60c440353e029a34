"""Sends what is due to one receiver, for a while. Infrastructure.

The lease of the mark that it runs under keeps a receiver to one worker. No transaction is open while a receiver is waited for.
A worker that dies leaves what it was sending as it was: it is sent again, under the same id, when the lease has run out.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import datetime
from time import monotonic
from uuid import UUID

from goldloop.kit.at_first_use import httpx
from goldloop.kit.clock import now
from goldloop.kit.db import Actor, Database
from goldloop.kit.outside import Outside
from goldloop.kit.sealing import CannotUnseal
from goldloop.webhooks import delivery_service, sending
from goldloop.webhooks.delivery_service import Outcome, Taken
from goldloop.webhooks.messages import body_of
from goldloop.webhooks.model import Attempt
from goldloop.webhooks.sending import USER_AGENT, Answer, send
from goldloop.webhooks.service import place_of
from goldloop.webhooks.signing import signed_headers
from goldloop.webhooks.store import Receiver

SLICE_SECONDS = 20.0  # then it is others' turn: with the longest call far less than the lease
UNREADABLE = "Its secret cannot be read: rotate it"


async def send_due(
    db: Database, outside: Outside, actor: Actor, endpoint_id: UUID, clock: Callable[[], datetime] = now
) -> None:
    until = monotonic() + SLICE_SECONDS
    async with outside.egress.client(timeout=sending.SECONDS) as client:
        while monotonic() < until and await _send_batch(db, outside, client, actor, endpoint_id, clock):
            pass
    async with db.tx(actor) as tx:
        await delivery_service.wake(tx, endpoint_id, clock())


async def _send_batch(
    db: Database,
    outside: Outside,
    client: httpx.AsyncClient,
    actor: Actor,
    endpoint_id: UUID,
    clock: Callable[[], datetime],
) -> bool:
    """Whether there was anything to send."""
    async with db.tx(actor) as tx:
        batch = await delivery_service.take(tx, endpoint_id, clock())
    receiver = batch.receiver
    if receiver is None or not batch.taken:
        return False
    secrets = _secrets(outside, actor, receiver, clock())
    outcomes = await asyncio.gather(
        *(_send_one(client, receiver, secrets, taken, clock()) for taken in batch.taken)
    )
    async with db.tx(actor) as tx:
        await delivery_service.record(tx, endpoint_id, outcomes, clock(), random.random())
    return True


async def _send_one(
    client: httpx.AsyncClient, receiver: Receiver, secrets: list[str], taken: Taken, at: datetime
) -> Outcome:
    body = body_of(taken.event)
    headers = {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "accept-encoding": "identity",
        **signed_headers(secrets, str(taken.event.id), int(at.timestamp()), body),
    }
    answer = await send(client, receiver.url, headers, body) if secrets else Answer(0, error=UNREADABLE)
    attempt = Attempt(
        number=taken.due.attempts + 1,
        at=at,
        milliseconds=answer.milliseconds,
        status=answer.status,
        error=answer.error,
        request_headers=headers,
        answer_type=answer.content_type,
        answer=answer.text,
    )
    return Outcome(taken, attempt, answer.retry_after)


def _secrets(outside: Outside, actor: Actor, receiver: Receiver, at: datetime) -> list[str]:
    """The one that is valid, and the one before while it is as well; none where the installation has another key."""
    sealed = [receiver.secret]
    if receiver.previous_secret and receiver.previous_until and receiver.previous_until > at:
        sealed.append(receiver.previous_secret)
    place = place_of(actor.tenant_id, receiver.id)
    try:
        return [outside.sealer.unseal(each, place) for each in sealed]
    except CannotUnseal:
        return []
