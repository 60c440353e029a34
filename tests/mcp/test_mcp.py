"""MCP at `/mcp`: the SDK's own client in both eras of the protocol, keys, groups, failures."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from goldloop.tenants.model import Role
from tests.factories import ROOT
from tests.records import Desk, code, ok

MODES = ["auto", "legacy"]


@asynccontextmanager
async def connected(desk: Desk, mode: str, query: str = "", **key: Any) -> AsyncIterator[Client]:
    _, secret = await desk.workspace.make_key(**key)
    headers = {"Authorization": f"Bearer {secret}"}
    transport = httpx2.ASGITransport(app=desk.workspace.app)
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers) as http,
        Client(streamable_http_client(f"{ROOT}/mcp{query}", http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", MODES)
async def test_an_agent_lists_and_calls_tools(desk: Desk, mode: str) -> None:
    record = await desk.make_record({"name": "Acme"})
    agent = await desk.workspace.make_agent()
    async with connected(desk, mode, role=Role.CONTRIBUTOR, agent_id=agent.id) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"searchEntities", "submitResponse"} <= tools.keys()
        assert tools["searchEntities"].annotations.read_only_hint
        assert not tools["submitResponse"].annotations.read_only_hint
        assert tools["submitResponse"].input_schema["type"] == "object"
        result = await client.call_tool(
            "submitResponse", {"entityId": record["id"], "values": {"employees": 7}}
        )
        assert not result.is_error
        assert result.structured_content["submitted"] is True
    responses = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    assert [(r["values"], r["submitted_by"]["id"]) for r in responses] == [({"employees": 7}, str(agent.id))]


@pytest.mark.parametrize("mode", MODES)
async def test_a_tools_own_failure_is_a_result_that_the_model_can_read(desk: Desk, mode: str) -> None:
    async with connected(desk, mode) as client:
        nobody = await client.call_tool("getEntity", {"entityId": "01999999-0000-7000-8000-000000000000"})
        assert nobody.is_error
        assert "no such" in nobody.content[0].text.lower()
        wrong = await client.call_tool("getEntity", {"entityId": 1})
        assert wrong.is_error
        assert "entityId" in wrong.content[0].text


@pytest.mark.parametrize("mode", MODES)
async def test_a_tool_that_one_may_not_use_is_like_one_that_is_not_there(desk: Desk, mode: str) -> None:
    async with connected(desk, mode, role=Role.VIEWER) as client:
        assert "submitResponse" not in {tool.name for tool in (await client.list_tools()).tools}
        forbidden = await client.call_tool("submitResponse", {})
        absent = await client.call_tool("noSuchTool", {})
        assert forbidden.is_error
        assert absent.is_error
        assert forbidden.content[0].text.replace("submitResponse", "noSuchTool") == absent.content[0].text


async def test_groups_in_the_address_narrow_the_tools(desk: Desk) -> None:
    async with connected(desk, "auto", "?groups=responses") as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["submitResponse"]


async def test_without_a_key_one_is_told_where_to_look(desk: Desk) -> None:
    stranger = await desk.workspace.browser()
    answer = await stranger.post("/mcp", json={})
    assert code(answer) == (401, "unauthenticated")
    where = answer.headers["WWW-Authenticate"].split('resource_metadata="')[1].rstrip('"')
    assert ok(await stranger.get(where))["resource"] == f"{ROOT}/mcp"
    assert code(await stranger.post("/mcp", json={}, headers={"Authorization": "Bearer gl_wrong"}))[0] == 401


async def test_a_browsers_sign_in_is_no_key(desk: Desk) -> None:
    person = await desk.workspace.signed_in()
    assert code(await person.post("/mcp", json={})) == (401, "unauthenticated")


async def test_only_post_is_spoken_and_there_is_nothing_below(desk: Desk) -> None:
    client = await desk.workspace.client()
    assert code(await client.get("/mcp")) == (405, "method_not_allowed")
    assert code(await client.delete("/mcp")) == (405, "method_not_allowed")
    assert code(await client.post("/mcp/else", json={})) == (404, "not_found")


async def test_another_host_name_is_served(desk: Desk) -> None:
    client = await desk.workspace.client()
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"Host": "agents.example.org", "Accept": "application/json, text/event-stream"}
    answer = await client.post("/mcp", json=call, headers=headers)
    assert answer.status_code == 200
    assert answer.json()["result"]["tools"]
