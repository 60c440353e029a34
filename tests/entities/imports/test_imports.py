"""Importing records from CSV: a look first, then all of them or none."""

from typing import Any

import pytest

from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import Desk, ok

PATH = "/api/entities/import"


async def imported(desk: Desk, text: str, *, dry_run: bool = False) -> Any:
    return ok(await desk.contributor.post(PATH, json={"type": "company", "text": text, "dry_run": dry_run}))


async def titles(desk: Desk) -> list[str]:
    found = ok(await desk.contributor.get("/api/entities", params={"type": "company", "sort": "title"}))
    return [each["title"] for each in found["data"]]


async def test_a_look_writes_nothing_and_the_import_all(desk: Desk) -> None:
    text = "title,name,employees\nAcme,Acme Inc,7\nBeta,Beta Ltd,\n"
    look = await imported(desk, text, dry_run=True)
    assert (look["imported"], look["rows"], look["new"], look["ids"], look["errors"]) == (False, 2, 2, [], [])
    assert [each["content"] for each in look["preview"]] == [
        {"name": "Acme Inc", "employees": 7},
        {"name": "Beta Ltd"},
    ]
    assert await titles(desk) == []
    done = await imported(desk, text)
    assert (done["imported"], done["new"], len(done["ids"])) == (True, 2, 2)
    assert await titles(desk) == ["Acme", "Beta"]


async def test_one_bad_row_keeps_all_out(desk: Desk) -> None:
    found = await imported(desk, "title,name,employees\nAcme,Acme Inc,7\nBeta,Beta Ltd,many\nGamma,G,-3\n")
    assert not found["imported"]
    assert (found["errors"][0]["row"], found["errors"][0]["column"]) == (3, "employees")
    assert await titles(desk) == []


async def test_what_the_schema_refuses_is_told_with_its_column(desk: Desk) -> None:
    await desk.make_type("strict", {"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}})
    body = {"type": "strict", "text": "title,n\nA,5\nB,1\n", "dry_run": False}
    found = ok(await desk.contributor.post(PATH, json=body))
    assert [(each["row"], each["column"]) for each in found["errors"]] == [(3, "n")]
    assert not found["imported"]


async def test_what_was_exported_is_imported_as_it_was(desk: Desk) -> None:
    made = await desk.make_record({"name": "=cmd()", "employees": 3}, title="+1 Acme")
    text = (await desk.contributor.get("/api/entities/records.csv", params={"type": "company"})).text
    again = await imported(desk, text)
    assert (again["imported"], again["new"], again["existing"]) == (True, 0, 1)
    ok(await desk.admin.delete(f"/api/entities/{made['id']}"))
    assert (await imported(desk, text))["ids"] == [made["id"]]
    found = ok(await desk.contributor.get(f"/api/entities/{made['id']}"))
    assert (found["title"], found["content"]) == (made["title"], made["content"])


async def test_lists_with_commas_and_what_is_empty_come_back_from_a_table(desk: Desk) -> None:
    texts = {"type": "array", "items": {"type": "string"}}
    fields = {
        "steps": texts,
        "tags": texts,
        "none": texts,
        "n": {"type": ["integer", "null"]},
        "s": {"type": "string"},
    }
    await desk.make_type("noted", {"type": "object", "properties": fields})
    steps = ["Ask again after midnight, when the limit is new.", "Wait"]
    content = {"steps": steps, "tags": ["a", "b"], "none": [], "n": None, "s": ""}
    body = {"type": "noted", "title": "Limits", "content": content, "metadata": {"from": "elsewhere"}}
    made = ok(await desk.contributor.post("/api/entities", json=body))
    text = (await desk.contributor.get("/api/entities/records.csv", params={"type": "noted"})).text
    asked = {"type": "noted", "text": text, "dry_run": False}
    again = ok(await desk.contributor.post(PATH, json=asked))
    assert (again["errors"], again["new"], again["existing"], again["ids"]) == ([], 0, 1, [made["id"]])
    ok(await desk.admin.delete(f"/api/entities/{made['id']}"))
    assert ok(await desk.contributor.post(PATH, json=asked))["ids"] == [made["id"]]
    found = ok(await desk.contributor.get(f"/api/entities/{made['id']}"))
    assert found["content"] == {"steps": steps, "tags": ["a", "b"]}


async def test_an_id_of_another_record_is_refused(desk: Desk) -> None:
    made = await desk.make_record({"name": "Acme"})
    found = await imported(desk, f"id,title,name\n{made['id']},Other,Other\n")
    assert [(each["row"], each["column"], each["code"]) for each in found["errors"]] == [
        (2, "id", "entity_exists")
    ]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"type": "company", "text": ""}, 422, "invalid_input"),
        ({"type": "nobody", "text": "title\n"}, 404, "entity_type_not_found"),
        ({"type": "company"}, 422, "invalid_input"),
        ({"type": "company", "text": 'title\n"'}, 422, "invalid_input"),
    ],
)
async def test_bad_requests(desk: Desk, body: dict[str, Any], status: int, code: str) -> None:
    answer = await desk.contributor.post(PATH, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_who_may_not_make_records_may_not_import_them(desk: Desk, other_workspace: Workspace) -> None:
    body = {"type": "company", "text": "title,name\nA,B\n", "dry_run": False}
    viewer = await desk.workspace.client(Role.VIEWER)
    assert (await viewer.post(PATH, json=body)).status_code == 403
    agent = await desk.workspace.client(Role.OWNER, agent_id=(await desk.workspace.make_agent()).id)
    assert (await agent.post(PATH, json=body)).status_code == 403
    stranger = await other_workspace.client()
    assert (await stranger.post(PATH, json=body)).status_code == 404
    assert await titles(desk) == []
