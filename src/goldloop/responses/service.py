"""Use cases: submit, read, review and withdraw responses."""

from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria.errors import CriteriaSetChanged
from goldloop.criteria.model import CriteriaSet, Kind
from goldloop.entities.model import EntityNotFound, EntityType
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.records import service as records
from goldloop.entities.relations import store as relations
from goldloop.kit.clock import now
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Fault, Faults, Forbidden, InvalidInput
from goldloop.kit.events import Event, EventType, dispatch, emit, emit_all, leaves_work
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import LAST_ID, LAST_TIME, RawPage, decode_pair
from goldloop.responses import events, store
from goldloop.responses.field_check_service import check_fields
from goldloop.responses.model import (
    EntityResponse,
    NotReviewable,
    ResponseExists,
    ResponseNotFound,
    ResponsePromoted,
    ResponseSource,
    ResponseStatus,
)
from goldloop.responses.permissions import RESPONSES_CREATE, RESPONSES_READ, RESPONSES_REVIEW
from goldloop.responses.shapes import Asked, shape_of
from goldloop.responses.target_service import Target, likely_target, resolve_target
from goldloop.tenants.parties.store import is_by, party_of

# What the submitter said, as opposed to what became of it.
_SENT = (
    "criteria_set_id", "values", "field_meta", "source", "notes", "parent_response_id", "temporal_value"
)  # fmt: skip


class NewResponse(NamedTuple):
    """With neither `criteria_set_id` nor `criteria_set_slug` the default set of the record's type is meant. A `partial` one
    may leave out what is required: whoever looked for the values did not find them all."""

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
    partial: bool = False


async def find_faults(tx: Tx, new: NewResponse) -> Faults:
    """What is wrong with a response that somebody might submit."""
    tx.actor.check(RESPONSES_CREATE)
    entity_type, criteria_set = await resolve_target(
        tx, new.entity_id, new.criteria_set_id, new.criteria_set_slug
    )
    return await _find_faults(tx, new, criteria_set, entity_type)


async def submit(tx: Tx, new: NewResponse, *, alone: bool = False) -> EntityResponse | None:
    """None for an empty matrix without notes: it is accepted, and there is nothing to write. `alone` is a submission that is
    all that its transaction does: it goes by what the one before was about, and looks that up only if it was wrong."""
    tx.actor.check(RESPONSES_CREATE)
    new = new._replace(temporal_value=new.temporal_value.strip() if new.temporal_value else None)
    asked = new.criteria_set_id, new.criteria_set_slug
    if alone and (likely := likely_target(tx, *asked)):
        with suppress(_NotAsBefore):
            return await _submit(tx, new, likely, alone=True, guessed=True)
    return await _submit(tx, new, await resolve_target(tx, new.entity_id, *asked), alone=alone)


class _NotAsBefore(Exception):
    """A submission is not about what the one before was about, or its values do not fit that. Nothing was written."""


async def _submit(
    tx: Tx, new: NewResponse, target: Target, *, alone: bool, guessed: bool = False
) -> EntityResponse | None:
    """Raises `_NotAsBefore` where a target that was `guessed` turns out to be another."""
    entity_type, criteria_set = target
    shape = shape_of(criteria_set.scope)
    if faults := await _find_faults(tx, new, criteria_set, entity_type):
        if guessed:
            raise _NotAsBefore
        before = await _find_same(tx, new, criteria_set)
        if before is None:
            raise InvalidInput(errors=faults)
        return before
    values = shape.clean(new.values)
    if not shape.may_be_empty and not values and not (new.notes or "").strip():
        return None
    score = shape.score(values, criteria_set.dimensions)
    promotable = shape.promotable(values, criteria_set.dimensions, entity_type.json_schema)
    response = EntityResponse(
        id=new.id or new_id(),
        entity_id=new.entity_id,
        criteria_set_id=criteria_set.id,
        criteria_snapshot=criteria_set.dimensions,
        scope=criteria_set.relation_scope,
        submitted_by_user=tx.actor.id if tx.actor.kind is ActorKind.USER else None,
        submitted_by_agent=tx.actor.id if tx.actor.kind is ActorKind.AGENT else None,
        submitted_by=party_of(tx.actor),
        source=new.source,
        values=values,
        field_meta=shape.clean_meta(new.field_meta or {}, values),
        weighted_score=score.weighted,
        normalized_score=score.normalized,
        status=ResponseStatus.SUBMITTED,
        promoted_fields=[],
        promotable_fields=sorted(promotable),
        reviewed_by=None,
        reviewer=None,
        reviewed_at=None,
        review_notes=None,
        parent_response_id=new.parent_response_id,
        temporal_value=new.temporal_value,
        notes=new.notes,
        created_at=now(),  # until it is written: the database has the last word
        withdrawn_at=None,
        assigned_to=None,
        waits=False,  # so has this
    )
    alone = alone and not await leaves_work(tx, _event(events.SUBMITTED, response))
    done = await store.insert(tx, response, criteria_set, entity_type, alone=alone)
    if done.outcome in ("stale", "type_changed") and guessed:
        raise _NotAsBefore
    if done.outcome == "stale":
        raise CriteriaSetChanged
    if done.outcome == "type_changed":
        raise CriteriaSetChanged("The type of the record changed at the same moment")
    if done.outcome == "absent":
        raise EntityNotFound
    if done.event is None:
        return await _submitted_before(tx, response)
    await dispatch(tx, done.event)
    return msgspec.structs.replace(response, created_at=done.created_at, waits=done.waits)


async def _submitted_before(tx: Tx, again: EntityResponse) -> EntityResponse:
    """The same submission again answers with what is there; another one under its id is refused."""
    found = await store.find(tx, again.entity_id, again.id)
    if found is None or not _is_repeated(found, again):
        raise ResponseExists(conflict={"id": str(again.id)})
    return found


async def _find_same(tx: Tx, new: NewResponse, criteria_set: CriteriaSet) -> EntityResponse | None:
    """What was submitted before under the same id, if that is the same: it was right in its day, whatever was
    disconnected or changed since."""
    found = await store.find(tx, new.entity_id, new.id) if new.id else None
    if found is None:
        return None
    shape = shape_of(found.scope)
    values = shape.clean(new.values)
    field_meta = shape.clean_meta(new.field_meta or {}, values)
    sent = new._replace(criteria_set_id=criteria_set.id, values=values, field_meta=field_meta)
    return found if _is_repeated(found, sent) else None


def _is_repeated(found: EntityResponse, again: EntityResponse | NewResponse) -> bool:
    return all(same_json(getattr(found, name), getattr(again, name)) for name in _SENT)


async def access(tx: Tx, entity_id: UUID, response_id: UUID) -> EntityResponse:
    """Of a record that one may read: nobody sees by its responses what the record keeps from them."""
    tx.actor.check(RESPONSES_READ)
    tx.actor.check(ENTITIES_READ)
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
) -> RawPage[EntityResponse]:
    tx.actor.check(RESPONSES_READ)
    tx.actor.check(ENTITIES_READ)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, entity_id, set_id, status, before, limit)
    if rows.is_empty:  # what has a response is there
        await records.access(tx, entity_id)
    return rows


async def review(
    tx: Tx, entity_id: UUID, response_id: UUID, status: ResponseStatus, notes: str | None
) -> EntityResponse:
    """Reject with notes, or reopen what was rejected. One event per field tells whoever can try again."""
    notes = (notes or "").strip() or None
    tx.actor.check(RESPONSES_REVIEW)
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
        raise _promoted(before)
    if before.status is status and before.review_notes == notes:
        return before
    if not await store.set_review(tx, entity_id, response_id, expected[status], status, notes):
        raise NotReviewable(conflict={"id": str(response_id), "status": before.status})
    rejected = status is ResponseStatus.REJECTED
    await store.refresh_summary(tx, entity_id, response_id)
    await emit(tx, _event(events.REJECTED if rejected else events.REOPENED, before))
    if rejected and notes and _can_be_tried_again(before):
        entries = shape_of(before.scope).entries(before.values)
        await emit_all(tx, [_rejection(before, key, value, notes) for key, value in entries])
    return await access(tx, entity_id, response_id)


async def withdraw(tx: Tx, entity_id: UUID, response_id: UUID) -> None:
    """By whoever submitted it, or by a reviewer."""
    response = await access(tx, entity_id, response_id)
    if not is_by(response.submitted_by, tx.actor) and not tx.actor.may(RESPONSES_REVIEW):
        raise Forbidden("A response is withdrawn by whoever submitted it, or by a reviewer")
    outcome = await store.withdraw(tx, response_id)
    if outcome == "promoted":
        raise _promoted(response)
    if outcome == "withdrawn":
        await emit(tx, _event(events.WITHDRAWN, response))


async def _find_faults(
    tx: Tx, new: NewResponse, criteria_set: CriteriaSet, entity_type: EntityType
) -> Faults:
    shape, field_key = shape_of(criteria_set.scope), criteria_set.rated_field or ""
    named = shape.connections(new.values)
    fields = await relations.fields_to(tx, new.entity_id, named, field_key) if named else {}
    dimensions = criteria_set.dimensions
    if new.partial:
        dimensions = [msgspec.structs.replace(each, required=False) for each in dimensions]
    asked = Asked(dimensions, fields, field_key)
    faults = shape.check(new.values, new.field_meta or {}, asked)
    if criteria_set.kind is Kind.TEMPORAL and not new.temporal_value:
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
    faults += await check_fields(tx, new.values, criteria_set, entity_type, known=faults)
    return faults


def _promoted(response: EntityResponse) -> ResponsePromoted:
    if response.status is ResponseStatus.SUPERSEDED:
        return ResponsePromoted("Values of this response were part of the record: it stays as they left it")
    return ResponsePromoted()


def _can_be_tried_again(response: EntityResponse) -> bool:
    return response.submitted_by.kind == "agent" or response.source is ResponseSource.EXTRACTION


def _event(happened: EventType[events.OfResponse], response: EntityResponse) -> Event:
    payload = events.OfResponse(
        entity_id=response.entity_id,
        response_id=response.id,
        criteria_set_id=response.criteria_set_id,
        source=response.source,
        field_key=(response.scope and response.scope.field_key) or msgspec.UNSET,
    )
    return happened.of(response.id, payload)


def _rejection(response: EntityResponse, key: str, value: Any, notes: str) -> Event:
    payload = events.ResultRejected(
        entity_id=response.entity_id,
        response_id=response.id,
        criteria_set_id=response.criteria_set_id,
        field=key,
        value=value,
        notes=notes,
    )
    return events.RESULT_REJECTED.of(response.id, payload)


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
