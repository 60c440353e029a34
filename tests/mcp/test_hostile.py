"""What nobody should send to `/mcp`: it is refused or answered so that a model can read it, and the next call works."""

import json
from typing import Any

import httpx
import pytest

from tests.factories import Workspace
from tests.mcp.clients import ACCEPT, LEGACY, MODERN, send
from tests.records import Desk, code, ok

ERAS = [LEGACY, MODERN]
MEGABYTE = 1024 * 1024


async def call(client: httpx.AsyncClient, version: str, arguments: bytes, name: str = "getEntity") -> Any:
    """The result of a call whose arguments are this text."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    head = json.dumps({"name": name, "_meta": meta} if version == MODERN else {"name": name})
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": %s, "arguments": %s}}' % (
        head[:-1].encode(),
        arguments,
    )
    headers = {"Accept": ACCEPT, "Content-Type": "application/json", "MCP-Protocol-Version": version}
    if version == MODERN:
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": name}
    return ok(await client.post("/mcp", content=body, headers=headers))["result"]


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (rb'{"entityId": "a\u0000b"}', "/entityId: Text may not contain the character U+0000"),
        (rb'{"entityId": 1e300}', "/entityId: A number lies within"),
        (b'{"entityId": %s}' % (b"9" * 200), "/entityId: A number lies within"),
        (b'{"entityId": [1, {"a": null}]}', "/entityId: Expected `uuid`, got `array`"),
        (b'{"entityId": "%s"}' % (b"x" * 500_000), "/entityId: "),
        (b'{"nothing": 1}', "nothing"),
        (b'{"\\u0000": 1}', "U+0000"),
        (json.dumps({f"a{n}": n for n in range(101)}).encode(), "length <= 100"),
    ],
    ids=["nul", "number", "digits", "type", "long", "unknown", "nul-key", "many"],
)
async def test_arguments_that_cannot_be_used_are_named_to_the_model(
    workspace: Workspace, version: str, arguments: bytes, read: str
) -> None:
    result = await call(await workspace.client(), version, arguments)
    assert result["isError"]
    text = result["content"][0]["text"]
    assert read in text
    assert len(text) < 2000


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("arguments", [b"null", b"{}"])
async def test_no_arguments_are_an_empty_object(workspace: Workspace, version: str, arguments: bytes) -> None:
    result = await call(await workspace.client(), version, arguments, "listEntityTypes")
    assert not result.get("isError")


@pytest.mark.parametrize("version", ERAS)
async def test_a_value_arrives_as_it_was_written(desk: Desk, version: str) -> None:
    record = await desk.make_record({"name": "Acme"})
    odd = "𝄞 é\t\\ \u202e"
    sent = {"entityId": record["id"], "values": {"name": odd}}
    result = await call(
        await desk.workspace.client(), version, json.dumps(sent).encode(), name="submitResponse"
    )
    assert not result["isError"], result
    (response,) = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    assert response["values"] == {"name": odd}


@pytest.mark.parametrize("version", ERAS)
async def test_the_name_of_a_tool_is_not_repeated_at_length(workspace: Workspace, version: str) -> None:
    result = await call(await workspace.client(), version, b"{}", "x" * 5000)
    assert result["isError"]
    assert len(result["content"][0]["text"]) < 200


async def test_a_body_is_no_larger_and_no_deeper_than_that_of_any_route(workspace: Workspace) -> None:
    client = await workspace.client()
    headers = {"Accept": ACCEPT, "Content-Type": "application/json"}
    large = await client.post("/mcp", content=b" " * (MEGABYTE + 1), headers=headers)
    assert code(large) == (413, "request_too_large")

    async def piece_by_piece() -> Any:
        for _ in range(20):
            yield b" " * 100_000

    assert code(await client.post("/mcp", content=piece_by_piece(), headers=headers))[0] == 413
    deep = await client.post("/mcp", content=b"[" * 100_000, headers=headers)
    assert (code(deep), deep.json()["errors"][0]["code"]) == ((422, "invalid_input"), "too_deep")


@pytest.mark.parametrize("version", [*ERAS, "1999-01-01", "\x7f", "2026-07-28, 2025-06-18"])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]',
        b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "getEntity", "arguments": [1]}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 1}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "\\u0000"}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
        b"\xff\xfe",
    ],
)
async def test_what_is_no_call_is_refused(workspace: Workspace, version: str, body: bytes) -> None:
    client = await workspace.client()
    headers = {"Accept": ACCEPT, "Content-Type": "application/json", "MCP-Protocol-Version": version}
    answer = await client.post("/mcp", content=body, headers=headers)
    needs_no_answer = (
        b'"result"' in body or b'"id": {}' in body
    )  # in the old era: a response, and what has no id
    assert (
        answer.status_code in {400, 404, 422}
        or (answer.status_code == 200 and "error" in answer.json())
        or (needs_no_answer and answer.status_code == 202)
    ), (answer.status_code, answer.text)
    assert len(answer.content) < 5000


@pytest.mark.parametrize("version", ERAS)
async def test_a_method_that_there_is_not_is_answered_and_opens_no_stream(
    workspace: Workspace, version: str
) -> None:
    client = await workspace.client()
    for method in ("subscriptions/listen", "resources/list", "logging/setLevel", "nothing"):
        answer = await send(client, method, version=version)
        assert answer.json()["error"]["code"] in {-32601, -32602}, (method, answer.text)
    assert ok(await send(client, "tools/list", version=version))["result"]["tools"]


async def test_an_address_or_a_host_with_strange_characters_is_only_that(workspace: Workspace) -> None:
    client = await workspace.client()
    assert code(await send(client, "tools/list", address="/mcp?groups=%00"))[0] == 422
    stranger = await workspace.browser()
    for host in ('a"b', "a b", "\xc3\xa9", "x" * 3000):
        answer = await stranger.post("/mcp", json={}, headers=[(b"Host", host.encode("latin-1"))])
        assert code(answer) in {(400, "malformed_request"), (401, "unauthenticated")}, host
