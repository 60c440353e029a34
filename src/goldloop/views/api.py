"""Routes of views: `/api/views`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import JSONBody, QueryParameter

from goldloop.entities.model import VersionConflict
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.text import slug_pattern
from goldloop.kit.wire_types import Name, Version
from goldloop.tenants.auth.api import Who, needs
from goldloop.views import service
from goldloop.views.model import Block, View, ViewExists, ViewNotFound
from goldloop.views.permissions import VIEWS_MANAGE, VIEWS_READ

ViewSlug = Annotated[str, msgspec.Meta(pattern=slug_pattern(63))]
Blocks = Annotated[list[Block], msgspec.Meta(max_length=50)]


class NewView(Wire, frozen=True):
    slug: ViewSlug
    name: Name
    blocks: Blocks
    entity_type: Annotated[str, msgspec.Meta(max_length=63)] | None = None
    id: UUID | None = None


class ViewChange(Wire, frozen=True):
    """What is left out stays as it is. `version` is the one that the editor read; without it, whichever is there."""

    version: Version | None = None
    name: Name | None = None
    blocks: Blocks | None = None


@post("/", opt=needs(VIEWS_MANAGE), responses=problems(ViewExists, body=True), summary="Lay out a view")
async def create_view(data: JSONBody[NewView], db: Db, actor: Who) -> View:
    async with db.tx(actor) as tx:
        return await service.create(tx, data.id, data.slug, data.name, data.entity_type, data.blocks)


@get("/", opt=needs(VIEWS_READ), responses=problems(), summary="List views by slug")
async def list_views(
    db: Db,
    actor: Who,
    entity_type: Annotated[str | None, QueryParameter(max_length=63)] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[View]:
    async with db.tx(actor) as tx:
        return await service.list_views(tx, entity_type, cursor, limit)


@get("/{view_id:uuid}", opt=needs(VIEWS_READ), responses=problems(ViewNotFound), summary="Show a view")
async def show_view(view_id: PathId, db: Db, actor: Who) -> View:
    async with db.tx(actor) as tx:
        return await service.access(tx, view_id)


@patch(
    "/{view_id:uuid}",
    opt=needs(VIEWS_MANAGE),
    responses=problems(ViewNotFound, VersionConflict, body=True),
    summary="Change a view's name or blocks",
)
async def change_view(view_id: PathId, data: JSONBody[ViewChange], db: Db, actor: Who) -> View:
    async with db.tx(actor) as tx:
        return await service.change(tx, view_id, data.version, data.name, data.blocks)


@delete(
    "/{view_id:uuid}",
    opt=needs(VIEWS_MANAGE),
    responses=problems(ViewNotFound),
    summary="Delete a view",
)
async def remove_view(view_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, view_id)


router = Router(
    "/api/views",
    route_handlers=[create_view, list_views, show_view, change_view, remove_view],
    tags=["views"],
)
