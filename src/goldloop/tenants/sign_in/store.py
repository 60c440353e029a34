"""SQL of accounts and sign-in sessions, through the functions that answer one secret with one row."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.tenants.sign_in.model import Opening, SignIn


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


async def open_session(connection: Any, hashed: bytes, opening: Opening) -> None:
    await connection.execute(
        "SELECT open_session($1, $2, $3, $4, $5, $6, $7, $8)",
        hashed,
        opening.account_id,
        opening.expires_at,
        opening.method,
        opening.provider,
        opening.id_token,
        opening.visit.device,
        opening.visit.client,
    )


async def close_session(connection: Any, hashed: bytes) -> Any:
    """The provider that its person signed in at, with a sealed token of it; None without a session."""
    return await connection.fetchrow("SELECT provider, id_token FROM close_session($1)", hashed)


class Membership(NamedTuple):
    tenant_id: UUID
    user_id: UUID


async def session_memberships(connection: Any, hashed: bytes) -> list[Membership]:
    """Of the person behind a session, in the workspaces that it opens."""
    rows = await connection.fetch("SELECT tenant_id, user_id FROM session_memberships($1)", hashed)
    return [Membership(*row) for row in rows]


async def touch_session(connection: Any, hashed: bytes, client: str) -> None:
    await connection.execute("SELECT touch_session($1, $2)", hashed, client)


async def own_sessions(connection: Any, session: bytes) -> list[SignIn]:
    rows = await connection.fetch(
        """
        SELECT id, method, provider, device, client, created_at, last_seen_at, expires_at, is_current
        FROM own_sessions($1)
        """,
        session,
    )
    return [SignIn(**row) for row in rows]


async def end_own_sessions(connection: Any, session: bytes, session_id: UUID | None) -> int:
    """One other session of the account, or all others; how many ended."""
    ended: int = await connection.fetchval("SELECT end_own_sessions($1, $2)", session, session_id)
    return ended


async def end_member_sessions(tx: Tx, user_id: UUID) -> bool:
    """False when there is no such member who has joined."""
    ended: bool = await tx.fetchval("SELECT end_member_sessions($1)", user_id)
    return ended


async def show_account(connection: Any, session: bytes) -> Any:
    return await connection.fetchrow(
        "SELECT account_id, has_password, second_factor_since, recovery_codes_left, identities FROM show_account($1)",
        session,
    )


async def open_reset(tx: Tx, hashed: bytes, user_id: UUID, drops_factor: bool, expires_at: datetime) -> bool:
    """False when there is no such member who has joined."""
    made: bool = await tx.fetchval(
        "SELECT open_reset($1, $2, $3, $4)", hashed, user_id, drops_factor, expires_at
    )
    return made


async def open_account_reset(
    connection: Any, hashed: bytes, account_id: UUID, drops_factor: bool, expires_at: datetime
) -> None:
    await connection.execute(
        "SELECT open_account_reset($1, $2, $3, $4)", hashed, account_id, drops_factor, expires_at
    )


async def find_reset(connection: Any, hashed: bytes) -> Any:
    return await connection.fetchrow("SELECT email, by_operator, account_id FROM find_reset($1)", hashed)


async def use_reset(connection: Any, hashed: bytes, password_hash: str, new_id: UUID, seen: list[str]) -> Any:
    """The account; None when the link is not valid; without an account when the address's passwords are not those that
    were seen."""
    return await connection.fetchrow(
        "SELECT account_id FROM use_reset($1, $2, $3, $4)", hashed, password_hash, new_id, seen
    )


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
        "SELECT slug, tenant_id, user_id, name FROM accept_invite($1, $2)", invitation, session
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


async def set_first_password(tx: Tx, user_id: UUID, hashed: str, name: str) -> UUID | None:
    """The account of an invited member; None when they have joined."""
    account_id: UUID | None = await tx.fetchval(
        "SELECT set_first_password($1, $2, $3)", user_id, hashed, name
    )
    return account_id


async def installation_secret(connection: Any) -> str:
    """What this installation signs with when no secret key is set."""
    secret: str = await connection.fetchval("SELECT installation_secret()")
    return secret


async def prune(connection: Any) -> None:
    """Delete what has expired."""
    await connection.execute("SELECT prune_sign_ins()")
