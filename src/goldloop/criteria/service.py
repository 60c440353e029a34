"""Use cases: define, list, change and delete criteria sets; update the default set of each type."""

from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria import events, store
from goldloop.criteria.defaults import (
    default_criteria_set_name,
    default_criteria_set_slug,
    default_dimensions,
)
from goldloop.criteria.definition import check_definition
from goldloop.criteria.dimension_types import NUMERIC
from goldloop.criteria.errors import (
    CriteriaSetExists,
    CriteriaSetNotFound,
    DefaultSetIsReadOnly,
)
from goldloop.criteria.model import CriteriaSet, CriteriaSetDefinition, Kind
from goldloop.criteria.permissions import CRITERIA_SETS_MANAGE, CRITERIA_SETS_READ
from goldloop.entities.model import EntityType, EntityTypeNotFound, check_version
from goldloop.entities.types import service as entity_types
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.events import Event, EventType, emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, FIRST_TIME, Page, decode_cursor, page


class SetFilter(NamedTuple):
    entity_type: str | None = None
    slug: str | None = None
    archived: bool = False


async def create(tx: Tx, set_id: UUID | None, definition: CriteriaSetDefinition) -> CriteriaSet:
    """Define a set. The same create again answers with what is there."""
    tx.actor.check(CRITERIA_SETS_MANAGE)
    await _check(tx, definition)
    if definition.slug.startswith("default-"):
        raise InvalidInput.at(
            "/slug", "reserved_slug", "Slugs that begin with default- belong to the default sets"
        )
    made = await store.insert(tx, set_id or new_id(), definition)
    found = await store.find_by_slug(tx, definition.slug)
    if found is None or (not made and (found.id != set_id or not _same(found, definition))):
        raise CriteriaSetExists(conflict={"slug": definition.slug})
    if made:
        await _feature_if_scored(tx, found)
        await emit(tx, _event(events.CREATED, found))
    return found


async def access(tx: Tx, set_id: UUID) -> CriteriaSet:
    tx.actor.check(CRITERIA_SETS_READ)
    found = await store.find(tx, set_id)
    if found is None:
        raise CriteriaSetNotFound
    return found


async def list_sets(tx: Tx, wanted: SetFilter, cursor: str | None, limit: int) -> Page[CriteriaSet]:
    tx.actor.check(CRITERIA_SETS_READ)
    if wanted.entity_type is not None and await types.find(tx, wanted.entity_type) is None:
        raise EntityTypeNotFound
    after = decode_cursor(cursor, str) or ""
    rows = await store.list_by_slug(tx, wanted.entity_type, wanted.slug, wanted.archived, after, limit + 1)
    return page(rows, limit, lambda found: found.slug)


async def change(
    tx: Tx, set_id: UUID, version: int | None, changes: dict[str, Any], archived: bool | None = None
) -> CriteriaSet:
    """Change what is named in `changes`; responses keep the snapshot that they were made with. What is rated stays, once
    somebody has rated it. What is there already, perhaps by this very change sent before, makes no new version."""
    tx.actor.check(CRITERIA_SETS_MANAGE)
    before = await store.lock(tx, set_id)
    if before is None:
        raise CriteriaSetNotFound
    if before.is_default:
        raise DefaultSetIsReadOnly
    definition = _definition(before, changes)
    was_archived = before.archived_at is not None
    archive = was_archived if archived is None else archived
    if _same(before, definition) and archive == was_archived:
        return before
    check_version("criteria set", version, before.version)
    await _check(tx, definition, before)
    if definition.rated_field != before.rated_field and await store.is_used(tx, set_id):
        raise InvalidInput.at(
            "/scope",
            "scope_in_use",
            "Responses were made with this scope. Make another set to rate something else",
        )
    await store.update(tx, set_id, definition, archived=archive)
    found = await access(tx, set_id)
    await _feature_if_scored(tx, found)
    await _hand_over(tx, found)
    newly = archive and not was_archived
    await emit(tx, _event(events.ARCHIVED if newly else events.CHANGED, found))
    return found


async def remove(tx: Tx, set_id: UUID) -> CriteriaSet | None:
    """Delete a set nobody has used; one with responses is archived instead, and returned."""
    tx.actor.check(CRITERIA_SETS_MANAGE)
    before = await store.lock(tx, set_id)
    if before is None:
        raise CriteriaSetNotFound
    if before.is_default:
        raise DefaultSetIsReadOnly("A default criteria set is never deleted")
    featuring = await types.featuring(tx, set_id)
    if await store.delete_if_unused(tx, set_id):
        await entity_types.set_featured(tx, featuring, None)
        for slug in featuring:
            await feature_first_scored(tx, slug)
        await emit(tx, _event(events.REMOVED, before))
        return None
    await store.archive(tx, set_id)
    archived = await access(tx, set_id)
    await _hand_over(tx, archived)
    await emit(tx, _event(events.ARCHIVED, before))
    return archived


async def sync_default_criteria_set(
    tx: Tx, entity_type: EntityType, found: CriteriaSet | None = None
) -> CriteriaSet:
    """The default set of a type, made or brought up to date if it is not that of the type's version. `found` is
    the set as the caller has read it."""
    slug = default_criteria_set_slug(entity_type.slug)
    found = found or await store.find_by_slug(tx, slug)
    if found is not None and _is_of(found, entity_type):
        return found
    definition = CriteriaSetDefinition(
        slug=slug,
        name=default_criteria_set_name(entity_type.name),
        kind=Kind.RECORD,
        dimensions=default_dimensions(entity_type.json_schema, entity_type.field_configs),
        entity_type_slugs=[entity_type.slug],
    )
    if found is None:
        await store.insert(tx, new_id(), definition, is_default=True, type_version=entity_type.version)
    else:
        await store.update(tx, found.id, definition, archived=False, type_version=entity_type.version)
    synced = await store.find_by_slug(tx, slug)
    assert synced is not None
    await emit(tx, _event(events.CHANGED if found else events.CREATED, synced))
    return synced


def _is_of(default: CriteriaSet, entity_type: EntityType) -> bool:
    """Whether the set belongs to this type: a default set older than its type was made for a deleted type of the same slug."""
    return default.entity_type_version == entity_type.version and default.updated_at >= entity_type.created_at


def is_scored(definition: CriteriaSet | CriteriaSetDefinition) -> bool:
    """Whether its responses can have a score."""
    return any(d.type in NUMERIC and d.weight and d.scale for d in definition.dimensions)


async def _check(tx: Tx, definition: CriteriaSetDefinition, before: CriteriaSet | None = None) -> None:
    """What a set `before` named already may be gone by now: that keeps nobody from changing the rest."""
    faults = check_definition(definition)
    field_key = definition.rated_field
    named = (before.entity_type_slugs or []) if before and before.rated_field == field_key else []
    slugs = [
        (place, slug) for place, slug in enumerate(definition.entity_type_slugs or []) if slug not in named
    ]
    relations = await types.are_relations(tx, [slug for _, slug in slugs], field_key) if slugs else {}
    for place, slug in slugs:
        if field_key and relations.get(slug) is False:
            faults.append(
                Fault(
                    path="/scope/fieldKey",
                    code="not_a_relation",
                    message=f"{field_key!r} is not a relation field of {slug}",
                )
            )
        if slug not in relations:
            faults.append(
                Fault(
                    path=f"/entity_type_slugs/{place}",
                    code="entity_type_not_found",
                    message=f"There is no type {slug!r}",
                )
            )
    if faults:
        raise InvalidInput(errors=faults)


async def feature_first_scored(tx: Tx, type_slug: str) -> None:
    """For a type that features no set that can give a score: the oldest one that can and is scoped to it."""
    if await _without_live_set(tx, [type_slug]):
        after = (FIRST_TIME, FIRST_ID)
        while batch := await store.list_scoped_oldest_first(tx, type_slug, after):
            if first := next((found for found in batch if _can_be_featured(found, type_slug)), None):
                await entity_types.set_featured(tx, [type_slug], first.id)
                return
            after = (batch[-1].created_at, batch[-1].id)


async def _feature_if_scored(tx: Tx, found: CriteriaSet) -> None:
    """The first scored set of a type is the one whose score its records show, as long as it can give one."""
    slugs = [slug for slug in found.entity_type_slugs or [] if _can_be_featured(found, slug)]
    if slugs and (without := await _without_live_set(tx, slugs)):
        await entity_types.set_featured(tx, without, found.id)


async def _without_live_set(tx: Tx, slugs: list[str]) -> list[str]:
    """The types among these that feature no set which can give them a score."""
    featured = await types.featured(tx, slugs)
    sets = await store.list_summaries(tx, list(set(featured.values()))) if featured else {}
    live = {
        slug for slug, set_id in featured.items() if set_id in sets and _can_be_featured(sets[set_id], slug)
    }
    return [slug for slug in slugs if slug not in live]


async def check_can_be_featured(tx: Tx, set_id: UUID, type_slug: str) -> None:
    """Refuses what would leave the records of a type without a score."""
    found = await store.find(tx, set_id)
    at = "/config/featuredScore/criteriaSetId"
    if found is None:
        raise InvalidInput.at(at, "criteria_set_not_found", "There is no such criteria set in this workspace")
    if not _can_be_featured(found, type_slug):
        raise InvalidInput.at(at, "cannot_be_featured", "This set gives no score to records of this type")


async def _hand_over(tx: Tx, found: CriteriaSet) -> None:
    """Where a featured set can give no more scores, the oldest that can is featured instead, if there is one."""
    for slug in await types.featuring(tx, found.id):
        if not _can_be_featured(found, slug):
            await feature_first_scored(tx, slug)


def _can_be_featured(found: CriteriaSet, slug: str) -> bool:
    applies = found.entity_type_slugs is None or slug in found.entity_type_slugs
    return applies and is_scored(found) and not found.is_relation_scoped and found.archived_at is None


async def remove_default(tx: Tx, type_slug: str) -> None:
    """The default set goes with its type, unless responses to records that are gone were made with it."""
    found = await store.find_by_slug(tx, default_criteria_set_slug(type_slug))
    if found is not None and await types.find(tx, type_slug) is None:
        if not await store.delete_if_unused(tx, found.id):
            await store.archive(tx, found.id)
        await emit(tx, _event(events.REMOVED, found))


def _definition(found: CriteriaSet, changes: dict[str, Any]) -> CriteriaSetDefinition:
    """A stored set as it was defined, with some of it changed."""
    stored = {f.name: getattr(found, f.name) for f in msgspec.structs.fields(CriteriaSetDefinition)}
    wanted = CriteriaSetDefinition(**stored | changes)
    return msgspec.structs.replace(wanted, description=wanted.description or None)


def _same(found: CriteriaSet, definition: CriteriaSetDefinition) -> bool:
    return _definition(found, {}) == definition


def _event(happened: EventType[events.OfSet], found: CriteriaSet) -> Event:
    return happened.of(found.id, events.OfSet(slug=found.slug))
