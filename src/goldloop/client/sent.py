"""What programs send as well as read, and the base of every row: written by hand, unlike the rest of the types."""

from typing import Any
from uuid import UUID

import msgspec

Number = int | float
Object = dict[str, Any]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    pass


class Extraction(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    requires_approval: bool = False


class Dimension(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One thing to be filled in; the same type is sent when a criteria set is defined."""

    key: str
    label: str
    type: str
    scale: tuple[Number, Number] | None = None
    step: Number | None = None
    options: list[str] | None = None
    weight: Number | None = None
    description: str | None = None
    field_name: str | None = None
    required: bool = False
    extraction: Extraction | None = None


class Submitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the tool `submitResponse` answers."""

    response_id: UUID
    status: str
    weighted_score: float | None = None
    normalized_score: float | None = None
    promotion_deferred: bool = False
    pending_promotion_fields: list[str] = []
