"""Accounts of one address: what a workspace's link confirms speaks for that workspace and for no other."""

import asyncio
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from goldloop.kit.db import Database, connect
from goldloop.kit.errors import NotFound
from goldloop.kit.ids import new_id, secret_hash
from goldloop.tenants.model import SeveralAccounts
from goldloop.tenants.sign_in import service
from goldloop.tenants.sign_in.attempt_service import (
    ATTEMPT_WINDOW,
    ATTEMPTS_PER_ACCOUNT,
    ATTEMPTS_PER_ADDRESS,
    ATTEMPTS_PER_PAIR,
)
from goldloop.tenants.workspaces import service as workspaces
from tests.factories import PASSWORD, Workspace, sign_in

TAKEN = "the password of whoever was first"
OWN = "the password of their own person"


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def address() -> str:
    return f"{new_id().hex}@goldloop.test"


async def invite(workspace: Workspace, email: str, **more: Any) -> dict[str, Any]:
    owner = await workspace.client()
    answer = await owner.post("/api/members", json={"email": email, "role": "viewer"} | more)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def join(workspace: Workspace, token: str, password: str, name: str = "Person") -> httpx.AsyncClient:
    """A browser in which somebody has used a link."""
    client = await workspace.browser()
    answer = await client.post("/api/session/join", json={"token": token, "name": name, "password": password})
    assert answer.status_code == 201, answer.text
    client.headers["X-Goldloop-CSRF"] = answer.json()["csrf_token"]
    return client


async def slugs(client: httpx.AsyncClient) -> list[str]:
    return [w["slug"] for w in (await client.get("/api/session")).json()["workspaces"]]


async def signed_in_slugs(workspace: Workspace, email: str, password: str) -> list[str]:
    client = await workspace.browser()
    answer = await sign_in(client, email, password)
    assert answer.status_code == 201, answer.text
    return await slugs(client)


async def members(workspace: Workspace) -> list[dict[str, Any]]:
    owner = await workspace.client()
    rows: list[dict[str, Any]] = (await owner.get("/api/members")).json()["data"]
    return rows


async def count_attempts(db: Database, subject: str, times: int) -> None:
    async with db.anonymous() as connection:
        for _ in range(times):
            await connection.fetchval(
                "SELECT count_sign_in_attempt($1, 1000, $2)", secret_hash(subject), ATTEMPT_WINDOW
            )


async def test_who_claimed_an_address_elsewhere_neither_enters_nor_keeps_its_person_out(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email = address()
    taker = await join(workspace, (await invite(other_workspace, email))["invite_token"], TAKEN, "Taker")

    invited = await invite(workspace, email)
    person = await join(workspace, invited["invite_token"], OWN, "Their own name")

    assert await slugs(taker) == [other_workspace.slug]
    assert await slugs(person) == [workspace.slug]
    assert await signed_in_slugs(workspace, email, TAKEN) == [other_workspace.slug]
    assert await signed_in_slugs(workspace, email, OWN) == [workspace.slug]
    there = {"X-Goldloop-Tenant": workspace.slug}
    assert code(await taker.get("/api/members", headers=there)) == (404, "not_found")
    (shown,) = [m for m in await members(workspace) if m["email"] == email]
    assert (shown["name"], shown["user_id"]) == ("Their own name", invited["member"]["user_id"])


async def test_an_invitation_tells_nothing_of_an_account_elsewhere(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    known, unknown = address(), address()
    await join(other_workspace, (await invite(other_workspace, known, name="Secret"))["invite_token"], OWN)
    (elsewhere,) = [m for m in await members(other_workspace) if m["email"] == known]

    answers = [await invite(workspace, email) for email in (known, unknown)]
    for email, answer in zip((known, unknown), answers, strict=True):
        assert answer["member"]["user_id"] != elsewhere["user_id"]
        assert answer["member"] | {"user_id": None, "created_at": None} == {
            "user_id": None,
            "email": email,
            "name": email.split("@")[0],
            "role": "viewer",
            "status": "invited",
            "created_at": None,
            "role_from": None,
            "sign_in": {"password": False, "providers": [], "second_factor": False},
        }
    for answer in answers:  # whoever holds the link learns no more: another password is another account
        client = await join(workspace, answer["invite_token"], TAKEN)
        assert await slugs(client) == [workspace.slug]


async def test_the_ids_of_one_person_in_two_workspaces_differ(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await workspace.make_person()
    client = await workspace.signed_in(person)
    token = (await invite(other_workspace, person.email))["invite_token"]
    session = (await client.post("/api/session/accept", json={"token": token})).json()
    ids = {w["slug"]: w["user_id"] for w in session["workspaces"]}
    for each in (workspace, other_workspace):
        (shown,) = [m for m in await members(each) if m["email"] == person.email]
        assert shown["user_id"] == ids[each.slug]
    assert len(set(ids.values())) == 2


async def test_the_password_of_an_account_joins_with_that_account(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email = address()
    await join(workspace, (await invite(workspace, email))["invite_token"], OWN, "Here")
    client = await join(workspace, (await invite(other_workspace, email))["invite_token"], OWN, "There")
    both = [workspace.slug, other_workspace.slug]
    assert await slugs(client) == both
    assert await signed_in_slugs(workspace, email, OWN) == both
    names = [m["name"] for w in (workspace, other_workspace) for m in await members(w) if m["email"] == email]
    assert names == ["Here", "There"]  # how somebody is called is each workspace's own


async def test_a_password_set_by_one_account_leaves_the_other_as_it_is(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email = address()
    taker = await join(other_workspace, (await invite(other_workspace, email))["invite_token"], TAKEN)
    person = await join(workspace, (await invite(workspace, email))["invite_token"], OWN)
    change = {"current_password": OWN, "new_password": "a third, which nobody has"}
    assert code(await taker.post("/api/session/password", json=change)) == (422, "invalid_input")
    changed = await taker.post("/api/session/password", json=change | {"current_password": TAKEN})
    assert changed.status_code == 204
    assert await slugs(person) == [workspace.slug]
    assert await signed_in_slugs(workspace, email, OWN) == [workspace.slug]
    assert await signed_in_slugs(workspace, email, change["new_password"]) == [other_workspace.slug]


async def test_two_accounts_that_get_one_password_become_one(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email = address()
    await join(workspace, (await invite(workspace, email))["invite_token"], OWN)
    second = await join(other_workspace, (await invite(other_workspace, email))["invite_token"], TAKEN)
    change = {"current_password": TAKEN, "new_password": OWN}
    assert (await second.post("/api/session/password", json=change)).status_code == 204
    assert await slugs(second) == [workspace.slug, other_workspace.slug]
    assert await signed_in_slugs(workspace, email, OWN) == [workspace.slug, other_workspace.slug]


async def test_links_used_at_the_same_moment_with_one_password_make_one_account(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email = address()
    tokens = [(await invite(each, email))["invite_token"] for each in (workspace, other_workspace)]
    await asyncio.gather(*(join(workspace, token, OWN) for token in tokens))
    assert await signed_in_slugs(workspace, email, OWN) == [workspace.slug, other_workspace.slug]


async def test_links_used_at_the_same_moment_leave_one_salt(
    workspace: Workspace, other_workspace: Workspace, database_url: str
) -> None:
    email = address()
    tokens = [(await invite(each, email))["invite_token"] for each in (workspace, other_workspace)]
    joins = zip(tokens, (OWN, TAKEN), strict=True)
    await asyncio.gather(*(join(workspace, token, password) for token, password in joins))
    connection = await connect(database_url)
    rows = await connection.fetch("SELECT password_hash FROM users WHERE email = $1", email)
    await connection.close()
    assert len(rows) == 2
    assert len({row["password_hash"].rpartition("$")[0] for row in rows}) == 1


async def test_two_accounts_that_get_one_password_at_the_same_moment_become_one(
    workspace: Workspace, other_workspace: Workspace, database_url: str
) -> None:
    email, new = address(), "the same password for both"
    places = ((workspace, OWN), (other_workspace, TAKEN))
    clients = [await join(each, (await invite(each, email))["invite_token"], old) for each, old in places]
    changes = [{"current_password": old, "new_password": new} for _, old in places]
    answers = await asyncio.gather(
        *(c.post("/api/session/password", json=j) for c, j in zip(clients, changes, strict=True))
    )
    assert [answer.status_code for answer in answers] == [204, 204]
    assert await signed_in_slugs(workspace, email, new) == [workspace.slug, other_workspace.slug]


async def test_the_answer_to_a_used_link_says_which_workspace_was_joined(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email, client = address(), await workspace.browser()
    token = (await invite(other_workspace, email))["invite_token"]
    body = {"token": token, "name": "Person", "password": OWN}
    joined = (await client.post("/api/session/join", json=body)).json()
    assert joined["joined"] == other_workspace.slug
    client.headers["X-Goldloop-CSRF"] = joined["csrf_token"]
    token = (await invite(workspace, email))["invite_token"]
    accepted = (await client.post("/api/session/accept", json={"token": token})).json()
    assert accepted["joined"] == workspace.slug
    assert (await client.get("/api/session")).json()["joined"] is None


async def test_a_wrong_current_password_locks_its_account_and_not_the_address(
    workspace: Workspace, other_workspace: Workspace, db: Database
) -> None:
    """Whoever made an account of the address through a link of their own must not lock its person out."""
    email = address()
    taker = await join(other_workspace, (await invite(other_workspace, email))["invite_token"], TAKEN)
    await join(workspace, (await invite(workspace, email))["invite_token"], OWN)
    account_id = (await taker.get("/api/session")).json()["user"]["id"]
    await count_attempts(db, f"email:{email}", ATTEMPTS_PER_ADDRESS - 3)  # two have joined
    await count_attempts(db, f"account:{account_id}", ATTEMPTS_PER_ACCOUNT - 2)
    wrong = {"current_password": "a guess at it", "new_password": "long enough to be one"}
    for expected in ((422, "invalid_input"), (422, "invalid_input"), (429, "too_many_attempts")):
        assert code(await taker.post("/api/session/password", json=wrong)) == expected
    assert await signed_in_slugs(workspace, email, OWN) == [workspace.slug]


async def test_changing_a_password_is_limited_by_client_too(workspace: Workspace) -> None:
    client, passwords = await workspace.signed_in(), [PASSWORD]
    for turn in range(ATTEMPTS_PER_PAIR):
        new = f"password number {turn}"
        change = {"current_password": passwords[-1], "new_password": new}
        assert (await client.post("/api/session/password", json=change)).status_code == 204
        passwords.append(new)
    change = {"current_password": passwords[-1], "new_password": "one more password"}
    assert code(await client.post("/api/session/password", json=change)) == (429, "too_many_attempts")


@pytest.mark.parametrize("way", ["join", "change"])
async def test_guessing_anothers_password_by_a_link_or_a_change_is_limited(
    workspace: Workspace, db: Database, way: str
) -> None:
    person = await workspace.make_person()
    client = await workspace.signed_in(person)
    await count_attempts(db, f"email:{person.email}", ATTEMPTS_PER_ADDRESS - 1)
    if way == "join":
        owner = await workspace.client()
        assert (await owner.delete(f"/api/members/{person.id}")).status_code == 204
        token = (await invite(workspace, person.email))["invite_token"]
        await join(workspace, token, TAKEN)
    else:
        change = {"current_password": PASSWORD, "new_password": TAKEN}
        assert (await client.post("/api/session/password", json=change)).status_code == 204
    limited = await sign_in(await workspace.browser(), person.email, "a guess")
    assert code(limited) == (429, "too_many_attempts")


async def test_accounts_of_an_address_do_not_pile_up(workspace: Workspace, database_url: str) -> None:
    """However often a workspace invites and removes an address, it leaves one account without a workspace."""
    email, owner = address(), await workspace.client()
    for turn in range(3):
        invited = await invite(workspace, email)
        await join(workspace, invited["invite_token"], f"password number {turn}")
        assert (await owner.delete(f"/api/members/{invited['member']['user_id']}")).status_code == 204
    connection = await connect(database_url)
    assert await connection.fetchval("SELECT count(*) FROM users WHERE email = $1", email) == 1
    await connection.close()


async def test_who_was_removed_and_is_invited_again_comes_back_with_their_account(
    workspace: Workspace,
) -> None:
    person, owner = await workspace.make_person(), await workspace.client()
    client = await workspace.signed_in(person)
    assert (await owner.delete(f"/api/members/{person.id}")).status_code == 204
    assert await slugs(client) == []
    token = (await invite(workspace, person.email))["invite_token"]
    assert (await client.post("/api/session/accept", json={"token": token})).status_code == 201
    assert await signed_in_slugs(workspace, person.email, PASSWORD) == [workspace.slug]


async def test_a_key_made_for_somebody_invited_is_theirs_after_they_join(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await other_workspace.make_person()
    invited = await workspace.invite(email=person.email)
    holder = await workspace.client(user_id=invited.member.user_id)
    assert (await holder.get("/api/workspace")).json()["role"] == "viewer"
    client = await other_workspace.signed_in(person)
    assert (await client.post("/api/session/accept", json={"token": invited.token})).status_code == 201
    assert (await holder.get("/api/workspace")).status_code == 200


async def test_a_password_of_the_operator_speaks_for_the_workspace_it_was_given_in(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await other_workspace.make_person()
    invited = await workspace.invite(email=person.email)
    async with workspace.db.tx(workspace.system) as tx:
        assert await workspaces.set_first_password(tx, invited.member, OWN)
        assert await workspaces.set_first_password(tx, invited.member, OWN) is None
    assert await signed_in_slugs(workspace, person.email, OWN) == [workspace.slug]
    assert await signed_in_slugs(workspace, person.email, PASSWORD) == [other_workspace.slug]


async def test_an_operator_says_which_account_of_an_address_gets_a_new_password(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email, new = address(), "as the operator chose"
    for each, password in ((workspace, OWN), (other_workspace, TAKEN)):
        await join(each, (await invite(each, email))["invite_token"], password)
    with pytest.raises(SeveralAccounts, match=f"{workspace.slug}, {other_workspace.slug}"):
        await service.reset_password(workspace.db, email, None, new)
    await service.reset_password(workspace.db, email, workspace.slug, new)
    assert await signed_in_slugs(workspace, email, new) == [workspace.slug]
    assert await signed_in_slugs(workspace, email, TAKEN) == [other_workspace.slug]


async def test_an_operator_learns_why_there_is_no_account_to_give_a_password(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    email, new, owner = address(), "as the operator chose", await workspace.client()
    with pytest.raises(NotFound, match="there is nobody with the address"):
        await service.reset_password(workspace.db, email, None, new)
    invited = [await invite(each, email) for each in (workspace, other_workspace)]
    for slug in (None, "another"):
        with pytest.raises(NotFound, match="invited and has not joined yet") as refused:
            await service.reset_password(workspace.db, email, slug, new)
        assert workspace.slug in str(refused.value.detail)
    await join(workspace, invited[0]["invite_token"], OWN)
    with pytest.raises(NotFound, match=f"not in another, but in {workspace.slug}"):
        await service.reset_password(workspace.db, email, "another", new)
    await join(workspace, invited[1]["invite_token"], TAKEN)
    for each, made in zip((owner, await other_workspace.client()), invited, strict=True):
        assert (await each.delete(f"/api/members/{made['member']['user_id']}")).status_code == 204
    with pytest.raises(SeveralAccounts, match="in no workspace: invite them to one"):
        await service.reset_password(workspace.db, email, None, new)


async def stored_hash(database_url: str, email: str, new: str | None = None) -> str:
    connection = await connect(database_url)
    if new:
        await connection.execute("UPDATE users SET password_hash = $2 WHERE email = $1", email, new)
    found: str = await connection.fetchval("SELECT password_hash FROM users WHERE email = $1", email)
    await connection.close()
    return found


@pytest.mark.parametrize("way", ["change", "reset"])
async def test_a_new_password_of_the_only_account_is_hashed_with_the_parameters_of_today(
    workspace: Workspace, database_url: str, way: str
) -> None:
    person = await workspace.make_person()
    weak = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)
    await stored_hash(database_url, person.email, weak)
    if way == "change":
        client = await workspace.signed_in(person)
        change = {"current_password": PASSWORD, "new_password": OWN}
        assert (await client.post("/api/session/password", json=change)).status_code == 204
    else:
        await service.reset_password(workspace.db, person.email, None, OWN)
    now = await stored_hash(database_url, person.email)
    assert not PasswordHasher().check_needs_rehash(now)
    assert now.split("$")[-2] != weak.split("$")[-2]


@pytest.mark.parametrize("stored", ["x", "$argon2id$", "$argon2id$v=19$m=65536,t=3,p=4$YQ$YQ", "$a$b$c$d$e"])
async def test_a_stored_hash_that_cannot_be_read_is_no_password(
    workspace: Workspace, database_url: str, stored: str
) -> None:
    person = await workspace.make_person()
    client = await workspace.signed_in(person)
    await stored_hash(database_url, person.email, stored)
    assert (await sign_in(await workspace.browser(), person.email)).status_code == 401
    change = {"current_password": PASSWORD, "new_password": OWN}
    assert code(await client.post("/api/session/password", json=change)) == (422, "invalid_input")
    await service.reset_password(workspace.db, person.email, None, OWN)
    assert await signed_in_slugs(workspace, person.email, OWN) == [workspace.slug]
