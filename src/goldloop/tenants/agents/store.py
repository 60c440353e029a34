"""SQL of the agents registry. The only writer of `agents`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.kit.db import ActorKind, Tx
from goldloop.tenants.model import Agent
from goldloop.tenants.parties.store import Parties, find_parties, set_name

_SELECT = """
    SELECT a.id, a.slug, a.name, a.description, a.active, a.is_system, a.created_at, a.created_by_kind, a.created_by_id
    FROM agents a WHERE a.tenant_id = $1
"""


def from_row(row: Any, parties: Parties) -> Agent:
    return Agent(
        id=row["id"],
        slug=row["slug"],
        name=row["name"],
        description=row["description"],
        active=row["active"],
        is_system=row["is_system"],
        created_at=row["created_at"],
        created_by=parties[row["created_by_kind"], row["created_by_id"]],
    )


async def _read(tx: Tx, query: str, *arguments: Any) -> list[Agent]:
    rows = await tx.fetch(f"{_SELECT} {query}", tx.actor.tenant_id, *arguments)
    makers = [(row["created_by_kind"], row["created_by_id"]) for row in rows]
    parties = await find_parties(tx, makers) if rows else {}
    return [from_row(row, parties) for row in rows]


async def insert(
    tx: Tx, agent_id: UUID, slug: str, name: str, description: str, *, is_system: bool = False
) -> bool:
    """False when the id or the slug is taken, the id perhaps by somebody who is or was a member here: ids of members are
    the workspace's own, and those of other workspaces are not looked at."""
    taken = (await find_parties(tx, [("user", agent_id)]))["user", agent_id].name is not None
    made = not taken and await tx.execute(
        """
        INSERT INTO agents (tenant_id, id, slug, name, description, is_system, created_by_kind, created_by_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        agent_id,
        slug,
        name,
        description,
        is_system,
        tx.actor.kind,
        tx.actor.id,
    )
    if made:
        await set_name(tx, ActorKind.AGENT, agent_id, name)
    return bool(made)


async def find(tx: Tx, agent_id: UUID) -> Agent | None:
    return next(iter(await _read(tx, "AND a.id = $2", agent_id)), None)


async def find_by_slug(tx: Tx, slug: str) -> Agent | None:
    return next(iter(await _read(tx, "AND a.slug = $2", slug)), None)


async def list_by_slug(tx: Tx, after: str | None, limit: int) -> list[Agent]:
    return await _read(tx, "AND a.slug > $2 ORDER BY a.slug LIMIT $3", after or "", limit)


async def update(
    tx: Tx, agent_id: UUID, name: str | None, description: str | None, active: bool | None
) -> bool:
    """Change what is given. Deactivating an agent also drops its keys from every process's cache."""
    done = await tx.execute(
        """
        UPDATE agents SET name = coalesce($3, name), description = coalesce($4, description),
            active = coalesce($5, active)
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
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


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's agents, as if they had been here since then. For the demo alone."""
    await tx.execute(
        "UPDATE agents SET created_at = $2 WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
