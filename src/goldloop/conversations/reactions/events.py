"""Events of reactions."""

from typing import Literal

from goldloop.conversations.model import Reaction, UserType
from goldloop.conversations.turns.events import CONVERSATIONS
from goldloop.kit.events import Payload, declare


class OfReaction(Payload, frozen=True, kw_only=True):
    """`rn` is the resource name of the reaction, `user_id` who reacted ("" where nobody knows), `user_type` whether
    that is a member of the workspace."""

    project: str
    conversation_id: str
    turn_id: str | None
    rn: str
    reaction: Reaction | None
    origin: Literal["user", "machine"]
    confidence: float
    user_id: str
    user_type: UserType


class Replaced(OfReaction, frozen=True, kw_only=True):
    """`replaced_rn` is that of the reaction before."""

    replaced_rn: str


ADDED = declare(
    "reaction.added",
    topic=CONVERSATIONS,
    subject="resource name of the reaction",
    payload=OfReaction,
    when="Somebody reacted to a turn, a machine read a reaction from what was said, or a person settled what one means",
)
REPLACED = declare(
    "reaction.replaced",
    topic=CONVERSATIONS,
    subject="resource name of the reaction",
    payload=Replaced,
    when="Somebody reacted anew, in place of their reaction before",
)
CLEARED = declare(
    "reaction.cleared",
    topic=CONVERSATIONS,
    subject="resource name of the reaction",
    payload=OfReaction,
    when="Somebody took their reaction back",
)
UNSETTLED = declare(
    "reaction.unsettled",
    topic=CONVERSATIONS,
    subject="resource name of the reaction",
    payload=OfReaction,
    when="A machine read a reaction that could mean several turns; a person has to say which",
)
DISMISSED = declare(
    "reaction.dismissed",
    topic=CONVERSATIONS,
    subject="resource name of the reaction",
    payload=OfReaction,
    when="A person said that a reaction means none of them",
)
REOPENED = declare(
    "reaction.reopened",
    topic=CONVERSATIONS,
    subject="resource name of the reaction",
    payload=Replaced,
    when="A person took back what was said about which turn one means; it waits again",
)
