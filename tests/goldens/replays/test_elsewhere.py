"""Replays by agents elsewhere: what they are offered and told over HTTP and MCP is what the golden had."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from tests.goldens.replays.played import begin, golden_of, play, reads_stock, replays_of, results_of
from tests.goldens.tried import Tried
from tests.records import code, ok
from tests.runtimes.http_agents import Connection, Received, allowing_loopback, http_agent
from tests.runtimes.scripted import configured
from tests.runtimes.test_run_keys import keyed
from tests.sessions.recordings import event

MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
Act = Callable[[httpx.AsyncClient, Any], Awaitable[None]]


async def replayed(evals: Tried, app: Any, golden: Any, act: Act, **more: Any) -> Any:
    """A replay by an agent elsewhere that does `act` with its key and what it was sent."""
    raised: list[BaseException] = []

    async def agent(received: Received, to: Connection) -> None:
        try:
            async with keyed(app, received.body["tools"]["token"]) as client:
                await act(client, received.body)
        except BaseException as error:
            raised.append(error)
        await to.answer({"output": "5"})

    async with http_agent(agent) as served:
        url, groups = served.url, ["entities-read"]
        await configured(evals.desk.workspace, "elsewhere", runtime="http", url=url, tool_groups=groups)
        run = await begin(evals, golden, "elsewhere", **more)
        await play(evals, allowing_loopback(evals.outside))
    if raised:
        raise raised[0]
    (replay,) = await replays_of(evals, run)
    return replay


async def ask_mcp(client: httpx.AsyncClient, method: str, **params: Any) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return ok(await client.post("/mcp", headers=MCP, json=body))["result"]


async def test_a_tool_that_is_not_ours_is_offered_and_answered_from_its_recordings(
    evals: Tried, app: Any
) -> None:
    golden = await golden_of(
        evals,
        *reads_stock("a", 5),
        event("tool.call", id="b", name="getShelf", arguments={}),
        event("tool.result", id="b", result=4),
        event("agent.message", text="5"),
    )

    async def act(client: httpx.AsyncClient, body: Any) -> None:
        listed = {tool["name"]: tool for tool in ok(await client.get("/api/tools"))["data"]}
        assert listed["getStock"]["group"] == "recorded"
        assert listed["getEntity"]["group"] == "entities-read"
        assert ok(await client.post("/api/tools/getStock", json={})) == {"count": 5}
        assert ok(await client.post("/api/tools/getShelf", json={})) == 4
        assert code(await client.post("/api/tools/getNothing", json={})) == (404, "tool_not_found")
        tools = (await ask_mcp(client, "tools/list"))["tools"]
        assert "getStock" in [tool["name"] for tool in tools]
        stock = await ask_mcp(client, "tools/call", name="getStock", arguments={})
        assert (stock["isError"], stock["structuredContent"]) == (False, {"count": 5})
        shelf = await ask_mcp(client, "tools/call", name="getShelf", arguments={})
        assert (shelf["isError"], shelf["content"][0]["text"]) == (False, "4")
        nothing = await ask_mcp(client, "tools/call", name="getNothing", arguments={})
        assert nothing["isError"]

    replay = await replayed(evals, app, golden, act)
    assert replay["outcome"] == "passed"
    assert [result["answered_by"] for result in await results_of(evals, replay)] == ["tape"] * 4


async def test_a_key_of_no_replay_has_no_recorded_tools(evals: Tried) -> None:
    assert code(await evals.admin.post("/api/tools/getStock", json={})) == (404, "tool_not_found")


async def learn(evals: Tried) -> None:
    row = {"type": "lesson", "content": "Always say please"}
    ok(await evals.admin.post("/api/admin/shared-context", json=row))


async def read_prompt(client: httpx.AsyncClient) -> str:
    found = await ask_mcp(client, "prompts/get", name="load_shared_context_prompt", arguments={})
    return "".join(message["content"]["text"] for message in found["messages"])


async def test_a_replay_knows_over_mcp_what_was_known_when_its_golden_was_made(
    evals: Tried, app: Any
) -> None:
    golden = await golden_of(evals, event("agent.message", text="5"))
    await learn(evals)
    seen: list[str] = []

    async def act(client: httpx.AsyncClient, body: Any) -> None:
        assert "shared_context" not in body
        seen.append(await read_prompt(client))

    await replayed(evals, app, golden, act)
    assert seen == [""]


async def test_a_replay_of_the_live_context_knows_over_mcp_what_is_known_now(evals: Tried, app: Any) -> None:
    golden = await golden_of(evals, event("agent.message", text="5"))
    await learn(evals)
    seen: list[str] = []

    async def act(client: httpx.AsyncClient, body: Any) -> None:
        seen.append(await read_prompt(client))

    await replayed(evals, app, golden, act, context="live")
    assert "Always say please" in seen[0]
