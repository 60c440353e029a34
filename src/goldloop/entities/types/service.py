"""Defining entity types."""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.fields import check_field_configs, check_field_names
from goldloop.entities.model import (
    ContentBreaksSchema,
    EntityType,
    EntityTypeExists,
    EntityTypeInUse,
    EntityTypeNotFound,
)
from goldloop.entities.records import store as records
from goldloop.entities.schema import check_content, check_json_schema
from goldloop.entities.types import store
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.events import Event, emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, Page, decode_cursor, page
from goldloop.tenants import roles

SHOWN_BREAKS = 5  # records named when a new schema does not fit them
BATCH = 1000


class TypeChange(NamedTuple):
    """What is None stays as it is."""

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
    tx.actor.check(roles.ENTITY_TYPES_MANAGE)
    _check(json_schema, field_configs, config)
    made = await store.insert(tx, type_id or new_id(), slug, name, json_schema, field_configs, config)
    found = await store.find(tx, slug)
    if found is None or (
        not made
        and (found.id, found.name, found.json_schema, found.field_configs)
        != (type_id, name, json_schema, field_configs)
    ):
        raise EntityTypeExists(conflict={"slug": slug})
    if made:
        await emit(tx, _event("entity_type.created", slug))
    return found


async def access(tx: Tx, slug: str) -> EntityType:
    tx.actor.check(roles.ENTITY_TYPES_READ)
    found = await store.find(tx, slug)
    if found is None:
        raise EntityTypeNotFound
    return found


async def list_types(tx: Tx, cursor: str | None, limit: int) -> Page[EntityType]:
    tx.actor.check(roles.ENTITY_TYPES_READ)
    rows = await store.list_by_slug(tx, decode_cursor(cursor, str), limit + 1)
    return page(rows, limit, lambda entity_type: entity_type.slug)


async def change(tx: Tx, slug: str, wanted: TypeChange) -> EntityType:
    """Change a type; a schema that its records do not satisfy is refused, with some of them named."""
    tx.actor.check(roles.ENTITY_TYPES_MANAGE)
    before = await store.lock(tx, slug)
    if before is None:
        raise EntityTypeNotFound
    json_schema = before.json_schema if wanted.json_schema is None else wanted.json_schema
    field_configs = before.field_configs if wanted.field_configs is None else wanted.field_configs
    _check(json_schema, field_configs, wanted.config or {})
    config = before.config if wanted.config is None else _kept_featured(before.config, wanted.config)
    if json_schema != before.json_schema:
        await _check_records(tx, before.id, json_schema)
    await store.update(tx, before.id, wanted.name or before.name, json_schema, field_configs, config)
    await emit(tx, _event("entity_type.changed", slug))
    return await access(tx, slug)


async def remove(tx: Tx, slug: str) -> None:
    """Delete a type that has no records."""
    tx.actor.check(roles.ENTITY_TYPES_MANAGE)
    found = await store.lock(tx, slug)
    if found is None:
        raise EntityTypeNotFound
    if await records.any_of_type(tx, found.id):
        raise EntityTypeInUse
    await store.delete(tx, found.id)
    await emit(tx, _event("entity_type.removed", slug))


def _event(name: str, slug: str) -> Event:
    return Event(name=name, topic="entity_types", subject_id=slug)


def _check(json_schema: dict[str, Any], field_configs: dict[str, Any], config: dict[str, Any]) -> None:
    faults = check_json_schema(json_schema)
    if not faults:
        faults += check_field_names(json_schema.get("properties", {}), "json_schema", "properties")
        faults += check_field_names(field_configs, "field_configs")
        faults += check_field_configs(field_configs, json_schema)
    featured = config.get("featuredScore", {})
    if not isinstance(featured, dict) or not _is_id(featured.get("criteriaSetId")):
        faults.append(
            Fault(
                path="/config/featuredScore",
                code="wrong_type",
                message="This is an object with criteriaSetId, the id of a criteria set",
            )
        )
    if faults:
        raise InvalidInput(errors=faults)


def _is_id(value: object) -> bool:
    try:
        return value is None or bool(UUID(str(value)))
    except ValueError:
        return False


def _kept_featured(before: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """A featured score is changed, never cleared."""
    featured = before.get("featuredScore") or {}
    chosen = (wanted.get("featuredScore") or {}).get("criteriaSetId")
    if featured.get("criteriaSetId") and not chosen:
        return {**wanted, "featuredScore": featured}
    return wanted


async def _check_records(tx: Tx, type_id: UUID, json_schema: dict[str, Any]) -> None:
    breaks: list[dict[str, Any]] = []
    after = FIRST_ID
    while len(breaks) < SHOWN_BREAKS and (batch := await records.contents(tx, type_id, after, BATCH)):
        for entity_id, title, content in batch:
            if faults := check_content(json_schema, content):
                breaks.append(
                    {
                        "id": str(entity_id),
                        "title": title,
                        "path": faults[0].path,
                        "message": faults[0].message,
                    }
                )
        after = batch[-1][0]
    if breaks:
        raise ContentBreaksSchema(conflict={"records": breaks[:SHOWN_BREAKS]})
