"""Both clients against the real server, from an entity type to an undone promotion."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

import goldloop
from goldloop.client import (
    AsyncClient,
    Client,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    NotInTime,
    ToolFailed,
    new_id,
    turn_body,
)
from goldloop.client.types import Dimension
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.factories import ROOT, Workspace
from tests.runtimes.scripted import Script, call, configured, scripted, work
from tests.servers import Commands, Server, running_server

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"price": {"type": "number", "minimum": 0}, "law": {"type": "string"}},
}


def as_client(workspace: Workspace, secret: str) -> AsyncClient:
    return AsyncClient(ROOT, secret, transport=httpx.ASGITransport(workspace.app))


@pytest_asyncio.fixture
async def owner(workspace: Workspace) -> AsyncIterator[AsyncClient]:
    _, secret = await workspace.make_key()
    async with as_client(workspace, secret) as client:
        yield client


@pytest_asyncio.fixture
async def agent(workspace: Workspace) -> AsyncIterator[AsyncClient]:
    registered = await workspace.make_agent()
    _, secret = await workspace.make_key(Role.CONTRIBUTOR, agent_id=registered.id)
    async with as_client(workspace, secret) as client:
        yield client


async def test_a_conversation_is_read_from_any_of_its_turns(owner: AsyncClient, agent: AsyncClient) -> None:
    turns = [turn_body(f"t{number}", user=f"question {number}", agent="guide") for number in range(8)]
    await agent.conversations.add_turns("Travel", "lisbon", turns)
    opened = await owner.conversations.show("Travel", "lisbon", turn_id="t5", limit=4)
    assert [turn.turn_id for turn in opened.turns] == ["t2", "t3", "t4", "t5"]
    earlier = await owner.conversations.show("Travel", "lisbon", before=opened.previous_cursor)
    assert [turn.turn_id for turn in earlier.turns] == ["t0", "t1"]
    assert (await owner.conversations.agents(), await owner.conversations.count_unsettled()) == (["guide"], 0)


async def test_an_agent_proposes_and_a_person_accepts(owner: AsyncClient, agent: AsyncClient) -> None:
    await owner.entity_types.create("contract", "Contract", SCHEMA)
    record = await owner.entities.create("contract", "Halden: hosting", {"law": "Norway"})
    proposed = await agent.responses.submit(
        record.id,
        {"price": 396000, "law": "Sweden"},
        source="extraction",
        field_meta={"price": {"confidence": "high", "sources": [{"type": "document", "page": 4}]}},
    )
    assert (proposed.status, proposed.submitted_by.kind) == ("submitted", "agent")
    with pytest.raises(Forbidden):
        await agent.promotion.promote(record.id, proposed.id, ["price"])

    preview = await owner.promotion.preview(record.id, proposed.id, ["price"])
    assert (preview.fields[0].value, preview.status_after) == (396000, "partially_promoted")
    accepted = await owner.promotion.promote(
        record.id, proposed.id, ["price"], expected_version=record.version
    )
    assert accepted.promoted_fields == ["price"]
    with pytest.raises(Conflict) as caught:
        await owner.promotion.promote(record.id, proposed.id, ["law"], expected_version=record.version)
    assert caught.value.conflict == {"expected_version": 1, "actual_version": 2}

    sources = {change.field: change async for change in owner.entities.provenance(record.id)}
    assert sources["price"].response_id == proposed.id
    undone = await owner.promotion.undo(record.id, "price")
    assert undone.content == {"law": "Norway"}
    kinds = [change.kind async for change in owner.entities.history(record.id, "price")]
    assert kinds == ["undo", "promotion"]
    await owner.promotion.promote(record.id, proposed.id, ["price", "law"])
    with pytest.raises(Conflict) as caught:
        await owner.promotion.undo_response(record.id, proposed.id, ["price"], expected_version=3)
    assert caught.value.code == "version_conflict"
    assert (await owner.promotion.undo_response(record.id, proposed.id)).promoted_fields == []
    assert (await owner.entities.show(record.id)).content == {"law": "Norway"}

    rejected = await owner.responses.review(
        record.id, proposed.id, "rejected", "The law is Norwegian: page 11."
    )
    assert (rejected.status, rejected.review_notes) == ("rejected", "The law is Norwegian: page 11.")
    statuses = [found.status async for found in owner.responses.list(record.id, status="rejected")]
    assert statuses == ["rejected"]
    assert (await owner.responses.review(record.id, proposed.id, "submitted")).status == "submitted"
    await owner.responses.withdraw(record.id, proposed.id)
    assert [found async for found in owner.responses.list(record.id)] == []


async def test_ratings_are_scored_aggregated_and_compared(owner: AsyncClient, agent: AsyncClient) -> None:
    await owner.entity_types.create("vendor", "Vendor", {"type": "object", "properties": {}})
    rubric = await owner.criteria_sets.create(
        "quality",
        "Quality",
        "assessment",
        [Dimension(key="care", label="Care", type="rating", scale=(1, 5), weight=1)],
        entity_type_slugs=["vendor"],
    )
    records = [await owner.entities.create("vendor", f"Vendor {n}") for n in range(2)]
    for record, ratings in zip(records, [(5, 4), (1, 2)], strict=True):
        for client, rating in zip((owner, agent), ratings, strict=True):
            await client.responses.submit(record.id, {"care": rating}, criteria_set_slug="quality")
    total = await owner.responses.aggregate(records[0].id, rubric.id, strategy="median")
    assert (total.score, total.dimensions[0].value, total.respondents) == (87.5, 4.5, 2)
    shown = await owner.entities.show(records[0].id)
    assert shown.raters is not None
    assert (shown.score, shown.raters.count, shown.raters.median) == (75, 2, 87.5)
    assert {each.submitted_by.kind async for each in owner.responses.raters(records[0].id, rubric.id)} == {
        "user",
        "agent",
    }
    assert [point.score async for point in owner.responses.scores(records[0].id, rubric.id)] == [75, 100]
    (agreement,) = await owner.criteria_sets.agreement(rubric.id)
    assert agreement.alpha is not None
    best = [record.title async for record in owner.entities.list(type="vendor", sort="-score", min_score=50)]
    assert best == ["Vendor 0"]
    renamed = await owner.criteria_sets.change(rubric.id, rubric.version, name="Care", description=None)
    assert (renamed.name, renamed.slug) == ("Care", "quality")
    archived = await owner.criteria_sets.remove(rubric.id)
    assert archived is not None
    assert archived.archived_at is not None
    back = await owner.criteria_sets.change(rubric.id, archived.version, archived=False)
    assert back.archived_at is None
    await owner.criteria_sets.remove(rubric.id)
    with pytest.raises(InvalidInput) as caught:
        await agent.responses.submit(records[0].id, {"care": 9}, criteria_set_id=rubric.id)
    assert caught.value.errors[0].code == "criteria_set_archived"


async def test_a_list_pages_by_itself(owner: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldloop.client.calls.PAGE_SIZE", 2)
    slugs = [f"agent-{n}" for n in range(5)]
    for slug in slugs:
        await owner.agents.create(slug, slug)
    assert [found.slug async for found in owner.agents.list() if not found.is_system] == slugs


async def test_a_create_can_be_repeated(owner: AsyncClient) -> None:
    await owner.entity_types.create("note", "Note", SCHEMA)
    chosen = new_id()
    made = await asyncio.gather(*(owner.entities.create("note", "Once", id=chosen) for _ in range(3)))
    assert {record.id for record in made} == {chosen}
    assert len([record async for record in owner.entities.list(type="note")]) == 1


async def test_the_tool_submits_and_says_what_is_left_for_a_reviewer(
    owner: AsyncClient, agent: AsyncClient
) -> None:
    await owner.entity_types.create("contract", "Contract", SCHEMA)
    record = await owner.entities.create("contract", "Halden: hosting")
    assert "submitResponse" in [tool.name for tool in await agent.tools.list()]
    submitted = await agent.tools.submit_response(record.id, {"price": 10}, promote_fields=["price"])
    assert (submitted.promotion_deferred, submitted.pending_promotion_fields) == (True, ["price"])
    with pytest.raises(ToolFailed, match="no such record"):
        await agent.tools.submit_response(new_id(), {"price": 10})
    with pytest.raises(NotFound):
        await agent.tools.call("noSuchTool", {})


async def test_relations_and_views(owner: AsyncClient) -> None:
    await owner.entity_types.create("vendor", "Vendor", {"type": "object", "properties": {}})
    configs = {"vendor": {"relation": {"target_type": "vendor"}}}
    await owner.entity_types.create("contract", "Contract", SCHEMA, field_configs=configs)
    vendor = await owner.entities.create("vendor", "Halden")
    contract = await owner.entities.create("contract", "Hosting")
    edge = await owner.entities.connect(contract.id, "vendor", vendor.id)
    assert [found.target_title async for found in owner.entities.relations(contract.id)] == ["Halden"]
    await owner.entities.disconnect(contract.id, edge.id)
    view = await owner.views.create("desk", "Desk", [{"type": "fields"}], entity_type="contract")
    assert (await owner.views.change(view.id, view.version, name="The desk")).blocks[0]["type"] == "fields"
    await owner.views.remove(view.id)
    assert [found async for found in owner.views.list()] == []
    edited = await owner.entities.edit(contract.id, contract.version, content={"price": 1})
    await owner.entities.remove(edited.id)
    with pytest.raises(NotFound) as caught:
        await owner.entities.show(edited.id)
    assert caught.value.code == "entity_not_found"


async def test_a_run_is_started_followed_answered_and_run_again(
    owner: AsyncClient, workspace: Workspace, db: Database, outside: Outside
) -> None:
    asks = call("askPerson", question="Which one?")
    slug = await configured(workspace, tool_groups=["people"])
    script = Script([asks, "The blue one."])
    started = await owner.sessions.start(
        slug, "Choose.", input={"colours": ["blue"]}, metadata={"why": "test"}
    )
    assert (started.status, started.source, started.input) == (
        "queued", "run", {"message": "Choose.", "colours": ["blue"]},
    )  # fmt: skip
    await work(db, workspace, scripted(outside, script), {"id": str(started.id)})
    waiting = await owner.sessions.wait(started.id)
    assert waiting.status == "waiting"
    assert waiting.question is not None
    assert waiting.question.text == "Which one?"
    assert [found.id async for found in owner.sessions.list(waits_for="answer")] == [started.id]
    assert (await owner.sessions.answer(started.id, "Blue")).status == "queued"
    await work(db, workspace, scripted(outside, script), {"id": str(started.id)})
    done = await owner.sessions.wait(started.id, timeout=5)
    assert (done.status, done.output) == ("completed", "The blue one.")
    again = await owner.sessions.run_again(started.id)
    assert (again.status, again.input) == ("queued", started.input)
    with pytest.raises(NotInTime):
        await owner.sessions.wait(again.id, timeout=0)
    assert (await owner.sessions.cancel(again.id)).status == "cancelled"
    failed = await owner.sessions.create("elsewhere")
    await owner.sessions.end(failed.id, "failed", error={"code": "lost", "message": "It is gone"})
    assert (await owner.sessions.dismiss(failed.id)).dismissed_at is not None
    since = [found.id async for found in owner.sessions.list(since=failed.created_at)]
    assert since == [failed.id]


@pytest_asyncio.fixture(scope="module")
async def server() -> AsyncIterator[Server]:
    async with running_server("--demo") as started:
        yield started


async def test_the_blocking_client_on_the_demo_of_a_running_server(server: Server) -> None:
    async with Commands() as commands:
        code, out, err = await commands.run(
            *("key", "create", "--json", "--tenant", "demo", "--name", "sdk", "--role", "admin"),
            *("--data-dir", str(server.data_dir)),
            folder=server.data_dir.parent,
        )
    assert code == 0, err
    await asyncio.to_thread(_look_around, server.url, json.loads(out)["key"])


def _look_around(url: str, key: str) -> None:
    with Client(url, key) as client:
        assert client.workspace.show().slug == "demo"
        assert {member.name for member in client.members.list()} >= {"Priya Raman", "Jonas Weber"}
        vendors = list(client.entities.list(type="vendor", sort="-score"))
        assert len(vendors) == 24
        worst = [vendor for vendor in vendors if vendor.score is not None][-1]
        risk = next(client.criteria_sets.list(slug="vendor-risk"))
        assert client.responses.aggregate(worst.id, risk.id).count >= 2
        assert any(found.alpha is not None for found in client.criteria_sets.agreement(risk.id))
        made = client.keys.create("short-lived", "viewer")
        assert made.key is not None
        assert client.keys.revoke(made.id).status == "revoked"
        assert client.background.submit(worst.id, {"availability": 99}, criteria_set_slug="vendor-quarterly", temporal_value="2026-Q4")  # fmt: skip
        assert client.flush(10)
        assert client.background.stats.sent == 1
        newest = next(client.responses.list(worst.id))
        assert newest.temporal_value == "2026-Q4"
        assert list(client.jobs.list(status="failed")) == []
        _record(client, worst.id)


def _record(client: Client, entity_id: UUID) -> None:
    @goldloop.tool
    def look_up(vendor: str, *, deep: bool = False) -> dict[str, Any]:
        return {"vendor": vendor, "seen": {1, 2}, "by": look_up}

    @goldloop.agent(name="in-house", client=client)
    def in_house(run: goldloop.Run) -> str:
        types = run.tool("listEntityTypes")
        with pytest.raises(ToolFailed):
            run.tool("getEntity", entityId=str(new_id()))
        return f"There are {len(types['types'])} types"

    with client.session("researcher", entity_id=entity_id, input={"broken": "a\x00b"}) as session:
        session.user_message("How is \ud83d it doing?")
        session.model_request(model="scripted", input_tokens=10, output_tokens=3)
        look_up("Halden")
        session.tool_call("read").result("x" * 2_000_000)
        said = in_house("What is there?")
        session.output = {"answer": said}
    with pytest.raises(ValueError, match="nothing"), client.session("researcher") as failed:
        raise ValueError("nothing")
    assert client.flush(30)
    assert client.background.stats.failed == 0
    found = client.sessions.show(session.id)
    assert (found.status, found.output, found.entity_id) == ("completed", {"answer": said}, entity_id)
    assert (found.requests, found.tool_calls, found.input_tokens, found.output_tokens) == (1, 2, 10, 3)
    assert found.input == {"broken": "a\ufffdb"}
    events = list(client.sessions.events(session.id))
    assert [event.type for event in events] == [
        "session.created", "user.message", "model.request", "tool.call", "tool.result", "tool.call", "tool.result",
        "session.completed",
    ]  # fmt: skip
    assert events[3].payload["arguments"] == {"vendor": "Halden"}
    assert events[4].payload["result"]["by"].startswith("<function")
    assert not events[6].whole
    assert len(client.sessions.payload(session.id, events[6].seq)["result"]) > 500_000
    assert [event.seq for event in client.sessions.events(session.id, after=6)] == [7, 8]
    (child,) = client.sessions.list(parent_session_id=session.id)
    assert (child.agent, child.output, child.first_message) == ("in-house", said, "What is there?")
    tools = [e.payload for e in client.sessions.events(child.id) if e.type.startswith("tool.")]
    assert [each.get("name") for each in tools] == ["listEntityTypes", None, "getEntity", None]
    assert "error" in tools[3]
    error = client.sessions.show(failed.id).error
    assert error is not None
    assert (error.code, error.message) == ("ValueError", "nothing")
