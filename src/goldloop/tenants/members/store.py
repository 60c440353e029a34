"""SQL of memberships and invitations. The only writer of `memberships`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.pagination import FIRST_ID
from goldloop.tenants.model import Member, Role

_MEMBERS = """
    SELECT m.user_id, u.email, u.name, m.role, m.created_at,
           CASE WHEN m.joined_at IS NULL THEN 'invited' ELSE 'active' END AS status
    FROM memberships m
    JOIN users u ON u.id = m.user_id
"""


def from_row(row: Any) -> Member:
    return Member(
        user_id=row["user_id"],
        email=row["email"],
        name=row["name"],
        role=Role(row["role"]),
        status=row["status"],
        created_at=row["created_at"],
    )


async def ensure_user(tx: Tx, user_id: UUID, email: str, name: str) -> UUID:
    """The person with this address, made if need be."""
    found: UUID = await tx.fetchval("SELECT ensure_user($1, $2, $3)", user_id, email, name)
    return found


async def insert(tx: Tx, user_id: UUID, role: Role) -> bool:
    return bool(
        await tx.execute(
            """
            INSERT INTO memberships (tenant_id, user_id, role, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            user_id,
            role,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, user_id: UUID) -> Member | None:
    row = await tx.fetchrow(f"{_MEMBERS} WHERE m.user_id = $1", user_id)
    return from_row(row) if row else None


async def count_joined(tx: Tx, roles: list[Role]) -> int:
    """How many people of some roles can sign in."""
    found: int = await tx.fetchval(
        "SELECT count(*) FROM memberships WHERE tenant_id = $1 AND role = ANY ($2) AND joined_at IS NOT NULL",
        tx.actor.tenant_id,
        [str(role) for role in roles],
    )
    return found


async def find_by_email(tx: Tx, email: str) -> Member | None:
    row = await tx.fetchrow(f"{_MEMBERS} WHERE u.email = lower($1)", email)
    return from_row(row) if row else None


async def first_owner(tx: Tx) -> Member | None:
    row = await tx.fetchrow(f"{_MEMBERS} WHERE m.role = 'owner' ORDER BY m.created_at LIMIT 1")
    return from_row(row) if row else None


async def list_by_id(tx: Tx, after: UUID | None, limit: int) -> list[Member]:
    rows = await tx.fetch(
        f"{_MEMBERS} WHERE m.user_id > $1 ORDER BY m.user_id LIMIT $2", after or FIRST_ID, limit
    )
    return [from_row(row) for row in rows]


async def lock_owners(tx: Tx) -> set[UUID]:
    """The owners, locked: two of them leaving at once cannot both be let go."""
    rows = await tx.fetch(
        "SELECT user_id FROM memberships WHERE tenant_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE",
        tx.actor.tenant_id,
    )
    return {row["user_id"] for row in rows}


async def set_role(tx: Tx, user_id: UUID, role: Role) -> None:
    await tx.execute(
        "UPDATE memberships SET role = $3 WHERE tenant_id = $1 AND user_id = $2",
        tx.actor.tenant_id,
        user_id,
        role,
    )
    await tx.execute("SELECT pg_notify('goldloop_auth', '')")


async def delete(tx: Tx, user_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM memberships WHERE tenant_id = $1 AND user_id = $2", tx.actor.tenant_id, user_id
    )
    await tx.execute("SELECT pg_notify('goldloop_auth', '')")


async def open_invite(tx: Tx, hashed: bytes, user_id: UUID, expires_at: datetime) -> None:
    await tx.execute("SELECT open_invite($1, $2, $3)", hashed, user_id, expires_at)
