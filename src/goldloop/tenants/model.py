"""Types and errors of workspaces, people, agents and keys."""

from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

import msgspec

from goldloop.kit.errors import (
    Conflict,
    Forbidden,
    NotFound,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
)


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


class PasswordsOff(Forbidden):
    code, title = "passwords_off", "Passwords are switched off here: sign in with one of the providers"


class SecondFactorNeeded(Unauthenticated):
    code, title = "second_factor_needed", "This account has a second factor: a code of it is needed as well"


class SecondFactorExists(Conflict):
    code, title = "second_factor_exists", "This account has a second factor already"


class NoSecondFactor(Conflict):
    code, title = "no_second_factor", "This account has no second factor"


class NoPassword(Conflict):
    code, title = "no_password", "This account has no password: its person signs in with a provider"


class ResetNotFound(NotFound):
    code, title = "reset_not_found", "This link is not valid any more"


class NotJoined(Conflict):
    code, title = "not_joined", "This person has not joined yet"


class SessionNotFound(NotFound):
    code, title = "sign_in_not_found", "There is no such sign-in of yours"


class ProviderNotFound(NotFound):
    code, title = "provider_not_found", "There is no such sign-in provider here"


class ProviderUnavailable(Unavailable):
    code, title = "provider_unavailable", "The sign-in provider cannot be reached or understood"


class SignInRefused(Forbidden):
    code, title = "sign_in_refused", "The provider did not let this person in, or what it sent is not valid"


class SignInExpired(Conflict):
    code, title = "sign_in_expired", "This sign-in took too long, or was finished already: begin again"


class EmailNotVerified(Forbidden):
    code, title = "email_not_verified", "The provider does not vouch for this person's address"


class NoAccess(Forbidden):
    code, title = "no_access", "This person has access to no workspace here"


class AccountExists(Conflict):
    code, title = "account_exists", "Somebody with this address signs in here in another way"


class IdentityTaken(Conflict):
    code, title = "identity_taken", "This identity is linked to another account"


class IdentityNotFound(NotFound):
    code, title = "identity_not_found", "There is no such identity linked to this account"


class LastWayIn(Conflict):
    code, title = "last_way_in", "This is the only way to sign in to this account"


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


class SignInWays(msgspec.Struct, frozen=True, kw_only=True):
    """How a member signs in; nothing of it before they joined."""

    password: bool
    second_factor: bool
    providers: list[str]


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in a workspace. Id, address and name are this workspace's own, and say nothing of their account
    but how it signs in. `role_from` is the provider whose claims decide about the role at each sign-in."""

    user_id: UUID
    email: str
    name: str
    role: Role
    status: Literal["active", "invited"]
    created_at: datetime
    sign_in: SignInWays
    role_from: str | None


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
