"""Groups of feedback become proposals after the fact, and these follow them: when one is proposed, grows, shrinks or comes back,
when people decide about it or about feedback in it, and when they decide about what was made of it."""

from uuid import UUID

from goldloop.feedback.entries import events as feedback
from goldloop.feedback.groups import events
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import mark
from goldloop.knowledge.proposals import follow_service
from goldloop.knowledge.rows import derived_service
from goldloop.knowledge.rows import events as knowledge


@mark(derived_service.PROPOSE)
async def propose(tx: Tx, key: str) -> None:
    await follow_service.follow(tx, UUID(key))


def _groups_of(event: Event) -> list[str]:
    """The group that an event is about, and the others whose members have changed."""
    payload = event.payload
    others = [payload.get("merged_into_id"), payload.get("new_group_id")]
    many = [*payload.get("from_ids", []), *payload.get("other_ids", [])]
    return sorted({event.subject_id, *filter(None, others), *many})


for _event in (
    events.PROPOSED, events.GREW, events.SHRANK, events.RETURNED, events.DISMISSED, events.REOPENED, events.MERGED, events.SPLIT, events.ADDED,
):  # fmt: skip
    listen(_event.name, Listener(mark=derived_service.PROPOSE, keys=_groups_of))
listen(feedback.REVIEWED.name, Listener(act=follow_service.heed_review))
listen(feedback.REOPENED.name, Listener(act=follow_service.heed_reopening))
listen(knowledge.MOVED.name, Listener(act=follow_service.heed_decision))
