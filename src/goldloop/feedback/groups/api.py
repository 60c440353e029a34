"""Routes of groups of feedback and of decisions about them: `/api/feedback/groups`, `/api/feedback/decisions`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.feedback.entries.api import Named, Outcomes, ReviewNote
from goldloop.feedback.groups import service, undo_service
from goldloop.feedback.groups.store import Wanted
from goldloop.feedback.model import (
    DecidedGroup,
    DecisionNotFound,
    DecisionOvertaken,
    DismissReason,
    Feedback,
    FeedbackGroup,
    FeedbackSource,
    FeedbackStatus,
    GroupDecided,
    GroupKind,
    GroupNotFound,
    GroupState,
    Rating,
    Verdict,
)
from goldloop.feedback.permissions import FEEDBACK_READ, FEEDBACK_REVIEW
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit, When
from goldloop.kit.times import moment
from goldloop.tenants.auth.api import Who, needs

NEEDED = needs(FEEDBACK_REVIEW, FEEDBACK_READ)
MOST_SPLIT = 500

Ids = Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MOST_SPLIT)]


class GroupReview(Wire, frozen=True):
    status: Verdict
    review_notes: ReviewNote | None = None


class Dismissal(Wire, frozen=True):
    reason: DismissReason
    note: ReviewNote | None = None


class Snooze(Wire, frozen=True):
    note: ReviewNote | None = None


class Merge(Wire, frozen=True):
    into: UUID
    note: ReviewNote | None = None


class Chosen(Wire, frozen=True):
    ids: Ids
    note: ReviewNote | None = None


class GroupOutcomes(Outcomes, frozen=True, kw_only=True):
    """`data` has the first hundred that were reviewed now, and the last before; `done` counts all. `decision_id` is what they
    are taken back by, null where nothing waited."""

    decision_id: UUID | None


class SplitOff(msgspec.Struct, frozen=True, kw_only=True):
    """`group` is what was taken out, null for a single one; `rest` is what stayed. `decision_id` is what it is taken back by."""

    group: FeedbackGroup | None
    rest: FeedbackGroup
    decision_id: UUID


@get("/", opt=NEEDED, responses=problems(), summary="List groups of feedback, the most telling first")
async def list_groups(
    db: Db,
    actor: Who,
    group_state: Annotated[GroupState, QueryParameter(name="state")] = GroupState.OPEN,
    proposed: FromQuery[bool] = True,
    waits: FromQuery[bool | None] = None,
    kind: FromQuery[GroupKind | None] = None,
    rating: FromQuery[Rating | None] = None,
    agent: Named = None,
    entity_type: Named = None,
    source_type: FromQuery[FeedbackSource | None] = None,
    since: When = None,
    until: When = None,
    q: Named = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[FeedbackGroup]:
    """Those that came back first, then by cohesion and origins. `proposed=false` are those that are not alike enough, or of
    one origin only; `waits` is whether members of it are pending. `agent` is a slug or an id; `source_type` is that of any
    member, `q` are words of their comments, `since` and `until` are about the newest."""
    wanted = Wanted(
        state=group_state,
        proposed=proposed,
        waits=waits,
        kind=kind,
        rating=rating,
        entity_type=entity_type,
        source_type=source_type,
        since=moment("since", since),
        until=moment("until", until),
    )
    async with db.tx(actor) as tx:
        return (await service.list_groups(tx, wanted, agent, q, cursor, limit)).sent()


@get(
    "/{group_id:uuid}",
    opt=NEEDED,
    responses=problems(GroupNotFound),
    summary="Show a group of feedback",
)
async def show_group(group_id: PathId, db: Db, actor: Who) -> FeedbackGroup:
    async with db.tx(actor) as tx:
        return await service.access(tx, group_id)


@get(
    "/{group_id:uuid}/members",
    opt=NEEDED,
    responses=problems(GroupNotFound),
    summary="List the feedback in a group, newest first",
)
async def list_group_members(
    group_id: PathId,
    db: Db,
    actor: Who,
    near: FromQuery[bool] = False,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Feedback]:
    """With `near` those that are in no group and may belong to this one."""
    async with db.tx(actor) as tx:
        return (await service.list_members(tx, group_id, near, cursor, limit)).sent()


@post(
    "/{group_id:uuid}/review",
    status_code=200,
    opt=NEEDED,
    responses=problems(GroupNotFound, body=True),
    summary="Review the members of a group that wait, with one note",
)
async def review_group(group_id: PathId, data: JSONBody[GroupReview], db: Db, actor: Who) -> GroupOutcomes:
    """However many they are. The answer also has the last members that were reviewed before, as `already`, with who did."""
    async with db.tx(actor) as tx:
        done = await service.review(tx, group_id, FeedbackStatus(data.status), data.review_notes)
    return GroupOutcomes(data=done.outcomes, done=done.done, decision_id=done.decision_id)


@post(
    "/{group_id:uuid}/dismiss",
    status_code=200,
    opt=NEEDED,
    responses=problems(GroupNotFound, GroupDecided, body=True),
    summary="Dismiss a group and its members, with a reason",
)
async def dismiss_group(group_id: PathId, data: JSONBody[Dismissal], db: Db, actor: Who) -> DecidedGroup:
    """It comes back when two more origins join it."""
    async with db.tx(actor) as tx:
        return await service.dismiss(tx, group_id, data.reason, data.note)


@post(
    "/{group_id:uuid}/snooze",
    status_code=200,
    opt=NEEDED,
    responses=problems(GroupNotFound, GroupDecided, body=True),
    summary="Put a group off until two more origins join it",
)
async def snooze_group(group_id: PathId, data: JSONBody[Snooze], db: Db, actor: Who) -> DecidedGroup:
    async with db.tx(actor) as tx:
        return await service.snooze(tx, group_id, data.note)


@post(
    "/{group_id:uuid}/reopen",
    status_code=200,
    opt=NEEDED,
    responses=problems(GroupNotFound, GroupDecided, DecisionOvertaken),
    summary="Take back that a group was dismissed, snoozed or merged",
)
async def reopen_group(group_id: PathId, db: Db, actor: Who) -> FeedbackGroup:
    """Members that the dismissal has reviewed wait again; what the merge has moved comes back."""
    async with db.tx(actor) as tx:
        return await undo_service.reopen(tx, group_id)


@post(
    "/{group_id:uuid}/merge",
    status_code=200,
    opt=NEEDED,
    responses=problems(GroupNotFound, GroupDecided, body=True),
    summary="Say that a group is the same as another",
)
async def merge_group(group_id: PathId, data: JSONBody[Merge], db: Db, actor: Who) -> DecidedGroup:
    """The answer is the group that stays."""
    async with db.tx(actor) as tx:
        return await service.merge(tx, group_id, data.into, data.note)


@post(
    "/{group_id:uuid}/add",
    status_code=200,
    opt=NEEDED,
    responses=problems(GroupNotFound, GroupDecided, body=True),
    summary="Put feedback into a group",
)
async def add_to_group(group_id: PathId, data: JSONBody[Chosen], db: Db, actor: Who) -> DecidedGroup:
    """What may belong to it, what is alone, or what is in another; what was taken out of it comes back."""
    async with db.tx(actor) as tx:
        return await service.add(tx, group_id, data.ids, data.note)


@post(
    "/{group_id:uuid}/split",
    status_code=200,
    opt=NEEDED,
    responses=problems(GroupNotFound, GroupDecided, body=True),
    summary="Take members out of a group",
)
async def split_group(group_id: PathId, data: JSONBody[Chosen], db: Db, actor: Who) -> SplitOff:
    async with db.tx(actor) as tx:
        done = await service.split(tx, group_id, data.ids, data.note)
        rest = await service.access(tx, group_id)
    return SplitOff(group=done.group, rest=rest, decision_id=done.decision_id)


@post(
    "/{decision_id:uuid}/undo",
    status_code=200,
    opt=NEEDED,
    responses=problems(DecisionNotFound, DecisionOvertaken),
    summary="Take back a decision about a group",
)
async def undo_decision(decision_id: PathId, db: Db, actor: Who) -> FeedbackGroup:
    """Members are where they were, and what it reviewed waits again. What others have decided since stays."""
    async with db.tx(actor) as tx:
        return await undo_service.undo(tx, decision_id)


router = Router(
    "/api/feedback/groups",
    route_handlers=[
        list_groups,
        show_group,
        list_group_members,
        review_group,
        dismiss_group,
        snooze_group,
        reopen_group,
        merge_group,
        add_to_group,
        split_group,
    ],
    tags=["feedback"],
)

decisions_router = Router("/api/feedback/decisions", route_handlers=[undo_decision], tags=["feedback"])
