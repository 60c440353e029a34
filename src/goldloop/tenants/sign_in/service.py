"""Use cases: sign in and out, join by invitation, change and reset a password, end sessions."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Actor, ActorKind, Database, Tx, go_on_as
from goldloop.kit.errors import InvalidInput, NotFound, Unauthenticated
from goldloop.kit.events import NOTHING, EventType, P, emit
from goldloop.kit.ids import new_id, new_secret, secret_hash
from goldloop.kit.permissions import Permissions
from goldloop.kit.sealing import Sealer
from goldloop.tenants.auth.model import SignedIn
from goldloop.tenants.members import events as member_events
from goldloop.tenants.members import service as members
from goldloop.tenants.model import (
    InvalidCredentials,
    InviteForAnother,
    InviteNotFound,
    NoPassword,
    NotJoined,
    PasswordsOff,
    ResetNotFound,
    SessionNotFound,
    SeveralAccounts,
)
from goldloop.tenants.parties.store import set_name
from goldloop.tenants.second_factors import service as second_factors
from goldloop.tenants.sign_in import attempt_service as attempts
from goldloop.tenants.sign_in import store
from goldloop.tenants.sign_in.model import Method, Opening, ResetLink, SignIn, Visit
from goldloop.tenants.sign_in.passwords import check_new_password, find_password, hash_password
from goldloop.tenants.sign_in.store import Membership

SESSION_LIFETIME = timedelta(days=14)
PROVIDER_SESSION_LIFETIME = timedelta(days=1)  # what a provider says of somebody is asked for again every day
RESET_LIFETIME = timedelta(days=1)  # made for somebody who waits for it


async def sign_in(
    db: Database, sealer: Sealer, email: str, password: str, code: str | None, visit: Visit
) -> str:
    """Find the account of an address that has a password and open a session; returns its secret. Takes the same time
    whether the address has no account, one or several. Where the account has a second factor, a code of it is needed."""
    email = email.strip().lower()
    async with db.anonymous() as connection:
        await attempts.count(connection, email, visit.client)
        accounts = await store.accounts(connection, email)
    place = await find_password([account["password_hash"] for account in accounts], password)
    if place is None:
        raise InvalidCredentials
    account_id = accounts[place]["user_id"]
    await attempts.count_code(db, account_id, code)
    async with db.anonymous() as connection:
        await second_factors.check(connection, sealer, account_id, code)
        await attempts.take_back(connection, email, visit.client)
        if code:
            await attempts.take_code_back(connection, account_id)
        return await open_session(connection, account_id, visit)


async def is_password(db: Database, email: str, password: str) -> bool:
    """Whether this is the password, for an operator's command; not counted as an attempt."""
    async with db.anonymous() as connection:
        accounts = await store.accounts(connection, email)
    return await find_password([account["password_hash"] for account in accounts], password) is not None


class Joined(NamedTuple):
    session: str
    slug: str


async def join(
    db: Database, sealer: Sealer, token: str, name: str, password: str, code: str | None, visit: Visit
) -> Joined:
    """Use an invitation: join with the account of the invited address that has this password, else with a new one.

    It answers the same whether the address has accounts or none; as it tells a right password, it counts as an attempt.
    """
    check_new_password(password, "/password")
    invitation = secret_hash(token)
    async with db.anonymous() as connection:
        email = await store.invite_address(connection, invitation)
        if email is None:
            raise InviteNotFound
        await attempts.count(connection, email, visit.client)
    while True:  # again when another account of the address was made or changed while this one was hashed
        async with db.anonymous() as connection:
            accounts = await store.accounts(connection, email)
        seen = [account["password_hash"] for account in accounts]
        hashed = await hash_password(password, seen)
        await attempts.count_code(db, _account_with(accounts, hashed), code)
        async with db.anonymous() as connection:
            used = await store.use_invite(connection, invitation, hashed, name.strip(), seen)
            if used is None:
                raise InviteNotFound
            if used["account_id"] is not None:
                await second_factors.check(connection, sealer, used["account_id"], code)
                session = await open_session(connection, used["account_id"], visit)
                await enter(connection, used["tenant_id"], used["user_id"], name.strip())
                return Joined(session, used["slug"])


async def accept_invite(db: Database, token: str, session: str) -> str:
    """Use an invitation as the signed-in person whose address it was made for; returns the workspace's slug."""
    async with db.anonymous() as connection:
        used = await store.accept_invite(connection, secret_hash(token), secret_hash(session))
        if used is not None and used["user_id"] is not None:
            await enter(connection, used["tenant_id"], used["user_id"], used["name"])
    if used is None:
        raise InviteNotFound
    slug: str | None = used["slug"]
    if slug is None:
        raise InviteForAnother
    return slug


async def enter(connection: Any, tenant_id: UUID, user_id: UUID, name: str) -> None:
    """Somebody has joined: they go by their own name from now on."""
    tx = await _go_on_as_member(connection, Membership(tenant_id, user_id))
    await set_name(tx, ActorKind.USER, user_id, name)
    await emit(tx, member_events.JOINED.of(user_id, NOTHING))


async def emit_in_each(
    connection: Any, memberships: Sequence[Membership], event: EventType[P], payload: P
) -> None:
    """What happened to an account, in every workspace that it opens."""
    for membership in memberships:
        await _emit_as(connection, membership, event, payload)


async def _emit_as(connection: Any, member: Membership, event: EventType[P], payload: P) -> None:
    await emit(await _go_on_as_member(connection, member), event.of(member.user_id, payload))


async def _go_on_as_member(connection: Any, member: Membership) -> Tx:
    """The transaction goes on as the member's, who may do nothing in it but have done this."""
    may_nothing = Permissions(grants=frozenset())
    actor = Actor(
        tenant_id=member.tenant_id, kind=ActorKind.USER, id=member.user_id, name="", permissions=may_nothing
    )
    return await go_on_as(connection, actor)


class SignedOut(NamedTuple):
    """The provider that a session was opened at, with a sealed token of it."""

    provider: str | None
    id_token: bytes | None


async def sign_out(db: Database, session: str) -> SignedOut:
    async with db.anonymous() as connection:
        closed = await store.close_session(connection, secret_hash(session))
    return SignedOut(closed["provider"], closed["id_token"]) if closed else SignedOut(None, None)


async def list_own(db: Database, session: str) -> list[SignIn]:
    async with db.anonymous() as connection:
        return await store.own_sessions(connection, secret_hash(session))


async def end_own(db: Database, session: str, session_id: UUID) -> None:
    """End another session of one's own; this one is ended by signing out."""
    async with db.anonymous() as connection:
        if not await store.end_own_sessions(connection, secret_hash(session), session_id):
            raise SessionNotFound


async def end_others(db: Database, session: str) -> int:
    async with db.anonymous() as connection:
        return await store.end_own_sessions(connection, secret_hash(session), None)


async def end_member_sessions(tx: Tx, user_id: UUID) -> None:
    """Sign a member out of this workspace, wherever they are signed in."""
    await members.access_for_sign_in(tx, user_id)
    if not await store.end_member_sessions(tx, user_id):
        raise NotJoined
    await emit(tx, member_events.SIGNED_OUT.of(user_id, NOTHING))


async def open_reset(tx: Tx, user_id: UUID, *, second_factor: bool) -> ResetLink:
    """A link by which a member sets a new password, and loses the second factor if that is asked for. It is worth as much
    as their role."""
    await members.access_for_sign_in(tx, user_id)
    link = _new_link()
    if not await store.open_reset(tx, secret_hash(link.token), user_id, second_factor, link.expires_at):
        raise NotJoined
    await emit(tx, member_events.RESET.of(user_id, member_events.WithFactor(second_factor=second_factor)))
    return link


async def open_account_reset(
    db: Database, email: str, workspace: str | None, *, second_factor: bool
) -> ResetLink:
    """An operator's act: the same for the account of an address, in all its workspaces. It opens a session even where
    passwords are switched off."""
    link = _new_link()
    async with db.anonymous() as connection:
        account_id = _the_account(await store.find_accounts(connection, email), email, workspace)
        await store.open_account_reset(
            connection, secret_hash(link.token), account_id, second_factor, link.expires_at
        )
    return link


async def use_reset(
    db: Database,
    sealer: Sealer,
    token: str,
    password: str,
    code: str | None,
    visit: Visit,
    *,
    passwords: bool,
) -> str:
    """Set a new password by a link, and sign in with it; returns the session's secret. It counts as an attempt, as joining
    does."""
    check_new_password(password, "/password")
    link = secret_hash(token)
    async with db.anonymous() as connection:
        found = await store.find_reset(connection, link)
        if found is None:
            raise ResetNotFound
        if not passwords and not found["by_operator"]:
            raise PasswordsOff
        await attempts.count(connection, found["email"], visit.client)
    while True:  # again when another account of the address was made or changed while this one was hashed
        async with db.anonymous() as connection:
            accounts = await store.accounts(connection, found["email"])
        seen = [row["password_hash"] for row in accounts]
        hashed = await hash_password(password, seen)
        await attempts.count_code(db, found["account_id"] or _account_with(accounts, hashed), code)
        async with db.anonymous() as connection:
            used = await store.use_reset(connection, link, hashed, new_id(), seen)
            if used is None:
                raise ResetNotFound
            if used["account_id"] is not None:
                await second_factors.check(connection, sealer, used["account_id"], code)
                session = await open_session(connection, used["account_id"], visit, method="link")
                opened = await store.session_memberships(connection, secret_hash(session))
                await emit_in_each(connection, opened, member_events.RESET_USED, NOTHING)
                return session


def _new_link() -> ResetLink:
    return ResetLink(new_secret(), now() + RESET_LIFETIME)


async def change_password(
    db: Database, session: str, person: SignedIn, current: str, new: str, client: str
) -> None:
    """Set a new password; every other session of the account ends.

    A wrong current password counts against the account alone: it tells nothing of others of the address. A right one
    makes it an attempt at the address, as an account that has the new password becomes one with it."""
    check_new_password(new, "/new_password")
    seen = await _prove_password(db, person, current, client)
    async with db.anonymous() as connection:
        await attempts.count_at_address(connection, person.email)
    while not await _set_password(db, session, new, seen):
        seen = await _check_current(db, person, current)


async def prove_password(db: Database, person: SignedIn, current: str, client: str) -> None:
    """That whoever is signed in knows the account's password: for what a stolen session must not do."""
    await _prove_password(db, person, current, client)


async def reset_password(db: Database, email: str, workspace: str | None, password: str) -> UUID:
    """An operator's act: a new password for the account of an address, the one in a workspace if there are several."""
    done = False
    while not done:
        async with db.anonymous() as connection:
            found = await store.find_accounts(connection, email)
        account_id = _the_account(found, email, workspace)
        seen = {row["id"]: row["password_hash"] for row in found if row["password_hash"]}
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


async def _prove_password(db: Database, person: SignedIn, current: str, client: str) -> "_Seen":
    async with db.anonymous() as connection:
        await attempts.count_of_client(connection, person.email, client)
        await attempts.count_at_account(connection, person.account_id)
    seen = await _check_current(db, person, current)
    async with db.anonymous() as connection:
        await attempts.take_account_back(connection, person.account_id)
    return seen


class _Seen(NamedTuple):
    hashes: list[str]
    of_others: list[str]


async def _check_current(db: Database, person: SignedIn, current: str) -> _Seen:
    """Whether a password is that of the account; with the hashes of the address."""
    async with db.anonymous() as connection:
        accounts = await store.accounts(connection, person.email)
    own = [row["password_hash"] for row in accounts if row["user_id"] == person.account_id]
    if not own:
        raise NoPassword
    if await find_password(own, current) is None:
        raise InvalidInput.at("/current_password", "wrong_password", "This is not the current password")
    others = [row["password_hash"] for row in accounts if row["user_id"] != person.account_id]
    return _Seen([row["password_hash"] for row in accounts], others)


async def _set_password(db: Database, session: str, new: str, seen: _Seen) -> bool:
    """False when another account of the address was made or changed meanwhile."""
    hashed = await hash_password(new, seen.of_others)
    async with db.anonymous() as connection:
        opened = await store.session_memberships(connection, secret_hash(session))
        done = await store.change_password(connection, secret_hash(session), hashed, seen.hashes)
        if done:
            await emit_in_each(connection, opened, member_events.PASSWORD_CHANGED, NOTHING)
    if done is None:
        raise Unauthenticated
    return done


def _account_with(accounts: list[Any], hashed: str) -> UUID | None:
    return next((row["user_id"] for row in accounts if row["password_hash"] == hashed), None)


async def open_session(
    connection: Any,
    account_id: UUID,
    visit: Visit,
    *,
    method: Method = "password",
    provider: str | None = None,
    id_token: bytes | None = None,
) -> str:
    """Sign an account in, which its person has shown to be theirs; returns the session's secret."""
    session = new_secret()
    lifetime = PROVIDER_SESSION_LIFETIME if provider else SESSION_LIFETIME
    opening = Opening(account_id, now() + lifetime, visit, method, provider, id_token)
    await store.open_session(connection, secret_hash(session), opening)
    opened = await store.session_memberships(connection, secret_hash(session))
    payload = member_events.SignedIn(method=method, provider=provider)
    await emit_in_each(connection, opened, member_events.SIGNED_IN, payload)
    return session
