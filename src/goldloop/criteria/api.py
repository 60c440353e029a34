"""Routes of criteria sets: `/api/criteria-sets`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, Router, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.criteria import service
from goldloop.criteria.errors import CriteriaSetExists, CriteriaSetNotFound, DefaultSetIsReadOnly
from goldloop.criteria.model import (
    MAX_DIMENSIONS,
    MAX_NAME,
    MAX_SET_DESCRIPTION,
    MAX_SLUG,
    MAX_TYPES,
    CriteriaSet,
    CriteriaSetDefinition,
    Dimension,
    DisplayConfig,
    Key,
    Kind,
    Scope,
)
from goldloop.criteria.permissions import CRITERIA_SETS_MANAGE, CRITERIA_SETS_READ
from goldloop.entities.model import EntityTypeNotFound, VersionConflict
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.wire_types import Version
from goldloop.tenants.auth.api import Who, needs

SlugFilter = Annotated[str | None, QueryParameter(max_length=MAX_SLUG)]
Slug = Annotated[str, msgspec.Meta(max_length=MAX_SLUG)]
SetName = Annotated[str, msgspec.Meta(max_length=MAX_NAME)]
Description = Annotated[str, msgspec.Meta(max_length=MAX_SET_DESCRIPTION)]
Dimensions = Annotated[list[Dimension], msgspec.Meta(max_length=MAX_DIMENSIONS)]
TypeSlugs = Annotated[list[Slug], msgspec.Meta(max_length=MAX_TYPES)]


class NewCriteriaSet(Wire, frozen=True):
    slug: Slug
    name: SetName
    kind: Kind
    dimensions: Dimensions
    description: Description | None = None
    entity_type_slugs: TypeSlugs | None = None
    temporal_key: Key | None = None
    display_type: Key | None = None
    display_config: DisplayConfig | None = None
    scope: Scope | None = None
    id: UUID | None = None


class CriteriaSetChange(Wire, frozen=True):
    """What is left out stays as it is; null clears. `version` is the one that the editor read; without it,
    whichever is there. Only `archived` takes a set out of use or brings it back."""

    version: Version | None = None
    name: SetName | msgspec.UnsetType = msgspec.UNSET
    kind: Kind | msgspec.UnsetType = msgspec.UNSET
    dimensions: Dimensions | msgspec.UnsetType = msgspec.UNSET
    description: Description | msgspec.UnsetType | None = msgspec.UNSET
    entity_type_slugs: TypeSlugs | msgspec.UnsetType | None = msgspec.UNSET
    temporal_key: Key | msgspec.UnsetType | None = msgspec.UNSET
    display_type: Key | msgspec.UnsetType | None = msgspec.UNSET
    display_config: DisplayConfig | msgspec.UnsetType | None = msgspec.UNSET
    scope: Scope | msgspec.UnsetType | None = msgspec.UNSET
    archived: bool | msgspec.UnsetType = msgspec.UNSET


@get(
    "/",
    opt=needs(CRITERIA_SETS_READ),
    responses=problems(EntityTypeNotFound),
    summary="List criteria sets by slug",
)
async def list_criteria_sets(
    db: Db,
    actor: Who,
    entity_type: SlugFilter = None,
    slug: SlugFilter = None,
    archived: FromQuery[bool] = False,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[CriteriaSet]:
    async with db.tx(actor) as tx:
        return await service.list_sets(tx, service.SetFilter(entity_type, slug, archived), cursor, limit)


@post(
    "/",
    opt=needs(CRITERIA_SETS_MANAGE),
    responses=problems(CriteriaSetExists, body=True),
    summary="Define a criteria set",
)
async def create_criteria_set(data: JSONBody[NewCriteriaSet], db: Db, actor: Who) -> CriteriaSet:
    given = msgspec.structs.asdict(data)
    set_id = given.pop("id")
    async with db.tx(actor) as tx:
        return await service.create(tx, set_id, CriteriaSetDefinition(**given))


@get(
    "/{set_id:uuid}",
    opt=needs(CRITERIA_SETS_READ),
    responses=problems(CriteriaSetNotFound),
    summary="Show a criteria set",
)
async def show_criteria_set(set_id: PathId, db: Db, actor: Who) -> CriteriaSet:
    async with db.tx(actor) as tx:
        return await service.access(tx, set_id)


@patch(
    "/{set_id:uuid}",
    opt=needs(CRITERIA_SETS_MANAGE),
    responses=problems(CriteriaSetNotFound, VersionConflict, DefaultSetIsReadOnly, body=True),
    summary="Change a criteria set",
)
async def change_criteria_set(
    set_id: PathId, data: JSONBody[CriteriaSetChange], db: Db, actor: Who
) -> CriteriaSet:
    given = {k: v for k, v in msgspec.structs.asdict(data).items() if v is not msgspec.UNSET}
    version, archived = given.pop("version"), given.pop("archived", None)
    async with db.tx(actor) as tx:
        return await service.change(tx, set_id, version, given, archived)


@delete(
    "/{set_id:uuid}",
    opt=needs(CRITERIA_SETS_MANAGE),
    responses=problems(CriteriaSetNotFound, DefaultSetIsReadOnly),
    status_code=200,
    summary="Delete a criteria set, or archive it when it has responses",
)
async def remove_criteria_set(set_id: PathId, db: Db, actor: Who) -> Response[CriteriaSet | None]:
    async with db.tx(actor) as tx:
        archived = await service.remove(tx, set_id)
    return Response(archived, status_code=200)


router = Router(
    "/api/criteria-sets",
    route_handlers=[
        list_criteria_sets,
        create_criteria_set,
        show_criteria_set,
        change_criteria_set,
        remove_criteria_set,
    ],
    tags=["criteria sets"],
)
