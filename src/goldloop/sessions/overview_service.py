"""The use case of a look at all agents: what each runs with, and when it ran last."""

import msgspec

from goldloop.agents import service as configurations
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Page
from goldloop.sessions import overview_store
from goldloop.sessions.model import ListedAgent
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.tenants.agents import service as registry


async def list_agents(tx: Tx, cursor: str | None, limit: int) -> Page[ListedAgent]:
    """By slug."""
    tx.actor.check(SESSIONS_READ)
    found = await registry.list_agents(tx, cursor, limit)
    ids = [agent.id for agent in found.data]
    current = await configurations.list_current(tx, ids)
    last = await overview_store.list_last_of_agents(tx, ids)
    rows = [
        ListedAgent(
            **msgspec.structs.asdict(agent),
            runs_with=current.get(agent.id),
            last_session=last.get(agent.id),
        )
        for agent in found.data
    ]
    return Page(data=rows, next_cursor=found.next_cursor)
