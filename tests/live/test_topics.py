"""Who may hear that something changed: the table."""

import re

import pytest

import goldloop.app  # noqa: F401  (whatever it serves has registered its topics)
from goldloop.kit.events import TOPICS
from goldloop.kit.permissions import Permissions
from goldloop.live.topics import readable_topics
from goldloop.migrations.files import PACKAGE
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


def test_every_topic_that_the_code_speaks_of_has_its_readers() -> None:
    spoken = set()
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.sql")]:
        spoken |= set(re.findall(r"\btopic=\"(\w+)\"|notify_change\('(\w+)'", path.read_text()))
    topics = {one or other for one, other in spoken}
    assert {"keys", "jobs"} <= topics
    assert topics <= TOPICS.keys(), "register it in the concept's events.py: topic(…, read_by=…)"
