"""SQL of settings. The only writer of `workspace_settings`."""

from datetime import datetime
from typing import Any

from goldloop.kit.db import Tx
from goldloop.tenants.settings.model import Stored


async def find(
    tx: Tx, section: str, known_version: int | None = None, known_time: datetime | None = None
) -> Stored | None:
    """None where the workspace never set it; without its value where that is the known one."""
    row = await tx.fetchrow(
        """
        SELECT s.version, s.updated_at, CASE WHEN (s.version, s.updated_at) IS DISTINCT FROM ($3::integer, $4::timestamptz) THEN s.value END AS value
        FROM workspace_settings s WHERE s.tenant_id = $1 AND s.section = $2
        """,
        tx.actor.tenant_id,
        section,
        known_version,
        known_time,
    )
    return Stored(row["version"], row["updated_at"], row["value"]) if row else None


async def write(tx: Tx, section: str, value: dict[str, Any]) -> None:
    await tx.execute(
        """
        INSERT INTO workspace_settings AS s (tenant_id, section, value, updated_at) VALUES ($1, $2, $3, now())
        ON CONFLICT (tenant_id, section) DO UPDATE
        SET value = excluded.value, version = s.version + 1, updated_at = excluded.updated_at
        """,
        tx.actor.tenant_id,
        section,
        value,
    )
    await tx.execute("SELECT pg_notify('goldloop_auth', '')")  # as with limits: processes know it no longer
