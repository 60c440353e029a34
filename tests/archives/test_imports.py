"""What is refused when an archive is imported, and that nothing is there of one that was."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from goldloop.archives.model import BadArchive, WorkspaceNotEmpty
from goldloop.kit.blobs import BlobStore
from goldloop.kit.ids import new_id
from goldloop.sessions.payloads import LARGE
from goldloop.tasks import service as tasks
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.model import Role
from goldloop.tenants.workspaces import store as workspaces
from tests.archives.ground import Installation
from tests.factories import Workspace, make_workspace
from tests.goldens.shelf import Shelf
from tests.loops import some
from tests.records import Desk, ok
from tests.runtimes.scripted import configured
from tests.sessions.recordings import begin, event, send

Files = dict[str, bytes]


@pytest_asyncio.fixture
async def place(workspace: Workspace, tmp_path: Path) -> Installation:
    return Installation(workspace.db, BlobStore(str(tmp_path / "blobs")))


@pytest_asyncio.fixture
async def archive(desk: Desk, place: Installation, tmp_path: Path) -> Path:
    """Of a workspace with a record."""
    await desk.make_record({"name": "Acme"})
    await place.blobs.put(f"{desk.workspace.id}/events/aa.json", b"{}")
    await place.export(desk.workspace.id, tmp_path / "whole.zip")
    return tmp_path / "whole.zip"


def read(path: Path) -> Files:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewrite(path: Path, change: Callable[[Files], None]) -> Path:
    files = read(path)
    change(files)
    other = path.with_name("changed.zip")
    with zipfile.ZipFile(other, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return other


def manifest(change: Callable[[Any], None]) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        read = json.loads(files["manifest.json"])
        change(read)
        files["manifest.json"] = json.dumps(read).encode()

    return apply


def resum(files: Files) -> None:
    """A manifest that fits what the files hold now: whoever changes an archive can do that too."""
    import hashlib

    read = json.loads(files["manifest.json"])

    def total(content: bytes) -> dict[str, Any]:
        return {
            "rows": content.count(b"\n"),
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }

    for name in read["tables"]:
        read["tables"][name] = total(files[f"tables/{name}.jsonl"])
    read["blobs"] = total(files["blobs.jsonl"])
    files["manifest.json"] = json.dumps(read).encode()


def changed_row(files: Files) -> None:
    files["tables/entities.jsonl"] = files["tables/entities.jsonl"].replace(b"Acme", b"Evil")


def forged(name: str, old: bytes, new: bytes) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new)
        resum(files)

    return apply


def without(name: str) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        del files[name]

    return apply


def twice(files: Files) -> None:
    files["tables/entities.jsonl"] *= 2
    resum(files)


REFUSED: list[tuple[str, Callable[[Files], None], str]] = [
    ("another format", manifest(lambda m: m.update(format="tar")), "format tar"),
    ("a later format", manifest(lambda m: m.update(format_version=2)), "reads goldloop-archive 1"),
    ("another schema", manifest(lambda m: m["schema"].update(version=1)), "with schema 1"),
    ("other columns", manifest(lambda m: m["schema"].update(sha256="0")), "upgrade there"),
    ("a changed row", changed_row, "not what the manifest says"),
    ("a lost file", without("tables/entities.jsonl"), "not those of its manifest"),
    ("a file more", lambda files: files.update({"../evil": b"x"}), "../evil"),
    ("no manifest", without("manifest.json"), "no manifest.json"),
    ("a broken manifest", lambda files: files.update({"manifest.json": b"{"}), "cannot be read"),
    ("a table of nobody", manifest(lambda m: m["tables"].update({"../x": m["blobs"]})), "no name of a table"),
    ("a path trick", forged("blobs.jsonl", b"{tenant}/events", b"{tenant}/../../etc"), "no key of a blob"),
    ("a changed blob", forged("blobs.jsonl", b'"data":"e30="', b'"data":"e3t9"'), "is damaged"),
    ("a row twice", twice, "entities has 1 rows twice"),
    ("a row of no type", forged("tables/entities.jsonl", b'"version":1', b'"version":"x"'), "cannot be written"),
    ("a line of no JSON", forged("tables/entities.jsonl", b'{"id"', b'["id"'), "cannot be written"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "says"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED]
)
async def test_a_bad_archive_is_refused_and_leaves_no_workspace(
    archive: Path, place: Installation, change: Callable[[Files], None], says: str
) -> None:
    slug = f"t-{new_id().hex}"
    with pytest.raises(BadArchive, match=says.replace(".", r"\.")):
        await place.take(rewrite(archive, change), slug)
    assert await workspaces.find_id(place.db, slug) is None


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 and nothing else"])
async def test_a_file_that_is_no_archive_is_refused(
    place: Installation, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(BadArchive):
        await place.take(tmp_path / "x", "x")


async def test_half_an_archive_is_refused(archive: Path, place: Installation, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadArchive, match="only a part"):
        await place.take(tmp_path / "half.zip", "half")


async def test_a_row_goes_into_the_workspace_of_the_import_whatever_the_file_says(
    archive: Path, place: Installation, other_workspace: Workspace
) -> None:
    theirs = f'{{"tenant_id":"{other_workspace.id}","id"'.encode()
    changed = rewrite(archive, forged("tables/entities.jsonl", b'{"id"', theirs))
    found = await place.take(changed, f"t-{new_id().hex}")
    async with place.db.tx(system_actor(other_workspace.id)) as tx:
        assert await tx.fetchval("SELECT count(*) FROM entities") == 0
    async with place.db.tx(system_actor(found.tenant_id)) as tx:
        assert await tx.fetchval("SELECT count(*) FROM entities") == 1


@pytest.mark.parametrize(
    "key", ["{other}/events/aa.json", "turn-logs/{other}/aa/aa.json", "{own}/events/../../{other}/events/aa"]
)
async def test_an_event_that_names_a_blob_of_another_workspace_is_refused(
    desk: Desk, archive: Path, place: Installation, other_workspace: Workspace, key: str
) -> None:
    client = await desk.workspace.client(Role.ADMIN)
    session = await begin(client)
    ok(await send(client, session, [event("user.message", text="z" * LARGE)]))
    await place.export(desk.workspace.id, archive)
    theirs = key.format(other=other_workspace.id, own="{tenant}").encode()
    own = b"{tenant}/events/"
    changed = rewrite(archive, forged("tables/session_events.jsonl", own, theirs + b"/"))
    slug = f"t-{new_id().hex}"
    with pytest.raises(BadArchive, match="no blob of the workspace"):
        await place.take(changed, slug)
    assert await workspaces.find_id(place.db, slug) is None
    assert (await place.take(archive, slug)).is_new


async def test_a_workspace_that_has_something_is_left_alone(
    archive: Path, place: Installation, workspace: Workspace
) -> None:
    with pytest.raises(WorkspaceNotEmpty):
        await place.take(archive, workspace.slug)


async def test_a_look_before_the_import_changes_nothing(archive: Path, place: Installation) -> None:
    slug = f"t-{new_id().hex}"
    found = await place.take(archive, slug, dry_run=True)
    assert (found.is_new, found.blobs) == (True, 1)
    assert await workspaces.find_id(place.db, slug) is None
    assert (await place.take(archive, slug)).rows == found.rows


async def test_an_import_that_dies_before_its_end_leaves_nothing_and_goes_the_next_time(
    archive: Path, place: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug = f"t-{new_id().hex}"

    async def die(tx: Any, *, off: bool) -> None:
        raise RuntimeError("the lights went out")

    with monkeypatch.context() as dying:
        dying.setattr(tasks, "plan_all", die)
        with pytest.raises(RuntimeError):
            await place.take(archive, slug)
    assert await workspaces.find_id(place.db, slug) is None
    assert (await place.take(archive, slug)).is_new


async def test_members_of_an_empty_workspace_are_those_of_the_archive_by_their_address(
    desk: Desk, place: Installation, tmp_path: Path
) -> None:
    """Who has an account in the target keeps it and becomes the one who did things in the source; others come as invited."""
    source = desk.workspace
    person = await source.make_person(Role.REVIEWER)
    await desk.make_record()
    await place.export(source.id, tmp_path / "a.zip")
    async with make_workspace(place.db, source.app) as target:
        here = await target.make_person(Role.VIEWER, email=person.email)
        assert here.id != person.id
        browser = await target.signed_in(here)
        found = await place.take(tmp_path / "a.zip", target.slug)
        assert (found.is_new, found.tenant_id) == (False, target.id)
        me = ok(await browser.get("/api/session", headers={"X-Goldloop-Tenant": target.slug}))
        members = {
            each["email"]: each for each in ok(await (await target.client()).get("/api/members"))["data"]
        }
    assert str(person.id) in json.dumps(me)
    assert members[person.email]["user_id"] == str(person.id)
    assert members[person.email]["status"] == "active"
    assert members[source.owner_email]["status"] == "invited"
    assert members[source.owner_email]["user_id"] == str(source.owner_id)


async def test_keys_come_revoked(desk: Desk, place: Installation, tmp_path: Path) -> None:
    _, secret = await desk.workspace.make_key(name="theirs")
    await place.export(desk.workspace.id, tmp_path / "a.zip")
    found = await place.take(tmp_path / "a.zip", f"t-{new_id().hex}")
    async with place.db.tx(system_actor(found.tenant_id)) as tx:
        rows = await tx.fetch("SELECT revoked_at FROM api_keys WHERE tenant_id = $1", found.tenant_id)
    assert rows
    assert all(row["revoked_at"] for row in rows)
    assert (await (await desk.workspace.client_with(secret)).get("/api/archives")).status_code == 200


async def test_what_a_worker_had_begun_is_over_and_waits_for_no_job_of_another_installation(
    desk: Desk, place: Installation, tmp_path: Path
) -> None:
    workspace = desk.workspace
    shelf = Shelf(workspace, await workspace.client())
    golden, agent = await shelf.promoted(), await configured(workspace, "replayed")
    run = await shelf.start_run(golden, agent)
    experiment = await shelf.start_experiment(golden, agent)
    judged, waits = UUID(run["replay_id"]), UUID(experiment["experiment_id"])
    async with place.db.tx(workspace.system) as tx:  # the judge of one is asked, that of others will be
        await tx.execute(
            "UPDATE eval_replays SET state = 'compared', judging = 'pending', judging_session_id = $3 WHERE tenant_id = $1 AND id = $2",
            workspace.id,
            judged,
            new_id(),
        )
        await tx.execute(
            "UPDATE eval_replays SET state = 'compared', judging = 'pending' WHERE tenant_id = $1 AND run_id = $2",
            workspace.id,
            waits,
        )
    await place.export(workspace.id, tmp_path / "a.zip")
    found = await place.take(tmp_path / "a.zip", f"t-{new_id().hex}")
    async with place.db.tx(system_actor(found.tenant_id)) as tx:
        (measured,) = await tx.fetch(
            "SELECT status, ended_at IS NOT NULL AS is_over FROM eval_experiments WHERE tenant_id = $1",
            found.tenant_id,
        )
        replays = await tx.fetch(
            "SELECT run_id, judging, judging_reason FROM eval_replays WHERE tenant_id = $1", found.tenant_id
        )
    assert dict(measured) == {"status": "cancelled", "is_over": True}
    asked = {(str(row["run_id"]), row["judging"], row["judging_reason"]) for row in replays}
    reason = "It was under way when the workspace was exported"
    assert asked == {
        (run["eval_run_id"], "failed", reason),
        (experiment["experiment_id"], "pending", None),  # its mark comes along
    }


async def test_every_line_is_a_json_object_of_its_own(archive: Path) -> None:
    lines = [
        line for name, content in read(archive).items() if name.endswith("l") for line in content.splitlines()
    ]
    assert {type(json.loads(line)) for line in some(lines)} == {dict}
