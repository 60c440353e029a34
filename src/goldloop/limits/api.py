"""Routes of limits: `/api/limits`."""

from datetime import UTC, datetime
from typing import TypeAlias

from litestar import Router, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, SkipValidation

from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.limits import service
from goldloop.limits.edge import NEVER_REFUSED
from goldloop.limits.limiter import Limiter
from goldloop.limits.model import Amount, Dollars, LimitsView, Rate, UsageLimits
from goldloop.limits.permissions import LIMITS_MANAGE
from goldloop.tenants.auth.api import Auth, Who, needs
from goldloop.tenants.model import KeyNotFound

Counting: TypeAlias = NamedDependency[SkipValidation[Limiter]]
OPT = needs(LIMITS_MANAGE) | NEVER_REFUSED


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
