"""Use cases: invite people, change their role, remove them."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden, InvalidInput
from goldloop.kit.events import NOTHING, emit
from goldloop.kit.ids import new_id, new_secret, secret_hash
from goldloop.kit.pagination import Page, decode_cursor, page
from goldloop.tenants import roles
from goldloop.tenants.keys import store as keys
from goldloop.tenants.members import events, store
from goldloop.tenants.model import (
    AlreadyJoined,
    LastOwner,
    Member,
    MemberExists,
    MemberNotFound,
    Role,
    RoleTooHigh,
)
from goldloop.tenants.permissions import MEMBERS_MANAGE, MEMBERS_READ

INVITE_LIFETIME = timedelta(days=7)
NAME_CHARACTERS = 200
EMAIL_CHARACTERS = 320  # 64 before the @, 255 after it (RFC 5321)


class Invitation(NamedTuple):
    """Whoever holds the token may join as the member: with a password, or signed in to an account of the address."""

    member: Member
    token: str
    expires_at: datetime


async def invite(tx: Tx, email: str, name: str | None, role: Role) -> Invitation:
    """Make a person a member as soon as they use the invitation. Whether the address has an account is asked then:
    the inviter learns nothing of it."""
    _check_manages(tx)
    _check_may_give(tx, role)
    email = checked_email(email)
    user_id = new_id()
    if not await store.insert(tx, user_id, email, name or email.split("@")[0][:NAME_CHARACTERS], role):
        member = await store.find_by_email(tx, email)
        raise MemberExists(conflict={"user_id": str(member.user_id)} if member else {})
    token, expires_at = await _open_invite(tx, user_id)
    await emit(tx, events.ADDED.of(user_id, events.WithRole(role=role)))
    return Invitation(await _found(tx, user_id), token, expires_at)


async def invite_again(tx: Tx, user_id: UUID) -> Invitation:
    """A fresh link for somebody who has not joined yet; the one before stops working."""
    _check_manages(tx)
    member = await _found(tx, user_id)
    _check_may_give(tx, member.role)
    if member.status != "invited":
        raise AlreadyJoined
    return Invitation(member, *await _open_invite(tx, user_id))


async def list_members(tx: Tx, cursor: str | None, limit: int) -> Page[Member]:
    tx.actor.check(MEMBERS_READ)
    rows = await store.list_by_id(tx, decode_cursor(cursor, UUID), limit + 1)
    return page(rows, limit, lambda member: member.user_id)


async def take_id(tx: Tx, email: str, user_id: UUID) -> bool:
    """For an import: a member of this address who has joined has this id from now on, with the keys that are theirs; one who
    has not is gone, as whoever is imported takes their place. False where there is no such member who has joined."""
    found = await store.find_by_email(tx, email)
    if found is None:
        return False
    if found.status == "invited":
        await store.delete(tx, found.user_id)
        return False
    if found.user_id != user_id:
        await store.set_id(tx, found.user_id, user_id)
        await keys.set_user(tx, found.user_id, user_id)
    return True


async def change_role(tx: Tx, user_id: UUID, role: Role) -> Member:
    _check_manages(tx)
    before = await _check_may_change(tx, user_id, leaves_owner=role is not Role.OWNER)
    _check_may_give(tx, role)
    await store.set_role(tx, user_id, role)
    await emit(tx, events.CHANGED.of(user_id, events.RoleChanged(role=role, role_before=before.role)))
    return await _found(tx, user_id)


async def remove(tx: Tx, user_id: UUID) -> None:
    """End a membership. The person's keys end with it, and stay ended if they come back."""
    _check_manages(tx)
    await _check_may_change(tx, user_id, leaves_owner=True)
    await keys.revoke_all_of(tx, user_id)
    await store.delete(tx, user_id)
    await emit(tx, events.REMOVED.of(user_id, NOTHING))


async def access_for_sign_in(tx: Tx, user_id: UUID) -> Member:
    """A member whose sign-in the actor may change: what comes of it is worth as much as the member's role."""
    _check_manages(tx)
    member = await _found(tx, user_id)
    _check_may_give(tx, member.role)
    return member


def checked_email(email: str) -> str:
    email = email.strip().lower()
    local, at, domain = email.partition("@")
    too_long = len(email) > EMAIL_CHARACTERS  # checked again: a few letters are longer in lower case
    if not (local and at and domain) or too_long or any(c.isspace() for c in email) or "@" in domain:
        raise InvalidInput.at("/email", "invalid_email", "This is not an e-mail address")
    return email


async def _found(tx: Tx, user_id: UUID) -> Member:
    member = await store.find(tx, user_id)
    if member is None:
        raise MemberNotFound
    return member


async def _check_may_change(tx: Tx, user_id: UUID, *, leaves_owner: bool) -> Member:
    """The member as they are before the change."""
    owners = await store.lock_owners(tx)
    member = await _found(tx, user_id)
    _check_rank(tx, member.role)
    if leaves_owner and user_id in owners:
        _check_owner_remains(owners, user_id)
    return member


def _check_owner_remains(owners: dict[UUID, bool], leaving: UUID) -> None:
    """One who can sign in, unless nobody of them could: who is invited may never come."""
    remain = [has_joined for owner, has_joined in owners.items() if owner != leaving]
    if not remain or (any(owners.values()) and not any(remain)):
        raise LastOwner


def _check_manages(tx: Tx) -> None:
    tx.actor.check(MEMBERS_MANAGE)
    if tx.actor.kind is ActorKind.AGENT:
        raise Forbidden("Who belongs to a workspace is decided by people")  # else an agent could become one


def _check_may_give(tx: Tx, role: Role) -> None:
    if not roles.may_give(role, Role(tx.actor.role), tx.actor.permissions.scopes):
        raise RoleTooHigh


def _check_rank(tx: Tx, role: Role) -> None:
    if not roles.at_most(role, Role(tx.actor.role)):
        raise RoleTooHigh


async def _open_invite(tx: Tx, user_id: UUID) -> tuple[str, datetime]:
    token, expires_at = new_secret(), now() + INVITE_LIFETIME
    await store.open_invite(tx, secret_hash(token), user_id, expires_at)
    return token, expires_at
