"""Submitting, reading, reviewing and withdrawing responses."""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.criteria import service as criteria
from goldloop.criteria import store as criteria_store
from goldloop.criteria.defaults import default_criteria_set_slug
from goldloop.criteria.errors import CriteriaSetChanged
from goldloop.criteria.model import CriteriaSet, Kind
from goldloop.entities.model import Entity, EntityNotFound, EntityType
from goldloop.entities.records import store as records
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, Forbidden, InvalidInput
from goldloop.kit.events import Event, emit, tell_listeners
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, Page, decode_cursor, page
from goldloop.responses import store
from goldloop.responses.field_meta import check_field_meta
from goldloop.responses.model import (
    EntityResponse,
    NotReviewable,
    ResponseExists,
    ResponseNotFound,
    ResponsePromoted,
    ResponseSource,
    ResponseStatus,
)
from goldloop.responses.promotable import filled_promotable
from goldloop.responses.scoring import compute_response_score
from goldloop.responses.values import check_values, clean_values
from goldloop.tenants import roles


class NewResponse(NamedTuple):
    """With neither `criteria_set_id` nor `criteria_set_slug` the default set of the record's type is meant."""

    entity_id: UUID
    values: dict[str, Any]
    criteria_set_id: UUID | None = None
    criteria_set_slug: str | None = None
    field_meta: dict[str, Any] | None = None
    source: ResponseSource = ResponseSource.MANUAL
    notes: str | None = None
    parent_response_id: UUID | None = None
    temporal_value: str | None = None
    id: UUID | None = None


async def submit(tx: Tx, new: NewResponse) -> EntityResponse:
    tx.actor.check(roles.RESPONSES_CREATE)
    entity, entity_type = await _access_target(tx, new.entity_id)
    criteria_set = await resolve(tx, new.criteria_set_id, new.criteria_set_slug, entity_type)
    values = clean_values(new.values)
    field_meta = new.field_meta or {}
    await _check(tx, new, criteria_set)
    response_id = new.id or new_id()
    outcome = await store.insert(
        tx,
        response_id=response_id,
        entity_id=entity.id,
        set_id=criteria_set.id,
        set_version=criteria_set.version,
        dimensions=criteria_set.dimensions,
        source=new.source,
        values=values,
        field_meta=field_meta,
        score=compute_response_score(values, criteria_set.dimensions),
        promotable=sorted(filled_promotable(values, criteria_set.dimensions, entity_type.json_schema)),
        parent_id=new.parent_response_id,
        temporal_value=new.temporal_value,
        notes=new.notes,
        featured=(entity_type.config.get("featuredScore") or {}).get("criteriaSetId") == str(criteria_set.id),
    )
    if outcome == "stale":
        raise CriteriaSetChanged
    response = await store.find(tx, entity.id, response_id)
    if response is None or (outcome == "taken" and not _same(response, new, criteria_set, values)):
        raise ResponseExists(conflict={"id": str(response_id)})
    if outcome == "submitted":
        await tell_listeners(tx, _event("response.submitted", response))
    return response


def _same(
    response: EntityResponse, new: NewResponse, criteria_set: CriteriaSet, values: dict[str, Any]
) -> bool:
    stored = (response.criteria_set_id, response.values, response.field_meta, response.source)
    more = (response.notes, response.parent_response_id, response.temporal_value)
    return stored == (criteria_set.id, values, new.field_meta or {}, new.source) and more == (
        new.notes,
        new.parent_response_id,
        new.temporal_value,
    )


async def access(tx: Tx, entity_id: UUID, response_id: UUID) -> EntityResponse:
    tx.actor.check(roles.RESPONSES_READ)
    response = await store.find(tx, entity_id, response_id)
    if response is None:
        raise ResponseNotFound
    return response


async def list_responses(
    tx: Tx,
    entity_id: UUID,
    set_id: UUID | None,
    status: ResponseStatus | None,
    cursor: str | None,
    limit: int,
) -> Page[EntityResponse]:
    tx.actor.check(roles.RESPONSES_READ)
    await _access_target(tx, entity_id)
    before = decode_cursor(cursor, UUID) or LAST_ID
    rows = await store.list_newest_first(tx, entity_id, set_id, status, before, limit + 1)
    return page(rows, limit, lambda response: response.id)


async def review(
    tx: Tx, entity_id: UUID, response_id: UUID, status: ResponseStatus, notes: str | None
) -> EntityResponse:
    """Reject with notes, or reopen what was rejected. One event per field tells whoever can try again."""
    tx.actor.check(roles.RESPONSES_REVIEW)
    before = await access(tx, entity_id, response_id)
    expected = {
        ResponseStatus.REJECTED: ResponseStatus.SUBMITTED,
        ResponseStatus.SUBMITTED: ResponseStatus.REJECTED,
    }
    if status not in expected:
        raise InvalidInput.at(
            "/status", "not_a_review", "A review rejects a response or reopens it (submitted)"
        )
    if before.promoted_fields:
        raise ResponsePromoted
    if before.status is status and before.review_notes == notes:
        return before
    if not await store.set_review(tx, entity_id, response_id, expected[status], status, notes):
        raise NotReviewable(conflict={"id": str(response_id), "status": before.status})
    rejected = status is ResponseStatus.REJECTED
    await tx.execute("SELECT refresh_response_summary($1, $2)", entity_id, response_id)
    await emit(tx, _event("response.rejected" if rejected else "response.reopened", before))
    if rejected and notes and _can_be_tried_again(before):
        for key, value in before.values.items():
            await emit(tx, _rejection(before, key, value, notes))
    return await access(tx, entity_id, response_id)


async def withdraw(tx: Tx, entity_id: UUID, response_id: UUID) -> None:
    """By whoever submitted it, or by a reviewer."""
    response = await access(tx, entity_id, response_id)
    if response.submitted_by.id != tx.actor.id and not tx.actor.may(roles.RESPONSES_REVIEW):
        raise Forbidden("A response is withdrawn by whoever submitted it, or by a reviewer")
    if await store.withdraw(tx, response_id) == "promoted":
        raise ResponsePromoted
    await emit(tx, _event("response.withdrawn", response))


async def resolve(tx: Tx, set_id: UUID | None, slug: str | None, entity_type: EntityType) -> CriteriaSet:
    """The criteria set that a submission means: by id, by slug, or the default set of the type."""
    if set_id is not None:
        found, at = await criteria_store.find(tx, set_id), "/criteria_set_id"
    elif slug is not None and slug != default_criteria_set_slug(entity_type.slug):
        found, at = await criteria_store.find_by_slug(tx, slug), "/criteria_set_slug"
    else:
        return await criteria.sync_default_criteria_set(tx, entity_type)
    if found is None:
        raise InvalidInput.at(at, "criteria_set_not_found", "There is no such criteria set")
    if found.is_default and found.entity_type_slugs == [entity_type.slug]:
        return await criteria.sync_default_criteria_set(tx, entity_type)
    if found.archived_at is not None:
        raise InvalidInput.at(at, "criteria_set_archived", "This criteria set is archived")
    if found.entity_type_slugs is not None and entity_type.slug not in found.entity_type_slugs:
        raise InvalidInput.at(
            at, "wrong_entity_type", f"This criteria set is not for records of type {entity_type.slug}"
        )
    return found


async def _access_target(tx: Tx, entity_id: UUID) -> tuple[Entity, EntityType]:
    entity = await records.find(tx, entity_id)
    entity_type = await types.find(tx, entity.type) if entity else None
    if entity is None or entity_type is None:
        raise EntityNotFound
    return entity, entity_type


async def _check(tx: Tx, new: NewResponse, criteria_set: CriteriaSet) -> None:
    if criteria_set.is_relation_scoped:
        raise InvalidInput.at(
            "/criteria_set_id", "relation_scoped", "This criteria set rates connections, not the record"
        )
    faults = check_values(new.values, criteria_set.dimensions)
    faults += check_field_meta(new.field_meta or {}, criteria_set.dimensions)
    if criteria_set.kind is Kind.TEMPORAL and not (new.temporal_value or "").strip():
        faults.append(
            _fault("/temporal_value", "required", f"Say which {criteria_set.temporal_key} this is about")
        )
    if criteria_set.kind is not Kind.TEMPORAL and new.temporal_value is not None:
        faults.append(
            _fault("/temporal_value", "not_temporal", "Only a temporal criteria set has temporal values")
        )
    if new.parent_response_id and await store.find(tx, new.entity_id, new.parent_response_id) is None:
        faults.append(
            _fault("/parent_response_id", "response_not_found", "There is no such response to this record")
        )
    if faults:
        raise InvalidInput(errors=faults)


def _can_be_tried_again(response: EntityResponse) -> bool:
    return response.submitted_by.kind == "agent" or response.source is ResponseSource.EXTRACTION


def _event(name: str, response: EntityResponse) -> Event:
    return Event(
        name=name,
        topic="entities",
        subject_id=str(response.id),
        payload={
            "entity_id": str(response.entity_id),
            "response_id": str(response.id),
            "criteria_set_id": str(response.criteria_set_id),
            "source": response.source,
        },
    )


def _rejection(response: EntityResponse, key: str, value: Any, notes: str) -> Event:
    return Event(
        name="extraction/result-rejected",
        topic="entities",
        subject_id=str(response.id),
        payload={
            "entity_id": str(response.entity_id),
            "response_id": str(response.id),
            "criteria_set_id": str(response.criteria_set_id),
            "field": key,
            "value": value,
            "notes": notes,
        },
    )


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
