"""SQL of memberships and invitations. The only writer of `memberships`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.pagination import FIRST_ID
from goldloop.tenants.model import Member, Role, SignInWays
from goldloop.tenants.parties.store import find_parties, set_name

_MEMBERS = """
    SELECT m.user_id, m.email, m.role, m.provider, m.created_at,
           CASE WHEN m.account_id IS NULL THEN 'invited' ELSE 'active' END AS status
    FROM memberships m WHERE m.tenant_id = $1
"""

_NOT_JOINED = SignInWays(password=False, second_factor=False, providers=[])


def from_row(row: Any, name: str, ways: SignInWays) -> Member:
    return Member(
        user_id=row["user_id"],
        email=row["email"],
        name=name,
        role=Role(row["role"]),
        status=row["status"],
        created_at=row["created_at"],
        sign_in=ways,
        role_from=row["provider"],
    )


async def _ways(tx: Tx, user_ids: list[UUID]) -> dict[UUID, SignInWays]:
    rows = await tx.fetch(
        "SELECT user_id, has_password, has_second_factor, providers FROM sign_in_ways($1)", user_ids
    )
    return {
        row["user_id"]: SignInWays(
            password=row["has_password"],
            second_factor=row["has_second_factor"],
            providers=row["providers"],
        )
        for row in rows
    }


async def _read(tx: Tx, query: str, *arguments: Any) -> list[Member]:
    rows = await tx.fetch(f"{_MEMBERS} {query}", tx.actor.tenant_id, *arguments)
    people = await find_parties(tx, [("user", row["user_id"]) for row in rows]) if rows else {}
    ways = await _ways(tx, [row["user_id"] for row in rows]) if rows else {}
    return [
        from_row(row, people["user", row["user_id"]].name or "", ways.get(row["user_id"], _NOT_JOINED))
        for row in rows
    ]


async def insert(tx: Tx, user_id: UUID, email: str, name: str, role: Role) -> bool:
    """Somebody invited, who has no account here yet. False when the workspace has a member with this address."""
    made = await tx.execute(
        """
        INSERT INTO memberships (tenant_id, user_id, email, role, created_by_kind, created_by_id)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        user_id,
        email,
        role,
        tx.actor.kind,
        tx.actor.id,
    )
    if made:
        await set_name(tx, ActorKind.USER, user_id, name)
    return bool(made)


async def find(tx: Tx, user_id: UUID) -> Member | None:
    return next(iter(await _read(tx, "AND m.user_id = $2", user_id)), None)


async def hold(tx: Tx, user_id: UUID) -> Member | None:
    """As `find`, locked until the transaction ends: whoever removes the member or changes the role waits."""
    return next(iter(await _read(tx, "AND m.user_id = $2 FOR SHARE", user_id)), None)


async def count_joined(tx: Tx, roles: list[Role]) -> int:
    """How many people of some roles can sign in."""
    found: int = await tx.fetchval(
        "SELECT count(*) FROM memberships WHERE tenant_id = $1 AND role = ANY ($2) AND account_id IS NOT NULL",
        tx.actor.tenant_id,
        [str(role) for role in roles],
    )
    return found


async def find_by_email(tx: Tx, email: str) -> Member | None:
    return next(iter(await _read(tx, "AND m.email = lower($2)", email)), None)


async def first_owner(tx: Tx) -> Member | None:
    return next(iter(await _read(tx, "AND m.role = 'owner' ORDER BY m.created_at LIMIT 1")), None)


async def list_by_id(tx: Tx, after: UUID | None, limit: int) -> list[Member]:
    return await _read(tx, "AND m.user_id > $2 ORDER BY m.user_id LIMIT $3", after or FIRST_ID, limit)


async def lock_owners(tx: Tx) -> dict[UUID, bool]:
    """The owners and whether they have joined, locked: two of them leaving at once cannot both be let go."""
    rows = await tx.fetch(
        """
        SELECT user_id, account_id IS NOT NULL AS has_joined FROM memberships
        WHERE tenant_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE
        """,
        tx.actor.tenant_id,
    )
    return {row["user_id"]: row["has_joined"] for row in rows}


async def set_id(tx: Tx, user_id: UUID, new_id: UUID) -> None:
    """Of a member who has joined, and so has no invitation."""
    await tx.execute(
        "UPDATE memberships SET user_id = $3 WHERE tenant_id = $1 AND user_id = $2",
        tx.actor.tenant_id,
        user_id,
        new_id,
    )
    await tx.execute("SELECT pg_notify('goldloop_auth', '')")


async def set_role(tx: Tx, user_id: UUID, role: Role) -> None:
    await tx.execute(
        "UPDATE memberships SET role = $3 WHERE tenant_id = $1 AND user_id = $2",
        tx.actor.tenant_id,
        user_id,
        role,
    )
    await tx.execute("SELECT pg_notify('goldloop_auth', '')")


async def set_provider(tx: Tx, user_id: UUID, provider: str) -> None:
    """From now on the provider's claims decide about this membership."""
    await tx.execute(
        "UPDATE memberships SET provider = $3 WHERE tenant_id = $1 AND user_id = $2",
        tx.actor.tenant_id,
        user_id,
        provider,
    )


async def delete(tx: Tx, user_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM memberships WHERE tenant_id = $1 AND user_id = $2", tx.actor.tenant_id, user_id
    )
    await tx.execute("SELECT pg_notify('goldloop_auth', '')")


async def open_invite(tx: Tx, hashed: bytes, user_id: UUID, expires_at: datetime) -> None:
    await tx.execute("SELECT open_invite($1, $2, $3)", hashed, user_id, expires_at)


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's members, as if they had been here since then. For the demo alone."""
    await tx.execute(
        "UPDATE memberships SET created_at = $2, joined_at = CASE WHEN joined_at IS NOT NULL THEN $2::timestamptz END WHERE tenant_id = $1 AND created_at >= now()",
        tx.actor.tenant_id,
        since,
    )
