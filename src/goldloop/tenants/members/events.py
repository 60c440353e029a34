"""Events of members, and of how they sign in. An account is in no workspace: what happens to it is told in each that it opens."""

from typing import Literal

from goldloop.kit.events import NoPayload, Payload, declare, topic
from goldloop.tenants.model import Role
from goldloop.tenants.permissions import MEMBERS_MANAGE, MEMBERS_READ

MEMBERS = topic("members", read_by=MEMBERS_READ)
SIGN_INS = topic("sign_ins", read_by=MEMBERS_MANAGE)


class WithRole(Payload, frozen=True, kw_only=True):
    role: Role


class RoleChanged(Payload, frozen=True, kw_only=True):
    role: Role
    role_before: Role


class SignedIn(Payload, frozen=True, kw_only=True):
    """`method` is password, provider or link; `provider` is the one's name, else null."""

    method: Literal["password", "provider", "link"]
    provider: str | None


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
SIGNED_IN = declare(
    "member.signed_in",
    topic=SIGN_INS,
    subject="member",
    payload=SignedIn,
    when="A member opened a session, which opens this workspace as well",
)
PASSWORD_CHANGED = declare(
    "member.password_changed",
    topic=SIGN_INS,
    subject="member",
    payload=NoPayload,
    when="A member changed the password of their account",
)
RESET_USED = declare(
    "member.reset_used",
    topic=SIGN_INS,
    subject="member",
    payload=NoPayload,
    when="Somebody set a member's password by a link to a new one",
)
FACTOR_ADDED = declare(
    "member.second_factor_added",
    topic=SIGN_INS,
    subject="member",
    payload=NoPayload,
    when="A member's password needs a code of a second factor from now on",
)
FACTOR_REMOVED = declare(
    "member.second_factor_removed",
    topic=SIGN_INS,
    subject="member",
    payload=NoPayload,
    when="A member took their second factor away",
)
