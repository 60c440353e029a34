"""Authentication at the routes: who asks, what a route says about who may call it, and what handlers are given.

Every route is authenticated unless it says `public`; a route names the permission it needs, so that a
refusal comes before the body is even read. What a use case needs it checks again itself.
"""

import hmac
from collections.abc import Callable
from typing import Any, TypeAlias

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import SkipValidation

from goldloop.kit.db import Actor
from goldloop.kit.errors import CsrfFailed, NotFound, Unauthenticated
from goldloop.kit.http import Db, header_of
from goldloop.kit.signed_tokens import find_kind
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.auth.model import SignedIn

SESSION_COOKIE = "goldloop_session"
CSRF_COOKIE = "goldloop_csrf"
CSRF_HEADER = b"x-goldloop-csrf"
TENANT_HEADER = b"x-goldloop-tenant"


_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


# How a route takes tokens of its own: the request, the installation's secret and the token; None for no token of it.
ByToken = Callable[[ASGIConnection[Any, Any, Any, Any], bytes, str], Actor | None]

# What handlers are given.
Who: TypeAlias = NamedDependency[SkipValidation[Actor]]
Person: TypeAlias = NamedDependency[SkipValidation[SignedIn]]
Auth: TypeAlias = NamedDependency[SkipValidation[Authenticator]]


def needs(*permissions: str) -> dict[str, Any]:
    """The route option that names the permissions a caller needs, all of them."""
    return {"permission": permissions}


def in_path(*permissions: str, **more: Any) -> dict[str, Any]:
    """The same for a route whose address names the workspace, as `{tenant}`."""
    return {"permission": permissions, "tenant_in_path": True, **more}


PUBLIC: dict[str, Any] = {"public": True}
ANY_MEMBER: dict[str, Any] = {"permission": None}
EVENT_STREAM: dict[str, Any] = {"permission": None, "tenant_in_query": True}  # EventSource sends no headers
SESSION_ONLY: dict[str, Any] = {"session_only": True}


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Runs before every route: authenticates and checks CSRF."""
    if handler.opt.get("public"):
        return
    auth: Authenticator = connection.app.state.auth
    if handler.opt.get("session_only"):
        connection.scope["state"]["signed_in"] = await _person(connection, auth, None)
        return
    connection.scope["state"]["actor"] = await authenticate(connection, auth)


def check_permission(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Runs before every route, after `guard`: what the route needs."""
    actor: Actor | None = connection.scope["state"].get("actor")
    if actor is not None:
        for permission in handler.opt.get("permission") or ():
            actor.check(permission)


async def authenticate(connection: ASGIConnection[Any, Any, Any, Any], auth: Authenticator) -> Actor:
    opt = connection.route_handler.opt
    requested = slug = header_of(connection.scope, TENANT_HEADER)
    if slug is None and opt.get("tenant_in_query"):
        slug = connection.query_params.get("tenant")
    if opt.get("tenant_in_path"):
        slug = connection.path_params["tenant"]
    header = header_of(connection.scope, b"authorization")
    if header is None:
        actor = (await _person(connection, auth, slug)).actor
    else:
        actor = await _bearer(connection, auth, header, slug)
    if actor is None or (requested and requested != slug):
        raise NotFound("There is no such workspace")
    return actor


async def _bearer(
    connection: ASGIConnection[Any, Any, Any, Any], auth: Authenticator, header: str, slug: str | None
) -> Actor | None:
    """The holder of a key, or of a token that this route takes; None when the key is of another workspace."""
    scheme, _, key = header.partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise Unauthenticated("The Authorization header is `Bearer <API key>`")
    by_token: ByToken | None = connection.route_handler.opt.get("by_token")
    if by_token and (actor := by_token(connection, auth.secret, key.strip())):
        return actor
    if kind := find_kind(key.strip()):
        raise Unauthenticated(f"A {kind.name} opens only {kind.opens}")
    holder = await auth.key_holder(key.strip())
    return holder.actor if not slug or slug == holder.tenant_slug else None


async def _person(
    connection: ASGIConnection[Any, Any, Any, Any], auth: Authenticator, slug: str | None
) -> SignedIn:
    session = connection.cookies.get(SESSION_COOKIE)
    client = connection.client.host if connection.client else ""
    person = await auth.signed_in(session, slug, client) if session else None
    if session is None or person is None:
        raise Unauthenticated(headers={"WWW-Authenticate": "Bearer"})
    if connection.scope.get("method") not in _SAFE_METHODS:
        sent = header_of(connection.scope, CSRF_HEADER) or ""
        if not hmac.compare_digest(sent.encode(), auth.csrf_token(session).encode()):
            raise CsrfFailed(f"The header {CSRF_HEADER.decode()} does not hold the token of this session")
    return person


def provide_actor(request: Request[Any, Any, Any], db: Db) -> Actor:
    """Depends on `db` only to be resolved after it: independent dependencies are resolved in separate tasks."""
    actor: Actor = request.scope["state"]["actor"]
    return actor


def provide_signed_in(request: Request[Any, Any, Any]) -> SignedIn:
    person: SignedIn = request.scope["state"]["signed_in"]
    return person
