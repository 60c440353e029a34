"""Who may hear that something changed: the table."""

import pytest

import goldloop.concepts  # noqa: F401  registers topics
from goldloop.kit.permissions import Permissions
from goldloop.live.service import readable_topics
from goldloop.tenants import roles
from goldloop.tenants.model import Role

NOBODY = Permissions(grants=frozenset())


@pytest.mark.parametrize(
    ("topics", "permissions", "readable"),
    [
        (set(), roles.SYSTEM, []),
        ({"jobs"}, NOBODY, []),
        ({"jobs"}, roles.permissions(Role.VIEWER), ["jobs"]),
        ({"keys"}, roles.permissions(Role.VIEWER), []),
        ({"keys"}, roles.permissions(Role.REVIEWER), []),
        ({"keys"}, roles.permissions(Role.ADMIN), ["keys"]),
        ({"members", "keys", "agents"}, roles.permissions(Role.VIEWER), ["agents", "members"]),
        ({"members", "keys", "agents"}, roles.permissions(Role.OWNER), ["agents", "keys", "members"]),
        ({"jobs", "members"}, roles.permissions(Role.ADMIN, ["jobs.team.read"]), ["jobs"]),
        (
            {"keys"},
            roles.permissions(Role.VIEWER, ["keys.team.manage"]),
            [],
        ),  # a scope adds nothing to a role
        ({"jobs"}, roles.permissions(Role.OWNER, []), []),
        ({"weather"}, roles.SYSTEM, []),  # nobody said who may hear of it
        ({"weather", "jobs"}, roles.SYSTEM, ["jobs"]),
    ],
)
def test_a_reader_hears_what_they_may_read(
    topics: set[str], permissions: Permissions, readable: list[str]
) -> None:
    assert readable_topics(topics, permissions) == readable
