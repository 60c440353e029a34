"""Loads the demo workspace of `--demo`. Each concept adds its part to a flow.

Everything is loaded in one transaction through the use cases, in the names of the demo's people and agents; what agents
run comes after it, as a worker runs it. A flow is loaded where there is nothing of it, so that loading again changes
nothing, whatever a visitor did meanwhile.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from goldloop import concepts
from goldloop.criteria import store as criteria
from goldloop.entities.records import store as records
from goldloop.entities.relations import store as relations
from goldloop.entities.types import store as types
from goldloop.kit import moments
from goldloop.kit.clock import now
from goldloop.kit.db import Database, Tx
from goldloop.kit.outside import Outside
from goldloop.tenants import demo as tenants
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.demo import Part
from goldloop.tenants.workspaces import service, store
from goldloop.views import store as views

SLUG = "demo"
NAME = "Demo: Northwind Support"
EMAIL = "demo@goldloop.local"
PASSWORD = "goldloop-demo"
OWNER_NAME = "Dana Whitfield"

BEGINNING = timedelta(
    weeks=9
)  # ago: a chart over time has something to show, and what a visitor does is the newest


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    email: str
    password: str


async def load(db: Database, outside: Outside) -> Loaded:
    """Runs with the worker's role."""
    tenant_id = await store.find_id(db, SLUG)
    is_new = tenant_id is None
    if tenant_id is None:
        tenant_id = (await service.create(db, SLUG, NAME, EMAIL, PASSWORD, OWNER_NAME)).workspace.id
    loaded: list[Part] = []
    async with db.tx(system_actor(tenant_id, "demo")) as tx:
        began = now() - BEGINNING
        await moments.set_to(tx, began)
        await tenants.load(tx, PASSWORD if is_new else None)
        await tenants.date_back(tx, began)
        await moments.set_to(tx, None)
        for flow in _flows():
            if all([await part.is_absent(tx) for part in flow if part.is_absent]):
                await _load_flow(tx, flow)
                loaded += flow
    for part in loaded:
        if part.play is not None:
            await part.play(db, outside, tenant_id)
    async with db.tx(system_actor(tenant_id, "demo")) as tx:
        for part in loaded:
            if part.after is not None:
                await part.after(tx)
    for part in loaded:
        for each in part.then:
            await each.play(db, outside, tenant_id)
            async with db.tx(system_actor(tenant_id, "demo")) as tx:
                await each.after(tx)
    return Loaded(email=EMAIL, password=PASSWORD)


def _flows() -> list[list[Part]]:
    """The parts of every concept by flow, both in flow order."""
    flows: dict[str, list[Part]] = defaultdict(list)
    for demo in concepts.modules("demo"):
        for part in getattr(demo, "PARTS", ()):
            flows[part.flow].append(part)
    return list(flows.values())


async def _load_flow(tx: Tx, flow: Sequence[Part]) -> None:
    if not any(part.in_the_past for part in flow):
        for part in flow:
            await part.load(tx)
        return
    began = now() - BEGINNING
    await moments.set_to(tx, began)
    for part in flow:
        await part.load(tx)
    await moments.set_to(tx, None)
    await types.date_back(tx, began)
    await records.date_back(tx, began)
    await relations.date_back(tx, began)
    await criteria.date_back(tx, began)
    await views.date_back(tx, began)
