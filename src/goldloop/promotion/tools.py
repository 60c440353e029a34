"""What agents may call to propose: `submitResponse`."""

from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.criteria.model import MAX_DIMENSIONS, FieldName
from goldloop.entities.permissions import ENTITIES_UPDATE
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.tools import tool
from goldloop.kit.wire_types import Object
from goldloop.promotion.model import NotPromotable
from goldloop.promotion.service import promote_as_decided
from goldloop.responses import service as responses
from goldloop.responses.model import EntityResponse, Notes, ResponseSource, SetSlug, TemporalValue
from goldloop.responses.permissions import RESPONSES_CREATE


class SubmitResponse(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    entity_id: UUID
    values: Object
    criteria_set_id: UUID | None = None
    criteria_set_slug: SetSlug | None = None
    notes: Notes | None = None
    source: ResponseSource = ResponseSource.MANUAL
    field_meta: Object | None = None
    parent_response_id: UUID | None = None
    temporal_value: TemporalValue | None = None
    promote_fields: Annotated[list[FieldName], msgspec.Meta(max_length=MAX_DIMENSIONS)] | None = None


class ResponseSubmitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`promotionDeferred` with `pendingPromotionFields` where fields wait for a reviewer."""

    submitted: bool
    response_id: UUID | None
    weighted_score: float | None
    normalized_score: float | None
    status: str | None
    promotion_deferred: bool = False
    pending_promotion_fields: list[str] = []


@tool(
    "submitResponse",
    group="responses",
    permission=RESPONSES_CREATE,
    arguments=SubmitResponse,
    result=ResponseSubmitted,
    writes=True,
)
async def submit_response(tx: Tx, call: SubmitResponse) -> dict[str, Any]:
    """Propose values for a record: scored and kept for review. Name neither criteriaSetId nor criteriaSetSlug to
    use the default criteria set of the record's type. Fields in promoteFields are accepted at once where the
    caller may and the dimension needs no approval; the others wait for a reviewer."""
    response = await responses.submit(
        tx,
        responses.NewResponse(
            entity_id=call.entity_id,
            values=call.values,
            criteria_set_id=call.criteria_set_id,
            criteria_set_slug=call.criteria_set_slug,
            field_meta=call.field_meta,
            source=call.source,
            notes=call.notes,
            parent_response_id=call.parent_response_id,
            temporal_value=call.temporal_value,
        ),
    )
    if response is None:
        return dict.fromkeys(("responseId", "weightedScore", "normalizedScore", "status")) | {
            "submitted": False
        }
    pending: list[str] = []
    if call.promote_fields:
        wanted = _keys(response, call.promote_fields)
        now, pending = _split(tx, response, wanted)
        if now:
            try:
                response = await promote_as_decided(tx, response.entity_id, response.id, now)
            except (
                InvalidInput,
                NotPromotable,
            ):  # the schema refuses it: a reviewer decides, the proposal stands
                pending = wanted
    result: dict[str, Any] = {
        "submitted": True,
        "responseId": str(response.id),
        "weightedScore": response.weighted_score,
        "normalizedScore": response.normalized_score,
        "status": response.status,
    }
    if pending:
        result |= {"promotionDeferred": True, "pendingPromotionFields": pending}
    return result


def _keys(response: EntityResponse, named: list[str]) -> list[str]:
    """The dimensions that are meant: by their key, or by the field that they lead to."""
    by_field = {d.field_name: d.key for d in response.criteria_snapshot if d.field_name is not None}
    keys = list(dict.fromkeys(by_field.get(name, name) for name in named))
    known = {dimension.key for dimension in response.criteria_snapshot}
    if response.is_relation_scoped:
        raise InvalidInput.at(
            "/promoteFields", "relation_scoped", "What was said about connections is not promoted into fields"
        )
    if unknown := [key for key in keys if key not in known]:
        raise InvalidInput.at(
            "/promoteFields", "unknown_dimension", f"The criteria set has no {', '.join(map(repr, unknown))}"
        )
    return [key for key in keys if key in response.promotable_fields]


def _split(tx: Tx, response: EntityResponse, wanted: list[str]) -> tuple[list[str], list[str]]:
    """Which of the wanted fields can be promoted at once, and which wait for a reviewer."""
    needs_approval = {d.key for d in response.criteria_snapshot if d.requires_approval}
    may = tx.actor.may(ENTITIES_UPDATE)
    now = [key for key in wanted if may and key not in needs_approval]
    return now, [key for key in wanted if key not in now]
