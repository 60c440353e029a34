"""Types and errors of workspaces, people, agents and keys."""

from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, Forbidden, NotFound, TooManyRequests, Unauthenticated


class Role(StrEnum):
    VIEWER = "viewer"
    CONTRIBUTOR = "contributor"
    REVIEWER = "reviewer"
    ADMIN = "admin"
    OWNER = "owner"


class KeyStatus(StrEnum):
    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


class InvalidCredentials(Unauthenticated):
    code, title = "invalid_credentials", "The address or the password is not right"


class TooManyAttempts(TooManyRequests):
    code, title = "too_many_attempts", "Too many sign-in attempts"


class InviteNotFound(NotFound):
    code, title = "invite_not_found", "This invitation is not valid any more"


class MemberNotFound(NotFound):
    code, title = "member_not_found", "There is no such member in this workspace"


class MemberExists(Conflict):
    code, title = "member_exists", "This person is already a member"


class InviteForAnother(Conflict):
    code, title = (
        "invite_for_another",
        "This invitation is for another address than the one that is signed in",
    )


class SeveralAccounts(Conflict):
    code, title = "several_accounts", "This address has several accounts"


class LastOwner(Conflict):
    code, title = "last_owner", "A workspace keeps at least one owner"


class AlreadyJoined(Conflict):
    code, title = "already_joined", "This person has joined already"


class RoleTooHigh(Forbidden):
    code, title = "role_too_high", "Nobody gives, changes or takes a role above their own"


class AgentNotFound(NotFound):
    code, title = "agent_not_found", "There is no such agent in this workspace"


class AgentExists(Conflict):
    code, title = "agent_exists", "This id or slug is taken, or the agent has other content"


class SystemAgentStays(Conflict):
    code, title = "system_agent", "Every workspace has this agent: it is not switched off"


class KeyNotFound(NotFound):
    code, title = "key_not_found", "There is no such API key in this workspace"


class KeyExists(Conflict):
    code, title = "key_exists", "An API key with this id exists with other content"


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    slug: str
    name: str
    created_at: datetime


class Party(msgspec.Struct, frozen=True, kw_only=True):
    """A user, an agent or the system, as shown beside what they did."""

    kind: Literal["user", "agent", "system"]
    id: UUID | None
    name: str | None


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in a workspace. Id, address and name are this workspace's own, and say nothing of their account."""

    user_id: UUID
    email: str
    name: str
    role: Role
    status: Literal["active", "invited"]
    created_at: datetime


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """One that `is_system` is in every workspace, and stays active."""

    id: UUID
    slug: str
    name: str
    description: str
    active: bool
    is_system: bool
    created_at: datetime
    created_by: Party


class ApiKey(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a key but its secret."""

    id: UUID
    name: str
    prefix: str
    role: Role
    scopes: list[str] | None
    holder: Party
    created_at: datetime
    created_by: Party
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    status: KeyStatus
