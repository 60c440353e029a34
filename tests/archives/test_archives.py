"""Archives over HTTP: an admin has one written, downloads it in pieces and deletes it; nobody else sees that it is there."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from goldloop.archives import parts, service
from goldloop.archives.jobs import clean, write
from goldloop.archives.parts import archive_folder
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.records import Desk, ok

PATH = "/api/archives"


class Shelf:
    """A workspace with a record, an admin, and the worker that writes archives."""

    def __init__(self, desk: Desk, outside: Outside, admin: httpx.AsyncClient) -> None:
        self.workspace, self.outside, self.admin = desk.workspace, outside, admin

    async def start(self, **body: Any) -> Any:
        return ok(await self.admin.post(PATH, json=body))

    async def show(self, archive: Any) -> Any:
        return ok(await self.admin.get(f"{PATH}/{archive['id']}"))

    async def work(self, archive: Any) -> None:
        await write(self.workspace.db, self.workspace.system, outside=self.outside, run_id=archive["id"])

    async def clean(self, archive: Any) -> None:
        await clean(self.workspace.db, self.workspace.system, outside=self.outside, archive_id=archive["id"])

    async def made(self) -> Any:
        archive = await self.start()
        await self.work(archive)
        return await self.show(archive)

    async def parts(self, archive: Any) -> list[str]:
        folder = archive_folder(self.workspace.id, UUID(archive["id"]))
        return sorted([key async for key in self.outside.blobs.keys(folder)])

    async def get(self, archive: Any, **headers: str) -> httpx.Response:
        return await self.admin.get(f"{PATH}/{archive['id']}/file", headers=headers)


@pytest_asyncio.fixture
async def shelf(desk: Desk, outside: Outside) -> Shelf:
    await desk.make_record({"name": "Acme"})
    return Shelf(desk, outside, await desk.workspace.client(Role.ADMIN))


async def test_an_archive_is_written_in_the_background_and_downloaded(shelf: Shelf) -> None:
    archive = await shelf.start()
    assert (archive["status"], archive["size"], archive["contents"]) == ("queued", None, None)
    assert (await shelf.get(archive)).json()["code"] == "archive_not_ready"
    await shelf.work(archive)
    done = await shelf.show(archive)
    assert done["status"] == "done"
    assert done["done"] == done["total"] == sum(table["rows"] for table in done["contents"]["tables"])
    answer = await shelf.get(archive)
    assert answer.headers["content-type"] == "application/zip"
    assert int(answer.headers["content-length"]) == len(answer.content) == done["size"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert file.testzip() is None
        (record,) = [json.loads(line) for line in file.read("tables/entities.jsonl").splitlines()]
    assert record["content"] == {"name": "Acme"}


async def test_memories_are_a_persons_own_for_an_admin_too(shelf: Shelf) -> None:
    ok(await shelf.admin.post("/api/memories", json={"content": "Likes tables"}))
    done = await shelf.made()
    assert "user_memories" in {each["name"] for each in done["contents"]["left_out"]}
    assert b"Likes tables" not in (await shelf.get(done)).content


async def test_a_download_goes_on_where_it_was_interrupted(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART", 1000)
    done = await shelf.made()
    whole = (await shelf.get(done)).content
    assert len(await shelf.parts(done)) == -(-len(whole) // 1000) > 3
    for start, end in [(0, 0), (999, 1000), (0, 2500), (1500, len(whole) - 1)]:
        piece = await shelf.get(done, Range=f"bytes={start}-{end}")
        assert (piece.status_code, piece.content) == (206, whole[start : end + 1])
        assert piece.headers["content-range"] == f"bytes {start}-{end}/{len(whole)}"
    beyond = await shelf.get(done, Range=f"bytes={len(whole)}-")
    assert (beyond.status_code, beyond.json()["code"]) == (416, "range_not_there")


async def test_who_downloads_one_is_in_the_log(shelf: Shelf) -> None:
    done = await shelf.made()
    assert (await shelf.get(done)).status_code == 200
    assert (await shelf.get(done, Range="bytes=10-19")).status_code == 206
    assert (await shelf.get(done, Range=f"bytes={done['size']}-")).status_code == 416
    params = {"name": "archive.downloaded", "subject_id": done["id"]}
    rest, whole = ok(await shelf.admin.get("/api/audit", params=params))["data"]
    assert whole["payload"] == {"start": 0, "end": done["size"]}
    assert rest["payload"] == {"start": 10, "end": 20}
    assert whole["actor"]["kind"] == "user"


async def test_one_archive_is_written_at_a_time(shelf: Shelf) -> None:
    archive = await shelf.start()
    again = await shelf.admin.post(PATH, json={"id": archive["id"]})
    assert ok(again)["id"] == archive["id"]
    other = await shelf.admin.post(PATH, json={})
    assert (other.status_code, other.json()["code"], other.json()["conflict"]["id"]) == (
        409,
        "archive_open",
        archive["id"],
    )


async def test_a_worker_that_died_half_way_is_followed_by_one_that_begins_anew(shelf: Shelf) -> None:
    archive = await shelf.start()
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        dead = await service.begin(tx, UUID(archive["id"]))
    assert dead is not None
    await shelf.outside.blobs.put(dead.place.part(0), b"half of an archive")
    await shelf.work(archive)
    done = await shelf.show(archive)
    assert done["status"] == "done"
    assert zipfile.ZipFile(io.BytesIO((await shelf.get(done)).content)).testzip() is None
    assert dead.place.part(0) not in await shelf.parts(done)
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        assert not await service.advance(tx, dead, 1, 2)


async def test_one_that_is_cancelled_leaves_nothing_behind(shelf: Shelf) -> None:
    archive = await shelf.start()
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        begun = await service.begin(tx, UUID(archive["id"]))
    assert begun is not None
    await shelf.outside.blobs.put(begun.place.part(0), b"half of an archive")
    path = f"{PATH}/{archive['id']}/cancel"
    assert ok(await shelf.admin.post(path))["status"] == "cancelled"
    assert ok(await shelf.admin.post(path))["status"] == "cancelled"
    await shelf.work(archive)
    await shelf.clean(archive)
    assert (await shelf.show(archive))["status"] == "cancelled"
    assert await shelf.parts(archive) == []


async def test_one_that_is_done_cannot_be_cancelled(shelf: Shelf) -> None:
    done = await shelf.made()
    assert (await shelf.admin.post(f"{PATH}/{done['id']}/cancel")).json()["code"] == "archive_over"


async def test_a_deleted_archive_is_gone_with_its_parts(shelf: Shelf) -> None:
    done = await shelf.made()
    assert await shelf.parts(done)
    assert (await shelf.admin.delete(f"{PATH}/{done['id']}")).status_code == 204
    await shelf.clean(done)
    assert (await shelf.get(done)).status_code == 404
    assert ok(await shelf.admin.get(PATH))["data"] == []
    assert await shelf.parts(done) == []


async def test_an_archive_has_its_time(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = await shelf.made()
    await shelf.clean(kept)
    assert len(await shelf.parts(kept)) == 1
    monkeypatch.setattr(service, "KEPT", timedelta(seconds=-1))
    done = await shelf.made()
    await shelf.clean(done)
    assert await shelf.parts(done) == []
    assert [each["id"] for each in ok(await shelf.admin.get(PATH))["data"]] == [kept["id"]]


async def test_the_archives_of_before_are_in_no_archive(shelf: Shelf) -> None:
    await shelf.made()
    done = await shelf.made()
    with zipfile.ZipFile(io.BytesIO((await shelf.get(done)).content)) as file:
        assert file.read("blobs.jsonl") == b""
        assert file.read("tables/runs.jsonl") == b""
        assert "tables/archives.jsonl" not in file.namelist()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.CONTRIBUTOR, Role.REVIEWER])
async def test_who_is_no_admin_may_not(shelf: Shelf, role: Role) -> None:
    done = await shelf.made()
    client = await shelf.workspace.client(role)
    for method, path in [
        ("GET", PATH),
        ("POST", PATH),
        ("GET", f"{PATH}/{done['id']}"),
        ("GET", f"{PATH}/{done['id']}/file"),
        ("POST", f"{PATH}/{done['id']}/cancel"),
        ("DELETE", f"{PATH}/{done['id']}"),
    ]:
        answer = await client.request(method, path, json={} if method == "POST" else None)
        assert answer.status_code == 403, (method, path)


async def test_an_agent_may_not_whatever_its_key_may(shelf: Shelf) -> None:
    agent = await shelf.workspace.client(Role.OWNER, agent_id=(await shelf.workspace.make_agent()).id)
    assert (await agent.post(PATH, json={})).status_code == 403


async def test_a_foreign_archive_is_absent(shelf: Shelf, other_workspace: Workspace) -> None:
    done = await shelf.made()
    stranger = await other_workspace.client(Role.OWNER)
    answers = [
        await stranger.get(f"{PATH}/{done['id']}"),
        await stranger.get(f"{PATH}/{done['id']}/file"),
        await stranger.post(f"{PATH}/{done['id']}/cancel"),
        await stranger.delete(f"{PATH}/{done['id']}"),
    ]
    assert [answer.status_code for answer in some(answers)] == [404] * 4
    assert ok(await stranger.get(PATH))["data"] == []


async def test_an_archive_holds_nothing_of_another_workspace(
    shelf: Shelf, other_workspace: Workspace
) -> None:
    await other_workspace.make_agent("a-stranger")
    done = await shelf.made()
    content = (await shelf.get(done)).content
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        text = b"".join(file.read(name) for name in file.namelist())
    assert b"a-stranger" not in text
    assert str(other_workspace.id).encode() not in text


async def test_a_link_of_a_browser_names_the_workspace_in_its_address(shelf: Shelf) -> None:
    done = await shelf.made()
    browser = await shelf.workspace.signed_in()
    path = f"{PATH}/{done['id']}/file"
    assert (await browser.get(path, params={"tenant": shelf.workspace.slug})).status_code == 200
    assert (await browser.get(path, params={"tenant": "another"})).status_code == 404
