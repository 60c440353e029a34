"""Signing in and what a session is good for."""

from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest

from goldloop.kit.db import Database, connect
from goldloop.kit.ids import secret_hash
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from goldloop.tenants.sign_in.attempt_service import (
    ATTEMPT_WINDOW,
    ATTEMPTS_PER_ACCOUNT,
    ATTEMPTS_PER_ADDRESS,
    ATTEMPTS_PER_CLIENT,
    ATTEMPTS_PER_PAIR,
)
from goldloop.tenants.sign_in.passwords import MAX_LENGTH, MIN_LENGTH
from tests.factories import PASSWORD, Workspace, browser, sign_in

CSRF = "X-Goldloop-CSRF"


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_signing_in_shows_the_person_and_their_workspaces(workspace: Workspace) -> None:
    client = await workspace.browser()
    assert (await client.get("/api/session")).status_code == 401
    answer = await sign_in(client, workspace.owner_email)
    assert answer.status_code == 201
    assert answer.json()["user"]["id"] == str(workspace.owner_id)
    assert [(w["slug"], w["role"]) for w in answer.json()["workspaces"]] == [(workspace.slug, "owner")]
    assert (await client.get("/api/session")).json() == answer.json()
    assert (await client.get("/api/workspace")).json()["slug"] == workspace.slug


@pytest.mark.parametrize("spelling", ["  {} ", "{}"])
async def test_an_address_is_the_same_in_capitals_and_with_spaces_around(
    workspace: Workspace, spelling: str
) -> None:
    answer = await sign_in(await workspace.browser(), spelling.format(workspace.owner_email.upper()))
    assert answer.status_code == 201


async def test_a_wrong_password_an_unknown_address_and_one_who_never_joined_answer_the_same(
    workspace: Workspace,
) -> None:
    address = (await workspace.invite()).member.email
    client = await workspace.browser()
    wrong = await sign_in(client, workspace.owner_email, "not the password")
    unknown = await sign_in(client, f"nobody-{workspace.owner_email}")
    never_joined = await sign_in(client, address)
    assert code(wrong) == (401, "invalid_credentials")
    assert wrong.json() == unknown.json() == never_joined.json()
    assert not any("set-cookie" in answer.headers for answer in (wrong, unknown, never_joined))


async def test_attempts_of_a_client_on_an_address_are_limited_and_others_are_unaffected(
    workspace: Workspace, other_workspace: Workspace, database_url: str
) -> None:
    client = await workspace.browser()
    for _ in range(ATTEMPTS_PER_PAIR):
        assert (await sign_in(client, workspace.owner_email, "wrong")).status_code == 401
    limited = await sign_in(client, workspace.owner_email)  # right, and too late
    assert code(limited) == (429, "too_many_attempts")
    assert 0 < int(limited.headers["retry-after"]) <= ATTEMPT_WINDOW.total_seconds()
    assert "set-cookie" not in limited.headers

    assert (await sign_in(client, other_workspace.owner_email)).status_code == 201
    elsewhere = await workspace.browser()  # has another network address: nobody is locked out by others
    assert (await sign_in(elsewhere, workspace.owner_email)).status_code == 201

    owner = await connect(database_url)
    await owner.execute("UPDATE sign_in_attempts SET since = since - $1::interval", ATTEMPT_WINDOW)
    await owner.close()
    assert (await sign_in(client, workspace.owner_email)).status_code == 201


async def test_attempts_on_an_address_from_everywhere_are_limited(workspace: Workspace, db: Database) -> None:
    await count_attempts(db, secret_hash(f"email:{workspace.owner_email}"), ATTEMPTS_PER_ADDRESS)
    limited = await sign_in(await workspace.browser(), workspace.owner_email)
    assert code(limited) == (429, "too_many_attempts")


async def test_a_sign_in_from_a_page_of_another_origin_is_refused(workspace: Workspace) -> None:
    client = await workspace.browser()
    body = {"email": workspace.owner_email, "password": PASSWORD}
    for origin, status in (("http://evil.test", 403), ("null", 403), (str(client.base_url), 201)):
        answer = await client.post("/api/session", json=body, headers={"Origin": origin.rstrip("/")})
        assert answer.status_code == status, origin


async def test_a_good_sign_in_is_no_attempt_and_forgives_none(workspace: Workspace, db: Database) -> None:
    """Else whoever has one account of an address could guess another's password for as long as they like."""
    subject = secret_hash(f"email:{workspace.owner_email}")
    await count_attempts(db, subject, ATTEMPTS_PER_ADDRESS - 1)
    client = await workspace.browser()
    for _ in range(3):
        assert (await sign_in(client, workspace.owner_email)).status_code == 201
    assert (await sign_in(client, workspace.owner_email, "wrong")).status_code == 401
    assert code(await sign_in(client, workspace.owner_email)) == (429, "too_many_attempts")


async def test_attempts_from_one_network_address_are_limited_over_all_accounts(
    workspace: Workspace, app: Any, db: Database
) -> None:
    one, another = ("2001:db8::1", "2001:db8::2")
    await count_attempts(db, secret_hash(f"client:{one}"), ATTEMPTS_PER_CLIENT)
    for address, status in ((one, 429), (another, 201)):
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://t") as client:
            assert (await sign_in(client, workspace.owner_email)).status_code == status


async def count_attempts(db: Database, subject: bytes, times: int) -> None:
    for _ in range(times):
        async with db.anonymous() as connection:
            await connection.fetchval(
                "SELECT count_sign_in_attempt($1, $2, $3)", subject, 1000, ATTEMPT_WINDOW
            )


@pytest.mark.parametrize("address", ["/api/session", "/api/session/join"])
@pytest.mark.parametrize(
    ("site", "refused"), [("cross-site", True), ("same-site", True), ("same-origin", False), ("none", False)]
)
async def test_a_sign_in_from_another_site_is_refused(
    workspace: Workspace, address: str, site: str, refused: bool
) -> None:
    client = await workspace.browser()
    body = (
        {"email": workspace.owner_email, "password": PASSWORD}
        if address == "/api/session"
        else {"token": "no such token", "name": "A", "password": PASSWORD}
    )
    answer = await client.post(address, json=body, headers={"Sec-Fetch-Site": site})
    if refused:
        assert code(answer) == (403, "cross_site")
        assert "set-cookie" not in answer.headers
    else:
        assert answer.status_code in (201, 404)


@pytest.mark.parametrize("token", [None, "", "wrong", "ü"])
async def test_a_write_without_the_sessions_csrf_token_is_refused(
    workspace: Workspace, token: str | None
) -> None:
    client = await workspace.signed_in()
    del client.headers[CSRF]
    headers = [] if token is None else [(CSRF.encode(), token.encode())]
    for method, path in (
        ("POST", "/api/agents"),
        ("DELETE", "/api/session"),
        ("POST", "/api/session/password"),
    ):
        answer = await client.request(method, path, headers=headers, json={})
        assert code(answer) == (403, "csrf_failed"), path
    assert (await client.get("/api/agents")).status_code == 200  # reading needs none


async def test_the_csrf_token_of_another_session_is_refused(workspace: Workspace) -> None:
    one, another = await workspace.signed_in(), await workspace.signed_in()
    one.headers[CSRF] = another.headers[CSRF]
    answer = await one.post("/api/agents", json={"slug": "a", "name": "A"})
    assert code(answer) == (403, "csrf_failed")


async def test_with_its_csrf_token_a_session_writes(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    answer = await client.post("/api/agents", json={"slug": "a", "name": "A"})
    assert answer.status_code == 201
    assert answer.json()["created_by"]["id"] == str(workspace.owner_id)


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
async def test_cookies_are_out_of_reach_of_scripts_and_other_sites(
    workspace: Workspace, app: Any, scheme: str, secure: bool
) -> None:
    async with browser(app) as client:
        client.base_url = httpx.URL(f"{scheme}://goldloop.test")
        answer = await sign_in(client, workspace.owner_email)
    cookies: SimpleCookie = SimpleCookie()
    for header in answer.headers.get_list("set-cookie"):
        cookies.load(header)
    session, csrf = cookies["goldloop_session"], cookies["goldloop_csrf"]
    assert (bool(session["httponly"]), session["samesite"].lower()) == (True, "lax")
    assert (bool(csrf["httponly"]), csrf["samesite"].lower()) == (False, "strict")  # the UI reads this one
    for cookie in (session, csrf):
        assert (bool(cookie["secure"]), cookie["path"], cookie["domain"]) == (secure, "/", "")
        assert int(cookie["max-age"]) == 14 * 24 * 3600
    assert csrf.value == answer.json()["csrf_token"]


async def test_signing_out_ends_the_session_and_takes_the_cookies_back(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    kept = dict(client.cookies)
    answer = await client.delete("/api/session")
    assert (answer.status_code, answer.json()) == (200, {"continue_at": None})
    assert not client.cookies
    client.cookies.update(kept)
    assert (await client.get("/api/workspace")).status_code == 401
    assert (await client.get("/api/session")).status_code == 401


async def test_signing_out_leaves_the_persons_other_sessions(workspace: Workspace) -> None:
    one, another = await workspace.signed_in(), await workspace.signed_in()
    await one.delete("/api/session")
    assert (await another.get("/api/workspace")).status_code == 200


async def test_a_changed_password_ends_the_other_sessions_and_the_old_password(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    here, there = await workspace.signed_in(), await workspace.signed_in()
    somebody_else = await other_workspace.signed_in()
    new = "another horse battery"
    answer = await here.post(
        "/api/session/password", json={"current_password": PASSWORD, "new_password": new}
    )
    assert answer.status_code == 204
    assert (await here.get("/api/workspace")).status_code == 200
    assert (await there.get("/api/workspace")).status_code == 401
    assert (await somebody_else.get("/api/workspace")).status_code == 200
    client = await workspace.browser()
    assert (await sign_in(client, workspace.owner_email)).status_code == 401
    assert (await sign_in(client, workspace.owner_email, new)).status_code == 201


@pytest.mark.parametrize(
    ("current", "new", "path", "fault"),
    [
        ("not the password", "long enough to be one", "/current_password", "wrong_password"),
        (PASSWORD, "x" * (MIN_LENGTH - 1), "/new_password", "password_length"),
        (PASSWORD, "x" * (MAX_LENGTH + 1), "/new_password", "invalid_value"),
    ],
)
async def test_a_password_is_changed_only_by_who_knows_it_and_to_one_of_fit_length(
    workspace: Workspace, current: str, new: str, path: str, fault: str
) -> None:
    client = await workspace.signed_in()
    answer = await client.post(
        "/api/session/password", json={"current_password": current, "new_password": new}
    )
    assert answer.status_code == 422
    assert [(e["path"], e["code"]) for e in answer.json()["errors"]] == [(path, fault)]
    assert (await sign_in(await workspace.browser(), workspace.owner_email)).status_code == 201


async def test_a_stolen_session_cannot_guess_the_password_without_limit(
    workspace: Workspace, db: Database
) -> None:
    client = await workspace.signed_in()
    account_id = (await client.get("/api/session")).json()["user"]["id"]
    await count_attempts(db, secret_hash(f"account:{account_id}"), ATTEMPTS_PER_ACCOUNT)
    answer = await client.post(
        "/api/session/password", json={"current_password": "a guess", "new_password": "long enough to be one"}
    )
    assert code(answer) == (429, "too_many_attempts")


async def test_an_expired_session_is_none(
    workspace: Workspace, auth: Authenticator, database_url: str
) -> None:
    client = await workspace.signed_in()
    assert (await client.get("/api/workspace")).status_code == 200
    owner = await connect(database_url)
    changed = await owner.execute(
        "UPDATE sign_in_sessions SET expires_at = now() WHERE hash = $1",
        secret_hash(client.cookies["goldloop_session"]),
    )
    await owner.close()
    assert changed == "UPDATE 1"
    auth.forget()  # what is cached for half a second knows the old time
    assert (await client.get("/api/workspace")).status_code == 401


@pytest.mark.parametrize("cookie", ["", "garbage", "%00", "gl_looks-like-a-key"])
async def test_a_cookie_that_is_no_session_is_none(workspace: Workspace, cookie: str) -> None:
    client = await workspace.browser()
    answer = await client.get("/api/workspace", headers={"Cookie": f"goldloop_session={cookie}"})
    assert code(answer) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_person_in_two_workspaces_picks_one_by_its_slug(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await workspace.make_person(Role.VIEWER)
    owner = await other_workspace.client()
    added = await owner.post("/api/members", json={"email": person.email, "role": "admin"})
    client = await workspace.signed_in(person)
    accepted = await client.post("/api/session/accept", json={"token": added.json()["invite_token"]})
    session = accepted.json()
    assert [(w["slug"], w["role"]) for w in session["workspaces"]] == [
        (workspace.slug, "viewer"),
        (other_workspace.slug, "admin"),
    ]
    for headers, shown in [
        ({}, (workspace.slug, "viewer")),  # the oldest membership
        ({"X-Goldloop-Tenant": workspace.slug}, (workspace.slug, "viewer")),
        ({"X-Goldloop-Tenant": other_workspace.slug}, (other_workspace.slug, "admin")),
    ]:
        seen = (await client.get("/api/workspace", headers=headers)).json()
        assert (seen["slug"], seen["role"]) == shown
    made = {"slug": "a", "name": "A"}
    there = {"X-Goldloop-Tenant": other_workspace.slug}
    assert (await client.post("/api/agents", json=made)).status_code == 403
    assert (await client.post("/api/agents", json=made, headers=there)).status_code == 201


@pytest.mark.parametrize("credential", ["session", "key"])
async def test_a_foreign_workspace_and_an_absent_one_answer_the_same_404(
    workspace: Workspace, other_workspace: Workspace, credential: str
) -> None:
    client = await (workspace.signed_in() if credential == "session" else workspace.client())
    foreign = await client.get("/api/workspace", headers={"X-Goldloop-Tenant": other_workspace.slug})
    absent = await client.get("/api/workspace", headers={"X-Goldloop-Tenant": "no-such-workspace"})
    assert code(foreign) == (404, "not_found")
    assert foreign.json() == absent.json()


async def test_a_slug_with_a_nul_character_is_no_failure_of_the_server(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    answer = await client.get("/api/events?tenant=%00")
    assert answer.status_code in (404, 422)


async def test_a_person_without_a_workspace_is_signed_in_and_finds_none(workspace: Workspace) -> None:
    person = await workspace.make_person()
    client = await workspace.signed_in(person)
    owner = await workspace.client()
    assert (await owner.delete(f"/api/members/{person.id}")).status_code == 204
    assert (await client.get("/api/session")).json()["workspaces"] == []
    assert code(await client.get("/api/workspace")) == (404, "not_found")


async def test_a_key_is_no_session(workspace: Workspace) -> None:
    client = await workspace.client()
    assert code(await client.get("/api/session")) == (401, "unauthenticated")
    assert code(await client.delete("/api/session")) == (401, "unauthenticated")


async def test_a_key_sent_with_a_session_is_who_acts(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    _, secret = await workspace.make_key(Role.VIEWER)
    shown = await client.get("/api/workspace", headers={"Authorization": f"Bearer {secret}"})
    assert shown.json()["role"] == "viewer"


async def test_neither_a_session_nor_a_password_is_stored_as_it_is(
    workspace: Workspace, database_url: str
) -> None:
    client = await workspace.signed_in()
    owner = await connect(database_url)
    stored = await owner.fetchval("SELECT password_hash FROM users WHERE id = $1", workspace.owner_id)
    sessions = await owner.fetch("SELECT hash FROM sign_in_sessions WHERE user_id = $1", workspace.owner_id)
    await owner.close()
    assert stored.startswith("$argon2id$")
    assert [row["hash"] for row in sessions] == [secret_hash(client.cookies["goldloop_session"])]
