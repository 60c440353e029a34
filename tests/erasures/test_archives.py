"""Archives and deletions: an archive has what was there, so it goes with it, and none is made of what is half gone."""

from pathlib import Path
from typing import Any

import pytest

from goldloop.archives.jobs import write
from goldloop.archives.model import ArchiveDuringErasure
from tests.archives.ground import Installation
from tests.erasures.planted import Ground, files_with
from tests.records import code, ok

WHAT = {"kind": "conversation", "project": "Support", "conversation_id": "c"}


async def say(ground: Ground) -> None:
    await ground.chats.add("c", {"turn_id": "t", "user": {"text": ground.word}, "user_id": ground.user})


async def test_an_archive_that_was_made_before_goes_with_what_is_deleted(ground: Ground) -> None:
    await say(ground)
    archive = await ground.make_archive()
    blobs = Path(ground.outside.blobs.url)
    assert files_with(blobs, ground.word) != []
    counted = ok(await ground.admin.post("/api/erasures/preview", json=WHAT))
    assert counted["goes"]["archive"] == 1
    done = await ground.erase(**WHAT)
    assert done["gone"]["archives"] == 1
    assert files_with(blobs, ground.word) == []
    assert code(await ground.admin.get(f"/api/archives/{archive['id']}/file")) == (404, "archive_not_found")


async def test_an_archive_that_is_being_written_is_stopped(ground: Ground) -> None:
    await say(ground)
    archive = ok(await ground.admin.post("/api/archives", json={}))
    done = await ground.erase(**WHAT)
    assert done["gone"]["archives"] == 1
    workspace = ground.desk.workspace
    await write(workspace.db, workspace.system, outside=ground.outside, run_id=archive["id"])
    assert files_with(Path(ground.outside.blobs.url), ground.word) == []
    assert (await ground.make_archive())["status"] == "done", "afterwards there may be others"


async def test_no_archive_is_begun_while_something_is_deleted(ground: Ground, tmp_path: Path) -> None:
    await say(ground)
    asked = await ground.ask(**WHAT)
    answer = await ground.admin.post("/api/archives", json={})
    assert code(answer) == (409, "archive_during_erasure")
    assert answer.json()["conflict"] == {"erasure_id": asked["id"]}
    here = Installation(ground.desk.workspace.db, ground.outside.blobs)
    with pytest.raises(ArchiveDuringErasure):
        await here.export(ground.desk.workspace.id, tmp_path / "file")
    await ground.work(asked)
    await here.export(ground.desk.workspace.id, tmp_path / "file")


async def test_what_retention_lets_go_leaves_archives_alone(ground: Ground) -> None:
    await ground.chats.say("c")
    archive = await ground.make_archive()
    kept: dict[str, Any] = {
        "traces_days": 90, "sessions_days": None, "conversations_days": 1, "events_days": None
    }  # fmt: skip
    ok(await ground.admin.put("/api/retention", json=kept))
    workspace = ground.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute("UPDATE conversations SET last_activity_at = last_activity_at - interval '9 days'")
    await ground.let_go()
    (batch,) = ok(await ground.admin.get("/api/erasures"))["data"]
    done = await ground.work(batch)
    assert (done["gone"]["conversations"], done["gone"].get("archives")) == (1, None)
    assert ok(await ground.admin.get(f"/api/archives/{archive['id']}"))["status"] == "done"
