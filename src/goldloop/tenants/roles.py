"""The single source of which role has which permission. Each concept declares its own in its `permissions.py`. Pure."""

from goldloop.kit.permissions import Permissions, covers
from goldloop.tenants.model import Role

READ = "*.team.read"

_RANK = {role: rank for rank, role in enumerate(Role)}

GRANTS: dict[Role, frozenset[str]] = {role: frozenset({READ}) for role in Role}
SCOPES: dict[str, str] = {READ: "Read everything that the role may read"}


def declare(permission: str, *, since: Role | None = None, scope: str | None = None) -> str:
    """Register a permission. `since` is the lowest role that has it, as all above do; None where reading covers it.
    `scope` says what a key that is narrowed to it may do, where one can be."""
    for role in Role:
        if since is not None and at_most(since, role):
            GRANTS[role] |= {permission}
    if scope is not None:
        SCOPES[permission] = scope
    return permission


def lower(one: Role, other: Role) -> Role:
    return min(one, other, key=_RANK.__getitem__)


def at_most(role: Role, ceiling: Role) -> bool:
    return _RANK[role] <= _RANK[ceiling]


def permissions(role: Role, scopes: list[str] | None = None) -> Permissions:
    return Permissions(grants=GRANTS[role], scopes=None if scopes is None else frozenset(scopes))


SYSTEM = Permissions(grants=frozenset({"*.*.*"}))


def may_give(role: Role, own: Role, narrowed: frozenset[str] | None) -> bool:
    """Whether somebody of role `own`, acting through a key with the scopes `narrowed`, may give `role`: nobody
    grants more than they have."""
    covered = narrowed is None or all(
        any(covers(scope, grant) for scope in narrowed) for grant in GRANTS[role]
    )
    return covered and at_most(role, own)


def unknown_scopes(scopes: list[str]) -> list[int]:
    """The indexes of scopes that no role grants, which are typing errors."""
    granted = frozenset().union(*GRANTS.values())
    return [
        place
        for place, scope in enumerate(scopes)
        if not any(covers(g, scope) or covers(scope, g) for g in granted)
    ]


def scopes_beyond(scopes: list[str] | None, own: frozenset[str] | None) -> bool:
    """Whether a new key's scopes reach beyond those of the key that makes it."""
    if own is None:
        return False
    return scopes is None or not all(any(covers(mine, s) for mine in own) for s in scopes)
