"""SQL of API keys. The only writer of `api_keys` and, through `create_api_key`, of their hashes."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID
from goldloop.tenants.model import ApiKey, KeyStatus, Role
from goldloop.tenants.parties.store import Parties, find_parties

_COLUMNS = """
    k.id, k.name, k.prefix, k.role, k.scopes, k.user_id, k.agent_id, k.created_at, k.created_by_kind,
    k.created_by_id, k.expires_at, k.last_used_at, k.revoked_at
"""


def _holder(row: Any) -> tuple[str, UUID]:
    return ("agent", row["agent_id"]) if row["agent_id"] is not None else ("user", row["user_id"])


def _maker(row: Any) -> tuple[str, UUID | None]:
    return row["created_by_kind"], row["created_by_id"]


def from_row(row: Any, parties: Parties) -> ApiKey:
    expired = row["expires_at"] is not None and row["expires_at"] <= now()
    return ApiKey(
        id=row["id"],
        name=row["name"],
        prefix=row["prefix"],
        role=Role(row["role"]),
        scopes=row["scopes"],
        holder=parties[_holder(row)],
        created_at=row["created_at"],
        created_by=parties[_maker(row)],
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
        revoked_at=row["revoked_at"],
        status=KeyStatus.REVOKED if row["revoked_at"] else KeyStatus.EXPIRED if expired else KeyStatus.ACTIVE,
    )


async def _with_parties(tx: Tx, rows: list[Any]) -> list[ApiKey]:
    named = [named for row in rows for named in (_holder(row), _maker(row))]
    parties = await find_parties(tx, named) if rows else {}
    return [from_row(row, parties) for row in rows]


class Made(NamedTuple):
    key: ApiKey
    event: Event


async def insert(
    tx: Tx,
    *,
    key_id: UUID,
    hashed: bytes,
    name: str,
    prefix: str,
    role: Role,
    scopes: list[str] | None,
    user_id: UUID | None,
    agent_id: UUID | None,
    expires_at: datetime | None,
) -> Made | None:
    """The key, its hash and its event in one call; None, and none of them, when the id is taken."""
    row = await tx.fetchrow(
        f"""
        SELECT {_COLUMNS}, made.event
        FROM create_api_key($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) made
        CROSS JOIN LATERAL (SELECT (made.key).*) k
        """,
        key_id,
        hashed,
        name,
        prefix,
        role,
        scopes,
        user_id,
        agent_id,
        tx.actor.kind,
        tx.actor.id,
        expires_at,
        new_id(),
    )
    event = Event.written(row["event"]) if row else None
    return Made((await _with_parties(tx, [row]))[0], event) if event else None


async def find_holder(connection: Any, hashed: bytes) -> Any:
    """Whose key it is, with all that says what they may do."""
    return await connection.fetchrow("SELECT * FROM auth_key($1)", hashed)


async def find(tx: Tx, key_id: UUID) -> ApiKey | None:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM api_keys k WHERE k.tenant_id = $1 AND k.id = $2", tx.actor.tenant_id, key_id
    )
    return next(iter(await _with_parties(tx, rows)), None)


_IN_STATUS = {
    None: "",
    KeyStatus.ACTIVE: "AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())",
    KeyStatus.EXPIRED: "AND k.revoked_at IS NULL AND k.expires_at <= now()",
    KeyStatus.REVOKED: "AND k.revoked_at IS NOT NULL",
}


async def list_newest_first(
    tx: Tx, status: KeyStatus | None, before: UUID | None, limit: int
) -> list[ApiKey]:
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM api_keys k
        WHERE k.tenant_id = $1 AND k.id < $2 {_IN_STATUS[status]}
        ORDER BY k.id DESC LIMIT $3
        """,
        tx.actor.tenant_id,
        before or LAST_ID,
        limit,
    )
    return await _with_parties(tx, rows)


async def revoke(tx: Tx, key_id: UUID) -> bool:
    """Mark a key revoked, and drop it from every process's cache. False when it is not there or was already."""
    done = await tx.execute(
        """
        UPDATE api_keys SET revoked_at = now(), revoked_by_kind = $3, revoked_by_id = $4
        WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL
        """,
        tx.actor.tenant_id,
        key_id,
        tx.actor.kind,
        tx.actor.id,
    )
    if done:
        await tx.execute("SELECT pg_notify('goldloop_auth', '')")
    return bool(done)


async def set_user(tx: Tx, user_id: UUID, new_id: UUID) -> None:
    """Whose keys those of a member are, where the member has another id from now on."""
    await tx.execute(
        "UPDATE api_keys SET user_id = $3 WHERE tenant_id = $1 AND user_id = $2",
        tx.actor.tenant_id,
        user_id,
        new_id,
    )


async def revoke_all_of(tx: Tx, user_id: UUID) -> None:
    """Revoke every key of a person who leaves."""
    await tx.execute(
        """
        UPDATE api_keys SET revoked_at = now(), revoked_by_kind = $3, revoked_by_id = $4
        WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL
        """,
        tx.actor.tenant_id,
        user_id,
        tx.actor.kind,
        tx.actor.id,
    )


async def set_last_used(tx: Tx, key_id: UUID, at: datetime) -> bool:
    """Move the last use forward, never back: jobs may run late, twice, or in another order."""
    return bool(
        await tx.execute(
            """
            UPDATE api_keys SET last_used_at = $3
            WHERE tenant_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)
            """,
            tx.actor.tenant_id,
            key_id,
            at,
        )
    )


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's keys, as if they had been here since then. For the demo alone."""
    await tx.execute(
        "UPDATE api_keys SET created_at = $2 WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
