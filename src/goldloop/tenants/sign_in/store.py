"""SQL of accounts and sign-in sessions, through the functions that answer one secret with one row."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx


async def accounts(connection: Any, email: str) -> list[Any]:
    """Ids and password hashes of the accounts of an address, the oldest first."""
    rows: list[Any] = await connection.fetch("SELECT user_id, password_hash FROM auth_password($1)", email)
    return rows


async def find_accounts(connection: Any, email: str) -> list[Any]:
    """Accounts of an address with their workspaces, then one row without an account for its open invitations."""
    rows: list[Any] = await connection.fetch(
        "SELECT id, password_hash, workspaces FROM find_accounts($1)", email
    )
    return rows


async def find_person(connection: Any, session: bytes, slug: str | None) -> Any:
    """Who signed in, and who they are in the workspace that they ask for."""
    return await connection.fetchrow("SELECT * FROM auth_session($1, $2)", session, slug)


async def count_attempt(connection: Any, subject: bytes, limit: int, window: timedelta) -> int:
    """The seconds to wait, 0 within the limit."""
    wait: int = await connection.fetchval("SELECT count_sign_in_attempt($1, $2, $3)", subject, limit, window)
    return wait


async def take_back_attempt(connection: Any, subject: bytes) -> None:
    await connection.execute("SELECT take_back_sign_in_attempt($1)", subject)


async def open_session(connection: Any, hashed: bytes, account_id: UUID, expires_at: datetime) -> None:
    await connection.execute("SELECT open_session($1, $2, $3)", hashed, account_id, expires_at)


async def close_session(connection: Any, hashed: bytes) -> None:
    await connection.execute("SELECT close_session($1)", hashed)


async def invite_address(connection: Any, invitation: bytes) -> str | None:
    """The address that an invitation was made for, while it is valid."""
    email: str | None = await connection.fetchval("SELECT invite_address($1)", invitation)
    return email


async def use_invite(connection: Any, invitation: bytes, hashed: str, name: str, seen: list[str]) -> Any:
    """The account and the membership; None when the invitation is not valid; without an account when the address's
    passwords are not those that were seen."""
    return await connection.fetchrow(
        "SELECT account_id, slug, tenant_id, user_id FROM use_invite($1, $2, $3, $4)",
        invitation,
        hashed,
        name,
        seen,
    )


async def accept_invite(connection: Any, invitation: bytes, session: bytes) -> Any:
    """The membership; without a slug when the invitation is for another address; None when it is not valid."""
    return await connection.fetchrow(
        "SELECT slug, tenant_id, user_id FROM accept_invite($1, $2)", invitation, session
    )


async def change_password(connection: Any, session: bytes, hashed: str, seen: list[str]) -> bool | None:
    """False when the address's passwords are not those that were seen; None without a session."""
    done: bool | None = await connection.fetchval("SELECT change_password($1, $2, $3)", session, hashed, seen)
    return done


async def reset_password(connection: Any, account_id: UUID, hashed: str, seen: list[str]) -> bool:
    done: bool = await connection.fetchval("SELECT reset_password($1, $2, $3)", account_id, hashed, seen)
    return done


async def lock_accounts(tx: Tx, email: str) -> list[str]:
    """The hashes of an address's passwords, which nobody else changes until the transaction ends."""
    hashes: list[str] = await tx.fetchval("SELECT lock_accounts($1)", email)
    return hashes


async def set_first_password(tx: Tx, user_id: UUID, hashed: str) -> UUID | None:
    """The account of an invited member; None when they have joined."""
    account_id: UUID | None = await tx.fetchval("SELECT set_first_password($1, $2)", user_id, hashed)
    return account_id


async def installation_secret(connection: Any) -> str:
    """What this installation signs with when no secret key is set."""
    secret: str = await connection.fetchval("SELECT installation_secret()")
    return secret


async def prune(connection: Any) -> None:
    """Delete what has expired."""
    await connection.execute("SELECT prune_sign_ins()")
