"""The settings of claims move into those of their workspace, and back."""

from pathlib import Path
from urllib.parse import urlsplit

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner

VERSION = 16
HERE, THERE = new_id(), new_id()
OURS = {"source_type": "study", "criteria_set": "rigor", "relation_field": "backs"}


async def test_settings_of_claims_are_kept_up_and_down(empty_database_url: str, data_dir: Path) -> None:
    opened = await connect(empty_database_url)
    await runner.up(opened, VERSION - 1)
    superuser = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    for tenant, slug in ((HERE, "here"), (THERE, "there")):
        await superuser.execute("INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)", tenant, slug)
    insert = "INSERT INTO claim_settings (tenant_id, source_type, criteria_set, relation_field) VALUES ($1, $2, $3, $4)"
    await superuser.execute(insert, HERE, *OURS.values())
    before = await superuser.fetchrow("SELECT * FROM claim_settings")
    await runner.up(opened, VERSION)
    rows = await superuser.fetch("SELECT tenant_id, section, value, version FROM workspace_settings")
    assert [tuple(row) for row in rows] == [(HERE, "claims", OURS, 1)]
    assert await superuser.fetchval(
        "SELECT relforcerowsecurity FROM pg_class WHERE relname = 'workspace_settings'"
    )
    await runner.down(opened, VERSION - 1)
    assert await superuser.fetch("SELECT * FROM claim_settings") == [before]
    assert await superuser.fetchval(
        "SELECT relforcerowsecurity FROM pg_class WHERE relname = 'claim_settings'"
    )
    await superuser.close()
    await opened.close()
