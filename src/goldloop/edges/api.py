"""Routes of rated connections: `/api/entities/{id}/relations/ranked`, `/api/entities/{id}/outcomes`."""

from typing import Annotated
from uuid import UUID

from litestar import Router, get
from litestar.params import FromQuery, QueryParameter

from goldloop.criteria.errors import CriteriaSetNotFound
from goldloop.criteria.permissions import CRITERIA_SETS_READ
from goldloop.edges import service
from goldloop.edges.ranking import OutcomePage, rank_outcomes
from goldloop.edges.service import RankedConnection
from goldloop.entities.model import EntityNotFound
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.kit import compute_threads
from goldloop.kit.compute_threads import CountingBusy
from goldloop.kit.http import Db, PathId, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.tenants.auth.api import Who, needs

FieldKey = Annotated[str, QueryParameter(min_length=1, max_length=200)]


@get(
    "/relations/ranked",
    opt=needs(RESPONSES_READ, ENTITIES_READ, CRITERIA_SETS_READ),
    responses=problems(EntityNotFound, CriteriaSetNotFound),
    summary="A record's connections, best rated first",
)
async def list_ranked_connections(
    entity_id: PathId,
    db: Db,
    actor: Who,
    field_key: FieldKey,
    criteria_set_id: FromQuery[UUID],
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[RankedConnection]:
    async with db.tx(actor) as tx:
        return await service.get_ranked_connections(tx, entity_id, field_key, criteria_set_id, cursor, limit)


@get(
    "/outcomes",
    opt=needs(RESPONSES_READ, ENTITIES_READ, CRITERIA_SETS_READ),
    responses=problems(EntityNotFound, CriteriaSetNotFound, CountingBusy),
    summary="The records that did best with this one",
)
async def list_outcomes(
    entity_id: PathId,
    db: Db,
    actor: Who,
    criteria_set_id: FromQuery[UUID],
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> OutcomePage:
    """Of very many responses the newest count."""
    async with db.tx(actor) as tx:
        read = await service.read_outcomes(tx, entity_id, criteria_set_id)
    return await compute_threads.run(actor.tenant_id, rank_outcomes, read, cursor, limit)


router = Router(
    "/api/entities/{entity_id:uuid}",
    route_handlers=[list_ranked_connections, list_outcomes],
    tags=["responses"],
)
