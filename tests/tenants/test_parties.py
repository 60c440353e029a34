"""Names beside what people and agents did: the workspace's own, and kept when somebody leaves."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from goldloop.feedback.entries import store as feedback
from goldloop.kit.db import APP_ROLE
from goldloop.knowledge.rows import store as knowledge
from goldloop.responses import store as responses
from goldloop.tenants.model import Role
from goldloop.tenants.parties.store import name_sql
from tests.factories import Workspace
from tests.loops import some
from tests.records import Desk, ok


async def test_what_a_removed_member_did_keeps_their_name(desk: Desk) -> None:
    workspace = desk.workspace
    person = await workspace.make_person(Role.ADMIN)
    client = await workspace.client(Role.ADMIN, user_id=person.id)
    agent = ok(await client.post("/api/agents", json={"slug": "a", "name": "A"}))
    record = ok(await client.post("/api/entities", json={"type": "company", "title": "T", "content": {}}))
    name = person.email.split("@")[0]
    assert agent["created_by"] == {"kind": "user", "id": str(person.id), "name": name}

    owner = await workspace.client()
    assert (await owner.delete(f"/api/members/{person.id}")).status_code == 204
    for path in (f"/api/agents/{agent['id']}", f"/api/entities/{record['id']}"):
        shown = ok(await owner.get(path))
        assert shown["created_by"] == {"kind": "user", "id": str(person.id), "name": name}, path
    holders = {key["holder"]["name"] for key in ok(await owner.get("/api/keys"))["data"]}
    assert name in holders


async def test_a_renamed_agent_has_its_new_name_in_all_it_did(desk: Desk) -> None:
    made = await desk.workspace.make_agent()
    client = await desk.workspace.client(Role.CONTRIBUTOR, agent_id=made.id)
    record = ok(await client.post("/api/entities", json={"type": "company", "title": "T", "content": {}}))
    ok(await desk.admin.patch(f"/api/agents/{made.id}", json={"name": "Renamed"}))
    shown = ok(await desk.admin.get(f"/api/entities/{record['id']}"))
    assert shown["created_by"] == {"kind": "agent", "id": str(made.id), "name": "Renamed"}


async def test_a_name_given_in_another_workspace_is_not_seen(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await workspace.make_person()
    client = await other_workspace.client()
    answer = await client.post("/api/members", json={"email": person.email, "role": "viewer", "name": "Ours"})
    assert answer.json()["member"]["name"] == "Ours"
    for each, name in ((workspace, person.email.split("@")[0]), (other_workspace, "Ours")):
        owner = await each.client()
        listed = ok(await owner.get("/api/members"))["data"]
        assert [m["name"] for m in listed if m["email"] == person.email] == [name]


def _nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for inner in plan.get("Plans", []):
        yield from _nodes(inner)


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT {responses.COLUMNS} FROM entity_responses r WHERE r.tenant_id = $1",
        f"SELECT {feedback._COLUMNS} FROM feedback f WHERE f.tenant_id = $1",
        f"SELECT {knowledge._COLUMNS} FROM shared_context c WHERE c.tenant_id = $1",
    ],
    ids=["responses", "feedback", "knowledge"],
)
async def test_a_name_is_looked_up_by_its_whole_key_under_the_policy_of_rows(
    workspace: Workspace, query: str
) -> None:
    async with workspace.db.pool.acquire() as connection, connection.transaction():
        await connection.execute(f"SET LOCAL ROLE {APP_ROLE}; SET LOCAL app.tenant = '{workspace.id}'")
        await connection.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        plan = await connection.fetchval(f"EXPLAIN (FORMAT json) {query}", workspace.id)
    found = json.loads(plan) if isinstance(plan, str) else plan
    for node in some(node for node in _nodes(found[0]["Plan"]) if node.get("Relation Name") == "parties"):
        assert node["Index Name"] == "parties_pkey"
        assert "Filter" not in node, node["Filter"]
        assert "id = " in node["Index Cond"].replace("tenant_id = ", "")


def test_a_name_is_not_asked_for_by_what_no_index_is_asked_for() -> None:
    with pytest.raises(AssertionError, match="coalesce"):
        name_sql("$1", "'user'", "coalesce(f.a, f.b)")
