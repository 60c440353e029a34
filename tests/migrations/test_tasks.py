"""Workspaces that were there before get the agents that every workspace has, as new ones get them."""

from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from goldloop.agents.system_service import SYSTEM_AGENTS
from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner
from goldloop.population.model import POPULATOR

VERSION = 24


async def test_a_workspace_from_before_has_the_agents_of_a_new_one(
    empty_database_url: str, data_dir: Path
) -> None:
    opened = await connect(empty_database_url)
    await runner.up(opened, VERSION - 1)
    superuser = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    await superuser.execute("INSERT INTO tenants (id, slug, name) VALUES ($1, 'old', 'Old')", new_id())
    await runner.up(opened)
    made = await superuser.fetch(
        """
        SELECT a.slug, a.name, a.description, a.is_system, v.version, v.config
        FROM agents a JOIN agent_versions v ON v.tenant_id = a.tenant_id AND v.agent_id = a.id
        """
    )
    expected = SYSTEM_AGENTS[POPULATOR]
    [populator] = [dict(row) for row in made if row["slug"] == POPULATOR]
    config = populator.pop("config")
    assert populator == {
        "slug": POPULATOR, "name": expected.name, "description": expected.description, "is_system": True, "version": 1,
    }  # fmt: skip
    assert msgspec.to_builtins(expected.config).items() >= config.items()
    assert config["runtime"] == "built_in"
    await superuser.close()
    await opened.close()
