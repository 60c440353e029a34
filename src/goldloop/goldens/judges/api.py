"""Routes of judges, their licences and the labels of people: `/api/admin/evals/judges`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, post, put
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.goldens.judges import label_service, service
from goldloop.goldens.judges.items import read_item
from goldloop.goldens.judges.label_service import NewLabel, NewSample
from goldloop.goldens.judges.model import (
    EvalJudge,
    EvalJudgeDetail,
    JudgeDisagreement,
    JudgeLabel,
    JudgeLicence,
    JudgeNotFound,
    JudgeSample,
    LabelItem,
    Labelled,
    LabelNote,
    LabelsEach,
    LicenceNotFound,
    LicenceRefused,
    LicenceStatus,
    NextLabelItem,
    NotHandedOut,
    NothingToSample,
    NotInSample,
    OwnLabel,
    PeopleOnly,
    QueuedSample,
    SampleEnded,
    SampleExists,
    SampleNotFound,
    SampleOpen,
    SampleSize,
)
from goldloop.goldens.model import GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_LABEL, EVALS_MANAGE, EVALS_READ
from goldloop.kit.http import Db, PathId, Ports, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.wire_types import Object
from goldloop.tenants.auth.api import Who, needs

READING = needs(EVALS_READ)
MANAGING = needs(EVALS_MANAGE, EVALS_READ)
LABELLING = needs(EVALS_LABEL)


class SampleBody(Wire, frozen=True, rename="camel"):
    """From the judged replays of one run (`runId`), of one set (`setName`) or, without both, of all that the judge judged, as far
    as they are in no sample yet. Without `size` it is as many as a licence lacks. What is drawn is left to chance."""

    size: SampleSize | None = None
    run_id: UUID | None = None
    set_name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] | None = None
    labels_each: LabelsEach = 1
    id: UUID | None = None


class LabelBody(Wire, frozen=True):
    """`passed` is whether the replay meets the rubric, null where that cannot be told. `values` are on the scales of the ratings,
    by their keys, as many as somebody wants to give; where each has one, `passed` follows from them as it does for a judge."""

    passed: bool | None
    values: Object = msgspec.field(default_factory=dict)
    note: LabelNote = ""


@get("/", opt=READING, responses=problems(), summary="List judges, who judged last first")
async def list_judges(
    db: Db,
    actor: Who,
    status: FromQuery[LicenceStatus | None] = None,
    current: FromQuery[bool | None] = None,
    set_name: Annotated[str | None, QueryParameter(name="set", max_length=100)] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[EvalJudge]:
    """`set` is the name of a set of goldens: judges by the rubrics that its goldens have now."""
    async with db.tx(actor) as tx:
        return await service.list_judges(tx, status, current, set_name, cursor, limit)


@get(
    "/{judge_id:uuid}",
    opt=READING,
    responses=problems(JudgeNotFound),
    summary="Show a judge with what its word is worth",
)
async def show_judge(judge_id: PathId, db: Db, actor: Who) -> EvalJudgeDetail:
    async with db.tx(actor) as tx:
        return await service.show(tx, judge_id)


@get(
    "/{judge_id:uuid}/disagreements",
    opt=READING,
    responses=problems(JudgeNotFound),
    summary="List replays of which a judge and people say different things",
)
async def list_disagreements(
    judge_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[JudgeDisagreement]:
    async with db.tx(actor) as tx:
        return await service.list_disagreements(tx, judge_id, cursor, limit)


@get(
    "/{judge_id:uuid}/labels",
    opt=READING,
    responses=problems(JudgeNotFound),
    summary="List what people said of a judge's replays, newest first",
)
async def list_labels(
    judge_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[JudgeLabel]:
    """Of samples that have ended, with labels that were replaced."""
    async with db.tx(actor) as tx:
        return await service.list_labels(tx, judge_id, cursor, limit)


@get(
    "/{judge_id:uuid}/licences",
    opt=READING,
    responses=problems(JudgeNotFound),
    summary="List the licences of a judge, newest first",
)
async def list_licences(
    judge_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[JudgeLicence]:
    async with db.tx(actor) as tx:
        return await service.list_licences(tx, judge_id, cursor, limit)


@post(
    "/{judge_id:uuid}/licences",
    opt=MANAGING,
    responses=problems(JudgeNotFound, LicenceRefused, PeopleOnly),
    summary="Issue a licence to a judge",
)
async def issue_licence(judge_id: PathId, db: Db, actor: Who) -> JudgeLicence:
    """By what people have labelled so far. Where there is one that holds, it is issued anew for as long again."""
    async with db.tx(actor) as tx:
        return await service.issue(tx, judge_id)


@post(
    "/{judge_id:uuid}/licences/{licence_id:uuid}/withdraw",
    opt=MANAGING,
    status_code=200,
    responses=problems(JudgeNotFound, LicenceNotFound, PeopleOnly),
    summary="Withdraw a licence",
)
async def withdraw_licence(judge_id: PathId, licence_id: PathId, db: Db, actor: Who) -> JudgeLicence:
    """Again: no change."""
    async with db.tx(actor) as tx:
        return await service.withdraw(tx, judge_id, licence_id)


@post(
    "/{judge_id:uuid}/samples",
    opt=MANAGING,
    responses=problems(
        JudgeNotFound, GoldenSetNotFound, SampleExists, SampleOpen, NothingToSample, PeopleOnly, body=True
    ),
    summary="Draw judged replays for people to label",
)
async def draw_sample(judge_id: PathId, data: JSONBody[SampleBody], db: Db, actor: Who) -> JudgeSample:
    new = NewSample(**{name: getattr(data, name) for name in SampleBody.__struct_fields__})
    async with db.tx(actor) as tx:
        return await label_service.draw(tx, judge_id, new)


@get(
    "/{judge_id:uuid}/samples",
    opt=READING,
    responses=problems(JudgeNotFound),
    summary="List the samples of a judge, newest first",
)
async def list_samples(
    judge_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[JudgeSample]:
    async with db.tx(actor) as tx:
        return await label_service.list_samples(tx, judge_id, cursor, limit)


@post(
    "/{judge_id:uuid}/samples/{sample_id:uuid}/stop",
    opt=MANAGING,
    status_code=200,
    responses=problems(JudgeNotFound, SampleNotFound, PeopleOnly),
    summary="End a sample before all of it is labelled",
)
async def stop_sample(judge_id: PathId, sample_id: PathId, db: Db, actor: Who) -> JudgeSample:
    """What is labelled counts. Again, or after it has ended: no change."""
    async with db.tx(actor) as tx:
        return await label_service.stop(tx, judge_id, sample_id)


@get(
    "/queue",
    opt=LABELLING,
    responses=problems(PeopleOnly),
    summary="List samples that wait for the caller's labels, oldest first",
)
async def list_queue(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[QueuedSample]:
    async with db.tx(actor) as tx:
        return await label_service.list_queue(tx, cursor, limit)


@get(
    "/queue/{sample_id:uuid}/next",
    opt=LABELLING,
    responses=problems(SampleNotFound, PeopleOnly),
    summary="The next replay that waits for the caller's label",
)
async def show_next(sample_id: PathId, db: Db, outside: Ports, actor: Who) -> NextLabelItem:
    """The same one until the caller has labelled it. Without anything that a judge, a comparison or others say of it."""
    async with db.tx(actor) as tx:
        waiting = await label_service.find_next(tx, sample_id)
    return NextLabelItem(item=await read_item(db, outside, actor, waiting) if waiting else None)


@get(
    "/queue/{sample_id:uuid}/replays/{replay_id:uuid}",
    opt=LABELLING,
    responses=problems(SampleNotFound, NotInSample, SampleEnded, PeopleOnly),
    summary="Show a replay of an open sample, to label it otherwise",
)
async def show_sampled(sample_id: PathId, replay_id: PathId, db: Db, outside: Ports, actor: Who) -> LabelItem:
    async with db.tx(actor) as tx:
        waiting = await label_service.access_waiting(tx, sample_id, replay_id)
    return await read_item(db, outside, actor, waiting)


@put(
    "/queue/{sample_id:uuid}/replays/{replay_id:uuid}",
    opt=LABELLING,
    responses=problems(SampleNotFound, NotInSample, NotHandedOut, SampleEnded, PeopleOnly, body=True),
    summary="Say whether a replay meets the rubric",
)
async def label_replay(
    sample_id: PathId, replay_id: PathId, data: JSONBody[LabelBody], db: Db, actor: Who
) -> Labelled:
    """Of the replay that `next` hands out to the caller, or of one that the caller labelled before: nobody chooses what to label.
    Again it replaces what the caller said, which is kept; the same again changes nothing."""
    async with db.tx(actor) as tx:
        return await label_service.label(
            tx, sample_id, replay_id, NewLabel(data.passed, data.values, data.note)
        )


@get(
    "/queue/{sample_id:uuid}/labels",
    opt=LABELLING,
    responses=problems(SampleNotFound, PeopleOnly),
    summary="List what the caller said in an open sample, newest first",
)
async def list_own_labels(
    sample_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[OwnLabel]:
    async with db.tx(actor) as tx:
        return await label_service.list_own(tx, sample_id, cursor, limit)


router = Router(
    "/api/admin/evals/judges",
    route_handlers=[
        list_judges,
        show_judge,
        list_disagreements,
        list_labels,
        list_licences,
        issue_licence,
        withdraw_licence,
        draw_sample,
        list_samples,
        stop_sample,
        list_queue,
        show_next,
        show_sampled,
        label_replay,
        list_own_labels,
    ],
    tags=["evals"],
)
