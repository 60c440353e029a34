"""Events of saved lists. They tell that one changed and not what it holds: a list that is not shared is its maker's."""

from goldloop.entities.permissions import ENTITIES_READ
from goldloop.kit.events import Payload, declare, topic

SAVED_LISTS = topic("saved_lists", read_by=ENTITIES_READ)


class OfList(Payload, frozen=True, kw_only=True):
    shared: bool


CREATED = declare(
    "saved_list.created",
    topic=SAVED_LISTS,
    subject="saved list",
    payload=OfList,
    when="Somebody saved a list of records",
)
CHANGED = declare(
    "saved_list.changed",
    topic=SAVED_LISTS,
    subject="saved list",
    payload=OfList,
    when="A saved list has another name or query, or is shared or no longer",
)
REMOVED = declare(
    "saved_list.removed",
    topic=SAVED_LISTS,
    subject="saved list",
    payload=OfList,
    when="A saved list was deleted",
)
