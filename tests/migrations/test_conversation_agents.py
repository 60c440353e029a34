"""Conversations that were there before their agents were looked up: each has the registered agent of its own workspace."""

from pathlib import Path
from urllib.parse import urlsplit

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner

VERSION = 14
HERE, THERE, BOT, OTHER_BOT = new_id(), new_id(), new_id(), new_id()


async def test_what_was_sent_before_is_looked_up_in_its_own_workspace(
    empty_database_url: str, data_dir: Path
) -> None:
    opened = await connect(empty_database_url)
    await runner.up(opened, VERSION - 1)
    superuser = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    for tenant, slug, agent in ((HERE, "here", BOT), (THERE, "there", OTHER_BOT)):
        await superuser.execute("INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)", tenant, slug)
        await superuser.execute(
            "INSERT INTO agents (tenant_id, id, slug, name, created_by_kind) VALUES ($1, $2, 'bot', 'Bot', 'system')",
            tenant, agent,
        )  # fmt: skip
        for name in ("bot", "unknown", None):
            await superuser.execute(
                "INSERT INTO conversations (tenant_id, project, id, agent, title, turns, started_at, last_activity_at)"
                " VALUES ($1, 'P', $2, $3, '', 1, now(), now())",
                tenant, str(name), name,
            )  # fmt: skip
            await superuser.execute(
                "INSERT INTO conv_turns (tenant_id, project, conversation_id, turn_id, ts, agent, digest, created_by_kind)"
                " VALUES ($1, 'P', $2, 't', now(), $3, '', 'system')",
                tenant, str(name), name,
            )  # fmt: skip
    await runner.up(opened, VERSION)
    for table in ("conversations", "conv_turns"):
        rows = await superuser.fetch(f"SELECT tenant_id, agent, agent_id FROM {table}")
        assert {(row["tenant_id"], row["agent"], row["agent_id"]) for row in rows} == {
            (HERE, "bot", BOT), (HERE, "unknown", None), (HERE, None, None),
            (THERE, "bot", OTHER_BOT), (THERE, "unknown", None), (THERE, None, None),
        }  # fmt: skip
    forced = await superuser.fetch(
        "SELECT relname FROM pg_class WHERE relname = ANY ($1) AND NOT relforcerowsecurity",
        ["agents", "conversations", "conv_turns"],
    )
    assert not forced
    await runner.down(opened, VERSION - 1)
    assert await superuser.fetchval("SELECT count(*) FROM conversations WHERE agent = 'bot'") == 2
    await superuser.close()
    await opened.close()
