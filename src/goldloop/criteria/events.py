"""Events of criteria sets."""

from goldloop.criteria.permissions import CRITERIA_SETS_READ
from goldloop.kit.events import Payload, declare, topic

CRITERIA_SETS = topic("criteria_sets", read_by=CRITERIA_SETS_READ)


class OfSet(Payload, frozen=True, kw_only=True):
    slug: str


CREATED = declare(
    "criteria_set.created",
    topic=CRITERIA_SETS,
    subject="criteria set",
    payload=OfSet,
    when="A criteria set was defined, by somebody or as the default set of a type",
)
CHANGED = declare(
    "criteria_set.changed",
    topic=CRITERIA_SETS,
    subject="criteria set",
    payload=OfSet,
    when="A criteria set has a new version",
)
ARCHIVED = declare(
    "criteria_set.archived",
    topic=CRITERIA_SETS,
    subject="criteria set",
    payload=OfSet,
    when="A criteria set takes no more responses",
)
REMOVED = declare(
    "criteria_set.removed",
    topic=CRITERIA_SETS,
    subject="criteria set",
    payload=OfSet,
    when="A criteria set that nobody used was deleted, or a default set went with its type",
)
