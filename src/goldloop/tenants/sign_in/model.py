"""Types of sign-in: where a visitor comes from, sessions, links to a new password."""

from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.outside import Port

# Whether people may sign in with a password, by the installation's settings.
PASSWORDS: Port[bool] = Port("passwords")

Method = Literal["password", "provider", "link"]


class Visit(NamedTuple):
    """Where a request to sign in comes from: a network address, and what the browser calls itself."""

    client: str
    device: str


class Opening(NamedTuple):
    """What is known of a sign-in session when it is opened. `id_token` is sealed."""

    account_id: UUID
    expires_at: datetime
    visit: Visit
    method: Method = "password"
    provider: str | None = None
    id_token: bytes | None = None


class SignIn(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in session, as its person sees it. `device` is what the browser called itself, `client` the network address
    that it was used from last."""

    id: UUID
    method: Method
    provider: str | None
    device: str
    client: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    is_current: bool


class ResetLink(NamedTuple):
    """Whoever holds the token may set a new password. It is good once."""

    token: str
    expires_at: datetime
