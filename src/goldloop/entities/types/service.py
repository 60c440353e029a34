"""Use cases: define, list, change and delete entity types."""

from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.entities.featured import check_featured, featured_set, normalize_featured
from goldloop.entities.fields import check_field_configs, check_field_names, narrowed_relations
from goldloop.entities.model import (
    ContentBreaksSchema,
    EntityType,
    EntityTypeExists,
    EntityTypeInUse,
    EntityTypeNotFound,
    RelationInUse,
    check_version,
)
from goldloop.entities.permissions import ENTITY_TYPES_MANAGE, ENTITY_TYPES_READ
from goldloop.entities.records import store as records
from goldloop.entities.relations import store as relations
from goldloop.entities.types import events, store
from goldloop.entities.validation.service import check_each, check_schema
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.events import NOTHING, emit, emit_all
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import FIRST_ID, Page, decode_cursor, page

SHOWN_BREAKS = 5  # records named when a new schema does not fit them
BATCH = 200  # records read at once
BATCH_BYTES = 256 * 1024  # unless one alone has more: reading it takes milliseconds


class TypeChange(NamedTuple):
    """What is None stays as it is; without a version it is a change of whichever is there."""

    version: int | None = None
    name: str | None = None
    json_schema: dict[str, Any] | None = None
    field_configs: dict[str, Any] | None = None
    config: dict[str, Any] | None = None


async def create(
    tx: Tx,
    type_id: UUID | None,
    slug: str,
    name: str,
    json_schema: dict[str, Any],
    field_configs: dict[str, Any],
    config: dict[str, Any],
) -> EntityType:
    """Define a type. The same create again answers with what is there."""
    tx.actor.check(ENTITY_TYPES_MANAGE)
    _raise(await check_schema(tx.actor.tenant_id, json_schema))
    _raise([*_field_faults(json_schema, field_configs), *check_featured(config)])
    config = normalize_featured({}, config)
    made = await store.insert(tx, type_id or new_id(), slug, name, json_schema, field_configs, config)
    found = await store.find(tx, slug)
    if found is None or (
        not made and (found.id != type_id or not _same(found, name, json_schema, field_configs, config))
    ):
        raise EntityTypeExists(conflict={"slug": slug})
    if made:
        await emit(tx, events.CREATED.of(slug, _defined(featured_set(config))))
    return found


def _same(found: EntityType, name: str, *given: dict[str, Any]) -> bool:
    """Whether the type has this definition. The featured criteria set is not compared: it may have been set since."""
    stored = found.json_schema, found.field_configs, found.config
    kept = [{k: v for k, v in each.items() if k != "featuredScore"} for each in (*stored, *given)]
    return found.name == name and same_json(kept[:3], kept[3:])


async def access(tx: Tx, slug: str) -> EntityType:
    tx.actor.check(ENTITY_TYPES_READ)
    found = await store.find(tx, slug)
    if found is None:
        raise EntityTypeNotFound
    return found


async def list_types(tx: Tx, cursor: str | None, limit: int) -> Page[EntityType]:
    tx.actor.check(ENTITY_TYPES_READ)
    rows = await store.list_by_slug(tx, decode_cursor(cursor, str), limit + 1)
    return page(rows, limit, lambda entity_type: entity_type.slug)


async def change(tx: Tx, slug: str, wanted: TypeChange) -> EntityType:
    """Change a type; a schema that its records do not satisfy is refused, with some of them named. What is there
    already, perhaps by this very change sent before, makes no new version."""
    tx.actor.check(ENTITY_TYPES_MANAGE)
    before = await store.lock(tx, slug)
    if before is None:
        raise EntityTypeNotFound
    json_schema = before.json_schema if wanted.json_schema is None else wanted.json_schema
    field_configs = before.field_configs if wanted.field_configs is None else wanted.field_configs
    _raise(check_featured(wanted.config or {}))
    config = before.config if wanted.config is None else normalize_featured(before.config, wanted.config)
    name = wanted.name or before.name
    if _written(name, json_schema, field_configs, config) == _written(
        before.name, before.json_schema, before.field_configs, before.config
    ):
        return before
    check_version("entity type", wanted.version, before.version)
    is_other = not same_json(json_schema, before.json_schema)
    if is_other:  # what stays is not looked at again: it may be from before there were bounds
        _raise(await check_schema(tx.actor.tenant_id, json_schema))
    if is_other or wanted.field_configs is not None:
        _raise(_field_faults(json_schema, field_configs))
    if is_other:
        await _check_records(tx, before.id, json_schema)
    await _check_relations(tx, before, field_configs)
    await store.update(tx, before.id, name, json_schema, field_configs, config)
    chosen = featured_set(config)
    is_chosen = chosen != featured_set(before.config)
    await emit(tx, events.CHANGED.of(slug, _defined(chosen if is_chosen else None)))
    return await access(tx, slug)


async def set_featured(tx: Tx, slugs: list[str], set_id: UUID | None) -> None:
    """Choose the criteria set whose score the records of some types show; None where the one that did is gone. What
    criteria sets there are decides, and who may define them is asked there."""
    featuring = await store.set_featured(tx, slugs, set_id)
    if set_id is not None:
        await emit_all(tx, [events.FEATURED.of(slug, NOTHING) for slug in featuring])


async def remove(tx: Tx, slug: str) -> None:
    """Delete a type that has no records."""
    tx.actor.check(ENTITY_TYPES_MANAGE)
    found = await store.lock(tx, slug)
    if found is None:
        raise EntityTypeNotFound
    if await records.any_of_type(tx, found.id):
        raise EntityTypeInUse
    await store.delete(tx, found.id)
    await emit(tx, events.REMOVED.of(slug, NOTHING))


def _defined(featured: UUID | None) -> events.TypeDefined:
    return events.TypeDefined(featured=featured or msgspec.UNSET)


def _field_faults(json_schema: dict[str, Any], field_configs: dict[str, Any]) -> list[Fault]:
    names = check_field_names(json_schema["properties"], "json_schema", "properties")
    return names or check_field_configs(field_configs, json_schema)


def _raise(faults: list[Fault]) -> None:
    if faults:
        raise InvalidInput(errors=faults)


def _written(name: str, json_schema: Any, field_configs: Any, config: Any) -> tuple[bytes, bytes]:
    """As it is stored: fields in their order, and true is not 1."""
    ordered = msgspec.json.encode([name, json_schema, field_configs])
    return ordered, msgspec.json.encode(config, order="sorted")


async def _check_relations(tx: Tx, before: EntityType, field_configs: dict[str, Any]) -> None:
    """Refuses a change that existing connections do not fit. No connection is added meanwhile: that takes the type's lock."""
    narrowed = narrowed_relations(before.field_configs, field_configs)
    edges = await relations.count_through(tx, before.id, narrowed) if narrowed else {}
    if edges:
        connections = ", ".join(f"{count} through {field!r}" for field, count in edges.items())
        raise RelationInUse(f"Remove the connections first: {connections}", conflict={"fields": edges})


async def _check_records(tx: Tx, type_id: UUID, json_schema: dict[str, Any]) -> None:
    breaks: list[dict[str, Any]] = []
    after, limit = FIRST_ID, BATCH
    while len(breaks) < SHOWN_BREAKS and (
        batch := await records.contents(tx, type_id, after, limit, BATCH_BYTES)
    ):
        found = await check_each(tx.actor.tenant_id, json_schema, [content for _, _, content in batch])
        breaks += [
            {"id": str(entity_id), "title": title, "path": faults[0].path, "message": faults[0].message}
            for (entity_id, title, _), faults in zip(batch, found, strict=True)
            if faults
        ]
        after, limit = batch[-1][0], min(BATCH, 2 * len(batch))  # where records are large, few are looked at
    if breaks:
        raise ContentBreaksSchema(conflict={"records": breaks[:SHOWN_BREAKS]})
