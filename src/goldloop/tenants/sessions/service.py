"""Signing in and out, joining by invitation, changing a password."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Database
from goldloop.kit.errors import InvalidInput
from goldloop.kit.ids import new_secret, secret_hash
from goldloop.tenants.model import (
    AccountExists,
    InvalidCredentials,
    InviteForAnother,
    InviteNotFound,
    TooManyAttempts,
)
from goldloop.tenants.sessions.passwords import check_new_password, hash_password, verify_password

SESSION_LIFETIME = timedelta(days=14)
ATTEMPT_WINDOW = timedelta(minutes=15)
ATTEMPTS_PER_PAIR = 10  # one client at one address: a person mistypes a few times
ATTEMPTS_PER_ADDRESS = (
    100  # from everywhere: a guesser needs thousands, and must not lock a person out with ten
)
ATTEMPTS_PER_CLIENT = 100  # an office behind one address signs in on a Monday


async def sign_in(db: Database, email: str, password: str, client: str) -> str:
    """Check a password and open a session; returns its secret. Takes the same time for unknown addresses."""
    email = email.strip().lower()
    async with db.anonymous() as connection:
        await _count_attempt(connection, _subject("client", client), ATTEMPTS_PER_CLIENT)
        await _count_attempt(connection, _subject("pair", f"{client} {email}"), ATTEMPTS_PER_PAIR)
        await _count_attempt(connection, _subject("email", email), ATTEMPTS_PER_ADDRESS)
        row = await connection.fetchrow("SELECT user_id, password_hash FROM auth_password($1)", email)
    if not await verify_password(row["password_hash"] if row else None, password):
        raise InvalidCredentials
    async with db.anonymous() as connection:
        for subject in (_subject("email", email), _subject("pair", f"{client} {email}")):
            await connection.execute("SELECT forget_sign_in_attempts($1)", subject)
        return await _open_session(connection, row["user_id"])


async def is_password(db: Database, email: str, password: str) -> bool:
    """An operator's question, not counted as an attempt."""
    async with db.anonymous() as connection:
        row = await connection.fetchrow("SELECT password_hash FROM auth_password($1)", email)
    return await verify_password(row["password_hash"] if row else None, password)


async def join(db: Database, token: str, name: str, password: str) -> str:
    """Use an invitation: set the invited person's name and password and sign them in."""
    check_new_password(password, "/password")
    invitation = secret_hash(token)
    async with db.anonymous() as connection:
        state = await connection.fetchval("SELECT invite_state($1)", invitation)
    if state == "account_exists":
        raise AccountExists
    if state is None:
        raise InviteNotFound
    hashed = await hash_password(password)
    async with db.anonymous() as connection:
        user_id = await connection.fetchval("SELECT use_invite($1, $2, $3)", invitation, hashed, name.strip())
        if user_id is None:
            raise InviteNotFound
        return await _open_session(connection, user_id)


async def accept_invite(db: Database, token: str, session: str) -> None:
    """Use an invitation as the signed-in person that it was made for."""
    async with db.anonymous() as connection:
        outcome = await connection.fetchval(
            "SELECT accept_invite($1, $2)", secret_hash(token), secret_hash(session)
        )
    if outcome is None:
        raise InviteNotFound
    if outcome == "for_another":
        raise InviteForAnother


async def sign_out(db: Database, session: str) -> None:
    async with db.anonymous() as connection:
        await connection.execute("SELECT close_session($1)", secret_hash(session))


async def change_password(db: Database, session: str, email: str, current: str, new: str) -> None:
    """Set a new password; every other session of the person ends."""
    check_new_password(new, "/new_password")
    async with db.anonymous() as connection:
        await _count_attempt(connection, _subject("email", email), ATTEMPTS_PER_ADDRESS)
        row = await connection.fetchrow("SELECT password_hash FROM auth_password($1)", email)
    if not await verify_password(row["password_hash"] if row else None, current):
        raise InvalidInput.at("/current_password", "wrong_password", "This is not the current password")
    hashed = await hash_password(new)
    async with db.anonymous() as connection:
        await connection.execute("SELECT change_password($1, $2)", secret_hash(session), hashed)
        await connection.execute("SELECT forget_sign_in_attempts($1)", _subject("email", email))


def _subject(kind: str, value: str) -> bytes:
    return secret_hash(f"{kind}:{value}")


async def _count_attempt(connection: Any, subject: bytes, limit: int) -> None:
    wait = await connection.fetchval(
        "SELECT count_sign_in_attempt($1, $2, $3)", subject, limit, ATTEMPT_WINDOW
    )
    if wait:
        minutes = -(-wait // 60)
        raise TooManyAttempts(
            f"Too many sign-in attempts: try again in {minutes} minute{'s' if minutes > 1 else ''}",
            headers={"Retry-After": str(wait)},
        )


async def _open_session(connection: Any, user_id: UUID) -> str:
    session = new_secret()
    await connection.execute(
        "SELECT open_session($1, $2, $3)", secret_hash(session), user_id, now() + SESSION_LIFETIME
    )
    return session
