"""Calls that are made at once are answered as they were recorded, whichever runtime makes them."""

import asyncio
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

from goldloop.goldens.replays import jobs
from goldloop.runtimes import python_agent
from goldloop.runtimes.purpose_service import PURPOSES
from goldloop.sessions.beginning import REPLAY
from tests.goldens.replays.played import (
    asks_model,
    at_once,
    begin,
    golden_of,
    play,
    reads_stock,
    replays_of,
    results_of,
)
from tests.goldens.tried import Tried
from tests.loops import some
from tests.records import ok
from tests.runtimes.http_agents import Connection, Received, allowing_loopback, http_agent
from tests.runtimes.scripted import Script, call, configured
from tests.runtimes.test_run_keys import keyed
from tests.sessions.recordings import event

LOOKS = [
    event("tool.call", id="0", name="getShelf", arguments={}),
    event("tool.result", id="0", result={"shelf": 4}),
]
BEFORE_AND_AFTER = [{"done": True}, {"count": 0}, {"count": 99}]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The sessions whose goldens were read."""
    found: list[Any] = []

    async def load(db: Any, outside: Any, run: Any) -> Any:
        found.append(run.session.id)
        return await jobs.load_tape(db, outside, run)

    monkeypatch.setitem(PURPOSES, REPLAY, replace(PURPOSES[REPLAY], tape=load))
    return found


async def test_of_a_model(evals: Tried, counted: list[Any]) -> None:
    golden = await golden_of(
        evals, *asks_model(), *at_once(), *asks_model(), *reads_stock("c", 99), *asks_model(),
        event("agent.message", text="99"),
    )  # fmt: skip
    run = await begin(evals, golden, repeats=4)
    both = [call("setStock", "a", count=99), call("getStock", "b")]
    await play(evals, Script([both, call("getStock", "c"), "99"]))
    replays = await replays_of(evals, run)
    for replay in some(replays):
        assert [result["result"] for result in await results_of(evals, replay)] == BEFORE_AND_AFTER
    assert len(counted) == 4, "the tape of each replay is read once"


async def gathers(run: Any) -> str:
    await run.tool("getShelf")
    await asyncio.gather(run.tool("setStock", count=99), run.tool("getStock"))
    return str((await run.tool("getStock"))["count"])


async def test_of_a_function_that_tells_of_no_model(evals: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        python_agent,
        "entry_points",
        lambda *, group: EntryPoints([EntryPoint("gathers", f"{__name__}:gathers", group)]),
    )
    golden = await golden_of(
        evals, *LOOKS, *at_once(), *reads_stock("c", 99), event("agent.message", text="99")
    )
    await configured(evals.desk.workspace, "ours", runtime="python", entry_point="gathers")
    run = await begin(evals, golden, "ours", repeats=3)
    await play(evals, evals.outside)
    replays = await replays_of(evals, run)
    for replay in some(replays):
        assert [result["result"] for result in await results_of(evals, replay)] == [
            {"shelf": 4},
            *BEFORE_AND_AFTER,
        ]
        assert replay["outcome"] == "passed"


async def test_of_an_agent_elsewhere(evals: Tried, app: Any, counted: list[Any]) -> None:
    golden = await golden_of(evals, *at_once(), *reads_stock("c", 99), event("agent.message", text="99"))
    answers: list[Any] = []

    async def agent(received: Received, to: Connection) -> None:
        async with keyed(app, received.body["tools"]["token"]) as client:
            paths = ["setStock", "getStock", "getStock"]
            bodies: list[dict[str, int]] = [{"count": 99}, {}, {}]
            answers.append(
                [ok(await client.post(f"/api/tools/{p}", json=b)) for p, b in zip(paths, bodies, strict=True)]
            )
        await to.answer({"output": "99"})

    async with http_agent(agent) as served:
        await configured(evals.desk.workspace, "elsewhere", runtime="http", url=served.url)
        run = await begin(evals, golden, "elsewhere")
        await play(evals, allowing_loopback(evals.outside))
    (replay,) = await replays_of(evals, run)
    assert answers == [[{"done": True}, {"count": 99}, {"count": 0}]], (
        "what comes after the write reads what is written"
    )
    assert [result["answered_by"] for result in await results_of(evals, replay)] == ["tape"] * 3
    assert len(counted) == 1, "the golden is not read again for each call"
