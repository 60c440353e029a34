"""Use cases: make, list and revoke API keys."""

from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Fault, Forbidden, InvalidInput
from goldloop.kit.events import NOTHING, dispatch, emit, notify
from goldloop.kit.ids import new_id, new_secret, secret_hash
from goldloop.kit.pagination import LAST_ID, Page, decode_cursor, page
from goldloop.tenants import roles
from goldloop.tenants.agents import store as agents
from goldloop.tenants.auth.model import KEY_PREFIX
from goldloop.tenants.keys import events, store
from goldloop.tenants.model import ApiKey, KeyExists, KeyNotFound, KeyStatus, Role, RoleTooHigh
from goldloop.tenants.permissions import KEYS_MANAGE

LAST_EXPIRY = datetime(9999, 1, 1, tzinfo=UTC)  # what is later may have no UTC time that can be stored
PREFIX_SHOWN = 10  # enough to tell keys apart, far too little to guess one


class NewKey(NamedTuple):
    """`agent_id` or `user_id` holds the key; neither: the one who makes it."""

    id: UUID | None
    name: str
    role: Role
    agent_id: UUID | None = None
    user_id: UUID | None = None
    scopes: list[str] | None = None
    expires_at: datetime | None = None


class MadeKey(NamedTuple):
    key: ApiKey
    secret: str | None  # None when a create was repeated: the secret is shown once


async def create(tx: Tx, new: NewKey) -> MadeKey:
    tx.actor.check(KEYS_MANAGE)
    user_id = _holding_user(tx, new)
    await _check(tx, new)
    key_id, secret = new.id or new_id(), new_secret(KEY_PREFIX)
    made = await store.insert(
        tx,
        key_id=key_id,
        hashed=secret_hash(secret),
        name=new.name,
        prefix=secret[:PREFIX_SHOWN],
        role=new.role,
        scopes=new.scopes,
        user_id=user_id,
        agent_id=new.agent_id,
        expires_at=new.expires_at,
    )
    if made is None:
        key = await access(tx, key_id)
        _check_repeated(key, new, user_id)
        return MadeKey(key, None)
    await dispatch(tx, made.event)
    return MadeKey(made.key, secret)


async def access(tx: Tx, key_id: UUID) -> ApiKey:
    tx.actor.check(KEYS_MANAGE)
    key = await store.find(tx, key_id)
    if key is None:
        raise KeyNotFound
    return key


async def list_keys(tx: Tx, cursor: str | None, limit: int, status: KeyStatus | None = None) -> Page[ApiKey]:
    tx.actor.check(KEYS_MANAGE)
    rows = await store.list_newest_first(tx, status, decode_cursor(cursor, UUID), limit + 1)
    return page(rows, limit, lambda key: key.id)


async def revoke(tx: Tx, key_id: UUID) -> ApiKey:
    """Stop a key for good. Revoking it again changes nothing."""
    before = await access(tx, key_id)
    if not roles.at_most(before.role, Role(tx.actor.role)):
        raise RoleTooHigh
    if await store.revoke(tx, key_id):
        await emit(tx, events.REVOKED.of(key_id, NOTHING))
    return await access(tx, key_id)


async def record_use(tx: Tx, key_id: UUID, at: datetime) -> None:
    if await store.set_last_used(tx, key_id, at):
        await notify(tx, "keys", str(key_id))


def _holding_user(tx: Tx, new: NewKey) -> UUID | None:
    if new.agent_id is not None:
        return None
    if new.user_id is not None:
        return new.user_id
    if tx.actor.kind is not ActorKind.USER or tx.actor.id is None:
        raise InvalidInput.at(
            "/agent_id", "missing", "An agent or the system names the agent that the key is for"
        )
    return tx.actor.id


async def _check(tx: Tx, new: NewKey) -> None:
    if not roles.at_most(new.role, Role(tx.actor.role)):
        raise RoleTooHigh
    if roles.scopes_beyond(new.scopes, tx.actor.permissions.scopes):
        raise Forbidden("A key with scopes makes only keys whose scopes are within its own")
    faults = [
        Fault(path=f"/scopes/{place}", code="unknown_scope", message="No role grants this permission")
        for place in roles.unknown_scopes(new.scopes or [])
    ]
    if new.id == LAST_ID:  # no list would show it
        faults.append(Fault(path="/id", code="reserved_id", message="This id cannot be used"))
    if new.expires_at and new.expires_at <= now():
        faults.append(Fault(path="/expires_at", code="in_the_past", message="A key expires in the future"))
    if new.expires_at and new.expires_at >= LAST_EXPIRY:
        faults.append(
            Fault(path="/expires_at", code="too_late", message="A key expires before the year 9999")
        )
    if new.agent_id and await agents.find(tx, new.agent_id) is None:
        faults.append(Fault(path="/agent_id", code="agent_not_found", message="There is no such agent"))
    if faults:
        raise InvalidInput(errors=faults)


def _check_repeated(key: ApiKey, new: NewKey, user_id: UUID | None) -> None:
    """The same create again answers with what the first one made; another one under its id is a conflict."""
    same = (
        key.name == new.name
        and key.role == new.role
        and key.scopes == new.scopes
        and (key.holder.kind, key.holder.id)
        == (("agent", new.agent_id) if new.agent_id else ("user", user_id))
        and key.expires_at == new.expires_at
    )
    if not same:
        raise KeyExists(conflict={"id": str(key.id), "name": key.name})
