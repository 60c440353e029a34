"""Use cases: register, list and change agents."""

from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import NOTHING, emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import Page, decode_cursor, page
from goldloop.tenants.agents import events, store
from goldloop.tenants.model import Agent, AgentExists, AgentNotFound, SystemAgentStays
from goldloop.tenants.permissions import AGENTS_MANAGE, AGENTS_READ


async def create(tx: Tx, agent_id: UUID | None, slug: str, name: str, description: str) -> Agent:
    """Register an agent. The same create again answers with what is there."""
    tx.actor.check(AGENTS_MANAGE)
    made = await store.insert(tx, agent_id or new_id(), slug, name, description)
    agent = await store.find_by_slug(tx, slug)
    if agent is None or (not made and not _repeated(agent, agent_id, name, description)):
        raise AgentExists(conflict={"slug": slug, "id": str(agent.id if agent else agent_id)})
    if made:
        await emit(tx, events.CREATED.of(agent.id, events.AgentCreated(slug=slug)))
    return agent


async def create_system(tx: Tx, slug: str, name: str, description: str) -> Agent | None:
    """Register an agent that every workspace has. None where the workspace has one of this slug already."""
    tx.actor.check(AGENTS_MANAGE)
    if not await store.insert(tx, new_id(), slug, name, description, is_system=True):
        return None
    agent = await store.find_by_slug(tx, slug)
    assert agent is not None
    await emit(tx, events.CREATED.of(agent.id, events.AgentCreated(slug=slug)))
    return agent


def _repeated(agent: Agent, agent_id: UUID | None, name: str, description: str) -> bool:
    return agent.id == agent_id and agent.name == name and agent.description == description


async def access(tx: Tx, agent_id: UUID) -> Agent:
    tx.actor.check(AGENTS_READ)
    agent = await store.find(tx, agent_id)
    if agent is None:
        raise AgentNotFound
    return agent


async def list_agents(tx: Tx, cursor: str | None, limit: int) -> Page[Agent]:
    tx.actor.check(AGENTS_READ)
    rows = await store.list_by_slug(tx, decode_cursor(cursor, str), limit + 1)
    return page(rows, limit, lambda agent: agent.slug)


async def change(
    tx: Tx, agent_id: UUID, *, name: str | None, description: str | None, active: bool | None
) -> Agent:
    tx.actor.check(AGENTS_MANAGE)
    if active is False and (await access(tx, agent_id)).is_system:
        raise SystemAgentStays(conflict={"id": str(agent_id)})
    if not await store.update(tx, agent_id, name, description, active):
        raise AgentNotFound
    await emit(tx, events.CHANGED.of(agent_id, NOTHING))
    return await access(tx, agent_id)
