"""What a provider's claims make of a membership at a sign-in. Pure.

The mapping of the settings decides about the workspaces that it names. A membership that claims made follows them, up and
down, and ends with them. One that people made gets the role that claims give, keeps its own where they give none, and an
owner whom people made stays one.
"""

from typing import Literal, NamedTuple
from uuid import UUID

from goldloop.tenants.model import Role


class Standing(NamedTuple):
    """Who an account is in a workspace (`user_id`), and who else has its address there (`namesake`), without an account
    where they are invited."""

    slug: str
    tenant_id: UUID
    user_id: UUID | None
    role: Role | None
    provider: str | None
    namesake_id: UUID | None
    namesake_account: UUID | None


class Step(NamedTuple):
    kind: Literal["join", "change", "remove"]
    role: Role | None = None


def follow(standing: Standing, wanted: Role | None) -> Step | None:
    """What to do; None for nothing."""
    if standing.user_id is None:
        taken = standing.namesake_account is not None
        return None if wanted is None or taken else Step("join", wanted)
    if wanted is None:
        return Step("remove") if standing.provider else None
    by_people = standing.provider is None
    if standing.role is wanted or (by_people and standing.role is Role.OWNER):
        return None
    return Step("change", wanted)
