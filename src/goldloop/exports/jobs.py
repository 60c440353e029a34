"""The job that sends a result, and what leaves it: every reaction that is given, given anew or taken back, and every score by
criteria that is given or taken back."""

from typing import Any

import msgspec

from goldloop.conversations.reactions.events import ADDED, CLEARED, REPLACED
from goldloop.exports import service
from goldloop.exports.model import Evaluation
from goldloop.exports.sending import send
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import LONG_QUEUE, job
from goldloop.responses import events as responses

ATTEMPTS = 20  # with the waits of `jobs/retries.py` more than an hour: collectors are restarted too


@job(service.EXPORT, max_attempts=ATTEMPTS, queue=LONG_QUEUE)
async def export(db: Database, actor: Actor, *, outside: Outside, evaluation: dict[str, Any]) -> None:
    """It may come twice; `goldloop.reaction.rn` or `goldloop.response.id` tells."""
    async with db.tx(actor) as tx:
        destination = await service.read_destination(tx)
    if destination is not None:
        place = service.place_of(actor.tenant_id)
        await send(outside, destination, place, msgspec.convert(evaluation, Evaluation))


async def are_sent(tx: Tx, _event: Event) -> bool:
    return await service.are_sent(tx)


for _event in (ADDED, REPLACED, CLEARED):
    listen(_event.name, Listener(act=service.queue_reaction, wants=are_sent))
for _scored in (responses.SUBMITTED, responses.WITHDRAWN):
    listen(_scored.name, Listener(act=service.queue_score, wants=are_sent))
