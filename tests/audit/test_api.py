"""The audit log through HTTP: who, what, when, with which key, from where, and what it was before."""

import csv
import io
import json
import logging
from typing import Any

import httpx
import pytest

from goldloop.audit import store
from goldloop.kit.csv_table import BOM
from goldloop.kit.ids import new_id
from goldloop.tenants.model import Role
from tests.factories import PASSWORD, Workspace, sign_in
from tests.loops import some
from tests.records import make_desk, ok
from tests.tenants.test_second_factors import enrol


async def entries(client: httpx.AsyncClient, **params: Any) -> list[dict[str, Any]]:
    answer = await client.get("/api/audit", params=params)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def test_a_role_that_was_given_says_who_gave_it_with_which_key_and_what_it_was(
    workspace: Workspace,
) -> None:
    member = await workspace.make_member(Role.VIEWER)
    key, secret = await workspace.make_key(Role.OWNER, name="ops")
    client = await workspace.client_with(secret)
    client.headers["X-Request-Id"] = "deploy-7"
    assert (await client.patch(f"/api/members/{member}", json={"role": "reviewer"})).status_code == 200

    (entry,) = await entries(client, name="member.changed", subject_id=str(member))

    assert entry["actor"]["id"] == str(workspace.owner_id)
    assert entry["actor"]["kind"] == "user"
    assert entry["via"] == "key"
    assert entry["key"] == {"id": str(key.id), "name": "ops"}
    assert entry["request_id"] == "deploy-7"
    detail = (await client.get(f"/api/audit/{entry['id']}")).json()
    assert [(c["what"], c["before"], c["after"]) for c in detail["changes"]] == [
        ("role", "viewer", "reviewer")
    ]


async def test_who_is_signed_in_comes_from_their_address_and_without_a_key(workspace: Workspace) -> None:
    page = await workspace.signed_in()
    assert (await page.patch("/api/workspace", json={"name": "Renamed"})).status_code == 200
    (entry,) = await entries(page, name="workspace.renamed")
    assert entry["via"] == "page"
    assert entry["key"] is None
    assert ":" in entry["address"]
    detail = (await page.get(f"/api/audit/{entry['id']}")).json()
    assert detail["changes"][0]["after"] == "Renamed"
    assert detail["changes"][0]["before"] != "Renamed"


async def test_the_access_log_names_who_asked_in_which_workspace_and_with_which_key(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    key, secret = await workspace.make_key(Role.OWNER, name="ops")
    program, page = await workspace.client_with(secret), await workspace.signed_in()
    with caplog.at_level(logging.INFO, "goldloop.access"):
        for client in (program, page):
            ok(await client.get("/api/workspace"))
    lines = [vars(each) for each in caplog.records if each.getMessage() == "GET /api/workspace 200"]
    asked = [(line["workspace"], line["actor"], line.get("key")) for line in lines]
    person = str(workspace.id), f"user:{workspace.owner_id}"
    assert asked == [(*person, str(key.id)), (*person, None)]


async def test_what_nobody_asked_for_has_no_address(workspace: Workspace) -> None:
    await workspace.make_agent("made-by-the-system")
    client = await workspace.client(Role.ADMIN)
    for entry in some(await entries(client, name="agent.created", actor_kind="system")):
        assert (entry["via"], entry["address"], entry["request_id"]) == ("background", None, None)


async def test_an_edited_record_shows_each_field_before_and_after(workspace: Workspace) -> None:
    desk = await make_desk(workspace)
    await desk.make_type()
    record = await desk.make_record({"name": "Acme"})
    await desk.edit(record, content={"name": "Acme Ltd"})

    (entry,) = await entries(desk.admin, name="entity.edited", subject_id=record["id"])
    (changed,) = (await desk.admin.get(f"/api/audit/{entry['id']}")).json()["changes"]
    assert (changed["what"], changed["before"], changed["after"]) == ("name", "Acme", "Acme Ltd")


async def test_a_configured_agent_shows_what_it_ran_with_before(workspace: Workspace) -> None:
    agent = await workspace.make_agent()
    admin = await workspace.client(Role.ADMIN)
    for instructions in ("Be brief.", "Be exact."):
        body = {"runtime": "built_in", "instructions": instructions}
        assert (await admin.put(f"/api/agents/{agent.id}/config", json=body)).status_code == 200
    newest, _ = await entries(admin, name="agent.configured", subject_id=str(agent.id))
    changes = (await admin.get(f"/api/audit/{newest['id']}")).json()["changes"]
    assert ("instructions", "Be brief.", "Be exact.") in [
        (c["what"], c["before"], c["after"]) for c in changes
    ]


async def test_what_nobody_knows_the_past_of_has_no_changes(workspace: Workspace) -> None:
    agent = await workspace.make_agent()
    admin = await workspace.client(Role.ADMIN)
    (entry,) = await entries(admin, subject_id=str(agent.id), name="agent.created")
    assert (await admin.get(f"/api/audit/{entry['id']}")).json()["changes"] is None


async def test_pages_follow_each_other_without_gap_or_repetition(workspace: Workspace) -> None:
    for _ in range(5):
        await workspace.make_agent()
    admin = await workspace.client(Role.ADMIN)
    whole = [entry["id"] for entry in await entries(admin, topic="agents", limit=200)]
    read, cursor = [], None
    while True:
        params: dict[str, str | int] = {
            "topic": "agents",
            "limit": 2,
            **({"cursor": cursor} if cursor else {}),
        }
        answer = (await admin.get("/api/audit", params=params)).json()
        read += [entry["id"] for entry in answer["data"]]
        if (cursor := answer["next_cursor"]) is None:
            break
    assert read == whole
    assert len(whole) >= 5


async def test_it_is_narrowed_by_who_by_time_and_by_address(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    agent = await workspace.make_agent()
    (made,) = await entries(admin, subject_id=str(agent.id))
    assert await entries(admin, subject_id=str(agent.id), since=made["created_at"])
    assert not await entries(admin, subject_id=str(agent.id), until=made["created_at"])
    assert not await entries(admin, subject_id=str(agent.id), actor_kind="user")
    assert not await entries(admin, subject_id=str(agent.id), actor_id=str(new_id()))
    assert not await entries(admin, subject_id=str(agent.id), key_id=str(new_id()))
    assert not await entries(admin, subject_id=str(agent.id), address="192.0.2.1")
    assert not await entries(admin, subject_id=str(agent.id), topic="members")


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"name": "member.chnged"}, "/name/0"),
        ({"topic": "member"}, "/topic"),
        ({"since": "yesterday"}, "/since"),
        ({"cursor": "x"}, "/cursor"),
        ({"actor_id": "me"}, "/actor_id"),
        ({"limit": 0}, "/limit"),
    ],
)
async def test_what_cannot_be_asked_is_refused_with_its_place(
    workspace: Workspace, params: dict[str, Any], path: str
) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.get("/api/audit", params=params)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == path


@pytest.mark.parametrize(
    "path", ["/api/audit", "/api/audit/export", "/api/audit/01a1ec4f-08ec-7673-b142-e3446146790d"]
)
async def test_only_administrators_read_it(workspace: Workspace, path: str) -> None:
    for role in (Role.VIEWER, Role.CONTRIBUTOR, Role.REVIEWER):
        assert (await (await workspace.client(role)).get(path)).status_code == 403


async def test_an_entry_of_another_workspace_is_not_there(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    theirs = await other_workspace.client(Role.ADMIN)
    (entry, *_) = await entries(theirs)
    mine = await workspace.client(Role.ADMIN)
    assert (await mine.get(f"/api/audit/{entry['id']}")).status_code == 404
    assert entry["id"] not in [found["id"] for found in await entries(mine, limit=200)]


async def test_a_file_holds_what_is_listed(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    await workspace.make_agent()
    listed = await entries(admin, topic="agents", limit=200)
    answer = await admin.get("/api/audit/export", params={"topic": "agents"})
    assert answer.headers["content-disposition"] == 'attachment; filename="audit.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix(BOM))))
    assert [row["id"] for row in rows] == [entry["id"] for entry in listed]
    lines = await admin.get("/api/audit/export", params={"topic": "agents", "format": "jsonl"})
    assert [json.loads(line) for line in lines.text.splitlines()] == listed


async def test_who_takes_the_log_along_is_in_it(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.get("/api/audit/export", params={"topic": "agents", "format": "jsonl"})
    assert answer.status_code == 200
    (entry,) = await entries(admin, name="audit.exported")
    assert entry["payload"] == {"format": "jsonl", "narrowed_by": ["names"]}
    assert entry["via"] == "key"


async def test_who_came_in_and_what_they_changed_about_it_is_told_in_each_of_their_workspaces(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    person = await workspace.make_person(Role.VIEWER)
    browser = await workspace.signed_in(person)
    theirs = await other_workspace.invite(Role.VIEWER, person.email)
    ok(await browser.post("/api/session/accept", json={"token": theirs.token}))
    _, codes = await enrol(browser)
    removal = {"current_password": PASSWORD, "code": codes[0]}
    ok(await browser.post("/api/account/second-factor/remove", json=removal))
    changed = {"current_password": PASSWORD, "new_password": "another password"}
    ok(await browser.post("/api/session/password", json=changed))
    assert (await sign_in(await workspace.browser(), person.email, "wrong")).status_code == 401
    ok(await sign_in(await workspace.browser(), person.email, "another password"))
    did = ["signed_in", "password_changed", "second_factor_removed", "second_factor_added"]
    for place, subject, count in ((workspace, person.id, 5), (other_workspace, theirs.member.user_id, 4)):
        admin = await place.client(Role.ADMIN)
        found = await entries(admin, topic="sign_ins", subject_id=str(subject))
        assert [entry["name"] for entry in found][:4] == [f"member.{each}" for each in did]
        assert len(found) == count  # the first sign-in was before the second workspace was theirs
        assert {entry["actor"]["id"] for entry in found} == {str(subject)}
        assert all(entry["address"] for entry in some(found))
        assert found[0]["payload"] == {"method": "password", "provider": None}


async def test_a_link_to_a_new_password_that_was_used_is_told(workspace: Workspace) -> None:
    person = await workspace.make_person(Role.VIEWER)
    admin = await workspace.client(Role.OWNER)
    link = ok(await admin.post(f"/api/members/{person.id}/reset", json={}))
    body = {"token": link["reset_token"], "password": "another password"}
    ok(await (await workspace.browser()).post("/api/session/reset", json=body))
    found = await entries(admin, topic="sign_ins", subject_id=str(person.id))
    told = [(entry["name"], entry["payload"].get("method")) for entry in found]
    assert told == [("member.reset_used", None), ("member.signed_in", "link")]


async def test_whatever_it_is_narrowed_by_has_an_index(workspace: Workspace) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        rows = await tx.fetch("SELECT indexdef FROM pg_indexes WHERE tablename = 'events'")
    indexed = "\n".join(row["indexdef"] for row in rows).replace("actor_kind, actor_id", "actor_id")
    for column in some(set(store._EQUAL) - {"actor_kind"}):  # of which there are three
        assert f"(tenant_id, {column}, created_at, id)" in indexed, column


async def test_nobody_changes_or_deletes_a_fact(workspace: Workspace) -> None:
    """Not even the roles that the server uses."""
    for statement in ("UPDATE events SET name = 'x'", "DELETE FROM events"):
        with pytest.raises(Exception, match="permission denied"):
            async with workspace.db.tx(workspace.system) as tx:
                await tx.execute(f"{statement} WHERE tenant_id = $1", workspace.id)
