"""Limits at the routes, and the routes of limits: `/api/limits`.

Every request of somebody who was recognised is counted, and one too many refused, before anything else of it is looked at. What
is left goes into the answer's headers, also those of errors.
"""

from datetime import UTC, datetime
from typing import Any, TypeAlias

from litestar import Router, get, put
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import JSONBody, SkipValidation

from goldloop.kit.db import Actor
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.limits import service
from goldloop.limits.limiter import Limiter
from goldloop.limits.model import Amount, Dollars, LimitsView, Rate, UsageLimits
from goldloop.limits.permissions import LIMITS_MANAGE
from goldloop.tenants.auth.api import Auth, Who, needs
from goldloop.tenants.model import KeyNotFound

Counting: TypeAlias = NamedDependency[SkipValidation[Limiter]]
NEVER_REFUSED: dict[str, Any] = {"never_refused": True}  # of routes by which limits are changed
OPT = needs(LIMITS_MANAGE) | NEVER_REFUSED


async def limit(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Runs before every route, after authentication."""
    actor = connection.scope["state"].get("actor")
    if actor is not None:
        await count_request(connection, actor, always=bool(handler.opt.get("never_refused")))


async def count_request(
    connection: ASGIConnection[Any, Any, Any, Any], actor: Actor, *, always: bool = False
) -> None:
    """Raises TooManyRequests."""
    limiter: Limiter | None = connection.app.state.limiter
    if limiter is None:
        return
    admitted = await limiter.admit(actor, always=always)
    connection.scope["state"]["answer_headers"] = admitted.headers
    if admitted.refusal is not None:
        raise admitted.refusal


class NewLimits(Wire, frozen=True):
    """All of them; null is none."""

    requests_per_minute: Rate | None
    key_requests_per_minute: Rate | None
    tokens_per_day: Amount | None
    cost_per_day: Dollars | None
    storage_bytes: Amount | None


class NewKeyLimit(Wire, frozen=True):
    """Null takes the key's own limit back."""

    requests_per_minute: Rate | None


@get("/", opt=OPT, responses=problems(), summary="Show limits, what is used and what is left")
async def show_limits(db: Db, actor: Who, limiter: Counting) -> LimitsView:
    await limiter.settle(actor.tenant_id)
    async with db.tx(actor) as tx:
        return await service.show(tx, datetime.fromtimestamp(limiter.clock(), UTC))


@put("/", opt=OPT, responses=problems(body=True), summary="Set what the workspace may use")
async def change_limits(data: JSONBody[NewLimits], db: Db, actor: Who, auth: Auth) -> LimitsView:
    wanted = UsageLimits(**{name: getattr(data, name) for name in NewLimits.__struct_fields__})
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        return await service.change(tx, wanted)


@put(
    "/keys/{key_id:uuid}",
    opt=OPT,
    responses=problems(KeyNotFound, body=True),
    summary="Set how many requests a minute a key may make",
)
async def change_key_limit(
    key_id: PathId, data: JSONBody[NewKeyLimit], db: Db, actor: Who, auth: Auth
) -> LimitsView:
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        return await service.change_key(tx, key_id, data.requests_per_minute)


router = Router("/api/limits", route_handlers=[show_limits, change_limits, change_key_limit], tags=["limits"])
