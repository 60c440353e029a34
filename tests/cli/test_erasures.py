"""`goldloop erase` as commands: asked for by an operator, confirmed, followed, and done anew after an older backup came back."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from goldloop.erasures.jobs import erase
from goldloop.kit.outside import Outside
from tests.erasures.planted import Ground, make_ground
from tests.flows.conftest import desk_on
from tests.servers import Commands


@pytest_asyncio.fixture
async def ground(fresh_database_url: str, outside: Outside) -> AsyncIterator[Ground]:
    async with desk_on(fresh_database_url, outside) as desk:
        yield await make_ground(desk, outside)


class Operator:
    def __init__(self, commands: Commands, url: str, folder: Path) -> None:
        self.commands, self.extra, self.folder = commands, {"GOLDLOOP_DATABASE_URL": url}, folder

    async def run(self, *arguments: str) -> tuple[int, Any]:
        code, out, err = await self.commands.run(
            "erase", *arguments, "--json", folder=self.folder, extra=self.extra
        )
        text = out.strip() or err.strip().splitlines()[-1]
        return code, json.loads(text) if text.startswith("{") else text

    async def ok(self, *arguments: str) -> Any:
        code, answer = await self.run(*arguments)
        assert code == 0, answer
        return answer


@pytest_asyncio.fixture
async def operator(ground: Ground, fresh_database_url: str, tmp_path: Path) -> AsyncIterator[Operator]:
    async with Commands() as commands:
        yield Operator(commands, fresh_database_url, tmp_path)


async def work(ground: Ground, erasure: Any) -> None:
    workspace = ground.desk.workspace
    await erase(workspace.db, workspace.system, ground.outside, run_id=erasure["id"])


async def test_an_operator_deletes_follows_and_deletes_anew_what_came_back(
    ground: Ground, operator: Operator, tmp_path: Path
) -> None:
    tenant = ("--tenant", ground.desk.workspace.slug)
    said = {"user": {"text": ground.word}, "user_id": ground.user}
    await ground.chats.add("c", {"turn_id": "t", **said})
    record = await ground.desk.make_record()
    counted = await operator.ok("end-user", ground.user, *tenant, "--dry-run")
    assert counted["goes"] == {"conversation": 1, "end_user": 1}
    code, refused = await operator.run("end-user", ground.user, *tenant)
    assert code != 0
    assert "--yes" in str(refused), "nobody is there to confirm it"
    code, _ = await operator.run("end-user", "nobody", *tenant, "--yes")
    assert code != 0
    code, _ = await operator.run("record", "no-id", *tenant, "--yes")
    assert code != 0
    asked = await operator.ok("end-user", ground.user, *tenant, "--yes")
    assert asked["status"] == "queued"
    await work(ground, asked)
    await work(ground, await operator.ok("record", record["id"], *tenant, "--yes"))
    (other, listed) = (await operator.ok("list", *tenant))["erasures"]
    assert (other["kind"], listed["id"], listed["status"]) == ("record", asked["id"], "done")
    shown = await operator.ok("show", asked["id"], *tenant)
    assert (shown["gone"]["conversations"], shown["subject"]) == (1, None)

    # The list names nobody, and what the database knows to be deleted is new when it comes.
    file = str(tmp_path / "deleted.jsonl")
    assert (await operator.ok("export", file))["erasures"] == 2
    assert ground.user not in Path(file).read_text()
    await ground.chats.add("c", {"turn_id": "t", **said})
    assert (await operator.ok("again", file))["erasures"] == []

    # As if an older backup had been restored, which has the person and not the erasure.
    async with ground.desk.workspace.db.in_role("goldloop_eraser").tx(ground.desk.workspace.system) as tx:
        await tx.execute("UPDATE erasures SET ended_at = NULL")
        await tx.execute(f"SET LOCAL app.erasure = '{asked['id']}'")
        await tx.execute("DELETE FROM runs WHERE kind = 'erasure'")
    assert len((await operator.ok("again", file, "--dry-run"))["erasures"]) == 1
    assert (await operator.ok("list", *tenant))["erasures"] == []
    (found,) = (await operator.ok("again", file))["erasures"]
    assert found == {
        "workspace": ground.desk.workspace.slug, "kind": "end_user", "fingerprint": asked["fingerprint"]
    }  # fmt: skip
    (anew,) = (await operator.ok("list", *tenant))["erasures"]
    await work(ground, anew)
    assert await ground.rows("SELECT id FROM conversations") == []
    code, _ = await operator.run("again", str(tmp_path / "none"))
    assert code != 0


async def test_an_operator_deletes_a_workspace(ground: Ground, operator: Operator, tmp_path: Path) -> None:
    slug = ground.desk.workspace.slug
    asked = await operator.ok("workspace", "--tenant", slug, "--yes")
    await work(ground, asked)
    (gone,) = (await operator.ok("workspaces"))["workspaces"]
    assert (gone["slug"], gone["gone"]["tenants"]) == (slug, 1)
    file = str(tmp_path / "deleted.jsonl")
    assert (await operator.ok("export", file))["erasures"] == 1
    assert (await operator.ok("again", file))["erasures"] == []
    code, _ = await operator.run("list", "--tenant", slug)
    assert code != 0
