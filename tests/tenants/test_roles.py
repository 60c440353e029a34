"""Who may what: the table of roles, how scopes narrow it, and that a key never outranks its person."""

import itertools
from typing import Any

import pytest

from goldloop.tenants import roles
from goldloop.tenants.model import Role
from tests.factories import Workspace

# One row per right: the lowest role that has it. Every role above has it too.
RIGHTS = [
    ("entities.team.read", Role.VIEWER),
    ("responses.team.read", Role.VIEWER),
    ("agents.team.read", Role.VIEWER),
    ("members.team.read", Role.VIEWER),
    ("jobs.team.read", Role.VIEWER),
    ("workspace.team.read", Role.VIEWER),
    ("feedback.own.read", Role.VIEWER),
    ("feedback.own.create", Role.VIEWER),
    ("saved_lists.own.manage", Role.VIEWER),
    ("memories.own.manage", Role.VIEWER),
    ("saved_lists.team.share", Role.CONTRIBUTOR),
    ("saved_lists.team.manage", Role.ADMIN),
    ("responses.team.create", Role.CONTRIBUTOR),
    ("entities.team.create", Role.CONTRIBUTOR),
    ("conversations.team.create", Role.CONTRIBUTOR),
    ("sessions.team.create", Role.CONTRIBUTOR),
    ("tasks.team.run", Role.CONTRIBUTOR),
    ("knowledge.team.create", Role.CONTRIBUTOR),
    ("reactions.own.create", Role.CONTRIBUTOR),
    ("entities.team.update", Role.REVIEWER),
    ("responses.team.review", Role.REVIEWER),
    ("reactions.team.settle", Role.REVIEWER),
    ("criteria_sets.team.manage", Role.ADMIN),
    ("entity_types.team.manage", Role.ADMIN),
    ("views.team.manage", Role.ADMIN),
    ("tasks.team.manage", Role.ADMIN),
    ("artifact_evals.team.manage", Role.ADMIN),
    ("members.team.manage", Role.ADMIN),
    ("keys.team.manage", Role.ADMIN),
    ("agents.team.manage", Role.ADMIN),
    ("agents.team.tune", Role.ADMIN),
    ("jobs.team.manage", Role.ADMIN),
    ("workspace.team.manage", Role.ADMIN),
    ("admin.team.manage", Role.ADMIN),
    ("feedback.team.review", Role.ADMIN),
    ("feedback.team.erase", Role.ADMIN),
    ("knowledge.team.manage", Role.ADMIN),
    ("evals.team.review", Role.ADMIN),
    ("evals.team.manage", Role.ADMIN),
    ("audit.team.review", Role.ADMIN),
    ("webhooks.team.manage", Role.ADMIN),
    ("judgings.team.review", Role.ADMIN),
    ("evals.team.label", Role.REVIEWER),
    ("erasures.team.manage", Role.ADMIN),
    ("limits.team.manage", Role.ADMIN),
    ("chain.team.retract", Role.REVIEWER),
    ("archives.team.manage", Role.ADMIN),
    ("workspace.team.own", Role.OWNER),
]
RANKS = [Role.VIEWER, Role.CONTRIBUTOR, Role.REVIEWER, Role.ADMIN, Role.OWNER]


@pytest.mark.parametrize(("permission", "lowest"), RIGHTS)
def test_a_right_starts_at_its_role_and_stays_with_those_above(permission: str, lowest: Role) -> None:
    having = [role for role in RANKS if roles.permissions(role).allow(permission)]
    assert having == RANKS[RANKS.index(lowest) :]


def test_the_table_above_is_all_that_roles_grant() -> None:
    granted = frozenset().union(*roles.GRANTS.values()) - {roles.READ}
    assert granted <= {permission for permission, _ in RIGHTS}


@pytest.mark.parametrize(
    "permission", ["feedback.team.create", "entities.team.delete", "agents.own.read", "workspace.team.delete"]
)
def test_what_no_role_grants_only_the_system_may(permission: str) -> None:
    assert not roles.permissions(Role.OWNER).allow(permission)
    assert roles.SYSTEM.allow(permission)


def test_every_scope_that_can_be_chosen_is_granted_to_somebody() -> None:
    assert roles.unknown_scopes(list(roles.SCOPES)) == []


@pytest.mark.parametrize(
    ("scopes", "unknown"),
    [
        ([], []),
        (["*.team.read"], []),
        (["agents.team.read"], []),  # within what a role grants
        (["*.*.*"], []),  # around it
        (["agents.team.mange"], [0]),
        (["*.team.read", "agent.team.manage", "keys.team.manage", "a.b.c"], [1, 3]),
    ],
)
def test_a_scope_that_no_role_grants_is_a_typing_error(scopes: list[str], unknown: list[int]) -> None:
    assert roles.unknown_scopes(scopes) == unknown


@pytest.mark.parametrize(
    ("scopes", "own", "beyond"),
    [
        (None, None, False),
        (["keys.team.manage"], None, False),
        (None, {"keys.team.manage"}, True),  # no scopes at all is everything
        (["keys.team.manage"], {"keys.team.manage"}, False),
        (["agents.team.read"], {"*.team.read"}, False),
        (["*.team.read"], {"agents.team.read"}, True),
        (["keys.team.manage", "agents.team.manage"], {"keys.team.manage"}, True),
        ([], {"keys.team.manage"}, False),
    ],
)
def test_a_scoped_key_makes_only_keys_within_its_scopes(
    scopes: list[str] | None, own: set[str] | None, beyond: bool
) -> None:
    assert roles.scopes_beyond(scopes, None if own is None else frozenset(own)) is beyond


@pytest.mark.parametrize(("one", "other"), [*itertools.product(RANKS, RANKS)])
def test_the_lower_of_two_roles_is_that_of_the_lower_rank(one: Role, other: Role) -> None:
    assert roles.lower(one, other) is RANKS[min(RANKS.index(one), RANKS.index(other))]
    assert roles.at_most(one, other) is (RANKS.index(one) <= RANKS.index(other))


AGENT = {"slug": "a-new-agent", "name": "A"}
# One row per act: method, address, body, the lowest role that may do it, and the scope it needs.
ACTS: list[tuple[str, str, dict[str, Any] | None, Role, str]] = [
    ("GET", "/api/workspace", None, Role.VIEWER, ""),
    ("GET", "/api/permissions", None, Role.VIEWER, ""),
    ("GET", "/api/members", None, Role.VIEWER, "members.team.read"),
    ("GET", "/api/agents", None, Role.VIEWER, "agents.team.read"),
    ("GET", "/api/jobs", None, Role.VIEWER, "jobs.team.read"),
    ("GET", "/api/marks", None, Role.VIEWER, "jobs.team.read"),
    ("GET", "/api/keys", None, Role.ADMIN, "keys.team.manage"),
    ("POST", "/api/keys", {"name": "k", "role": "viewer", "scopes": ["keys.team.manage"]}, Role.ADMIN, "keys.team.manage"),
    ("POST", "/api/agents", AGENT, Role.ADMIN, "agents.team.manage"),
    ("POST", "/api/members", {"email": "new@{slug}.test", "role": "viewer"}, Role.ADMIN, "members.team.manage"),
    ("PATCH", "/api/workspace", {"name": "New name"}, Role.ADMIN, "workspace.team.manage"),
    ("POST", "/api/marks/retry", {"kind": "none", "key": "none"}, Role.ADMIN, "jobs.team.manage"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "address", "body", "lowest", "scope"), ACTS)
async def test_an_act_is_for_its_role_and_those_above(
    workspace: Workspace, method: str, address: str, body: dict[str, Any] | None, lowest: Role, scope: str
) -> None:
    agent = await workspace.make_agent()
    body = {
        k: v.replace("{slug}", workspace.slug) if isinstance(v, str) else v for k, v in (body or {}).items()
    }
    for role in RANKS:
        by_people_only = address.startswith("/api/members") and method != "GET"
        client = await workspace.client(role, **({} if by_people_only else {"agent_id": agent.id}))
        answer = await client.request(method, address, json=body or None)
        if RANKS.index(role) < RANKS.index(lowest):
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), role
        else:
            assert answer.status_code not in (401, 403), (role, answer.text)


@pytest.mark.parametrize(("method", "address", "body", "lowest", "scope"), [act for act in ACTS if act[4]])
async def test_scopes_narrow_an_owners_key_to_what_they_name(
    workspace: Workspace, method: str, address: str, body: dict[str, Any] | None, lowest: Role, scope: str
) -> None:
    within = await workspace.client(Role.OWNER, scopes=[scope])
    outside = await workspace.client(Role.OWNER, scopes=["feedback.own.create"])
    assert (await outside.request(method, address, json=body)).status_code == 403
    body = {
        k: v.replace("{slug}", workspace.slug) if isinstance(v, str) else v for k, v in (body or {}).items()
    }
    answer = await within.request(method, address, json=body or None)
    refused = (
        answer.status_code in (401, 403) and answer.json()["code"] != "role_too_high"
    )  # gives no more than it has
    assert not refused, answer.text


@pytest.mark.parametrize(("key_role", "person_role"), [*itertools.product(RANKS, RANKS)])
async def test_a_key_never_outranks_its_person(
    workspace: Workspace, key_role: Role, person_role: Role
) -> None:
    person = await workspace.make_member(person_role)
    client = await workspace.client(key_role, user_id=person)
    shown = (await client.get("/api/workspace")).json()
    lower = roles.lower(key_role, person_role)
    assert shown["role"] == lower
    assert shown["permissions"] == sorted(roles.GRANTS[lower])


async def test_a_key_falls_with_its_person(workspace: Workspace) -> None:
    person = await workspace.make_member(Role.ADMIN)
    client = await workspace.client(Role.ADMIN, user_id=person)
    assert (await client.get("/api/keys")).status_code == 200
    owner = await workspace.client(Role.OWNER)
    assert (await owner.patch(f"/api/members/{person}", json={"role": "viewer"})).status_code == 200
    assert (await client.get("/api/keys")).status_code == 403
    assert (await client.get("/api/workspace")).json()["role"] == "viewer"


async def test_a_scope_beyond_the_role_grants_nothing(workspace: Workspace) -> None:
    client = await workspace.client(Role.VIEWER, scopes=["keys.team.manage", "agents.team.read"])
    assert (await client.get("/api/keys")).status_code == 403
    assert (await client.get("/api/agents")).status_code == 200
    assert (await client.get("/api/workspace")).json()["permissions"] == ["agents.team.read"]
