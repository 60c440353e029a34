"""Inviting people, joining, changing roles, leaving; a workspace keeps an owner."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import pytest

from goldloop.kit.db import Database, Tx, connect
from goldloop.kit.ids import new_id, secret_hash
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.members import service as members
from goldloop.tenants.model import LastOwner, Role
from goldloop.tenants.workspaces import service as workspaces
from tests.factories import PASSWORD, Workspace, sign_in


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def address() -> str:
    return f"{new_id().hex}@goldloop.test"


async def join(workspace: Workspace, token: str, name: str = "New Person") -> httpx.Response:
    client = await workspace.browser()
    return await client.post("/api/session/join", json={"token": token, "name": name, "password": PASSWORD})


async def invite(workspace: Workspace, role: str = "viewer", email: str | None = None) -> dict[str, Any]:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post("/api/members", json={"email": email or address(), "role": role})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_an_invited_person_joins_by_the_link_and_signs_in_later(workspace: Workspace) -> None:
    invited = await invite(workspace, "reviewer")
    assert invited["member"]["status"] == "invited"

    joined = await join(workspace, invited["invite_token"], "  Ada L. ")
    assert joined.status_code == 201
    assert joined.json()["user"]["name"] == "Ada L."
    assert [(w["slug"], w["role"]) for w in joined.json()["workspaces"]] == [(workspace.slug, "reviewer")]

    client = await workspace.browser()
    assert (await sign_in(client, invited["member"]["email"])).status_code == 201
    listed = (await client.get("/api/members")).json()["data"]
    (member,) = [m for m in listed if m["user_id"] == invited["member"]["user_id"]]
    assert (member["name"], member["role"], member["status"]) == ("Ada L.", "reviewer", "active")


async def test_a_link_works_once(workspace: Workspace) -> None:
    token = (await invite(workspace))["invite_token"]
    assert (await join(workspace, token)).status_code == 201
    assert code(await join(workspace, token)) == (404, "invite_not_found")


async def test_of_two_who_use_a_link_at_once_one_joins(workspace: Workspace) -> None:
    token = (await invite(workspace))["invite_token"]
    answers = await asyncio.gather(join(workspace, token), join(workspace, token))
    assert sorted(answer.status_code for answer in answers) == [201, 404]


async def test_a_password_that_is_too_short_does_not_use_the_link_up(workspace: Workspace) -> None:
    token = (await invite(workspace))["invite_token"]
    client = await workspace.browser()
    short = await client.post("/api/session/join", json={"token": token, "name": "A", "password": "short"})
    assert [(e["path"], e["code"]) for e in short.json()["errors"]] == [("/password", "password_length")]
    assert (await join(workspace, token)).status_code == 201


async def test_an_expired_link_works_no_more(workspace: Workspace, database_url: str) -> None:
    token = (await invite(workspace))["invite_token"]
    owner = await connect(database_url, statement_cache=0)
    assert (
        await owner.execute("UPDATE invites SET expires_at = now() WHERE hash = $1", secret_hash(token))
        == "UPDATE 1"
    )
    await owner.close()
    assert code(await join(workspace, token)) == (404, "invite_not_found")


async def test_a_new_link_ends_the_one_before(workspace: Workspace) -> None:
    invited = await invite(workspace)
    admin = await workspace.client(Role.ADMIN)
    again = await admin.post(f"/api/members/{invited['member']['user_id']}/invite")
    assert again.status_code == 201
    assert again.json()["invite_token"] != invited["invite_token"]
    assert code(await join(workspace, invited["invite_token"])) == (404, "invite_not_found")
    assert (await join(workspace, again.json()["invite_token"])).status_code == 201
    joined = await admin.post(f"/api/members/{invited['member']['user_id']}/invite")
    assert code(joined) == (409, "already_joined")


async def test_the_link_of_a_removed_member_works_no_more(workspace: Workspace) -> None:
    invited = await invite(workspace)
    admin = await workspace.client(Role.ADMIN)
    assert (await admin.delete(f"/api/members/{invited['member']['user_id']}")).status_code == 204
    assert code(await join(workspace, invited["invite_token"])) == (404, "invite_not_found")


async def test_a_member_is_not_invited_twice(workspace: Workspace) -> None:
    invited = await invite(workspace)
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post(
        "/api/members", json={"email": invited["member"]["email"].upper(), "role": "viewer"}
    )
    assert code(answer) == (409, "member_exists")
    assert answer.json()["conflict"] == {"user_id": invited["member"]["user_id"]}


async def test_an_invitation_is_for_the_person_it_was_made_for(workspace: Workspace) -> None:
    invited = await invite(workspace, email=address())
    other = await workspace.signed_in(await workspace.make_person())
    answer = await other.post("/api/session/accept", json={"token": invited["invite_token"]})
    assert code(answer) == (409, "invite_for_another")
    assert code(await other.post("/api/session/accept", json={"token": "none"})) == (404, "invite_not_found")
    assert (await join(workspace, invited["invite_token"])).status_code == 201


async def test_a_new_link_for_an_owner_is_made_only_by_an_owner(workspace: Workspace) -> None:
    owner = await workspace.client(Role.OWNER)
    made = await owner.post("/api/members", json={"email": address(), "role": "owner"})
    link = f"/api/members/{made.json()['member']['user_id']}/invite"
    assert code(await (await workspace.client(Role.ADMIN)).post(link)) == (403, "role_too_high")
    narrowed = await workspace.client(Role.OWNER, scopes=["members.team.manage"])
    assert code(await narrowed.post(link)) == (403, "role_too_high")
    assert (await owner.post(link)).status_code == 201


async def test_an_agent_decides_nothing_about_members(workspace: Workspace) -> None:
    agent = await workspace.make_agent()
    client = await workspace.client(Role.OWNER, agent_id=agent.id)
    member = await workspace.make_member()
    assert code(await client.post("/api/members", json={"email": address(), "role": "viewer"})) == (
        403,
        "forbidden",
    )
    assert code(await client.patch(f"/api/members/{member}", json={"role": "admin"})) == (403, "forbidden")
    assert code(await client.delete(f"/api/members/{member}")) == (403, "forbidden")
    assert code(await client.post(f"/api/members/{member}/invite")) == (403, "forbidden")


async def test_the_keys_of_who_leaves_stay_revoked_when_they_come_back(workspace: Workspace) -> None:
    person = await workspace.make_person()
    holder = await workspace.client(Role.VIEWER, user_id=person.id)
    admin = await workspace.client(Role.ADMIN)
    assert (await holder.get("/api/workspace")).status_code == 200
    assert (await admin.delete(f"/api/members/{person.id}")).status_code == 204
    assert (
        await admin.post("/api/members", json={"email": person.email, "role": "viewer"})
    ).status_code == 201
    assert (await holder.get("/api/workspace")).status_code == 401


@pytest.mark.parametrize(
    "email", ["abc", "@b.c", "ab@", "a@b@c", "a b@c", "a@b\tc", "ab\n@c", "İ" * 200 + "@b.c"]
)
async def test_what_is_no_address_is_refused(workspace: Workspace, email: str) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post("/api/members", json={"email": email, "role": "viewer"})
    assert answer.status_code == 422
    assert [(e["path"], e["code"]) for e in answer.json()["errors"]] == [("/email", "invalid_email")]


async def test_a_long_address_makes_a_name_that_fits(workspace: Workspace) -> None:
    email = new_id().hex + "a" * 250 + "@b.c"
    member = (await invite(workspace, email=email))["member"]
    assert (member["email"], len(member["name"])) == (email, 200)


@pytest.mark.parametrize("act", ["remove", "demote"])
async def test_the_last_owner_neither_leaves_nor_steps_down(workspace: Workspace, act: str) -> None:
    owner = await workspace.client()
    mine = f"/api/members/{workspace.owner_id}"
    answer = await (owner.delete(mine) if act == "remove" else owner.patch(mine, json={"role": "admin"}))
    assert code(answer) == (409, "last_owner")
    assert (await owner.get("/api/workspace")).json()["role"] == "owner"

    await workspace.make_member(Role.OWNER)
    answer = await (owner.delete(mine) if act == "remove" else owner.patch(mine, json={"role": "admin"}))
    assert answer.status_code in (200, 204)


@pytest.mark.parametrize("act", ["remove", "demote"])
async def test_an_owner_who_has_not_joined_does_not_stand_in_for_the_last_who_has(
    workspace: Workspace, act: str
) -> None:
    owner, mine = await workspace.client(), f"/api/members/{workspace.owner_id}"
    invited = [(await workspace.invite(Role.OWNER)).member.user_id for _ in range(2)]
    answer = await (owner.delete(mine) if act == "remove" else owner.patch(mine, json={"role": "admin"}))
    assert code(answer) == (409, "last_owner")
    assert (await owner.delete(f"/api/members/{invited[0]}")).status_code == 204


async def test_of_owners_of_whom_nobody_has_joined_one_stays(workspace: Workspace) -> None:
    made = await workspaces.create(workspace.db, f"t-{new_id().hex}", "New", address(), None)
    async with workspace.db.tx(system_actor(made.workspace.id)) as tx:
        with pytest.raises(LastOwner):
            await members.remove(tx, made.owner.user_id)
        await members.invite(tx, address(), None, Role.OWNER)
        await members.remove(tx, made.owner.user_id)


async def _remove(tx: Tx, user_id: UUID) -> None:
    await members.remove(tx, user_id)


async def _demote(tx: Tx, user_id: UUID) -> None:
    await members.change_role(tx, user_id, Role.VIEWER)


@pytest.mark.parametrize("first", [_remove, _demote])
@pytest.mark.parametrize("second", [_remove, _demote])
async def test_of_two_owners_who_leave_at_once_one_stays(
    db: Database,
    workspace: Workspace,
    first: Callable[[Tx, UUID], Awaitable[None]],
    second: Callable[[Tx, UUID], Awaitable[None]],
) -> None:
    another = await workspace.make_member(Role.OWNER)
    done = asyncio.Event()

    async def leaves() -> None:
        async with db.tx(workspace.system) as tx:
            await first(tx, workspace.owner_id)
            done.set()
            await asyncio.sleep(0.05)  # the other has begun by now, and waits

    async def follows() -> None:
        await done.wait()
        async with db.tx(workspace.system) as tx:
            await second(tx, another)

    left, followed = await asyncio.gather(leaves(), follows(), return_exceptions=True)
    assert left is None
    assert isinstance(followed, LastOwner)
    async with db.tx(workspace.system) as tx:
        owners = await tx.fetch("SELECT user_id FROM memberships WHERE role = 'owner'")
    assert [row["user_id"] for row in owners] == [another]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/api/members/{owner}", {"role": "viewer"}),
        ("PATCH", "/api/members/{owner}", {"role": "owner"}),
        ("DELETE", "/api/members/{owner}", None),
        ("PATCH", "/api/members/{admin}", {"role": "owner"}),
        ("POST", "/api/members", {"email": "x@goldloop.test", "role": "owner"}),
    ],
)
async def test_an_admin_neither_touches_an_owner_nor_makes_one(
    workspace: Workspace, method: str, path: str, body: dict[str, str] | None
) -> None:
    await workspace.make_member(Role.OWNER)  # so that it is not the last owner who is protected
    person = await workspace.make_member(Role.ADMIN)
    admin = await workspace.client(Role.ADMIN, user_id=person)
    answer = await admin.request(method, path.format(owner=workspace.owner_id, admin=person), json=body)
    assert code(answer) == (403, "role_too_high")
    assert (await admin.get("/api/workspace")).json()["role"] == "admin"
    assert "x@goldloop.test" not in (await admin.get("/api/members")).text


async def test_a_removed_members_session_and_keys_stop_at_once(workspace: Workspace) -> None:
    person = await workspace.make_person(Role.ADMIN)
    browser, key = await workspace.signed_in(person), await workspace.client(Role.ADMIN, user_id=person.id)
    assert [(await c.get("/api/members")).status_code for c in (browser, key)] == [200, 200]
    owner = await workspace.client()
    assert (await owner.delete(f"/api/members/{person.id}")).status_code == 204
    assert [(await c.get("/api/members")).status_code for c in (browser, key)] == [404, 401]


async def test_members_of_another_workspace_are_not_found(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    owner = await other_workspace.client()
    for method, path in (
        ("PATCH", f"/api/members/{workspace.owner_id}"),
        ("PATCH", f"/api/members/{new_id()}"),
        ("DELETE", f"/api/members/{workspace.owner_id}"),
        ("POST", f"/api/members/{workspace.owner_id}/invite"),
    ):
        body = {"role": "viewer"} if method == "PATCH" else None
        assert code(await owner.request(method, path, json=body)) == (404, "member_not_found"), path


async def test_members_are_listed_in_pages(workspace: Workspace) -> None:
    made = {str(workspace.owner_id)} | {str(await workspace.make_member()) for _ in range(4)}
    viewer = await workspace.client(Role.VIEWER)
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        page = (
            await viewer.get("/api/members", params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
        ).json()
        seen += [member["user_id"] for member in page["data"]]
        cursor = page["next_cursor"]
    assert (sorted(seen), cursor) == (sorted(made), None)


async def test_a_narrowed_key_gives_no_role_that_may_more_than_it_does(workspace: Workspace) -> None:
    """Else a key that may only invite could invite an owner, and be one."""
    invitation = {"email": f"{new_id().hex}@goldloop.test", "role": "viewer"}
    inviting = await workspace.client(scopes=["members.team.manage"])
    for role in ("viewer", "owner"):
        refused = await inviting.post("/api/members", json=invitation | {"role": role})
        assert code(refused) == (403, "role_too_high")
    as_a_viewer = await workspace.client(
        scopes=[
            "members.team.manage",
            "*.team.read",
            "feedback.own.read",
            "feedback.own.create",
            "memories.own.manage",
            "saved_lists.own.manage",
        ]
    )
    assert (await as_a_viewer.post("/api/members", json=invitation)).status_code == 201
