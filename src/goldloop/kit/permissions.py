"""Permissions, and when a set of grants allows one. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache


def covers(grant: str, permission: str) -> bool:
    """Whether `grant` (`resource.scope.action`, `*` for any one segment) includes all of `permission`."""
    have, want = grant.split("."), permission.split(".")
    return len(have) == len(want) and all(h == w or h == "*" for h, w in zip(have, want, strict=True))


@dataclass(frozen=True, slots=True)
class Permissions:
    """The grants of a role, narrowed by the scopes of a key (None: not narrowed)."""

    grants: frozenset[str]
    scopes: frozenset[str] | None = None
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.grants, self.scopes)))

    def __hash__(self) -> int:
        return self._hash

    def allow(self, permission: str) -> bool:
        return _allow(self, permission)

    def listed(self) -> list[str]:
        """The resulting patterns, as shown to clients: a scope that no grant covers is left out."""
        if self.scopes is None:
            return sorted(self.grants)
        return sorted(_meets(self.grants, self.scopes))


@lru_cache(maxsize=4096)  # every request asks several times, and always the same few questions
def _allow(permissions: Permissions, permission: str) -> bool:
    granted = any(covers(grant, permission) for grant in permissions.grants)
    return granted and (
        permissions.scopes is None or any(covers(scope, permission) for scope in permissions.scopes)
    )


def _meets(grants: Iterable[str], scopes: Iterable[str]) -> set[str]:
    scopes = list(scopes)
    return {m for g in grants for s in scopes if (m := _meet(g, s)) is not None}


def _meet(grant: str, scope: str) -> str | None:
    """The narrower of two patterns segment by segment, None where they exclude each other."""
    segments = []
    for g, s in zip(grant.split("."), scope.split("."), strict=False):
        if g != s and "*" not in (g, s):
            return None
        segments.append(s if g == "*" else g)
    return ".".join(segments)
