"""The single source of who an actor is: whoever opens a transaction, and what everything that is written is recorded as."""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from goldloop.kit.at_once import settings_of, settings_sql
from goldloop.kit.errors import Forbidden
from goldloop.kit.permissions import Permissions
from goldloop.kit.request_origin import origin


class ActorKind(StrEnum):
    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts, in which tenant, and what they may do."""

    tenant_id: UUID
    kind: ActorKind
    id: UUID | None
    name: str
    permissions: Permissions
    key_id: UUID | None = None
    role: str = ""
    # What is known of an actor is looked up with every request.
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        whole = self.tenant_id, self.kind, self.id, self.name, self.permissions, self.key_id, self.role
        object.__setattr__(self, "_hash", hash(whole))

    def __hash__(self) -> int:
        return self._hash

    def check(self, permission: str) -> None:
        if not self.permissions.allow(permission):
            raise Forbidden(f"This needs the permission {permission}")

    def may(self, permission: str) -> bool:
        return self.permissions.allow(permission)

    def settings_sql(self) -> str:
        """The transaction's settings as SQL; every value is an id, an enum or a checked pattern."""
        return settings_sql(self)

    def settings(self) -> tuple[str, ...]:
        """The values of `SETTINGS`, in that order."""
        return settings_of(self)

    def origin(self) -> str:
        """By which key and from where it acts now."""
        return f"{self.key_id or ''}|{origin()}"
