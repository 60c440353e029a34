"""Authentication: the single place that turns an API key or a sign-in session into an actor, cached for seconds.

Every route is authenticated unless it says `public`; a route names the permission it needs, so that a
refusal comes before the body is even read. What a use case needs it checks again itself.
"""

import asyncio
import hashlib
import hmac
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import SkipValidation

from goldloop.kit.clock import now
from goldloop.kit.db import Actor, ActorKind, Database
from goldloop.kit.errors import CsrfFailed, NotFound, Unauthenticated
from goldloop.kit.http import Db
from goldloop.kit.ids import secret_hash
from goldloop.kit.queue import enqueue
from goldloop.tenants import roles
from goldloop.tenants.keys import store as keys
from goldloop.tenants.model import Agent, Member, Role
from goldloop.tenants.sign_in import store as sign_in

log = logging.getLogger("goldloop.auth")

SESSION_COOKIE = "goldloop_session"
CSRF_COOKIE = "goldloop_csrf"
CSRF_HEADER = "x-goldloop-csrf"
TENANT_HEADER = "x-goldloop-tenant"
KEY_PREFIX = "gl_"

CACHE_SECONDS = 5.0  # a notification drops entries at once; this bounds a lost one
CACHE_SECONDS_DEAF = 0.5  # while notifications cannot be heard a revoked key must still stop within a second
CACHE_ENTRIES = 10_000
USE_RECORDED_EVERY = timedelta(minutes=1)  # a key's last use is shown in minutes, so no job more often

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHolder:
    actor: Actor
    tenant_slug: str
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """An account with a session; `actor` is who they are in the workspace, None when they are in no (such) one."""

    account_id: UUID
    email: str
    name: str
    expires_at: datetime
    workspaces: list[dict[str, Any]]
    actor: Actor | None


@dataclass(slots=True)
class Authenticator:
    db: Database
    secret: bytes
    listening: bool = False
    _cache: dict[Any, tuple[float, Any]] = field(default_factory=dict)
    _generation: int = 0  # of what may be cached: what was read before the last `forget` may not
    _recorded: dict[UUID, datetime] = field(default_factory=dict)
    _background: set[asyncio.Task[None]] = field(default_factory=set)

    def forget(self) -> None:
        """Clears the cache, because keys, members, agents or sessions changed."""
        self._cache.clear()
        self._generation += 1

    def csrf_token(self, session: str) -> str:
        return hmac.new(self.secret, b"csrf:" + session.encode(), hashlib.sha256).hexdigest()

    async def key_holder(self, key: str) -> KeyHolder:
        hashed = secret_hash(key)
        holder: KeyHolder | None = self._cached(hashed)
        if holder is None:
            generation = self._generation
            async with self.db.anonymous() as connection:
                row = await keys.find_holder(connection, hashed)
            holder = self._keep(hashed, _key_holder(row), generation)
        assert holder is not None
        if holder.expires_at and holder.expires_at <= now():
            raise Unauthenticated("This API key has expired")
        self._note_use(holder)
        return holder

    async def signed_in(self, session: str, slug: str | None) -> SignedIn | None:
        hashed = secret_hash(session)
        person: SignedIn | None = self._cached((hashed, slug))
        if person is None:
            generation = self._generation
            async with self.db.anonymous() as connection:
                row = await sign_in.find_person(connection, hashed, slug)
            if row is None:
                return None
            person = self._keep((hashed, slug), _signed_in(row), generation)
        return person if person.expires_at > now() else None

    def _cached(self, key: Any) -> Any:
        entry = self._cache.get(key)
        return entry[1] if entry and entry[0] > time.monotonic() else None

    def _keep(self, key: Any, value: Any, generation: int) -> Any:
        if generation != self._generation:
            return value  # something changed while it was read: good for this request only
        if len(self._cache) >= CACHE_ENTRIES:
            self._cache.clear()
        lifetime = CACHE_SECONDS if self.listening else CACHE_SECONDS_DEAF
        self._cache[key] = (time.monotonic() + lifetime, value)
        return value

    def _note_use(self, holder: KeyHolder) -> None:
        """Queue a job that records the key's last use; in the background, and once a minute at most."""
        key_id, at = holder.actor.key_id, now()
        assert key_id is not None
        last = self._recorded.get(key_id) or holder.last_used_at
        if last and at - last < USE_RECORDED_EVERY:
            return
        if len(self._recorded) >= CACHE_ENTRIES:
            self._recorded.clear()
        self._recorded[key_id] = at
        task = asyncio.create_task(self._record_use(holder.actor, key_id, at))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _record_use(self, actor: Actor, key_id: UUID, at: datetime) -> None:
        try:
            async with self.db.tx(actor) as tx:
                await enqueue(tx, "tenants.record_key_use", {"key_id": str(key_id), "at": at.isoformat()})
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            self._recorded.pop(key_id, None)
            log.warning("the use of an API key was not recorded", exc_info=True)


def _key_holder(row: Any) -> KeyHolder:
    if row is None:
        raise Unauthenticated("This API key is not known")
    if row["revoked_at"]:
        raise Unauthenticated("This API key was revoked")
    role = Role(row["key_role"])
    if row["agent_id"]:
        if not row["agent_active"]:
            raise Unauthenticated("The agent that this API key belongs to is not active")
        kind, actor_id, name = ActorKind.AGENT, row["agent_id"], row["agent_name"]
    else:
        if not row["user_role"]:
            raise Unauthenticated("The person whom this API key belongs to is no member any more")
        kind, actor_id, name = ActorKind.USER, row["user_id"], row["user_name"]
        role = roles.lower(role, Role(row["user_role"]))  # a key never outranks its person
    actor = Actor(
        tenant_id=row["tenant_id"],
        kind=kind,
        id=actor_id,
        name=name,
        permissions=roles.permissions(role, row["scopes"]),
        key_id=row["key_id"],
        role=role,
    )
    return KeyHolder(
        actor=actor,
        tenant_slug=row["tenant_slug"],
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
    )


def _signed_in(row: Any) -> SignedIn:
    actor = None
    if row["tenant_id"]:
        actor = Actor(
            tenant_id=row["tenant_id"],
            kind=ActorKind.USER,
            id=row["user_id"],
            name=row["user_name"],
            permissions=roles.permissions(Role(row["role"])),
            role=row["role"],
        )
    return SignedIn(
        account_id=row["account_id"],
        email=row["email"],
        name=row["account_name"],
        expires_at=row["expires_at"],
        workspaces=row["workspaces"],
        actor=actor,
    )


def system_actor(tenant_id: UUID, name: str = "system") -> Actor:
    return Actor(
        tenant_id=tenant_id,
        kind=ActorKind.SYSTEM,
        id=None,
        name=name,
        permissions=roles.SYSTEM,
        role=Role.OWNER,
    )


def member_actor(tenant_id: UUID, member: Member) -> Actor:
    return Actor(
        tenant_id=tenant_id,
        kind=ActorKind.USER,
        id=member.user_id,
        name=member.name,
        permissions=roles.permissions(member.role),
        role=member.role,
    )


def agent_actor(tenant_id: UUID, agent: Agent, role: Role) -> Actor:
    """An agent has no role of its own: it has that of the key by which it acts."""
    return Actor(
        tenant_id=tenant_id,
        kind=ActorKind.AGENT,
        id=agent.id,
        name=agent.name,
        permissions=roles.permissions(role),
        role=role,
    )


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
    """Runs before every route: authenticates, checks CSRF and the route's permission."""
    if handler.opt.get("public"):
        return
    auth: Authenticator = connection.app.state.auth
    if handler.opt.get("session_only"):
        connection.scope["state"]["signed_in"] = await _person(connection, auth, None)
        return
    actor = await authenticate(connection, auth)
    for permission in handler.opt.get("permission") or ():
        actor.check(permission)
    connection.scope["state"]["actor"] = actor


async def authenticate(connection: ASGIConnection[Any, Any, Any, Any], auth: Authenticator) -> Actor:
    opt = connection.route_handler.opt
    requested = slug = connection.headers.get(TENANT_HEADER)
    if slug is None and opt.get("tenant_in_query"):
        slug = connection.query_params.get("tenant")
    if opt.get("tenant_in_path"):
        slug = connection.path_params["tenant"]
    header = connection.headers.get("authorization")
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
    holder = await auth.key_holder(key.strip())
    return holder.actor if not slug or slug == holder.tenant_slug else None


async def _person(
    connection: ASGIConnection[Any, Any, Any, Any], auth: Authenticator, slug: str | None
) -> SignedIn:
    session = connection.cookies.get(SESSION_COOKIE)
    person = await auth.signed_in(session, slug) if session else None
    if session is None or person is None:
        raise Unauthenticated(headers={"WWW-Authenticate": "Bearer"})
    if connection.scope.get("method") not in _SAFE_METHODS:
        sent = connection.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(sent.encode(), auth.csrf_token(session).encode()):
            raise CsrfFailed(f"The header {CSRF_HEADER} does not hold the token of this session")
    return person


def provide_actor(request: Request[Any, Any, Any], db: Db) -> Actor:
    """Depends on `db` only to be resolved after it: independent dependencies are resolved in separate tasks."""
    actor: Actor = request.scope["state"]["actor"]
    return actor


def provide_signed_in(request: Request[Any, Any, Any]) -> SignedIn:
    person: SignedIn = request.scope["state"]["signed_in"]
    return person
