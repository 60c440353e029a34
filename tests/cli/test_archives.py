"""`goldloop export`, `goldloop import` and `goldloop audit`, as an operator runs them."""

import asyncio
import csv
import io
import json
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.cli.test_cli import Installation
from tests.conversations.chats import make_chats
from tests.flows.conftest import desk_on
from tests.records import Desk, ok
from tests.servers import GOLDLOOP, Commands, environment, eventually, open_folder
from tests.tasks.duty import DAILY, make_task


@pytest_asyncio.fixture(scope="module")
async def commands() -> AsyncIterator[Commands]:
    async with Commands() as started:
        yield started


class Operated:
    """A workspace with something in it, and commands on its database."""

    def __init__(self, desk: Desk, installation: Installation, outside: Outside) -> None:
        self.desk, self.installation = desk, installation
        self.folder, self.slug = installation.folder, desk.workspace.slug
        self.settings = {"GOLDLOOP_BLOB_URL": outside.blobs.url}

    async def run(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        return await self.installation.run(*arguments, code=code, **self.settings)

    async def text(self, *arguments: str) -> tuple[int, str, str]:
        """What a person sees."""
        address = {"GOLDLOOP_DATABASE_URL": str(self.installation.database_url)}
        return await self.installation.commands.run(
            *arguments, folder=self.folder, extra={**address, **self.settings}
        )

    async def rows(self, slug: str, table: str) -> list[Any]:
        async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
            tenant = await tx.fetchval("SELECT find_tenant($1)", slug)
            await tx.execute(f"SET LOCAL app.tenant = '{tenant}'")
            return list(await tx.fetch(f"SELECT to_jsonb(t) - 'tenant_id' AS row FROM {table} t ORDER BY 1"))


@pytest_asyncio.fixture
async def operated(fresh_database_url: str, commands: Commands, outside: Outside) -> AsyncIterator[Operated]:
    async with desk_on(fresh_database_url, outside) as desk:
        await desk.promote(await desk.submit(await desk.make_record(), {"name": "Acme"}), "name")
        chats = await make_chats(desk.workspace, outside)
        await chats.add("c", {"turn_id": "t", "user": {"text": "Hello"}, "turn_log": {"steps": [1, 2]}})
        await chats.catch_up("blobs.write")
        with open_folder() as folder:
            yield Operated(desk, Installation(commands, folder, database_url=fresh_database_url), outside)


async def test_a_workspace_goes_into_a_file_and_comes_out_of_it(operated: Operated) -> None:
    file = str(operated.folder / "main.zip")
    made = await operated.run("export", file, "--tenant", operated.slug)
    assert (made["file"], made["size"]) == (file, Path(file).stat().st_size)
    assert made["blobs"]["rows"] == 1
    assert Path(file).stat().st_mode & 0o077 == 0  # for nobody else on the machine
    again = await operated.run("export", file, "--tenant", operated.slug, code=3)
    assert again["error"]["code"] == "file_exists"
    looked = await operated.run("import", file, "--tenant", "copy", "--dry-run")
    assert (looked["is_new"], looked["dry_run"], looked["blobs"]) == (True, True, 1)
    done = await operated.run("import", "--tenant", "copy", file)
    assert (done["rows"], done["blobs"], done["slug"]) == (looked["rows"], 1, "copy")
    for table in ("entities", "entity_field_history", "conv_turns"):
        assert await operated.rows("copy", table) == await operated.rows(operated.slug, table) != []
    twice = await operated.run("import", file, "--tenant", "copy", code=3)
    assert twice["error"]["code"] == "workspace_not_empty"
    code, out, _ = await operated.text("import", file, "--tenant", "third")
    assert (code, "people come as invited" in out) == (0, True)


async def test_what_cannot_be_exported_or_imported_is_said(operated: Operated) -> None:
    file = operated.folder / "none.zip"
    nobody = await operated.run("export", str(file), "--tenant", "nobody", code=4)
    assert "nobody" in nobody["error"]["message"]
    assert list(operated.folder.glob("none.zip*")) == []
    file.write_bytes(b"no archive")
    bad = await operated.run("import", str(file), "--tenant", "new", code=2)
    assert bad["error"]["code"] == "bad_archive"
    usage = await operated.run("import", "langfuse", str(file), "--tenant", "x", "--tasks", "off", code=2)
    assert "--tasks" in usage["error"]["message"]


async def test_an_export_that_was_killed_leaves_no_file_of_that_name_and_is_begun_anew(
    operated: Operated, data_dir: Path
) -> None:
    url = str(operated.installation.database_url)
    owner = await connect(superuser_url(data_dir, urlsplit(url).path.lstrip("/")))
    await owner.execute("BEGIN; LOCK TABLE entities IN ACCESS EXCLUSIVE MODE")
    file, part = operated.folder / "main.zip", operated.folder / "main.zip.part"
    arguments = ["export", str(file), "--tenant", operated.slug]
    settings = {**operated.settings, "GOLDLOOP_DATABASE_URL": url}
    running = await asyncio.create_subprocess_exec(
        *GOLDLOOP, *arguments, env=environment(settings), cwd=operated.folder, stderr=subprocess.DEVNULL
    )
    try:

        async def waits() -> bool:
            return bool(
                await owner.fetchval(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'entities'::regclass"
                )
            )

        await eventually(waits)
        other = await operated.run(*arguments, code=3)
        assert other["error"]["message"].startswith("another command writes")
    finally:
        running.kill()  # SIGKILL
        await running.wait()
        await owner.execute("ROLLBACK")
        await owner.close()
    assert (file.exists(), part.exists()) == (False, True)
    part.write_bytes(b"PK\x03\x04 half of an archive")  # as if it had come so far
    code, out, err = await operated.text(*arguments)
    assert (code, part.exists()) == (0, False)
    assert str(file) in out
    assert "begun anew" in err
    assert (await operated.run("import", str(file), "--tenant", "copy"))["is_new"]


async def test_tasks_of_a_copy_come_switched_off_where_that_is_asked_for(operated: Operated) -> None:
    desk = operated.desk
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    assert task["next_at"]
    file = str(operated.folder / "main.zip")
    await operated.run("export", file, "--tenant", operated.slug)
    await operated.run("import", file, "--tenant", "on")
    await operated.run("import", file, "--tenant", "off", "--tasks", "off")
    (on,), (off,) = await operated.rows("on", "tasks"), await operated.rows("off", "tasks")
    assert (on["row"]["enabled"], on["row"]["job_id"] is None) == (True, False)
    assert (off["row"]["enabled"], off["row"]["next_at"], off["row"]["job_id"]) == (False, None, None)
    assert off["row"]["schedule"] == on["row"]["schedule"]


async def _take_along(operated: Operated, entry: dict[str, Any]) -> None:
    """One entry with what it changed, what came from one address, and everything as a file."""
    asked = ("audit", "--tenant", operated.slug)
    shown = await operated.run(*asked, "--entry", entry["id"])
    assert [(each["what"], each["before"], each["after"]) for each in shown["changes"]] == [
        ("role", "viewer", "reviewer")
    ]
    _, out, _ = await operated.text(*asked, "--entry", entry["id"])
    assert out.splitlines()[-1].split() == ["role", '"viewer"', '"reviewer"']
    assert (await operated.run(*asked, "--entry", str(new_id()), code=4))["error"]
    found = await operated.run(*asked, "--event", "member.changed", "--address", entry["address"])
    assert [each["id"] for each in found["data"]] == [entry["id"]]
    assert (await operated.run(*asked, "--address", "203.0.113.9"))["data"] == []
    for name, read in (("log.jsonl", _ids_of_lines), ("log.csv", _ids_of_table)):
        file = operated.folder / name
        assert (await operated.run(*asked, "--file", str(file)))["file"] == str(file)
        listed = (await operated.run(*asked, "--limit", "1000"))["data"]
        assert read(file) == [each["id"] for each in listed]
        assert listed[0]["name"] == "audit.exported"
        assert (await operated.run(*asked, "--file", str(file), code=3))["error"]["code"] == "file_exists"
    assert sorted(each.name for each in operated.folder.glob("log.*")) == ["log.csv", "log.jsonl"]


def _ids_of_lines(file: Path) -> list[str]:
    return [json.loads(line)["id"] for line in file.read_text().splitlines()]


def _ids_of_table(file: Path) -> list[str]:
    return [row["id"] for row in csv.DictReader(io.StringIO(file.read_text("utf-8-sig"), newline=""))]


async def test_the_audit_log_is_read_by_command(operated: Operated) -> None:
    workspace = operated.desk.workspace
    member = await workspace.make_member(Role.VIEWER)
    owner = await workspace.client()
    ok(await owner.patch(f"/api/members/{member}", json={"role": "reviewer"}))
    asked = ("audit", "--tenant", operated.slug, "--event", "member.changed")
    (entry,) = (await operated.run(*asked, "--subject", str(member)))["data"]
    assert (entry["payload"], entry["via"]) == ({"role": "reviewer", "role_before": "viewer"}, "key")
    assert entry["actor"]["id"] == str(workspace.owner_id)
    assert (await operated.run(*asked, "--actor", str(new_id())))["data"] == []
    assert (await operated.run(*asked, "--since", "2100-01-01T00:00:00Z"))["data"] == []
    whole = await operated.run("audit", "--tenant", operated.slug, "--limit", "2")
    assert (len(whole["data"]), whole["next_cursor"] is None) == (2, False)
    code, out, _ = await operated.text(*asked)
    assert code == 0
    assert out.splitlines()[0].split() == ["WHEN", "WHAT", "ABOUT", "WHO", "KEY", "FROM"]
    assert str(member) in out
    await _take_along(operated, entry)
    assert "docs/events.md" in (await operated.run(*asked[:3], "--event", "x", code=1))["error"]["message"]
    assert (await operated.run("audit", "--tenant", "nobody", code=4))["error"]
