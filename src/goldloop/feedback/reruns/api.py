"""Routes of what a workspace wants of feedback: `/api/feedback/settings`."""

from litestar import Router, get, put
from litestar.params import JSONBody

from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.feedback.reruns import service
from goldloop.feedback.reruns.model import FeedbackSettings
from goldloop.kit.http import Db, problems
from goldloop.tenants.auth.api import Who, needs


@get(
    "/",
    opt=needs(FEEDBACK_REVIEW),
    responses=problems(),
    summary="How often a rejected extraction is tried again",
)
async def show_feedback_settings(db: Db, actor: Who) -> FeedbackSettings:
    async with db.tx(actor) as tx:
        return await service.read_settings(tx)


@put(
    "/",
    opt=needs(FEEDBACK_REVIEW),
    responses=problems(body=True),
    summary="Set how often a rejected extraction is tried again",
)
async def change_feedback_settings(data: JSONBody[FeedbackSettings], db: Db, actor: Who) -> FeedbackSettings:
    async with db.tx(actor) as tx:
        return await service.change_settings(tx, data)


router = Router(
    "/api/feedback/settings",
    route_handlers=[show_feedback_settings, change_feedback_settings],
    tags=["feedback"],
)
