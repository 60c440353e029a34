"""Events of API keys."""

from goldloop.kit.events import NoPayload, Payload, declare, topic
from goldloop.tenants import roles

KEYS = topic("keys", read_by=roles.KEYS_MANAGE)


class KeyCreated(Payload, frozen=True, kw_only=True):
    name: str


CREATED = declare("key.created", topic=KEYS, subject="key", payload=KeyCreated, when="A key was made")
REVOKED = declare(
    "key.revoked", topic=KEYS, subject="key", payload=NoPayload, when="A key was stopped for good"
)
