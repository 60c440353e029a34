"""Routes of tools: `/api/tools`."""

from contextlib import suppress
from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get, post
from litestar.connection import ASGIConnection
from litestar.params import FromPath, JSONBody

from goldloop.kit.clock import now
from goldloop.kit.db import Actor, ActorKind, Database
from goldloop.kit.errors import Forbidden, GoldloopError, NotFound, Unauthenticated
from goldloop.kit.http import Db, Ports, problems, read_as
from goldloop.kit.idempotency import IdempotencyKey
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.kit.tools import TOOLS, Tool, explained
from goldloop.runtimes import service as runs
from goldloop.runtimes.model import ClaimedRun, LimitReached, RunLimitReached
from goldloop.runtimes.run_keys import RUN_KEY, RunGrant
from goldloop.runtimes.session_log import SessionLog
from goldloop.sessions.model import ClaimLost
from goldloop.sessions.run_service import Claim
from goldloop.tenants import roles
from goldloop.tenants.auth.api import ANY_MEMBER, TENANT_HEADER, Who
from goldloop.tenants.model import Role

OVER = "The run that this key is for is over"
Arguments = Annotated[dict[str, Any], msgspec.Meta(max_length=100)]  # no tool has more


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
    if connection.headers.get(TENANT_HEADER) not in (None, grant.tenant):
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


@get("/", opt=FOR_RUNS, responses=problems(), summary="The tools that the caller may use")
async def list_tools(request: Request[Any, Any, Any], db: Db, actor: Who) -> ToolList:
    grant = request.scope["state"].get("run")
    tools = (await _rejoin(db, actor, grant)).tools if grant else TOOLS.values()
    return ToolList(data=[_describe(tool) for tool in tools if actor.may(tool.permission)])


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
    `Idempotency-Key` as its id: the same again is answered as the first time."""
    tool = TOOLS.get(tool_name)
    if tool is None:
        raise ToolNotFound
    if grant := request.scope["state"].get("run"):
        return await _call_in_run(
            db, outside, await _rejoin(db, actor, grant), tool_name, data, idempotency_key
        )
    actor.check(tool.permission)
    arguments = read_as(data, tool.arguments)
    try:
        async with db.tx(actor) as tx:
            return await tool.run(tx, arguments)
    except (Forbidden, Unauthenticated):
        raise
    except GoldloopError as error:
        if error.status >= 500:
            raise
        return {"error": explained(error)}


async def _rejoin(db: Database, actor: Actor, grant: RunGrant) -> ClaimedRun:
    try:
        async with db.tx(actor) as tx:
            return await runs.rejoin(tx, Claim(grant.session_id, grant.claim), grant.agent_id)
    except ClaimLost:
        raise Unauthenticated(OVER) from None


async def _call_in_run(
    db: Database, outside: Outside, run: ClaimedRun, tool: str, arguments: dict[str, Any], call_id: str | None
) -> dict[str, Any]:
    log = SessionLog(db, outside, run, can_wait=False)
    try:
        if call_id and (known := await log.find_result(call_id)) is not None:
            return known
        return await log.call_tool(tool, arguments, call_id or str(new_id()))
    except LimitReached as limit:
        with suppress(ClaimLost):  # another call has ended it
            async with db.tx(run.actor) as tx:
                await runs.give_up(tx, run, limit)
        raise RunLimitReached(str(limit)) from None
    except ClaimLost:
        raise Unauthenticated(OVER) from None


router = Router("/api/tools", route_handlers=[list_tools, call_tool], tags=["tools"])
