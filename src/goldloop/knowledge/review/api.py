"""Routes of what a workspace wants of its knowledge: `/api/admin/shared-context/settings`."""

from litestar import Router, get, put
from litestar.params import JSONBody

from goldloop.kit.http import Db, problems
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.review import service
from goldloop.knowledge.rows.model import KnowledgeSettings
from goldloop.tasks.permissions import TASKS_MANAGE, TASKS_READ
from goldloop.tenants.auth.api import Who, needs


@get(
    "/",
    opt=needs(KNOWLEDGE_MANAGE),
    responses=problems(),
    summary="Whether the review agent works, and what becomes of what agents write down",
)
async def show_knowledge_settings(db: Db, actor: Who) -> KnowledgeSettings:
    async with db.tx(actor) as tx:
        return await service.read_settings(tx)


@put(
    "/",
    opt=needs(KNOWLEDGE_MANAGE, TASKS_MANAGE, TASKS_READ),
    responses=problems(body=True),
    summary="Say whether the review agent works, and what becomes of what agents write down",
)
async def change_knowledge_settings(
    data: JSONBody[KnowledgeSettings], db: Db, actor: Who
) -> KnowledgeSettings:
    """With `review` there is a task that starts the agent every hour in which feedback waits."""
    async with db.tx(actor) as tx:
        return await service.change_settings(tx, data)


router = Router(
    "/api/admin/shared-context/settings",
    route_handlers=[show_knowledge_settings, change_knowledge_settings],
    tags=["knowledge"],
)
