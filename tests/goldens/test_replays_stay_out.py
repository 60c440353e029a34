"""What is counted and listed of the workspace's work does not know replays: not even those that fail."""

from typing import Any

import pytest
import pytest_asyncio
from pydantic_ai.messages import ToolCallPart

from goldloop.exports.service import EXPORT
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from tests.goldens.tried import EVALS, Tried, tried
from tests.knowledge.lessons import ROWS, RULE
from tests.records import Desk, ok
from tests.runtimes.scripted import call

# What a person reads, by what it is called; of a list, its rows.
READ = {
    "agents": "/api/agents/overview",
    "inbox": "/api/inbox",
    "sessions": "/api/sessions",
    "sessions of the agent": "/api/sessions?agent={agent}",
    "sessions about the record": "/api/sessions?entity_id={record}",
    "failed sessions": "/api/sessions?status=failed",
    "sessions of a type": "/api/sessions?type={type}",
    "sessions to look at": "/api/sessions?waits_for=look",
    "sessions by words": "/api/sessions?q=employees",
    "conversations": "/api/conversations/satisfaction?start=2026-01-01T00:00:00Z&end=2100-01-01T00:00:00Z",
    "feedback": "/api/feedback",
    "feedback in time": "/api/feedback/counts",
    "groups of feedback": "/api/feedback/groups",
    "quality loop": "/api/feedback/quality-loop",
    "candidates": f"{EVALS}/candidates",
    "knowledge": ROWS,
    "knowledge of a row": f"{ROWS}/{{row}}",
    "sessions that had a row": f"{ROWS}/{{row}}/sessions",
    "responses": "/api/responses",
    "record": "/api/entities/{record}",
    "failed jobs": "/api/jobs?status=failed",
}


class Ended(Exception):
    """What a model's own library raises."""


def clerk(_: str, message: str, results: list[Any]) -> str | ToolCallPart:
    entity = message.split()[-1]
    if not results:
        return call("submitResponse", "write", entityId=entity, values={"employees": 12})
    return "It has 12 employees."


def broken(*_: Any) -> str | ToolCallPart:
    raise Ended("there is no model any more")


def endless(_: str, message: str, results: list[Any]) -> str | ToolCallPart:
    return call("listEntityTypes", f"again {len(results)}")


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)


async def read_all(evals: Tried, **named: str) -> dict[str, Any]:
    found = {name: ok(await evals.admin.get(path.format(**named))) for name, path in READ.items()}
    jobs = ok(await evals.admin.get("/api/jobs", params={"limit": 200}))["data"]
    return {**found, "evaluations that are sent": sum(job["name"] == EXPORT for job in jobs)}


@pytest.mark.parametrize(
    ("fails", "outcome", "changed"),
    [
        (broken, "error", set()),
        (endless, "failed", {"feedback", "feedback in time"}),  # one row of its run, which a person is to see
    ],
)
@pytest.mark.parametrize("context", ["snapshot", "live"])
async def test_a_replay_that_fails_leaves_every_number_as_it_was(
    evals: Tried, fails: Any, outcome: str, changed: set[str], context: str
) -> None:
    desk, admin = evals.desk, evals.admin
    ok(await admin.put("/api/exports/otlp", json={"url": "https://93.184.215.14/v1/logs"}))
    row = ok(await admin.post(ROWS, json={"type": "correction", "content": RULE}))
    record = await desk.make_record({"name": "Acme"})
    session = await evals.run(clerk, f"Set the employees of {record['id']}", entity_id=record["id"])
    golden = await evals.promote(session, floor=False)
    named = {"agent": evals.agent, "record": record["id"], "row": row["id"], "type": session["type"]}
    before = await read_all(evals, **named)
    assert before["sessions that had a row"]["data"], "the session had the row in its prompt"

    body = {"goldenSessionId": golden["sessionId"], "baseline": "none", "context": context}
    run = ok(await admin.post(f"{EVALS}/runs", json=body))
    await evals.go_on(fails)
    (replay,) = ok(await admin.get(f"{EVALS}/runs/{run['id']}/replays"))["data"]
    assert replay["outcome"] == outcome, replay["error"]
    assert ok(await admin.get(f"/api/sessions/{replay['id']}"))["status"] == "failed"
    after = await read_all(evals, **named)
    assert {name for name in after if before[name] != after[name]} == changed
