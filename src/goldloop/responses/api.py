"""Routes of responses: `/api/entities/{id}/responses`, and over all records `/api/responses`."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response as Reply
from litestar import Router, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Stream

from goldloop.criteria.errors import CriteriaSetChanged, CriteriaSetNotFound
from goldloop.criteria.permissions import CRITERIA_SETS_READ
from goldloop.entities.model import EntityNotFound, EntityTypeNotFound
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.kit import compute_threads
from goldloop.kit.compute_threads import CountingBusy
from goldloop.kit.csv_table import EXPORT_PAGE, csv_pages
from goldloop.kit.http import Db, PathId, Wire, csv_file, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit, When
from goldloop.kit.times import moment
from goldloop.kit.wire_types import Object
from goldloop.responses import (
    aggregation_service,
    agreement_service,
    queue_service,
    raters_service,
    service,
    table,
)
from goldloop.responses.aggregation import Strategy
from goldloop.responses.aggregation_service import ResponseAggregation
from goldloop.responses.agreement_service import AgreementList
from goldloop.responses.matrix_counts import count_matrix
from goldloop.responses.model import (
    Assignment,
    EntityResponse,
    ListedResponse,
    Notes,
    NotReviewable,
    NotSubmitted,
    ResponseCount,
    ResponseExists,
    ResponseNotFound,
    ResponsePromoted,
    ResponsesNotFound,
    ResponseSource,
    ResponseStatus,
    ScoredResponse,
    SetSlug,
    TemporalValue,
)
from goldloop.responses.permissions import RESPONSES_CREATE, RESPONSES_READ, RESPONSES_REVIEW
from goldloop.tenants.auth.api import Who, needs


class NewEntityResponse(Wire, frozen=True):
    values: Object
    criteria_set_id: UUID | None = None
    criteria_set_slug: SetSlug | None = None
    field_meta: Object | None = None
    source: ResponseSource = ResponseSource.MANUAL
    notes: Notes | None = None
    parent_response_id: UUID | None = None
    temporal_value: TemporalValue | None = None
    id: UUID | None = None


class Review(Wire, frozen=True):
    status: ResponseStatus
    review_notes: Notes | None = None


@get(
    "/",
    opt=needs(RESPONSES_READ, ENTITIES_READ),
    responses=problems(EntityNotFound),
    summary="List a record's responses, newest first",
)
async def list_responses(
    entity_id: PathId,
    db: Db,
    actor: Who,
    criteria_set_id: FromQuery[UUID | None] = None,
    status: FromQuery[ResponseStatus | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[EntityResponse]:
    async with db.tx(actor) as tx:
        return (await service.list_responses(tx, entity_id, criteria_set_id, status, cursor, limit)).sent()


@post(
    "/",
    opt=needs(RESPONSES_CREATE),
    responses=problems(EntityNotFound, ResponseExists, CriteriaSetChanged, body=True),
    summary="Submit a response",
)
async def submit_response(
    entity_id: PathId, data: JSONBody[NewEntityResponse], db: Db, actor: Who
) -> Reply[EntityResponse | NotSubmitted]:
    """With a criteria set that rates connections, `values` are by connection and dimension; an empty matrix is
    accepted and writes nothing (200)."""
    async with db.tx(actor) as tx:
        made = await service.submit(
            tx, service.NewResponse(entity_id=entity_id, **msgspec.structs.asdict(data)), alone=True
        )
    return Reply(made or NotSubmitted(), status_code=201 if made else 200)


@get(
    "/{response_id:uuid}",
    opt=needs(RESPONSES_READ, ENTITIES_READ),
    responses=problems(ResponseNotFound),
    summary="Show a response",
)
async def show_response(entity_id: PathId, response_id: PathId, db: Db, actor: Who) -> EntityResponse:
    async with db.tx(actor) as tx:
        return await service.access(tx, entity_id, response_id)


@patch(
    "/{response_id:uuid}",
    opt=needs(RESPONSES_REVIEW, RESPONSES_READ, ENTITIES_READ),
    responses=problems(ResponseNotFound, NotReviewable, ResponsePromoted, body=True),
    summary="Reject or reopen a response",
)
async def review_response(
    entity_id: PathId, response_id: PathId, data: JSONBody[Review], db: Db, actor: Who
) -> EntityResponse:
    async with db.tx(actor) as tx:
        return await service.review(tx, entity_id, response_id, data.status, data.review_notes)


@delete(
    "/{response_id:uuid}",
    opt=needs(RESPONSES_CREATE, RESPONSES_READ, ENTITIES_READ),
    responses=problems(ResponseNotFound, ResponsePromoted),
    summary="Withdraw a response",
)
async def withdraw_response(entity_id: PathId, response_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.withdraw(tx, entity_id, response_id)


@get(
    "/aggregate",
    opt=needs(RESPONSES_READ, ENTITIES_READ, CRITERIA_SETS_READ),
    responses=problems(EntityNotFound, CriteriaSetNotFound, CountingBusy),
    summary="What all responses to a record say together",
)
async def aggregate_responses(
    entity_id: PathId,
    db: Db,
    actor: Who,
    criteria_set_id: FromQuery[UUID],
    strategy: FromQuery[Strategy] = Strategy.MEAN,
    compact: FromQuery[bool] = False,
) -> Reply[ResponseAggregation]:
    """`compact` adds every number that was said about connections, in columns, for another strategy without another
    request."""
    async with db.tx(actor) as tx:
        found, read = await aggregation_service.aggregate(tx, entity_id, criteria_set_id, strategy)
    if read is None:
        return Reply(found)
    counted = await compute_threads.run(actor.tenant_id, count_matrix, read, strategy)
    async with db.tx(actor) as tx:
        titles = await aggregation_service.list_titles(tx, counted)
    encode, body = aggregation_service.encode_with_connections, found
    whole: Any = await compute_threads.run_always(
        actor.tenant_id, encode, body, counted, titles, compact=compact
    )
    return Reply(whole, media_type="application/json")


@get(
    "/raters",
    opt=needs(RESPONSES_READ, ENTITIES_READ, CRITERIA_SETS_READ),
    responses=problems(EntityNotFound, CriteriaSetNotFound),
    summary="The newest response of each rater",
)
async def list_raters(
    entity_id: PathId,
    db: Db,
    actor: Who,
    criteria_set_id: FromQuery[UUID],
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[EntityResponse]:
    async with db.tx(actor) as tx:
        return await raters_service.list_by_rater(tx, entity_id, criteria_set_id, cursor, limit)


@get(
    "/scores",
    opt=needs(RESPONSES_READ, ENTITIES_READ, CRITERIA_SETS_READ),
    responses=problems(EntityNotFound, CriteriaSetNotFound),
    summary="Scores over time, newest first, and whose they are",
)
async def list_scores(
    entity_id: PathId,
    db: Db,
    actor: Who,
    criteria_set_id: FromQuery[UUID],
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[ScoredResponse]:
    async with db.tx(actor) as tx:
        return await raters_service.list_scores(tx, entity_id, criteria_set_id, cursor, limit)


@get(
    "/{set_id:uuid}/agreement",
    opt=needs(RESPONSES_READ, CRITERIA_SETS_READ),
    responses=problems(CriteriaSetNotFound, CountingBusy),
    summary="How far raters agree, per dimension",
)
async def show_agreement(set_id: PathId, db: Db, actor: Who) -> AgreementList:
    async with db.tx(actor) as tx:
        read = await agreement_service.read_agreement(tx, set_id)
    return await compute_threads.run(actor.tenant_id, agreement_service.measure, read)


OfType = Annotated[str | None, QueryParameter(max_length=63, description="The slug of the record's type")]
OfSet = Annotated[str | None, QueryParameter(max_length=120, description="Id or slug of a criteria set")]
SubmittedBy = Annotated[
    str | None,
    QueryParameter(max_length=40, description="`person`, `agent`, or the id of a member or an agent"),
]
AssignedTo = Annotated[
    str | None, QueryParameter(max_length=40, description="The id of a member, `me` or `nobody`")
]
Promotable = Annotated[
    bool | None,
    QueryParameter(description="true: what waits for review, with values that can still be promoted"),
]


@get(
    "/",
    opt=needs(RESPONSES_READ, ENTITIES_READ),
    responses=problems(EntityTypeNotFound, CriteriaSetNotFound),
    summary="List responses over all records, newest first",
)
async def list_all_responses(
    db: Db,
    actor: Who,
    status: FromQuery[ResponseStatus | None] = None,
    type: OfType = None,
    criteria_set: OfSet = None,
    submitted_by: SubmittedBy = None,
    assigned_to: AssignedTo = None,
    promotable: Promotable = None,
    since: When = None,
    until: When = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[ListedResponse]:
    """Each with its record and the name of its criteria set. From `since` on, and before `until`."""
    times = moment("since", since), moment("until", until)
    wanted = queue_service.Filter(status, type, criteria_set, submitted_by, assigned_to, promotable, *times)
    async with db.tx(actor) as tx:
        return (await queue_service.list_responses(tx, wanted, cursor, limit)).sent()


@get(
    "/count",
    opt=needs(RESPONSES_READ, ENTITIES_READ),
    responses=problems(EntityTypeNotFound, CriteriaSetNotFound),
    summary="Count responses over all records, up to 10,000",
)
async def count_all_responses(
    db: Db,
    actor: Who,
    status: FromQuery[ResponseStatus | None] = None,
    type: OfType = None,
    criteria_set: OfSet = None,
    submitted_by: SubmittedBy = None,
    assigned_to: AssignedTo = None,
    promotable: Promotable = None,
    since: When = None,
    until: When = None,
) -> ResponseCount:
    times = moment("since", since), moment("until", until)
    wanted = queue_service.Filter(status, type, criteria_set, submitted_by, assigned_to, promotable, *times)
    async with db.tx(actor) as tx:
        return await queue_service.count_responses(tx, wanted)


@get(
    "/responses.csv",
    opt=needs(RESPONSES_READ, ENTITIES_READ),
    responses=problems(EntityTypeNotFound, CriteriaSetNotFound),
    summary="The responses of a list as a table for spreadsheets",
    media_type="text/csv",
)
async def export_responses(
    db: Db,
    actor: Who,
    status: FromQuery[ResponseStatus | None] = None,
    type: OfType = None,
    criteria_set: OfSet = None,
    submitted_by: SubmittedBy = None,
    assigned_to: AssignedTo = None,
    promotable: Promotable = None,
    since: When = None,
    until: When = None,
) -> Stream:
    """With a column for each dimension where `criteria_set` names one, else the values as JSON."""
    times = moment("since", since), moment("until", until)
    wanted = queue_service.Filter(status, type, criteria_set, submitted_by, assigned_to, promotable, *times)
    async with db.tx(actor) as tx:
        dimensions = await queue_service.export_columns(tx, wanted)

    async def read(cursor: str | None) -> Page[ListedResponse]:
        async with db.tx(actor) as tx:
            return (await queue_service.list_responses(tx, wanted, cursor, EXPORT_PAGE)).read(ListedResponse)

    return csv_file(
        "responses.csv", csv_pages(table.head(dimensions), read, lambda each: table.row(each, dimensions))
    )


Some = Annotated[list[UUID], msgspec.Meta(max_length=MAX_LIMIT)]


class NewAssignment(Wire, frozen=True):
    """Responses by their `ids`, or all that wait for review by the `entity_ids` of their records. `user_id` null: to
    nobody."""

    user_id: UUID | None
    ids: Some = msgspec.field(default_factory=list)
    entity_ids: Some = msgspec.field(default_factory=list)


@post(
    "/assign",
    opt=needs(RESPONSES_REVIEW, RESPONSES_READ, ENTITIES_READ),
    responses=problems(ResponsesNotFound, body=True),
    status_code=200,
    summary="Assign responses to a member, or to nobody",
)
async def assign_responses(data: JSONBody[NewAssignment], db: Db, actor: Who) -> Assignment:
    async with db.tx(actor) as tx:
        return await queue_service.assign(tx, data.ids, data.entity_ids, data.user_id)


over_records_router = Router(
    "/api/responses",
    route_handlers=[list_all_responses, count_all_responses, export_responses, assign_responses],
    tags=["responses"],
)
agreement_router = Router("/api/criteria-sets", route_handlers=[show_agreement], tags=["criteria sets"])
router = Router(
    "/api/entities/{entity_id:uuid}/responses",
    route_handlers=[
        list_responses,
        submit_response,
        show_response,
        review_response,
        withdraw_response,
        aggregate_responses,
        list_raters,
        list_scores,
    ],
    tags=["responses"],
)
