"""Routes of retention: `/api/retention`."""

from litestar import Router, get, post, put
from litestar.params import JSONBody

from goldloop.erasures.permissions import ERASURES_MANAGE
from goldloop.kit.http import Db, Wire, problems
from goldloop.otlp.model import KeepDays
from goldloop.retention import service
from goldloop.retention.model import Days, Retention, RetentionDue
from goldloop.tenants.auth.api import Who, needs


class NewRetention(Wire, frozen=True):
    """In days after something was last added to; null keeps it for ever."""

    traces_days: KeepDays
    sessions_days: Days | None
    conversations_days: Days | None
    events_days: Days | None

    def wanted(self) -> Retention:
        return Retention(
            traces_days=self.traces_days,
            sessions_days=self.sessions_days,
            conversations_days=self.conversations_days,
            events_days=self.events_days,
        )


@get("/", opt=needs(ERASURES_MANAGE), responses=problems(), summary="Show how long things are kept")
async def show_retention(db: Db, actor: Who) -> Retention:
    async with db.tx(actor) as tx:
        return await service.read(tx)


@put("/", opt=needs(ERASURES_MANAGE), responses=problems(body=True), summary="Say how long things are kept")
async def change_retention(data: JSONBody[NewRetention], db: Db, actor: Who) -> Retention:
    async with db.tx(actor) as tx:
        return await service.change(tx, data.wanted())


@post(
    "/preview",
    opt=needs(ERASURES_MANAGE),
    responses=problems(body=True),
    status_code=200,
    summary="Say what would go now if things were kept so long, and what would stay and why",
)
async def preview_retention(data: JSONBody[NewRetention], db: Db, actor: Who) -> RetentionDue:
    async with db.reading().tx(actor) as tx:
        return await service.find_due(tx, data.wanted())


router = Router(
    "/api/retention", route_handlers=[show_retention, change_retention, preview_retention], tags=["erasures"]
)
