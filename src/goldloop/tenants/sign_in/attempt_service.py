"""Use cases of attempts to sign in: each is counted before it is tried, by who tries and what they try it at, and taken back when
it was right."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from goldloop.kit.db import Database
from goldloop.kit.ids import secret_hash
from goldloop.tenants.model import TooManyAttempts
from goldloop.tenants.sign_in import store
from goldloop.tenants.sign_in.model import Visit

ATTEMPT_WINDOW = timedelta(minutes=15)
ATTEMPTS_PER_PAIR = 10  # one client at one address: a person mistypes a few times
ATTEMPTS_PER_ADDRESS = (
    100  # from everywhere: a guesser needs thousands, and must not lock a person out with ten
)
ATTEMPTS_PER_ACCOUNT = 10  # of who is signed in and gives a wrong current password, from everywhere
ATTEMPTS_PER_CODE = (
    10  # codes of an account's second factor, by who knows its password: three of a million are right
)
VISITS_PER_CLIENT = 300  # to a provider and back: an office behind one address, twice
ATTEMPTS_PER_CLIENT = 100  # an office behind one address signs in on a Monday


async def count(connection: Any, email: str, client: str) -> None:
    """A password is about to be tried at an address."""
    await count_of_client(connection, email, client)
    await count_at_address(connection, email)


async def count_of_client(connection: Any, email: str, client: str) -> None:
    await _count(connection, _subject("client", client), ATTEMPTS_PER_CLIENT)
    await _count(connection, _subject("pair", f"{client} {email}"), ATTEMPTS_PER_PAIR)


async def count_at_address(connection: Any, email: str) -> None:
    await _count(connection, _subject("email", email), ATTEMPTS_PER_ADDRESS)


async def take_back(connection: Any, email: str, client: str) -> None:
    for subject in (_subject("email", email), _subject("pair", f"{client} {email}")):
        await store.take_back_attempt(connection, subject)


async def count_code(db: Database, account_id: UUID | None, code: str | None) -> None:
    """A code of a second factor: in a transaction of its own, and only for who has shown the password, or a link to a new one,
    or is signed in. Else whoever knows an address locks its person out."""
    if account_id is not None and code:
        async with db.anonymous() as connection:
            await _count(connection, _subject("code", str(account_id)), ATTEMPTS_PER_CODE)


async def take_code_back(connection: Any, account_id: UUID) -> None:
    await store.take_back_attempt(connection, _subject("code", str(account_id)))


async def count_at_account(connection: Any, account_id: UUID) -> None:
    """The current password is about to be tried by who is signed in."""
    await _count(connection, _subject("account", str(account_id)), ATTEMPTS_PER_ACCOUNT)


async def take_account_back(connection: Any, account_id: UUID) -> None:
    await store.take_back_attempt(connection, _subject("account", str(account_id)))


async def count_visit(connection: Any, visit: Visit) -> None:
    """Somebody is sent to a provider or comes back from one."""
    await _count(connection, _subject("visit", visit.client), VISITS_PER_CLIENT)


def _subject(kind: str, value: str) -> bytes:
    return secret_hash(f"{kind}:{value}")


async def _count(connection: Any, subject: bytes, limit: int) -> None:
    wait = await store.count_attempt(connection, subject, limit, ATTEMPT_WINDOW)
    if wait:
        minutes = -(-wait // 60)
        raise TooManyAttempts(
            f"Too many sign-in attempts: try again in {minutes} minute{'s' if minutes > 1 else ''}",
            headers={"Retry-After": str(wait)},
        )
