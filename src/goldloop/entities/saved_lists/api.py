"""Routes of saved lists: `/api/saved-lists`, and of chosen columns: `/api/entity-types/{slug}/columns`."""

from uuid import UUID

from litestar import Router, delete, get, patch, post, put
from litestar.params import FromPath, JSONBody

from goldloop.entities.model import EntityTypeNotFound, VersionConflict
from goldloop.entities.permissions import ENTITIES_READ, SAVED_LISTS_OWN
from goldloop.entities.saved_lists import service
from goldloop.entities.saved_lists.model import (
    Columns,
    ListColumns,
    ListQuery,
    SavedList,
    SavedListExists,
    SavedListNotFound,
)
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.wire_types import Name, Version
from goldloop.tenants.auth.api import Who, needs


class NewSavedList(Wire, frozen=True):
    name: Name
    query: ListQuery
    shared: bool = False
    id: UUID | None = None


class SavedListChange(Wire, frozen=True):
    """What is left out stays as it is; `query` replaces the whole query. `version` is the one that the editor read."""

    version: Version | None = None
    name: Name | None = None
    query: ListQuery | None = None
    shared: bool | None = None


class ColumnsChoice(Wire, frozen=True):
    columns: Columns


@post(
    "/",
    opt=needs(SAVED_LISTS_OWN),
    responses=problems(SavedListExists, body=True),
    summary="Save a list of records",
)
async def create_saved_list(data: JSONBody[NewSavedList], db: Db, actor: Who) -> SavedList:
    async with db.tx(actor) as tx:
        return await service.create(tx, data.id, data.name, data.query, data.shared)


@get(
    "/",
    opt=needs(ENTITIES_READ),
    responses=problems(),
    summary="List one's own saved lists and the shared ones, by name",
)
async def list_saved_lists(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[SavedList]:
    async with db.tx(actor) as tx:
        return await service.list_saved(tx, cursor, limit)


@get(
    "/{list_id:uuid}",
    opt=needs(ENTITIES_READ),
    responses=problems(SavedListNotFound),
    summary="Show a saved list",
)
async def show_saved_list(list_id: PathId, db: Db, actor: Who) -> SavedList:
    async with db.tx(actor) as tx:
        return await service.access(tx, list_id)


@patch(
    "/{list_id:uuid}",
    opt=needs(SAVED_LISTS_OWN),
    responses=problems(SavedListNotFound, VersionConflict, body=True),
    summary="Rename, change, share or no longer share a saved list",
)
async def change_saved_list(
    list_id: PathId, data: JSONBody[SavedListChange], db: Db, actor: Who
) -> SavedList:
    async with db.tx(actor) as tx:
        return await service.change(tx, list_id, data.version, data.name, data.query, data.shared)


@delete(
    "/{list_id:uuid}",
    opt=needs(SAVED_LISTS_OWN),
    responses=problems(SavedListNotFound),
    summary="Delete a saved list; the records stay",
)
async def remove_saved_list(list_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, list_id)


@get(
    "/{slug:str}/columns",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityTypeNotFound),
    summary="The fields that the caller has as columns of a type's list",
)
async def show_list_columns(slug: FromPath[str], db: Db, actor: Who) -> ListColumns:
    async with db.tx(actor) as tx:
        return await service.show_columns(tx, slug)


@put(
    "/{slug:str}/columns",
    opt=needs(SAVED_LISTS_OWN),
    responses=problems(EntityTypeNotFound, body=True),
    summary="Choose the columns of a type's list, for oneself",
)
async def choose_list_columns(
    slug: FromPath[str], data: JSONBody[ColumnsChoice], db: Db, actor: Who
) -> ListColumns:
    async with db.tx(actor) as tx:
        return await service.choose_columns(tx, slug, data.columns)


router = Router(
    "/api/saved-lists",
    route_handlers=[
        create_saved_list,
        list_saved_lists,
        show_saved_list,
        change_saved_list,
        remove_saved_list,
    ],
    tags=["saved lists"],
)
columns_router = Router(
    "/api/entity-types", route_handlers=[show_list_columns, choose_list_columns], tags=["saved lists"]
)
