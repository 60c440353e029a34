"""Events of runs over the records of a workspace."""

from goldloop.artifact_runs.permissions import ARTIFACT_EVALS_READ
from goldloop.kit.events import Payload, declare, topic

ARTIFACT_EVAL_RUNS = topic("artifact_eval_runs", read_by=ARTIFACT_EVALS_READ)


class OfRun(Payload, frozen=True, kw_only=True):
    """`total` records there are, `done` of them were judged, and `passed` passed."""

    suite: str
    total: int
    done: int
    passed: int


class OfSuite(Payload, frozen=True, kw_only=True):
    suite: str


SUITE_CHANGED = declare(
    "artifact_eval_suite.changed",
    topic=ARTIFACT_EVAL_RUNS,
    subject="workspace",
    payload=OfSuite,
    when="The workspace shows a suite or hides it, or leaves dimensions out of it",
)
STARTED = declare(
    "artifact_eval_run.started",
    topic=ARTIFACT_EVAL_RUNS,
    subject="run",
    payload=OfRun,
    when="A run was queued",
)
DONE = declare(
    "artifact_eval_run.done",
    topic=ARTIFACT_EVAL_RUNS,
    subject="run",
    payload=OfRun,
    when="A run has judged all records",
)
FAILED = declare(
    "artifact_eval_run.failed",
    topic=ARTIFACT_EVAL_RUNS,
    subject="run",
    payload=OfRun,
    when="A run ended early, and says why",
)
CANCELLED = declare(
    "artifact_eval_run.cancelled",
    topic=ARTIFACT_EVAL_RUNS,
    subject="run",
    payload=OfRun,
    when="Somebody stopped a run",
)
