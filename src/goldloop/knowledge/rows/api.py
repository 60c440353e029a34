"""Routes of knowledge for administrators: `/api/admin/shared-context`."""

from typing import Annotated, Any, TypeAlias
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import UNSET, UnsetType

from goldloop.entities.model import EntityTypeNotFound, VersionConflict
from goldloop.feedback.model import NOTE_CHARACTERS, FeedbackNotFound
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.csv_table import EXPORT_PAGE, csv_pages
from goldloop.kit.http import Db, PathId, Wire, csv_file, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.wire_types import Object, Version
from goldloop.knowledge.model import (
    CONTENT_CHARACTERS,
    CONTEXT_CHARACTERS,
    REASON_CHARACTERS,
    DecidedSince,
    KnowledgeState,
    KnowledgeType,
    MeasuredValue,
    NeedsWording,
    NothingToUndo,
    NotInThisState,
    SharedContext,
    SharedContextExists,
    SharedContextNotFound,
)
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.rows import (
    learning_service,
    neighbour_service,
    quote_service,
    service,
    table,
    undo_service,
    value_service,
)
from goldloop.knowledge.rows.likeness_service import Neighbours
from goldloop.knowledge.rows.quote_service import SupportReviewed
from goldloop.knowledge.rows.service import KnowledgeCounts, NewKnowledge, SharedContextDetail
from goldloop.knowledge.rows.store import Wanted
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound

Content: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=CONTENT_CHARACTERS)]
Context: TypeAlias = Annotated[str, msgspec.Meta(max_length=CONTEXT_CHARACTERS)]
Reason: TypeAlias = Annotated[str, msgspec.Meta(max_length=REASON_CHARACTERS)]


class NewSharedContext(Wire, frozen=True):
    """`context` says when it applies. Without `agent_id` and `entity_type_id` it holds everywhere. An administrator's is active
    at once, unless `active` is false: then it is in shadow. That of an agent is proposed, whatever its key permits."""

    type: KnowledgeType
    content: Content
    context: Context | None = None
    agent_id: UUID | None = None
    entity_type_id: UUID | None = None
    active: bool = True
    metadata: Object = msgspec.field(default_factory=dict)
    id: UUID | None = None


class SharedContextChange(Wire, frozen=True):
    """What is left out stays. Null for `agent_id` or `entity_type_id` lets it hold for all of them."""

    version: Version | None = None
    type: KnowledgeType | UnsetType = UNSET
    content: Content | UnsetType = UNSET
    context: Context | UnsetType | None = UNSET
    agent_id: UUID | UnsetType | None = UNSET
    entity_type_id: UUID | UnsetType | None = UNSET
    pinned: bool | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    reason: Reason | None = None

    def changes(self) -> dict[str, Any]:
        named = (name for name in self.__struct_fields__ if name not in ("version", "reason"))
        return {name: value for name in named if (value := getattr(self, name)) is not UNSET}


class KnowledgeDecision(Wire, frozen=True):
    """`version` is the one that was read: what was changed since is not decided about."""

    version: Version | None = None
    reason: Reason | None = None


class KnowledgeApproval(Wire, frozen=True):
    """`content` and `context` put it into words first, where they are given. `version` is the one that was read."""

    version: Version | None = None
    reason: Reason | None = None
    content: Content | None = None
    context: Context | None = None


class KnowledgeUndo(Wire, frozen=True):
    """`entry_id` is the decision in its history that is meant; without it, it is the caller's own."""

    version: Version | None = None
    reason: Reason | None = None
    entry_id: UUID | None = None


class SupportReview(Wire, frozen=True):
    """Feedback that the row rests on, and whether it is dismissed or (false) restored."""

    feedback_ids: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MAX_LIMIT)]
    dismissed: bool
    review_notes: Annotated[str, msgspec.Meta(max_length=NOTE_CHARACTERS)] | None = None


class OtherRow(Wire, frozen=True):
    other_id: UUID


_MANAGES = needs(KNOWLEDGE_MANAGE)
_STEPS = problems(SharedContextNotFound, NotInThisState, VersionConflict, body=True)


@post(
    "/",
    opt=_MANAGES,
    responses=problems(SharedContextExists, AgentNotFound, EntityTypeNotFound, body=True),
    summary="Write knowledge down",
)
async def create_shared_context(data: JSONBody[NewSharedContext], db: Db, actor: Who) -> SharedContext:
    fields = {name: getattr(data, name) for name in data.__struct_fields__ if name != "active"}
    decided = KnowledgeState.ACTIVE if data.active else KnowledgeState.SHADOW
    async with db.tx(actor) as tx:
        return await learning_service.write(tx, NewKnowledge(**fields, decided=decided))


@get("/", opt=_MANAGES, responses=problems(), summary="List knowledge, newest first")
async def list_shared_context(
    db: Db,
    actor: Who,
    type: FromQuery[KnowledgeType | None] = None,
    row_state: Annotated[KnowledgeState | None, QueryParameter(name="state")] = None,
    agent_id: FromQuery[UUID | None] = None,
    entity_type_id: FromQuery[UUID | None] = None,
    group_id: FromQuery[UUID | None] = None,
    waits: FromQuery[bool | None] = None,
    everywhere: FromQuery[bool | None] = None,
    q: Annotated[str | None, QueryParameter(max_length=200)] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[SharedContext]:
    """`waits` are those that a person should look at: proposed ones, and those with flags. `everywhere` are those that
    hold for all agents and types. `q` are beginnings of words, all of which a row has."""
    wanted = Wanted(type, row_state, agent_id, entity_type_id, group_id, waits, everywhere)
    async with db.tx(actor) as tx:
        return await service.list_rows(tx, wanted, q, cursor, limit)


@get(
    "/knowledge.csv",
    opt=_MANAGES,
    responses=problems(),
    summary="The knowledge of a list as a table for spreadsheets",
    media_type="text/csv",
)
async def export_shared_context(
    db: Db,
    actor: Who,
    type: FromQuery[KnowledgeType | None] = None,
    row_state: Annotated[KnowledgeState | None, QueryParameter(name="state")] = None,
    agent_id: FromQuery[UUID | None] = None,
    entity_type_id: FromQuery[UUID | None] = None,
    group_id: FromQuery[UUID | None] = None,
    waits: FromQuery[bool | None] = None,
    everywhere: FromQuery[bool | None] = None,
    q: Annotated[str | None, QueryParameter(max_length=200)] = None,
) -> Stream:
    """Of what the list has with the same parameters, all of it."""
    wanted = Wanted(type, row_state, agent_id, entity_type_id, group_id, waits, everywhere)

    async def read(cursor: str | None) -> Page[SharedContext]:
        async with db.tx(actor) as tx:
            return await service.list_rows(tx, wanted, q, cursor, EXPORT_PAGE)

    return csv_file("knowledge.csv", csv_pages(table.HEAD, read, table.row))


@get("/counts", opt=_MANAGES, responses=problems(), summary="How much knowledge there is, by type and state")
async def count_shared_context(db: Db, actor: Who) -> KnowledgeCounts:
    """Each count ends at 1,000."""
    async with db.tx(actor) as tx:
        return await service.count(tx)


@get(
    "/{row_id:uuid}",
    opt=_MANAGES,
    responses=problems(SharedContextNotFound),
    summary="Show knowledge with what it rests on and what happened to it",
)
async def show_shared_context(row_id: PathId, db: Db, actor: Who) -> SharedContextDetail:
    async with db.tx(actor) as tx:
        return await service.show(tx, row_id)


@patch(
    "/{row_id:uuid}",
    opt=_MANAGES,
    responses=problems(
        SharedContextNotFound,
        NotInThisState,
        NeedsWording,
        AgentNotFound,
        EntityTypeNotFound,
        VersionConflict,
        body=True,
    ),
    summary="Change what knowledge says, its type or where it holds",
)
async def change_shared_context(
    row_id: PathId, data: JSONBody[SharedContextChange], db: Db, actor: Who
) -> SharedContext:
    async with db.tx(actor) as tx:
        return await learning_service.change(tx, row_id, data.version, data.changes(), data.reason)


@delete(
    "/{row_id:uuid}",
    opt=_MANAGES,
    responses=problems(SharedContextNotFound),
    summary="Delete knowledge with its history",
)
async def delete_shared_context(row_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, row_id)


@post(
    "/{row_id:uuid}/approve",
    status_code=200,
    opt=_MANAGES,
    responses=problems(SharedContextNotFound, NotInThisState, NeedsWording, VersionConflict, body=True),
    summary="Have prompts hold it",
)
async def approve_shared_context(
    row_id: PathId, data: JSONBody[KnowledgeApproval], db: Db, actor: Who
) -> SharedContext:
    """What is approved again, or with fewer than two signals, whoever approves it stands for."""
    async with db.tx(actor) as tx:
        return await service.approve(tx, row_id, data.reason, data.content, data.context, data.version)


@post(
    "/{row_id:uuid}/dismiss",
    status_code=200,
    opt=_MANAGES,
    responses=_STEPS,
    summary="Do not take a proposal up",
)
async def dismiss_shared_context(
    row_id: PathId, data: JSONBody[KnowledgeDecision], db: Db, actor: Who
) -> SharedContext:
    async with db.tx(actor) as tx:
        return await service.reject(tx, row_id, data.reason, data.version)


@post(
    "/{row_id:uuid}/shadow",
    status_code=200,
    opt=_MANAGES,
    responses=_STEPS,
    summary="Take it out of prompts, to be tried out",
)
async def shadow_shared_context(
    row_id: PathId, data: JSONBody[KnowledgeDecision], db: Db, actor: Who
) -> SharedContext:
    async with db.tx(actor) as tx:
        return await service.shadow(tx, row_id, data.reason, data.version)


@post(
    "/{row_id:uuid}/retire",
    status_code=200,
    opt=_MANAGES,
    responses=_STEPS,
    summary="Take it out of prompts for good",
)
async def retire_shared_context(
    row_id: PathId, data: JSONBody[KnowledgeDecision], db: Db, actor: Who
) -> SharedContext:
    async with db.tx(actor) as tx:
        return await service.retire(tx, row_id, data.reason, data.version)


@post(
    "/{row_id:uuid}/undo",
    status_code=200,
    opt=_MANAGES,
    responses=problems(SharedContextNotFound, NothingToUndo, DecidedSince, VersionConflict, body=True),
    summary="Take the last decision about it back",
)
async def undo_shared_context(
    row_id: PathId, data: JSONBody[KnowledgeUndo], db: Db, actor: Who
) -> SharedContext:
    """Where somebody has decided since, nothing is taken back."""
    async with db.tx(actor) as tx:
        return await undo_service.undo(tx, row_id, data.reason, data.version, data.entry_id)


@post(
    "/{row_id:uuid}/support",
    status_code=200,
    opt=needs(KNOWLEDGE_MANAGE, FEEDBACK_REVIEW),
    responses=problems(SharedContextNotFound, FeedbackNotFound, body=True),
    summary="Dismiss or restore feedback that it rests on",
)
async def review_support(
    row_id: PathId, data: JSONBody[SupportReview], db: Db, actor: Who
) -> SupportReviewed:
    """Whoever reviewed it before, and whatever became of it. What rests on it is counted anew."""
    async with db.tx(actor) as tx:
        return await quote_service.review_support(
            tx, row_id, data.feedback_ids, dismissed=data.dismissed, notes=data.review_notes
        )


@get(
    "/{row_id:uuid}/neighbours",
    opt=_MANAGES,
    responses=problems(SharedContextNotFound),
    summary="Knowledge that reads like it, or contradicts it",
)
async def list_neighbours(row_id: PathId, db: Db, actor: Who) -> Neighbours:
    async with db.tx(actor) as tx:
        return await neighbour_service.list_neighbours(tx, row_id)


@get(
    "/{row_id:uuid}/value",
    opt=_MANAGES,
    responses=problems(SharedContextNotFound),
    summary="What it was measured to change each time, newest first",
)
async def list_values(
    row_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[MeasuredValue]:
    async with db.tx(actor) as tx:
        return await value_service.list_values(tx, row_id, cursor, limit)


@post(
    "/{row_id:uuid}/keep-both",
    status_code=200,
    opt=_MANAGES,
    responses=problems(SharedContextNotFound, body=True),
    summary="Say that another row which reads like it is wanted as well",
)
async def keep_both(row_id: PathId, data: JSONBody[OtherRow], db: Db, actor: Who) -> Neighbours:
    async with db.tx(actor) as tx:
        return await neighbour_service.keep_both(tx, row_id, data.other_id)


router = Router(
    "/api/admin/shared-context",
    route_handlers=[
        create_shared_context,
        list_shared_context,
        export_shared_context,
        count_shared_context,
        show_shared_context,
        change_shared_context,
        delete_shared_context,
        approve_shared_context,
        dismiss_shared_context,
        shadow_shared_context,
        retire_shared_context,
        undo_shared_context,
        review_support,
        list_neighbours,
        list_values,
        keep_both,
    ],
    tags=["knowledge"],
)
