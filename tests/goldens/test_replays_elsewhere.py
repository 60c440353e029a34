"""Agents that run elsewhere are replayed as those that run here: what they call with the key of their run is answered from what
was recorded, whatever they write is only tried, and the key is none after the run."""

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import httpx
import pytest
import pytest_asyncio

from goldloop.client.errors import ToolFailed
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.runtimes import python_agent
from tests.factories import ROOT
from tests.goldens.shelf import Shelf
from tests.goldens.tried import EVALS, Tried
from tests.knowledge.lessons import ROWS, RULE
from tests.mcp.clients import send
from tests.records import Desk, code, ok
from tests.runtimes.http_agents import Connection, Received, allowing_loopback, http_agent
from tests.runtimes.scripted import configured, events_of
from tests.sessions.recordings import event

Step = tuple[str, dict[str, Any]]
RUNTIMES = ["http", "python"]


@dataclass
class Elsewhere:
    """An agent that takes the steps that it is told, whichever way it is called."""

    app: Any
    steps: list[Step] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    offered: set[str] = field(default_factory=set)
    prompts: list[Any] = field(default_factory=list)

    async def over_http(self, received: Received, to: Connection) -> None:
        self.tokens.append(received.body["mcp"]["token"])
        async with self.keyed(self.tokens[-1]) as client:
            listed = ok(await send(client, "tools/list"))["result"]["tools"]
            self.offered = {tool["name"] for tool in listed}
            named = {"Mcp-Name": "load_shared_context_prompt"}
            asked = {"name": named["Mcp-Name"], "arguments": {}}
            prompt = ok(await send(client, "prompts/get", asked, headers=named))["result"]
            self.prompts.append(prompt["messages"])
            for name, arguments in self.steps:
                ok(await send(client, "tools/call", {"name": name, "arguments": arguments}))
        await to.answer({"output": "It has 12 employees."})

    def keyed(self, token: str) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=ROOT, headers=headers)

    async def as_function(self, run: Any) -> str:
        for name, arguments in self.steps:
            with suppress(ToolFailed):  # it goes on, as the other does
                await run.tool(name, **arguments)
        return "It has 12 employees."


AGENT: list[Elsewhere] = []


async def function(run: Any) -> str:
    return await AGENT[-1].as_function(run)


@pytest.fixture
def agent(app: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Elsewhere]:
    def offered(*, group: str) -> EntryPoints:
        return EntryPoints([EntryPoint("ours", f"{__name__}:function", group)])

    monkeypatch.setattr(python_agent, "entry_points", offered)
    AGENT.append(Elsewhere(app))
    yield AGENT[-1]
    AGENT.clear()


@pytest_asyncio.fixture
async def served(agent: Elsewhere) -> AsyncIterator[str]:
    async with http_agent(agent.over_http) as server:
        yield server.url


@dataclass
class Case:
    evals: Tried
    agent: Elsewhere
    record: Any
    golden: Any

    async def replay(self, mode: str, *steps: Step, **more: Any) -> tuple[Any, list[dict[str, Any]]]:
        """A replay of the golden that takes these steps, and what its calls were answered."""
        self.agent.steps = list(steps)
        body = {"goldenSessionId": self.golden["sessionId"], "mode": mode, "baseline": "none", **more}
        run = ok(await self.evals.admin.post(f"{EVALS}/runs", json=body))
        await self.evals.go_on(lambda *_: "")
        (replay,) = ok(await self.evals.admin.get(f"{EVALS}/runs/{run['id']}/replays"))["data"]
        events = await events_of(self.evals.admin, replay)
        return replay, [e["payload"] for e in events if e["type"] == "tool.result"]

    def read(self) -> Step:
        return "getEntity", {"entityId": self.record["id"]}

    def write(self, employees: int) -> Step:
        return "submitResponse", {"entityId": self.record["id"], "values": {"employees": employees}}

    async def responses(self) -> list[Any]:
        path = f"/api/entities/{self.record['id']}/responses"
        return [row["values"] for row in ok(await self.evals.admin.get(path))["data"]]


@pytest_asyncio.fixture(params=RUNTIMES)
async def case(
    request: pytest.FixtureRequest,
    desk: Desk,
    worker_db: Database,
    outside: Outside,
    agent: Elsewhere,
    served: str,
) -> Case:
    """A golden of an agent that reads a record and proposes its employees."""
    where = (
        {"runtime": "http", "url": served}
        if request.param == "http"
        else {"runtime": "python", "entry_point": "ours"}
    )
    slug = await configured(desk.workspace, tool_groups=["entities-read", "responses"], **where)
    evals = Tried(desk, worker_db, allowing_loopback(outside), await desk.workspace.client(), slug)
    case = Case(evals, agent, await desk.make_record({"name": "Acme", "employees": 10}), None)
    agent.steps = [case.read(), case.write(12)]
    session = await evals.run(lambda *_: "", "Set the employees to 12")
    assert session["status"] == "completed", session["error"]
    case.golden = await evals.promote(session, floor=False)
    assert await case.responses() == [{"employees": 12}]
    await desk.edit(case.record, content={"employees": 99})  # what is read live is not what was recorded
    return case


async def test_the_same_calls_are_answered_as_they_were_and_the_replay_passes(case: Case) -> None:
    replay, results = await case.replay("frozen", case.read(), case.write(12))
    assert (replay["outcome"], replay["fidelity"], replay["error"]) == ("passed", 1, None)
    assert [result["answered_by"] for result in results] == ["tape", "tape"]
    assert results[0]["result"]["content"]["employees"] == 10
    assert await case.responses() == [{"employees": 12}], "nothing is proposed again"


@pytest.mark.parametrize(
    ("mode", "sources"),
    [
        ("frozen", ["tape", "miss", "miss", "miss", "tape"]),
        ("hybrid", ["tape", "live", "dry", "dry", "tape"]),
        ("live", ["live", "live", "dry", "dry", "dry"]),
    ],
)
async def test_every_answer_says_where_it_came_from_and_no_write_stays(
    case: Case, mode: str, sources: list[str]
) -> None:
    replay, results = await case.replay(
        mode,
        case.read(),
        ("listEntityTypes", {}),  # never recorded
        case.write(-5),  # refused, as it would be
        case.write(77),  # would have worked
        case.write(12),
    )
    assert [result["answered_by"] for result in results] == sources
    assert results[0]["result"]["content"]["employees"] == (99 if mode == "live" else 10)
    if mode == "frozen":
        missed = [(result["error"], result["nearest"]["arguments"]) for result in results[2:4]]
        assert all(error.startswith("replay_miss") for error, _ in missed)
        assert [nearest for _, nearest in missed] == [case.write(12)[1]] * 2
        assert replay["fidelity"] == 0.5
    else:
        name, arguments = case.write(-5)
        real = ok(await case.evals.desk.contributor.post(f"/api/tools/{name}", json=arguments))
        assert results[2]["error"] == real["error"]
        assert results[3]["result"]["submitted"] is True
        assert replay["outcome"] == "failed", "it would have proposed what the golden did not"
    assert await case.responses() == [{"employees": 12}]


async def test_tools_of_others_are_answered_as_they_were(case: Case) -> None:
    shelf = Shelf(case.evals.desk.workspace, case.evals.admin)
    recorded = await shelf.record(
        event("user.message", text="How warm is it?"),
        event("tool.call", id="x", name="lookUp", arguments={"city": "Paris"}),
        event("tool.result", id="x", result={"degrees": 20}),
        event("agent.message", text="It has 12 employees."),
    )
    case.golden = await shelf.promote(recorded, floor=False)
    _, results = await case.replay(
        "hybrid", ("lookUp", {"city": "Paris"}), ("lookUp", {"city": "Rome"}), agent=case.evals.agent
    )
    assert [result["answered_by"] for result in results] == ["tape", "miss"]
    assert (results[0]["result"], results[1]["nearest"]["arguments"]) == ({"degrees": 20}, {"city": "Paris"})
    if case.agent.tokens:
        assert "lookUp" in case.agent.offered


async def test_a_replay_reads_what_was_known_then(case: Case) -> None:
    admin = case.evals.admin
    ok(await admin.post(ROWS, json={"type": "correction", "content": RULE}))
    await case.replay("hybrid", case.read())
    await case.replay("hybrid", case.read(), context="live")
    if case.agent.prompts:
        _, then, now = case.agent.prompts
        assert (then, RULE in str(now)) == ([], True)


async def test_the_key_of_a_replay_opens_nothing_after_it(case: Case) -> None:
    await case.replay("hybrid", case.read())
    if case.agent.tokens:  # a function has none
        assert case.agent.offered >= {"getEntity", "submitResponse"}
        async with case.agent.keyed(case.agent.tokens[-1]) as client:
            for method in ("tools/list", "tools/call"):
                late = await send(client, method, {"name": "getEntity", "arguments": case.read()[1]})
                assert code(late) == (401, "unauthenticated")
