"""Routes of promotion: `…/responses/{rid}/promote`, `…/promote/preview`, `…/undo`, `…/fields/{field}/undo`,
`/api/first-steps`."""

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import FromPath, JSONBody

from goldloop.criteria.model import MAX_DIMENSIONS, Key
from goldloop.entities.model import AgentsPropose, Entity, EntityNotFound, VersionConflict
from goldloop.entities.permissions import ENTITIES_READ, ENTITIES_UPDATE
from goldloop.entities.validation.service import ValidationBusy
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.wire_types import Version
from goldloop.promotion import service
from goldloop.promotion.model import FieldChangedSince, FirstSteps, NotPromotable, PromotionPreview
from goldloop.responses.model import EntityResponse, ResponseNotFound
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.tenants.auth.api import Who, needs


class Promotion(Wire, frozen=True):
    """`fields` are dimension keys of the response."""

    fields: Annotated[list[Key], msgspec.Meta(max_length=MAX_DIMENSIONS)]
    expected_version: Version | None = None


class UndoResponse(Wire, frozen=True):
    """`fields` are dimension keys of the response; without them, whatever the record has of it is taken back."""

    fields: Annotated[list[Key], msgspec.Meta(max_length=MAX_DIMENSIONS)] | None = None
    expected_version: Version | None = None


class Undo(Wire, frozen=True):
    expected_version: Version | None = None


@post(
    "/responses/{response_id:uuid}/promote",
    opt=needs(ENTITIES_UPDATE, ENTITIES_READ, RESPONSES_READ),
    responses=problems(
        ValidationBusy,
        EntityNotFound,
        ResponseNotFound,
        VersionConflict,
        NotPromotable,
        AgentsPropose,
        body=True,
    ),
    status_code=200,
    summary="Promote values of a response into the record",
)
async def promote_response(
    entity_id: PathId, response_id: PathId, data: JSONBody[Promotion], db: Db, actor: Who
) -> EntityResponse:
    async with db.tx(actor) as tx:
        return await service.promote(
            tx, entity_id, response_id, data.fields, data.expected_version, alone=True
        )


@post(
    "/responses/{response_id:uuid}/promote/preview",
    opt=needs(ENTITIES_READ, RESPONSES_READ),
    responses=problems(EntityNotFound, ResponseNotFound, ValidationBusy, body=True),
    status_code=200,
    summary="What a promotion would change",
)
async def preview_promotion(
    entity_id: PathId, response_id: PathId, data: JSONBody[Promotion], db: Db, actor: Who
) -> PromotionPreview:
    async with db.tx(actor) as tx:
        return await service.preview(tx, entity_id, response_id, data.fields)


@post(
    "/responses/{response_id:uuid}/undo",
    opt=needs(ENTITIES_UPDATE, ENTITIES_READ, RESPONSES_READ),
    responses=problems(
        EntityNotFound,
        ResponseNotFound,
        VersionConflict,
        FieldChangedSince,
        AgentsPropose,
        ValidationBusy,
        body=True,
    ),
    status_code=200,
    summary="Take back what was promoted of a response",
)
async def undo_response(
    entity_id: PathId, response_id: PathId, data: JSONBody[UndoResponse | None], db: Db, actor: Who
) -> EntityResponse:
    wanted = data or UndoResponse()
    async with db.tx(actor) as tx:
        return await service.undo_response(tx, entity_id, response_id, wanted.fields, wanted.expected_version)


@post(
    "/fields/{field:str}/undo",
    opt=needs(ENTITIES_UPDATE),
    responses=problems(
        EntityNotFound, VersionConflict, FieldChangedSince, AgentsPropose, ValidationBusy, body=True
    ),
    status_code=200,
    summary="Take back the promotion that a field's value comes from",
)
async def undo_promotion(
    entity_id: PathId, field: FromPath[str], data: JSONBody[Undo | None], db: Db, actor: Who
) -> Entity:
    async with db.tx(actor) as tx:
        return await service.undo(tx, entity_id, field, data.expected_version if data else None)


@get(
    "/first-steps",
    opt=needs(ENTITIES_READ, RESPONSES_READ),
    responses=problems(),
    summary="How far the workspace is on the way to its first promoted value",
)
async def show_first_steps(db: Db, actor: Who) -> FirstSteps:
    async with db.tx(actor) as tx:
        return await service.read_first_steps(tx)


steps_router = Router("/api", route_handlers=[show_first_steps], tags=["promotion"])
router = Router(
    "/api/entities/{entity_id:uuid}",
    route_handlers=[promote_response, preview_promotion, undo_response, undo_promotion],
    tags=["promotion"],
)
