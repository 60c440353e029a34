"""Events of turns."""

from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.kit.events import Payload, declare, topic

CONVERSATIONS = topic("conversations", read_by=CONVERSATIONS_READ)


class TurnAdded(Payload, frozen=True, kw_only=True):
    """`turn_ids` are all that came in one call, `turn_id` the last of them."""

    project: str
    conversation_id: str
    turn_id: str
    turn_ids: list[str]


TURN_ADDED = declare(
    "conversation.turn_added",
    topic=CONVERSATIONS,
    subject="conversation",
    payload=TurnAdded,
    when="Turns of a conversation came in: one for each call",
)
