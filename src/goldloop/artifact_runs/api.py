"""Routes of scoring records: `/api/artifact-evals/suites`, `/api/artifact-evals/runs`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, post, put
from litestar.params import FromQuery, JSONBody, PathParameter

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_runs import service
from goldloop.artifact_runs import suite_service as suites
from goldloop.artifact_runs.model import (
    ArtifactEvalRun,
    LoopNotFound,
    LoopReport,
    RecordResult,
    ResultFilter,
    RunExists,
    RunNotFound,
    RunOpen,
    RunOver,
    SuiteList,
    SuiteNotFound,
    SuiteOfWorkspace,
    SuiteSettings,
    TypeMissing,
)
from goldloop.artifact_runs.permissions import ARTIFACT_EVALS_MANAGE, ARTIFACT_EVALS_READ
from goldloop.criteria.model import CriteriaSet
from goldloop.criteria.permissions import CRITERIA_SETS_MANAGE
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.tenants.auth.api import Who, needs

SuiteSlug = Annotated[str, PathParameter(min_length=1, max_length=200)]


Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class NewRun(Wire, frozen=True):
    id: UUID | None = None


class NewLeftOut(Wire, frozen=True):
    dimension: KnowledgeDimension
    reason: Reason


class NewSuiteSettings(Wire, frozen=True):
    """All of it: what is not named is not left out."""

    added: bool
    left_out: Annotated[list[NewLeftOut], msgspec.Meta(max_length=len(KnowledgeDimension))]


@get(
    "/artifact-evals/suites",
    opt=needs(ARTIFACT_EVALS_READ),
    responses=problems(),
    summary="List the suites that the workspace has a type for or has added, each with its newest run",
)
async def list_artifact_eval_suites(db: Db, actor: Who, hidden: FromQuery[bool] = False) -> SuiteList:
    async with db.tx(actor) as tx:
        return await suites.list_suites(tx, hidden=hidden)


@get(
    "/artifact-evals/suites/{suite:str}",
    opt=needs(ARTIFACT_EVALS_READ),
    responses=problems(SuiteNotFound),
    summary="Show a suite and what the workspace has for it",
)
async def show_artifact_eval_suite(suite: SuiteSlug, db: Db, actor: Who) -> SuiteOfWorkspace:
    async with db.tx(actor) as tx:
        return await suites.show_suite(tx, suite)


@put(
    "/artifact-evals/suites/{suite:str}/settings",
    opt=needs(ARTIFACT_EVALS_MANAGE),
    responses=problems(SuiteNotFound, body=True),
    summary="Show a suite without its type, and leave dimensions out of it, each with the reason",
)
async def change_artifact_eval_suite(
    suite: SuiteSlug, data: JSONBody[NewSuiteSettings], db: Db, actor: Who
) -> SuiteOfWorkspace:
    settings = SuiteSettings(
        added=data.added, left_out={each.dimension: each.reason for each in data.left_out}
    )
    async with db.tx(actor) as tx:
        return await suites.change_settings(tx, suite, settings)


@get(
    "/artifact-evals/suites/{suite:str}/loop",
    opt=needs(ARTIFACT_EVALS_READ),
    responses=problems(SuiteNotFound, LoopNotFound),
    summary="Say whether the loop of a suite closes",
)
async def show_artifact_eval_loop(suite: SuiteSlug, db: Db, actor: Who) -> LoopReport:
    async with db.tx(actor) as tx:
        return await suites.read_closure(tx, suite)


@post(
    "/artifact-evals/suites/{suite:str}/criteria-set",
    opt=needs(CRITERIA_SETS_MANAGE),
    responses=problems(SuiteNotFound, TypeMissing),
    summary="Make the criteria set that asks people what the suite checks",
)
async def make_artifact_eval_criteria_set(suite: SuiteSlug, db: Db, actor: Who) -> CriteriaSet:
    async with db.tx(actor) as tx:
        return await suites.make_criteria_set(tx, suite)


@post(
    "/artifact-evals/suites/{suite:str}/runs",
    opt=needs(ARTIFACT_EVALS_MANAGE),
    responses=problems(SuiteNotFound, TypeMissing, RunOpen, RunExists, body=True),
    summary="Score every record of a suite's type, in the background",
)
async def start_artifact_eval_run(
    suite: SuiteSlug, data: JSONBody[NewRun], db: Db, actor: Who
) -> ArtifactEvalRun:
    async with db.tx(actor) as tx:
        return await service.start(tx, suite, data.id)


@get(
    "/artifact-evals/suites/{suite:str}/runs",
    opt=needs(ARTIFACT_EVALS_READ),
    responses=problems(SuiteNotFound),
    summary="List the runs of a suite, newest first",
)
async def list_artifact_eval_runs(
    suite: SuiteSlug, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[ArtifactEvalRun]:
    async with db.tx(actor) as tx:
        return await service.list_runs(tx, suite, cursor, limit)


@get(
    "/artifact-evals/runs/{run_id:uuid}",
    opt=needs(ARTIFACT_EVALS_READ),
    responses=problems(RunNotFound),
    summary="Show how far a run is and what it comes to",
)
async def show_artifact_eval_run(run_id: PathId, db: Db, actor: Who) -> ArtifactEvalRun:
    async with db.tx(actor) as tx:
        return await service.access(tx, run_id)


@get(
    "/artifact-evals/runs/{run_id:uuid}/results",
    opt=needs(ARTIFACT_EVALS_READ),
    responses=problems(RunNotFound),
    summary="What a run found about each record, what to fix first",
)
async def list_artifact_eval_results(
    run_id: PathId,
    db: Db,
    actor: Who,
    result: FromQuery[ResultFilter | None] = None,
    dimension: FromQuery[KnowledgeDimension | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[RecordResult]:
    async with db.tx(actor) as tx:
        return await service.list_results(tx, run_id, result, dimension, cursor, limit)


@post(
    "/artifact-evals/runs/{run_id:uuid}/cancel",
    opt=needs(ARTIFACT_EVALS_MANAGE),
    responses=problems(RunNotFound, RunOver),
    status_code=200,
    summary="End a run that waits or runs",
)
async def cancel_artifact_eval_run(run_id: PathId, db: Db, actor: Who) -> ArtifactEvalRun:
    async with db.tx(actor) as tx:
        return await service.cancel(tx, run_id)


router = Router(
    "/api",
    route_handlers=[
        list_artifact_eval_suites,
        show_artifact_eval_suite,
        change_artifact_eval_suite,
        show_artifact_eval_loop,
        make_artifact_eval_criteria_set,
        start_artifact_eval_run,
        list_artifact_eval_runs,
        show_artifact_eval_run,
        list_artifact_eval_results,
        cancel_artifact_eval_run,
    ],
    tags=["artifact evals"],
)
