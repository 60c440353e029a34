"""Routes of field population: `/api/entities/{id}/populate`, and of many records `/api/populate`."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from goldloop.entities.model import EntityNotFound, EntityTypeNotFound
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.kit.http import Db, PathId, problems
from goldloop.limits.model import RUN_REFUSALS
from goldloop.population import many_service, service
from goldloop.population.model import Material, PopulateMany
from goldloop.population.service import Start
from goldloop.responses.permissions import RESPONSES_CREATE, RESPONSES_READ
from goldloop.sessions.model import NoRuntime, Session, SessionExists
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound

AgentName = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
NEEDED = needs(SESSIONS_CREATE, SESSIONS_READ, RESPONSES_CREATE, RESPONSES_READ, ENTITIES_READ)


class NewPopulation(Material, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Without an `agent` the one that every workspace has. `parent_response_id` is the response that is tried again."""

    agent: AgentName | None = None
    parent_response_id: UUID | None = None
    id: UUID | None = None


class NewPopulationOfMany(PopulateMany, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: AgentName | None = None
    id: UUID | None = None


@post(
    "/entities/{entity_id:uuid}/populate",
    opt=NEEDED,
    responses=problems(EntityNotFound, AgentNotFound, NoRuntime, SessionExists, *RUN_REFUSALS, body=True),
    summary="Have an agent propose values for a record",
)
async def populate_entity(entity_id: PathId, data: JSONBody[NewPopulation], db: Db, actor: Who) -> Session:
    start = Start(agent=data.agent, id=data.id)
    async with db.tx(actor) as tx:
        return await service.populate(tx, entity_id, _as(Material, data), start, data.parent_response_id)


@post(
    "/populate",
    opt=NEEDED,
    responses=problems(EntityTypeNotFound, AgentNotFound, NoRuntime, SessionExists, *RUN_REFUSALS, body=True),
    summary="Have an agent propose values for many records, a few at a time",
)
async def populate_entities(data: JSONBody[NewPopulationOfMany], db: Db, actor: Who) -> Session:
    async with db.tx(actor) as tx:
        return await many_service.populate_many(
            tx, _as(PopulateMany, data), Start(agent=data.agent, id=data.id)
        )


def _as(kind: type[Any], data: Material) -> Any:
    return kind(**{name: getattr(data, name) for name in kind.__struct_fields__})


router = Router("/api", route_handlers=[populate_entity, populate_entities], tags=["population"])
