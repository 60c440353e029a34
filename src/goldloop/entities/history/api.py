"""Routes of provenance: `/api/entities/{id}/fields/…`."""

from litestar import Router, get
from litestar.params import FromPath

from goldloop.entities.history import service
from goldloop.entities.model import EntityNotFound, FieldChange
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.kit.http import Db, PathId, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.tenants.auth.api import Who, needs


@get(
    "/",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityNotFound),
    summary="Where each value comes from",
)
async def show_provenance(
    entity_id: PathId, db: Db, actor: Who, limit: Limit = MAX_LIMIT, cursor: Cursor = None
) -> Page[FieldChange]:
    """By field: the entry that its present value comes from."""
    async with db.tx(actor) as tx:
        return (await service.list_sources(tx, entity_id, cursor, limit)).sent()


@get(
    "/{field:str}/history",
    opt=needs(ENTITIES_READ),
    responses=problems(EntityNotFound),
    summary="Every change of a field, newest first",
)
async def list_field_history(
    entity_id: PathId,
    field: FromPath[str],
    db: Db,
    actor: Who,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[FieldChange]:
    async with db.tx(actor) as tx:
        return (await service.list_history(tx, entity_id, field, cursor, limit)).sent()


router = Router(
    "/api/entities/{entity_id:uuid}/fields",
    route_handlers=[show_provenance, list_field_history],
    tags=["records"],
)
