"""Events of judges. None tells what somebody said of a replay: who labels is not to know."""

from datetime import datetime
from uuid import UUID

from goldloop.goldens.permissions import EVALS_LABEL, EVALS_READ
from goldloop.kit.events import Payload, declare, topic

EVAL_JUDGES = topic("eval_judges", read_by=EVALS_READ)
EVAL_LABELS = topic("eval_labels", read_by=EVALS_LABEL)


class SampleDrawn(Payload, frozen=True, kw_only=True):
    judge_id: UUID
    size: int
    labels_each: int


class ReplayLabelled(Payload, frozen=True, kw_only=True):
    """`version` is 1 where it is the person's first label of the replay."""

    judge_id: UUID
    replay_id: UUID
    version: int


class SampleEnded(Payload, frozen=True, kw_only=True):
    """`labelled` of its `size` replays have as many labels as wanted."""

    judge_id: UUID
    size: int
    labelled: int


class LicenceIssued(Payload, frozen=True, kw_only=True):
    licence_id: UUID
    kappa: float
    low: float
    labelled: int
    expires_at: datetime


class LicenceWithdrawn(Payload, frozen=True, kw_only=True):
    licence_id: UUID


DRAWN = declare(
    "judge_sample.drawn",
    topic=EVAL_LABELS,
    subject="judge_sample",
    payload=SampleDrawn,
    when="Judged replays were drawn at random for people to label",
)
LABELLED = declare(
    "judge_sample.labelled",
    topic=EVAL_LABELS,
    subject="judge_sample",
    payload=ReplayLabelled,
    when="A person said whether a replay meets the rubric, or changed that",
)
ENDED = declare(
    "judge_sample.ended",
    topic=EVAL_LABELS,
    subject="judge_sample",
    payload=SampleEnded,
    when="All replays of a sample are labelled, or somebody ended it before that",
)
ISSUED = declare(
    "judge.licensed",
    topic=EVAL_JUDGES,
    subject="judge",
    payload=LicenceIssued,
    when="A person issued a licence to a judge",
)
WITHDRAWN = declare(
    "judge.licence_withdrawn",
    topic=EVAL_JUDGES,
    subject="judge",
    payload=LicenceWithdrawn,
    when="A person withdrew the licence of a judge",
)
