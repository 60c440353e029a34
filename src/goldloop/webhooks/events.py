"""Events of webhooks. That something was sent is no fact of the workspace, and in the log of deliveries alone."""

from goldloop.kit.events import NoPayload, Payload, declare, topic
from goldloop.webhooks.model import SwitchedOff
from goldloop.webhooks.permissions import WEBHOOKS_MANAGE

WEBHOOKS = topic("webhooks", read_by=WEBHOOKS_MANAGE)


class OfWebhook(Payload, frozen=True, kw_only=True):
    """`url` is the scheme and the host of the address: the rest of one is often a secret of its receiver."""

    url: str


class WebhookSwitchedOff(OfWebhook, frozen=True, kw_only=True):
    """`reason` is failing or gone."""

    reason: SwitchedOff


CREATED = declare(
    "webhook.created",
    topic=WEBHOOKS,
    subject="webhook",
    payload=OfWebhook,
    when="Somebody named a receiver of events",
)
CHANGED = declare(
    "webhook.changed",
    topic=WEBHOOKS,
    subject="webhook",
    payload=OfWebhook,
    when="A webhook got another address, description or choice of events, or was switched on or off",
)
ROTATED = declare(
    "webhook.secret_rotated",
    topic=WEBHOOKS,
    subject="webhook",
    payload=NoPayload,
    when="A webhook got another secret",
)
SWITCHED_OFF = declare(
    "webhook.switched_off",
    topic=WEBHOOKS,
    subject="webhook",
    payload=WebhookSwitchedOff,
    when="The server switched a webhook off, since it failed for days or its receiver is gone",
)
REMOVED = declare(
    "webhook.removed", topic=WEBHOOKS, subject="webhook", payload=OfWebhook, when="A webhook was deleted"
)
PINGED = declare(
    "webhook.pinged",
    topic=WEBHOOKS,
    subject="webhook",
    payload=NoPayload,
    when="Somebody asked for a test; it is sent to that webhook alone, whatever it has chosen",
)
