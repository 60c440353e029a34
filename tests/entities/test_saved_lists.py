"""Saved lists: one's own, shared ones, who may change them, and the columns that somebody has."""

from typing import Any

import httpx
import pytest

from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.records import Desk, clients_of_namesakes, code, make_desk, ok, places, some_id

QUERY = {
    "type": "company",
    "q": "acme",
    "min_score": 60.0,
    "waits": True,
    "sort": "-content.employees",
    "columns": ["stage", "name"],
}


async def keep(client: httpx.AsyncClient, name: str = "Mine", **more: Any) -> Any:
    return ok(await client.post("/api/saved-lists", json={"name": name, "query": QUERY, **more}))


async def names(client: httpx.AsyncClient, limit: int = 2) -> list[str]:
    """Of every page."""
    found: list[str] = []
    params: dict[str, Any] = {"limit": limit}
    while True:
        page = ok(await client.get("/api/saved-lists", params=params))
        found += [row["name"] for row in page["data"]]
        if page["next_cursor"] is None:
            return found
        params["cursor"] = page["next_cursor"]


async def test_a_list_is_its_makers_until_it_is_shared(desk: Desk) -> None:
    _, reviewer = await desk.person(Role.REVIEWER)
    made = await keep(desk.contributor)
    assert (made["query"], made["shared"], made["own"], made["version"]) == (QUERY, False, True, 1)
    path = f"/api/saved-lists/{made['id']}"
    assert ok(await desk.contributor.get(path)) == made
    for other in (reviewer, desk.admin):
        assert await names(other) == []
        for answer in (
            await other.get(path),
            await other.patch(path, json={"name": "Theirs"}),
            await other.delete(path),
        ):
            assert code(answer) == (404, "saved_list_not_found")
    shared = ok(await desk.contributor.patch(path, json={"version": 1, "shared": True}))
    assert (shared["shared"], shared["version"]) == (True, 2)
    seen = ok(await reviewer.get(path))
    assert (seen["own"], seen["query"]) == (False, QUERY)
    ok(await desk.contributor.patch(path, json={"shared": False}))
    assert await names(reviewer) == []


async def test_own_and_shared_ones_are_listed_by_name_page_by_page(desk: Desk) -> None:
    for place, name in enumerate(["d", "a", "c", "b", "c"]):
        await keep(desk.contributor, name, shared=place % 2 == 0)
    await keep((await desk.person())[1], "of nobody else")
    for limit in (1, 2, 3, 200):
        assert await names(desk.contributor, limit) == ["a", "b", "c", "c", "d"]
        assert await names(desk.admin, limit) == ["c", "c", "d"]


async def test_sharing_is_a_contributors_right_and_others_lists_are_an_admins(desk: Desk) -> None:
    (_, viewer), (_, reviewer) = [await desk.person(role) for role in (Role.VIEWER, Role.REVIEWER)]
    own = await keep(viewer)
    path = f"/api/saved-lists/{own['id']}"
    assert (
        await viewer.post("/api/saved-lists", json={"name": "x", "query": {}, "shared": True})
    ).status_code == 403
    assert (await viewer.patch(path, json={"shared": True})).status_code == 403
    assert ok(await viewer.patch(path, json={"name": "Renamed"}))["name"] == "Renamed"
    ok(await viewer.delete(path))
    shared = await keep(desk.contributor, shared=True)
    path = f"/api/saved-lists/{shared['id']}"
    for other in (viewer, reviewer):
        assert (await other.patch(path, json={"name": "Theirs"})).status_code == 403
        assert (await other.delete(path)).status_code == 403
    assert ok(await desk.admin.patch(path, json={"name": "Of us all"}))["name"] == "Of us all"
    ok(await desk.admin.delete(path))
    assert await names(desk.contributor) == []


async def test_the_same_create_again_answers_the_same_and_another_is_a_conflict(desk: Desk) -> None:
    new = {"id": some_id(), "name": "Mine", "query": QUERY}
    first, again = [await desk.contributor.post("/api/saved-lists", json=new) for _ in range(2)]
    assert first.json() == again.json()
    for client, body in (
        (desk.contributor, new | {"name": "Other"}),
        (desk.contributor, new | {"query": {}}),
        (desk.reviewer, new),
    ):
        assert code(await client.post("/api/saved-lists", json=body)) == (409, "saved_list_exists")
    assert len(await desk.events("saved_list.created")) == 1


async def test_a_change_names_the_version_it_read_and_one_of_nothing_makes_none(desk: Desk) -> None:
    made = await keep(desk.contributor)
    path = f"/api/saved-lists/{made['id']}"
    assert ok(await desk.contributor.patch(path, json={"version": 7, "query": QUERY}))["version"] == 1
    changed = ok(await desk.contributor.patch(path, json={"version": 1, "query": {"sort": "title"}}))
    assert changed["query"] == {
        "type": None,
        "q": None,
        "min_score": None,
        "waits": None,
        "sort": "title",
        "columns": [],
    }
    assert code(await desk.contributor.patch(path, json={"version": 1, "name": "X"})) == (
        409,
        "version_conflict",
    )


BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "/name"),
    ({"query": {"type": "ghost"}}, "/query/type"),
    ({"query": {"min_score": 101}}, "/query/min_score"),
    ({"query": {"columns": ["x"] * 21}}, "/query/columns"),
    ({"query": {"columns": [""]}}, "/query/columns/0"),
    ({"query": {"colour": "red"}}, "/query/colour"),
]


@pytest.mark.parametrize(("body", "path"), BAD)
async def test_what_no_list_can_be_asked_for_is_refused(desk: Desk, body: dict[str, Any], path: str) -> None:
    made = await keep(desk.contributor)
    for answer in (
        await desk.contributor.post("/api/saved-lists", json={"name": "L", "query": {}} | body),
        await desk.contributor.patch(f"/api/saved-lists/{made['id']}", json=body),
    ):
        assert (answer.status_code, [place for place, _ in places(answer)]) == (422, [path])


async def test_a_list_and_columns_go_with_their_type(desk: Desk) -> None:
    await desk.make_type("gone")
    await keep(desk.admin, "Of a type", query={"type": "gone"})
    await keep(desk.admin, "Of any", query={})
    ok(await desk.admin.put("/api/entity-types/gone/columns", json={"columns": ["name"]}))
    ok(await desk.admin.delete("/api/entity-types/gone"))
    assert await names(desk.admin) == ["Of any"]
    assert code(await desk.admin.get("/api/entity-types/gone/columns")) == (404, "entity_type_not_found")


async def test_columns_are_kept_for_each_person_and_type(desk: Desk) -> None:
    await desk.make_type("person")
    path = "/api/entity-types/company/columns"
    assert ok(await desk.reviewer.get(path)) == {"columns": []}
    chosen = {"columns": ["stage", "name", "stage"]}
    assert ok(await desk.reviewer.put(path, json=chosen)) == {"columns": ["stage", "name"]}
    ok(await desk.reviewer.put(path, json={"columns": ["name", "stage"]}))
    assert ok(await desk.reviewer.get(path)) == {"columns": ["name", "stage"]}
    for client, slug in some([(desk.contributor, "company"), (desk.reviewer, "person")]):
        assert ok(await client.get(f"/api/entity-types/{slug}/columns")) == {"columns": []}
    assert code(await desk.reviewer.put("/api/entity-types/ghost/columns", json=chosen)) == (
        404,
        "entity_type_not_found",
    )


async def test_an_agent_with_the_id_of_a_person_keeps_lists_of_its_own(desk: Desk) -> None:
    agent, person = await clients_of_namesakes(desk)
    await keep(person)
    ok(await person.put("/api/entity-types/company/columns", json={"columns": ["name"]}))
    assert (await names(agent), await names(person)) == ([], ["Mine"])
    assert ok(await agent.get("/api/entity-types/company/columns")) == {"columns": []}


async def test_another_workspace_sees_none_of_them(desk: Desk, other_workspace: Workspace) -> None:
    made = await keep(desk.admin, shared=True)
    elsewhere = await make_desk(other_workspace)
    assert await names(elsewhere.admin) == []
    assert (await elsewhere.admin.get(f"/api/saved-lists/{made['id']}")).status_code == 404
