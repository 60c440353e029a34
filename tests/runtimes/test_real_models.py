"""Runs on models behind an address of a workspace's choice: a small real one, and one that only speaks like OpenAI."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from goldloop.kit.db import Database
from goldloop.kit.egress import Egress
from goldloop.kit.outside import Outside
from goldloop.runtimes.language_models import LanguageModels
from goldloop.runtimes.model import MODELS
from tests.records import Desk, ok
from tests.runtimes.openai_server import Call, speaking_like_openai
from tests.runtimes.scripted import (
    configured,
    configured_before,
    events_of,
    kinds,
    set_secret,
    show,
    start,
    work,
)
from tests.runtimes.small_model import calling, serving_small_model


@pytest_asyncio.fixture(scope="module")
async def small_model() -> AsyncIterator[str]:
    async with serving_small_model() as address:
        yield address


async def test_a_run_on_a_real_model_answers_and_its_tokens_are_counted(
    desk: Desk, worker_db: Database, outside: Outside, small_model: str
) -> None:
    agent = await configured(
        desk.workspace, model="openai:smollm2", base_url=small_model, instructions="Answer briefly."
    )
    session = await start(desk.contributor, agent, "What is the capital of France?")
    await work(worker_db, desk.workspace, calling(outside, "127.0.0.1"), session)
    ended = await show(desk.contributor, session["id"])
    assert ended["error"] is None
    assert isinstance(ended["output"], str)
    assert ended["input_tokens"] > 0
    assert ended["output_tokens"] > 0
    assert kinds(await events_of(desk.contributor, session)) == [
        "session.created",
        "user.message",
        "session.claimed",
        "model.request",
        "model.response",
        "agent.message",
        "session.completed",
    ]


async def test_a_model_of_the_workspaces_own_gets_its_key_and_never_the_installations(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the-installations-own")
    monkeypatch.setenv("OPENAI_ORG_ID", "the-installations-organization")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "the-installations-project")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Token: the-installations-token")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "the-installations-token")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Token: the-installations-token")
    with speaking_like_openai(lambda messages, answered: "Fine.") as model:
        slug = await configured(desk.workspace, model="openai:own", base_url=model.url)
        for expected in ("Bearer none", "Bearer theirs"):
            session = await start(desk.contributor, slug)
            await work(worker_db, desk.workspace, calling(outside, "127.0.0.1"), session)
            assert (await show(desk.contributor, session["id"]))["output"] == "Fine."
            sent = model.asked[-1].headers
            assert {name.lower(): value for name, value in sent.items()}["authorization"] == expected
            admin = await desk.workspace.client()
            (row,) = [a for a in ok(await admin.get("/api/agents"))["data"] if a["slug"] == slug]
            await admin.put(f"/api/agents/{row['id']}/secrets/model_key", json={"value": "theirs"})
        other = await configured(desk.workspace, "other", model="anthropic:own", base_url=model.url)
        session = await start(desk.contributor, other)
        await work(worker_db, desk.workspace, calling(outside, "127.0.0.1"), session)
    sent = {name.lower(): value for name, value in model.asked[-1].headers.items()}
    assert (sent["anthropic-version"] != "", sent.get("x-api-key", sent.get("authorization"))) == (
        True,
        "Bearer none" if "authorization" in sent else "none",
    )
    assert "the-installations" not in json.dumps([asked.headers for asked in model.asked])


async def test_no_key_is_in_what_is_kept_however_a_model_repeats_it(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    def says(messages: Any, answered: int) -> Any:
        (header,) = [
            value for name, value in model.asked[-1].headers.items() if name.lower() == "authorization"
        ]
        if not answered:
            return [Call("listEntityTypes", header, {header: [header]}), Call(header, "c2", {})]
        return f"I was sent {header}"

    with speaking_like_openai(says) as model:
        slug = await configured(
            desk.workspace, model="openai:own", base_url=model.url, tool_groups=["entities-read"]
        )
        await set_secret(desk, slug, "model_key", "sk-theirs")
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, calling(outside, "127.0.0.1"), session)
    ended = await show(desk.contributor, session["id"])
    events = await events_of(desk.contributor, session)
    assert (ended["error"], ended["output"]) == (None, "I was sent Bearer …")
    assert kinds(events).count("tool.result") == 1, "what is no tool is not called"
    assert "Bearer" in json.dumps(events)
    assert "sk-theirs" not in json.dumps([ended, events])


@pytest.mark.parametrize("answers", [True, False])
async def test_connections_to_a_model_are_closed_after_the_run(
    desk: Desk, worker_db: Database, outside: Outside, answers: bool
) -> None:
    clients: list[Any] = []

    class Watched(Egress):
        def model_client(self, key: str) -> Any:
            clients.append(super().model_client(key))
            return clients[-1]

    egress = Watched(["127.0.0.1"])
    with speaking_like_openai(lambda messages, answered: "Fine." if answers else [][1]) as model:
        slug = await configured(desk.workspace, model="openai:own", base_url=model.url)
        session = await start(desk.contributor, slug)
        ports = {**outside.ports, MODELS: LanguageModels(None, egress)}
        await work(worker_db, desk.workspace, replace(outside, egress=egress, ports=ports), session)
    ended = await show(desk.contributor, session["id"])
    assert ended["status"] == ("completed" if answers else "failed")
    assert [client.is_closed for client in clients] == [True]


async def test_a_models_address_that_is_none_ends_the_run_at_once(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    slug = await configured_before(desk.workspace, model="openai:own", base_url="http://a..b/")
    session = await start(desk.contributor, slug)
    await work(worker_db, desk.workspace, calling(outside), session)
    assert (await show(desk.contributor, session["id"]))["error"]["code"] == "invalid_url"


async def test_a_model_in_a_private_network_is_not_asked_unless_its_host_is_allowed(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    with speaking_like_openai(lambda messages, answered: "Fine.") as model:
        slug = await configured(desk.workspace, model="openai:own", base_url=model.url)
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, calling(outside), session)
        assert (await show(desk.contributor, session["id"]))["error"]["code"] == "host_not_allowed"
        assert model.asked == []


async def test_a_model_that_hangs_up_fails_the_run(desk: Desk, worker_db: Database, outside: Outside) -> None:
    with speaking_like_openai(lambda messages, answered: [][1]) as model:
        slug = await configured(desk.workspace, model="openai:own", base_url=model.url)
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, calling(outside, "127.0.0.1"), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", "model_failed")


async def test_tools_are_called_as_a_model_that_speaks_like_openai_asks(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    def says(messages: Any, answered: int) -> Any:
        return [Call("listEntityTypes", "c1", {})] if not answered else messages[-1]["content"][:10]

    with speaking_like_openai(says) as model:
        slug = await configured(
            desk.workspace, model="openai:own", base_url=model.url, tool_groups=["entities-read"]
        )
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, calling(outside, "127.0.0.1"), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["output"], ended["input_tokens"], ended["output_tokens"]) == ('{"types":[', 20, 10)
    assert {tool["function"]["name"] for tool in model.asked[0].body["tools"]} >= {"listEntityTypes"}
