"""Routes of starter sets: `/api/admin/evals/starters`."""

from typing import Annotated

from litestar import Response, Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter

from goldloop.entities.model import EntityExists, EntityTypeExists
from goldloop.entities.permissions import ENTITIES_CREATE, ENTITIES_UPDATE, ENTITY_TYPES_MANAGE
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.starters import service
from goldloop.goldens.starters.model import StarterNotFound, StarterSet, StarterSets
from goldloop.kit.http import Db, Wire, problems
from goldloop.sessions.permissions import SESSIONS_CREATE
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentExists
from goldloop.tenants.permissions import AGENTS_MANAGE

StarterName = Annotated[str, PathParameter(max_length=100)]
LOADED_BEFORE = {200: ResponseSpec(StarterSet, description="It was loaded before", generate_examples=False)}


class StarterLoad(Wire, frozen=True):
    """`trials` is whether other versions of its agent are tried as well: one that is worse, one of which that is not known, and
    one that is restored."""

    trials: bool = False


@get(
    "/starters",
    opt=needs(EVALS_READ),
    responses=problems(),
    summary="Starter sets of goldens that can be loaded",
)
async def list_starters(db: Db, actor: Who) -> StarterSets:
    async with db.tx(actor) as tx:
        return StarterSets(data=await service.list_starters(tx))


@post(
    "/starters/{starter:str}",
    status_code=202,
    opt=needs(
        EVALS_MANAGE, ENTITY_TYPES_MANAGE, ENTITIES_CREATE, ENTITIES_UPDATE, AGENTS_MANAGE, SESSIONS_CREATE
    ),
    responses=problems(StarterNotFound, EntityTypeExists, EntityExists, AgentExists, body=True)
    | LOADED_BEFORE,
    summary="Load a starter set of goldens",
)
async def load_starter(
    starter: StarterName, data: JSONBody[StarterLoad], db: Db, actor: Who
) -> Response[StarterSet]:
    """Makes its types, records and agent, runs its sessions and makes them golden. Loaded before: 200, no change."""
    async with db.tx(actor) as tx:
        loaded, is_new = await service.load(tx, starter, trials=data.trials)
    return Response(loaded, status_code=202 if is_new else 200)


router = Router("/api/admin/evals", route_handlers=[list_starters, load_starter], tags=["evals"])
