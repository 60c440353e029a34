"""Events of what is not to be relied on any more. They name kinds and ids, and no words of what was retracted."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.chain.model import ItemVerdict, NodeKind
from goldloop.chain.permissions import CHAIN_READ
from goldloop.kit.events import Payload, declare, topic

CHAIN = topic("chain", read_by=CHAIN_READ)


class Retracted(Payload, frozen=True, kw_only=True):
    """`items` is how much is to be looked at again for it, `added` what of that is new."""

    kind: NodeKind
    items: int
    added: int


class Undone(Payload, frozen=True, kw_only=True):
    kind: NodeKind


class Settled(Payload, frozen=True, kw_only=True):
    """Without a `verdict` it waits again."""

    retraction_id: UUID
    kind: NodeKind
    verdict: ItemVerdict | UnsetType = UNSET


RETRACTED = declare(
    "chain.retracted",
    topic=CHAIN,
    subject="retraction",
    payload=Retracted,
    when="Somebody said that something is not to be relied on, or more was found since that rests on it",
)
UNDONE = declare(
    "chain.retraction_undone",
    topic=CHAIN,
    subject="retraction",
    payload=Undone,
    when="A retraction was taken back",
)
SETTLED = declare(
    "chain.settled",
    topic=CHAIN,
    subject="thing to look at again",
    payload=Settled,
    when="Somebody looked at what rests on something that was retracted, or took that back",
)
