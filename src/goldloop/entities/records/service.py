"""Use cases: read, list, make, directly edit and delete records."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.fields import check_field_names
from goldloop.entities.model import (
    AgentsPropose,
    Entity,
    EntityCount,
    EntityExists,
    EntityNotFound,
    EntityType,
    EntityTypeNotFound,
    check_version,
)
from goldloop.entities.permissions import ENTITIES_CREATE, ENTITIES_READ, ENTITIES_UPDATE
from goldloop.entities.records import events, store
from goldloop.entities.records.ordering import ORDERS, Order, order_of
from goldloop.entities.records.table import columns_of
from goldloop.entities.records.typos import neighbours
from goldloop.entities.records.words import record_words, terms, words_change
from goldloop.entities.scores import legacy_score_faults
from goldloop.entities.types import store as types
from goldloop.entities.validation.service import check_content
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Conflict, Fault, InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import NO_ROWS, RawPage, decode_pair

MOST_COUNTED = 10_000  # records of a list: more are told apart by nobody, and cost their time at each look
MOST_SORTED = (
    20_000  # records that are read and sorted for a page by a field, which has no index: a tenth of a second
)
MOST_MEANT = 10  # words that one mistyped word may stand for


class Filter(NamedTuple):
    type: str | None = None
    q: str | None = None
    min_score: float | None = None
    waits: bool = False


class EntityChange(NamedTuple):
    """What is None stays as it is; `content` replaces the whole content."""

    version: int
    title: str | None = None
    content: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None


async def access(tx: Tx, entity_id: UUID) -> Entity:
    tx.actor.check(ENTITIES_READ)
    entity = await store.find(tx, entity_id)
    if entity is None:
        raise EntityNotFound
    return entity


async def list_titles(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Of those of these records that are there."""
    tx.actor.check(ENTITIES_READ)
    return await store.titles(tx, ids)


async def hold(tx: Tx, entity_id: UUID) -> Entity:
    """Load a record and lock it until the transaction ends."""
    tx.actor.check(ENTITIES_READ)
    await store.lock(tx, entity_id)
    return await access(tx, entity_id)


async def access_type(tx: Tx, slug: str) -> EntityType:
    found = await types.find(tx, slug)
    if found is None:
        raise EntityTypeNotFound
    return found


async def list_entities(tx: Tx, wanted: Filter, sort: str, cursor: str | None, limit: int) -> RawPage[Entity]:
    tx.actor.check(ENTITIES_READ)
    order = await _order(tx, wanted, sort)
    after = decode_pair(cursor, order.key) or order.start
    rows: RawPage[Entity] = NO_ROWS
    async for found in _searches(tx, wanted):
        if order.field is not None:
            await _check_sortable(tx, found)
        rows = await store.list_page(tx, order, after, limit, found)
        if not rows.is_empty:
            return rows
    await _check_type(tx, wanted)
    return rows


async def _order(tx: Tx, wanted: Filter, sort: str) -> Order:
    """Only one by a field has to know the type."""
    if sort in ORDERS or wanted.type is None:
        return order_of(sort, None)
    return order_of(sort, (await access_type(tx, wanted.type)).json_schema)


async def _check_type(tx: Tx, wanted: Filter) -> None:
    """Where nothing was found: what has a record is there."""
    if wanted.type is not None:
        await access_type(tx, wanted.type)


async def count_entities(tx: Tx, wanted: Filter) -> EntityCount:
    """How many records a list has, as far as counting is cheap."""
    tx.actor.check(ENTITIES_READ)
    counted = store.Counted(0, all=True)
    async for found in _searches(tx, wanted):
        counted = await store.count(tx, found, MOST_COUNTED + 1)
        if counted.found or not counted.all:
            break
    else:
        await _check_type(tx, wanted)
    more = counted.found > MOST_COUNTED or not counted.all
    return EntityCount(count=min(counted.found, MOST_COUNTED), more=more)


async def _check_sortable(tx: Tx, found: store.Wanted) -> int:
    """Refuses to sort by a field what is too much to be read and sorted for each page; else how many there are."""
    counted = await store.count(tx, found, MOST_SORTED + 1)
    if counted.found > MOST_SORTED or not counted.all:
        raise InvalidInput.at(
            "/sort",
            "too_many_to_sort",
            f"More than {MOST_SORTED:,} records, or too many to be counted: only a shorter list is sorted by a field. Search or filter first, or sort "
            "by title, score or time",
        )
    return counted.found


async def export_columns(tx: Tx, wanted: Filter, sort: str, chosen: Sequence[str] | None) -> list[str] | None:
    """The fields that a table of a list has; None where its records are of several types and none was chosen. A list
    that cannot be sorted so is refused here, before the first byte of the table is sent."""
    tx.actor.check(ENTITIES_READ)
    entity_type = await access_type(tx, wanted.type) if wanted.type is not None else None
    if order_of(sort, entity_type.json_schema if entity_type else None).field is not None:
        async for found in _searches(tx, wanted):
            if await _check_sortable(tx, found):
                break
    return columns_of(entity_type, chosen)


async def _searches(tx: Tx, wanted: Filter) -> AsyncIterator[store.Wanted]:
    """What to look for, one after another until something is found: the words as they are written, and where no record
    has them all, with a typo in each of them forgiven. A page after the first comes to the same, because it is asked for
    only where there is something on it."""
    waits = store.Waits(await store.many_wait(tx)) if wanted.waits else None
    searched = terms(wanted.q or "")
    if not searched:
        if not (wanted.q or "").strip():  # signs only: no record is called that
            yield store.Wanted(wanted.type, (), wanted.min_score, waits=waits)
        return
    if entity_id := _as_id(wanted.q or ""):
        yield store.Wanted(wanted.type, (), wanted.min_score, entity_id, waits)
    sizes = await store.sizes(tx, searched)
    if all(sizes):
        found = (_term([term], size) for term, size in zip(searched, sizes, strict=True))
        yield store.Wanted(wanted.type, tuple(found), wanted.min_score, waits=waits)
    if forgiving := await _forgiving(tx, searched, sizes):
        yield store.Wanted(wanted.type, tuple(forgiving), wanted.min_score, waits=waits)


async def _forgiving(tx: Tx, searched: list[str], sizes: list[int]) -> list[store.Term]:
    """Each word with those that it may be a typo of; nothing where one stands for no word at all, or no other word is near."""
    found: list[store.Term] = []
    for term, size in zip(searched, sizes, strict=True):
        meant = await store.existing(tx, neighbours(term), MOST_MEANT)
        beginnings = [term, *meant] if size else meant
        if not beginnings:
            return []
        found.append(_term(beginnings, sum(await store.sizes(tx, beginnings))))
    return (
        found if any(len(term.low) > 1 or not size for term, size in zip(found, sizes, strict=True)) else []
    )


def _term(beginnings: list[str], size: int) -> store.Term:
    return store.Term(*store.ranges(beginnings), size > store.COMMON)


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None


async def create(
    tx: Tx,
    entity_id: UUID | None,
    type_slug: str,
    title: str,
    content: dict[str, Any],
    metadata: dict[str, Any],
) -> Entity:
    """Make a record. The same create again answers with what is there."""
    return (await create_or_find(tx, entity_id, type_slug, title, content, metadata)).entity


class Created(NamedTuple):
    entity: Entity
    is_new: bool


async def create_or_find(
    tx: Tx,
    entity_id: UUID | None,
    type_slug: str,
    title: str,
    content: dict[str, Any],
    metadata: dict[str, Any] | None = None,
) -> Created:
    """As `create`, and whether it was made now."""
    metadata = metadata or {}
    tx.actor.check(ENTITIES_CREATE)
    if content:
        _check_may_write(tx)
    if tx.actor.kind is ActorKind.AGENT and (faults := legacy_score_faults(metadata)):
        raise InvalidInput(errors=faults)
    entity_type = await _type_for_input(tx, type_slug)
    await _check_content(tx, entity_type, content)
    made_id = entity_id or new_id()
    outcome = await store.insert(
        tx,
        made_id,
        entity_type.id,
        entity_type.version,
        title,
        content,
        metadata,
        record_words(title, content),
    )
    if outcome == "stale":
        raise _TypeChanged
    entity = await access(tx, made_id)
    if outcome == "taken":
        if not _is_repeated(entity, type_slug, title, content, metadata):
            raise EntityExists(conflict={"id": str(made_id), "version": entity.version})
        return Created(entity, is_new=False)
    await emit(tx, events.CREATED.of(made_id, events.OfType(type=type_slug)))
    return Created(entity, is_new=True)


async def edit(tx: Tx, entity_id: UUID, change: EntityChange) -> Entity:
    """A direct edit by a person; 409 with both versions when somebody else was faster."""
    tx.actor.check(ENTITIES_UPDATE)
    _check_may_write(tx)
    before = await access(tx, entity_id)
    entity_type = await access_type(tx, before.type)
    content = before.content if change.content is None else change.content
    check_version("record", change.version, before.version)
    await _check_content(tx, entity_type, content)
    title = before.title if change.title is None else change.title
    outcome = await store.update(
        tx,
        entity_id,
        change.version,
        entity_type.version,
        title,
        content,
        change.metadata,
        words_change(record_words(before.title, before.content), record_words(title, content)),
    )
    after = await access(tx, entity_id)
    if outcome == "conflict":
        check_version("record", change.version, after.version)
    if outcome != "changed":
        raise _TypeChanged
    changed = [
        key
        for key in before.content.keys() | content.keys()
        if key not in before.content or key not in content or not same_json(before.content[key], content[key])
    ]
    edited = events.Edited(type=before.type, fields=sorted(changed), version=after.version)
    await emit(tx, events.EDITED.of(entity_id, edited))
    return after


async def remove(tx: Tx, entity_id: UUID) -> None:
    """Delete a record with all that belongs to it."""
    tx.actor.check(ENTITIES_UPDATE)
    _check_may_write(tx)
    await store.lock_to_remove(tx, entity_id)
    entity = await access(tx, entity_id)
    # Whoever listens still sees its relations.
    await emit(tx, events.REMOVED.of(entity_id, events.OfType(type=entity.type)))
    await store.delete(tx, entity_id)


async def remove_many(tx: Tx, ids: Sequence[UUID]) -> int:
    """Delete records, all or none. Those that are gone already are left out; the answer is how many there were."""
    tx.actor.check(ENTITIES_UPDATE)
    _check_may_write(tx)
    found = await store.lock_all_to_remove(tx, sorted(set(ids)))
    for entity_id, type_slug in found.items():
        await emit(tx, events.REMOVED.of(entity_id, events.OfType(type=type_slug)))
    await store.delete_all(tx, list(found))
    return len(found)


def _is_repeated(
    entity: Entity, type_slug: str, title: str, content: dict[str, Any], metadata: dict[str, Any]
) -> bool:
    given = [type_slug, title, content, _own(metadata)]
    return same_json([entity.type, entity.title, entity.content, _own(entity.metadata)], given)


def _own(metadata: dict[str, Any]) -> dict[str, Any]:
    """The metadata without the keys that the server writes."""
    return {key: value for key, value in metadata.items() if key != "response_summary"}


def _check_may_write(tx: Tx) -> None:
    if tx.actor.kind is ActorKind.AGENT:
        raise AgentsPropose


class _TypeChanged(Conflict):
    code, title = "entity_type_changed", "The entity type was changed at the same moment: try again"


async def _type_for_input(tx: Tx, slug: str) -> EntityType:
    found = await types.find(tx, slug)
    if found is None:
        raise InvalidInput.at("/type", "entity_type_not_found", f"There is no entity type {slug!r}")
    return found


async def _check_content(tx: Tx, entity_type: EntityType, content: dict[str, Any]) -> None:
    faults: list[Fault] = check_field_names(content, "content")
    if faults := faults or await check_content(tx.actor.tenant_id, entity_type.json_schema, content):
        raise InvalidInput("The content does not satisfy the type's schema", errors=faults)
