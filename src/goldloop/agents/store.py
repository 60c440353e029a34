"""SQL of agents' configurations and secrets. The only writer of `agent_versions` and `agent_secrets`."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from goldloop.agents.configuration import changed_keys
from goldloop.agents.model import AgentConfig, AgentSecret, AgentVersion, RunsWith, SecretName
from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_SELECT = f"""
    SELECT v.agent_id, v.version, v.config, v.note, v.restored_from, v.created_at, v.created_by_kind, v.created_by_id,
           {name_sql("$1", "v.created_by_kind", "v.created_by_id")} AS created_by_name,
           b.config AS config_before
    FROM agent_versions v
    LEFT JOIN agent_versions b ON b.tenant_id = v.tenant_id AND b.agent_id = v.agent_id AND b.version = v.version - 1
    WHERE v.tenant_id = $1 AND v.agent_id = $2
"""


def from_row(row: Any) -> AgentVersion:
    config = msgspec.convert(row["config"], AgentConfig)
    before = msgspec.convert(row["config_before"], AgentConfig) if row["config_before"] else None
    return AgentVersion(
        agent_id=row["agent_id"],
        version=row["version"],
        config=config,
        note=row["note"],
        restored_from=row["restored_from"],
        changed=changed_keys(before, config),
        created_at=row["created_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def find_newest(tx: Tx, agent_id: UUID) -> AgentVersion | None:
    row = await tx.fetchrow(f"{_SELECT} ORDER BY v.version DESC LIMIT 1", tx.actor.tenant_id, agent_id)
    return from_row(row) if row else None


async def find(tx: Tx, agent_id: UUID, version: int) -> AgentVersion | None:
    row = await tx.fetchrow(f"{_SELECT} AND v.version = $3", tx.actor.tenant_id, agent_id, version)
    return from_row(row) if row else None


async def list_current(tx: Tx, agent_ids: Sequence[UUID]) -> dict[UUID, RunsWith]:
    """What each of these agents runs with, in short; those that run elsewhere are left out."""
    rows = await tx.fetch(
        """
        SELECT a.id, v.version, v.config
        FROM unnest($2::uuid[]) a (id)
        CROSS JOIN LATERAL (
            SELECT n.version, n.config FROM agent_versions n
            WHERE n.tenant_id = $1 AND n.agent_id = a.id ORDER BY n.version DESC LIMIT 1
        ) v
        """,
        tx.actor.tenant_id,
        list(agent_ids),
    )
    configs = {row["id"]: (row["version"], msgspec.convert(row["config"], AgentConfig)) for row in rows}
    return {
        agent_id: RunsWith(version=version, runtime=config.runtime, model=config.model)
        for agent_id, (version, config) in configs.items()
    }


async def list_newest_first(tx: Tx, agent_id: UUID, before: int, limit: int) -> list[AgentVersion]:
    rows = await tx.fetch(
        f"{_SELECT} AND v.version < $3 ORDER BY v.version DESC LIMIT $4",
        tx.actor.tenant_id,
        agent_id,
        before,
        limit,
    )
    return [from_row(row) for row in rows]


async def insert(
    tx: Tx, agent_id: UUID, version: int, config: AgentConfig, note: str, restored_from: int | None
) -> bool:
    """False when somebody made this version meanwhile."""
    return bool(
        await tx.execute(
            """
            INSERT INTO agent_versions (tenant_id, agent_id, version, config, note, restored_from, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            agent_id,
            version,
            msgspec.to_builtins(config),
            note,
            restored_from,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def list_secrets(tx: Tx, agent_id: UUID) -> list[AgentSecret]:
    rows = await tx.fetch(
        f"""
        SELECT s.name, s.updated_at, s.updated_by_kind, s.updated_by_id,
               {name_sql("$1", "s.updated_by_kind", "s.updated_by_id")} AS updated_by_name
        FROM agent_secrets s WHERE s.tenant_id = $1 AND s.agent_id = $2 ORDER BY s.name
        """,
        tx.actor.tenant_id,
        agent_id,
    )
    return [
        AgentSecret(
            name=SecretName(row["name"]),
            updated_at=row["updated_at"],
            updated_by=Party(
                kind=row["updated_by_kind"], id=row["updated_by_id"], name=row["updated_by_name"]
            ),
        )
        for row in rows
    ]


async def find_sealed(tx: Tx, agent_id: UUID, name: SecretName) -> bytes | None:
    sealed: bytes | None = await tx.fetchval(
        "SELECT s.sealed FROM agent_secrets s WHERE s.tenant_id = $1 AND s.agent_id = $2 AND s.name = $3",
        tx.actor.tenant_id,
        agent_id,
        name,
    )
    return sealed


async def set_secret(tx: Tx, agent_id: UUID, name: SecretName, sealed: bytes) -> None:
    await tx.execute(
        """
        INSERT INTO agent_secrets (tenant_id, agent_id, name, sealed, updated_at, updated_by_kind, updated_by_id)
        VALUES ($1, $2, $3, $4, now(), $5, $6)
        ON CONFLICT (tenant_id, agent_id, name) DO UPDATE
        SET sealed = excluded.sealed, updated_at = excluded.updated_at, updated_by_kind = excluded.updated_by_kind,
            updated_by_id = excluded.updated_by_id
        """,
        tx.actor.tenant_id,
        agent_id,
        name,
        sealed,
        tx.actor.kind,
        tx.actor.id,
    )


async def remove_secret(tx: Tx, agent_id: UUID, name: SecretName) -> bool:
    return bool(
        await tx.execute(
            "DELETE FROM agent_secrets WHERE tenant_id = $1 AND agent_id = $2 AND name = $3",
            tx.actor.tenant_id,
            agent_id,
            name,
        )
    )
