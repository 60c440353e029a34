"""The agents that every workspace has: the registry that concepts add theirs to, and making them in a new workspace. Those
of workspaces that are there already are made by the migration that comes with them."""

from dataclasses import dataclass

from goldloop.agents import service
from goldloop.agents.model import AgentConfig
from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.tenants.agents import service as registry
from goldloop.tenants.model import Agent

NOTE = "As every workspace has it"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAgent:
    """`config` is its first version; a workspace makes others. `grants` are what it may do in its runs beside what every agent
    may."""

    slug: str
    name: str
    description: str
    config: AgentConfig
    grants: frozenset[str] = frozenset()


SYSTEM_AGENTS: dict[str, SystemAgent] = {}


def register(agent: SystemAgent) -> SystemAgent:
    SYSTEM_AGENTS[agent.slug] = agent
    return agent


def grants_of(agent: Agent) -> frozenset[str]:
    """Only those of the agent that every workspace has, whatever another one is called."""
    known = SYSTEM_AGENTS.get(agent.slug) if agent.is_system else None
    return known.grants if known else frozenset()


async def make_all(tx: Tx, event: Event) -> None:
    """In the transaction that makes a workspace."""
    for each in SYSTEM_AGENTS.values():
        made = await registry.create_system(tx, each.slug, each.name, each.description)
        if made is not None:
            await service.configure(tx, made.id, each.config, NOTE, 0)
