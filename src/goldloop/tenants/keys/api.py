"""Routes of API keys: `/api/keys`."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, post
from litestar.params import FromQuery, JSONBody

from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.text import full_match
from goldloop.kit.wire_types import Name
from goldloop.tenants.auth.api import Auth, Who, needs
from goldloop.tenants.keys import service
from goldloop.tenants.model import ApiKey, KeyExists, KeyNotFound, KeyStatus, Role, RoleTooHigh
from goldloop.tenants.permissions import KEYS_MANAGE

Scope = Annotated[str, msgspec.Meta(pattern=full_match(r"[a-z_*]+\.[a-z_*]+\.[a-z_*]+"), max_length=100)]


class NewApiKey(Wire, frozen=True):
    name: Name
    role: Role
    id: UUID | None = None
    agent_id: UUID | None = None
    scopes: Annotated[list[Scope], msgspec.Meta(min_length=1, max_length=50)] | None = None
    expires_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


class CreatedApiKey(ApiKey, frozen=True, kw_only=True):
    """The key with its secret, which is shown here and never again (null when a create is repeated)."""

    key: str | None


@post(
    "/",
    opt=needs(KEYS_MANAGE),
    responses=problems(KeyExists, RoleTooHigh, body=True),
    summary="Make an API key",
)
async def create_key(data: JSONBody[NewApiKey], db: Db, actor: Who) -> CreatedApiKey:
    async with db.tx(actor) as tx:
        made = await service.create(
            tx,
            service.NewKey(
                id=data.id,
                name=data.name,
                role=data.role,
                agent_id=data.agent_id,
                scopes=data.scopes,
                expires_at=data.expires_at,
            ),
        )
    return CreatedApiKey(**msgspec.structs.asdict(made.key), key=made.secret)


@get("/", opt=needs(KEYS_MANAGE), responses=problems(), summary="List API keys, newest first")
async def list_keys(
    db: Db,
    actor: Who,
    status: FromQuery[KeyStatus | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[ApiKey]:
    async with db.tx(actor) as tx:
        return await service.list_keys(tx, cursor, limit, status)


@get("/{key_id:uuid}", opt=needs(KEYS_MANAGE), responses=problems(KeyNotFound), summary="Show an API key")
async def show_key(key_id: PathId, db: Db, actor: Who) -> ApiKey:
    async with db.tx(actor) as tx:
        return await service.access(tx, key_id)


@post(
    "/{key_id:uuid}/revoke",
    opt=needs(KEYS_MANAGE),
    responses=problems(KeyNotFound, RoleTooHigh),
    status_code=200,
    summary="Revoke an API key",
)
async def revoke_key(key_id: PathId, db: Db, actor: Who, auth: Auth) -> ApiKey:
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        return await service.revoke(tx, key_id)


router = Router("/api/keys", route_handlers=[create_key, list_keys, show_key, revoke_key], tags=["keys"])
