"""Events of relations."""

from uuid import UUID

from goldloop.entities.records.events import ENTITIES
from goldloop.kit.events import Payload, declare


class Connection(Payload, frozen=True, kw_only=True):
    """`source_type` is the slug of the type that the relation starts from."""

    field_key: str
    target_id: UUID
    relation_id: UUID
    source_type: str


ADDED = declare(
    "relation.added",
    topic=ENTITIES,
    subject="record that it starts from",
    payload=Connection,
    when="Two records were connected",
)
REMOVED = declare(
    "relation.removed",
    topic=ENTITIES,
    subject="record that it starts from",
    payload=Connection,
    when="A connection was taken away",
)
