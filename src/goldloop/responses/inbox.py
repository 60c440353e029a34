"""What waits for a reviewer: responses with values that could still be promoted."""

from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.records.events import ENTITIES
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind
from goldloop.responses import queue_store
from goldloop.responses.permissions import RESPONSES_READ, RESPONSES_REVIEW
from goldloop.responses.queue_store import Wanted


@kind(
    "responses",
    label="Responses to review",
    permissions=(RESPONSES_REVIEW, RESPONSES_READ, ENTITIES_READ),
    topic=ENTITIES,
    path="/tasks/review",
)
async def count_waiting(tx: Tx) -> Waiting:
    most = MOST_COUNTED + 1
    mine = None
    if tx.actor.kind is ActorKind.USER:
        mine = await queue_store.count(tx, Wanted(waits=True, assigned_to=tx.actor.id), most)
    return Waiting(await queue_store.count(tx, Wanted(waits=True), most), mine)
