"""Records from before their contents were searched: each workspace is marked for a rebuild, and there is a way back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner

VERSION = 15
MARKS = "SELECT tenant_id, key FROM marks WHERE kind = 'entities.words'"


@pytest_asyncio.fixture
async def superuser(empty_database_url: str, data_dir: Path) -> AsyncIterator[Any]:
    opened = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    yield opened
    await opened.close()


async def test_every_workspace_is_marked_once_and_the_marks_go_with_it(
    empty_database_url: str, superuser: Any
) -> None:
    opened = await connect(empty_database_url)
    try:
        await runner.up(opened, VERSION - 1)
        here, there = new_id(), new_id()
        await superuser.executemany(
            "INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)", [(here, "here"), (there, "there")]
        )
        await runner.up(opened, VERSION)
        marked = await superuser.fetch(MARKS)
        assert {row["tenant_id"] for row in marked} == {here, there}
        assert {row["key"] for row in marked} == {"00000000-0000-0000-0000-000000000000"}
        await runner.down(opened, VERSION - 1)
        assert await superuser.fetch(MARKS) == []
    finally:
        await opened.close()
