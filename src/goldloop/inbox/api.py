"""Route of the inbox: `/api/inbox`."""

from litestar import Router, get

from goldloop.inbox import service
from goldloop.inbox.model import Inbox
from goldloop.kit.http import Db, problems
from goldloop.tenants.auth.api import ANY_MEMBER, Who


@get("/", opt=ANY_MEMBER, responses=problems(), summary="What waits for the caller, by kind")
async def show_inbox(db: Db, actor: Who) -> Inbox:
    async with db.tx(actor) as tx:
        return await service.read(tx)


router = Router("/api/inbox", route_handlers=[show_inbox], tags=["inbox"])
