"""Events of promotion."""

from uuid import UUID

from goldloop.entities.records.events import ENTITIES
from goldloop.kit.events import Payload, declare


class Promoted(Payload, frozen=True, kw_only=True):
    """`fields` are those whose value or source changed, with the dimension that each comes from; `version` is that of
    the record since, `type` the slug of its type."""

    entity_id: UUID
    response_id: UUID
    fields: dict[str, str]
    version: int
    type: str


class PromotionUndone(Payload, frozen=True, kw_only=True):
    """`fields` are those that were taken back together, with the dimension that each came from."""

    entity_id: UUID
    response_id: UUID
    fields: dict[str, str]
    version: int
    type: str


PROMOTED = declare(
    "response.promoted",
    topic=ENTITIES,
    subject="response",
    payload=Promoted,
    when="Values of a response became content of its record",
)
PROMOTION_UNDONE = declare(
    "response.promotion_undone",
    topic=ENTITIES,
    subject="response",
    payload=PromotionUndone,
    when="Promoted values were taken back",
)
