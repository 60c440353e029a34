"""Names beside what people and agents did: the workspace's own, and kept when somebody leaves."""

from goldloop.tenants.model import Role
from tests.factories import Workspace
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
