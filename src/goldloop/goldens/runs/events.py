"""Events of eval runs."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.goldens.permissions import EVALS_READ
from goldloop.goldens.runs.model import RunKind, Trigger
from goldloop.kit.events import Payload, declare, topic

EVAL_RUNS = topic("eval_runs", read_by=EVALS_READ)


class OfRun(Payload, frozen=True, kw_only=True):
    set: str
    kind: RunKind
    trigger: Trigger
    agent_id: UUID
    agent_version: int
    replays: int


class RunEnded(OfRun, frozen=True, kw_only=True):
    """`verdict` is there where there was a baseline, `pass_rate` where a replay decided."""

    verdict: str | UnsetType = UNSET
    pass_rate: float | UnsetType = UNSET


class RunConfirmed(Payload, frozen=True, kw_only=True):
    set: str
    confirmed: bool


STARTED = declare(
    "eval_run.started",
    topic=EVAL_RUNS,
    subject="eval_run",
    payload=OfRun,
    when="Somebody, a schedule or a deployment began to replay goldens",
)
ENDED = declare(
    "eval_run.ended",
    topic=EVAL_RUNS,
    subject="eval_run",
    payload=RunEnded,
    when="All replays of a run are compared, or it was stopped",
)
CANCELLED = declare(
    "eval_run.cancelled",
    topic=EVAL_RUNS,
    subject="eval_run",
    payload=OfRun,
    when="Somebody stopped a run",
)
CONFIRMED = declare(
    "eval_run.confirmed",
    topic=EVAL_RUNS,
    subject="eval_run",
    payload=RunConfirmed,
    when="Fresh repeats have shown whether a regression is one",
)
