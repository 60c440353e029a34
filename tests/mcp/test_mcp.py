"""MCP at `/mcp`: who is let in, which tools they see, what calls answer."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.kit.tools import TOOLS
from goldloop.mcp.endpoint import McpEndpoint
from goldloop.tenants.model import Role
from tests.factories import ROOT, Workspace
from tests.loops import some
from tests.mcp.clients import LEGACY, MODES, sdk_client, send
from tests.records import Desk, code, make_desk, ok, some_id
from tests.runtimes.scripted import kinds
from tests.runtimes.test_run_keys import while_running
from tests.servers import environment

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def in_process(workspace: Workspace, secret: str, mode: str, query: str = "") -> Any:
    transport = httpx2.ASGITransport(app=workspace.app)
    return sdk_client(transport, f"{ROOT}/mcp{query}", secret, mode)


@asynccontextmanager
async def connected(
    workspace: Workspace, mode: str = "auto", query: str = "", **key: Any
) -> AsyncIterator[Client]:
    _, secret = await workspace.make_key(**key)
    async with in_process(workspace, secret, mode, query) as client:
        yield client


async def names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


def text_of(result: Any) -> str:
    (content,) = result.content
    return str(content.text)


async def test_what_could_not_start_once_starts_for_the_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = McpEndpoint()
    monkeypatch.setitem(sys.modules, "mcp.server.streamable_http_manager", None)
    with pytest.raises(ImportError):
        await endpoint.started()
    monkeypatch.undo()
    assert await endpoint.started() is await endpoint.started()


@pytest.mark.parametrize("mode", MODES)
async def test_an_agent_lists_and_calls_tools(desk: Desk, mode: str) -> None:
    record = await desk.make_record({"name": "Acme"})
    agent = await desk.workspace.make_agent()
    async with connected(desk.workspace, mode, role=Role.CONTRIBUTOR, agent_id=agent.id) as client:
        assert {"searchEntities", "submitResponse"} <= await names(client)
        call = {"entityId": record["id"], "values": {"employees": 7}}
        result = await client.call_tool("submitResponse", call)
        assert not result.is_error
        assert result.structured_content is not None
        assert result.structured_content["submitted"] is True
    responses = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    assert [(r["values"], r["submitted_by"]["id"]) for r in responses] == [({"employees": 7}, str(agent.id))]


@pytest.mark.parametrize("mode", MODES)
async def test_every_tool_answers_as_its_schema_says(desk: Desk, mode: str) -> None:
    """The SDK's client checks it."""
    record = await desk.make_record({"name": "Acme"})
    await desk.run_queued("criteria.sync_default")
    slow = {"source_type": "tool", "rating": "negative", "comment": "Slow"}
    feedback_id = ok(await desk.admin.post("/api/feedback", json=slow))["id"]
    lesson = {"type": "lesson", "content": "Use dollars"}
    row_id = ok(await desk.admin.post("/api/admin/shared-context", json=lesson))["id"]
    agent = await desk.workspace.make_agent()
    ok(await desk.admin.put(f"/api/agents/{agent.id}/config", json={}))
    calls: dict[str, dict[str, Any]] = {
        "searchEntities": {"query": "acme"},
        "getEntity": {"entityId": record["id"]},
        "listEntityTypes": {},
        "getCriteriaSet": {"entityType": "company"},
        "submitResponse": {"entityId": record["id"], "values": {"employees": 7}},
        "addFeedback": {"rating": "negative", "comment": "Slower"},
        "listFeedback": {},
        "getFeedback": {"id": feedback_id},
        "reviewFeedback": {"id": feedback_id, "action": "applied", "notes": "A cache helps."},
        **{f"add{kind}": {"content": "Use euros"} for kind in ("Correction", "Lesson", "Insight")},
        "updateSharedContext": {"id": row_id, "content": "Use francs"},
        "deactivateSharedContext": {"id": row_id, "reason": "We left"},
        "saveMemory": {"content": "Likes tables"},
        "getAgentConfig": {"agentId": str(agent.id)},
        "updateAgentConfig": {
            "agentId": str(agent.id),
            "version": 1,
            "instructions": "Be brief.",
            "note": "Long",
        },
    }
    async with connected(desk.workspace, mode) as client:
        assert await names(client) == calls.keys()
        for name, arguments in calls.items():
            result = await client.call_tool(name, arguments)
            assert (name, result.is_error) == (name, False), text_of(result)
            assert result.structured_content


async def test_tools_say_what_they_take_what_they_answer_and_whether_they_change_anything(
    workspace: Workspace,
) -> None:
    async with connected(workspace) as client:
        for described in some((await client.list_tools()).tools):
            tool, hints = TOOLS[described.name], described.annotations
            assert described.description == tool.description
            for schema in (described.input_schema, described.output_schema):
                assert schema is not None
                assert schema["type"] == "object"
                assert '"title":"' not in str(schema).replace(" ", "").replace("'", '"')
            assert hints is not None
            assert (hints.read_only_hint, hints.idempotent_hint) == (not tool.writes, tool.is_repeatable)
            assert (hints.destructive_hint, hints.open_world_hint) == (False, False)


@pytest.mark.parametrize("mode", MODES)
async def test_a_tools_own_failure_is_a_result_that_the_model_can_read(desk: Desk, mode: str) -> None:
    async with connected(desk.workspace, mode) as client:
        nobody = await client.call_tool("getEntity", {"entityId": some_id()})
        assert nobody.is_error
        assert "no such" in text_of(nobody).lower()
        wrong = await client.call_tool("getEntity", {"entityId": 1})
        assert wrong.is_error
        assert "/entityId" in text_of(wrong)


@pytest.mark.parametrize("mode", MODES)
async def test_a_tool_that_one_may_not_use_is_like_one_that_is_not_there(desk: Desk, mode: str) -> None:
    async with connected(desk.workspace, mode, role=Role.VIEWER) as client:
        assert "submitResponse" not in await names(client)
        forbidden = await client.call_tool("submitResponse", {})
        absent = await client.call_tool("noSuchTool", {})
        assert forbidden.is_error
        assert absent.is_error
        assert text_of(forbidden).replace("submitResponse", "noSuchTool") == text_of(absent)


async def test_a_narrow_key_has_the_tools_of_its_scopes(desk: Desk) -> None:
    async with connected(desk.workspace, scopes=["responses.team.create"]) as client:
        assert await names(client) == {"submitResponse"}


@pytest.mark.parametrize("mode", MODES)
async def test_asking_a_person_is_for_sessions_that_run_here(desk: Desk, mode: str) -> None:
    async with connected(desk.workspace, mode) as client:
        assert "askPerson" not in await names(client)
        refused = await client.call_tool("askPerson", {"question": "Who?"})
        assert refused.is_error
        assert text_of(refused) == "Only a session that runs here can wait for a person's answer"


@pytest.mark.parametrize("mode", MODES)
async def test_groups_in_the_address_narrow_the_tools(desk: Desk, mode: str) -> None:
    async with connected(desk.workspace, mode, "?groups=responses") as client:
        assert await names(client) == {"submitResponse"}
        left_out = await client.call_tool("listEntityTypes", {})
        assert (left_out.is_error, text_of(left_out)) == (True, "There is no tool listEntityTypes")
    async with connected(desk.workspace, mode, "?groups=responses,entities-read") as client:
        assert {"submitResponse", "getEntity"} <= await names(client)
    async with connected(desk.workspace, mode, "?groups=") as client:
        assert {"submitResponse", "getEntity"} <= await names(client)


async def test_a_group_that_there_is_not_is_refused_with_those_that_there_are(workspace: Workspace) -> None:
    client = await workspace.client()
    refused = await send(client, "tools/list", address="/mcp?groups=responses,evrything")
    assert code(refused) == (422, "invalid_input")
    (fault,) = refused.json()["errors"]
    assert (fault["path"], fault["code"]) == ("/groups", "unknown_group")
    assert "entities-read" in fault["message"]


async def test_without_a_key_one_is_told_where_to_look(workspace: Workspace) -> None:
    stranger = await workspace.browser()
    answer = await stranger.post("/mcp", json={})
    assert code(answer) == (401, "unauthenticated")
    challenge = answer.headers["WWW-Authenticate"]
    assert "error" not in challenge
    where = challenge.split('resource_metadata="')[1].rstrip('"')
    metadata = ok(await stranger.get(where))
    assert metadata["resource"] == f"{ROOT}/mcp"
    assert metadata["bearer_methods_supported"] == ["header"]
    assert "authorization_servers" not in metadata


@pytest.mark.parametrize("sent", ["Bearer gl_wrong", "Bearer ", "Basic Zm9vOmJhcg==", "Bearer glr_wrong"])
async def test_a_key_that_is_none_is_told_so(workspace: Workspace, sent: str) -> None:
    stranger = await workspace.browser()
    answer = await send(stranger, "tools/list", headers={"Authorization": sent})
    assert code(answer) == (401, "unauthenticated")
    challenge = answer.headers["WWW-Authenticate"]
    assert challenge.startswith('Bearer error="invalid_token", resource_metadata="')


async def test_no_other_metadata_is_mistaken_for_a_page(workspace: Workspace) -> None:
    """Clients look for an authorization server at these addresses, and read what they find as JSON."""
    stranger = await workspace.browser()
    for path in ("oauth-authorization-server", "openid-configuration", "oauth-protected-resource"):
        assert code(await stranger.get(f"/.well-known/{path}")) == (404, "not_found")


async def test_a_browsers_sign_in_is_no_key(workspace: Workspace) -> None:
    person = await workspace.signed_in()
    assert code(await send(person, "tools/list")) == (401, "unauthenticated")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
async def test_only_post_is_spoken(workspace: Workspace, method: str) -> None:
    client = await workspace.client()
    headers = {"Accept": "text/event-stream"}
    answer = await client.request(method, "/mcp", headers=headers)
    assert (code(answer), answer.headers["Allow"]) == ((405, "method_not_allowed"), "POST")


async def test_a_slash_at_the_end_is_the_same_address_and_there_is_nothing_below(
    workspace: Workspace,
) -> None:
    client = await workspace.client()
    assert ok(await send(client, "tools/list", address="/mcp/"))["result"]["tools"]
    assert code(await client.get("/mcp/else")) == (404, "not_found")
    assert code(await client.post("/mcp/else", json={})) == (405, "method_not_allowed")


@pytest.mark.parametrize("version", [LEGACY, "2026-07-28"])
async def test_another_host_name_is_served(workspace: Workspace, version: str) -> None:
    client = await workspace.client()
    answer = await send(client, "tools/list", version=version, headers={"Host": "agents.example.org"})
    assert ok(answer)["result"]["tools"]
    metadata = await client.get(
        "/.well-known/oauth-protected-resource/mcp", headers={"Host": "agents.example.org"}
    )
    assert ok(metadata)["resource"] == "http://agents.example.org/mcp"


@pytest.mark.parametrize("mode", MODES)
async def test_nothing_of_another_workspace_is_read_or_written(
    desk: Desk, other_workspace: Workspace, mode: str
) -> None:
    theirs = await make_desk(other_workspace)
    await theirs.make_type()
    foreign = await theirs.make_record({"name": "Theirs"})
    own = await desk.make_record({"name": "Ours"})
    async with connected(desk.workspace, mode) as client:
        found = (await client.call_tool("searchEntities", {})).structured_content
        assert found is not None
        assert [entity["id"] for entity in found["entities"]] == [own["id"]]
        assert (await client.call_tool("getEntity", {"entityId": foreign["id"]})).is_error
        call = {"entityId": foreign["id"], "values": {"employees": 3}}
        assert (await client.call_tool("submitResponse", call)).is_error
    assert ok(await theirs.reviewer.get(f"/api/entities/{foreign['id']}/responses"))["data"] == []
    owner = await desk.workspace.client()
    elsewhere = {"X-Goldloop-Tenant": other_workspace.slug}
    assert code(await send(owner, "tools/list", headers=elsewhere)) == (404, "not_found")


async def test_a_request_is_measured_and_logged_under_its_address(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "goldloop.access"):
        ok(await send(await workspace.client(), "tools/list"))
    (line,) = [record for record in caplog.records if record.name == "goldloop.access"]
    assert (line.getMessage(), line.__dict__["route"]) == ("POST /mcp 200", "/mcp")


@pytest.mark.parametrize("version", [LEGACY, "2026-07-28"])
async def test_callers_at_the_same_time_have_each_their_own_tools(workspace: Workspace, version: str) -> None:
    viewer, owner = await workspace.client(Role.VIEWER), await workspace.client()

    async def may_write(client: httpx.AsyncClient) -> bool:
        listed = ok(await send(client, "tools/list", version=version))["result"]["tools"]
        return "submitResponse" in {tool["name"] for tool in listed}

    answers = await asyncio.gather(*(may_write(client) for client in [viewer, owner] * 10))
    assert answers == [False, True] * 10


@pytest.mark.parametrize("mode", MODES)
async def test_a_call_with_the_key_of_a_run_is_recorded_in_its_session(
    desk: Desk, worker_db: Database, outside: Outside, app: Any, mode: str
) -> None:
    record = await desk.make_record({"name": "Acme"})

    async def act(run: httpx.AsyncClient, _: str) -> None:
        secret = run.headers["Authorization"].removeprefix("Bearer ")
        async with in_process(desk.workspace, secret, mode) as client:
            listed = await names(client)
            assert {TOOLS[name].group for name in listed} == {"entities-read", "responses"}
            call = {"entityId": record["id"], "values": {"employees": 3}}
            assert not (await client.call_tool("submitResponse", call)).is_error
            asked = await client.call_tool("askPerson", {"question": "Who?"})
            assert (asked.is_error, text_of(asked)) == (True, "This agent has no tool askPerson")
            assert (await client.call_tool("noSuchTool", {})).is_error

    ended, events, token = await while_running(desk, worker_db, outside, app, act)
    assert (ended["status"], ended["tool_calls"]) == ("completed", 2)
    assert kinds(events)[4:-2] == [
        "tool.call",
        "response.submitted",
        "tool.result",
        "tool.call",
        "tool.result",
    ]
    responses = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    assert [(r["submitted_by"]["kind"], r["values"]) for r in responses] == [("agent", {"employees": 3})]
    stranger = await desk.workspace.browser()
    late = await send(stranger, "tools/list", headers={"Authorization": f"Bearer {token}"})
    assert (code(late), late.json()["detail"]) == (
        (401, "unauthenticated"),
        "The run that this key is for is over",
    )


async def test_the_key_of_a_run_works_in_its_workspace_and_within_its_limits(
    desk: Desk, other_workspace: Workspace, worker_db: Database, outside: Outside, app: Any
) -> None:
    theirs = await make_desk(other_workspace)
    await theirs.make_type()
    foreign = await theirs.make_record({"name": "Theirs"})
    read = {"name": "getEntity", "arguments": {"entityId": foreign["id"]}}

    async def act(run: httpx.AsyncClient, _: str) -> None:
        found = ok(await send(run, "tools/call", read))["result"]
        assert (found["isError"], "no such" in found["content"][0]["text"]) == (True, True)
        elsewhere = {"X-Goldloop-Tenant": other_workspace.slug}
        assert code(await send(run, "tools/call", read, headers=elsewhere)) == (404, "not_found")
        over = ok(await send(run, "tools/call", read))["result"]
        assert (over["isError"], "limit" in over["content"][0]["text"]) == (True, True)
        assert code(await send(run, "tools/call", read)) == (401, "unauthenticated")

    ended, _, _ = await while_running(desk, worker_db, outside, app, act, limits={"tool_calls": 1})
    assert (ended["status"], ended["error"]["code"]) == ("failed", "limit_tool_calls")


def test_the_sdk_is_imported_with_the_first_call_and_not_before() -> None:
    program = (
        "import sys, goldloop.cli.main, goldloop.server; "
        "print([name for name in sys.modules if name.partition('.')[0] in ('mcp', 'mcp_types', 'fastmcp')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("mode", MODES)
async def test_what_was_learnt_is_a_prompt(desk: Desk, mode: str) -> None:
    new = {"type": "lesson", "content": "Give valuations in euros"}
    ok(await desk.admin.post("/api/admin/shared-context", json=new))
    held = ok(await desk.admin.get("/api/shared-context/prompt"))
    agent = await desk.workspace.make_agent("reader")
    async with connected(desk.workspace, mode, role=Role.CONTRIBUTOR, agent_id=agent.id) as client:
        (prompt,) = (await client.list_prompts()).prompts
        assert prompt.name == "load_shared_context_prompt"
        found = await client.get_prompt(prompt.name, {"agent": "reader"})
        (message,) = found.messages
        assert message.content.text == held["prompt"]  # type: ignore[union-attr]
        assert (found.meta or {})["manifest"] == held["manifest"]


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("other", {}, "There is no prompt other"),
        ("load_shared_context_prompt", {"agent": "nobody"}, "There is no such agent"),
        ("load_shared_context_prompt", {"colour": "red"}, "no argument colour"),
    ],
)
async def test_a_prompt_that_there_is_not_says_why(
    desk: Desk, name: str, arguments: dict[str, str], why: str
) -> None:
    async with connected(desk.workspace, role=Role.VIEWER) as client:
        with pytest.raises(Exception, match=why):
            await client.get_prompt(name, arguments)


async def test_a_key_that_may_not_read_knowledge_sees_no_prompt(desk: Desk) -> None:
    async with connected(desk.workspace, role=Role.VIEWER, scopes=["entities.team.read"]) as client:
        assert (await client.list_prompts()).prompts == []
