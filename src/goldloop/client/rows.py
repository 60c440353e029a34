"""What the generated response types stand on, and the one type that is no schema of the API."""

from typing import Any
from uuid import UUID

import msgspec

Number = int | float
Object = dict[str, Any]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Of an answer. Fields that a newer server adds are ignored."""


class Submitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the tool `submitResponse` answers."""

    response_id: UUID
    status: str
    weighted_score: float | None = None
    normalized_score: float | None = None
    promotion_deferred: bool = False
    pending_promotion_fields: list[str] = []
