"""Types and errors of entity types, records, relations and the history of fields."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import msgspec

from goldloop.entities.scores import Raters
from goldloop.kit.errors import Conflict, Forbidden, NotFound
from goldloop.tenants.model import Party


class EntityTypeNotFound(NotFound):
    code, title = "entity_type_not_found", "There is no such entity type in this workspace"


class EntityTypeExists(Conflict):
    code, title = "entity_type_exists", "An entity type with this id or slug exists with other content"


class ContentBreaksSchema(Conflict):
    code, title = "content_breaks_schema", "Records of this type do not satisfy the new schema"


class EntityTypeInUse(Conflict):
    code, title = "entity_type_in_use", "There are records of this type"


class RelationInUse(Conflict):
    code, title = "relation_in_use", "Records are connected through this relation as it is"


class EntityNotFound(NotFound):
    code, title = "entity_not_found", "There is no such record in this workspace"


class EntityExists(Conflict):
    code, title = "entity_exists", "A record with this id exists with other content"


class VersionConflict(Conflict):
    code, title = "version_conflict", "It was changed since it was read"


def check_version(what: str, expected: int | None, actual: int) -> None:
    """Refuses a change of a row that is no longer at the given version. Call it under the row lock; `what` names the kind
    of row in the message. None accepts any version."""
    if expected is not None and expected != actual:
        raise VersionConflict(
            f"The {what} is at version {actual}, not {expected}",
            conflict={"expected_version": expected, "actual_version": actual},
        )


class AgentsPropose(Forbidden):
    code, title = "agents_propose", "An agent does not write records: it submits a response for review"


class RelationNotFound(NotFound):
    code, title = "relation_not_found", "There is no such relation of this record"


class RelationExists(Conflict):
    code, title = "relation_exists", "The relation leads to one record, and it does already"


class EntityType(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    slug: str
    name: str
    json_schema: dict[str, Any]
    field_configs: dict[str, Any]
    config: dict[str, Any]
    version: int
    created_at: datetime
    updated_at: datetime
    created_by: Party


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A record. `content` is what is accepted to be true; `score` is 0 to 100, null where there is none: the newest of
    those that `raters` gave. `waiting` is how many responses to it wait for review, counted up to 100."""

    id: UUID
    type: str
    title: str
    content: dict[str, Any]
    metadata: dict[str, Any]
    version: int
    score: float | None
    waiting: int
    raters: Raters | None
    created_at: datetime
    updated_at: datetime
    created_by: Party


class EntityCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many records a list has; `more` where not all were counted, and `count` is the least that there are."""

    count: int
    more: bool


class EntitiesRemoved(msgspec.Struct, frozen=True, kw_only=True):
    """How many records were deleted: those that were gone already do not count."""

    removed: int


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    source_id: UUID
    source_title: str
    source_type: str
    field_key: str
    target_id: UUID
    target_title: str
    target_type: str
    metadata: dict[str, Any]
    created_at: datetime
    created_by: Party


class Direction(StrEnum):
    """Of relations, as seen from a record."""

    OUT = "out"
    IN = "in"


class ChangeKind(StrEnum):
    EDIT = "edit"
    PROMOTION = "promotion"
    UNDO = "undo"
    AGGREGATE = "aggregate"


class FieldChange(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a field's history. A missing value differs from null in `present`/`present_before`."""

    id: UUID
    field: str
    kind: ChangeKind
    value: Any
    present: bool
    value_before: Any
    present_before: bool
    response_id: UUID | None
    dimension_key: str | None
    undoes_id: UUID | None
    current: bool
    entity_version: int
    actor: Party
    created_at: datetime
