"""Routes of relations: `/api/entities/{id}/relations`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, delete, get, post
from litestar.params import JSONBody, QueryParameter

from goldloop.entities.model import (
    AgentsPropose,
    Direction,
    EntityNotFound,
    Relation,
    RelationExists,
    RelationNotFound,
)
from goldloop.entities.permissions import ENTITIES_CREATE, ENTITIES_READ, ENTITIES_UPDATE
from goldloop.entities.relations import service
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.tenants.auth.api import Who, needs

FieldKey = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class NewRelation(Wire, frozen=True):
    field_key: FieldKey
    target_id: UUID
    id: UUID | None = None


@post(
    "/",
    opt=needs(ENTITIES_CREATE),
    responses=problems(EntityNotFound, RelationExists, body=True),
    summary="Connect a record to another",
)
async def connect_entities(entity_id: PathId, data: JSONBody[NewRelation], db: Db, actor: Who) -> Relation:
    async with db.tx(actor) as tx:
        return await service.connect(tx, entity_id, data.id, data.field_key, data.target_id)


@get(
    "/",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityNotFound),
    summary="List where a record leads, or what leads to it",
)
async def list_relations(
    entity_id: PathId,
    db: Db,
    actor: Who,
    field_key: Annotated[str | None, QueryParameter(max_length=200)] = None,
    direction: Annotated[
        Direction, QueryParameter(description="`in` for relations of other records that lead to this one")
    ] = Direction.OUT,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Relation]:
    async with db.tx(actor) as tx:
        return (await service.list_relations(tx, entity_id, direction, field_key, cursor, limit)).sent()


@delete(
    "/{relation_id:uuid}",
    opt=needs(ENTITIES_UPDATE),
    responses=problems(EntityNotFound, RelationNotFound, AgentsPropose),
    summary="Remove a relation",
)
async def disconnect_entities(entity_id: PathId, relation_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.disconnect(tx, entity_id, relation_id)


router = Router(
    "/api/entities/{entity_id:uuid}/relations",
    route_handlers=[connect_entities, list_relations, disconnect_entities],
    tags=["records"],
)
