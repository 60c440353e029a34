"""Routes of reports: on reactions, with fixed addresses and shapes, and on satisfaction over time."""

from typing import Annotated

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromQuery, JSONBody

from goldloop.conversations.model import MOST_TURNS, ConversationNotFound, Moment, Origin, TextId, UserType
from goldloop.conversations.parameters import Named, PathText
from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.conversations.reports import service
from goldloop.conversations.reports.logs import with_logs
from goldloop.conversations.reports.model import ConversationsInPeriod, TurnsWithReactions
from goldloop.conversations.reports.satisfaction import (
    Bucket,
    GroupBy,
    ReactionsOf,
    SatisfactionReport,
    measure,
    measure_as_csv,
)
from goldloop.conversations.turns.service import read_logs
from goldloop.kit import compute_threads
from goldloop.kit.compute_threads import CountingBusy
from goldloop.kit.http import Db, Ports, Wire, problems
from goldloop.kit.pagination import MAX_LIMIT
from goldloop.kit.parameters import When
from goldloop.kit.times import moment
from goldloop.tenants.auth.api import Who, in_path, needs

PageLimit = Annotated[int, msgspec.Meta(ge=1, le=MAX_LIMIT)]
PageCursor = Annotated[str, msgspec.Meta(max_length=4000)]
Days = Annotated[int, msgspec.Meta(ge=1, le=36_500)]
TurnIds = Annotated[list[TextId], msgspec.Meta(max_length=MOST_TURNS)]


class PeriodRequest(Wire, frozen=True):
    """`user_type`: only reactions of members, or of end users; of both unless told."""

    start: Moment
    end: Moment
    include_turns: bool = False
    user_type: UserType | None = None
    limit: PageLimit = 100
    cursor: PageCursor | None = None


class TurnReactionsRequest(Wire, frozen=True):
    """`user_type`: only reactions of members, or of end users; of both unless told."""

    turn_ids: TurnIds | None = None
    days: Days = 365
    include_logs: bool = True
    user_type: UserType | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_TURNS)] = MOST_TURNS
    cursor: PageCursor | None = None


@post(
    "/{tenant:str}/{project:str}/feedback/conversations-in-period",
    status_code=200,
    opt=in_path(CONVERSATIONS_READ),
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
            user_type=data.user_type,
            limit=data.limit,
            cursor=data.cursor,
        )


@post(
    "/{tenant:str}/{project:str}/{conversation_id:str}/turns-with-feedbacks",
    status_code=200,
    opt=in_path(CONVERSATIONS_READ),
    responses=problems(ConversationNotFound, body=True),
    summary="The turns of a conversation that got reactions",
)
async def turns_with_feedbacks(
    tenant: PathText,
    project: PathText,
    conversation_id: PathText,
    data: JSONBody[TurnReactionsRequest],
    db: Db,
    actor: Who,
    outside: Ports,
) -> TurnsWithReactions:
    async with db.tx(actor) as tx:
        report = await service.turns_with_feedbacks(
            tx,
            project,
            conversation_id,
            data.turn_ids,
            data.days,
            include_logs=data.include_logs,
            user_type=data.user_type,
            limit=data.limit,
            cursor=data.cursor,
        )
    logs = await read_logs(outside.blobs, actor.tenant_id, project, conversation_id, report.hosted)
    return with_logs(report, logs)


@get(
    "/satisfaction",
    opt=needs(CONVERSATIONS_READ),
    responses=problems(CountingBusy),
    summary="How satisfied people are, over time",
)
async def show_satisfaction(
    db: Db,
    actor: Who,
    bucket: FromQuery[Bucket] = Bucket.WEEK,
    by: FromQuery[GroupBy | None] = None,
    project: Named = None,
    agent: Named = None,
    origin: FromQuery[Origin | None] = None,
    user_type: FromQuery[ReactionsOf] = ReactionsOf.END_USER,
    start: When = None,
    end: When = None,
) -> SatisfactionReport:
    """That of end users, unless `user_type` asks for that of members or of all."""
    narrowed = {"project": project, "agent": agent, "origin": origin}
    async with db.tx(actor) as tx:
        read = await service.satisfaction(
            tx, bucket, by, user_type, moment("start", start), moment("end", end), narrowed
        )
    return await compute_threads.run(actor.tenant_id, measure, read)


@get(
    "/satisfaction.csv",
    opt=needs(CONVERSATIONS_READ),
    responses=problems(CountingBusy),
    summary="The same as a table for spreadsheets",
    media_type="text/csv",
)
async def show_satisfaction_csv(
    db: Db,
    actor: Who,
    bucket: FromQuery[Bucket] = Bucket.WEEK,
    by: FromQuery[GroupBy | None] = None,
    project: Named = None,
    agent: Named = None,
    origin: FromQuery[Origin | None] = None,
    user_type: FromQuery[ReactionsOf] = ReactionsOf.END_USER,
    start: When = None,
    end: When = None,
) -> Response[str]:
    narrowed = {"project": project, "agent": agent, "origin": origin}
    async with db.tx(actor) as tx:
        read = await service.satisfaction(
            tx, bucket, by, user_type, moment("start", start), moment("end", end), narrowed
        )
    named = {"Content-Disposition": 'attachment; filename="satisfaction.csv"'}
    table = await compute_threads.run(actor.tenant_id, measure_as_csv, read)
    return Response(table, media_type="text/csv", headers=named)


router = Router(
    "/conversations", route_handlers=[conversations_in_period, turns_with_feedbacks], tags=["conversations"]
)
satisfaction_router = Router(
    "/api/conversations", route_handlers=[show_satisfaction, show_satisfaction_csv], tags=["conversations"]
)
