"""A page of another site reacts with a token, without a key and without cookies."""

from typing import Any

import httpx
import pytest

from goldloop.conversations.reactions import api
from goldloop.conversations.reactions.tokens import REACTION_TOKEN, Grant
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from tests.conversations.chats import Chats
from tests.factories import ROOT, Workspace


async def token_for(chats: Chats, turn: str = "t1", **body: Any) -> dict[str, Any]:
    answer = await chats.backend.post(chats.path("c1", "turns", turn, "feedback-token"), json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def page(chats: Chats, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(chats.workspace.app),
        base_url=ROOT,
        headers={"Authorization": f"Bearer {token}", "Origin": "https://shop.example"},
    )


async def test_a_page_reacts_as_the_end_user_of_its_token(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="ana")
    made = await token_for(chats)
    assert made["user_id"] == "ana"
    async with page(chats, made["token"]) as browser:
        answer = await browser.post(chats.path("c1", "turns", "t1", "feedback"), json={"reaction": "ok"})
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers
    (row,) = await chats.rows("SELECT end_user, created_by_kind, created_by_id FROM conv_messages WHERE state = 'active'")  # fmt: skip
    assert row == {
        "end_user": "ana",
        "created_by_kind": "user",
        "created_by_id": chats.workspace.owner_id,
    }


async def test_a_token_may_be_for_somebody_else(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="ana")
    token = (await token_for(chats, user_id="ben"))["token"]
    async with page(chats, token) as browser:
        await chats.react("c1", "t1", "ok", by=browser)
        await chats.react("c1", "t1", "not_ok", by=browser, user_id="ana", expected=422)
    (row,) = await chats.rows("SELECT end_user FROM conv_messages WHERE state = 'active'")
    assert row["end_user"] == "ben"


async def test_a_token_with_a_members_id_leaves_that_members_reaction_alone(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="ana")
    person = await chats.workspace.make_person(Role.CONTRIBUTOR)
    own = await chats.react("c1", "t1", "ok", by=await chats.workspace.signed_in(person))
    async with page(chats, (await token_for(chats, user_id=str(person.id)))["token"]) as browser:
        done = await chats.react("c1", "t1", "not_ok", by=browser)
        assert (done["outcome"], done["artifact"]["meta"]["user_type"]) == ("added", "end_user")
        assert (await chats.react("c1", "t1", None, by=browser))["outcome"] == "cleared"
    (row,) = await chats.rows("SELECT payload FROM conv_messages WHERE state = 'active'")
    assert row["payload"]["meta"]["rn"] == own["artifact"]["meta"]["rn"]


async def test_a_token_opens_nothing_but_its_turn(chats: Chats) -> None:
    await chats.say("c1", "t1")
    await chats.say("c1", "t2")
    async with page(chats, (await token_for(chats))["token"]) as browser:
        await chats.react("c1", "t2", "ok", by=browser, expected=401)
        await chats.react("c1", "t1", "ok", by=browser, project="Other", expected=401)
        for path in ("/api/conversations", "/api/workspace", "/api/entities"):
            assert (await browser.get(path)).status_code == 401
        again = await browser.post(chats.path("c1", "turns", "t1", "feedback-token"), json={})
        assert again.status_code == 401


async def test_a_token_of_another_workspace_opens_nothing(chats: Chats, other_workspace: Workspace) -> None:
    await chats.say("c1", "t1")
    token = (await token_for(chats))["token"]
    path = chats.path("c1", "turns", "t1", "feedback").replace(chats.workspace.slug, other_workspace.slug)
    async with page(chats, token) as browser:
        assert (await browser.post(path, json={"reaction": "ok"})).status_code == 401


async def test_an_expired_or_forged_token_is_a_401_that_the_page_can_read(
    chats: Chats, auth: Authenticator
) -> None:
    await chats.say("c1", "t1")
    grant = Grant(
        tenant_id=chats.workspace.id, tenant=chats.workspace.slug, project="Support", conversation_id="c1",
        turn_id="t1", end_user="u", expires=1, issuer_kind="system", issuer_id=None,
    )  # fmt: skip
    for token in (
        REACTION_TOKEN.sign(grant, auth.secret),
        REACTION_TOKEN.sign(grant, b"another"),
        "glf_garbage",
    ):
        async with page(chats, token) as browser:
            answer = await browser.post(chats.path("c1", "turns", "t1", "feedback"), json={"reaction": "ok"})
            assert answer.status_code == 401
            assert answer.headers["access-control-allow-origin"] == "*"


async def test_a_browser_may_ask_first(chats: Chats, anonymous: httpx.AsyncClient) -> None:
    path = chats.path("c1", "turns", "t1", "feedback")
    asked = {
        "Origin": "https://shop.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    answer = await anonymous.options(path, headers=asked)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "POST"
    assert answer.headers["access-control-allow-headers"] == "authorization, content-type"
    elsewhere = await anonymous.options(chats.path("c1", "turns"), headers=asked)
    assert elsewhere.status_code == 401
    assert "access-control-allow-origin" not in elsewhere.headers


@pytest.mark.parametrize("seconds", [9, 86_401])
async def test_a_token_is_short_lived(chats: Chats, seconds: int) -> None:
    await chats.say("c1", "t1")
    path = chats.path("c1", "turns", "t1", "feedback-token")
    assert (await chats.backend.post(path, json={"expires_in": seconds})).status_code == 422


async def test_only_who_sends_turns_gives_tokens(chats: Chats) -> None:
    await chats.say("c1", "t1")
    path = chats.path("c1", "turns", "t1", "feedback-token")
    assert (await chats.viewer.post(path, json={})).status_code == 403
    only_react = await chats.workspace.client(Role.CONTRIBUTOR, scopes=["reactions.own.create"])
    assert (await only_react.post(path, json={})).status_code == 403
    absent = await chats.backend.post(chats.path("c1", "turns", "none", "feedback-token"), json={})
    assert absent.status_code == 404


async def test_a_token_says_nothing_about_the_past(chats: Chats) -> None:
    await chats.say("c1", "t1")
    async with page(chats, (await token_for(chats))["token"]) as browser:
        refused = await chats.react("c1", "t1", "ok", by=browser, ts="2025-01-05T00:00:00Z", expected=422)
    assert [(fault["path"], fault["code"]) for fault in refused["errors"]] == [("/ts", "not_yours")]


async def test_who_holds_a_token_changes_their_mind_only_so_often(
    chats: Chats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "MOST_BY_TOKEN", 3)
    await chats.say("c1", "t1", user_id="ana")
    async with page(chats, (await token_for(chats))["token"]) as browser:
        for reaction in ("ok", "not_ok", "ok"):
            await chats.react("c1", "t1", reaction, by=browser)
        refused = await chats.react("c1", "t1", "not_ok", by=browser, expected=429)
        assert refused["code"] == "too_many_reactions"
        await chats.react("c1", "t1", None, by=browser)
    await chats.react("c1", "t1", "neutral", user_id="ana")  # the chat's own server is trusted
    assert [
        row["reaction"]
        for row in await chats.rows("SELECT reaction FROM conv_messages WHERE state = 'active'")
    ] == ["neutral"]
