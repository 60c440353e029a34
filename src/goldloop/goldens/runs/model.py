"""Types and errors of eval runs and their replays."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.artifact_evals.rubric_scores import RubricScoreResult
from goldloop.evals.replay.tape import Mode
from goldloop.evals.reports.run_report import GoldenMove
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome
from goldloop.evals.stats.model import Verdict
from goldloop.goldens.judges.model import JudgedRate
from goldloop.kit.errors import Conflict, GoldloopError, NotFound
from goldloop.tenants.model import Party

MOST_REPLAYS = 5000  # of one run
MOST_AGENTS = 10
MOST_POINTS = 1000  # of a trend at once: years of nights, drawn as one line

AgentName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
VersionNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Repeats = Annotated[int, msgspec.Meta(ge=1, le=100)]
Margin = Annotated[float, msgspec.Meta(ge=0, le=1)]
Dollars = Annotated[float, msgspec.Meta(ge=0, le=1e6)]
SetName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class EvalRunNotFound(NotFound):
    code, title = "eval_run_not_found", "There is no such eval run in this workspace"


class ReplayNotFound(NotFound):
    code, title = "replay_not_found", "There is no such replay in this workspace"


class NoGoldens(GoldloopError):
    status, code, title = 422, "no_goldens", "There is no golden to replay"


class TooManyReplays(GoldloopError):
    status, code, title = 422, "too_many_replays", f"A run has at most {MOST_REPLAYS:,} replays"


class EvalRunExists(Conflict):
    code, title = "eval_run_exists", "There is a run with this id that was begun for something else"


class AgentsDiffer(GoldloopError):
    status, code = 422, "agents_differ"
    title = "The goldens are of different agents: say which agents are to be tried"


class CostUnknown(GoldloopError):
    status, code = 422, "cost_unknown"
    title = "None of these goldens knows what it cost, so nobody can say when a limit is reached"


class EvalRunEnded(Conflict):
    code, title = "eval_run_ended", "This run has ended"


class RunKind(StrEnum):
    """A `floor` is unchanged replays of new goldens, a `confirmation` fresh repeats after an alarm; an `experiment` measures what
    knowledge is worth, and says nothing about its agent."""

    RUN = "run"
    FLOOR = "floor"
    CONFIRMATION = "confirmation"
    EXPERIMENT = "experiment"


class Trigger(StrEnum):
    MANUAL = "manual"
    SCHEDULED = "scheduled"
    POST_DEPLOY = "post-deploy"


class RunState(StrEnum):
    RUNNING = "running"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class ReplayState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    COMPARED = "compared"
    CANCELLED = "cancelled"


class JudgingState(StrEnum):
    """`not_judged` is where nobody could be asked, `failed` where whoever was asked gave no answer that can be used."""

    PENDING = "pending"
    JUDGED = "judged"
    NOT_JUDGED = "not_judged"
    FAILED = "failed"


class Context(StrEnum):
    """What a replay's agent knows: what was known when the session was made golden, or what is known now."""

    SNAPSHOT = "snapshot"
    LIVE = "live"


class ReplayContext(StrEnum):
    """As a context; or a part of what is known now that was `drawn` for this replay, which is in an experiment."""

    SNAPSHOT = "snapshot"
    LIVE = "live"
    DRAWN = "drawn"


class Camel(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """As the routes of evals name things."""


class OfAgent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """By its slug or id; without `version` it is the newest."""

    agent: AgentName
    version: VersionNumber | None = None


class RunAgent(Camel, frozen=True, kw_only=True):
    id: UUID
    slug: str
    version: int


class Estimate(Camel, frozen=True, kw_only=True):
    """What a run will use, by what the goldens used. `baseline_replays` of its `replays` are made for the baseline, which has
    too few. `cost` is in US dollars, null where a golden does not know its own."""

    replays: int
    baseline_replays: int
    tokens: int
    cost: float | None


class Forecast(Estimate, frozen=True, kw_only=True):
    """What a run would use and beside whom. `compared` of its `goldens` have replays of the `baseline` already that were made in
    the same way; for the others the run makes them."""

    goldens: int
    baseline: RunAgent | None
    compared: int


class Passes(Camel, frozen=True, kw_only=True):
    passes: int
    runs: int


class GoldenReport(Camel, frozen=True, kw_only=True):
    """Of one golden and agent. `change` is no verdict: so few runs say nothing about one golden. `seconds` are those of all
    of its replays together."""

    golden_id: UUID
    change: GoldenMove
    outcomes: list[ReplayOutcome]
    baseline: Passes | None
    floor: NoiseFloor | None
    min_pass: float | None
    seconds: float | None
    accuracy: float | None
    divergence: str | None
    error: str | None


class ReplayUse(Camel, frozen=True, kw_only=True):
    """What one replay uses on average, each by those replays that know it."""

    tokens: float | None
    cost: float | None
    seconds: float | None


class Spread(Camel, frozen=True, kw_only=True):
    """How much of the spread of accuracy is the agent's from run to run, and how much lies between goldens."""

    agent: float | None
    case: float | None


class AgentReport(Camel, frozen=True, kw_only=True):
    """What a run came to for one agent. Everything about a difference is null without a baseline, whose
    replays use `baseline_use` each; `goldens_like_these` is the
    interval for goldens that might have been chosen instead. `adjusted_p` is for all agents of the run together."""

    agent: RunAgent
    baseline: RunAgent | None
    verdict: Verdict | None
    pass_rate: float | None
    pass_rate_low: float | None
    pass_rate_high: float | None
    difference: float | None
    low: float | None
    high: float | None
    goldens_like_these: tuple[float, float] | None
    mid_p: float | None
    adjusted_p: float | None
    smallest_detectable: float | None
    repeats_to_buy: int | None
    margin: float
    replays: int
    passed: int
    failed: int
    inconclusive: int
    errors: int
    missing: int
    changes: dict[str, int]
    spread: Spread | None
    tokens: int
    cost: float | None
    seconds: float | None
    use: ReplayUse
    baseline_use: ReplayUse | None
    goldens: list[GoldenReport]


class EvalRun(Camel, frozen=True, kw_only=True):
    """`verdict`, `pass_rate` and what is said about the difference are those of the first agent, once the run is over. `confirmed` says whether fresh repeats
    confirm an alarm; null where nobody asked them."""

    id: UUID
    name: str
    kind: RunKind
    trigger: Trigger
    set_id: UUID | None
    set_name: str
    set_version: int
    golden_id: UUID | None
    agents: list[RunAgent]
    baseline: RunAgent | None
    repeats: int
    mode: Mode
    context: ReplayContext
    margin: float
    max_cost: float | None
    estimate: Estimate
    status: RunState
    stopped: str | None
    replays: int
    done: int
    passed: int
    failed: int
    inconclusive: int
    errors: int
    cost: float | None
    pass_rate: float | None
    difference: float | None
    low: float | None
    high: float | None
    smallest_detectable: float | None
    verdict: Verdict | None
    confirms_id: UUID | None
    confirmed: bool | None
    waits: bool
    commit_sha: str | None
    created_at: datetime
    ended_at: datetime | None
    created_by: Party


class JudgeAgreement(Camel, frozen=True, kw_only=True):
    """How far a judge says of replays what their comparison says: Cohen's kappa, and its one-sided 95% lower bound. Null where
    all `replays` are alike."""

    replays: int
    kappa: float | None
    low: float | None


class RunJudging(Camel, frozen=True, kw_only=True):
    """Replays of a run by what became of judging them. `passed` are those of the judged ones that meet their rubric. `rates` are
    there for each judge and agent: as the judge says, and corrected for its errors. Where they are `withheld`, people label replays
    of the run, and figures would tell them what the judge says of each."""

    pending: int
    judged: int
    not_judged: int
    failed: int
    passed: int | None
    agreement: JudgeAgreement
    rates: list[JudgedRate]
    withheld: bool = False


class EvalRunDetail(EvalRun, frozen=True, kw_only=True):
    """`reports` are there once the run is over, one per agent. `judging` is there where a golden of the run had a criteria set;
    no verdict depends on it."""

    reports: list[AgentReport]
    judging: RunJudging | None


class Replay(Camel, frozen=True, kw_only=True):
    """One replay; its id is that of its session. `baseline` is whether it was made for the others to be compared with.
    `fidelity` is the share of its reads that were answered. One of an experiment has which knowledge was drawn from
    (`rows_applicable`) and which of it its prompt held; where it `measures` one row alone, it is one of a pair of its golden and
    repeat, of which the `baseline` is without that row."""

    id: UUID
    run_id: UUID
    golden_id: UUID
    revision: int
    agent: RunAgent
    repeat: int
    baseline: bool
    mode: Mode
    context: ReplayContext
    state: ReplayState
    outcome: ReplayOutcome | None
    accuracy: float | None
    fidelity: float | None
    divergence: str | None
    error: str | None
    tokens: int | None
    cost: float | None
    seconds: float | None
    ended_at: datetime | None
    manifest: str | None
    rows_applicable: list[UUID] | None
    rows_present: list[UUID] | None
    measures: UUID | None


class ReplayJudging(Camel, frozen=True, kw_only=True):
    """`reason` says why there is no judgement, where there is none; `session_id` is the session in which the judge was asked.
    Where it is `withheld`, people are labelling the replay, and nobody is told what the judge says."""

    state: JudgingState
    reason: str | None
    session_id: UUID | None
    withheld: bool


class ReplayDetail(Replay, frozen=True, kw_only=True):
    """`comparison` has every dimension with its reason, and the divergences in the order in which they matter. `judging` is
    there where its golden had a criteria set, and `rubric` once a judge has answered: advice, on which no outcome depends."""

    comparison: dict[str, Any] | None
    judging: ReplayJudging | None
    rubric: RubricScoreResult | None


class EvalMatrixCell(Camel, frozen=True, kw_only=True):
    """The newest repeats of one agent version on one golden, oldest of them first."""

    outcomes: list[ReplayOutcome]
    replay_ids: list[UUID]


class EvalMatrixRow(Camel, frozen=True, kw_only=True):
    """`cells` stand in the order of the matrix's agents; the floor is that of the agent as it was."""

    golden_id: UUID
    title: str
    floor: NoiseFloor | None
    floor_passes: int | None
    floor_runs: int | None
    cells: list[EvalMatrixCell]


class EvalMatrix(Camel, frozen=True, kw_only=True):
    """Goldens as they are now by agent versions, replayed in one `mode` and `context`. `truncated` says that the set has more
    goldens than are shown."""

    set: str
    set_version: int
    mode: Mode
    context: Context
    agents: list[RunAgent]
    goldens: list[EvalMatrixRow]
    truncated: bool


class TrendPoint(Camel, frozen=True, kw_only=True):
    """A run as a point in time. What the agent, the set or its knowledge were shows where the line breaks."""

    run_id: UUID
    agent: RunAgent
    set_version: int
    mode: Mode
    context: Context
    pass_rate: float | None
    pass_rate_low: float | None
    pass_rate_high: float | None
    verdict: Verdict | None
    confirmed: bool | None
    replays: int
    created_at: datetime
