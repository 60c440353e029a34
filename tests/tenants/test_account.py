"""Where somebody is signed in, and links to a new password."""

from typing import Any

import httpx
import pytest

from goldloop.kit.db import Database, connect
from goldloop.kit.ids import new_id, secret_hash
from goldloop.tenants.auth.authenticator import VISIT_RECORDED_EVERY, Authenticator
from goldloop.tenants.model import Role
from goldloop.tenants.sign_in.service import open_account_reset
from tests.factories import PASSWORD, Workspace, sign_in
from tests.servers import eventually
from tests.tenants.test_sign_in import code

NEW = "a password that is new"


async def reset(client: httpx.AsyncClient, token: str, password: str = NEW) -> httpx.Response:
    return await client.post("/api/session/reset", json={"token": token, "password": password})


async def test_sessions_are_listed_with_device_and_place_and_ended_one_by_one(workspace: Workspace) -> None:
    here, there = await workspace.browser(), await workspace.browser()
    there.headers["User-Agent"] = "Firefox on a telephone"
    for client in (here, there):
        await sign_in(client, workspace.owner_email)
    listed = (await here.get("/api/account/sessions")).json()["data"]
    assert [each["is_current"] for each in listed] == [True, False]
    assert listed[1]["device"] == "Firefox on a telephone"
    assert listed[1]["method"] == "password"
    assert listed[0]["client"] != listed[1]["client"]
    assert (await here.delete(f"/api/account/sessions/{listed[1]['id']}")).status_code == 204
    assert (await there.get("/api/session")).status_code == 401
    assert (await here.get("/api/session")).status_code == 200
    again = await here.delete(f"/api/account/sessions/{listed[1]['id']}")
    assert code(again) == (404, "sign_in_not_found")


async def test_all_other_sessions_end_at_once(workspace: Workspace, other_workspace: Workspace) -> None:
    here, others = await workspace.signed_in(), [await workspace.signed_in() for _ in range(2)]
    stranger = await other_workspace.signed_in()
    assert (await here.delete("/api/account/sessions")).json() == {"ended": 2}
    assert [(await each.get("/api/session")).status_code for each in (here, *others, stranger)] == [
        200,
        401,
        401,
        200,
    ]


async def test_a_session_of_somebody_else_is_neither_listed_nor_ended(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    here, stranger = await workspace.signed_in(), await other_workspace.signed_in()
    (theirs,) = (await stranger.get("/api/account/sessions")).json()["data"]
    assert theirs["id"] not in [
        each["id"] for each in (await here.get("/api/account/sessions")).json()["data"]
    ]
    assert code(await here.delete(f"/api/account/sessions/{theirs['id']}")) == (404, "sign_in_not_found")
    assert (await stranger.get("/api/session")).status_code == 200


async def test_a_session_says_when_and_from_where_it_was_used_last(
    workspace: Workspace, auth: Authenticator, database_url: str
) -> None:
    client = await workspace.signed_in()
    hashed = secret_hash(client.cookies["goldloop_session"])
    owner = await connect(database_url, statement_cache=0)
    await owner.execute(
        "UPDATE sign_in_sessions SET last_seen_at = now() - $2::interval, client = 'before' WHERE hash = $1",
        hashed,
        VISIT_RECORDED_EVERY * 2,
    )
    auth.forget()
    await client.get("/api/workspace")

    async def seen() -> bool:
        row = await owner.fetchrow(
            "SELECT client, now() - last_seen_at < interval '1 minute' AS now FROM sign_in_sessions WHERE hash = $1",
            hashed,
        )
        return bool(row["now"]) and row["client"] != "before"

    assert await eventually(seen)
    await owner.close()


async def test_an_admin_signs_a_member_out_of_the_own_workspace_alone(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await workspace.make_person(Role.VIEWER)
    single = await workspace.signed_in(person)
    admin = await workspace.client(Role.ADMIN)
    assert (await admin.delete(f"/api/members/{person.id}/sessions")).status_code == 204
    assert (await single.get("/api/session")).status_code == 401

    both = await workspace.signed_in(person)
    there = await other_workspace.invite(Role.VIEWER, person.email)
    await both.post("/api/session/accept", json={"token": there.token})
    assert (await admin.delete(f"/api/members/{person.id}/sessions")).status_code == 204
    session = (await both.get("/api/session")).json()
    assert [each["slug"] for each in session["workspaces"]] == [other_workspace.slug]
    refused = await both.get("/api/workspace", headers={"X-Goldloop-Tenant": workspace.slug})
    assert refused.status_code == 404
    again = await sign_in(await workspace.browser(), person.email)
    assert len(again.json()["workspaces"]) == 2


async def test_a_link_to_a_new_password_is_good_once_and_ends_all_sessions(workspace: Workspace) -> None:
    person = await workspace.make_person(Role.VIEWER)
    before = await workspace.signed_in(person)
    admin = await workspace.client(Role.ADMIN)
    path = f"/api/members/{person.id}/reset"
    first, second = [(await admin.post(path, json={})).json()["reset_token"] for _ in range(2)]
    browser = await workspace.browser()
    assert code(await reset(browser, first)) == (404, "reset_not_found")  # the newer one counts
    assert (await reset(browser, second, "short")).status_code == 422
    answer = await reset(browser, second)
    assert answer.status_code == 201
    assert answer.json()["user"]["email"] == person.email
    assert (await browser.get("/api/workspace")).status_code == 200
    assert (await before.get("/api/session")).status_code == 401
    assert code(await reset(browser, second)) == (404, "reset_not_found")
    assert (await sign_in(await workspace.browser(), person.email, PASSWORD)).status_code == 401
    assert (await sign_in(await workspace.browser(), person.email, NEW)).status_code == 201


async def test_a_link_expires(workspace: Workspace, database_url: str) -> None:
    person = await workspace.make_person(Role.VIEWER)
    admin = await workspace.client(Role.ADMIN)
    token = (await admin.post(f"/api/members/{person.id}/reset", json={})).json()["reset_token"]
    owner = await connect(database_url, statement_cache=0)
    await owner.execute("UPDATE password_resets SET expires_at = now() WHERE hash = $1", secret_hash(token))
    await owner.close()
    assert code(await reset(await workspace.browser(), token)) == (404, "reset_not_found")


async def test_a_workspaces_link_opens_that_workspace_alone(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    """Else an admin of one could enter another as its member."""
    person = await workspace.make_person(Role.VIEWER)
    client = await workspace.signed_in(person)
    there = await other_workspace.invite(Role.ADMIN, person.email)
    await client.post("/api/session/accept", json={"token": there.token})
    admin = await workspace.client(Role.ADMIN)
    token = (await admin.post(f"/api/members/{person.id}/reset", json={})).json()["reset_token"]
    answer = await reset(await workspace.browser(), token)
    assert [each["slug"] for each in answer.json()["workspaces"]] == [workspace.slug]
    assert answer.json()["workspaces"][0]["user_id"] == str(person.id)  # the same member
    kept = await sign_in(await other_workspace.browser(), person.email, PASSWORD)
    assert [each["slug"] for each in kept.json()["workspaces"]] == [other_workspace.slug]


async def test_the_operators_link_opens_all_workspaces_of_an_account(
    workspace: Workspace, other_workspace: Workspace, worker_db: Database
) -> None:
    person = await workspace.make_person(Role.VIEWER)
    client = await workspace.signed_in(person)
    there = await other_workspace.invite(Role.ADMIN, person.email)
    await client.post("/api/session/accept", json={"token": there.token})
    link = await open_account_reset(worker_db, person.email, None, second_factor=False)
    answer = await reset(await workspace.browser(), link.token)
    assert len(answer.json()["workspaces"]) == 2
    assert (await client.get("/api/session")).status_code == 401


@pytest.mark.parametrize(("method", "path"), [("POST", "reset"), ("DELETE", "sessions")])
async def test_only_who_may_give_the_role_decides_how_a_member_signs_in(
    workspace: Workspace, other_workspace: Workspace, method: str, path: str
) -> None:
    person, invited = await workspace.make_person(Role.VIEWER), await workspace.invite()
    agent = await workspace.make_agent()
    body: dict[str, Any] = {"json": {}} if method == "POST" else {}

    async def ask(client: httpx.AsyncClient, user_id: object) -> tuple[int, str]:
        return code(await client.request(method, f"/api/members/{user_id}/{path}", **body))

    admin = await workspace.client(Role.ADMIN)
    assert await ask(await workspace.client(Role.REVIEWER), person.id) == (403, "forbidden")
    assert await ask(admin, workspace.owner_id) == (403, "role_too_high")
    assert await ask(admin, new_id()) == (404, "member_not_found")
    assert await ask(admin, invited.member.user_id) == (409, "not_joined")
    assert await ask(await other_workspace.client(), person.id) == (404, "member_not_found")
    assert await ask(await workspace.client(Role.ADMIN, agent_id=agent.id), person.id) == (403, "forbidden")


async def test_an_account_is_shown_to_its_person_and_to_no_key(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    account = (await client.get("/api/account")).json()
    assert account["email"] == workspace.owner_email
    assert (account["has_password"], account["second_factor_since"], account["identities"]) == (
        True,
        None,
        [],
    )
    for path in ("/api/account", "/api/account/sessions"):
        assert (await (await workspace.client()).get(path)).status_code == 401
