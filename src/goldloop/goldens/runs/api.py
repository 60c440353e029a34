"""Routes of eval runs and replays: `/api/admin/evals/runs`, `/api/admin/evals/replays`, and what they show over time."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.agents.model import VersionNotFound
from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.counting import ReplayOutcome
from goldloop.evals.stats.model import MARGIN, Verdict
from goldloop.goldens.model import GoldenNotFound, GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.runs import overview_service as overview
from goldloop.goldens.runs import service
from goldloop.goldens.runs.model import (
    MOST_AGENTS,
    MOST_POINTS,
    AgentName,
    AgentsDiffer,
    Context,
    CostUnknown,
    Dollars,
    EvalMatrix,
    EvalRun,
    EvalRunDetail,
    EvalRunEnded,
    EvalRunExists,
    EvalRunNotFound,
    Forecast,
    Margin,
    NoGoldens,
    OfAgent,
    Repeats,
    Replay,
    ReplayContext,
    ReplayDetail,
    ReplayNotFound,
    RunKind,
    RunState,
    SetName,
    TooManyReplays,
    TrendPoint,
    Trigger,
    VersionNumber,
)
from goldloop.goldens.runs.replay_store import ReplayFilter
from goldloop.goldens.runs.service import NamedAgent, NewRun, named
from goldloop.kit.db import Actor, Database
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.limits.model import RUN_REFUSALS
from goldloop.sessions.model import NoRuntime
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound
from goldloop.tenants.permissions import AGENTS_READ

RunName = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Commit = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
TrendLimit = Annotated[int, QueryParameter(ge=1, le=MOST_POINTS, description="How many runs at most")]

READING = needs(EVALS_READ)
RUNNING = needs(EVALS_MANAGE, EVALS_READ, SESSIONS_CREATE, SESSIONS_READ, AGENTS_READ)
FAULTS = (
    *RUN_REFUSALS,
    AgentNotFound,
    VersionNotFound,
    NoRuntime,
    NoGoldens,
    TooManyReplays,
    CostUnknown,
    EvalRunExists,
)
FORESEEN = {200: ResponseSpec(Forecast, description="What it would use", generate_examples=False)}


class NewReplay(Wire, frozen=True, rename="camel"):
    """Without `agent` it is the golden's own, as it is now or in its `version`. `baseline` is whose replays it is compared with;
    without it, the golden's agent as it was; `none` compares with nobody. Where the baseline has too few that were made in the
    same way, the run makes them. With `dryRun` nothing is begun, and the answer is what it
    would use."""

    golden_session_id: UUID
    agent: AgentName | None = None
    version: VersionNumber | None = None
    baseline: OfAgent | Literal["none"] | None = None
    repeats: Repeats = 1
    mode: Mode = Mode.HYBRID
    context: Context = Context.SNAPSHOT
    margin: Margin = MARGIN
    max_cost: Dollars | None = None
    name: RunName | None = None
    id: UUID | None = None
    dry_run: bool = False


class NewSetRun(Wire, frozen=True, rename="camel"):
    """As a replay of each golden of the set by each of the agents, of which one that is named twice is one. The verdict is about
    the first one. Without `agents` it is the goldens' own, where all have the same. With `dryRun` nothing
    is begun, and the answer is what it would use."""

    set_name: SetName
    agents: Annotated[list[OfAgent], msgspec.Meta(max_length=MOST_AGENTS)] = msgspec.field(
        default_factory=list
    )
    baseline: OfAgent | Literal["none"] | None = None
    repeats: Repeats = 3
    mode: Mode = Mode.HYBRID
    context: Context = Context.SNAPSHOT
    margin: Margin = MARGIN
    max_cost: Dollars | None = None
    trigger: Trigger = Trigger.MANUAL
    name: RunName | None = None
    commit_sha: Commit | None = None
    id: UUID | None = None
    dry_run: bool = False


@post(
    "/runs",
    opt=RUNNING,
    status_code=202,
    responses=problems(GoldenNotFound, *FAULTS, body=True) | FORESEEN,
    summary="Replay a golden",
)
async def replay_golden(data: JSONBody[NewReplay], db: Db, actor: Who) -> Response[EvalRun | Forecast]:
    new = NewRun(
        golden_id=data.golden_session_id,
        agents=[NamedAgent(data.agent, data.version)] if data.agent else [],
        version=data.version,
        baseline=named(data.baseline) if isinstance(data.baseline, OfAgent) else None,
        compares=data.baseline != "none",
        repeats=data.repeats,
        mode=data.mode,
        context=ReplayContext(data.context),
        margin=data.margin,
        max_cost=data.max_cost,
        name=data.name,
        id=data.id,
    )
    return await _begin_or_foresee(db, actor, new, data.dry_run)


async def _begin_or_foresee(
    db: Database, actor: Actor, new: NewRun, dry_run: bool
) -> Response[EvalRun | Forecast]:
    async with db.tx(actor) as tx:
        if dry_run:
            return Response(await service.foresee(tx, new), status_code=200)
        return Response(await service.begin(tx, new), status_code=202)


@post(
    "/runs/set",
    opt=RUNNING,
    status_code=202,
    responses=problems(GoldenSetNotFound, AgentsDiffer, *FAULTS, body=True) | FORESEEN,
    summary="Replay every golden of a set",
)
async def replay_set(data: JSONBody[NewSetRun], db: Db, actor: Who) -> Response[EvalRun | Forecast]:
    new = NewRun(
        set_name=data.set_name,
        agents=[named(each) for each in data.agents],
        baseline=named(data.baseline) if isinstance(data.baseline, OfAgent) else None,
        compares=data.baseline != "none",
        repeats=data.repeats,
        mode=data.mode,
        context=ReplayContext(data.context),
        margin=data.margin,
        max_cost=data.max_cost,
        trigger=data.trigger,
        name=data.name,
        commit_sha=data.commit_sha,
        id=data.id,
    )
    return await _begin_or_foresee(db, actor, new, data.dry_run)


@get("/runs", opt=READING, responses=problems(), summary="List eval runs, newest first")
async def list_eval_runs(
    db: Db,
    actor: Who,
    set_name: Annotated[str | None, QueryParameter(name="set", max_length=100)] = None,
    agent: Annotated[str | None, QueryParameter(max_length=100)] = None,
    status: FromQuery[RunState | None] = None,
    verdict: FromQuery[Verdict | None] = None,
    kind: FromQuery[RunKind | None] = None,
    waits: FromQuery[bool | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[EvalRun]:
    """`set` is the name of one, `agent` the slug or id of the first agent of the run."""
    async with db.tx(actor) as tx:
        return (
            await overview.list_runs(tx, set_name, agent, status, verdict, kind, waits, cursor, limit)
        ).sent()


@get(
    "/runs/{eval_run_id:uuid}",
    opt=READING,
    responses=problems(EvalRunNotFound),
    summary="Show an eval run with what it came to",
)
async def show_eval_run(eval_run_id: PathId, db: Db, actor: Who) -> EvalRunDetail:
    async with db.tx(actor) as tx:
        return await service.access(tx, eval_run_id)


@get(
    "/runs/{eval_run_id:uuid}/replays",
    opt=READING,
    responses=problems(EvalRunNotFound),
    summary="List the replays of an eval run",
)
async def list_run_replays(
    eval_run_id: PathId,
    db: Db,
    actor: Who,
    golden_id: Annotated[UUID | None, QueryParameter(name="goldenId")] = None,
    agent_id: Annotated[UUID | None, QueryParameter(name="agentId")] = None,
    outcome: FromQuery[ReplayOutcome | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Replay]:
    async with db.tx(actor) as tx:
        return await service.list_replays(
            tx, eval_run_id, ReplayFilter(golden_id, agent_id, outcome), cursor, limit
        )


@post(
    "/runs/{eval_run_id:uuid}/cancel",
    opt=RUNNING,
    status_code=200,
    responses=problems(EvalRunNotFound, EvalRunEnded),
    summary="Stop an eval run",
)
async def cancel_eval_run(eval_run_id: PathId, db: Db, actor: Who) -> EvalRunDetail:
    """What is compared stays. Stopping it again changes nothing."""
    async with db.tx(actor) as tx:
        return await service.cancel(tx, eval_run_id)


@post(
    "/runs/{eval_run_id:uuid}/seen",
    opt=RUNNING,
    status_code=200,
    responses=problems(EvalRunNotFound),
    summary="Say that somebody has looked at a regression",
)
async def see_eval_run(eval_run_id: PathId, db: Db, actor: Who) -> EvalRunDetail:
    async with db.tx(actor) as tx:
        return await service.see(tx, eval_run_id)


@get(
    "/replays/{replay_id:uuid}",
    opt=READING,
    responses=problems(ReplayNotFound),
    summary="Show a replay with its comparison",
)
async def show_replay(replay_id: PathId, db: Db, actor: Who) -> ReplayDetail:
    async with db.tx(actor) as tx:
        return await service.access_replay(tx, replay_id)


@get(
    "/matrix",
    opt=READING,
    responses=problems(GoldenSetNotFound),
    summary="How agents did on each golden of a set",
)
async def show_matrix(
    db: Db,
    actor: Who,
    set_name: Annotated[str, QueryParameter(name="set", max_length=100)],
    mode: FromQuery[Mode | None] = None,
    context: FromQuery[Context | None] = None,
) -> EvalMatrix:
    """The newest repeats of each agent version that was tried last, of one mode and context: without them those of the newest
    run."""
    async with db.tx(actor) as tx:
        return await overview.show_matrix(tx, set_name, mode, context)


@get(
    "/trend",
    opt=READING,
    responses=problems(GoldenSetNotFound),
    summary="How runs of a set went over time, newest first",
)
async def list_trend(
    db: Db,
    actor: Who,
    set_name: Annotated[str, QueryParameter(name="set", max_length=100)],
    agent: Annotated[str | None, QueryParameter(max_length=100)] = None,
    limit: TrendLimit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[TrendPoint]:
    async with db.tx(actor) as tx:
        return await overview.list_trend(tx, set_name, agent, cursor, limit)


router = Router(
    "/api/admin/evals",
    route_handlers=[
        replay_golden,
        replay_set,
        list_eval_runs,
        show_eval_run,
        list_run_replays,
        cancel_eval_run,
        see_eval_run,
        show_replay,
        show_matrix,
        list_trend,
    ],
    tags=["evals"],
)
