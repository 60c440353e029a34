"""Routes of records: `/api/entities`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from goldloop.entities.fields import MAX_FIELD_NAME
from goldloop.entities.model import (
    AgentsPropose,
    EntitiesRemoved,
    Entity,
    EntityCount,
    EntityExists,
    EntityNotFound,
    EntityTypeNotFound,
    VersionConflict,
)
from goldloop.entities.permissions import ENTITIES_CREATE, ENTITIES_READ, ENTITIES_UPDATE
from goldloop.entities.records import service, table
from goldloop.entities.records.ordering import Sort
from goldloop.entities.validation.service import ValidationBusy
from goldloop.kit.csv_table import EXPORT_PAGE, csv_pages
from goldloop.kit.http import Db, PathId, Wire, csv_file, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.text import NAME_PATTERN
from goldloop.kit.wire_types import Object, Version
from goldloop.tenants.auth.api import Who, needs

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=NAME_PATTERN)]
TypeFilter = Annotated[str | None, QueryParameter(max_length=63)]
Search = Annotated[
    str | None,
    QueryParameter(max_length=500, description="Words of title and content, or their beginnings, or an id"),
]
SortBy = Annotated[
    str,
    QueryParameter(
        max_length=MAX_FIELD_NAME + 20,
        description="-created, created, -updated, updated, title, -title, -score or score; with a type also content.<field> and -content.<field>",
    ),
]
MinScore = Annotated[
    float | None, QueryParameter(ge=0, le=100, description="Only records with at least this score")
]
ColumnsOut = Annotated[
    list[Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_FIELD_NAME)]] | None,
    QueryParameter(
        max_items=200, description="Fields of the content, each a column, in this order; all without it"
    ),
]
MAX_REMOVED = 200  # records that are deleted together, each with all that belongs to it

Waits = Annotated[bool, QueryParameter(description="Only records to which a response waits for review")]


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
    waits: Waits = False,
    sort: SortBy = Sort.NEWEST,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Entity]:
    wanted = service.Filter(type, q, min_score, waits)
    async with db.tx(actor) as tx:
        return (await service.list_entities(tx, wanted, sort, cursor, limit)).sent()


@get(
    "/count",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityTypeNotFound),
    summary="Count records, up to 10,000",
)
async def count_entities(
    db: Db,
    actor: Who,
    type: TypeFilter = None,
    q: Search = None,
    min_score: MinScore = None,
    waits: Waits = False,
) -> EntityCount:
    async with db.tx(actor) as tx:
        return await service.count_entities(tx, service.Filter(type, q, min_score, waits))


@get(
    "/records.csv",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityTypeNotFound),
    summary="The records of a list as a table for spreadsheets",
    media_type="text/csv",
)
async def export_entities(
    db: Db,
    actor: Who,
    type: TypeFilter = None,
    q: Search = None,
    min_score: MinScore = None,
    waits: Waits = False,
    sort: SortBy = Sort.NEWEST,
    columns: ColumnsOut = None,
) -> Stream:
    wanted = service.Filter(type, q, min_score, waits)
    async with db.tx(actor) as tx:
        fields = await service.export_columns(tx, wanted, sort, columns)

    async def read(cursor: str | None) -> Page[Entity]:
        async with db.tx(actor) as tx:
            return (await service.list_entities(tx, wanted, sort, cursor, EXPORT_PAGE)).read(Entity)

    return csv_file(
        f"{type or 'records'}.csv", csv_pages(table.head(fields), read, lambda each: table.row(each, fields))
    )


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


class EntityIds(Wire, frozen=True):
    ids: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MAX_REMOVED)]


@post(
    "/delete",
    status_code=200,
    opt=needs(ENTITIES_UPDATE),
    responses=problems(AgentsPropose, body=True),
    summary="Delete several records, all or none",
)
async def remove_entities(data: JSONBody[EntityIds], db: Db, actor: Who) -> EntitiesRemoved:
    async with db.tx(actor) as tx:
        return EntitiesRemoved(removed=await service.remove_many(tx, data.ids))


router = Router(
    "/api/entities",
    route_handlers=[
        list_entities,
        count_entities,
        export_entities,
        create_entity,
        show_entity,
        edit_entity,
        remove_entity,
        remove_entities,
    ],
    tags=["records"],
)
