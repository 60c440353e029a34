"""The second factor of a password: enrolment, signing in, recovery, and what must not get around it."""

import base64
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from goldloop.kit.clock import now
from goldloop.kit.db import Database, connect
from goldloop.kit.ids import secret_hash
from goldloop.tenants.model import Role
from goldloop.tenants.second_factors import recovery, totp
from goldloop.tenants.second_factors.qr import qr_rows
from goldloop.tenants.sign_in.attempt_service import ATTEMPTS_PER_CODE
from tests.factories import PASSWORD, Person, Workspace, sign_in
from tests.tenants.test_sign_in import code, count_attempts

RFC_SECRET = b"12345678901234567890"  # RFC 6238, appendix B


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_standard(seconds: int, expected: str) -> None:
    assert totp.code_of(RFC_SECRET, seconds // totp.STEP_SECONDS) == expected


@pytest.mark.parametrize(
    ("off", "last_step", "is_taken"),
    [
        (-2, 0, False),
        (-1, 0, True),
        (0, 0, True),
        (1, 0, True),
        (2, 0, False),
        (0, 100, False),
        (1, 100, True),
    ],
)
def test_a_code_is_taken_around_its_time_and_once(off: int, last_step: int, is_taken: bool) -> None:
    at = datetime.fromtimestamp(100 * totp.STEP_SECONDS + 15, UTC)
    found = totp.find_step(RFC_SECRET, totp.code_of(RFC_SECRET, 100 + off), at, last_step)
    assert found == (100 + off if is_taken else None)


def test_a_recovery_code_is_read_as_people_write_it() -> None:
    written = recovery.written(b"\x00\xff" * 7 + b"\x01")
    assert len(written.split("-")) == 4
    assert recovery.plain(f" {written.lower()} ") == written.replace("-", "")


def test_a_qr_code_is_a_square_with_its_finders_and_a_quiet_border() -> None:
    rows = qr_rows("otpauth://totp/Goldloop:ada%40example.com?secret=AAAA&issuer=Goldloop")
    assert len({len(rows), *map(len, rows)}) == 1
    assert rows[0] == rows[3] == "0" * len(rows)
    assert rows[4][4:11] == rows[4][-11:-4] == "1111111"


class Phone:
    """An authenticator app. It gives a code of the next half minute when that of this one was used."""

    def __init__(self, secret: str) -> None:
        self.secret = base64.b32decode(secret)
        self.used = totp.step_at(now()) - 2

    def code(self) -> str:
        self.used = max(self.used + 1, totp.step_at(now()) - 1)
        return totp.code_of(self.secret, self.used)


async def enrol(client: httpx.AsyncClient) -> tuple[Phone, list[str]]:
    begun = await client.post("/api/account/second-factor", json={"current_password": PASSWORD})
    assert begun.status_code == 201, begun.text
    phone = Phone(begun.json()["secret"])
    confirmed = await client.post("/api/account/second-factor/confirm", json={"code": phone.code()})
    assert confirmed.status_code == 201, confirmed.text
    return phone, confirmed.json()["recovery_codes"]


async def give(client: httpx.AsyncClient, email: str, code: str | None) -> httpx.Response:
    body: dict[str, Any] = {"email": email, "password": PASSWORD, "code": code}
    return await client.post("/api/session", json=body)


async def test_with_a_second_factor_the_password_alone_is_not_enough(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    phone, codes = await enrol(client)
    assert len(set(codes)) == recovery.COUNT
    browser, email = await workspace.browser(), workspace.owner_email
    alone = await sign_in(browser, email)
    assert code(alone) == (401, "second_factor_needed")
    assert "set-cookie" not in alone.headers
    wrong = await give(browser, email, "000000")
    assert (wrong.status_code, wrong.json()["errors"][0]["code"]) == (422, "wrong_code")
    right = phone.code()
    assert (await give(browser, email, right)).status_code == 201
    replayed = await give(browser, email, right)
    assert (replayed.status_code, replayed.json()["errors"][0]["code"]) == (422, "wrong_code")
    account = (await client.get("/api/account")).json()
    assert account["second_factor_since"] is not None
    assert account["recovery_codes_left"] == recovery.COUNT
    shown = (await (await workspace.client()).get("/api/members")).json()["data"][0]["sign_in"]
    assert shown == {"password": True, "second_factor": True, "providers": []}


async def test_a_wrong_password_says_nothing_of_a_second_factor(workspace: Workspace) -> None:
    await enrol(await workspace.signed_in())
    answer = await sign_in(await workspace.browser(), workspace.owner_email, "not the password")
    assert code(answer) == (401, "invalid_credentials")


async def test_a_recovery_code_is_good_once_and_new_ones_replace_the_old(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    phone, codes = await enrol(client)
    browser, email = await workspace.browser(), workspace.owner_email
    assert (await give(browser, email, codes[0].lower())).status_code == 201
    assert (await give(browser, email, codes[0])).status_code == 422
    renewed = await client.post("/api/account/second-factor/recovery-codes", json={"code": phone.code()})
    assert renewed.status_code == 201
    assert (await give(browser, email, codes[1])).status_code == 422
    assert (await give(browser, email, renewed.json()["recovery_codes"][0])).status_code == 201


async def test_nothing_of_it_is_stored_in_the_clear(workspace: Workspace, database_url: str) -> None:
    client = await workspace.signed_in()
    phone, codes = await enrol(client)
    owner = await connect(database_url, statement_cache=0)
    secrets = await owner.fetch("SELECT secret FROM second_factors")
    hashes = await owner.fetch("SELECT hash FROM recovery_codes")
    await owner.close()
    assert not any(phone.secret in row["secret"] for row in secrets)
    assert not any(text.encode() in row["hash"] for row in hashes for text in codes)


async def test_codes_cannot_be_guessed_without_limit(workspace: Workspace, db: Database) -> None:
    client = await workspace.signed_in()
    phone, _ = await enrol(client)
    account = (await client.get("/api/account")).json()["id"]
    await count_attempts(db, secret_hash(f"code:{account}"), ATTEMPTS_PER_CODE)
    limited = await give(await workspace.browser(), workspace.owner_email, phone.code())
    assert code(limited) == (429, "too_many_attempts")


async def test_a_wrong_code_after_the_right_password_counts_and_a_right_one_does_not(
    workspace: Workspace, db: Database
) -> None:
    client = await workspace.signed_in()
    phone, codes = await enrol(client)
    account = (await client.get("/api/account")).json()["id"]
    await count_attempts(db, secret_hash(f"code:{account}"), ATTEMPTS_PER_CODE - 1)
    browser, email = await workspace.browser(), workspace.owner_email
    assert (await give(browser, email, phone.code())).status_code == 201
    assert (await give(browser, email, "000000")).status_code == 422
    assert code(await give(browser, email, codes[0])) == (429, "too_many_attempts")


async def test_who_knows_only_the_address_locks_nobody_out(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    """Neither by signing in, nor by an invitation or a link that another workspace makes for the address."""
    phone, codes = await enrol(await workspace.signed_in())
    email = workspace.owner_email
    for _ in range(ATTEMPTS_PER_CODE):  # one too many for each client
        guesser = await workspace.browser()
        body = {"email": email, "password": "not the password", "code": "000000"}
        assert (await guesser.post("/api/session", json=body)).status_code == 401
    mine = await other_workspace.invite(Role.VIEWER, email)
    stranger = await other_workspace.browser()
    joining = {"token": mine.token, "name": "Eve", "password": "password of a stranger", "code": "000000"}
    assert (await stranger.post("/api/session/join", json=joining)).status_code == 201
    for _ in range(ATTEMPTS_PER_CODE):
        guesser = await other_workspace.browser()
        body = {"email": email, "password": "password of a stranger", "code": "000000"}
        assert (await guesser.post("/api/session", json=body)).status_code == 201
    assert (await give(await workspace.browser(), email, phone.code())).status_code == 201
    assert (await give(await workspace.browser(), email, codes[0])).status_code == 201


async def test_codes_cannot_be_guessed_by_invitations_and_links_either(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await workspace.make_person(Role.VIEWER)
    phone, _ = await enrol(await workspace.signed_in(person))
    invitation = await other_workspace.invite(Role.VIEWER, person.email)
    link = (await (await workspace.client()).post(f"/api/members/{person.id}/reset", json={})).json()
    joining = {"token": invitation.token, "name": "Eve", "password": PASSWORD, "code": "000000"}
    resetting = {"token": link["reset_token"], "password": "another password", "code": "000000"}
    for _ in range(ATTEMPTS_PER_CODE // 2):
        browser = await workspace.browser()
        assert (await browser.post("/api/session/join", json=joining)).status_code == 422
        assert (await browser.post("/api/session/reset", json=resetting)).status_code == 422
    right = {"code": phone.code()}
    for path, body in (("join", joining), ("reset", resetting)):
        limited = await (await workspace.browser()).post(f"/api/session/{path}", json=body | right)
        assert code(limited) == (429, "too_many_attempts"), path


async def test_a_stolen_session_neither_begins_nor_removes_one(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    begun = await client.post("/api/account/second-factor", json={"current_password": "a guess"})
    assert (begun.status_code, begun.json()["errors"][0]["path"]) == (422, "/current_password")
    phone, codes = await enrol(client)
    again = await client.post("/api/account/second-factor", json={"current_password": PASSWORD})
    assert code(again) == (409, "second_factor_exists")
    path = "/api/account/second-factor/remove"
    for body in (
        {"current_password": PASSWORD, "code": "000000"},
        {"current_password": "a guess", "code": phone.code()},
    ):
        assert (await client.post(path, json=body)).status_code == 422
    removed = await client.post(path, json={"current_password": PASSWORD, "code": codes[0]})
    assert removed.status_code == 204
    assert (await sign_in(await workspace.browser(), workspace.owner_email)).status_code == 201


async def test_one_that_was_only_begun_does_not_count(workspace: Workspace) -> None:
    client = await workspace.signed_in()
    await client.post("/api/account/second-factor", json={"current_password": PASSWORD})
    wrong = await client.post("/api/account/second-factor/confirm", json={"code": "000000"})
    assert wrong.status_code == 422
    assert (await sign_in(await workspace.browser(), workspace.owner_email)).status_code == 201


async def test_joining_with_the_password_of_an_account_needs_its_code(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    phone, _ = await enrol(await workspace.signed_in())
    invitation = await other_workspace.invite(Role.VIEWER, workspace.owner_email)
    browser = await other_workspace.browser()
    joining = {"token": invitation.token, "name": "Ada", "password": PASSWORD}
    assert code(await browser.post("/api/session/join", json=joining)) == (401, "second_factor_needed")
    joined = await browser.post("/api/session/join", json={**joining, "code": phone.code()})
    assert joined.status_code == 201


async def test_who_knows_the_password_of_another_account_of_the_address_gets_no_further_by_it(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    """Two accounts with one password become one, and the second factor stays."""
    phone, _ = await enrol(await workspace.signed_in())
    stranger = await other_workspace.browser()
    invitation = await other_workspace.invite(Role.VIEWER, workspace.owner_email)
    joining = {"token": invitation.token, "name": "Eve", "password": "password of a stranger"}
    joined = await stranger.post("/api/session/join", json=joining)
    stranger.headers["X-Goldloop-CSRF"] = joined.json()["csrf_token"]
    changed = {"current_password": "password of a stranger", "new_password": PASSWORD}
    assert (await stranger.post("/api/session/password", json=changed)).status_code == 204
    assert (await stranger.get("/api/session")).status_code == 401
    assert code(await sign_in(stranger, workspace.owner_email)) == (401, "second_factor_needed")
    entered = await give(await workspace.browser(), workspace.owner_email, phone.code())
    assert len(entered.json()["workspaces"]) == 2


async def test_an_admins_link_takes_it_away_only_if_asked_to(workspace: Workspace) -> None:
    person: Person = await workspace.make_person(Role.VIEWER)
    phone, _ = await enrol(await workspace.signed_in(person))
    owner = await workspace.client()
    path = f"/api/members/{person.id}/reset"
    browser = await workspace.browser()
    kept = (await owner.post(path, json={})).json()["reset_token"]
    body = {"token": kept, "password": "another password"}
    assert code(await browser.post("/api/session/reset", json=body)) == (401, "second_factor_needed")
    assert (await browser.post("/api/session/reset", json={**body, "code": phone.code()})).status_code == 201
    gone = (await owner.post(path, json={"second_factor": True})).json()["reset_token"]
    body = {"token": gone, "password": "yet another password"}
    assert (await browser.post("/api/session/reset", json=body)).status_code == 201
    assert (await sign_in(browser, person.email, "yet another password")).status_code == 201
