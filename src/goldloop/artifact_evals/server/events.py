"""Events of runs over the records of a workspace."""

from goldloop.kit.events import Payload, declare, topic
from goldloop.tenants import roles

KNOWLEDGE_RUNS = topic("knowledge_runs", read_by=roles.KNOWLEDGE_EVALS_READ)


class OfRun(Payload, frozen=True, kw_only=True):
    """`total` records there are, `done` of them were judged, and `passed` passed."""

    suite: str
    total: int
    done: int
    passed: int


STARTED = declare(
    "knowledge_run.started", topic=KNOWLEDGE_RUNS, subject="run", payload=OfRun, when="A run was queued"
)
DONE = declare(
    "knowledge_run.done",
    topic=KNOWLEDGE_RUNS,
    subject="run",
    payload=OfRun,
    when="A run has judged all records",
)
FAILED = declare(
    "knowledge_run.failed",
    topic=KNOWLEDGE_RUNS,
    subject="run",
    payload=OfRun,
    when="A run ended early, and says why",
)
CANCELLED = declare(
    "knowledge_run.cancelled",
    topic=KNOWLEDGE_RUNS,
    subject="run",
    payload=OfRun,
    when="Somebody stopped a run",
)
