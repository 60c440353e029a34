"""Routes of the agents registry: `/api/agents`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, patch, post
from litestar.params import JSONBody

from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.text import slug_pattern
from goldloop.kit.wire_types import Name
from goldloop.tenants.agents import service
from goldloop.tenants.auth.api import Auth, Who, needs
from goldloop.tenants.model import Agent, AgentExists, AgentNotFound, SystemAgentStays
from goldloop.tenants.permissions import AGENTS_MANAGE, AGENTS_READ

Slug = Annotated[str, msgspec.Meta(pattern=slug_pattern(63, "a-z0-9-"))]
Description = Annotated[str, msgspec.Meta(max_length=2000)]


class NewAgent(Wire, frozen=True):
    slug: Slug
    name: Name
    description: Description = ""
    id: UUID | None = None


class AgentChange(Wire, frozen=True):
    name: Name | None = None
    description: Description | None = None
    active: bool | None = None


@post(
    "/",
    opt=needs(AGENTS_MANAGE),
    responses=problems(AgentExists, body=True),
    summary="Register an agent",
)
async def create_agent(data: JSONBody[NewAgent], db: Db, actor: Who) -> Agent:
    async with db.tx(actor) as tx:
        return await service.create(tx, data.id, data.slug, data.name, data.description)


@get("/", opt=needs(AGENTS_READ), responses=problems(), summary="List agents by slug")
async def list_agents(db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None) -> Page[Agent]:
    async with db.tx(actor) as tx:
        return await service.list_agents(tx, cursor, limit)


@get(
    "/{agent_id:uuid}",
    opt=needs(AGENTS_READ),
    responses=problems(AgentNotFound),
    summary="Show an agent",
)
async def show_agent(agent_id: PathId, db: Db, actor: Who) -> Agent:
    async with db.tx(actor) as tx:
        return await service.access(tx, agent_id)


@patch(
    "/{agent_id:uuid}",
    opt=needs(AGENTS_MANAGE),
    responses=problems(AgentNotFound, SystemAgentStays, body=True),
    summary="Rename, describe, activate or deactivate an agent",
)
async def change_agent(
    agent_id: PathId, data: JSONBody[AgentChange], db: Db, actor: Who, auth: Auth
) -> Agent:
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        return await service.change(
            tx, agent_id, name=data.name, description=data.description, active=data.active
        )


router = Router(
    "/api/agents", route_handlers=[create_agent, list_agents, show_agent, change_agent], tags=["agents"]
)
