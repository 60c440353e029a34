"""An ASGI application on a port of this machine, for programs that speak to it over the network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from tests.servers import eventually, free_port


async def _has_started(server: uvicorn.Server) -> bool:
    return server.started


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, lifespan="off", ws="none"))
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    running = asyncio.create_task(server.serve())
    await eventually(lambda: _has_started(server), 30)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    await running
