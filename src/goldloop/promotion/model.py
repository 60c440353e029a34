"""Types and errors of promotion."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, Fault
from goldloop.responses.model import ResponseStatus


class NotPromotable(Conflict):
    code, title = "not_promotable", "This response cannot be promoted as it is"


class FieldChangedSince(Conflict):
    code, title = (
        "field_changed_since",
        "The field's value does not come from a promotion, or was changed since",
    )


class FieldPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a promotion would do to one field."""

    dimension: str
    field: str
    value: Any
    value_before: Any
    present_before: bool
    changes: bool


class FirstSteps(msgspec.Struct, frozen=True, kw_only=True):
    """How far a workspace is on the way to its first promoted value. `record_id` is a record to go on with: that of the
    newest response, else the newest one; null where there is none."""

    has_type: bool
    has_record: bool
    has_response: bool
    has_promotion: bool
    record_id: UUID | None


class PromotionPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a promotion would do; `errors` says what keeps it from being done."""

    entity_id: UUID
    response_id: UUID
    version: int
    fields: list[FieldPreview]
    status_after: ResponseStatus
    errors: list[Fault]
