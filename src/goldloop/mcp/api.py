"""The endpoint of the Model Context Protocol, `/mcp`, and what it publishes about who may call it."""

from typing import Any

import msgspec
from litestar import Request, Router, asgi, get
from litestar.connection import ASGIConnection
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from goldloop.kit.errors import GoldloopError, InvalidInput, MethodNotAllowed, Unauthenticated
from goldloop.kit.http import PROBLEM_JSON, as_goldloop_error
from goldloop.kit.tools import group_names
from goldloop.limits.api import count_request
from goldloop.mcp.endpoint import McpCall, McpEndpoint, read_body
from goldloop.tenants.auth.api import PUBLIC, authenticate
from goldloop.tools.api import by_token, run_grant
from goldloop.tools.calls import recognize

METADATA = "/.well-known/oauth-protected-resource/mcp"

Connection = ASGIConnection[Any, Any, Any, Any]


class ResourceMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """RFC 9728. Keys are given out by the workspace and by no authorization server, so none is named."""

    resource: str
    resource_name: str = "Goldloop"
    bearer_methods_supported: tuple[str, ...] = ("header",)


@get(METADATA, opt=PUBLIC, include_in_schema=False)
async def show_resource_metadata(request: Request[Any, Any, Any]) -> ResourceMetadata:
    return ResourceMetadata(resource=f"{_origin(request)}/mcp")


@asgi("/mcp", copy_scope=True, opt=PUBLIC | {"by_token": by_token})
async def mcp_app(scope: Scope, receive: Receive, send: Send) -> None:
    """`?groups=a,b` narrows the tools. A key is asked for at every call; a browser's sign-in does not count here."""
    connection: Connection = ASGIConnection(scope)
    endpoint: McpEndpoint = connection.app.state.mcp
    try:
        made = await _read_call(connection, scope, receive)
    except Exception as error:
        await _refuse(as_goldloop_error(error), connection, scope, receive, send)
        return
    await endpoint.handle(made, scope, receive, send)


async def _read_call(connection: Connection, scope: Scope, receive: Receive) -> McpCall:
    if scope.get("method") != "POST":
        raise MethodNotAllowed("MCP is spoken by POST", headers={"Allow": "POST"})
    if "authorization" not in connection.headers:
        raise Unauthenticated("MCP needs a key: Authorization: Bearer <API key>")
    state = connection.app.state
    actor = await authenticate(connection, state.auth)
    await count_request(connection, actor)
    return McpCall(
        caller=await recognize(state.db, actor, run_grant(connection)),
        groups=_groups(connection),
        body=await read_body(connection, receive),
        db=state.db,
        outside=state.outside,
    )


def _groups(connection: Connection) -> frozenset[str] | None:
    """The tool groups that the address names; None for all."""
    asked = [name for entry in connection.query_params.getall("groups", []) for name in entry.split(",")]
    named = frozenset(filter(None, (name.strip() for name in asked)))
    known = group_names()
    if not named <= set(known):
        raise InvalidInput.at("/groups", "unknown_group", f"The tool groups are {', '.join(known)}")
    return named or None


async def _refuse(
    error: GoldloopError, connection: Connection, scope: Scope, receive: Receive, send: Send
) -> None:
    headers = dict(error.headers)
    if error.status == 401:
        fault = 'error="invalid_token", ' if "authorization" in connection.headers else ""
        headers["WWW-Authenticate"] = f'Bearer {fault}resource_metadata="{_origin(connection)}{METADATA}"'
    answer = ASGIResponse(
        body=msgspec.json.encode(error.problem()),
        status_code=error.status,
        media_type=PROBLEM_JSON,
        headers=headers,
    )
    await answer(scope, receive, send)


def _origin(connection: Connection) -> str:
    """As the client wrote it: it compares the resource with the address that it called."""
    return str(connection.base_url).rstrip("/")


router = Router("/", route_handlers=[mcp_app, show_resource_metadata])
