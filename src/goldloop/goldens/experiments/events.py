"""Events of experiments."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.goldens.experiments.model import ExperimentDesign
from goldloop.goldens.permissions import EVALS_READ
from goldloop.kit.events import Payload, declare, topic

EXPERIMENTS = topic("experiments", read_by=EVALS_READ)


class OfExperiment(Payload, frozen=True, kw_only=True):
    set: str
    design: ExperimentDesign
    agent_id: UUID
    agent_version: int
    rows: int
    replays: int


class ExperimentOver(OfExperiment, frozen=True, kw_only=True):
    """Rows by what was found."""

    measured: int | UnsetType = UNSET
    harmful: int | UnsetType = UNSET


STARTED = declare(
    "experiment.started",
    topic=EXPERIMENTS,
    subject="experiment",
    payload=OfExperiment,
    when="Somebody began to measure what knowledge is worth",
)
CONFIRMING = declare(
    "experiment.confirming",
    topic=EXPERIMENTS,
    subject="experiment",
    payload=OfExperiment,
    when="Rows of an experiment showed an effect, and are tried one at a time",
)
ENDED = declare(
    "experiment.ended",
    topic=EXPERIMENTS,
    subject="experiment",
    payload=ExperimentOver,
    when="What an experiment measured stands on its rows",
)
CANCELLED = declare(
    "experiment.cancelled",
    topic=EXPERIMENTS,
    subject="experiment",
    payload=OfExperiment,
    when="Somebody stopped an experiment, or its run",
)
