"""Use cases: connect and disconnect records, list relations."""

from typing import Any
from uuid import UUID

from goldloop.entities.model import (
    AgentsPropose,
    Direction,
    Entity,
    EntityNotFound,
    Relation,
    RelationExists,
    RelationNotFound,
)
from goldloop.entities.permissions import ENTITIES_CREATE, ENTITIES_READ, ENTITIES_UPDATE
from goldloop.entities.records import service as records
from goldloop.entities.records import store as record_store
from goldloop.entities.relations import events, store
from goldloop.entities.types import store as types
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, RawPage, decode_cursor


async def connect(
    tx: Tx, source_id: UUID, relation_id: UUID | None, field_key: str, target_id: UUID
) -> Relation:
    """Connect two records through a relation field. Connecting them again answers with what is there."""
    tx.actor.check(ENTITIES_CREATE)
    source = await records.hold(tx, source_id)  # so that two who connect at once see each other
    await types.lock_shared(tx, source.type)  # and a relation does not change under its connections
    config = await access_field(tx, source, field_key)
    target = await record_store.find(tx, target_id)
    if target is None:
        raise InvalidInput.at("/target_id", "entity_not_found", "There is no such record")
    if target.type != config["target_type"]:
        raise InvalidInput.at(
            "/target_id", "wrong_type", f"{field_key} leads to records of type {config['target_type']}"
        )
    existing = await store.find_edge(tx, source_id, field_key, target_id)
    if existing is not None:
        return existing
    if not config.get("multiple", False) and await store.any_through(tx, source_id, field_key):
        raise RelationExists
    if not await record_store.lock_keys(tx, [source_id, target_id]):
        raise EntityNotFound
    await store.insert(tx, relation_id or new_id(), source_id, field_key, target_id)
    relation = await store.find_edge(tx, source_id, field_key, target_id)
    if relation is None:
        raise RelationExists("A relation with this id exists between other records")
    await emit(tx, events.ADDED.of(source_id, _connection(relation, source.type)))
    return relation


async def list_relations(
    tx: Tx, entity_id: UUID, direction: Direction, field_key: str | None, cursor: str | None, limit: int
) -> RawPage[Relation]:
    """The relations from a record, or to it."""
    tx.actor.check(ENTITIES_READ)
    after = decode_cursor(cursor, UUID) or FIRST_ID
    rows = await store.list_by_id(tx, entity_id, direction, field_key, after, limit)
    if rows.is_empty:  # what is connected is there
        await records.access(tx, entity_id)
    return rows


async def disconnect(tx: Tx, source_id: UUID, relation_id: UUID) -> None:
    tx.actor.check(ENTITIES_UPDATE)
    if tx.actor.kind is ActorKind.AGENT:
        raise AgentsPropose
    source = await records.access(tx, source_id)
    relation = await store.find(tx, source_id, relation_id)
    if relation is None:
        raise RelationNotFound
    if not await store.delete(tx, source_id, relation_id):
        raise RelationNotFound  # somebody else was faster
    await emit(tx, events.REMOVED.of(source_id, _connection(relation, source.type)))


async def access_field(tx: Tx, source: Entity, field_key: str) -> dict[str, Any]:
    """What a record's type says about one of its relation fields."""
    entity_type = await records.access_type(tx, source.type)
    config = (entity_type.field_configs.get(field_key) or {}).get("relation")
    if not config:
        raise InvalidInput.at(
            "/field_key", "not_a_relation", f"{field_key!r} is not a relation field of {source.type}"
        )
    return dict(config)


def _connection(relation: Relation, source_type: str) -> events.Connection:
    return events.Connection(
        field_key=relation.field_key,
        target_id=relation.target_id,
        relation_id=relation.id,
        source_type=source_type,
    )
