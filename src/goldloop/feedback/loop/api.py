"""Route of the loop's report: `/api/feedback/quality-loop`."""

from litestar import Router, get

from goldloop.feedback.loop import service
from goldloop.feedback.loop.report import QualityLoopReport
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.http import Db, problems
from goldloop.kit.parameters import When
from goldloop.kit.times import moment
from goldloop.tenants.auth.api import Who, needs


@get(
    "/",
    opt=needs(FEEDBACK_REVIEW),
    responses=problems(),
    summary="What rejections say, and how often trying again is accepted",
)
async def show_quality_loop(db: Db, actor: Who, since: When = None, until: When = None) -> QualityLoopReport:
    """Of agents' responses and extractions, with intervals at 95%."""
    async with db.tx(actor) as tx:
        return await service.read(tx, moment("since", since), moment("until", until))


router = Router("/api/feedback/quality-loop", route_handlers=[show_quality_loop], tags=["feedback"])
