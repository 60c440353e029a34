"""Clients that people use, at two server processes whose turn it is request by request: nothing is kept in one of them."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.flows.conftest import desk_on
from tests.mcp.clients import MODES, InTurn, sdk_client
from tests.records import Desk, ok, some_id
from tests.servers import GOLDLOOP, Program, environment, free_port, open_folder

URL = "http://goldloop.example.org/mcp"


@dataclass
class Pair:
    """Two processes on one database, a workspace in it, and a key of an agent there."""

    ports: list[int]
    desk: Desk
    agent_id: str
    secret: str

    @asynccontextmanager
    async def balancer(self) -> AsyncIterator[InTurn]:
        """Each request goes to the other process, under the name of the host that the client knows."""
        async with InTurn(self.ports) as transport:
            yield transport
        assert {port for port, _ in transport.sent} == set(self.ports)
        assert {host for _, host in transport.sent} == {"goldloop.example.org"}


@pytest_asyncio.fixture(scope="module")
async def pair(module_database_url: str, outside: Outside) -> AsyncIterator[Pair]:
    ports = [free_port(), free_port()]
    settings = {"GOLDLOOP_DATABASE_URL": module_database_url}
    with open_folder() as folder:
        programs = [
            Program([*GOLDLOOP, "api", "--json", "--port", str(port)], folder, settings) for port in ports
        ]
        try:
            for program in programs:
                await program.line()
            async with desk_on(module_database_url, outside) as desk:
                agent = await desk.workspace.make_agent()
                _, secret = await desk.workspace.make_key(role=Role.CONTRIBUTOR, agent_id=agent.id)
                yield Pair(ports=ports, desk=desk, agent_id=str(agent.id), secret=secret)
        finally:
            for program in programs:
                program.close()


async def proposed(pair: Pair, record: dict[str, str]) -> list[tuple[str, dict[str, int]]]:
    responses = ok(await pair.desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    return [(response["submitted_by"]["id"], response["values"]) for response in responses]


@pytest.mark.parametrize("mode", MODES)
async def test_the_clients_of_the_sdk_list_and_call(pair: Pair, mode: str) -> None:
    record = await pair.desk.make_record({"name": "Acme"})
    async with pair.balancer() as balancer, sdk_client(balancer, URL, pair.secret, mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"getEntity", "submitResponse"} <= tools
        for _ in range(2):  # once at each
            found = await client.call_tool("getEntity", {"entityId": record["id"]})
            assert found.structured_content is not None
            assert found.structured_content["content"] == {"name": "Acme"}
        call = {"entityId": record["id"], "values": {"employees": 7}}
        assert not (await client.call_tool("submitResponse", call)).is_error
    assert await proposed(pair, record) == [(pair.agent_id, {"employees": 7})]


async def test_an_agent_of_pydantic_ai_reads_what_went_wrong_and_goes_on(pair: Pair) -> None:
    record = await pair.desk.make_record({"name": "Acme"})

    async def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {"getEntity", "submitResponse"} <= {tool.name for tool in info.function_tools}
        asked: Any = messages[-1].parts[-1]
        if isinstance(asked, UserPromptPart):
            return ModelResponse(parts=[ToolCallPart("getEntity", {"entityId": some_id()})])
        if "no such record" in str(asked.content):
            call = {"entityId": record["id"], "values": {"employees": 9}}
            return ModelResponse(parts=[ToolCallPart("submitResponse", call)])
        return ModelResponse(parts=[TextPart(f"submitted: {asked.content['submitted']}")])

    headers = {"Authorization": f"Bearer {pair.secret}"}
    async with (
        pair.balancer() as balancer,
        httpx2.AsyncClient(transport=balancer, headers=headers, timeout=60) as http,
    ):
        agent = Agent(FunctionModel(model), toolsets=[MCPToolset(URL, http_client=http)])
        async with agent:
            done = await agent.run("Fill it in.")
    assert done.output == "submitted: True"
    assert await proposed(pair, record) == [(pair.agent_id, {"employees": 9})]


async def test_the_program_of_the_documentation_runs_as_it_is(pair: Pair, tmp_path: Path) -> None:
    record = await pair.desk.make_record({"name": "Acme"}, title="Acme Robotics")
    page = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text()
    program = page.partition("```python\n")[2].partition("```")[0]
    settings = {"GOLDLOOP_URL": f"http://127.0.0.1:{pair.ports[0]}", "GOLDLOOP_KEY": pair.secret}
    done = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program),
        env=environment(settings),
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await done.communicate()
    assert done.returncode == 0
    assert "submitResponse" in printed.decode()
    assert record["id"] in printed.decode()
