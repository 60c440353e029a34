"""MCP clients for tests: the SDK's own in both eras of the protocol, requests without it, and a load balancer in small."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

MODES = ["auto", "legacy"]  # 2026-07-28 without a handshake, and 2025-11-25 with one
ACCEPT = "application/json, text/event-stream"
LEGACY, MODERN = "2025-06-18", "2026-07-28"


class InTurn(httpx2.AsyncBaseTransport):
    """Sends each request to the next of these ports of this machine, whatever host it is for."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        self.sent: list[tuple[int, str]] = []
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        port = self.ports[len(self.sent) % len(self.ports)]
        self.sent.append((port, request.headers["host"]))
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=port)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def sdk_client(
    transport: httpx2.AsyncBaseTransport, url: str, secret: str, mode: str
) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


async def send(
    client: httpx.AsyncClient,
    method: str,
    params: dict[str, Any] | None = None,
    version: str = MODERN,
    address: str = "/mcp",
    headers: dict[str, str] | None = None,
) -> httpx.Response:
    """One request of either era as a client would write it."""
    sent = dict(params or {})
    named = {"Accept": ACCEPT, "MCP-Protocol-Version": version}
    if version == MODERN:
        prefix = "io.modelcontextprotocol"
        sent["_meta"] = {f"{prefix}/protocolVersion": version, f"{prefix}/clientCapabilities": {}}
        named["Mcp-Method"] = method
        if method == "tools/call":
            named["Mcp-Name"] = sent["name"]
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": sent}
    return await client.post(address, json=call, headers=named | (headers or {}))
