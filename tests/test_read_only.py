"""A GET changes nothing: PostgreSQL refuses whatever a handler of one tries to write."""

from typing import Any

import asyncpg
import httpx
import pytest
from litestar import get, post

from goldloop.app import build_dispatcher, build_litestar
from goldloop.kit.asgi import RequestMiddleware
from goldloop.kit.http import Db
from goldloop.tenants.auth.api import PUBLIC
from tests.factories import Workspace

WRITE = "UPDATE tenants SET name = name WHERE id = $1"


@pytest.mark.parametrize("dispatched", [True, False])
@pytest.mark.parametrize(("method", "error"), [("GET", asyncpg.ReadOnlySQLTransactionError), ("POST", None)])
async def test_a_handler_of_a_get_cannot_write(
    workspace: Workspace, method: str, error: type[Exception] | None, dispatched: bool
) -> None:
    """Whoever calls it: we, or Litestar."""
    seen: list[type[Exception] | None] = []

    async def write(db: Db) -> None:
        try:
            async with db.tx(workspace.system) as tx:
                await tx.execute(WRITE, workspace.id)
            seen.append(None)
        except asyncpg.PostgresError as refused:
            seen.append(type(refused))

    app: Any = build_litestar(workspace.db)
    route = get("/test-write", opt=PUBLIC) if method == "GET" else post("/test-write", opt=PUBLIC)
    app.register(route(write))
    app = RequestMiddleware(build_dispatcher(app, workspace.db)) if dispatched else app
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        answer = await client.request(method, "/test-write")
    assert answer.is_success, answer.text
    assert seen == [error]
