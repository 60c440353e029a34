"""Routes of entity types: `/api/entity-types`."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from goldloop.entities.fields import MAX_CONFIGS
from goldloop.entities.model import (
    ContentBreaksSchema,
    EntityType,
    EntityTypeExists,
    EntityTypeInUse,
    EntityTypeNotFound,
    RelationInUse,
    VersionConflict,
)
from goldloop.entities.permissions import ENTITY_TYPES_MANAGE, ENTITY_TYPES_READ
from goldloop.entities.types import service
from goldloop.entities.validation.service import ValidationBusy
from goldloop.kit.http import Db, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.text import slug_pattern
from goldloop.kit.wire_types import Name, Object, Version
from goldloop.tenants.auth.api import Who, needs

TypeSlug = Annotated[str, msgspec.Meta(pattern=slug_pattern(63))]
FieldConfigs = Annotated[dict[str, Any], msgspec.Meta(max_length=MAX_CONFIGS)]


class NewEntityType(Wire, frozen=True):
    slug: TypeSlug
    name: Name
    json_schema: Object
    field_configs: FieldConfigs = msgspec.field(default_factory=dict)
    config: Object = msgspec.field(default_factory=dict)
    id: UUID | None = None


class EntityTypeChange(Wire, frozen=True):
    """What is left out stays as it is. `version` is the one that the editor read; without it, whichever is there."""

    version: Version | None = None
    name: Name | None = None
    json_schema: Object | None = None
    field_configs: FieldConfigs | None = None
    config: Object | None = None


@post(
    "/",
    opt=needs(ENTITY_TYPES_MANAGE),
    responses=problems(EntityTypeExists, ValidationBusy, body=True),
    summary="Define an entity type",
)
async def create_entity_type(data: JSONBody[NewEntityType], db: Db, actor: Who) -> EntityType:
    async with db.tx(actor) as tx:
        return await service.create(
            tx, data.id, data.slug, data.name, data.json_schema, data.field_configs, data.config
        )


@get("/", opt=needs(ENTITY_TYPES_READ), responses=problems(), summary="List entity types by slug")
async def list_entity_types(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[EntityType]:
    async with db.tx(actor) as tx:
        return await service.list_types(tx, cursor, limit)


@get(
    "/{slug:str}",
    opt=needs(ENTITY_TYPES_READ),
    responses=problems(EntityTypeNotFound),
    summary="Show an entity type",
)
async def show_entity_type(slug: FromPath[str], db: Db, actor: Who) -> EntityType:
    async with db.tx(actor) as tx:
        return await service.access(tx, slug)


@patch(
    "/{slug:str}",
    opt=needs(ENTITY_TYPES_MANAGE),
    responses=problems(
        EntityTypeNotFound, VersionConflict, ContentBreaksSchema, RelationInUse, ValidationBusy, body=True
    ),
    summary="Change an entity type",
)
async def change_entity_type(
    slug: FromPath[str], data: JSONBody[EntityTypeChange], db: Db, actor: Who
) -> EntityType:
    wanted = service.TypeChange(data.version, data.name, data.json_schema, data.field_configs, data.config)
    async with db.tx(actor) as tx:
        return await service.change(tx, slug, wanted)


@delete(
    "/{slug:str}",
    opt=needs(ENTITY_TYPES_MANAGE),
    responses=problems(EntityTypeNotFound, EntityTypeInUse),
    summary="Delete an entity type without records",
)
async def remove_entity_type(slug: FromPath[str], db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, slug)


router = Router(
    "/api/entity-types",
    route_handlers=[
        create_entity_type,
        list_entity_types,
        show_entity_type,
        change_entity_type,
        remove_entity_type,
    ],
    tags=["entity types"],
)
