"""Events of goldens."""

from uuid import UUID

from goldloop.goldens.permissions import EVALS_READ
from goldloop.kit.events import Payload, declare, topic

GOLDENS = topic("goldens", read_by=EVALS_READ)


class GoldenPromoted(Payload, frozen=True, kw_only=True):
    """`floor` is whether its noise floor is to be measured at once."""

    golden_id: UUID
    set: str
    floor: bool


class GoldenChanged(Payload, frozen=True, kw_only=True):
    """`compared` is whether replays are compared otherwise from now on, which is a new `revision`."""

    golden_id: UUID
    set: str
    revision: int
    compared: bool


class GoldenRevoked(Payload, frozen=True, kw_only=True):
    golden_id: UUID
    set: str


class GoldenSetRenamed(Payload, frozen=True, kw_only=True):
    name: str
    name_before: str


PROMOTED = declare(
    "golden.promoted",
    topic=GOLDENS,
    subject="golden",
    payload=GoldenPromoted,
    when="A session became one that others are held to",
)
CHANGED = declare(
    "golden.changed",
    topic=GOLDENS,
    subject="golden",
    payload=GoldenChanged,
    when="A golden went to another set, or its note or what replays of it are held to was changed",
)
REVOKED = declare(
    "golden.revoked",
    topic=GOLDENS,
    subject="golden",
    payload=GoldenRevoked,
    when="A golden is an ordinary session again",
)
RENAMED = declare(
    "golden_set.renamed",
    topic=GOLDENS,
    subject="golden_set",
    payload=GoldenSetRenamed,
    when="A set of goldens has another name",
)
