"""Large answers leave a process as large as it was."""

import asyncio
import sys
from pathlib import Path

import httpx
import pytest

from tests.records import ok
from tests.servers import running_server

TEXT = "x" * 90_000
ROWS = [{"a": n, "b": str(n)} for n in range(3000)]  # costs more to parse than to send


def resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc says how large a process is")
async def test_many_large_pages_leave_the_server_as_large_as_a_few() -> None:
    async with running_server() as server, server.client() as client:
        client.timeout = httpx.Timeout(60)
        signed_in = {"email": server.hello["email"], "password": server.hello["password"]}
        client.headers["X-Goldloop-CSRF"] = ok(await client.post("/api/session", json=signed_in))[
            "csrf_token"
        ]
        schema = {"type": "object", "properties": {}}
        ok(await client.post("/api/entity-types", json={"slug": "t", "name": "T", "json_schema": schema}))
        record = {"type": "t", "title": "R", "content": {"text": TEXT, "rows": ROWS}}
        for _ in range(20):
            ok(await client.post("/api/entities", json=record))

        async def read(pages: int) -> None:
            for _ in range(pages // 4):
                await asyncio.gather(*(read_page(client) for _ in range(4)))

        await read(12)
        before = resident(server.program.process.pid)
        await read(60)
        assert resident(server.program.process.pid) < 1.3 * before


async def read_page(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/entities", params={"limit": 200})
    assert answer.status_code == 200
    assert len(answer.content) > 2_000_000
