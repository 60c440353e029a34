"""SQL of the audit log: it reads the event log and the tables that know what something was before, and writes nothing."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from goldloop.audit.model import AuditChange, AuditEntry, AuditFilter, AuditKey, Via
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_STORED = "tenant_id, id, name, topic, subject_id, payload, actor_kind, actor_id, created_at, key_id, address, request_id"
_COLUMNS = f"""
    {", ".join(f"e.{column}" for column in _STORED.split(", "))},
    {name_sql("$1", "e.actor_kind", "e.actor_id")} AS actor_name
"""
_EQUAL = ("actor_kind", "actor_id", "key_id", "subject_id", "address")


def from_row(row: Any) -> AuditEntry:
    asked = Via.PAGE if row["address"] else Via.BACKGROUND
    return AuditEntry(
        id=row["id"],
        name=row["name"],
        topic=row["topic"],
        subject_id=row["subject_id"],
        actor=Party(kind=row["actor_kind"], id=row["actor_id"], name=row["actor_name"]),
        via=Via.KEY if row["key_id"] else asked,
        key=AuditKey(id=row["key_id"], name=None) if row["key_id"] else None,
        address=row["address"],
        request_id=row["request_id"],
        payload=row["payload"],
        created_at=row["created_at"],
    )


async def list_newest_first(
    tx: Tx, wanted: AuditFilter, before: tuple[object, UUID], limit: int
) -> Rows[AuditEntry]:
    """The statement holds only what is asked for. Of several names each is looked up by itself, newest first."""
    arguments: list[Any] = [tx.actor.tenant_id, *before]

    def bound(value: object) -> str:
        arguments.append(value)
        return f"${len(arguments)}"

    conditions = ["x.tenant_id = $1 AND (x.created_at, x.id) < ($2, $3)"]
    for column in _EQUAL:
        if (value := getattr(wanted, column)) is not None:
            conditions.append(f"x.{column} = {bound(value)}")
    if wanted.since is not None:
        conditions.append(f"x.created_at >= {bound(wanted.since)}")
    if wanted.until is not None:
        conditions.append(f"x.created_at < {bound(wanted.until)}")
    newest = f"ORDER BY x.created_at DESC, x.id DESC LIMIT {limit:d}"
    stored = ", ".join(f"x.{column}" for column in _STORED.split(", "))
    narrowed = f"SELECT {stored} FROM events x WHERE {' AND '.join(conditions)}"
    if wanted.names is None:
        found = f"({narrowed} {newest})"
    else:
        names = bound(list(wanted.names))
        found = f"""(SELECT {stored} FROM unnest({names}::text[]) n (name)
            CROSS JOIN LATERAL ({narrowed} AND x.name = n.name {newest}) x {newest})"""
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("e.payload")} FROM {found} e ORDER BY e.created_at DESC, e.id DESC
    """
    return Rows.read(await tx.fetch(within_bytes(query), *arguments), from_row)


async def find(tx: Tx, event_id: UUID) -> AuditEntry | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM events e WHERE e.tenant_id = $1 AND e.id = $2", tx.actor.tenant_id, event_id
    )
    return from_row(row) if row else None


async def names_of_keys(tx: Tx, key_ids: Iterable[UUID]) -> dict[UUID, str]:
    wanted = list(key_ids)
    if not wanted:
        return {}
    rows = await tx.fetch(
        "SELECT k.id, k.name FROM api_keys k WHERE k.tenant_id = $1 AND k.id = ANY ($2)",
        tx.actor.tenant_id,
        wanted,
    )
    return {row["id"]: row["name"] for row in rows}


async def list_field_changes(tx: Tx, entity_id: UUID, version: int, fields: list[str]) -> list[AuditChange]:
    """What the step to a version of a record changed, by field."""
    rows = await tx.fetch(
        """
        SELECT h.field, h.value, h.value IS NOT NULL AS present,
               h.value_before, h.value_before IS NOT NULL AS present_before
        FROM entity_field_history h
        WHERE h.tenant_id = $1 AND h.entity_id = $2 AND h.field = ANY ($4) AND h.entity_version = $3
        ORDER BY h.field
        """,
        tx.actor.tenant_id,
        entity_id,
        version,
        fields,
    )
    return [
        AuditChange(
            what=row["field"],
            before=row["value_before"],
            after=row["value"],
            present_before=row["present_before"],
            present=row["present"],
        )
        for row in rows
    ]


async def find_configs(tx: Tx, agent_id: UUID, version: int) -> dict[int, dict[str, Any]]:
    """What an agent ran with from a version on, and before it."""
    rows = await tx.fetch(
        """
        SELECT v.version, v.config FROM agent_versions v
        WHERE v.tenant_id = $1 AND v.agent_id = $2 AND v.version BETWEEN $3 - 1 AND $3
        """,
        tx.actor.tenant_id,
        agent_id,
        version,
    )
    return {row["version"]: row["config"] for row in rows}
