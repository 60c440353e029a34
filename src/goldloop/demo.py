"""Loads the demo workspace of `--demo`. Each concept adds its part to a flow.

Everything is loaded in one transaction through the use cases, in the names of the demo's people and agents. A flow
is loaded where there is nothing of it, so that loading again changes nothing, whatever a visitor did meanwhile.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from goldloop import concepts
from goldloop.entities.records import store as records
from goldloop.kit.clock import now
from goldloop.kit.db import Database, Tx
from goldloop.responses import store as responses
from goldloop.tenants import demo as tenants
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.demo import Part
from goldloop.tenants.workspaces import service, store

SLUG = "demo"
NAME = "Demo: Northwind Support"
EMAIL = "demo@goldloop.local"
PASSWORD = "goldloop-demo"
OWNER_NAME = "Dana Whitfield"

FIRST_RESPONSE = timedelta(weeks=9)  # ago: a chart over time has something to show
LAST_RESPONSE = timedelta(hours=3)  # ago: what a visitor does is the newest


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
        for flow in _flows():
            if all([await part.is_absent(tx) for part in flow if part.is_absent]):
                await _load_flow(tx, flow)
    return Loaded(email=EMAIL, password=PASSWORD)


def _flows() -> list[list[Part]]:
    """The parts of every concept by flow, both in flow order."""
    flows: dict[str, list[Part]] = defaultdict(list)
    for demo in concepts.modules("demo"):
        for part in getattr(demo, "PARTS", ()):
            flows[part.flow].append(part)
    return list(flows.values())


async def _load_flow(tx: Tx, flow: Sequence[Part]) -> None:
    """What is dated back is spread over some weeks; reviews stay at today."""
    for part in flow:
        await part.load(tx)
    if any(part.over_weeks for part in flow):
        moment = now()
        await records.date_back(tx, moment - FIRST_RESPONSE - timedelta(days=1))
        await responses.spread_over(tx, moment - FIRST_RESPONSE, moment - LAST_RESPONSE)
