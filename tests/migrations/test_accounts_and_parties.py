"""What was there before accounts were told apart: members stay, invitations go on, and there is a way back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner

VERSION = 11
HERE, THERE = new_id(), new_id()
MEMBER, LEFT, ELSEWHERE, NOBODY = new_id(), new_id(), new_id(), new_id()
GONE, TWICE, MAKER = new_id(), new_id(), new_id()
AGENT, KEY = new_id(), new_id()


@pytest_asyncio.fixture
async def before(empty_database_url: str, superuser: Any) -> AsyncIterator[Any]:
    """A member; somebody who joined by a link and left, somebody whom the operator gave a password and who acted and
    left; and the invited: with an account in another workspace, with none, and with none but invited twice. All the
    invited have acted by a key."""
    opened = await connect(empty_database_url)
    await runner.up(opened, VERSION - 1)
    await superuser.executemany(
        "INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)", [(HERE, "here"), (THERE, "there")]
    )
    await superuser.executemany(
        "INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)",
        [
            (MEMBER, "member@x.test", "Member", "hash"),
            (LEFT, "left@x.test", "Left", "hash"),
            (ELSEWHERE, "elsewhere@x.test", "Called so elsewhere", "hash"),
            (NOBODY, "nobody@x.test", "As invited", None),
            (GONE, "gone@x.test", "Gone", "hash"),
            (TWICE, "twice@x.test", "As invited there", None),
            (MAKER, "maker@x.test", "Made an agent", "hash"),
        ],
    )
    await superuser.executemany(
        """
        INSERT INTO memberships (tenant_id, user_id, role, joined_at, created_by_kind)
        VALUES ($1, $2, 'owner', CASE WHEN $3 THEN now() END, 'system')
        """,
        [
            (HERE, MEMBER, True),
            (THERE, ELSEWHERE, True),
            (HERE, ELSEWHERE, False),
            (HERE, NOBODY, False),
            (HERE, TWICE, False),
            (THERE, TWICE, False),
        ],
    )
    await superuser.executemany(
        "INSERT INTO invites (hash, tenant_id, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
        [(b"elsewhere", HERE, ELSEWHERE), (b"nobody", HERE, NOBODY)],
    )
    await superuser.execute(
        "INSERT INTO events (tenant_id, id, name, topic, subject_id, actor_kind)"
        " VALUES ($1, $2, 'member.joined', 'members', $3, 'user')",
        HERE, new_id(), str(LEFT),
    )  # fmt: skip
    await superuser.executemany(
        "INSERT INTO events (tenant_id, id, name, topic, subject_id, actor_kind, actor_id)"
        " VALUES ($1, $2, 'agent.changed', 'agents', 'a', 'user', $3)",
        [(HERE, new_id(), who) for who in (NOBODY, ELSEWHERE, GONE, TWICE)],
    )
    await superuser.execute(
        "INSERT INTO agents (tenant_id, id, slug, name, created_by_kind, created_by_id)"
        " VALUES ($1, $2, 'b', 'Another', 'user', $3)",
        HERE, new_id(), MAKER,
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO agents (tenant_id, id, slug, name, created_by_kind) VALUES ($1, $2, 'a', 'Agent', 'system')",
        HERE, AGENT,
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO api_keys (tenant_id, id, name, prefix, role, user_id, created_by_kind)"
        " VALUES ($1, $2, 'k', 'gl_', 'viewer', $3, 'system')",
        HERE, KEY, NOBODY,
    )  # fmt: skip
    yield opened
    opened.terminate()


@pytest_asyncio.fixture
async def superuser(empty_database_url: str, data_dir: Path) -> AsyncIterator[Any]:
    opened = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    yield opened
    await opened.close()


async def members(superuser: Any) -> dict[str, Any]:
    rows = await superuser.fetch(
        """
        SELECT m.user_id, m.email, m.account_id, p.name, i.hash
        FROM memberships m JOIN parties p ON p.tenant_id = m.tenant_id AND p.kind = 'user' AND p.id = m.user_id
        LEFT JOIN invites i ON i.tenant_id = m.tenant_id AND i.user_id = m.user_id WHERE m.tenant_id = $1
        """,
        HERE,
    )
    return {row["email"]: row for row in rows}


async def test_members_keep_their_id_and_the_invited_show_nothing_of_an_account(
    before: Any, superuser: Any
) -> None:
    await runner.up(before, VERSION)
    found = await members(superuser)
    member, elsewhere, nobody = (found[f"{who}@x.test"] for who in ("member", "elsewhere", "nobody"))
    assert (member["user_id"], member["account_id"], member["name"]) == (MEMBER, MEMBER, "Member")
    assert (elsewhere["account_id"], elsewhere["name"], elsewhere["hash"]) == (
        None,
        "elsewhere",
        b"elsewhere",
    )
    assert (nobody["account_id"], nobody["name"], nobody["hash"]) == (None, "As invited", b"nobody")
    assert elsewhere["user_id"] != ELSEWHERE
    assert found["twice@x.test"]["user_id"] != TWICE
    assert await superuser.fetchval("SELECT user_id FROM api_keys WHERE id = $1", KEY) == nobody["user_id"]
    named = await superuser.fetch("SELECT kind, id, name FROM parties WHERE id = ANY ($1)", [LEFT, AGENT])
    assert {tuple(row) for row in named} == {("user", LEFT, "Left"), ("agent", AGENT, "Agent")}


async def test_what_somebody_did_keeps_their_id_or_at_least_a_name(before: Any, superuser: Any) -> None:
    await runner.up(before, VERSION)
    found = await members(superuser)
    assert found["nobody@x.test"]["user_id"] == NOBODY  # the id was nobody's elsewhere
    acted = [NOBODY, ELSEWHERE, GONE, TWICE, MAKER]
    named = await superuser.fetch(
        "SELECT id, name FROM parties WHERE tenant_id = $1 AND id = ANY ($2)", HERE, acted
    )
    assert {row["id"]: row["name"] for row in named} == {
        NOBODY: "As invited",
        ELSEWHERE: "elsewhere",  # not as they are called in the other workspace
        GONE: "Gone",
        TWICE: "twice",
        MAKER: "Made an agent",
    }
    assert not await superuser.fetchval(
        "SELECT count(*) FROM parties WHERE tenant_id = $1 AND id = $2", THERE, GONE
    )
    unforced = await superuser.fetch(
        "SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity AND relkind = 'r'"
        " AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = 'tenant_isolation')"
    )
    assert [row["relname"] for row in unforced] == []


async def test_the_way_back_makes_one_account_of_an_address_and_loses_nobody(
    before: Any, superuser: Any
) -> None:
    await runner.up(before, VERSION)
    await _second_account(superuser, "member@x.test")
    await runner.down(before, VERSION - 1)
    rows = await superuser.fetch(
        """
        SELECT m.user_id, u.email, m.joined_at IS NOT NULL AS joined FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.tenant_id = $1
        """,
        HERE,
    )
    assert {(row["email"], row["joined"]) for row in rows} == {
        ("member@x.test", True),
        ("elsewhere@x.test", False),
        ("nobody@x.test", False),
        ("twice@x.test", False),
    }
    ids: dict[str, UUID] = {row["email"]: row["user_id"] for row in rows}
    assert (ids["member@x.test"], ids["elsewhere@x.test"]) == (MEMBER, ELSEWHERE)
    assert await superuser.fetchval("SELECT user_id FROM api_keys WHERE id = $1", KEY) == ids["nobody@x.test"]
    assert ids["nobody@x.test"] == NOBODY
    invites = await superuser.fetch("SELECT hash, user_id FROM invites")
    assert {tuple(row) for row in invites} == {
        (b"elsewhere", ELSEWHERE),
        (b"nobody", ids["nobody@x.test"]),
    }
    assert await superuser.fetchval("SELECT count(*) FROM users WHERE email LIKE '%#member@x.test'") == 1
    await runner.up(before)
    assert (await runner.status(before)).current


async def _second_account(superuser: Any, email: str) -> None:
    """Made through another workspace's link."""
    account = new_id()
    await superuser.execute(
        "INSERT INTO users (id, email, name, password_hash, made_in, created_at)"
        " VALUES ($1, $2, 'Second', 'other hash', $3, now() + interval '1 day')",
        account, email, THERE,
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO memberships (tenant_id, user_id, email, role, account_id, joined_at, created_by_kind)"
        " VALUES ($1, $2, $3, 'viewer', $2, now(), 'system')",
        THERE, account, email,
    )  # fmt: skip
