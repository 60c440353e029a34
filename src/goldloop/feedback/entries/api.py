"""Routes of feedback: `/api/feedback`."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Stream

from goldloop.entities.model import EntityNotFound
from goldloop.feedback.entries import review_service, service, source_service, table
from goldloop.feedback.entries.review_service import FeedbackAfterReview, ReviewOutcome
from goldloop.feedback.entries.source_service import FeedbackDetail
from goldloop.feedback.entries.store import Wanted
from goldloop.feedback.model import (
    COMMENT_CHARACTERS,
    NOTE_CHARACTERS,
    Counted,
    Feedback,
    FeedbackExists,
    FeedbackNotFound,
    FeedbackPending,
    FeedbackReviewed,
    FeedbackSource,
    FeedbackStatus,
    NotFlaggable,
    Rating,
)
from goldloop.feedback.permissions import FEEDBACK_CREATE, FEEDBACK_ERASE, FEEDBACK_READ, FEEDBACK_REVIEW
from goldloop.kit.csv_table import EXPORT_PAGE, csv_pages
from goldloop.kit.http import Db, PathId, Wire, csv_file, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit, When
from goldloop.kit.times import moment
from goldloop.kit.wire_types import Object
from goldloop.sessions.model import SessionNotFound
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound

MOST_AT_ONCE = 500  # feedback that is reviewed in one transaction

Comment = Annotated[str, msgspec.Meta(max_length=COMMENT_CHARACTERS)]
ReviewNote = Annotated[str, msgspec.Meta(max_length=NOTE_CHARACTERS)]
Named = Annotated[str | None, QueryParameter(max_length=200)]
Ids = Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MOST_AT_ONCE)]


class NewFeedback(Wire, frozen=True):
    """`observation` flags a turn (`context.project`, `conversation_id`, `turn_id`), a response (`entity_id`,
    `context.response_id`), a session or a record, and takes an administrator. `context` says what it is about, as the rows
    of its source do: `tool_slug`, `tool_run_id`, `field_name`."""

    source_type: FeedbackSource
    rating: Rating
    comment: Comment | None = None
    session_id: UUID | None = None
    entity_id: UUID | None = None
    agent_id: UUID | None = None
    context: Object = msgspec.field(default_factory=dict)
    id: UUID | None = None


class FeedbackReview(Wire, frozen=True):
    """`pending` takes a review back."""

    status: FeedbackStatus
    review_notes: ReviewNote | None = None


class ReviewOfMany(Wire, frozen=True):
    """`pending` takes back what the caller has reviewed, and nobody else's review."""

    ids: Ids
    status: FeedbackStatus
    review_notes: ReviewNote | None = None


class Outcomes(msgspec.Struct, frozen=True, kw_only=True):
    """One for each id, in the order that was asked in, and then for the other rows of the same rejections, which go with them;
    `done` is how many were reviewed now."""

    data: list[ReviewOutcome]
    done: int


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    data: list[Counted]


@post(
    "/",
    opt=needs(FEEDBACK_CREATE, FEEDBACK_READ),
    responses=problems(
        FeedbackExists, NotFlaggable, SessionNotFound, EntityNotFound, AgentNotFound, body=True
    ),
    summary="Give feedback, or flag something",
)
async def create_feedback(data: JSONBody[NewFeedback], db: Db, actor: Who) -> Feedback:
    fields: dict[str, Any] = {name: getattr(data, name) for name in NewFeedback.__struct_fields__}
    async with db.tx(actor) as tx:
        return await service.give(tx, service.NewFeedback(**fields))


@get("/", opt=needs(FEEDBACK_READ), responses=problems(), summary="List feedback, newest first")
async def list_feedback(
    db: Db,
    actor: Who,
    status: FromQuery[FeedbackStatus | None] = None,
    source_type: FromQuery[FeedbackSource | None] = None,
    rating: FromQuery[Rating | None] = None,
    agent: Named = None,
    entity_type: Named = None,
    entity_id: FromQuery[UUID | None] = None,
    session_id: FromQuery[UUID | None] = None,
    response_id: FromQuery[UUID | None] = None,
    project: Named = None,
    conversation_id: Named = None,
    turn_id: Named = None,
    group_id: FromQuery[UUID | None] = None,
    near_group_id: FromQuery[UUID | None] = None,
    grouped: FromQuery[bool | None] = None,
    since: When = None,
    until: When = None,
    q: Annotated[str | None, QueryParameter(max_length=200)] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Feedback]:
    """One's own; for whoever reviews, everybody's. `agent` is a slug or an id, `q` are words of the comment, `grouped` is
    whether it is in a group."""
    wanted = Wanted(
        status=status,
        source_type=source_type,
        rating=rating,
        entity_type=entity_type,
        entity_id=entity_id,
        session_id=session_id,
        response_id=response_id,
        project=project,
        conversation_id=conversation_id,
        turn_id=turn_id,
        group_id=group_id,
        near_group_id=near_group_id,
        grouped=grouped,
        since=moment("since", since),
        until=moment("until", until),
    )
    async with db.tx(actor) as tx:
        return (await service.list_feedback(tx, wanted, agent, q, cursor, limit)).sent()


@get(
    "/feedback.csv",
    opt=needs(FEEDBACK_READ),
    responses=problems(),
    summary="The feedback of a list as a table for spreadsheets",
    media_type="text/csv",
)
async def export_feedback(
    db: Db,
    actor: Who,
    status: FromQuery[FeedbackStatus | None] = None,
    source_type: FromQuery[FeedbackSource | None] = None,
    rating: FromQuery[Rating | None] = None,
    agent: Named = None,
    entity_type: Named = None,
    entity_id: FromQuery[UUID | None] = None,
    session_id: FromQuery[UUID | None] = None,
    response_id: FromQuery[UUID | None] = None,
    project: Named = None,
    conversation_id: Named = None,
    turn_id: Named = None,
    group_id: FromQuery[UUID | None] = None,
    near_group_id: FromQuery[UUID | None] = None,
    grouped: FromQuery[bool | None] = None,
    since: When = None,
    until: When = None,
    q: Annotated[str | None, QueryParameter(max_length=200)] = None,
) -> Stream:
    """Of what the list has with the same parameters, all of it."""
    wanted = Wanted(
        status=status,
        source_type=source_type,
        rating=rating,
        entity_type=entity_type,
        entity_id=entity_id,
        session_id=session_id,
        response_id=response_id,
        project=project,
        conversation_id=conversation_id,
        turn_id=turn_id,
        group_id=group_id,
        near_group_id=near_group_id,
        grouped=grouped,
        since=moment("since", since),
        until=moment("until", until),
    )

    async def read(cursor: str | None) -> Page[Feedback]:
        async with db.tx(actor) as tx:
            return (await service.list_feedback(tx, wanted, agent, q, cursor, EXPORT_PAGE)).read(Feedback)

    return csv_file("feedback.csv", csv_pages(table.HEAD, read, table.row))


@get(
    "/counts",
    opt=needs(FEEDBACK_READ),
    responses=problems(),
    summary="How much feedback of each source and rating came over time",
)
async def count_feedback(
    db: Db,
    actor: Who,
    since: When = None,
    until: When = None,
    unit: FromQuery[Literal["day", "week", "month"]] = "day",
) -> Counts:
    """Of what the caller may see; spans of time begin in UTC."""
    async with db.tx(actor) as tx:
        return Counts(data=await service.count(tx, moment("since", since), moment("until", until), unit))


@get(
    "/{feedback_id:uuid}",
    opt=needs(FEEDBACK_READ),
    responses=problems(FeedbackNotFound),
    summary="Show feedback with what it is about",
)
async def show_feedback(feedback_id: PathId, db: Db, actor: Who) -> FeedbackDetail:
    async with db.tx(actor) as tx:
        return await source_service.show(tx, feedback_id)


@patch(
    "/{feedback_id:uuid}",
    opt=needs(FEEDBACK_REVIEW, FEEDBACK_READ),
    responses=problems(FeedbackNotFound, FeedbackReviewed, FeedbackPending, body=True),
    summary="Review feedback, or take a review back",
)
async def review_feedback(
    feedback_id: PathId, data: JSONBody[FeedbackReview], db: Db, actor: Who
) -> FeedbackAfterReview:
    """What is dismissed of a rejection, or waits again, is with its twins: the row of the value and that of its response."""
    async with db.tx(actor) as tx:
        return await review_service.review(tx, feedback_id, data.status, data.review_notes)


@delete(
    "/{feedback_id:uuid}",
    opt=needs(FEEDBACK_CREATE, FEEDBACK_READ),
    responses=problems(FeedbackNotFound, FeedbackReviewed),
    summary="Take one's own feedback back, while nobody has reviewed it",
)
async def take_feedback_back(feedback_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await review_service.take_back(tx, feedback_id)


@post(
    "/{feedback_id:uuid}/erase",
    status_code=204,
    opt=needs(FEEDBACK_ERASE, FEEDBACK_READ),
    responses=problems(FeedbackNotFound),
    summary="Erase feedback for good; knowledge that rests on it is counted anew",
)
async def erase_feedback(feedback_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await review_service.erase(tx, feedback_id)


@post(
    "/review",
    status_code=200,
    opt=needs(FEEDBACK_REVIEW, FEEDBACK_READ),
    responses=problems(body=True),
    summary="Review several at once with one note, or take that back; each has its own answer",
)
async def review_several(data: JSONBody[ReviewOfMany], db: Db, actor: Who) -> Outcomes:
    async with db.tx(actor) as tx:
        if data.status is FeedbackStatus.PENDING:
            outcomes = await review_service.take_back_reviews(tx, data.ids)
        else:
            outcomes = await review_service.review_many(tx, data.ids, data.status, data.review_notes)
    return Outcomes(data=outcomes, done=sum(each.outcome == "done" for each in outcomes))


router = Router(
    "/api/feedback",
    route_handlers=[
        create_feedback,
        list_feedback,
        export_feedback,
        count_feedback,
        show_feedback,
        review_feedback,
        take_feedback_back,
        erase_feedback,
        review_several,
    ],
    tags=["feedback"],
)
