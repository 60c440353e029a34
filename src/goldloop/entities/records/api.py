"""Routes of records: `/api/entities`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.entities.model import (
    AgentsPropose,
    Entity,
    EntityExists,
    EntityNotFound,
    EntityTypeNotFound,
    VersionConflict,
)
from goldloop.entities.permissions import ENTITIES_CREATE, ENTITIES_READ, ENTITIES_UPDATE
from goldloop.entities.records import service
from goldloop.entities.records.ordering import Sort
from goldloop.entities.validation.service import ValidationBusy
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Cursor, Limit, Page
from goldloop.kit.text import NAME_PATTERN
from goldloop.kit.wire_types import Object, Version
from goldloop.tenants.auth.api import Who, needs

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=NAME_PATTERN)]
TypeFilter = Annotated[str | None, QueryParameter(max_length=63)]
Search = Annotated[
    str | None, QueryParameter(max_length=500, description="Words of the title, or their beginnings")
]
MinScore = Annotated[
    float | None, QueryParameter(ge=0, le=100, description="Only records with at least this score")
]


class NewEntity(Wire, frozen=True):
    type: Annotated[str, msgspec.Meta(min_length=1, max_length=63)]
    title: Title
    content: Object = msgspec.field(default_factory=dict)
    metadata: Object = msgspec.field(default_factory=dict)
    id: UUID | None = None


class EntityEdit(Wire, frozen=True):
    """`version` is the one that the editor read."""

    version: Version
    title: Title | None = None
    content: Object | None = None
    metadata: Object | None = None


@get("/", opt=needs(ENTITIES_READ), responses=problems(EntityTypeNotFound), summary="List records")
async def list_entities(
    db: Db,
    actor: Who,
    type: TypeFilter = None,
    q: Search = None,
    min_score: MinScore = None,
    sort: FromQuery[Sort] = Sort.NEWEST,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Entity]:
    async with db.tx(actor) as tx:
        return await service.list_entities(tx, service.Filter(type, q, min_score), sort, cursor, limit)


@post(
    "/",
    opt=needs(ENTITIES_CREATE),
    responses=problems(EntityExists, AgentsPropose, ValidationBusy, body=True),
    summary="Make a record",
)
async def create_entity(data: JSONBody[NewEntity], db: Db, actor: Who) -> Entity:
    async with db.tx(actor) as tx:
        return await service.create(tx, data.id, data.type, data.title, data.content, data.metadata)


@get(
    "/{entity_id:uuid}",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityNotFound),
    summary="Show a record",
)
async def show_entity(entity_id: PathId, db: Db, actor: Who) -> Entity:
    async with db.tx(actor) as tx:
        return await service.access(tx, entity_id)


@patch(
    "/{entity_id:uuid}",
    opt=needs(ENTITIES_UPDATE),
    responses=problems(EntityNotFound, VersionConflict, AgentsPropose, ValidationBusy, body=True),
    summary="Edit a record directly",
)
async def edit_entity(entity_id: PathId, data: JSONBody[EntityEdit], db: Db, actor: Who) -> Entity:
    async with db.tx(actor) as tx:
        return await service.edit(
            tx, entity_id, service.EntityChange(data.version, data.title, data.content, data.metadata)
        )


@delete(
    "/{entity_id:uuid}",
    opt=needs(ENTITIES_UPDATE),
    responses=problems(EntityNotFound, AgentsPropose),
    summary="Delete a record",
)
async def remove_entity(entity_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, entity_id)


router = Router(
    "/api/entities",
    route_handlers=[list_entities, create_entity, show_entity, edit_entity, remove_entity],
    tags=["records"],
)
