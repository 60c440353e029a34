"""Types and errors of experiments."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.row_evidence import RowBasis, RowLabel
from goldloop.evals.stats.row_values import NoValue
from goldloop.goldens.runs.model import MOST_REPLAYS, Camel, RunAgent
from goldloop.kit.errors import Conflict, GoldloopError, NotFound
from goldloop.knowledge.model import KnowledgeState, KnowledgeType, Staleness
from goldloop.tenants.model import Party

MOST_ROWS = 40  # of an experiment: no prompt holds more of them, and each costs power
MOST_PAIRS = 500  # of one row
REPLAYS = 240  # of which twelve rows show an effect of 20 points two times in three
PAIRS = 40  # for each row that is confirmed

WantedReplays = Annotated[int, msgspec.Meta(ge=2, le=MOST_REPLAYS)]
WantedPairs = Annotated[int, msgspec.Meta(ge=1, le=MOST_PAIRS)]


class ExperimentNotFound(NotFound):
    code, title = "experiment_not_found", "There is no such experiment in this workspace"


class ExperimentExists(Conflict):
    code, title = "experiment_exists", "There is an experiment with this id that was begun for something else"


class ExperimentEnded(Conflict):
    code, title = "experiment_ended", "This experiment has ended"


class NoRows(GoldloopError):
    status, code = 422, "no_rows"
    title = "No knowledge applies to these goldens: there is nothing to measure"


class RowNotApplicable(GoldloopError):
    status, code = 422, "row_not_applicable"
    title = "This knowledge is retired or rejected: it is not measured"


class ExperimentDesign(StrEnum):
    """With `halves` each replay has a random half of the rows that apply. With `pairs` each row is tried by itself: each golden is
    replayed with it and without it."""

    HALVES = "halves"
    PAIRS = "pairs"


class ExperimentState(StrEnum):
    """While it is `screening` all rows are measured together, while `confirming` those that showed an effect one at a time."""

    SCREENING = "screening"
    CONFIRMING = "confirming"
    COMPLETED = "completed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        return self in (ExperimentState.COMPLETED, ExperimentState.CANCELLED)


class EffectPower(Camel, frozen=True, kw_only=True):
    """How likely an experiment finds a row that changes the pass rate by `effect`, and how many replays it takes to find it in
    four cases of five; null where none would do. `power` is null where there are too few replays for any figure."""

    effect: float
    power: float | None
    replays_needed: int | None


class ExperimentForecast(Camel, frozen=True, kw_only=True):
    """What an experiment would use. Of `replays` that it counts `reused` are there; the others are `made`, with these `tokens` and this
    `cost`. `fewest` of them say something about the row that is known least, as one that is new: `power` is that of it. Each row that shows an effect takes up to `confirmation_replays_per_row` more, with about
    `confirmation_tokens_per_row` and `confirmation_cost_per_row`. `rows_left_out` apply
    and are not measured, as an experiment has only so many. `run_variance` is how much one golden's outcome varies from run to
    run, by the noise floors; null where they are unknown, which is reckoned as usual."""

    goldens: int
    rows: int
    rows_left_out: int
    replays: int
    reused: int
    made: int
    fewest: int
    confirmation_replays_per_row: int
    confirmation_tokens_per_row: int
    confirmation_cost_per_row: float | None
    tokens: int
    cost: float | None
    power: list[EffectPower]
    smallest_detectable: float | None
    run_variance: float | None


class ExperimentFindings(Camel, frozen=True, kw_only=True):
    """Rows by what was found, once there is something. `flagged` ones showed an effect that pairs have not confirmed yet."""

    measured: int
    harmful: int
    flagged: int
    no_effect_found: int
    unmeasured: int


class Experiment(Camel, frozen=True, kw_only=True):
    """Its id is that of its first run; `confirmation_id` is its second one, where rows are confirmed. `replays` are those that it
    makes, `done` those that are compared; `reused` were there before and count as well. `estimated_tokens` is what its replays were
    to use, `cost` what they did."""

    id: UUID
    name: str
    design: ExperimentDesign
    status: ExperimentState
    stopped: str | None
    set_id: UUID | None
    set_name: str
    set_version: int
    agent: RunAgent
    model: str | None
    mode: Mode
    goldens: int
    rows: int
    confirms: bool
    pairs: int
    confirmation_id: UUID | None
    replays: int
    done: int
    errors: int
    reused: int
    estimated_tokens: int
    cost: float | None
    max_cost: float | None
    findings: ExperimentFindings | None
    created_at: datetime
    ended_at: datetime | None
    created_by: Party


class PairsOfRow(Camel, frozen=True, kw_only=True):
    """Replays with a row beside replays without it. `wins` passed only with it, `losses` only without it. `lost_with` and
    `lost_without` decided nothing, and are in none of these pairs. `e_helps` and `e_harms` are e-values: 20 or more is evidence, and they
    may be looked at at any time."""

    goldens: int
    pairs: int
    wins: int
    losses: int
    lost_with: int
    lost_without: int
    e_helps: float
    e_harms: float


class ExperimentRow(Camel, frozen=True, kw_only=True):
    """What an experiment found about a row. `label` is null as long as nothing is known. `delta` is the change of the pass rate with
    the row, `low` and `high` its 95% interval, `n` the replays or pairs (`basis`) that it is known by; `present` of the replays that
    drew it had it, and `absent` had it not; of others that decided nothing `lost_present` had it and `lost_absent` had it not. Where
    nothing could be measured, `reason` says why, and there is no delta. `flagged` rows showed an effect, and are to be
    confirmed: `targeted` are goldens that the row was learnt from, `guard` all others. The row itself is as it is now: `changed` says that it says something else, and
    it is null in `type`, `content` and `state` where it is deleted."""

    row_id: UUID
    type: KnowledgeType | None
    content: str | None
    state: KnowledgeState | None
    changed: bool
    goldens: int
    tokens: int
    label: RowLabel | None
    reason: NoValue | None
    basis: RowBasis | None
    n: int
    present: int
    absent: int
    lost_present: int
    lost_absent: int
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted_p: float | None
    flagged: bool
    confirmed: bool
    targeted: PairsOfRow | None
    guard: PairsOfRow | None
    harm_excluded: float | None


class ExperimentDetail(Experiment, frozen=True, kw_only=True):
    """`tokens` are those that its replays used, null where none knows. `stale` is whether what it measured holds no more, and `stale_because` why: its agent has a newer version or another
    model, or its goldens are others."""

    tokens: int | None
    golden_ids: list[UUID]
    results: list[ExperimentRow]
    stale: bool
    stale_because: list[Staleness]
