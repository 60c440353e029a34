"""Evals in the demo workspace: the starter set of sales operations with its trials and its lessons. The worker runs all of it after the start,
as it runs what anybody loads."""

from goldloop.entities.types import store as types
from goldloop.goldens.starters import sales_ops, service, store
from goldloop.kit.db import Tx
from goldloop.tenants.agents import store as agents
from goldloop.tenants.demo import Part, acting

EVALS = "evals"  # the flow


async def has_none(tx: Tx) -> bool:
    """Also nothing of a visitor's that has its names."""
    ids = service.session_ids(tx.actor.tenant_id, sales_ops.STARTER)
    slugs = [sales_ops.NAME, *([lessons.agent] if (lessons := sales_ops.STARTER.lessons) else [])]
    taken = [
        await types.find(tx, sales_ops.ACCOUNT),
        *[await agents.find_by_slug(tx, slug) for slug in slugs],
    ]
    return not any(taken) and not await store.list_sessions(tx, ids)


async def load(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        await service.load(admin, sales_ops.NAME, trials=True)


PARTS = [Part(EVALS, load, is_absent=has_none)]
