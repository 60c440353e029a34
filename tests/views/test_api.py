"""Views through the API: laid out by admins, made of blocks that hold no truth."""

from typing import Any

import pytest

from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import Desk, code, ok, places, some_id

BLOCKS: list[dict[str, Any]] = [
    {"type": "text", "text": "Read this first."},
    {"type": "fields", "title": "Facts", "fields": ["name", "employees"]},
    {"type": "response-form", "criteria_set_slug": "rubric"},
    {"type": "responses"},
    {"type": "score-progression", "criteria_set_slug": "rubric"},
    {"type": "relations", "field_key": "investors"},
]
NEW = {"slug": "overview", "name": "Overview", "entity_type": "company", "blocks": BLOCKS}


def bare(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what was not said."""
    return [{key: value for key, value in block.items() if value is not None} for block in blocks]


async def test_a_view_is_laid_out_and_found(desk: Desk) -> None:
    made = ok(await desk.admin.post("/api/views", json=NEW))
    assert (made["slug"], made["entity_type"], made["version"]) == ("overview", "company", 1)
    assert bare(made["blocks"]) == BLOCKS
    viewer = await desk.workspace.client(Role.VIEWER)
    assert ok(await viewer.get(f"/api/views/{made['id']}")) == made
    assert code(await viewer.get(f"/api/views/{some_id()}")) == (404, "view_not_found")


async def test_the_same_create_again_answers_the_same_and_another_is_a_conflict(desk: Desk) -> None:
    new = NEW | {"id": some_id()}
    first, again = [await desk.admin.post("/api/views", json=new) for _ in range(2)]
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    for other in (
        new | {"name": "Other"},
        new | {"blocks": BLOCKS[:1]},
        new | {"entity_type": None},
        new | {"id": some_id()},
        new | {"slug": "other"},
    ):
        assert code(await desk.admin.post("/api/views", json=other)) == (409, "view_exists"), other
    assert len(await desk.events("view.created")) == 1


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"blocks": [{"type": "video"}]}, "/blocks/0/type"),
        ({"blocks": [BLOCKS[0], {"type": "text"}]}, "/blocks/1/text"),
        ({"blocks": [{"type": "responses", "values": {"name": "Acme"}}]}, "/blocks/0/values"),
        ({"blocks": [{"type": "fields", "fields": [""]}]}, "/blocks/0/fields/0"),
        ({"blocks": [BLOCKS[0]] * 51}, "/blocks"),
        ({"name": ""}, "/name"),
    ],
)
async def test_a_bad_layout_is_refused_with_its_place_on_create_and_on_change(
    desk: Desk, body: dict[str, Any], path: str
) -> None:
    made = ok(await desk.admin.post("/api/views", json=NEW))
    for answer in (
        await desk.admin.post("/api/views", json=NEW | {"slug": "bad"} | body),
        await desk.try_change(f"/api/views/{made['id']}", body),
    ):
        assert answer.status_code == 422, answer.text
        assert [place for place, _ in places(answer)] == [path]
    assert ok(await desk.admin.get(f"/api/views/{made['id']}")) == made


async def test_a_view_of_no_type_is_refused_and_one_goes_with_its_type(desk: Desk) -> None:
    answer = await desk.admin.post("/api/views", json=NEW | {"entity_type": "ghost"})
    assert (answer.status_code, places(answer)) == (422, [("/entity_type", "entity_type_not_found")])
    ok(await desk.admin.post("/api/views", json=NEW))
    ok(await desk.admin.post("/api/views", json=NEW | {"slug": "any", "entity_type": None}))
    ok(await desk.admin.delete("/api/entity-types/company"))
    assert [view["slug"] for view in ok(await desk.admin.get("/api/views"))["data"]] == ["any"]


async def test_views_are_listed_for_a_type_with_those_of_all_types(desk: Desk) -> None:
    await desk.make_type("person")
    for slug, kind in (("c", "company"), ("a", None), ("b", "person")):
        ok(await desk.admin.post("/api/views", json=NEW | {"slug": slug, "entity_type": kind}))

    async def slugs(**params: Any) -> list[str]:
        seen: list[str] = []
        cursor = None
        while True:
            query = {"limit": 1, **params} | ({"cursor": cursor} if cursor else {})
            page = ok(await desk.reviewer.get("/api/views", params=query))
            seen += [found["slug"] for found in page["data"]]
            if (cursor := page["next_cursor"]) is None:
                return seen

    assert await slugs() == ["a", "b", "c"]
    assert await slugs(entity_type="company") == ["a", "c"]


async def test_a_change_names_what_it_changes(desk: Desk) -> None:
    made = ok(await desk.admin.post("/api/views", json=NEW))
    path = f"/api/views/{made['id']}"
    renamed = ok(await desk.try_change(path, {"name": "Better"}))
    assert (renamed["name"], renamed["blocks"], renamed["version"]) == ("Better", made["blocks"], 2)
    emptied = ok(await desk.try_change(path, {"blocks": []}))
    assert (emptied["name"], emptied["blocks"]) == ("Better", [])
    assert (await desk.admin.delete(path)).status_code == 204
    assert code(await desk.admin.delete(path)) == (404, "view_not_found")
    assert code(await desk.try_change(path, {})) == (404, "view_not_found")


async def test_only_admins_lay_out_views_and_another_workspace_sees_none(
    desk: Desk, other_workspace: Workspace
) -> None:
    made = ok(await desk.admin.post("/api/views", json=NEW))
    path = f"/api/views/{made['id']}"
    assert (await desk.reviewer.post("/api/views", json=NEW)).status_code == 403
    assert (await desk.reviewer.patch(path, json={"version": 1, "name": "X"})).status_code == 403
    assert (await desk.reviewer.delete(path)).status_code == 403
    stranger = await other_workspace.client(Role.OWNER)
    for answer in (
        await stranger.get(path),
        await stranger.patch(path, json={"version": 1, "name": "X"}),
        await stranger.delete(path),
    ):
        assert code(answer) == (404, "view_not_found")
