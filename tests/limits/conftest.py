"""Processes of an installation, each with counts of its own, at a time that a test sets."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
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
from goldloop.limits.model import NONE, Limits
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from tests.factories import Workspace, make_workspace
from tests.records import ok

NOTHING: dict[str, Any] = dict.fromkeys(Limits.__struct_fields__)
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


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_process(
    db: Database, auth: Authenticator, database_url: str, outside: Outside, clock: Clock
) -> Callable[[], Process]:
    """They share a database, and tell each other nothing but by it."""

    def make() -> Process:
        own = Authenticator(db=db, secret=auth.secret)
        limiter = Limiter(db, own, clock)
        feed = Feed(db=db, url=database_url, auth=own)
        return Process(build_app(db, own, feed, outside, limiter=limiter), limiter)

    return make


@pytest_asyncio.fixture
async def workspace(worker_db: Database, make_process: Callable[[], Process]) -> AsyncIterator[Workspace]:
    async with make_workspace(worker_db, make_process().app) as made:
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
