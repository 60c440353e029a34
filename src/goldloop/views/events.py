"""Events of views."""

from goldloop.kit.events import Payload, declare, topic
from goldloop.views.permissions import VIEWS_READ

VIEWS = topic("views", read_by=VIEWS_READ)


class OfView(Payload, frozen=True, kw_only=True):
    slug: str


CREATED = declare("view.created", topic=VIEWS, subject="view", payload=OfView, when="A view was laid out")
CHANGED = declare(
    "view.changed",
    topic=VIEWS,
    subject="view",
    payload=OfView,
    when="A view has another name or other blocks",
)
REMOVED = declare("view.removed", topic=VIEWS, subject="view", payload=OfView, when="A view was deleted")
