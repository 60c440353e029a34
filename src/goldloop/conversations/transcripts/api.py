"""Routes for reading conversations: `/api/conversations`, and the names of their agents: `/api/conversation-agents`."""

from typing import Annotated, Any

import msgspec
from litestar import Router, get
from litestar.params import FromQuery, QueryParameter

from goldloop.conversations.model import (
    ConversationNotFound,
    Origin,
    Reaction,
    TurnNotFound,
    UserType,
)
from goldloop.conversations.parameters import Named, PathText
from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.conversations.transcripts import service
from goldloop.conversations.transcripts.service import ConversationSummary, Part, Transcript
from goldloop.conversations.transcripts.store import ListFilter
from goldloop.conversations.turns.service import read_log
from goldloop.entities.records.words import terms
from goldloop.kit.blobs import BlobStoreFailed
from goldloop.kit.http import Db, Ports, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit, When
from goldloop.kit.times import moment
from goldloop.tenants.auth.api import Who, needs

Search = Annotated[
    str | None, QueryParameter(max_length=200, description="Beginnings of words that were said")
]
Turn = Annotated[
    str | None, QueryParameter(min_length=1, max_length=200, description="A turn to begin shortly before")
]
Before = Annotated[
    str | None,
    QueryParameter(max_length=4000, description="`previous_cursor` of a page: the turns before it"),
]


class ProjectList(msgspec.Struct, frozen=True, kw_only=True):
    data: list[str]


class AgentNames(msgspec.Struct, frozen=True, kw_only=True):
    data: list[str]


class TurnLog(msgspec.Struct, frozen=True, kw_only=True):
    turn_log: dict[str, Any]
    hosted_uri: str | None


@get("/", opt=needs(CONVERSATIONS_READ), responses=problems(), summary="List conversations, newest first")
async def list_conversations(
    db: Db,
    actor: Who,
    q: Search = None,
    project: Named = None,
    agent: Named = None,
    user_id: Named = None,
    reaction: FromQuery[Reaction | None] = None,
    origin: FromQuery[Origin | None] = None,
    user_type: FromQuery[UserType | None] = None,
    reacted_start: When = None,
    reacted_end: When = None,
    start: When = None,
    end: When = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[ConversationSummary]:
    """`start` and `end` are about the last turn; `reaction`, `origin`, `user_type` (of whom) and `reacted_start` and
    `reacted_end` (when) about one reaction that counts."""
    wanted = ListFilter(
        project=project,
        agent=agent,
        user_id=user_id,
        reaction=reaction,
        origin=origin,
        user_type=user_type,
        reacted_start=moment("reacted_start", reacted_start),
        reacted_end=moment("reacted_end", reacted_end),
        start=moment("start", start),
        end=moment("end", end),
        terms=tuple(terms(q or "")),
    )
    async with db.tx(actor) as tx:
        return await service.list_conversations(tx, wanted, cursor, limit)


@get("/projects", opt=needs(CONVERSATIONS_READ), responses=problems(), summary="List projects by name")
async def list_projects(db: Db, actor: Who) -> ProjectList:
    async with db.tx(actor) as tx:
        return ProjectList(data=await service.list_projects(tx))


@get(
    "/{project:str}/{conversation_id:str}",
    opt=needs(CONVERSATIONS_READ),
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
    opt=needs(CONVERSATIONS_READ),
    responses=problems(TurnNotFound, BlobStoreFailed),
    summary="The log of a turn",
)
async def show_turn_log(
    project: PathText, conversation_id: PathText, turn_id: PathText, db: Db, actor: Who, outside: Ports
) -> TurnLog:
    """From the blob store, or from the database while it waits to get there."""
    async with db.tx(actor) as tx:
        found = await service.find_log(tx, project, conversation_id, turn_id)
    content: Any = found.turn_log
    if content is None:
        content = await read_log(outside.blobs, actor.tenant_id, project, conversation_id, turn_id)
    if content is None:
        raise BlobStoreFailed("The blob store does not have this log")
    return TurnLog(turn_log=content, hosted_uri=found.hosted_uri)


@get("/", opt=needs(CONVERSATIONS_READ), responses=problems(), summary="List agents of conversations")
async def list_conversation_agents(db: Db, actor: Who) -> AgentNames:
    """Of the newest 5000 conversations, by name as their servers tell it."""
    async with db.tx(actor) as tx:
        return AgentNames(data=await service.list_agents(tx))


router = Router(
    "/api/conversations",
    route_handlers=[
        list_conversations,
        list_projects,
        show_conversation,
        show_turn_log,
    ],
    tags=["conversations"],
)
# Not under /api/conversations, where the word would keep a project of that name from being reached.
agents_router = Router(
    "/api/conversation-agents", route_handlers=[list_conversation_agents], tags=["conversations"]
)
