"""What waits for a reviewer: reactions of which a machine could not tell which answer they mean."""

from goldloop.conversations.permissions import CONVERSATIONS_READ, REACTIONS_SETTLE
from goldloop.conversations.reactions import store
from goldloop.conversations.turns.events import CONVERSATIONS
from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind


@kind(
    "reactions",
    label="Unclear reactions",
    permissions=(REACTIONS_SETTLE, CONVERSATIONS_READ),
    topic=CONVERSATIONS,
    path="/admin/agent-review/conversations/unclear",
)
async def count_unsettled(tx: Tx) -> Waiting:
    return Waiting(await store.count_unsettled(tx, None, MOST_COUNTED + 1))
