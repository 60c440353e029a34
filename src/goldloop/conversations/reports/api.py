"""Routes of reports, with the addresses and shapes of the document that they come from."""

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from goldloop.conversations.model import MOST_TURNS, ConversationNotFound, Moment, TextId
from goldloop.conversations.paths import PathText
from goldloop.conversations.reports import service
from goldloop.conversations.reports.logs import with_logs
from goldloop.conversations.reports.model import ConversationsInPeriod, TurnsWithFeedbacks
from goldloop.conversations.turns.reading import read_logs
from goldloop.kit.http import Db, Wire, problems
from goldloop.kit.pagination import MAX_LIMIT
from goldloop.tenants import roles
from goldloop.tenants.auth import Who, in_path

PageLimit = Annotated[int, msgspec.Meta(ge=1, le=MAX_LIMIT)]
PageCursor = Annotated[str, msgspec.Meta(max_length=4000)]
Days = Annotated[int, msgspec.Meta(ge=1, le=36_500)]
TurnIds = Annotated[list[TextId], msgspec.Meta(max_length=MOST_TURNS)]


class PeriodRequest(Wire, frozen=True):
    start: Moment
    end: Moment
    include_turns: bool = False
    limit: PageLimit = 100
    cursor: PageCursor | None = None


class FeedbacksRequest(Wire, frozen=True):
    turn_ids: TurnIds | None = None
    days: Days = 365
    include_logs: bool = True
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_TURNS)] = MOST_TURNS
    cursor: PageCursor | None = None


@post(
    "/{tenant:str}/{project:str}/feedback/conversations-in-period",
    status_code=200,
    opt=in_path(roles.CONVERSATIONS_READ),
    responses=problems(body=True),
    summary="Conversations that got reactions in a period",
)
async def conversations_in_period(
    tenant: PathText, project: PathText, data: JSONBody[PeriodRequest], db: Db, actor: Who
) -> ConversationsInPeriod:
    async with db.tx(actor) as tx:
        return await service.conversations_in_period(
            tx,
            tenant,
            project,
            data.start,
            data.end,
            include_turns=data.include_turns,
            limit=data.limit,
            cursor=data.cursor,
        )


@post(
    "/{tenant:str}/{project:str}/{conversation_id:str}/turns-with-feedbacks",
    status_code=200,
    opt=in_path(roles.CONVERSATIONS_READ),
    responses=problems(ConversationNotFound, body=True),
    summary="The turns of a conversation that got reactions",
)
async def turns_with_feedbacks(
    tenant: PathText,
    project: PathText,
    conversation_id: PathText,
    data: JSONBody[FeedbacksRequest],
    db: Db,
    actor: Who,
) -> TurnsWithFeedbacks:
    async with db.tx(actor) as tx:
        report = await service.turns_with_feedbacks(
            tx,
            project,
            conversation_id,
            data.turn_ids,
            data.days,
            include_logs=data.include_logs,
            limit=data.limit,
            cursor=data.cursor,
        )
    return with_logs(report, await read_logs(actor.tenant_id, project, conversation_id, report.hosted))


router = Router(
    "/conversations", route_handlers=[conversations_in_period, turns_with_feedbacks], tags=["conversations"]
)
