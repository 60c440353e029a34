"""Signing in and out, joining by invitation, changing a password."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Database
from goldloop.kit.errors import InvalidInput, NotFound
from goldloop.kit.ids import new_secret, secret_hash
from goldloop.tenants.auth import SignedIn
from goldloop.tenants.model import (
    InvalidCredentials,
    InviteForAnother,
    InviteNotFound,
    SeveralAccounts,
    TooManyAttempts,
)
from goldloop.tenants.sessions.passwords import check_new_password, find_password, hash_password

SESSION_LIFETIME = timedelta(days=14)
ATTEMPT_WINDOW = timedelta(minutes=15)
ATTEMPTS_PER_PAIR = 10  # one client at one address: a person mistypes a few times
ATTEMPTS_PER_ADDRESS = (
    100  # from everywhere: a guesser needs thousands, and must not lock a person out with ten
)
ATTEMPTS_PER_CLIENT = 100  # an office behind one address signs in on a Monday


async def sign_in(db: Database, email: str, password: str, client: str) -> str:
    """Find the account of an address that has a password and open a session; returns its secret. Takes the same time
    whether the address has no account, one or several."""
    email = email.strip().lower()
    async with db.anonymous() as connection:
        await _count_attempts(connection, email, client)
        accounts = await _accounts(connection, email)
    place = await find_password([account["password_hash"] for account in accounts], password)
    if place is None:
        raise InvalidCredentials
    async with db.anonymous() as connection:
        for subject in (_subject("email", email), _subject("pair", f"{client} {email}")):
            await connection.execute("SELECT take_back_sign_in_attempt($1)", subject)
        return await _open_session(connection, accounts[place]["user_id"])


async def is_password(db: Database, email: str, password: str) -> bool:
    """An operator's question, not counted as an attempt."""
    async with db.anonymous() as connection:
        accounts = await _accounts(connection, email)
    return await find_password([account["password_hash"] for account in accounts], password) is not None


async def hash_for(db: Database, email: str, password: str) -> str:
    """The hash of a password that an operator chose for an address."""
    async with db.anonymous() as connection:
        accounts = await _accounts(connection, email)
    return await hash_password(password, [account["password_hash"] for account in accounts])


async def join(db: Database, token: str, name: str, password: str, client: str) -> str:
    """Use an invitation: join with the account of the invited address that has this password, else with a new one.

    It answers the same whether the address has accounts or none; as it tells a right password, it counts as an attempt.
    """
    check_new_password(password, "/password")
    invitation = secret_hash(token)
    async with db.anonymous() as connection:
        email = await connection.fetchval("SELECT invite_address($1)", invitation)
        if email is None:
            raise InviteNotFound
        await _count_attempts(connection, email, client)
        accounts = await _accounts(connection, email)
    hashed = await hash_password(password, [account["password_hash"] for account in accounts])
    async with db.anonymous() as connection:
        account_id = await connection.fetchval(
            "SELECT use_invite($1, $2, $3)", invitation, hashed, name.strip()
        )
        if account_id is None:
            raise InviteNotFound
        return await _open_session(connection, account_id)


async def accept_invite(db: Database, token: str, session: str) -> None:
    """Use an invitation as the signed-in person whose address it was made for."""
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


async def change_password(db: Database, session: str, person: SignedIn, current: str, new: str) -> None:
    """Set a new password; every other session of the account ends.

    It stays counted as an attempt: an account of the same address that has the new password becomes one with it."""
    check_new_password(new, "/new_password")
    async with db.anonymous() as connection:
        await _count_attempt(connection, _subject("email", person.email), ATTEMPTS_PER_ADDRESS)
        accounts = await _accounts(connection, person.email)
    own = [account["password_hash"] for account in accounts if account["user_id"] == person.account_id]
    if await find_password(own, current) is None:
        raise InvalidInput.at("/current_password", "wrong_password", "This is not the current password")
    hashed = await hash_password(new, own)
    async with db.anonymous() as connection:
        await connection.execute("SELECT change_password($1, $2)", secret_hash(session), hashed)


async def reset_password(db: Database, email: str, workspace: str | None, password: str) -> UUID:
    """An operator's act: a new password for the account of an address, the one in a workspace if there are several."""
    async with db.anonymous() as connection:
        found = await connection.fetch("SELECT id, password_hash, workspaces FROM find_accounts($1)", email)
    accounts = [account for account in found if workspace is None or workspace in account["workspaces"]]
    if not accounts:
        raise NotFound(f"there is nobody with the address {email}")
    if len(accounts) > 1:
        places = ", ".join(slug for account in accounts for slug in account["workspaces"])
        raise SeveralAccounts(f"{email} has several accounts: say in which workspace ({places})")
    (account,) = accounts
    hashed = await hash_password(password, [account["password_hash"]])
    async with db.anonymous() as connection:
        await connection.execute("SELECT reset_password($1, $2)", account["id"], hashed)
    account_id: UUID = account["id"]
    return account_id


async def _accounts(connection: Any, email: str) -> list[Any]:
    rows: list[Any] = await connection.fetch("SELECT user_id, password_hash FROM auth_password($1)", email)
    return rows


def _subject(kind: str, value: str) -> bytes:
    return secret_hash(f"{kind}:{value}")


async def _count_attempts(connection: Any, email: str, client: str) -> None:
    await _count_attempt(connection, _subject("client", client), ATTEMPTS_PER_CLIENT)
    await _count_attempt(connection, _subject("pair", f"{client} {email}"), ATTEMPTS_PER_PAIR)
    await _count_attempt(connection, _subject("email", email), ATTEMPTS_PER_ADDRESS)


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


async def _open_session(connection: Any, account_id: UUID) -> str:
    session = new_secret()
    await connection.execute(
        "SELECT open_session($1, $2, $3)", secret_hash(session), account_id, now() + SESSION_LIFETIME
    )
    return session
