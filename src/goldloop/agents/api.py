"""Routes of agents' configurations: `/api/agents/{id}/config`, `…/versions`, `…/secrets`."""

from typing import Annotated

import msgspec
from litestar import Router, delete, get, post, put
from litestar.params import FromPath, JSONBody

from goldloop.agents import service
from goldloop.agents.model import (
    AgentConfig,
    AgentDefaults,
    AgentSecret,
    AgentVersion,
    ConfigChanged,
    Note,
    SecretName,
    SecretNotFound,
    VersionNotFound,
)
from goldloop.kit.http import Db, PathId, Ports, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound
from goldloop.tenants.permissions import AGENTS_MANAGE, AGENTS_READ

SecretText = Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
ExpectedVersion = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class NewConfig(AgentConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole configuration. `version` is the one that the editor read (0: there was none); without it, whichever is
    there."""

    note: Note = ""
    version: ExpectedVersion | None = None


class NewSecret(Wire, frozen=True):
    value: SecretText


class SecretList(msgspec.Struct, frozen=True, kw_only=True):
    data: list[AgentSecret]


@get(
    "/defaults",
    opt=needs(AGENTS_READ),
    responses=problems(),
    summary="Show what agents run with where they name nothing of their own",
)
async def show_agent_defaults(outside: Ports, actor: Who) -> AgentDefaults:
    return AgentDefaults(model=outside.model or None)


@get(
    "/config",
    opt=needs(AGENTS_READ),
    responses=problems(AgentNotFound, VersionNotFound),
    summary="Show what an agent runs with",
)
async def show_config(agent_id: PathId, db: Db, actor: Who) -> AgentVersion:
    async with db.tx(actor) as tx:
        return await service.access_current(tx, agent_id)


@put(
    "/config",
    opt=needs(AGENTS_MANAGE, AGENTS_READ),
    responses=problems(AgentNotFound, ConfigChanged, body=True),
    summary="Configure an agent: makes a version",
)
async def configure_agent(agent_id: PathId, data: JSONBody[NewConfig], db: Db, actor: Who) -> AgentVersion:
    config = AgentConfig(**{name: getattr(data, name) for name in AgentConfig.__struct_fields__})
    async with db.tx(actor) as tx:
        return await service.configure(tx, agent_id, config, data.note, data.version)


@get(
    "/versions",
    opt=needs(AGENTS_READ),
    responses=problems(AgentNotFound),
    summary="List an agent's versions, newest first",
)
async def list_versions(
    agent_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[AgentVersion]:
    async with db.tx(actor) as tx:
        return await service.list_versions(tx, agent_id, cursor, limit)


@get(
    "/versions/{version:int}",
    opt=needs(AGENTS_READ),
    responses=problems(AgentNotFound, VersionNotFound),
    summary="Show one version of an agent",
)
async def show_version(agent_id: PathId, version: FromPath[int], db: Db, actor: Who) -> AgentVersion:
    async with db.tx(actor) as tx:
        return await service.access(tx, agent_id, version)


@post(
    "/versions/{version:int}/restore",
    opt=needs(AGENTS_MANAGE, AGENTS_READ),
    responses=problems(AgentNotFound, VersionNotFound, ConfigChanged),
    summary="Make an old version of an agent the newest",
)
async def restore_version(agent_id: PathId, version: FromPath[int], db: Db, actor: Who) -> AgentVersion:
    async with db.tx(actor) as tx:
        return await service.restore(tx, agent_id, version)


@get(
    "/secrets",
    opt=needs(AGENTS_MANAGE, AGENTS_READ),
    responses=problems(AgentNotFound),
    summary="List which secrets an agent has",
)
async def list_secrets(agent_id: PathId, db: Db, actor: Who) -> SecretList:
    async with db.tx(actor) as tx:
        return SecretList(data=await service.list_secrets(tx, agent_id))


@put(
    "/secrets/{name:str}",
    opt=needs(AGENTS_MANAGE, AGENTS_READ),
    responses=problems(AgentNotFound, body=True),
    status_code=204,
    summary="Set a secret of an agent; it is never shown again",
)
async def set_secret(
    agent_id: PathId,
    name: FromPath[SecretName],
    data: JSONBody[NewSecret],
    db: Db,
    outside: Ports,
    actor: Who,
) -> None:
    sealed = outside.sealer.seal(data.value, service.place_of(actor.tenant_id, agent_id, name))
    async with db.tx(actor) as tx:
        await service.set_secret(tx, agent_id, name, sealed)


@delete(
    "/secrets/{name:str}",
    opt=needs(AGENTS_MANAGE, AGENTS_READ),
    responses=problems(AgentNotFound, SecretNotFound),
    summary="Remove a secret of an agent",
)
async def remove_secret(agent_id: PathId, name: FromPath[SecretName], db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove_secret(tx, agent_id, name)


defaults_router = Router("/api/agents", route_handlers=[show_agent_defaults], tags=["agents"])
router = Router(
    "/api/agents/{agent_id:uuid}",
    route_handlers=[
        show_config,
        configure_agent,
        list_versions,
        show_version,
        restore_version,
        list_secrets,
        set_secret,
        remove_secret,
    ],
    tags=["agents"],
)
