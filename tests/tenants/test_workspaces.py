"""The workspace: its name, what a caller may do in it, and how one is made."""

import pytest

from goldloop.kit.errors import InvalidInput
from goldloop.tenants import roles
from goldloop.tenants.model import Role
from goldloop.tenants.workspaces import service
from goldloop.tenants.workspaces.service import SlugTaken
from tests.factories import Workspace


async def test_the_workspace_shows_what_the_caller_may_do(workspace: Workspace) -> None:
    reviewer = await workspace.client(Role.REVIEWER)
    shown = (await reviewer.get("/api/workspace")).json()
    assert (shown["id"], shown["slug"], shown["role"]) == (str(workspace.id), workspace.slug, "reviewer")
    assert shown["permissions"] == sorted(roles.GRANTS[Role.REVIEWER])


async def test_a_new_name_is_seen_by_everybody_and_is_a_fact(workspace: Workspace) -> None:
    person = await workspace.make_person(Role.VIEWER)
    browser = await workspace.signed_in(person)
    admin = await workspace.client(Role.ADMIN)
    renamed = await admin.patch("/api/workspace", json={"name": "Nordwind ✓"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Nordwind ✓")
    assert (await browser.get("/api/workspace")).json()["name"] == "Nordwind ✓"
    assert (await browser.get("/api/session")).json()["workspaces"][0]["name"] == "Nordwind ✓"
    async with workspace.db.tx(workspace.system) as tx:
        (event,) = await tx.fetch(
            "SELECT payload, actor_kind, actor_id FROM events WHERE name = 'workspace.renamed'"
        )
    renamed_from = {"name": "Nordwind ✓", "name_before": f"Workspace {workspace.slug}"}
    assert (event["payload"], event["actor_kind"]) == (renamed_from, "user")
    assert event["actor_id"] == workspace.owner_id


async def test_renaming_one_workspace_leaves_the_others(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    admin = await workspace.client(Role.ADMIN)
    await admin.patch("/api/workspace", json={"name": "Renamed"})
    other = await other_workspace.client()
    assert (await other.get("/api/workspace")).json()["name"] == f"Workspace {other_workspace.slug}"


@pytest.mark.parametrize("name", ["", " ", "\t\n", "x" * 201, None, 5])
async def test_a_name_has_1_to_200_characters_that_can_be_seen(workspace: Workspace, name: object) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.patch("/api/workspace", json={"name": name})
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (422, "/name")


async def test_permissions_list_every_role_with_its_grants_and_every_scope(workspace: Workspace) -> None:
    viewer = await workspace.client(Role.VIEWER)
    shown = (await viewer.get("/api/permissions")).json()
    assert {r["role"]: set(r["grants"]) for r in shown["roles"]} == {
        r.value: g for r, g in roles.GRANTS.items()
    }
    assert {s["scope"]: s["description"] for s in shown["scopes"]} == roles.SCOPES


async def test_a_taken_slug_is_refused_and_nothing_is_made(workspace: Workspace) -> None:
    with pytest.raises(SlugTaken):
        await service.create(workspace.db, workspace.slug, "Another", "another@goldloop.test", None)
    owner = await workspace.client()
    assert (await owner.get("/api/workspace")).json()["name"] == f"Workspace {workspace.slug}"
    assert "another@goldloop.test" not in (await owner.get("/api/members")).text


async def test_an_owner_needs_an_address(workspace: Workspace) -> None:
    with pytest.raises(InvalidInput):
        await service.create(workspace.db, f"{workspace.slug[:40]}-2", "Another", "not an address", None)
