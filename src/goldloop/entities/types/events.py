"""Events of entity types."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.entities.permissions import ENTITY_TYPES_READ
from goldloop.kit.events import NoPayload, Payload, declare, topic

ENTITY_TYPES = topic("entity_types", read_by=ENTITY_TYPES_READ)


class TypeDefined(Payload, frozen=True, kw_only=True):
    """`featured` is the criteria set that was chosen for the score of its records, if one was."""

    featured: UUID | UnsetType = UNSET


CREATED = declare(
    "entity_type.created",
    topic=ENTITY_TYPES,
    subject="slug of the type",
    payload=TypeDefined,
    when="A type was defined",
)
CHANGED = declare(
    "entity_type.changed",
    topic=ENTITY_TYPES,
    subject="slug of the type",
    payload=TypeDefined,
    when="A type got another name, schema or configuration",
)
FEATURED = declare(
    "entity_type.featured",
    topic=ENTITY_TYPES,
    subject="slug of the type",
    payload=NoPayload,
    when="The score that its records show comes from another criteria set, by itself",
)
REMOVED = declare(
    "entity_type.removed",
    topic=ENTITY_TYPES,
    subject="slug of the type",
    payload=NoPayload,
    when="A type without records was deleted",
)
