"""Events of responses."""

from typing import Any
from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.entities.records.events import ENTITIES
from goldloop.kit.events import Payload, declare
from goldloop.responses.model import ResponseSource


class OfResponse(Payload, frozen=True, kw_only=True):
    """`field_key` is the relation whose connections were rated, where that is what the response is about."""

    entity_id: UUID
    response_id: UUID
    criteria_set_id: UUID
    source: ResponseSource
    field_key: str | UnsetType = UNSET


class OfAssignment(Payload, frozen=True, kw_only=True):
    """`assigned_to` is a member, null where it is nobody's any more."""

    entity_id: UUID
    response_id: UUID
    assigned_to: UUID | None


class ResultRejected(Payload, frozen=True, kw_only=True):
    """`field` is the key of a dimension, after that of the connection and a dot where connections were rated."""

    entity_id: UUID
    response_id: UUID
    criteria_set_id: UUID
    field: str
    value: Any
    notes: str


SUBMITTED = declare(
    "response.submitted",
    topic=ENTITIES,
    subject="response",
    payload=OfResponse,
    when="Somebody proposed values for a record, or rated it",
)
REJECTED = declare(
    "response.rejected",
    topic=ENTITIES,
    subject="response",
    payload=OfResponse,
    when="A reviewer rejected a response",
)
REOPENED = declare(
    "response.reopened",
    topic=ENTITIES,
    subject="response",
    payload=OfResponse,
    when="A reviewer took a rejection back",
)
WITHDRAWN = declare(
    "response.withdrawn",
    topic=ENTITIES,
    subject="response",
    payload=OfResponse,
    when="A response was taken back",
)
ASSIGNED = declare(
    "response.assigned",
    topic=ENTITIES,
    subject="response",
    payload=OfAssignment,
    when="A response was assigned to a member for review, or to nobody any more",
)
RESULT_REJECTED = declare(
    "extraction/result-rejected",
    topic=ENTITIES,
    subject="response",
    payload=ResultRejected,
    when="The work of an agent, or an extraction, was rejected with notes: one for each value of it",
)
