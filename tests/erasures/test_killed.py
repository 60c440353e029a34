"""Erasures whose worker is killed: at each kind of step in this process, and as a process of its own by SIGKILL."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from goldloop.archives import parts as archive_parts
from goldloop.erasures import row_store, trace_store, workspace_store
from goldloop.erasures.jobs import erase
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.sessions.payloads import LARGE
from goldloop.tenants.model import Role
from tests.erasures.planted import Ground, files_with, make_ground, tables_with
from tests.flows.conftest import desk_on
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import request
from tests.records import ok
from tests.servers import environment, eventually
from tests.sessions.recordings import begin, event, send

KILLED_WORKER = str(Path(__file__).with_name("killed_worker.py"))
SECONDS = 120


class Killed(Exception):
    """Where the process ends."""


async def fill(ground: Ground) -> None:
    """Something of each kind of place: rows, files, packed bodies, words, an archive, the log and the queue."""
    word, user = ground.word, ground.user
    turned = {"turn_id": "t", "user": {"text": word}, "user_id": user, "turn_log": {"a": word}}
    await ground.chats.add("c", turned)
    await ground.chats.catch_up("blobs.write")
    session = await begin(ground.admin, metadata={"user_id": user}, external_id=f"s-{word}")
    large = event("tool.result", id="c", result={"text": f"{word} " * (LARGE // 10)})
    ok(await send(ground.admin, session, [event("user.message", text=word), large]))
    emitter = Emitter(ground.desk.workspace, ground.admin, ground.outside)
    number = int(new_id().hex[-8:], 16) % 1_000_000
    ok(await emitter.send(request(*turn(number, word, word, session=f"o-{word}", user__id=user))))
    await emitter.work()
    await ground.make_archive()


@pytest.mark.parametrize(
    ("module", "step"),
    [
        (trace_store, "replace_body"),
        (trace_store, "erase_traces"),
        (row_store, "scrub_sessions"),
        (row_store, "scrub_notes"),
        (archive_parts, "remove"),
        (row_store, "is_blob_used"),
        (row_store, "scrub_events"),
        (row_store, "scrub_queue"),
    ],
)
async def test_killed_at_traces_files_the_log_or_the_queue_it_goes_on(
    ground: Ground,
    data_dir: Path,
    database_url: str,
    module: Any,
    step: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await fill(ground)
    asked = await ground.ask(kind="end_user", user_id=ground.user)
    whole = getattr(module, step)

    async def dies(*arguments: Any, **named: Any) -> Any:
        await whole(*arguments, **named)
        raise Killed  # before the commit: as if the process had ended

    monkeypatch.setattr(module, step, dies)
    with pytest.raises(Killed):
        await ground.work(asked)
    monkeypatch.undo()
    done = await ground.work(asked)
    assert (done["status"], done["gone"]["conversations"], done["gone"]["sessions"]) == ("done", 2, 2)
    assert done["gone"]["otel_batches"] == 1
    assert await tables_with(data_dir, database_url, ground.word, ground.user) == {}
    assert files_with(Path(ground.outside.blobs.url), ground.word) == []


@pytest.mark.parametrize("table", ["sessions", "conversations", "entities"])
async def test_a_workspace_whose_deletion_is_killed_goes_all_the_same(
    ground: Ground, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(ground)
    workspace = ground.desk.workspace
    owner = await workspace.client(Role.OWNER)
    asked = ok(await owner.post("/api/erasures", json={"kind": "workspace", "confirm": workspace.slug}))
    whole = workspace_store.erase_rows

    async def dies(tx: Any, name: str, limit: int) -> int:
        count = await whole(tx, name, limit)
        if name == table:
            raise Killed
        return count

    monkeypatch.setattr(workspace_store, "erase_rows", dies)
    with pytest.raises(Killed):
        await erase(workspace.db, workspace.system, ground.outside, run_id=asked["id"])
    monkeypatch.undo()
    await erase(workspace.db, workspace.system, ground.outside, run_id=asked["id"])
    gone = await workspace_store.list_erased_workspaces(workspace.db, 100)
    assert [each.gone["conversations"] for each in gone if each.workspace_id == workspace.id] == [2]
    assert files_with(Path(ground.outside.blobs.url), ground.word) == []


async def test_workers_that_are_killed_by_the_system_leave_nothing_undone(
    fresh_database_url: str, data_dir: Path, outside: Outside, tmp_path: Path
) -> None:
    extra = {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_BLOB_URL": outside.blobs.url}

    def start(how: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, KILLED_WORKER, how],
            cwd=tmp_path,
            env=environment(extra),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    async def killed(how: str) -> None:
        process = start(how)
        try:
            assert await asyncio.to_thread(process.wait, SECONDS) == -signal.SIGKILL
        finally:
            process.kill()

    async with desk_on(fresh_database_url, outside) as desk:
        ground = await make_ground(desk, outside)
        await fill(ground)
        asked = await ground.ask(kind="end_user", user_id=ground.user)
        await killed("steps")
        half = ok(await ground.admin.get(f"/api/erasures/{asked['id']}"))
        assert (half["status"], half["gone"]["sessions"]) == ("running", 2)
        last = start("none")
        try:

            async def over() -> bool:
                shown = ok(await ground.admin.get(f"/api/erasures/{asked['id']}"))
                return bool(shown["status"] == "done")

            await eventually(over, SECONDS)
            last.terminate()
            await asyncio.to_thread(last.wait, SECONDS)
            left = await ground.rows("SELECT kind, key, leased_until, last_error FROM marks")
            assert await tables_with(data_dir, fresh_database_url, ground.word, ground.user) == {}, left
            assert files_with(Path(outside.blobs.url), ground.word) == []

            await ground.chats.say("again")
            owner = await desk.workspace.client(Role.OWNER)
            body = {"kind": "workspace", "confirm": desk.workspace.slug}
            ok(await owner.post("/api/erasures", json=body))
            await killed("tables")
            last = start("none")

            async def gone() -> bool:
                listed = await workspace_store.list_erased_workspaces(desk.workspace.db, 10)
                return [each.workspace_id for each in listed] == [desk.workspace.id]

            await eventually(gone, SECONDS)
        finally:
            last.terminate()
            await asyncio.to_thread(last.wait, SECONDS)
