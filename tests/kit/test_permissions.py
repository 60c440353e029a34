"""What a grant covers, and how a key's scopes narrow what a role may do."""

import pytest

from goldloop.kit.permissions import Permissions, covers


@pytest.mark.parametrize(
    ("grant", "permission", "covered"),
    [
        ("agents.team.read", "agents.team.read", True),
        ("*.team.read", "agents.team.read", True),
        ("*.*.*", "agents.team.read", True),
        ("agents.*.read", "agents.own.read", True),
        ("*.team.read", "*.team.read", True),
        ("agents.team.read", "*.team.read", False),  # the wider is not within the narrower
        ("*.team.read", "agents.own.read", False),
        ("*.team.read", "agents.team.manage", False),
        ("agents.team.read", "agent.team.read", False),
        ("agents.team", "agents.team.read", False),
        ("agents.team.read", "agents.team", False),
        ("agents.team.*", "agents.team.read.more", False),
        ("*", "agents.team.read", False),  # `*` stands for one segment
        ("", "agents.team.read", False),
        ("", "", True),
    ],
)
def test_a_grant_covers_a_permission(grant: str, permission: str, covered: bool) -> None:
    assert covers(grant, permission) is covered


@pytest.mark.parametrize(
    ("grants", "scopes", "permission", "allowed"),
    [
        (set(), None, "agents.team.read", False),
        ({"*.team.read"}, None, "agents.team.read", True),
        ({"*.team.read"}, set(), "agents.team.read", False),
        ({"*.team.read"}, {"agents.team.read"}, "agents.team.read", True),
        ({"*.team.read"}, {"agents.team.read"}, "members.team.read", False),
        ({"*.team.read"}, {"agents.team.manage"}, "agents.team.manage", False),  # a scope grants nothing
        ({"*.team.read"}, {"*.*.*"}, "agents.team.manage", False),
        ({"a.team.read", "b.team.read"}, {"b.team.read", "c.team.read"}, "b.team.read", True),
    ],
)
def test_scopes_narrow_grants_and_never_widen_them(
    grants: set[str], scopes: set[str] | None, permission: str, allowed: bool
) -> None:
    permissions = Permissions(frozenset(grants), None if scopes is None else frozenset(scopes))
    assert permissions.allow(permission) is allowed


@pytest.mark.parametrize(
    ("grants", "scopes", "listed"),
    [
        (set(), None, []),
        ({"b.team.read", "a.team.read"}, None, ["a.team.read", "b.team.read"]),
        ({"*.team.read"}, set(), []),
        ({"*.team.read"}, {"agents.team.read"}, ["agents.team.read"]),
        ({"agents.team.read"}, {"*.team.read"}, ["agents.team.read"]),
        ({"*.team.read"}, {"agents.*.*"}, ["agents.team.read"]),
        ({"agents.team.read"}, {"keys.team.manage"}, []),
        ({"*.team.read", "agents.team.read"}, {"agents.*.read"}, ["agents.team.read"]),
    ],
)
def test_what_is_listed_is_where_grants_and_scopes_meet(
    grants: set[str], scopes: set[str] | None, listed: list[str]
) -> None:
    assert Permissions(frozenset(grants), None if scopes is None else frozenset(scopes)).listed() == listed


def test_whatever_is_listed_is_allowed() -> None:
    permissions = Permissions(
        frozenset({"*.team.read", "feedback.own.create", "keys.team.manage"}),
        frozenset({"*.*.read", "feedback.*.*"}),
    )
    assert permissions.listed() == ["*.team.read", "feedback.own.create", "feedback.team.read"]
    assert all(permissions.allow(permission) for permission in permissions.listed())
