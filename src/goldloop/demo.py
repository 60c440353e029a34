"""Loads the demo workspace of `--demo`. Each concept adds its part to a flow.

Everything is loaded in one transaction through the use cases, in the names of the demo's people and agents. A flow
is loaded where there is nothing of it, so that loading again changes nothing, whatever a visitor did meanwhile.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from goldloop.artifact_runs import demo as artifact_runs
from goldloop.claims import demo as claims
from goldloop.conversations import demo as conversations
from goldloop.criteria import demo as criteria
from goldloop.criteria import store as criteria_sets
from goldloop.edges import demo as edges
from goldloop.entities import demo as entities
from goldloop.entities.records import store as records
from goldloop.entities.types import store as entity_types
from goldloop.kit.clock import now
from goldloop.kit.db import Database, Tx
from goldloop.promotion import demo as promotion
from goldloop.responses import demo as responses
from goldloop.responses import store as response_store
from goldloop.tenants import demo as tenants
from goldloop.tenants.auth import system_actor
from goldloop.tenants.workspaces import service, store
from goldloop.views import demo as views

SLUG = "demo"
NAME = "Demo: Northwind Support"
EMAIL = "demo@goldloop.local"
PASSWORD = "goldloop-demo"
OWNER_NAME = "Dana Whitfield"

FIRST_RESPONSE = timedelta(weeks=9)  # ago: a chart over time has something to show
LAST_RESPONSE = timedelta(hours=3)  # ago: what a visitor does is the newest

Part = Callable[[Tx], Awaitable[None]]

PROPOSE_AND_REVIEW: list[Part] = [
    entities.load,
    criteria.load,
    responses.load,
    promotion.load,
    views.load,
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    email: str
    password: str


async def load(db: Database) -> Loaded:
    """Runs with the worker's role."""
    tenant_id = await store.find_id(db, SLUG)
    is_new = tenant_id is None
    if tenant_id is None:
        tenant_id = (await service.create(db, SLUG, NAME, EMAIL, PASSWORD, OWNER_NAME)).workspace.id
    async with db.tx(system_actor(tenant_id, "demo")) as tx:
        await tenants.load(tx, PASSWORD if is_new else None)
        if await _has_no_records(tx):
            await _load_over_weeks(tx, PROPOSE_AND_REVIEW)
        if await edges.has_none(tx):
            await _load_over_weeks(tx, [edges.load])
        if await claims.has_none(tx):
            await _load_over_weeks(tx, [claims.load])
        if await conversations.has_none(tx):
            await conversations.load(tx)
        if await artifact_runs.has_none(tx) and await views.has_no_artifact_views(tx):
            await artifact_runs.load(tx)
            await views.load_artifact_views(tx)
    return Loaded(email=EMAIL, password=PASSWORD)


async def _load_over_weeks(tx: Tx, parts: Sequence[Part]) -> None:
    """Dates the demo's work back over some weeks; reviews stay at today."""
    for part in parts:
        await part(tx)
    moment = now()
    await records.date_back(tx, moment - FIRST_RESPONSE - timedelta(days=1))
    await response_store.spread_over(tx, moment - FIRST_RESPONSE, moment - LAST_RESPONSE)


async def _has_no_records(tx: Tx) -> bool:
    """Neither types nor criteria sets, which outlive them."""
    types = await entity_types.list_by_slug(tx, None, 1)
    return not types and not await criteria_sets.list_by_slug(tx, None, None, True, "", 1)
