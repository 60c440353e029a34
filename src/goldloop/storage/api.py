"""The route by which storage is measured: `/api/limits/measure`."""

from litestar import Router, post

from goldloop.kit.http import Db, problems
from goldloop.limits.api import NEVER_REFUSED
from goldloop.limits.permissions import LIMITS_MANAGE
from goldloop.storage import service
from goldloop.storage.model import MeasureQueued
from goldloop.tenants.auth.api import Who, needs


@post(
    "/measure",
    opt=needs(LIMITS_MANAGE) | NEVER_REFUSED,
    responses=problems(),
    status_code=202,
    summary="Have it measured how much the workspace stores",
)
async def measure_storage(db: Db, actor: Who) -> MeasureQueued:
    async with db.tx(actor) as tx:
        return await service.request(tx)


router = Router("/api/limits", route_handlers=[measure_storage], tags=["limits"])
