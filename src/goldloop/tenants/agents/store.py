"""SQL of the agents registry. The only writer of `agents`."""

from typing import Any
from uuid import UUID

from goldloop.kit.db import ActorKind, Tx
from goldloop.tenants.model import Agent, Party
from goldloop.tenants.parties import name_sql, set_name

_COLUMNS = f"""
    a.id, a.slug, a.name, a.description, a.active, a.created_at, a.created_by_kind, a.created_by_id,
    {name_sql("a.tenant_id", "a.created_by_kind", "a.created_by_id")} AS created_by_name
"""


def from_row(row: Any) -> Agent:
    return Agent(
        id=row["id"],
        slug=row["slug"],
        name=row["name"],
        description=row["description"],
        active=row["active"],
        created_at=row["created_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def insert(tx: Tx, agent_id: UUID, slug: str, name: str, description: str) -> bool:
    """False when the id or the slug is taken, the id perhaps by somebody who is or was a member here: ids of members are
    the workspace's own, and those of other workspaces are not looked at."""
    made = await tx.execute(
        """
        INSERT INTO agents (tenant_id, id, slug, name, description, created_by_kind, created_by_id)
        SELECT $1, $2, $3, $4, $5, $6, $7
        WHERE NOT EXISTS (SELECT FROM parties p WHERE p.tenant_id = $1 AND p.kind = 'user' AND p.id = $2)
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        agent_id,
        slug,
        name,
        description,
        tx.actor.kind,
        tx.actor.id,
    )
    if made:
        await set_name(tx, ActorKind.AGENT, agent_id, name)
    return bool(made)


async def find(tx: Tx, agent_id: UUID) -> Agent | None:
    row = await tx.fetchrow(f"SELECT {_COLUMNS} FROM agents a WHERE a.id = $1", agent_id)
    return from_row(row) if row else None


async def find_by_slug(tx: Tx, slug: str) -> Agent | None:
    row = await tx.fetchrow(f"SELECT {_COLUMNS} FROM agents a WHERE a.slug = $1", slug)
    return from_row(row) if row else None


async def list_by_slug(tx: Tx, after: str | None, limit: int) -> list[Agent]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM agents a WHERE a.slug > $1 ORDER BY a.slug LIMIT $2",
        after or "",
        limit,
    )
    return [from_row(row) for row in rows]


async def update(
    tx: Tx, agent_id: UUID, name: str | None, description: str | None, active: bool | None
) -> bool:
    """Change what is given. Deactivating an agent also drops its keys from every process's cache."""
    done = await tx.execute(
        """
        UPDATE agents SET name = coalesce($2, name), description = coalesce($3, description),
            active = coalesce($4, active)
        WHERE id = $1
        """,
        agent_id,
        name,
        description,
        active,
    )
    if done and name is not None:
        await set_name(tx, ActorKind.AGENT, agent_id, name)
    if done:
        await tx.execute("SELECT pg_notify('goldloop_auth', '')")
    return bool(done)
