"""Types of authentication: the holder of an API key, and a person who has signed in."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.kit.db import Actor

KEY_PREFIX = "gl_"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHolder:
    actor: Actor
    tenant_slug: str
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """An account with a session; `actor` is who they are in the workspace, None when they are in no (such) one."""

    account_id: UUID
    email: str
    name: str
    expires_at: datetime
    workspaces: list[dict[str, Any]]
    actor: Actor | None
