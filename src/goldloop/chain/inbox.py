"""What waits for a reviewer: what rests on something that is not to be relied on any more."""

from goldloop.chain import retraction_store
from goldloop.chain.events import CHAIN
from goldloop.chain.permissions import CHAIN_READ, CHAIN_RETRACT
from goldloop.chain.retraction_service import looked_at
from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind


@kind(
    "chain",
    label="To look at again",
    permissions=(CHAIN_RETRACT, CHAIN_READ),
    topic=CHAIN,
    path="/chain/retractions",
)
async def count_waiting(tx: Tx) -> Waiting:
    return Waiting(await retraction_store.count_waiting(tx, looked_at(tx), MOST_COUNTED + 1))
