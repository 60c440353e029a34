"""Use cases: send somebody to a sign-in provider, and let in, or link, who comes back."""

import hmac
import logging
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.clock import now
from goldloop.kit.db import Database, go_on_as
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id, new_secret, secret_hash
from goldloop.kit.sealing import CannotUnseal, Sealer
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.auth.model import SignedIn
from goldloop.tenants.identities import store
from goldloop.tenants.identities.claims import read_identity
from goldloop.tenants.identities.following import Standing, follow
from goldloop.tenants.identities.model import Answer, Identity, Purpose, SignInRequest
from goldloop.tenants.identities.providers import ProviderClient, Providers
from goldloop.tenants.members import events as member_events
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import (
    AccountExists,
    IdentityNotFound,
    IdentityTaken,
    InviteForAnother,
    InviteNotFound,
    LastOwner,
    LastWayIn,
    NoAccess,
    ProviderUnavailable,
    Role,
    SignInExpired,
    SignInRefused,
)
from goldloop.tenants.sign_in import attempt_service as attempts
from goldloop.tenants.sign_in import service as sign_in
from goldloop.tenants.sign_in import store as sign_in_store
from goldloop.tenants.sign_in.model import Visit

log = logging.getLogger("goldloop.sign_in")

REQUEST_LIFETIME = timedelta(minutes=15)  # to sign in at the provider, with a second factor there
_REQUEST = "sign-in request"
_ID_TOKEN = "id token"


class Begun(NamedTuple):
    """Where to send the browser, and the secret that it keeps: who comes back with another's answer is not let in."""

    url: str
    browser: str


class Finished(NamedTuple):
    """`session` is None where an identity was linked, `joined` the workspace that an invitation was used for."""

    next: str
    session: str | None = None
    joined: str | None = None


async def begin(
    db: Database,
    sealer: Sealer,
    client: ProviderClient,
    *,
    purpose: Purpose,
    browser: str | None,
    visit: Visit,
    next_page: str = "/",
    account_id: UUID | None = None,
    invite: str | None = None,
) -> Begun:
    state, browser = new_secret(), browser or new_secret()
    request = SignInRequest(
        provider=client.provider.name,
        purpose=purpose,
        browser=secret_hash(browser),
        nonce=new_secret(),
        verifier=new_secret(),
        next=next_page,
        account_id=account_id,
        invite=secret_hash(invite) if invite else None,
    )
    url = await client.authorization_url(state, request)
    sealed = sealer.seal(msgspec.json.encode(request).decode(), _REQUEST)
    async with db.anonymous() as connection:
        await attempts.count_visit(connection, visit)
        await store.open_request(connection, secret_hash(state), sealed, now() + REQUEST_LIFETIME)
    return Begun(url, browser)


async def finish(
    db: Database,
    sealer: Sealer,
    client: ProviderClient,
    answer: Answer,
    *,
    browser: str | None,
    person: SignedIn | None,
    visit: Visit,
) -> Finished:
    """Let somebody in by what the provider says of them; what it sent is good once, in the browser that it was asked by."""
    request = await _take(db, sealer, answer.state, visit)
    if request.provider != client.provider.name or not _is_same(request.browser, browser):
        raise SignInRefused("This sign-in was begun elsewhere: begin again here")
    await client.check_issuer(answer.issuer)
    if answer.error or not answer.code:
        raise SignInRefused(f"{client.provider.label} did not let you in ({answer.error or 'no code'})")
    signed = await client.redeem(answer.code, request)
    identity = read_identity(signed.claims, signed.issuer, client.provider)
    if request.purpose == "link":
        return await _link(db, identity, request, person)
    async with db.anonymous() as connection:
        account_id = await _account_of(connection, identity, request)
        await _follow_claims(connection, identity, account_id)
        session = await sign_in.open_session(
            connection,
            account_id,
            visit,
            method="provider",
            provider=client.provider.name,
            id_token=sealer.seal(signed.id_token, _ID_TOKEN),
        )
        joined = await _use_invite(connection, request.invite, session) if request.invite else None
    return Finished(request.next, session, joined)


async def unlink(db: Database, session: str, link_id: UUID) -> None:
    async with db.anonymous() as connection:
        done = await store.unlink(connection, secret_hash(session), link_id)
    if done is None:
        raise IdentityNotFound
    if not done:
        raise LastWayIn


async def sign_out(db: Database, sealer: Sealer, providers: Providers, session: str) -> str | None:
    """End a session; where to go on to be signed out at the provider as well."""
    provider, sealed = await sign_in.sign_out(db, session)
    client = providers.by_name.get(provider) if provider else None
    if client is None:
        return None
    try:
        return await client.sign_out_url(sealer.unseal(sealed, _ID_TOKEN) if sealed else None)
    except (CannotUnseal, ProviderUnavailable):  # signed out here all the same
        return None


async def _take(db: Database, sealer: Sealer, state: str, visit: Visit) -> SignInRequest:
    async with db.anonymous() as connection:
        await attempts.count_visit(connection, visit)
        sealed = await store.take_request(connection, secret_hash(state))
    if sealed is None:
        raise SignInExpired
    try:
        return msgspec.json.decode(sealer.unseal(sealed, _REQUEST), type=SignInRequest)
    except (CannotUnseal, msgspec.MsgspecError) as error:
        raise SignInExpired from error


def _is_same(hashed: bytes, browser: str | None) -> bool:
    return browser is not None and hmac.compare_digest(hashed, secret_hash(browser))


async def _link(
    db: Database, identity: Identity, request: SignInRequest, person: SignedIn | None
) -> Finished:
    """To the account that asked for it, which must be the one that is signed in now."""
    if person is None or person.account_id != request.account_id:
        raise SignInRefused("Somebody else is signed in now: nothing was linked")
    async with db.anonymous() as connection:
        if not await store.link(connection, new_id(), person.account_id, identity):
            raise IdentityTaken
    return Finished(request.next)


async def _account_of(connection: Any, identity: Identity, request: SignInRequest) -> UUID:
    """The account that the identity is linked to; else one of its own, or that of its address where the provider is trusted
    with it."""
    linked = await store.use_identity(connection, identity)
    if linked is not None:
        return linked
    if request.invite is None and not identity.roles:
        raise NoAccess(f"{identity.email} has access to no workspace here: ask for an invitation")
    account_id = await _claimed(connection, identity) if request.invite is None else None
    if account_id is None:
        account_id = new_id()
        await store.make_account(connection, account_id, identity)
    if not await store.link(connection, new_id(), account_id, identity):
        raise SignInExpired  # the same person came in by another window at this moment
    return account_id


async def _claimed(connection: Any, identity: Identity) -> UUID | None:
    """The account of who has this address in a workspace that the claims lead to; None where nobody has it."""
    found = await store.standings(connection, identity.roles, None, identity.email)
    accounts = {each.namesake_account for each in found if each.namesake_account}
    if not accounts:
        return None
    account_id = accounts.pop()
    trusted = identity.provider.link_by_email and not accounts
    if not trusted or not await store.claim_account(connection, account_id, identity.issuer):
        raise AccountExists(
            f"{identity.email} signs in here in another way. Sign in so, and link {identity.provider.label} under Settings, Account"
        )
    return account_id


async def _follow_claims(connection: Any, identity: Identity, account_id: UUID) -> None:
    for standing in await store.standings(
        connection, identity.provider.workspaces, account_id, identity.email
    ):
        step = follow(standing, identity.roles.get(standing.slug))
        if step is None:
            continue
        if step.kind == "join" and step.role is not None:
            await _join(connection, identity, account_id, standing, step.role)
        else:
            await _change(connection, standing, step.role)


async def _join(
    connection: Any, identity: Identity, account_id: UUID, standing: Standing, role: Role
) -> None:
    """As a new member, or as the one who is invited by this address."""
    tx = await go_on_as(connection, system_actor(standing.tenant_id, identity.provider.label))
    user_id = standing.namesake_id or new_id()
    if standing.namesake_id is None:
        await member_store.insert(tx, user_id, identity.email, identity.name, role)
        await emit(tx, member_events.ADDED.of(user_id, member_events.WithRole(role=role)))
    else:
        await member_store.set_role(tx, user_id, role)
    await member_store.set_provider(tx, user_id, identity.provider.name)
    await store.join(tx, user_id, account_id)
    await sign_in.enter(connection, standing.tenant_id, user_id, identity.name)


async def _change(connection: Any, standing: Standing, role: Role | None) -> None:
    """A member whom claims give another role, or none any more. The last owner who can sign in stays one."""
    assert standing.user_id is not None
    tx = await go_on_as(connection, system_actor(standing.tenant_id))
    try:
        if role is None:
            await members.remove(tx, standing.user_id)
        else:
            await members.change_role(tx, standing.user_id, role)
    except LastOwner:
        log.warning("the last owner of %s stays one, whatever the provider says", standing.slug)


async def _use_invite(connection: Any, invite: bytes, session: str) -> str:
    used = await sign_in_store.accept_invite(connection, invite, secret_hash(session))
    if used is None:
        raise InviteNotFound
    if used["slug"] is None:
        raise InviteForAnother
    await sign_in.enter(connection, used["tenant_id"], used["user_id"], used["name"])
    slug: str = used["slug"]
    return slug
