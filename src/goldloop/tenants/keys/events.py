"""Events of API keys."""

from goldloop.kit.events import NoPayload, Payload, declare, topic
from goldloop.tenants.permissions import KEYS_MANAGE

KEYS = topic("keys", read_by=KEYS_MANAGE)


class KeyCreated(Payload, frozen=True, kw_only=True):
    name: str


CREATED = declare("key.created", topic=KEYS, subject="key", payload=KeyCreated, when="A key was made")
REVOKED = declare(
    "key.revoked", topic=KEYS, subject="key", payload=NoPayload, when="A key was stopped for good"
)
