"""Routes of experiments: `/api/admin/evals/experiments`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.agents.model import VersionNotFound
from goldloop.evals.replay.tape import Mode
from goldloop.goldens.experiments import service
from goldloop.goldens.experiments.model import (
    MOST_ROWS,
    PAIRS,
    REPLAYS,
    Experiment,
    ExperimentDesign,
    ExperimentDetail,
    ExperimentEnded,
    ExperimentExists,
    ExperimentForecast,
    ExperimentNotFound,
    ExperimentState,
    NoRows,
    RowNotApplicable,
    WantedPairs,
    WantedReplays,
)
from goldloop.goldens.experiments.plan_service import NewExperiment
from goldloop.goldens.model import GoldenNotFound, GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.runs.api import RunName
from goldloop.goldens.runs.model import (
    AgentName,
    AgentsDiffer,
    CostUnknown,
    Dollars,
    NoGoldens,
    SetName,
    TooManyReplays,
    VersionNumber,
)
from goldloop.kit.http import Db, PathId, Ports, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.knowledge.model import SharedContextNotFound
from goldloop.knowledge.permissions import KNOWLEDGE_READ
from goldloop.limits.model import RUN_REFUSALS
from goldloop.sessions.model import NoRuntime
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound
from goldloop.tenants.permissions import AGENTS_READ

MOST_GOLDENS = 1000  # that are named one by one

READING = needs(EVALS_READ, KNOWLEDGE_READ)
RUNNING = needs(EVALS_MANAGE, EVALS_READ, KNOWLEDGE_READ, SESSIONS_CREATE, SESSIONS_READ, AGENTS_READ)
FORESEEN = {200: ResponseSpec(ExperimentForecast, description="What it would use", generate_examples=False)}


class NewEvalExperiment(Wire, frozen=True, rename="camel"):
    """Without `goldenIds` all goldens of the set are replayed. Without `agent` it is the goldens' own, as it is now or in its
    `version`. Without `rowIds` all rows are measured that prompts of these goldens would hold now, and those in shadow that hold
    there; rows that are named may be proposed as well. `replays` are how many count in all: what earlier experiments made in the same
    way is reused. With `confirms`, rows that show an effect are confirmed one at a time, by up to `pairs` of replays each; with the design
    `pairs` the named rows are, at once. With `dryRun` nothing is begun, and the answer is what it would use."""

    set_name: SetName
    golden_ids: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MOST_GOLDENS)] | None = None
    agent: AgentName | None = None
    version: VersionNumber | None = None
    row_ids: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MOST_ROWS)] | None = None
    design: ExperimentDesign = ExperimentDesign.HALVES
    replays: WantedReplays = REPLAYS
    confirms: bool = True
    pairs: WantedPairs = PAIRS
    mode: Mode = Mode.HYBRID
    max_cost: Dollars | None = None
    name: RunName | None = None
    id: UUID | None = None
    dry_run: bool = False


@post(
    "/",
    opt=RUNNING,
    status_code=202,
    responses=problems(
        *(GoldenSetNotFound, GoldenNotFound, AgentNotFound, VersionNotFound, SharedContextNotFound),
        *RUN_REFUSALS,
        *(NoRuntime, NoGoldens, NoRows, RowNotApplicable, TooManyReplays, AgentsDiffer, CostUnknown),
        ExperimentExists,
        body=True,
    )
    | FORESEEN,
    summary="Measure what knowledge is worth",
)  # fmt: skip
async def begin_experiment(
    data: JSONBody[NewEvalExperiment], db: Db, actor: Who, outside: Ports
) -> Response[Experiment | ExperimentForecast]:
    fields = {name: getattr(data, name) for name in data.__struct_fields__ if name != "dry_run"}
    new = NewExperiment(**fields)
    async with db.tx(actor) as tx:
        if data.dry_run:
            return Response(await service.foresee(tx, new, outside.model), status_code=200)
        return Response(await service.begin(tx, new, outside.model), status_code=202)


@get("/", opt=READING, responses=problems(), summary="List experiments, newest first")
async def list_experiments(
    db: Db,
    actor: Who,
    set_name: Annotated[str | None, QueryParameter(name="set", max_length=100)] = None,
    status: FromQuery[ExperimentState | None] = None,
    row_id: Annotated[UUID | None, QueryParameter(name="rowId")] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Experiment]:
    """`rowId` is a row that they measure."""
    async with db.tx(actor) as tx:
        return await service.list_experiments(tx, set_name, status, row_id, cursor, limit)


@get(
    "/{experiment_id:uuid}",
    opt=READING,
    responses=problems(ExperimentNotFound),
    summary="Show an experiment with what it found about each row",
)
async def show_experiment(experiment_id: PathId, db: Db, actor: Who, outside: Ports) -> ExperimentDetail:
    async with db.tx(actor) as tx:
        return await service.show(tx, experiment_id, outside.model)


@post(
    "/{experiment_id:uuid}/cancel",
    opt=RUNNING,
    status_code=200,
    responses=problems(ExperimentNotFound, ExperimentEnded),
    summary="Stop an experiment",
)
async def cancel_experiment(experiment_id: PathId, db: Db, actor: Who, outside: Ports) -> ExperimentDetail:
    """What is compared stays, and later experiments reuse it; no row gets a value of it. Stopping it again changes nothing."""
    async with db.tx(actor) as tx:
        return await service.cancel(tx, experiment_id, outside.model)


router = Router(
    "/api/admin/evals/experiments",
    route_handlers=[begin_experiment, list_experiments, show_experiment, cancel_experiment],
    tags=["evals"],
)
