"""Routes of tools: `/api/tools`."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get, post
from litestar.params import FromPath, JSONBody

from goldloop.kit.errors import NotFound
from goldloop.kit.http import Db, problems, read_as
from goldloop.kit.tools import TOOLS
from goldloop.tenants.auth.api import ANY_MEMBER, Who
from goldloop.tools.calls import call, offered

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


@get("/", opt=ANY_MEMBER, responses=problems(), summary="The tools that the caller may use")
async def list_tools(actor: Who) -> ToolList:
    return ToolList(
        data=[
            ToolDescription(
                name=tool.name,
                group=tool.group,
                description=tool.description,
                permission=tool.permission,
                writes=tool.writes,
                idempotent=tool.is_repeatable,
                input_schema=msgspec.json.schema(tool.arguments),
                output_schema=msgspec.json.schema(tool.result),
            )
            for tool in offered(actor)
        ]
    )


@post(
    "/{tool_name:str}",
    opt=ANY_MEMBER,
    responses=problems(ToolNotFound, body=True),
    status_code=200,
    summary="Call a tool",
)
async def call_tool(
    request: Request[Any, Any, Any],
    tool_name: FromPath[str],
    data: JSONBody[Arguments],
    db: Db,
    actor: Who,
) -> dict[str, Any]:
    """The tool's own failure is an answer with `error`."""
    tool = TOOLS.get(tool_name)
    if tool is None:
        raise ToolNotFound
    actor.check(tool.permission)
    read_as(data, tool.arguments)  # a call that cannot be read is refused
    return await call(db, actor, tool, data)


router = Router("/api/tools", route_handlers=[list_tools, call_tool], tags=["tools"])
