"""Routes for looking at conversations: `/api/conversations`, and for settling reactions: `/api/reactions`."""

from datetime import datetime
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.conversations import service
from goldloop.conversations.model import (
    ConversationNotFound,
    Moment,
    Origin,
    Reaction,
    ReactionNotFound,
    ReactionRow,
    ReactionSettled,
    TextId,
    TurnNotFound,
)
from goldloop.conversations.paths import PathText
from goldloop.conversations.reactions import settling
from goldloop.conversations.reactions.settling import UnsettledReaction
from goldloop.conversations.reports import service as reports
from goldloop.conversations.reports.satisfaction import (
    Bucket,
    GroupBy,
    SatisfactionReport,
    measure,
    measure_as_csv,
)
from goldloop.conversations.service import ConversationSummary, Part, Transcript
from goldloop.conversations.store import ListFilter
from goldloop.conversations.times import in_utc
from goldloop.conversations.turns.reading import read_log
from goldloop.entities.records.words import terms
from goldloop.kit import compute_threads
from goldloop.kit.blobs import BlobStoreFailed
from goldloop.kit.compute_threads import CountingBusy
from goldloop.kit.errors import InvalidInput
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Cursor, Limit, Page
from goldloop.tenants import roles
from goldloop.tenants.auth import Who, needs

Search = Annotated[
    str | None, QueryParameter(max_length=200, description="Beginnings of words that were said")
]
Name = Annotated[str | None, QueryParameter(min_length=1, max_length=200)]
Turn = Annotated[
    str | None, QueryParameter(min_length=1, max_length=200, description="A turn to begin shortly before")
]
Before = Annotated[
    str | None,
    QueryParameter(max_length=4000, description="`previous_cursor` of a page: the turns before it"),
]
When = Annotated[
    str | None,
    QueryParameter(
        max_length=40, description="RFC 3339, with a time zone", schema_extra={"format": "date-time"}
    ),
]


class ProjectList(msgspec.Struct, frozen=True, kw_only=True):
    data: list[str]


class AgentNames(msgspec.Struct, frozen=True, kw_only=True):
    data: list[str]


class UnsettledCount(msgspec.Struct, frozen=True, kw_only=True):
    """`count` stops at 1000: that many or more."""

    count: int


class TurnLog(msgspec.Struct, frozen=True, kw_only=True):
    turn_log: dict[str, Any]
    hosted_uri: str | None


class Settlement(Wire, frozen=True):
    """`turn_id` null: no turn was meant. `conversation_id` where the turn is in another than the message's."""

    turn_id: TextId | None
    conversation_id: TextId | None = None


@get(
    "/", opt=needs(roles.CONVERSATIONS_READ), responses=problems(), summary="List conversations, newest first"
)
async def list_conversations(
    db: Db,
    actor: Who,
    q: Search = None,
    project: Name = None,
    agent: Name = None,
    user_id: Name = None,
    reaction: FromQuery[Reaction | None] = None,
    origin: FromQuery[Origin | None] = None,
    start: When = None,
    end: When = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[ConversationSummary]:
    """`start` and `end` are about the last turn, `reaction` and `origin` about reactions that count."""
    wanted = ListFilter(
        project=project,
        agent=agent,
        user_id=user_id,
        reaction=reaction,
        origin=origin,
        start=_bound("start", start),
        end=_bound("end", end),
        terms=tuple(terms(q or "")),
    )
    async with db.tx(actor) as tx:
        return await service.list_conversations(tx, wanted, cursor, limit)


@get("/projects", opt=needs(roles.CONVERSATIONS_READ), responses=problems(), summary="List projects by name")
async def list_projects(db: Db, actor: Who) -> ProjectList:
    async with db.tx(actor) as tx:
        return ProjectList(data=await service.list_projects(tx))


@get(
    "/satisfaction",
    opt=needs(roles.CONVERSATIONS_READ),
    responses=problems(CountingBusy),
    summary="How satisfied people are, over time",
)
async def show_satisfaction(
    db: Db,
    actor: Who,
    bucket: FromQuery[Bucket] = Bucket.WEEK,
    by: FromQuery[GroupBy | None] = None,
    project: Name = None,
    agent: Name = None,
    origin: FromQuery[Origin | None] = None,
    start: When = None,
    end: When = None,
) -> SatisfactionReport:
    narrowed = {"project": project, "agent": agent, "origin": origin}
    async with db.tx(actor) as tx:
        read = await reports.satisfaction(
            tx, bucket, by, _bound("start", start), _bound("end", end), narrowed
        )
    return await compute_threads.run(actor.tenant_id, measure, read)


@get(
    "/satisfaction.csv",
    opt=needs(roles.CONVERSATIONS_READ),
    responses=problems(CountingBusy),
    summary="The same as a table for spreadsheets",
    media_type="text/csv",
)
async def show_satisfaction_csv(
    db: Db,
    actor: Who,
    bucket: FromQuery[Bucket] = Bucket.WEEK,
    by: FromQuery[GroupBy | None] = None,
    project: Name = None,
    agent: Name = None,
    origin: FromQuery[Origin | None] = None,
    start: When = None,
    end: When = None,
) -> Response[str]:
    narrowed = {"project": project, "agent": agent, "origin": origin}
    async with db.tx(actor) as tx:
        read = await reports.satisfaction(
            tx, bucket, by, _bound("start", start), _bound("end", end), narrowed
        )
    named = {"Content-Disposition": 'attachment; filename="satisfaction.csv"'}
    table = await compute_threads.run(actor.tenant_id, measure_as_csv, read)
    return Response(table, media_type="text/csv", headers=named)


@get(
    "/{project:str}/{conversation_id:str}",
    opt=needs(roles.CONVERSATIONS_READ),
    responses=problems(ConversationNotFound, TurnNotFound),
    summary="A conversation with its turns and reactions",
)
async def show_conversation(
    project: PathText,
    conversation_id: PathText,
    db: Db,
    actor: Who,
    turn_id: Turn = None,
    before: Before = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Transcript:
    """Oldest turn first: from the first one, after `cursor`, up to `before`, or from shortly before `turn_id`."""
    part = Part(limit=limit, cursor=cursor, before=before, turn_id=turn_id)
    async with db.tx(actor) as tx:
        return await service.show(tx, project, conversation_id, part)


@get(
    "/{project:str}/{conversation_id:str}/turns/{turn_id:str}/log",
    opt=needs(roles.CONVERSATIONS_READ),
    responses=problems(TurnNotFound, BlobStoreFailed),
    summary="The log of a turn",
)
async def show_turn_log(
    project: PathText, conversation_id: PathText, turn_id: PathText, db: Db, actor: Who
) -> TurnLog:
    """From the blob store, or from the database while it waits to get there."""
    async with db.tx(actor) as tx:
        found = await service.find_log(tx, project, conversation_id, turn_id)
    content: Any = found.turn_log
    if content is None:
        content = await read_log(actor.tenant_id, project, conversation_id, turn_id)
    if content is None:
        raise BlobStoreFailed("The blob store does not have this log")
    return TurnLog(turn_log=content, hosted_uri=found.hosted_uri)


@get("/", opt=needs(roles.CONVERSATIONS_READ), responses=problems(), summary="List agents of conversations")
async def list_conversation_agents(db: Db, actor: Who) -> AgentNames:
    """Of the newest 5000 conversations, by name as their servers tell it."""
    async with db.tx(actor) as tx:
        return AgentNames(data=await service.list_agents(tx))


@get(
    "/unsettled/count",
    opt=needs(roles.CONVERSATIONS_READ),
    responses=problems(),
    summary="How many machine reactions wait for a person",
)
async def count_unsettled_reactions(db: Db, actor: Who, project: Name = None) -> UnsettledCount:
    async with db.tx(actor) as tx:
        return UnsettledCount(count=await settling.count_unsettled(tx, project))


@get(
    "/unsettled",
    opt=needs(roles.CONVERSATIONS_READ),
    responses=problems(),
    summary="Machine reactions that could mean several turns, newest first",
)
async def list_unsettled_reactions(
    db: Db, actor: Who, project: Name = None, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[UnsettledReaction]:
    async with db.tx(actor) as tx:
        return await settling.list_unsettled(tx, project, cursor, limit)


@post(
    "/{reaction_id:uuid}/settle",
    status_code=200,
    opt=needs(roles.REACTIONS_SETTLE),
    responses=problems(ReactionNotFound, TurnNotFound, ReactionSettled, body=True),
    summary="Say which turn a machine reaction means, or that it means none",
)
async def settle_reaction(reaction_id: PathId, data: JSONBody[Settlement], db: Db, actor: Who) -> ReactionRow:
    async with db.tx(actor) as tx:
        return await settling.settle(tx, reaction_id, data.conversation_id, data.turn_id)


def _bound(name: str, said: str | None) -> datetime | None:
    if said is None:
        return None
    try:
        return in_utc(
            msgspec.convert(said, Moment)
        )  # read by ourselves: the framework takes a number for a time
    except msgspec.ValidationError as error:
        raise InvalidInput.at(f"/{name}", "invalid_value", "A time is RFC 3339, with a time zone") from error


router = Router(
    "/api/conversations",
    route_handlers=[
        list_conversations,
        list_projects,
        show_satisfaction,
        show_satisfaction_csv,
        show_conversation,
        show_turn_log,
    ],
    tags=["conversations"],
)
reactions_router = Router(
    "/api/reactions",
    route_handlers=[list_unsettled_reactions, count_unsettled_reactions, settle_reaction],
    tags=["conversations"],
)
# Not under /api/conversations, where the word would keep a project of that name from being reached.
agents_router = Router(
    "/api/conversation-agents", route_handlers=[list_conversation_agents], tags=["conversations"]
)
