"""Signing in at a provider: a real one, one that lies, and what claims make of accounts and memberships."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from goldloop.kit.db import Database
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.tenants.identities.providers import PROVIDERS, ProviderClient
from goldloop.tenants.model import Role
from goldloop.tenants.sign_in.model import PASSWORDS
from goldloop.tenants.sign_in.service import open_account_reset
from tests.factories import PASSWORD, ROOT, Workspace, sign_in
from tests.servers import open_folder
from tests.tenants.providers import (
    DOMAIN,
    LyingProvider,
    answer_of_real,
    curve_key,
    hmac_key,
    lying_provider,
    provider_of,
    query_of,
    real_provider,
)


@pytest_asyncio.fixture(scope="module")
async def issuer() -> AsyncIterator[str]:
    with open_folder() as folder:
        async with real_provider(Path(folder)) as made:
            yield made


@pytest_asyncio.fixture(scope="module")
async def lying() -> AsyncIterator[LyingProvider]:
    async with lying_provider() as made:
        yield made


@pytest.fixture(autouse=True)
def nobody_else(outside: Outside) -> Iterator[None]:
    yield
    outside[PROVIDERS].by_name.clear()


class Door:
    """The provider `corp` in the settings of this test, and the way through it."""

    def __init__(self, outside: Outside, workspace: Workspace, issuer: str, **given: str) -> None:
        self.workspace = workspace
        self.client = ProviderClient(provider_of(issuer, **given), ROOT)
        outside[PROVIDERS].by_name["corp"] = self.client

    async def begin(self, browser: httpx.AsyncClient, **body: Any) -> str:
        answer = await browser.post("/api/sign-in/corp", json=body)
        assert answer.status_code == 201, answer.text
        url: str = answer.json()["url"]
        return url

    async def finish(self, browser: httpx.AsyncClient, answer: dict[str, str]) -> httpx.Response:
        sent = {key: answer[key] for key in ("state", "code", "error", "iss") if key in answer}
        finished = await browser.post("/api/sign-in/corp/finish", json=sent)
        if finished.status_code == 201 and finished.json()["session"]:
            browser.headers["X-Goldloop-CSRF"] = finished.json()["session"]["csrf_token"]
        return finished

    async def enter(self, email: str | None, **body: Any) -> tuple[httpx.AsyncClient, httpx.Response]:
        """With the real provider."""
        browser = await self.workspace.browser()
        return browser, await self.finish(
            browser, await answer_of_real(await self.begin(browser, **body), email)
        )


def roles(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code == 201, answer.text
    return {each["slug"]: each["role"] for each in answer.json()["session"]["workspaces"]}


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def somebody(groups: str = "") -> str:
    return f"p{new_id().hex}{groups}@{DOMAIN}"


async def member(workspace: Workspace, email: str) -> dict[str, Any]:
    client = await workspace.client()
    listed = (await client.get("/api/members", params={"limit": 200})).json()["data"]
    found: dict[str, Any] = next(each for each in listed if each["email"] == email)
    return found


# The real provider.


async def test_somebody_from_a_provider_becomes_a_member_with_the_role_of_their_claims(
    outside: Outside, workspace: Workspace, other_workspace: Workspace, issuer: str
) -> None:
    mapping = (
        f"admins={workspace.slug}:admin, staff={workspace.slug}:viewer, staff={other_workspace.slug}:reviewer"
    )
    door = Door(outside, workspace, issuer, ROLES=mapping)
    email = somebody("+staff")
    browser, answer = await door.enter(email, next="/records?x=1")
    assert roles(answer) == {workspace.slug: "viewer", other_workspace.slug: "reviewer"}
    assert answer.json()["next"] == "/records?x=1"
    assert (await browser.get("/api/workspace")).status_code == 200
    seen = await member(workspace, email)
    assert (seen["status"], seen["role_from"]) == ("active", "corp")
    assert seen["sign_in"] == {"password": False, "second_factor": False, "providers": ["corp"]}
    assert seen["name"].endswith("of the provider")


async def test_signing_out_goes_on_at_the_provider(
    outside: Outside, workspace: Workspace, issuer: str
) -> None:
    door = Door(outside, workspace, issuer, ROLES=f"*={workspace.slug}:viewer")
    browser, _ = await door.enter(somebody())
    url = (await browser.delete("/api/session")).json()["continue_at"]
    assert url.startswith(issuer)
    asked = query_of(url)
    assert asked["post_logout_redirect_uri"] == f"{ROOT}/sign-in"
    async with httpx.AsyncClient(timeout=60) as at_provider:
        assert (
            await at_provider.get(url)
        ).status_code == 200  # it knows the token and the address to come back to
    assert (await browser.get("/api/session")).status_code == 401


async def test_a_code_and_a_state_are_good_once(outside: Outside, workspace: Workspace, issuer: str) -> None:
    door = Door(outside, workspace, issuer, ROLES=f"*={workspace.slug}:viewer")
    browser = await workspace.browser()
    email = somebody()
    answer = await answer_of_real(await door.begin(browser), email)
    assert (await door.finish(browser, answer)).status_code == 201
    assert code(await door.finish(browser, answer)) == (409, "sign_in_expired")
    again = await answer_of_real(await door.begin(browser), email)
    assert code(await door.finish(browser, {**again, "code": answer["code"]})) == (403, "sign_in_refused")


async def test_who_refuses_at_the_provider_is_told_so(
    outside: Outside, workspace: Workspace, issuer: str
) -> None:
    door = Door(outside, workspace, issuer, ROLES=f"*={workspace.slug}:viewer")
    _, answer = await door.enter(None)
    assert code(answer) == (403, "sign_in_refused")
    assert "access_denied" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("email", "refusal"),
    [("unverified@" + DOMAIN, "email_not_verified"), ("eve@elsewhere.test", "sign_in_refused")],
)
async def test_an_address_that_is_not_vouched_for_or_of_another_domain_is_refused(
    outside: Outside, workspace: Workspace, issuer: str, email: str, refusal: str
) -> None:
    door = Door(outside, workspace, issuer, ROLES=f"*={workspace.slug}:viewer")
    browser, answer = await door.enter(email)
    assert code(answer) == (403, refusal)
    assert "goldloop_session" not in browser.cookies


async def test_without_a_role_nobody_comes_in_and_no_account_is_made(
    outside: Outside, workspace: Workspace, issuer: str
) -> None:
    door = Door(outside, workspace, issuer, ROLES=f"admins={workspace.slug}:admin")
    _, answer = await door.enter(somebody("+staff"))
    assert code(answer) == (403, "no_access")


async def test_an_invitation_is_used_with_an_identity_of_its_address(
    outside: Outside, workspace: Workspace, issuer: str
) -> None:
    door = Door(outside, workspace, issuer)
    email = somebody()
    invitation = await workspace.invite(Role.REVIEWER, email)
    _, other = await door.enter(somebody(), invite_token=invitation.token)
    assert code(other) == (409, "invite_for_another")
    _, answer = await door.enter(email, invite_token=invitation.token)
    assert answer.json()["session"]["joined"] == workspace.slug
    assert roles(answer) == {workspace.slug: "reviewer"}
    _, again = await door.enter(email)
    assert roles(again) == {workspace.slug: "reviewer"}  # linked, so no invitation is needed any more
    assert (await member(workspace, email))["role_from"] is None


async def test_who_is_signed_in_links_an_identity_and_unlinks_it(
    outside: Outside, workspace: Workspace, issuer: str
) -> None:
    door = Door(outside, workspace, issuer)
    browser = await workspace.signed_in()
    url = (await browser.post("/api/account/identities/corp")).json()["url"]
    email = somebody()
    linked = await door.finish(browser, await answer_of_real(url, email))
    assert linked.json() == {"next": "/settings/account", "session": None}
    _, answer = await door.enter(email)
    assert roles(answer) == {workspace.slug: "owner"}
    (identity,) = (await browser.get("/api/account")).json()["identities"]
    assert (identity["email"], identity["label"]) == (email, "Corp")
    assert (await browser.delete(f"/api/account/identities/{identity['id']}")).status_code == 204
    _, answer = await door.enter(email)
    assert code(answer) == (403, "no_access")


# One that lies.


@pytest.mark.parametrize(
    "bend",
    [
        lambda c: {**c, "nonce": "another"},
        lambda c: {k: v for k, v in c.items() if k != "nonce"},
        lambda c: {**c, "aud": "another"},
        lambda c: {**c, "aud": ["goldloop", "another"]},
        lambda c: {**c, "azp": "another"},
        lambda c: {**c, "iss": "http://127.0.0.1:1"},
        lambda c: {**c, "exp": c["iat"] - 120},
        lambda c: {**c, "nbf": c["iat"] + 600},
        lambda c: {**c, "iat": c["iat"] + 600},
        lambda c: {k: v for k, v in c.items() if k != "exp"},
        lambda c: {k: v for k, v in c.items() if k != "sub"},
        lambda c: {**c, "sub": ""},
    ],
    ids=[
        "wrong nonce",
        "no nonce",
        "other audience",
        "several audiences",
        "other party",
        "other issuer",
        "expired",
        "not yet",
        "from the future",
        "for ever",
        "nobody",
        "empty subject",
    ],
)
async def test_an_id_token_that_is_not_for_this_sign_in_is_refused(
    outside: Outside, workspace: Workspace, lying: LyingProvider, bend: Any
) -> None:
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    browser = await workspace.browser()
    lying.bend = bend
    try:
        answer = await door.finish(browser, lying.answer(await door.begin(browser)))
    finally:
        lying.bend = lambda claims: claims
    assert code(answer) == (403, "sign_in_refused")
    assert "goldloop_session" not in browser.cookies


@pytest.mark.parametrize(
    ("algorithm", "key"),
    [("none", None), ("HS256", hmac_key()), ("RS256", "unpublished"), ("ES256", curve_key("first"))],
    ids=["none", "the client's secret", "another key", "another kind of key"],
)
async def test_a_token_that_the_provider_did_not_sign_is_refused(
    outside: Outside, workspace: Workspace, lying: LyingProvider, algorithm: str, key: Any
) -> None:
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    browser = await workspace.browser()
    honest = lying.key
    lying.algorithm = algorithm
    lying.key = LyingProvider().key if key == "unpublished" else key or honest
    try:
        answer = await door.finish(browser, lying.answer(await door.begin(browser)))
    finally:
        lying.algorithm, lying.key = "RS256", honest
    assert code(answer) == (403, "sign_in_refused")


async def test_a_new_key_is_found_and_keys_are_not_read_as_often_as_anybody_likes(
    outside: Outside, workspace: Workspace
) -> None:
    async with lying_provider() as rotating:
        door = Door(outside, workspace, rotating.issuer, ROLES=f"*={workspace.slug}:viewer")
        moment = 1000.0
        door.client._clock = lambda: moment
        browser = await workspace.browser()

        async def enter() -> int:
            return (await door.finish(browser, rotating.answer(await door.begin(browser)))).status_code

        assert await enter() == 201
        assert rotating.jwks_reads == 1
        rotating.key = curve_key("second")
        rotating.algorithm, rotating.published = "ES256", [rotating.key]
        assert (await enter(), rotating.jwks_reads) == (403, 1)  # read a moment ago
        moment += 61
        assert (await enter(), rotating.jwks_reads) == (201, 2)
        rotating.key = curve_key("third")
        assert [await enter(), await enter(), await enter()] == [403, 403, 403]
        assert rotating.jwks_reads == 2


async def test_the_answer_of_another_provider_or_browser_is_refused(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    browser = await workspace.browser()
    answer = lying.answer(await door.begin(browser))
    mixed_up = await door.finish(browser, {**answer, "iss": "https://another.test"})
    assert code(mixed_up) == (403, "sign_in_refused")
    stolen = lying.answer(await door.begin(browser))
    assert code(await door.finish(await workspace.browser(), stolen)) == (403, "sign_in_refused")
    assert code(await door.finish(browser, {"state": "made up", "code": "x"})) == (409, "sign_in_expired")
    from_elsewhere = await browser.post(
        "/api/sign-in/corp/finish", json=answer, headers={"Origin": "http://evil.test"}
    )
    assert code(from_elsewhere) == (403, "cross_site")


async def test_a_provider_that_names_itself_in_answers_has_to(outside: Outside, workspace: Workspace) -> None:
    async with lying_provider() as named:
        named.metadata = {"authorization_response_iss_parameter_supported": True}
        door = Door(outside, workspace, named.issuer, ROLES=f"*={workspace.slug}:viewer")
        browser = await workspace.browser()
        without = await door.finish(browser, named.answer(await door.begin(browser)))
        assert code(without) == (403, "sign_in_refused")
        answer = named.answer(await door.begin(browser)) | {"iss": named.issuer}
        assert (await door.finish(browser, answer)).status_code == 201


async def test_userinfo_tells_what_the_token_leaves_out_but_not_of_somebody_else(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    door = Door(outside, workspace, lying.issuer, ROLES=f"staff={workspace.slug}:viewer")
    browser = await workspace.browser()
    subject = new_id().hex
    lying.bend = lambda c: (
        {k: v for k, v in c.items() if k not in ("email", "email_verified")} | {"sub": subject}
    )
    lying.userinfo = {
        "sub": "somebody else",
        "email": somebody(),
        "email_verified": True,
        "groups": ["staff"],
    }
    try:
        refused = await door.finish(browser, lying.answer(await door.begin(browser)))
        assert code(refused) == (403, "sign_in_refused")
        lying.userinfo["sub"] = subject
        answer = await door.finish(browser, lying.answer(await door.begin(browser)))
    finally:
        lying.bend, lying.userinfo = lambda claims: claims, {}
    assert roles(answer) == {workspace.slug: "viewer"}


async def test_while_the_provider_is_down_one_is_told_so_and_passwords_work(
    outside: Outside, workspace: Workspace
) -> None:
    Door(outside, workspace, "http://127.0.0.1:1", LABEL="Our directory")
    browser = await workspace.browser()
    answer = await browser.post("/api/sign-in/corp", json={})
    assert code(answer) == (503, "provider_unavailable")
    assert "Our directory" in answer.json()["detail"]
    assert (await sign_in(browser, workspace.owner_email)).status_code == 201


# What claims make of memberships.


class Person:
    """Somebody at the lying provider, whose claims change."""

    def __init__(self, door: Door, lying: LyingProvider, email: str | None = None) -> None:
        self.door, self.lying = door, lying
        self.subject, self.email = new_id().hex, email or somebody()

    async def enter(self, *groups: str, **claims: Any) -> httpx.Response:
        browser = await self.door.workspace.browser()
        self.lying.claims = {
            "sub": self.subject,
            "email": self.email,
            "groups": list(groups),
            **claims,
        }
        try:
            return await self.door.finish(browser, self.lying.answer(await self.door.begin(browser)))
        finally:
            self.lying.claims = {}


async def test_a_role_follows_the_claims_at_each_sign_in_and_ends_with_them(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    slug = workspace.slug
    door = Door(outside, workspace, lying.issuer, ROLES=f"a={slug}:admin, r={slug}:reviewer, v={slug}:viewer")
    person = Person(door, lying)
    for groups, role in ((["v"], "viewer"), (["v", "a"], "admin"), (["r", "v"], "reviewer")):
        assert roles(await person.enter(*groups)) == {slug: role}
    owner = await workspace.client()
    found = await member(workspace, person.email)
    await owner.patch(f"/api/members/{found['user_id']}", json={"role": "owner"})
    assert roles(await person.enter("v")) == {slug: "viewer"}  # never above what the mapping says
    assert roles(await person.enter()) == {}
    listed = (await owner.get("/api/members")).json()["data"]
    assert person.email not in [each["email"] for each in listed]
    assert roles(await person.enter("r")) == {slug: "reviewer"}


async def test_the_last_owner_stays_one_whatever_the_claims_say(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    slug = workspace.slug
    door = Door(outside, workspace, lying.issuer, ROLES=f"o={slug}:owner, v={slug}:viewer")
    person = Person(door, lying)
    assert roles(await person.enter("o")) == {slug: "owner"}
    owner = await workspace.client()
    assert (
        await owner.patch(f"/api/members/{workspace.owner_id}", json={"role": "viewer"})
    ).status_code == 200
    assert roles(await person.enter("v")) == {slug: "owner"}
    assert roles(await person.enter()) == {slug: "owner"}


async def test_an_address_does_not_take_a_password_account_over(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    email = somebody()
    await workspace.make_person(Role.ADMIN, email)
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    answer = await Person(door, lying, email).enter()
    assert code(answer) == (409, "account_exists")
    assert (await sign_in(await workspace.browser(), email)).status_code == 201


async def test_a_trusted_provider_takes_an_account_over_with_nothing_left_of_who_had_it(
    outside: Outside, workspace: Workspace, other_workspace: Workspace, lying: LyingProvider
) -> None:
    email = somebody()
    before = await workspace.make_person(Role.ADMIN, email)
    signed_in = await workspace.signed_in(before)
    mapping = f"*={workspace.slug}:reviewer, *={other_workspace.slug}:viewer"
    door = Door(outside, workspace, lying.issuer, ROLES=mapping, LINK_BY_EMAIL="yes")
    person = Person(door, lying, email)
    assert roles(await person.enter()) == {workspace.slug: "reviewer", other_workspace.slug: "viewer"}
    assert (await signed_in.get("/api/session")).status_code == 401
    assert (await sign_in(await workspace.browser(), email)).status_code == 401
    assert (await member(workspace, email))["user_id"] == str(before.id)  # what they did stays theirs
    namesake = await Person(door, lying, email).enter()  # the address was given to somebody else
    assert code(namesake) == (409, "account_exists")


async def test_an_account_that_owns_a_workspace_is_linked_by_its_person_alone(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    email = somebody()
    await workspace.make_person(Role.OWNER, email)
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer", LINK_BY_EMAIL="yes")
    assert code(await Person(door, lying, email).enter()) == (409, "account_exists")


async def test_an_account_of_the_address_elsewhere_is_not_found_by_it(
    outside: Outside, workspace: Workspace, other_workspace: Workspace, lying: LyingProvider
) -> None:
    """Whoever runs another workspace may have made it, and know its password."""
    email = somebody()
    await other_workspace.make_person(Role.ADMIN, email)
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer", LINK_BY_EMAIL="yes")
    assert roles(await Person(door, lying, email).enter()) == {workspace.slug: "viewer"}
    stranger = await sign_in(await other_workspace.browser(), email)
    assert [each["slug"] for each in stranger.json()["workspaces"]] == [other_workspace.slug]


async def test_an_invited_member_joins_by_their_claims(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    invitation = await workspace.invite(Role.ADMIN, somebody())
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    assert roles(await Person(door, lying, invitation.member.email).enter()) == {workspace.slug: "viewer"}
    assert (await member(workspace, invitation.member.email))["user_id"] == str(invitation.member.user_id)


async def test_an_identity_is_linked_to_one_account_by_who_is_signed_in_there(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    person = Person(door, lying)
    await person.enter()
    owner, other = await workspace.signed_in(), await workspace.signed_in(await workspace.make_person())
    lying.claims = {"sub": person.subject, "email": person.email}
    begun = (await owner.post("/api/account/identities/corp")).json()["url"]
    assert code(await door.finish(owner, lying.answer(begun))) == (409, "identity_taken")
    begun = (await owner.post("/api/account/identities/corp")).json()["url"]
    other.cookies.set("goldloop_sign_in", owner.cookies["goldloop_sign_in"])
    assert code(await door.finish(other, lying.answer(begun))) == (403, "sign_in_refused")
    lying.claims = {}


async def test_the_only_way_in_is_not_unlinked(
    outside: Outside, workspace: Workspace, lying: LyingProvider
) -> None:
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    browser = await workspace.browser()
    lying.claims = {"sub": new_id().hex, "email": somebody()}
    await door.finish(browser, lying.answer(await door.begin(browser)))
    lying.claims = {}
    account = (await browser.get("/api/account")).json()
    assert account["has_password"] is False
    path = f"/api/account/identities/{account['identities'][0]['id']}"
    assert code(await browser.delete(path)) == (409, "last_way_in")
    foreign = await workspace.signed_in()
    assert code(await foreign.delete(path)) == (404, "identity_not_found")


async def test_with_passwords_off_providers_and_the_operators_link_remain(
    outside: Outside, workspace: Workspace, lying: LyingProvider, worker_db: Database
) -> None:
    door = Door(outside, workspace, lying.issuer, ROLES=f"*={workspace.slug}:viewer")
    browser = await workspace.browser()
    invitation = await workspace.invite()
    ports: Any = outside.ports
    ports[PASSWORDS] = False
    try:
        assert (await browser.get("/api/sign-in")).json() == {
            "passwords": False,
            "providers": [{"name": "corp", "label": "Corp"}],
        }
        assert code(await sign_in(browser, workspace.owner_email)) == (403, "passwords_off")
        joining = {"token": invitation.token, "name": "A", "password": PASSWORD}
        assert code(await browser.post("/api/session/join", json=joining)) == (403, "passwords_off")
        assert (await Person(door, lying).enter()).status_code == 201
        link = await open_account_reset(worker_db, workspace.owner_email, None, second_factor=False)
        body = {"token": link.token, "password": "a new password"}
        assert (await browser.post("/api/session/reset", json=body)).status_code == 201
    finally:
        ports[PASSWORDS] = True


async def test_an_unknown_provider_and_a_page_elsewhere_are_refused(workspace: Workspace) -> None:
    browser = await workspace.browser()
    assert code(await browser.post("/api/sign-in/nobody", json={})) == (404, "provider_not_found")
    for page in ("https://evil.test", "//evil.test", "/\\evil.test", "evil"):
        assert (await browser.post("/api/sign-in/corp", json={"next": page})).status_code == 422
