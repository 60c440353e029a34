"""Routes of claims: `/api/claims/settings`, `/api/entities/{id}/sources`, `/api/entities/{id}/claims`."""

from litestar import Router, get, put
from litestar.params import JSONBody

from goldloop.claims import service
from goldloop.claims.model import ClaimSettings, ClaimSources, FieldKey, Slug, SupportedClaim
from goldloop.entities.model import EntityNotFound
from goldloop.entities.permissions import ENTITIES_READ, ENTITY_TYPES_MANAGE
from goldloop.entities.validation.service import ValidationBusy
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.tenants.auth.api import Who, needs


class NewClaimSettings(Wire, frozen=True):
    source_type: Slug
    criteria_set: Slug
    relation_field: FieldKey


@get(
    "/settings",
    opt=needs(ENTITIES_READ),
    responses=problems(),
    summary="What this workspace calls sources and claims",
)
async def show_claim_settings(db: Db, actor: Who) -> ClaimSettings:
    async with db.tx(actor) as tx:
        return await service.read_settings(tx)


@put(
    "/settings",
    opt=needs(ENTITY_TYPES_MANAGE),
    responses=problems(body=True),
    summary="Say what this workspace calls sources and claims",
)
async def change_claim_settings(data: JSONBody[NewClaimSettings], db: Db, actor: Who) -> ClaimSettings:
    settings = ClaimSettings(
        source_type=data.source_type, criteria_set=data.criteria_set, relation_field=data.relation_field
    )
    async with db.tx(actor) as tx:
        return await service.change_settings(tx, settings)


@get(
    "/{entity_id:uuid}/sources",
    opt=needs(ENTITIES_READ, RESPONSES_READ),
    responses=problems(EntityNotFound, ValidationBusy),
    summary="The sources that support a claim, and how good they are",
)
async def list_claim_sources(
    entity_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> ClaimSources:
    async with db.tx(actor) as tx:
        return await service.list_sources(tx, entity_id, cursor, limit)


@get(
    "/{entity_id:uuid}/claims",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityNotFound),
    summary="The claims that a source supports, and what each rests on",
)
async def list_supported_claims(
    entity_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[SupportedClaim]:
    async with db.tx(actor) as tx:
        return await service.list_supported(tx, entity_id, cursor, limit)


settings_router = Router(
    "/api/claims", route_handlers=[show_claim_settings, change_claim_settings], tags=["claims"]
)
router = Router("/api/entities", route_handlers=[list_claim_sources, list_supported_claims], tags=["claims"])
