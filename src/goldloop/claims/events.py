"""Events of claims."""

from goldloop.entities.records.events import ENTITIES
from goldloop.kit.events import NoPayload, Payload, declare


class Aggregated(Payload, frozen=True, kw_only=True):
    """`version` is that of the record since."""

    source_count: int
    source_quality_avg: float | None
    version: int


SETTINGS_CHANGED = declare(
    "claim_settings.changed",
    topic=ENTITIES,
    subject="workspace",
    payload=NoPayload,
    when="The workspace says otherwise what a source is and what makes it good",
)
AGGREGATED = declare(
    "claim.aggregated",
    topic=ENTITIES,
    subject="record",
    payload=Aggregated,
    when="A claim was counted, and its numbers changed",
)
