"""The endpoint of the Model Context Protocol, `/mcp`, and what it publishes about who may call it."""

from typing import Any
from urllib.parse import parse_qs

import msgspec
from litestar import Request, Router, asgi, get
from litestar.connection import ASGIConnection
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from goldloop.kit.errors import GoldloopError, MethodNotAllowed, NotFound, Unauthenticated
from goldloop.kit.http import problems
from goldloop.mcp.server import Caller, McpEndpoint
from goldloop.tenants.auth.api import PUBLIC, authenticate

METADATA = "/.well-known/oauth-protected-resource/mcp"
GROUPS = "groups"


class ResourceMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """RFC 9728: where a client may get a token. Here it is an API key, which no authorization server gives out."""

    resource: str
    resource_name: str = "Goldloop"
    bearer_methods_supported: tuple[str, ...] = ("header",)


@get(METADATA, opt=PUBLIC, responses=problems(), summary="Who may call /mcp (RFC 9728)")
async def show_resource_metadata(request: Request[Any, Any, Any]) -> ResourceMetadata:
    return ResourceMetadata(resource=f"{str(request.base_url).rstrip('/')}/mcp")


endpoint = McpEndpoint()


@asgi("/mcp", is_mount=True, copy_scope=True, opt=PUBLIC)
async def mcp_app(scope: Scope, receive: Receive, send: Send) -> None:
    """`?groups=a,b` narrows the tools. A key is asked for at every call; a browser's sign-in does not count here."""
    connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
    try:
        if scope["path"].strip("/"):
            raise NotFound("There is nothing at this address")
        if scope["method"] != "POST":
            raise MethodNotAllowed("MCP is spoken by POST", headers={"Allow": "POST"})
        if "authorization" not in connection.headers:
            raise Unauthenticated("MCP needs an API key: Authorization: Bearer <API key>")
        actor = await authenticate(connection, connection.app.state.auth)
    except GoldloopError as error:
        await _refuse(error, connection, scope, receive, send)
        return
    asked = parse_qs(scope["query_string"].decode("latin-1")).get(GROUPS)
    groups = frozenset(name for entry in asked for name in entry.split(",") if name) if asked else None
    caller = Caller(actor=actor, db=connection.app.state.db, groups=groups)
    await endpoint.handle(caller, scope, receive, send)


async def _refuse(
    error: GoldloopError,
    connection: ASGIConnection[Any, Any, Any, Any],
    scope: Scope,
    receive: Receive,
    send: Send,
) -> None:
    headers = dict(error.headers)
    if error.status == 401:
        where = f"{str(connection.base_url).rstrip('/')}{METADATA}"
        headers["WWW-Authenticate"] = f'Bearer error="invalid_token", resource_metadata="{where}"'
    answer = ASGIResponse(
        body=msgspec.json.encode(error.problem()),
        status_code=error.status,
        media_type="application/problem+json",
        headers=headers,
    )
    await answer(scope, receive, send)


router = Router("/", route_handlers=[mcp_app, show_resource_metadata], tags=["mcp"])
