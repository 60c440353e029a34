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


class WithFactor(Payload, frozen=True, kw_only=True):
    """Whether the second factor goes as well."""

    second_factor: bool


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
SIGNED_OUT = declare(
    "member.signed_out",
    topic=MEMBERS,
    subject="member",
    payload=NoPayload,
    when="A member was signed out everywhere by somebody who manages members",
)
RESET = declare(
    "member.reset",
    topic=MEMBERS,
    subject="member",
    payload=WithFactor,
    when="A member got a link to a new password",
)
