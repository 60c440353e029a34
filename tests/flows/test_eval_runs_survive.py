"""Eval runs outlive the workers that replay their goldens, count each replay once, and stop when they are told to."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest_asyncio

from goldloop.goldens.runs.planning import CONCURRENCY
from goldloop.kit.outside import Outside
from tests.flows.conftest import desk_on
from tests.goldens.shelf import EVALS, GOLDEN
from tests.records import Desk, ok
from tests.runtimes.openai_server import Call, Messages, Step, speaking_like_openai
from tests.runtimes.scripted import configured, events_of, kinds, start
from tests.servers import environment, eventually, open_folder
from tests.sessions.recordings import begin, event, send

KILLED_WORKER = str(Path(__file__).parent / "killed_eval_worker.py")
SECONDS = 120.0  # generous: other tests may run on the same cores
GOLDENS, REPEATS = 20, 3
REPLAYS = GOLDENS * REPEATS
FORGETS = 5  # of so many goldens the agent forgets to write in one
TOKENS = 15  # of each answer of the model


def says(messages: Messages, answered: int) -> Step:
    """Proposes the employees that it is told and says so; in some tasks it only says so."""
    *_, record, employees = next(m["content"] for m in messages if m["role"] == "user").split()
    if answered or int(employees) % FORGETS == 0:
        return f"It has {employees} employees."
    return [Call("submitResponse", "w", {"entityId": record, "values": {"employees": int(employees)}})]


async def make_goldens(desk: Desk, admin: httpx.AsyncClient, count: int) -> None:
    """Sessions that ran elsewhere, all of which wrote."""
    record = await desk.make_record({"name": "Acme"})
    for number in range(count):
        session = await begin(admin)
        arguments = {"entityId": record["id"], "values": {"employees": number}}
        story = [
            event("user.message", text=f"Set the employees of {record['id']} {number}"),
            event("tool.call", id="w", name="submitResponse", arguments=arguments),
            event("tool.result", id="w", result={"submitted": True}),
            event("agent.message", text=f"It has {number} employees."),
        ]
        ok(await send(admin, session, story))
        ok(await admin.post(f"/api/sessions/{session['id']}/end", json={"status": "completed"}))
        body = {"sessionId": session["id"], "set": "clerk", "floor": False}
        ok(await admin.post(GOLDEN, json=body))


async def run_set(admin: httpx.AsyncClient, agent: str, repeats: int) -> Any:
    body = {"setName": "clerk", "agents": [{"agent": agent}], "baseline": "none", "repeats": repeats}
    return ok(await admin.post(f"{EVALS}/runs/set", json=body))


async def show(admin: httpx.AsyncClient, run: Any) -> Any:
    return ok(await admin.get(f"{EVALS}/runs/{run['id']}"))


class Workers:
    """Those of `killed_eval_worker.py`, any number at once."""

    def __init__(self, program: asyncio.subprocess.Process) -> None:
        self.program = program
        self.codes: dict[int, int | None] = {}
        self._reader = asyncio.create_task(self._read())

    async def start(self, *asked: dict[str, Any]) -> list[int]:
        """Returns their process ids."""
        assert self.program.stdin is not None
        before = set(self.codes)
        self.program.stdin.write(b"".join(json.dumps(each).encode() + b"\n" for each in asked))

        async def started() -> list[int] | None:
            new = sorted(set(self.codes) - before)
            return new if len(new) == len(asked) else None

        pids: list[int] = await eventually(started, SECONDS)
        return pids

    async def ended(self, pids: list[int]) -> list[int | None]:
        async def over() -> bool:
            return all(self.codes[pid] is not None for pid in pids)

        await eventually(over, SECONDS)
        return [self.codes[pid] for pid in pids]

    async def kill(self) -> None:
        alive = [pid for pid, code in self.codes.items() if code is None]
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        await self.ended(alive)

    async def _read(self) -> None:
        assert self.program.stdout is not None
        while line := await self.program.stdout.readline():
            told = json.loads(line)
            if "pid" in told:
                self.codes.setdefault(told["pid"], None)
            else:
                self.codes[told["ended"]] = told["code"]


@pytest_asyncio.fixture(scope="module")
async def workers(module_database_url: str) -> AsyncIterator[Workers]:
    extra = {"GOLDLOOP_DATABASE_URL": module_database_url, "GOLDLOOP_ALLOWED_HOSTS": "127.0.0.1"}
    with open_folder() as folder, (folder / "log.txt").open("wb") as log:
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, KILLED_WORKER),
            cwd=folder,
            env=environment(extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        them = Workers(program)
        try:
            yield them
        finally:
            assert program.stdin is not None
            await them.kill()
            program.stdin.close()
            await program.wait()


async def test_a_run_whose_workers_are_killed_counts_each_replay_once(
    workers: Workers, module_database_url: str, outside: Outside
) -> None:
    with speaking_like_openai(says) as model:
        async with desk_on(module_database_url, outside) as desk:
            admin = await desk.workspace.client()
            agent = await configured(
                desk.workspace, model="openai:scripted", base_url=model.url, tool_groups=["responses"]
            )
            await make_goldens(desk, admin, GOLDENS)
            run = await run_set(admin, agent, REPEATS)
            killed = [-signal.SIGKILL] * 2
            # Both of a pair die at the same kind of moment: whatever the first one leaves is the second one's to come to.
            for pair in (
                [{"dies": "running", "after": 30}] * 2,
                [{"dies": "counting", "after": 5}, {"dies": "counted", "after": 5}],
                [{"dies": "ending", "after": 1}] * 2,
            ):
                assert (await show(admin, run))["status"] == "running"
                assert await workers.ended(await workers.start(*pair)) == killed
            assert (await show(admin, run))["done"] == REPLAYS, "it was killed while it ended"
            await workers.start({}, {})
            await eventually(partial(_is_over, admin, run), SECONDS)
            await workers.kill()
            await _check(desk, admin, run)


LESSONS = ("Propose what you are told.", "Greet politely.", "Use short sentences.", "Name your source.")


def says_as_taught(messages: Messages, answered: int) -> Step:
    """Proposes the employees that it is told where its prompt says so."""
    taught = any(LESSONS[0] in str(message["content"]) for message in messages if message["role"] != "user")
    *_, record, employees = next(m["content"] for m in messages if m["role"] == "user").split()
    if answered or not taught:
        return f"It has {employees} employees."
    return [Call("submitResponse", "w", {"entityId": record, "values": {"employees": int(employees)}})]


async def test_an_experiment_whose_workers_are_killed_finds_the_lesson_that_helps(
    workers: Workers, module_database_url: str, outside: Outside
) -> None:
    with speaking_like_openai(says_as_taught) as model:
        async with desk_on(module_database_url, outside) as desk:
            admin = await desk.workspace.client()
            agent = await configured(
                desk.workspace, model="openai:scripted", base_url=model.url, tool_groups=["responses"]
            )
            await make_goldens(desk, admin, 6)
            for lesson in LESSONS:
                body: dict[str, Any] = {"type": "lesson", "content": lesson, "active": False}
                ok(await admin.post("/api/admin/shared-context", json=body))
            body = {"setName": "clerk", "agent": agent, "replays": 48, "pairs": 8}
            begun = ok(await admin.post(f"{EVALS}/experiments", json=body))
            killed = [-signal.SIGKILL] * 2
            assert await workers.ended(await workers.start(*[{"dies": "running", "after": 30}] * 2)) == killed
            assert (
                await workers.ended(await workers.start(*[{"dies": "measuring", "after": 1}] * 2)) == killed
            )
            await workers.start({}, {})

            async def over() -> Any:
                found = ok(await admin.get(f"{EVALS}/experiments/{begun['id']}"))
                return found if found["status"] == "completed" else None

            found = await eventually(over, SECONDS)
            await workers.kill()
            assert (found["done"], found["replays"], found["errors"]) == (64, 64, 0)
            labels = {row["content"]: (row["label"], row["confirmed"]) for row in found["results"]}
            assert labels.pop(LESSONS[0]) == ("measured", True)
            assert set(labels.values()) == {("no effect found", False)}
            rows = ok(await admin.get("/api/admin/shared-context"))["data"]
            assert {row["content"]: row["flags"] for row in rows} == {
                lesson: ["helps"] if lesson == LESSONS[0] else [] for lesson in LESSONS
            }
            assert ok(await admin.get("/api/feedback"))["data"] == []


async def _is_over(admin: httpx.AsyncClient, run: Any) -> bool:
    return bool((await show(admin, run))["status"] != "running")


async def _check(desk: Desk, admin: httpx.AsyncClient, run: Any) -> None:
    ended = await show(admin, run)
    forgotten = REPLAYS // FORGETS
    assert (ended["status"], ended["done"], ended["errors"]) == ("completed", REPLAYS, 0)
    assert (ended["passed"], ended["failed"]) == (REPLAYS - forgotten, forgotten)
    replays = ok(await admin.get(f"{EVALS}/runs/{run['id']}/replays", params={"limit": 200}))["data"]
    assert {replay["state"] for replay in replays} == {"compared"}
    assert Counter(replay["goldenId"] for replay in replays) == Counter(
        {golden["goldenId"]: REPEATS for golden in ended["reports"][0]["goldens"]}
    )
    params: dict[str, Any] = {"purpose": "replay", "limit": 200}
    sessions = {row["id"]: row for row in ok(await admin.get("/api/sessions", params=params))["data"]}
    assert set(sessions) == {replay["id"] for replay in replays}
    assert len(replays) == REPLAYS
    for replay in replays:
        session, wrote = sessions[replay["id"]], replay["outcome"] == "passed"
        seen = Counter(kinds(await events_of(admin, session)))
        assert session["status"] == "completed"
        assert (seen["session.completed"], seen["tool.call"], seen["tool.result"]) == (1, wrote, wrote)
        assert seen["model.response"] == 1 + wrote
        assert replay["tokens"] == session["input_tokens"] + session["output_tokens"] == TOKENS * (1 + wrote)
    feedback = ok(await admin.get("/api/feedback", params={"limit": 200}))["data"]
    assert Counter(row["session_id"] for row in feedback) == Counter(
        replay["id"] for replay in replays if replay["outcome"] == "failed"
    )
    assert ok(await desk.reviewer.get("/api/responses"))["data"] == []


async def test_a_run_that_is_cancelled_stops_its_sessions_and_asks_no_model_again(
    workers: Workers, module_database_url: str, outside: Outside
) -> None:
    with speaking_like_openai(says, holds=True) as model, speaking_like_openai(lambda *_: "Fine.") as other:
        async with desk_on(module_database_url, outside) as desk:
            admin = await desk.workspace.client()
            agent = await configured(desk.workspace, model="openai:scripted", base_url=model.url)
            quick = await configured(desk.workspace, "quick", model="openai:scripted", base_url=other.url)
            await make_goldens(desk, admin, 2)
            run = await run_set(admin, agent, CONCURRENCY)
            await workers.start({}, {})

            async def asked() -> bool:
                return len(model.asked) == CONCURRENCY

            await eventually(asked, SECONDS)
            cancelled = ok(await admin.post(f"{EVALS}/runs/{run['id']}/cancel"))
            assert (cancelled["status"], cancelled["stopped"], cancelled["done"]) == (
                *("cancelled", "cancelled"),
                0,
            )
            replays = ok(await admin.get(f"{EVALS}/runs/{run['id']}/replays"))["data"]
            assert [replay["state"] for replay in replays] == ["cancelled"] * 2 * CONCURRENCY
            params = {"purpose": "replay"}
            sessions = ok(await admin.get("/api/sessions", params=params))["data"]
            assert [session["status"] for session in sessions] == ["cancelled"] * CONCURRENCY
            assert await asyncio.to_thread(model.left.wait, SECONDS), "the connection to the model is closed"
            session = await start(admin, quick)  # workers go on with what else there is
            await eventually(partial(_completed, admin, session), SECONDS)
            await workers.kill()
            assert len(model.asked) == CONCURRENCY
            assert ok(await admin.get("/api/feedback"))["data"] == []


async def _completed(admin: httpx.AsyncClient, session: Any) -> bool:
    return bool(ok(await admin.get(f"/api/sessions/{session['id']}"))["status"] == "completed")
