"""SQL of identities and of sign-ins at a provider, through functions."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.tenants.identities.following import Standing
from goldloop.tenants.identities.model import Identity
from goldloop.tenants.model import Role


async def open_request(connection: Any, hashed: bytes, content: bytes, expires_at: datetime) -> None:
    await connection.execute("SELECT open_sign_in_request($1, $2, $3)", hashed, content, expires_at)


async def take_request(connection: Any, hashed: bytes) -> bytes | None:
    """What was kept, once; None when there is nothing, or it has expired."""
    content: bytes | None = await connection.fetchval("SELECT take_sign_in_request($1)", hashed)
    return content


async def use_identity(connection: Any, identity: Identity) -> UUID | None:
    """The account that it is linked to."""
    account_id: UUID | None = await connection.fetchval(
        "SELECT use_identity($1, $2, $3, $4)",
        identity.issuer,
        identity.subject,
        identity.provider.name,
        identity.email,
    )
    return account_id


async def link(connection: Any, link_id: UUID, account_id: UUID, identity: Identity) -> bool:
    """False when it is another account's."""
    linked: bool = await connection.fetchval(
        "SELECT link_identity($1, $2, $3, $4, $5, $6)",
        link_id,
        account_id,
        identity.issuer,
        identity.subject,
        identity.provider.name,
        identity.email,
    )
    return linked


async def unlink(connection: Any, session: bytes, link_id: UUID) -> bool | None:
    """False when it is the only way in; None when it is not this account's."""
    done: bool | None = await connection.fetchval("SELECT unlink_identity($1, $2)", session, link_id)
    return done


async def make_account(connection: Any, account_id: UUID, identity: Identity) -> None:
    await connection.execute("SELECT make_account($1, $2, $3)", account_id, identity.email, identity.name)


async def claim_account(connection: Any, account_id: UUID, issuer: str) -> bool:
    """False when only its person may link it."""
    claimed: bool = await connection.fetchval("SELECT claim_account($1, $2)", account_id, issuer)
    return claimed


async def standings(
    connection: Any, slugs: Iterable[str], account_id: UUID | None, email: str
) -> list[Standing]:
    rows = await connection.fetch(
        """
        SELECT slug, tenant_id, user_id, role, provider, namesake_id, namesake_account
        FROM provider_memberships($1, $2, $3)
        """,
        list(slugs),
        account_id,
        email,
    )
    return [Standing(**{**row, "role": Role(row["role"]) if row["role"] else None}) for row in rows]


async def join(tx: Tx, user_id: UUID, account_id: UUID) -> None:
    await tx.execute("SELECT join_by_provider($1, $2)", user_id, account_id)
