"""Use cases: promote values of a response into the content of its record, preview that, and undo it."""

from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.entities.history import store as history
from goldloop.entities.model import (
    AgentsPropose,
    ChangeKind,
    Entity,
    EntityNotFound,
    FieldChange,
    VersionConflict,
)
from goldloop.entities.permissions import ENTITIES_READ, ENTITIES_UPDATE
from goldloop.entities.records import service as records
from goldloop.entities.records.words import WordsChange, record_words, words_change
from goldloop.entities.validation.service import check_content
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.events import Event, dispatch, leaves_work
from goldloop.kit.json_equality import same_json
from goldloop.promotion import events, store
from goldloop.promotion.model import (
    FieldChangedSince,
    FieldPreview,
    FirstSteps,
    NotPromotable,
    PromotionPreview,
)
from goldloop.promotion.rules import check_promotable, check_undoable, derive_status
from goldloop.responses import service as responses
from goldloop.responses.model import EntityResponse, ResponseNotFound, ResponseStatus
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.responses.promotable import promoted_value, promotion_target
from goldloop.tenants.parties.store import party_of


class Plan(NamedTuple):
    """A promotion that is computed but not written."""

    before: store.Read
    response: EntityResponse
    dimensions: dict[str, str]  # field → dimension key
    content: dict[str, Any]
    faults: list[Fault]


async def promote(
    tx: Tx,
    entity_id: UUID,
    response_id: UUID,
    keys: list[str],
    expected_version: int | None,
    *,
    alone: bool = False,
) -> EntityResponse:
    """All of the named dimensions or none. 409 with both versions when the record is not at `expected_version`. `alone` is a
    promotion that is all that its transaction does."""
    _check_may_promote(tx)
    if alone:
        promoted = await _promote(tx, entity_id, response_id, keys, expected_version, hold=False)
        if promoted is not None:
            return promoted
    return await promote_as_decided(tx, entity_id, response_id, keys, expected_version)


async def promote_as_decided(
    tx: Tx, entity_id: UUID, response_id: UUID, keys: list[str], expected_version: int | None = None
) -> EntityResponse:
    """Promote on a decision that was made elsewhere (auto-promotion); it needs the same right."""
    tx.actor.check(ENTITIES_UPDATE)
    promoted = await _promote(tx, entity_id, response_id, keys, expected_version, hold=True)
    assert promoted is not None
    return promoted


async def _promote(
    tx: Tx, entity_id: UUID, response_id: UUID, keys: list[str], expected_version: int | None, *, hold: bool
) -> EntityResponse | None:
    """With `hold` the record waits for us from the first look at it. Without, what is written is written alone where no
    listener leaves anything with it, and None is returned, with nothing written, where somebody was quicker."""
    plan = await _plan(tx, entity_id, response_id, keys, hold=hold)
    version = plan.before.version
    if expected_version is not None and expected_version != version:
        raise _conflict(expected_version, version)
    _raise(plan)
    done = await store.promote(
        tx,
        entity_id,
        response_id,
        version,
        plan.before.entity_type.version,
        plan.content,
        plan.dimensions,
        _words_change(plan.before.title, plan.before.content, plan.content),
        alone=not hold and not await leaves_work(tx, _event(plan)),
    )
    if done.outcome == "conflict" and not hold:
        return None
    if done.outcome == "not_promotable":
        raise NotPromotable
    if done.outcome == "unchanged":
        return plan.response
    if done.event is None:
        raise _conflict(version, (await records.access(tx, entity_id)).version)
    await dispatch(tx, done.event)
    return msgspec.structs.replace(
        plan.response,
        status=done.status,
        promoted_fields=done.promoted_fields,
        reviewed_by=tx.actor.id,
        reviewer=party_of(tx.actor),
        reviewed_at=done.reviewed_at,
        waits=done.waits,
    )


async def read_first_steps(tx: Tx) -> FirstSteps:
    """From what is there, so that nobody has to tick anything."""
    tx.actor.check(ENTITIES_READ)
    tx.actor.check(RESPONSES_READ)
    return await store.read_first_steps(tx)


async def preview(tx: Tx, entity_id: UUID, response_id: UUID, keys: list[str]) -> PromotionPreview:
    tx.actor.check(ENTITIES_READ)
    plan = await _plan(tx, entity_id, response_id, keys, hold=False)
    current = await history.dimensions_in_use(tx, entity_id, response_id)
    promoted = set(plan.response.promoted_fields) | set(plan.dimensions.values())
    return PromotionPreview(
        entity_id=entity_id,
        response_id=response_id,
        version=plan.before.version,
        fields=[_field_preview(plan, field, key) for field, key in plan.dimensions.items()],
        status_after=derive_status(
            filled_promotable=set(plan.response.promotable_fields),
            promoted=promoted,
            current_sources=current | set(plan.dimensions.values()),
            rejected=plan.response.status is ResponseStatus.REJECTED,
        ),
        errors=plan.faults,
    )


async def undo(tx: Tx, entity_id: UUID, field: str, expected_version: int | None) -> Entity:
    """Bring back the value, and the source, from before the promotion that the field's value comes from."""
    _check_may_promote(tx)
    entity = await _hold(tx, entity_id, expected_version)
    source = await history.find_source(tx, entity_id, field)
    if source is None or source.kind is not ChangeKind.PROMOTION:
        raise FieldChangedSince
    await _undo(tx, entity, [source])
    return await records.access(tx, entity_id)


async def undo_response(
    tx: Tx, entity_id: UUID, response_id: UUID, keys: list[str] | None, expected_version: int | None
) -> EntityResponse:
    """Take back what was promoted of a response, all of the named dimensions or none; without names, whatever the
    record has of it. 409 with the dimensions whose value is not the record's any more."""
    _check_may_promote(tx)
    entity = await _hold(tx, entity_id, expected_version)
    response = await responses.access(tx, entity_id, response_id)
    current = await history.list_promoted(tx, entity_id, response_id)
    if keys is not None:
        if faults := check_undoable(keys, response.criteria_snapshot):
            raise InvalidInput("Nothing was undone", errors=faults)
        if changed := sorted(set(keys) - {source.dimension_key for source in current}):
            raise _changed_since(keys, changed, response)
        current = [source for source in current if source.dimension_key in keys]
    if not current:
        raise FieldChangedSince("No value of the record comes from this response")
    await _undo(tx, entity, current)
    return await responses.access(tx, entity_id, response_id)


async def _hold(tx: Tx, entity_id: UUID, expected_version: int | None) -> Entity:
    entity = await records.hold(tx, entity_id)
    if expected_version is not None and expected_version != entity.version:
        raise _conflict(expected_version, entity.version)
    return entity


async def _undo(tx: Tx, entity: Entity, promotions: list[FieldChange]) -> None:
    entity_type = await records.access_type(tx, entity.type)
    content = await store.content_before(tx, entity, promotions)
    if faults := await check_content(tx.actor.tenant_id, entity_type.json_schema, content):
        without = "this value" if len(promotions) == 1 else "these values"
        raise InvalidInput(
            f"Without {without} the content would not satisfy the type's schema", errors=faults
        )
    words = _words_change(entity.title, entity.content, content)
    outcome, event = await store.undo(
        tx, entity.id, promotions, entity.version, entity_type.version, content, words
    )
    if outcome == "changed_since":
        raise FieldChangedSince
    if event is None:
        raise _conflict(entity.version, (await records.access(tx, entity.id)).version)
    await dispatch(tx, event)


async def _plan(tx: Tx, entity_id: UUID, response_id: UUID, keys: list[str], *, hold: bool) -> Plan:
    tx.actor.check(ENTITIES_READ)
    tx.actor.check(RESPONSES_READ)
    before = await store.read(tx, entity_id, response_id, hold=hold)
    if before is None:
        raise EntityNotFound
    response = before.response
    if response is None:
        raise ResponseNotFound
    schema = before.entity_type.json_schema
    faults = check_promotable(
        keys,
        status=response.status,
        withdrawn=response.withdrawn_at is not None,
        relation_scoped=response.is_relation_scoped,
        values=response.values,
        dimensions=response.criteria_snapshot,
        json_schema=schema,
    )
    dimensions: dict[str, str] = {}
    content = dict(before.content)
    if not faults:
        for dimension in response.criteria_snapshot:
            field = promotion_target(dimension, schema)
            if dimension.key in keys and field is not None:
                dimensions[field] = dimension.key
                content[field] = promoted_value(response.values[dimension.key], dimension, schema, field)
        faults = await check_content(tx.actor.tenant_id, schema, content)
    return Plan(before, response, dimensions, content, faults)


def _event(plan: Plan) -> Event:
    """What the promotion will be told as, or more: fields that turn out to be the record's already are not told."""
    promoted = events.Promoted(
        entity_id=plan.response.entity_id,
        response_id=plan.response.id,
        fields=plan.dimensions,
        version=plan.before.version + 1,
        type=plan.before.entity_type.slug,
    )
    return events.PROMOTED.of(plan.response.id, promoted)


def _words_change(title: str, before: dict[str, Any], after: dict[str, Any]) -> WordsChange:
    return words_change(record_words(title, before), record_words(title, after))


def _field_preview(plan: Plan, field: str, key: str) -> FieldPreview:
    before = plan.before.content
    return FieldPreview(
        dimension=key,
        field=field,
        value=plan.content[field],
        value_before=before.get(field),
        present_before=field in before,
        changes=field not in before or not same_json(before[field], plan.content[field]),
    )


def _raise(plan: Plan) -> None:
    if not plan.faults:
        return
    if any(fault.path == "" for fault in plan.faults):
        raise NotPromotable(
            plan.faults[0].message, errors=plan.faults, conflict={"status": plan.response.status}
        )
    raise InvalidInput("The promotion is refused and nothing was changed", errors=plan.faults)


def _changed_since(keys: list[str], changed: list[str], response: EntityResponse) -> FieldChangedSince:
    labels = [dimension.label for dimension in response.criteria_snapshot if dimension.key in changed]
    return FieldChangedSince(
        f"Nothing was undone, because the record does not have {', '.join(labels)} from this response any more",
        errors=[
            Fault(
                path=f"/fields/{keys.index(key)}",
                code="field_changed_since",
                message="The value was changed or undone since, or never promoted",
            )
            for key in changed
        ],
        conflict={"fields": changed},
    )


def _check_may_promote(tx: Tx) -> None:
    tx.actor.check(ENTITIES_UPDATE)
    if tx.actor.kind is ActorKind.AGENT:
        raise AgentsPropose


def _conflict(expected: int, actual: int) -> VersionConflict:
    return VersionConflict(
        f"The record is at version {actual}, not {expected}",
        conflict={"expected_version": expected, "actual_version": actual},
    )
