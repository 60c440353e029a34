"""Events of records. Whatever is said about a record, or connects it, stands under their topic."""

from goldloop.entities.permissions import ENTITIES_READ
from goldloop.kit.events import Payload, declare, topic

ENTITIES = topic("entities", read_by=ENTITIES_READ)


class OfType(Payload, frozen=True, kw_only=True):
    """`type` is the slug of the record's type."""

    type: str


class Edited(Payload, frozen=True, kw_only=True):
    """`version` is the record's after it."""

    type: str
    fields: list[str]
    version: int


CREATED = declare(
    "entity.created", topic=ENTITIES, subject="record", payload=OfType, when="A record was made"
)
EDITED = declare(
    "entity.edited",
    topic=ENTITIES,
    subject="record",
    payload=Edited,
    when="Somebody edited a record directly",
)
REMOVED = declare(
    "entity.removed",
    topic=ENTITIES,
    subject="record",
    payload=OfType,
    when="A record is about to be deleted, in the same transaction",
)
