"""Both clients against the real server, from an entity type to an undone promotion."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from goldloop.client import (
    AsyncClient,
    Client,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    ToolFailed,
    new_id,
    turn_body,
)
from goldloop.client.types import Dimension
from goldloop.tenants.model import Role
from tests.factories import ROOT, Workspace
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
    assert [found.slug async for found in owner.agents.list()] == slugs


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
