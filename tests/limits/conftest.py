"""Processes of an installation, each with counts of its own, at a time that a test sets."""

import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
import pytest_asyncio

from goldloop.app import build_app
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.limits.installation import set_installation_limits
from goldloop.limits.limiter import Limiter
from goldloop.limits.model import NONE, UsageLimits
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from tests.factories import Workspace, make_workspace
from tests.records import ok

NOTHING: dict[str, Any] = dict.fromkeys(UsageLimits.__struct_fields__)
PLAIN = "/api/workspace"  # a plain read


@dataclass
class Clock:
    """Early in this minute, until it is moved."""

    at: float = field(default_factory=lambda: time.time() // 60 * 60 + 5)

    def __call__(self) -> float:
        return self.at


@dataclass
class Process:
    app: Any
    limiter: Limiter


@pytest_asyncio.fixture(scope="session")
async def processes(
    db: Database, auth: Authenticator, database_url: str, outside: Outside
) -> tuple[Process, Process]:
    """Two of one installation, that tell each other nothing but by the database. Tests have workspaces of their own."""

    def make() -> Process:
        own = Authenticator(db=db, secret=auth.secret)
        limiter = Limiter(db, own)
        feed = Feed(db=db, url=database_url, auth=own)
        return Process(build_app(db, own, feed, outside, limiter=limiter), limiter)

    return make(), make()


@pytest.fixture
def clock(processes: tuple[Process, Process]) -> Clock:
    made = Clock()
    for process in processes:
        process.limiter.clock = made
    return made


@pytest_asyncio.fixture
async def workspace(
    worker_db: Database, processes: tuple[Process, Process], clock: Clock
) -> AsyncIterator[Workspace]:
    """At the first of the processes."""
    async with make_workspace(worker_db, processes[0].app) as made:
        yield made


@pytest.fixture
def no_limits_of_the_installation() -> Iterator[None]:
    yield
    set_installation_limits(NONE)


async def set_limits(client: httpx.AsyncClient, **limits: Any) -> Any:
    return ok(await client.put("/api/limits", json=NOTHING | limits))


def left(answer: httpx.Response) -> dict[str, int]:
    """Requests, by policy."""
    listed = [part.split(";") for part in answer.headers["RateLimit"].split(", ")]
    return {name.strip('"'): int(remaining[2:]) for name, remaining, _ in listed}


async def ask(client: httpx.AsyncClient, times: int) -> list[int]:
    return [(await client.get(PLAIN)).status_code for _ in range(times)]
