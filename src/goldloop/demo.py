"""The loader behind `--demo`: a workspace worth looking at. Each concept adds its part to `PARTS`.

Loading it again changes nothing.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from goldloop.kit.db import Database, Tx
from goldloop.tenants import demo as tenants
from goldloop.tenants.auth import system_actor
from goldloop.tenants.workspaces import service, store

SLUG = "demo"
NAME = "Demo: Northwind Support"
EMAIL = "demo@goldloop.local"
PASSWORD = "goldloop-demo"
OWNER_NAME = "Dana Whitfield"

PARTS: list[Callable[[Tx], Awaitable[None]]] = [tenants.load]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    email: str
    password: str


async def load(db: Database) -> Loaded:
    """Runs with the worker's role."""
    tenant_id = await store.find_id(db, SLUG)
    if tenant_id is None:
        tenant_id = (await service.create(db, SLUG, NAME, EMAIL, PASSWORD, OWNER_NAME)).workspace.id
    async with db.tx(system_actor(tenant_id, "demo")) as tx:
        for part in PARTS:
            await part(tx)
    return Loaded(email=EMAIL, password=PASSWORD)
