"""Routes of tools: `/api/tools`."""

from typing import Any

import msgspec
from litestar import Request, Router, get, post
from litestar.connection import ASGIConnection
from litestar.params import FromPath, JSONBody

from goldloop.kit.clock import now
from goldloop.kit.db import Actor, ActorKind
from goldloop.kit.errors import NotFound, Unauthenticated
from goldloop.kit.http import Db, Ports, header_of, problems
from goldloop.kit.parameters import IdempotencyKey
from goldloop.kit.tools import TOOLS, Tool
from goldloop.runtimes.model import ForeignTool, RunLimitReached
from goldloop.runtimes.run_keys import RUN_KEY, RunGrant
from goldloop.tenants import roles
from goldloop.tenants.auth.api import ANY_MEMBER, TENANT_HEADER, Who
from goldloop.tenants.model import Role
from goldloop.tools.calls import Arguments, call, has_recorded, list_recorded, recognize

RECORDED = "recorded"  # the group of tools that are not ours, as a replay has them


class ToolNotFound(NotFound):
    code, title = "tool_not_found", "There is no such tool"


class ToolDescription(msgspec.Struct, frozen=True, kw_only=True):
    """`writes` says whether it changes anything, `idempotent` that the same call again changes nothing more."""

    name: str
    group: str
    description: str
    permission: str
    writes: bool
    idempotent: bool
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]


class ToolList(msgspec.Struct, frozen=True, kw_only=True):
    data: list[ToolDescription]


def by_token(connection: ASGIConnection[Any, Any, Any, Any], secret: bytes, token: str) -> Actor | None:
    """Whoever holds the key of a run acts as its agent; whether the run goes on is looked at with each call."""
    if not token.startswith(RUN_KEY.prefix):
        return None
    grant = RUN_KEY.read(token, secret, now())
    if grant is None:
        raise Unauthenticated("This run key is not valid, or has expired")
    if header_of(connection.scope, TENANT_HEADER) not in (None, grant.tenant):
        raise NotFound("There is no such workspace")
    connection.scope["state"]["run"] = grant
    return Actor(
        tenant_id=grant.tenant_id,
        kind=ActorKind.AGENT,
        id=grant.agent_id,
        name="run key",
        permissions=roles.permissions(Role.CONTRIBUTOR),
        role=Role.CONTRIBUTOR,
    )


FOR_RUNS = ANY_MEMBER | {"by_token": by_token}


def run_grant(connection: ASGIConnection[Any, Any, Any, Any]) -> RunGrant | None:
    """What the key of a run allows, where one was sent."""
    grant: RunGrant | None = connection.scope["state"].get("run")
    return grant


@get("/", opt=FOR_RUNS, responses=problems(), summary="The tools that the caller may use")
async def list_tools(request: Request[Any, Any, Any], db: Db, actor: Who) -> ToolList:
    caller = await recognize(db, actor, run_grant(request))
    recorded = await list_recorded(db, caller)
    return ToolList(data=[*map(_describe, caller.tools()), *map(_describe_recorded, recorded)])


def _describe(tool: Tool) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        group=tool.group,
        description=tool.description,
        permission=tool.permission,
        writes=tool.writes,
        idempotent=tool.is_repeatable,
        input_schema=msgspec.json.schema(tool.arguments),
        output_schema=msgspec.json.schema(tool.result),
    )


def _describe_recorded(tool: ForeignTool) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        group=RECORDED,
        description=tool.description,
        permission="",
        writes=tool.writes,
        idempotent=False,
        input_schema=tool.parameters,
        output_schema={},
    )


@post(
    "/{tool_name:str}",
    opt=FOR_RUNS,
    responses=problems(ToolNotFound, RunLimitReached, body=True),
    status_code=200,
    summary="Call a tool",
)
async def call_tool(
    request: Request[Any, Any, Any],
    tool_name: FromPath[str],
    data: JSONBody[Arguments],
    db: Db,
    outside: Ports,
    actor: Who,
    idempotency_key: IdempotencyKey = None,
) -> dict[str, Any]:
    """The tool's own failure is an answer with `error`. With the key of a run the call is recorded in its session, with the
    `Idempotency-Key` as its id: the same again is answered as the first time. The key of a replay also calls tools that are
    not ours, which recordings answer."""
    grant, known = run_grant(request), tool_name in TOOLS
    if not known and grant is None:
        raise ToolNotFound
    caller = await recognize(db, actor, grant)
    if not known and not await has_recorded(db, outside, caller, tool_name):
        raise ToolNotFound
    return await call(db, outside, caller, tool_name, data, idempotency_key)


router = Router("/api/tools", route_handlers=[list_tools, call_tool], tags=["tools"])
