"""What waits for a person: knowledge that was proposed, and what should be looked at again."""

from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.rows import store
from goldloop.knowledge.rows.events import KNOWLEDGE


@kind(
    "knowledge",
    label="Proposed knowledge",
    permissions=(KNOWLEDGE_MANAGE,),
    topic=KNOWLEDGE,
    path="/admin/agent-review/knowledge?state=waits",
)
async def count_waiting(tx: Tx) -> Waiting:
    return Waiting(await store.count_waiting(tx, MOST_COUNTED + 1))
