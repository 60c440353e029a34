"""The agents registry: made once, changed, stopped at once."""

from typing import Any

import httpx
import pytest

from goldloop.kit.ids import new_id
from goldloop.tenants.model import Role
from tests.factories import Workspace

SYSTEM = ["eval-judge", "feedback-review-agent", "field-populator"]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def listed(client: httpx.AsyncClient) -> list[Any]:
    """Those that somebody registered, without the ones that every workspace has."""
    found = (await client.get("/api/agents")).json()["data"]
    return [agent for agent in found if not agent["is_system"]]


async def test_an_agent_is_registered_and_found_by_its_id(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    made = await admin.post("/api/agents", json={"slug": "triage", "name": "Triage", "description": "Sorts."})
    assert made.status_code == 201
    agent = made.json()
    assert (agent["slug"], agent["active"], agent["created_by"]["id"]) == (
        "triage",
        True,
        str(workspace.owner_id),
    )
    viewer = await workspace.client(Role.VIEWER)
    assert (await viewer.get(f"/api/agents/{agent['id']}")).json() == agent
    assert await listed(viewer) == [agent]


async def test_the_same_create_again_answers_the_same_and_makes_nothing(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    new = {"id": str(new_id()), "slug": "triage", "name": "Triage"}
    first = await admin.post("/api/agents", json=new)
    again = await admin.post("/api/agents", json=new)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    async with workspace.db.tx(workspace.system) as tx:
        made = "SELECT count(*) FROM events WHERE name = 'agent.created' AND subject_id = $1"
        assert await tx.fetchval(made, new["id"]) == 1


async def test_a_taken_slug_or_id_with_other_content_is_a_conflict(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    new = {"id": str(new_id()), "slug": "triage", "name": "Triage"}
    assert (await admin.post("/api/agents", json=new)).status_code == 201
    for other in (
        new | {"name": "Other"},
        new | {"description": "Other"},
        new | {"slug": "other"},
        new | {"id": str(new_id())},
        {"slug": "triage", "name": "Triage"},
    ):
        answer = await admin.post("/api/agents", json=other)
        assert code(answer) == (409, "agent_exists"), other
        assert answer.json()["conflict"]["slug"] == other["slug"]
    assert len(await listed(admin)) == 1


@pytest.mark.parametrize("joined", [True, False])
async def test_an_agent_does_not_get_the_id_of_a_member(workspace: Workspace, joined: bool) -> None:
    admin = await workspace.client(Role.ADMIN)
    member = workspace.owner_id if joined else await workspace.make_member()
    new = {"id": str(member), "slug": "triage", "name": "Triage"}
    answer = await admin.post("/api/agents", json=new)
    assert code(answer) == (409, "agent_exists")
    assert answer.json()["conflict"] == {"slug": "triage", "id": str(member)}
    assert await listed(admin) == []


async def test_the_id_of_a_person_of_another_workspace_is_like_any_other(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    """Whether there is such a person is not told. Should they join, the two are still two."""
    admin = await workspace.client(Role.ADMIN)
    new = {"id": str(other_workspace.owner_id), "slug": "triage", "name": "Triage"}
    first = await admin.post("/api/agents", json=new)
    assert first.status_code == 201
    await workspace.make_person(Role.VIEWER, email=other_workspace.owner_email)
    again = await admin.post("/api/agents", json=new)
    assert (again.status_code, again.json()) == (201, first.json())


async def test_the_same_id_and_slug_in_another_workspace_are_another_agent(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    new = {"id": str(new_id()), "slug": "triage", "name": "Triage"}
    for each in (workspace, other_workspace):
        admin = await each.client(Role.ADMIN)
        assert (await admin.post("/api/agents", json=new)).status_code == 201
    changed = await admin.patch(f"/api/agents/{new['id']}", json={"name": "Theirs"})
    assert changed.json()["name"] == "Theirs"
    viewer = await workspace.client(Role.VIEWER)
    assert (await viewer.get(f"/api/agents/{new['id']}")).json()["name"] == "Triage"


async def test_a_deactivated_agents_keys_stop_at_once_and_work_again_when_it_is_active(
    workspace: Workspace,
) -> None:
    agent = await workspace.make_agent()
    client = await workspace.client(Role.CONTRIBUTOR, agent_id=agent.id)
    admin = await workspace.client(Role.ADMIN)
    assert (await client.get("/api/agents")).status_code == 200
    stopped = await admin.patch(f"/api/agents/{agent.id}", json={"active": False})
    assert stopped.json()["active"] is False
    assert code(await client.get("/api/agents")) == (401, "unauthenticated")
    await admin.patch(f"/api/agents/{agent.id}", json={"active": True})
    assert (await client.get("/api/agents")).status_code == 200


async def test_a_change_leaves_what_it_does_not_name(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    agent = (await admin.post("/api/agents", json={"slug": "a", "name": "A", "description": "Sorts."})).json()
    renamed = await admin.patch(f"/api/agents/{agent['id']}", json={"name": "B"})
    assert renamed.json() == agent | {"name": "B"}
    nothing = await admin.patch(f"/api/agents/{agent['id']}", json={})
    assert nothing.json() == agent | {"name": "B"}
    emptied = await admin.patch(f"/api/agents/{agent['id']}", json={"description": ""})
    assert emptied.json() == agent | {"name": "B", "description": ""}


async def test_absent_and_foreign_agents_answer_the_same_404(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    foreign = (await other_workspace.make_agent()).id
    admin = await workspace.client(Role.ADMIN)
    answers = [await admin.get(f"/api/agents/{agent_id}") for agent_id in (foreign, new_id())]
    answers += [await admin.patch(f"/api/agents/{i}", json={"name": "x"}) for i in (foreign, new_id())]
    assert [code(answer) for answer in answers] == [(404, "agent_not_found")] * 4
    assert len({answer.text for answer in answers}) == 1


async def test_agents_are_listed_by_slug_in_pages(workspace: Workspace) -> None:
    for slug in ("b", "d", "a", "c", "e"):
        await workspace.make_agent(slug)
    viewer = await workspace.client(Role.VIEWER)
    first = (await viewer.get("/api/agents?limit=3")).json()
    await workspace.make_agent("aa")  # before what was seen: not in any later page
    rest = (await viewer.get("/api/agents", params={"limit": 5, "cursor": first["next_cursor"]})).json()
    assert [agent["slug"] for agent in first["data"] + rest["data"]] == [
        *("a", "b", "c", "d", "e"),
        *SYSTEM,
    ]
    assert rest["next_cursor"] is None


async def test_every_workspace_has_the_system_agents_which_are_configured_and_stay_active(
    workspace: Workspace,
) -> None:
    admin = await workspace.client(Role.ADMIN)
    agents = [each for each in (await admin.get("/api/agents")).json()["data"] if each["is_system"]]
    assert [agent["slug"] for agent in agents] == SYSTEM
    assert {(agent["active"], agent["created_by"]["kind"]) for agent in agents} == {(True, "system")}
    agent = agents[0]
    path = f"/api/agents/{agent['id']}"
    version = (await admin.get(f"{path}/config")).json()
    assert (version["version"], version["config"]["runtime"]) == (1, "built_in")
    refused = await admin.patch(path, json={"active": False, "name": "Off"})
    assert code(refused) == (409, "system_agent")
    assert (await admin.get(path)).json() == agent
    renamed = await admin.patch(path, json={"name": "Reader", "active": True})
    assert (renamed.json()["name"], renamed.json()["is_system"]) == ("Reader", True)
    configured = await admin.put(f"{path}/config", json={"instructions": "Be brief."})
    assert configured.json()["version"] == 2
