"""Use cases: sign in and out, join by invitation, change a password."""

from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Actor, ActorKind, Database, go_on_as
from goldloop.kit.errors import InvalidInput, NotFound, Unauthenticated
from goldloop.kit.events import NOTHING, emit
from goldloop.kit.ids import new_secret, secret_hash
from goldloop.kit.permissions import Permissions
from goldloop.tenants.auth.model import SignedIn
from goldloop.tenants.members import events as member_events
from goldloop.tenants.model import (
    InvalidCredentials,
    InviteForAnother,
    InviteNotFound,
    SeveralAccounts,
    TooManyAttempts,
)
from goldloop.tenants.sign_in import store
from goldloop.tenants.sign_in.passwords import check_new_password, find_password, hash_password

SESSION_LIFETIME = timedelta(days=14)
ATTEMPT_WINDOW = timedelta(minutes=15)
ATTEMPTS_PER_PAIR = 10  # one client at one address: a person mistypes a few times
ATTEMPTS_PER_ADDRESS = (
    100  # from everywhere: a guesser needs thousands, and must not lock a person out with ten
)
ATTEMPTS_PER_ACCOUNT = 10  # of who is signed in and gives a wrong current password, from everywhere
ATTEMPTS_PER_CLIENT = 100  # an office behind one address signs in on a Monday


async def sign_in(db: Database, email: str, password: str, client: str) -> str:
    """Find the account of an address that has a password and open a session; returns its secret. Takes the same time
    whether the address has no account, one or several."""
    email = email.strip().lower()
    async with db.anonymous() as connection:
        await _count_attempts(connection, email, client)
        accounts = await store.accounts(connection, email)
    place = await find_password([account["password_hash"] for account in accounts], password)
    if place is None:
        raise InvalidCredentials
    async with db.anonymous() as connection:
        for subject in (_subject("email", email), _subject("pair", f"{client} {email}")):
            await store.take_back_attempt(connection, subject)
        return await _open_session(connection, accounts[place]["user_id"])


async def is_password(db: Database, email: str, password: str) -> bool:
    """Whether this is the password, for an operator's command; not counted as an attempt."""
    async with db.anonymous() as connection:
        accounts = await store.accounts(connection, email)
    return await find_password([account["password_hash"] for account in accounts], password) is not None


class Joined(NamedTuple):
    session: str
    slug: str


async def join(db: Database, token: str, name: str, password: str, client: str) -> Joined:
    """Use an invitation: join with the account of the invited address that has this password, else with a new one.

    It answers the same whether the address has accounts or none; as it tells a right password, it counts as an attempt.
    """
    check_new_password(password, "/password")
    invitation = secret_hash(token)
    async with db.anonymous() as connection:
        email = await store.invite_address(connection, invitation)
        if email is None:
            raise InviteNotFound
        await _count_attempts(connection, email, client)
    while True:  # again when another account of the address was made or changed while this one was hashed
        async with db.anonymous() as connection:
            seen = [account["password_hash"] for account in await store.accounts(connection, email)]
        hashed = await hash_password(password, seen)
        async with db.anonymous() as connection:
            used = await store.use_invite(connection, invitation, hashed, name.strip(), seen)
            if used is None:
                raise InviteNotFound
            if used["account_id"] is not None:
                session = await _open_session(connection, used["account_id"])
                await _emit_joined(connection, used["tenant_id"], used["user_id"])
                return Joined(session, used["slug"])


async def accept_invite(db: Database, token: str, session: str) -> str:
    """Use an invitation as the signed-in person whose address it was made for; returns the workspace's slug."""
    async with db.anonymous() as connection:
        used = await store.accept_invite(connection, secret_hash(token), secret_hash(session))
        if used is not None and used["user_id"] is not None:
            await _emit_joined(connection, used["tenant_id"], used["user_id"])
    if used is None:
        raise InviteNotFound
    slug: str | None = used["slug"]
    if slug is None:
        raise InviteForAnother
    return slug


async def _emit_joined(connection: Any, tenant_id: UUID, user_id: UUID) -> None:
    """The transaction goes on as the new member's, who may do nothing in it but have joined."""
    may_nothing = Permissions(grants=frozenset())
    member = Actor(tenant_id=tenant_id, kind=ActorKind.USER, id=user_id, name="", permissions=may_nothing)
    await emit(await go_on_as(connection, member), member_events.JOINED.of(user_id, NOTHING))


async def sign_out(db: Database, session: str) -> None:
    async with db.anonymous() as connection:
        await store.close_session(connection, secret_hash(session))


async def change_password(
    db: Database, session: str, person: SignedIn, current: str, new: str, client: str
) -> None:
    """Set a new password; every other session of the account ends.

    A wrong current password counts against the account alone: it tells nothing of others of the address. A right one
    makes it an attempt at the address, as an account that has the new password becomes one with it."""
    check_new_password(new, "/new_password")
    email, account = person.email, _subject("account", str(person.account_id))
    async with db.anonymous() as connection:
        await _count_attempts_of_client(connection, email, client)
        await _count_attempt(connection, account, ATTEMPTS_PER_ACCOUNT)
    seen = await _check_current(db, person, current)
    async with db.anonymous() as connection:
        await store.take_back_attempt(connection, account)
        await _count_attempt(connection, _subject("email", email), ATTEMPTS_PER_ADDRESS)
    while not await _set_password(db, session, new, seen):
        seen = await _check_current(db, person, current)


async def reset_password(db: Database, email: str, workspace: str | None, password: str) -> UUID:
    """An operator's act: a new password for the account of an address, the one in a workspace if there are several."""
    done = False
    while not done:
        async with db.anonymous() as connection:
            found = await store.find_accounts(connection, email)
        account_id = _the_account(found, email, workspace)
        seen = {row["id"]: row["password_hash"] for row in found if row["id"]}
        hashed = await hash_password(password, [seen[each] for each in seen if each != account_id])
        async with db.anonymous() as connection:
            done = await store.reset_password(connection, account_id, hashed, list(seen.values()))
    return account_id


def _the_account(found: list[Any], email: str, workspace: str | None) -> UUID:
    """The one that is meant, of the accounts of an address and its open invitations (without an account)."""
    accounts = [row for row in found if row["id"]]
    invited = ", ".join(slug for row in found if not row["id"] for slug in row["workspaces"])
    if not accounts and invited:
        raise NotFound(f"{email} is invited and has not joined yet: say in which workspace ({invited})")
    if not accounts:
        raise NotFound(f"there is nobody with the address {email}")
    places = ", ".join(slug for row in accounts for slug in row["workspaces"])
    meant = [row for row in accounts if workspace is None or workspace in row["workspaces"]]
    if not meant:
        raise NotFound(f"{email} is not in {workspace}, but in {places or 'no workspace'}")
    if len(meant) > 1 and not places:
        raise SeveralAccounts(f"{email} has several accounts and is in no workspace: invite them to one")
    if len(meant) > 1:
        raise SeveralAccounts(f"{email} has several accounts: say in which workspace ({places})")
    account_id: UUID = meant[0]["id"]
    return account_id


class _Seen(NamedTuple):
    hashes: list[str]
    of_others: list[str]


async def _check_current(db: Database, person: SignedIn, current: str) -> _Seen:
    """Whether a password is that of the account; with the hashes of the address."""
    async with db.anonymous() as connection:
        accounts = await store.accounts(connection, person.email)
    own = [row["password_hash"] for row in accounts if row["user_id"] == person.account_id]
    if await find_password(own, current) is None:
        raise InvalidInput.at("/current_password", "wrong_password", "This is not the current password")
    others = [row["password_hash"] for row in accounts if row["user_id"] != person.account_id]
    return _Seen([row["password_hash"] for row in accounts], others)


async def _set_password(db: Database, session: str, new: str, seen: _Seen) -> bool:
    """False when another account of the address was made or changed meanwhile."""
    hashed = await hash_password(new, seen.of_others)
    async with db.anonymous() as connection:
        done = await store.change_password(connection, secret_hash(session), hashed, seen.hashes)
    if done is None:
        raise Unauthenticated
    return done


def _subject(kind: str, value: str) -> bytes:
    return secret_hash(f"{kind}:{value}")


async def _count_attempts(connection: Any, email: str, client: str) -> None:
    await _count_attempts_of_client(connection, email, client)
    await _count_attempt(connection, _subject("email", email), ATTEMPTS_PER_ADDRESS)


async def _count_attempts_of_client(connection: Any, email: str, client: str) -> None:
    await _count_attempt(connection, _subject("client", client), ATTEMPTS_PER_CLIENT)
    await _count_attempt(connection, _subject("pair", f"{client} {email}"), ATTEMPTS_PER_PAIR)


async def _count_attempt(connection: Any, subject: bytes, limit: int) -> None:
    wait = await store.count_attempt(connection, subject, limit, ATTEMPT_WINDOW)
    if wait:
        minutes = -(-wait // 60)
        raise TooManyAttempts(
            f"Too many sign-in attempts: try again in {minutes} minute{'s' if minutes > 1 else ''}",
            headers={"Retry-After": str(wait)},
        )


async def _open_session(connection: Any, account_id: UUID) -> str:
    session = new_secret()
    await store.open_session(connection, secret_hash(session), account_id, now() + SESSION_LIFETIME)
    return session
