"""Runs of agents outlive the processes that they run in, and stop when they are told to, wherever they run."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from goldloop.kit.outside import Outside
from tests.flows.conftest import desk_on
from tests.records import Desk, ok
from tests.runtimes.http_agents import Connection, Received, http_agent
from tests.runtimes.openai_server import Call, Messages, Step, speaking_like_openai
from tests.runtimes.scripted import configured, events_of, kinds, show, start
from tests.servers import environment, eventually, open_folder

KILLED_WORKER = str(Path(__file__).parent / "killed_worker.py")
SECONDS = 120.0  # generous: other tests may run on the same cores
WRITES = 3  # responses of each run


def says(messages: Messages, answered: int) -> Step:
    """Reads, writes twice at once, writes again under an id that was used, and tells how many results it got."""
    (record,) = re.findall(r"[0-9a-f-]{36}", messages[0]["content"])

    def submit(call_id: str, **values: Any) -> Call:
        return Call("submitResponse", call_id, {"entityId": record, "values": values})

    steps: list[Step] = [
        [Call("getEntity", "r", {"entityId": record})],
        [submit("a", employees=12), submit("b", stage="seed")],
        [submit("a", active="true")],
        f"{sum(message['role'] == 'tool' for message in messages)} results",
    ]
    return steps[min(answered, len(steps) - 1)]


class Workers:
    """The workers of `killed_worker.py`, one after the other."""

    def __init__(self, program: asyncio.subprocess.Process) -> None:
        self.program = program

    async def work(self, session: str | None, commits: int = 0, *, within: bool = False) -> int:
        """Starts a worker; returns its process id."""
        assert self.program.stdin is not None
        asked = {"session": session, "commits": commits, "within": within}
        self.program.stdin.write(json.dumps(asked).encode() + b"\n")
        return int((await self._line("pid"))["pid"])

    async def ended(self) -> int:
        return int((await self._line("ended"))["ended"])

    async def _line(self, key: str) -> dict[str, Any]:
        assert self.program.stdout is not None
        while True:
            line = json.loads(await asyncio.wait_for(self.program.stdout.readline(), SECONDS))
            if key in line:  # else a worker that says hello
                return dict(line)


@asynccontextmanager
async def workers(url: str, folder: Path) -> AsyncIterator[Workers]:
    extra = {"GOLDLOOP_DATABASE_URL": url, "GOLDLOOP_ALLOWED_HOSTS": "127.0.0.1"}
    with (folder / "log.txt").open("wb") as log:
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, KILLED_WORKER),
            cwd=folder,
            env=environment(extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    try:
        yield Workers(program)
    finally:
        assert program.stdin is not None
        program.stdin.close()
        await program.wait()


async def test_a_run_whose_worker_is_killed_at_any_event_ends_right_and_does_nothing_twice(
    fresh_database_url: str, outside: Outside
) -> None:
    with open_folder() as folder, speaking_like_openai(says) as model:
        async with desk_on(fresh_database_url, outside) as desk, workers(fresh_database_url, folder) as them:
            agent = await configured(
                desk.workspace,
                model="openai:scripted",
                base_url=model.url,
                tool_groups=["entities-read", "responses"],
            )
            sessions: dict[str, str] = {}  # and their records

            async def kill(commits: int, *, within: bool) -> tuple[str, int]:
                record = await desk.make_record({"name": f"Acme {commits} {within}"})
                session = await start(desk.contributor, agent, f"Look at {record['id']}")
                sessions[session["id"]] = record["id"]
                await them.work(session["id"], commits, within=within)
                return session["id"], await them.ended()

            number, ended = 0, -signal.SIGKILL
            while ended == -signal.SIGKILL:  # until a run is over before its worker is killed
                number += 1
                session_id, ended = await kill(number, within=False)
            assert ended == 0
            seen = kinds(await events_of(desk.contributor, {"id": session_id}))
            assert number > seen.count("tool.result") + seen.count("model.response"), "it was killed at each"
            for commits in range(1, WRITES + 2):  # each write, and the end
                assert (await kill(commits, within=True))[1] == -signal.SIGKILL

            last = await them.work(None)
            for session_id in sessions:
                await eventually(partial(_is_over, desk, session_id), SECONDS)
            os.kill(last, signal.SIGTERM)
            await them.ended()
            for session_id, record_id in sessions.items():
                await _check(desk, session_id, record_id)


async def _is_over(desk: Desk, session_id: str) -> bool:
    return (await show(desk.contributor, session_id))["status"] in ("completed", "failed", "cancelled")


async def _check(desk: Desk, session_id: str, record_id: str) -> None:
    session = await show(desk.contributor, session_id)
    assert (session["status"], session["output"]) == ("completed", "4 results"), session["error"]
    events = await events_of(desk.contributor, session)
    counted = {kind: kinds(events).count(kind) for kind in set(kinds(events))}
    assert (counted["tool.call"], counted["tool.result"]) == (4, 4)
    assert (counted["response.submitted"], counted["session.completed"]) == (WRITES, 1)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    responses = ok(await desk.reviewer.get(f"/api/entities/{record_id}/responses"))["data"]
    assert len(responses) == WRITES
    submitted = {e["payload"]["response_id"] for e in events if e["type"] == "response.submitted"}
    assert submitted == {response["id"] for response in responses}


async def test_runs_that_hang_keep_no_other_waiting_and_a_cancel_in_another_process_ends_them(
    apart: tuple[Desk, httpx.AsyncClient],
) -> None:
    desk, client = apart
    left = asyncio.Event()

    async def hang(_: Received, to: Connection) -> None:
        await to.begin_stream()
        await to.event("agent.message", text="I begin.")
        await to.closed()
        left.set()

    with speaking_like_openai(says, holds=True) as hanging, speaking_like_openai(lambda *_: "Fine.") as quick:
        async with http_agent(hang) as elsewhere:
            models = {"hanging": hanging.url, "quick": quick.url}
            for slug, url in models.items():
                await configured(desk.workspace, slug, model="openai:scripted", base_url=url)
            await configured(desk.workspace, "elsewhere", runtime="http", url=elsewhere.url)
            stuck = [await start(client, slug) for slug in ("hanging", "elsewhere")]
            for session, event in zip(stuck, ("model.request", "agent.message"), strict=True):
                await eventually(partial(_last_is, client, session, event), SECONDS)
            other = await start(client, "quick")
            await eventually(partial(_is_over, desk, other["id"]), SECONDS)
            assert (await show(client, other["id"]))["output"] == "Fine."

            for session in stuck:
                cancelled = ok(await client.post(f"/api/sessions/{session['id']}/cancel"))
                assert cancelled["status"] == "cancelled"
            assert await asyncio.to_thread(hanging.left.wait, SECONDS), (
                "the connection to the model is closed"
            )
            await asyncio.wait_for(left.wait(), SECONDS)
    for session in stuck:
        assert kinds(await events_of(client, session))[-1] == "session.cancelled"
        jobs = ok(await client.get("/api/jobs", params={"status": "failed"}))["data"]
        assert jobs == []


async def _last_is(client: httpx.AsyncClient, session: dict[str, Any], kind: str) -> bool:
    return kinds(await events_of(client, session))[-1] == kind
