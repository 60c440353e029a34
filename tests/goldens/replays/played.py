"""Goldens that were recorded elsewhere, and replays of them by whichever agent."""

from typing import Any

from goldloop.goldens.replays import service as replays
from goldloop.goldens.runs import service as runs
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from tests.goldens.shelf import Shelf
from tests.goldens.tried import EVALS, Tried
from tests.records import ok
from tests.runtimes.scripted import Script, events_of, scripted, work
from tests.sessions.recordings import event

ASKED = event("user.message", text="How many are left?")


def asks_model() -> list[dict[str, Any]]:
    return [event("model.request", model="m", messages=[]), event("model.response", model="m")]


def reads_stock(call_id: str, count: int) -> list[dict[str, Any]]:
    return [
        event("tool.call", id=call_id, name="getStock", arguments={}),
        event("tool.result", id=call_id, result={"count": count}),
    ]


def at_once() -> list[dict[str, Any]]:
    """A write and a read of one message: the read does not see what is written."""
    return [
        event("tool.call", id="a", name="setStock", arguments={"count": 99}),
        event("tool.call", id="b", name="getStock", arguments={}),
        event("tool.result", id="a", result={"done": True}),
        event("tool.result", id="b", result={"count": 0}),
    ]


async def golden_of(evals: Tried, *events: dict[str, Any], **golden: Any) -> Any:
    shelf = Shelf(evals.desk.workspace, evals.admin)
    session = await shelf.record(ASKED, *events, type="agent")
    return await shelf.promote(session, set="stock", **golden)


async def begin(evals: Tried, golden: Any, agent: str = "clerk", **more: Any) -> Any:
    body = {"goldenSessionId": golden["sessionId"], "agent": agent, "mode": "frozen", "baseline": "none"}
    return ok(await evals.admin.post(f"{EVALS}/runs", json=body | more))


async def play(evals: Tried, outside: Outside | Script) -> None:
    """What workers do until no replay is left; by a script where one is given."""
    ports = outside if isinstance(outside, Outside) else scripted(evals.outside, outside)
    marks = MarkRunner(evals.db, evals.outside)
    for _ in range(50):
        done = await marks.drain(MARKS[runs.ADVANCE]) + await marks.drain(MARKS[replays.COMPARE])
        query: dict[str, Any] = {"status": "queued", "purpose": "replay", "limit": 200}
        queued = ok(await evals.admin.get("/api/sessions", params=query))["data"]
        for session in queued:
            await work(evals.db, evals.desk.workspace, ports, session)
        if not done and not queued:
            return
    raise AssertionError("it does not end")


async def replays_of(evals: Tried, run: Any) -> list[Any]:
    found: list[Any] = ok(await evals.admin.get(f"{EVALS}/runs/{run['id']}/replays", params={"limit": 200}))[
        "data"
    ]
    return found


async def results_of(evals: Tried, replay: Any) -> list[Any]:
    """By the ids of their calls."""
    payloads = [e["payload"] for e in await events_of(evals.admin, replay) if e["type"] == "tool.result"]
    return sorted(payloads, key=lambda payload: payload["id"])
