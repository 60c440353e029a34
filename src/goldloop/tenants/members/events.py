"""Events of members."""

from goldloop.kit.events import NoPayload, Payload, declare, topic
from goldloop.tenants.model import Role
from goldloop.tenants.permissions import MEMBERS_READ

MEMBERS = topic("members", read_by=MEMBERS_READ)


class WithRole(Payload, frozen=True, kw_only=True):
    role: Role


class RoleChanged(Payload, frozen=True, kw_only=True):
    role: Role
    role_before: Role


ADDED = declare(
    "member.added", topic=MEMBERS, subject="member", payload=WithRole, when="Somebody was invited"
)
JOINED = declare(
    "member.joined", topic=MEMBERS, subject="member", payload=NoPayload, when="Somebody used their invitation"
)
CHANGED = declare(
    "member.changed", topic=MEMBERS, subject="member", payload=RoleChanged, when="A member got another role"
)
REMOVED = declare(
    "member.removed", topic=MEMBERS, subject="member", payload=NoPayload, when="A membership ended"
)
