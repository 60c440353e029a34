"""Types of sign-in at a provider: providers, what they say of a person, and what a browser was sent there with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from goldloop.tenants.model import Role

EVERYBODY = "*"

Purpose = Literal["sign_in", "join", "link"]


class RoleRule(NamedTuple):
    """Who has this value among their claims has this role in this workspace."""

    value: str
    workspace: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """As the settings name it. `domains` are those that its people's addresses may have, all where none is named.
    `link_by_email` trusts it with the accounts of these addresses."""

    name: str
    label: str
    issuer: str
    client_id: str
    client_secret: str | None = field(repr=False)
    scopes: tuple[str, ...]
    domains: tuple[str, ...]
    roles: tuple[RoleRule, ...]
    roles_claim: str
    email_claim: str
    assume_verified: bool
    link_by_email: bool

    @property
    def workspaces(self) -> list[str]:
        """Those that its claims decide about."""
        return sorted({rule.workspace for rule in self.roles})


class Identity(NamedTuple):
    """Who somebody is at a provider, by what it signed: an address that it vouches for, a name, and a role in each
    workspace that they have one in."""

    provider: Provider
    issuer: str
    subject: str
    email: str
    name: str
    roles: Mapping[str, Role]


class SignInRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser was sent to a provider with, kept until it comes back. `browser` is the hash of its cookie."""

    provider: str
    purpose: Purpose
    browser: bytes
    nonce: str
    verifier: str
    next: str
    account_id: UUID | None = None  # to link to
    invite: bytes | None = None  # the hash of an invitation to use


class Answer(NamedTuple):
    """What a provider sent back with the browser."""

    state: str
    code: str | None
    error: str | None
    issuer: str | None
