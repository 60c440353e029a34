"""What agents may call to propose: `submitResponse`."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError
from goldloop.kit.tools import tool
from goldloop.promotion.service import promote_as_decided
from goldloop.responses import service as responses
from goldloop.responses.model import EntityResponse, ResponseSource
from goldloop.tenants import roles


class SubmitResponse(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    entity_id: UUID
    values: dict[str, Any]
    criteria_set_id: UUID | None = None
    criteria_set_slug: str | None = None
    notes: str | None = None
    source: ResponseSource = ResponseSource.MANUAL
    field_meta: dict[str, Any] | None = None
    parent_response_id: UUID | None = None
    temporal_value: str | None = None
    promote_fields: list[str] | None = None


@tool("submitResponse", permission=roles.RESPONSES_CREATE, arguments=SubmitResponse)
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
    pending: list[str] = []
    if call.promote_fields:
        now, pending = _split(tx, response, call.promote_fields)
        if now:
            try:
                response = await promote_as_decided(tx, response.entity_id, response.id, now)
            except GoldloopError:  # the schema refuses it: a reviewer decides, the proposal stands
                pending = list(call.promote_fields)
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


def _split(tx: Tx, response: EntityResponse, wanted: list[str]) -> tuple[list[str], list[str]]:
    """Which of the wanted fields can be promoted at once, and which wait for a reviewer."""
    needs_approval = {d.key for d in response.criteria_snapshot if d.requires_approval}
    may = tx.actor.may(roles.ENTITIES_UPDATE)
    now = [k for k in wanted if may and k in response.promotable_fields and k not in needs_approval]
    return now, [key for key in wanted if key not in now]
