"""What a response can be."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from goldloop.criteria.model import Dimension, Scope
from goldloop.kit.errors import Conflict, NotFound
from goldloop.tenants.model import Party

Notes = Annotated[str, msgspec.Meta(max_length=10_000)]
SetSlug = Annotated[str, msgspec.Meta(max_length=120)]
TemporalValue = Annotated[str, msgspec.Meta(max_length=200)]


class ResponseStatus(StrEnum):
    SUBMITTED = "submitted"
    PARTIALLY_PROMOTED = "partially_promoted"
    PROMOTED = "promoted"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"


class ResponseSource(StrEnum):
    EXTRACTION = "extraction"
    MANUAL = "manual"
    WORKSHOP = "workshop"
    OPTIMIZATION = "optimization"
    FEEDBACK = "feedback"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class EvidenceType(StrEnum):
    """Where a value may come from."""

    DOCUMENT = "document"
    ENTITY = "entity"
    WEB = "web"
    FIELD = "field"


class ResponseNotFound(NotFound):
    code, title = "response_not_found", "There is no such response to this record"


class ResponseExists(Conflict):
    code, title = "response_exists", "A response with this id exists with other content"


class NotReviewable(Conflict):
    code, title = "not_reviewable", "The response cannot be reviewed in this way in its present status"


class ResponsesNotFound(NotFound):
    code, title = "responses_not_found", "Some of these responses are not in this workspace"


class ResponsePromoted(Conflict):
    code, title = "response_promoted", "Values of this response are promoted: undo them first"


class NotSubmitted(msgspec.Struct, frozen=True, kw_only=True):
    """An empty matrix is accepted and writes nothing."""

    submitted: Literal[False] = False


class EntityResponse(msgspec.Struct, frozen=True, kw_only=True):
    """One submission. Values, snapshot and scores never change; status and review do."""

    id: UUID
    entity_id: UUID
    criteria_set_id: UUID
    criteria_snapshot: list[Dimension]
    scope: (
        Scope | None
    )  # what was rated, if not the record itself: then `values` are by connection and dimension
    submitted_by_user: UUID | None
    submitted_by_agent: UUID | None
    submitted_by: Party
    source: ResponseSource
    values: dict[str, Any]
    field_meta: dict[str, Any]
    weighted_score: float | None
    normalized_score: float | None
    status: ResponseStatus
    promoted_fields: list[str]
    promotable_fields: list[str]
    reviewed_by: UUID | None
    reviewer: Party | None
    reviewed_at: datetime | None
    review_notes: str | None
    parent_response_id: UUID | None
    temporal_value: str | None
    notes: str | None
    created_at: datetime
    withdrawn_at: datetime | None
    assigned_to: Party | None
    waits: bool  # for review: it is open, and has a value that could still be promoted

    @property
    def is_relation_scoped(self) -> bool:
        return self.scope is not None and self.scope.type == "relation"


class RecordOf(msgspec.Struct, frozen=True, kw_only=True):
    """The record that a response is about, as far as a list shows it."""

    id: UUID
    title: str
    type: str


class ListedResponse(EntityResponse, frozen=True, kw_only=True):
    """A response among those to other records."""

    entity: RecordOf
    criteria_set_name: str


class ResponseCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many responses a list has; `more` where there are more than were counted."""

    count: int
    more: bool


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """Who the responses are assigned to now; `changed` are those that were not before. `more`: of the records that were
    named still more wait than one call assigns, and the same call again goes on with them."""

    assigned_to: Party | None
    changed: list[UUID]
    more: bool


class ScoredResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A response as a point over time: `score` is 0 to 100, as records show it."""

    response_id: UUID
    submitted_by: Party
    temporal_value: str | None
    score: float
    created_at: datetime
