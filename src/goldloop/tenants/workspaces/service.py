"""Use cases of the workspace, and creating one with its owner as an operator."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.db import Database, Tx
from goldloop.kit.errors import Conflict, NotFound
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import Member, Role, Workspace
from goldloop.tenants.permissions import WORKSPACE_MANAGE
from goldloop.tenants.sign_in import store as sign_in_store
from goldloop.tenants.sign_in.passwords import hash_password
from goldloop.tenants.workspaces import events, store


class SlugTaken(Conflict):
    code, title = "slug_taken", "A workspace with this slug exists"


class NewWorkspace(NamedTuple):
    workspace: Workspace
    owner: Member
    invite_token: str | None


async def access(tx: Tx) -> Workspace:
    workspace = await store.find(tx)
    if workspace is None:
        raise NotFound
    return workspace


async def rename(tx: Tx, name: str) -> Workspace:
    tx.actor.check(WORKSPACE_MANAGE)
    before = (await access(tx)).name
    await store.rename(tx, name)
    await emit(
        tx, events.RENAMED.of(tx.actor.tenant_id, events.WorkspaceRenamed(name=name, name_before=before))
    )
    return await access(tx)


async def create(
    db: Database, slug: str, name: str, owner: str, password: str | None, owner_name: str | None = None
) -> NewWorkspace:
    """An operator's act, with the worker's role: a workspace and its owner, invited unless a password is given."""
    email = members.checked_email(owner)
    tenant_id = new_id()
    async with db.tx(system_actor(tenant_id)) as tx:
        if not await store.create(tx, slug, name):
            raise SlugTaken(f"A workspace {slug} exists")
        invitation = await members.invite(tx, email, owner_name, Role.OWNER)
        joined = password and await set_first_password(tx, invitation.member, password)
        await emit(tx, events.CREATED.of(tenant_id, events.WorkspaceCreated(slug=slug)))
        workspace = await access(tx)
        member = await member_store.find(tx, invitation.member.user_id)
    assert member is not None
    return NewWorkspace(workspace, member, None if joined else invitation.token)


async def create_bare(tx: Tx, slug: str, name: str, created_at: datetime) -> None:
    """An operator's act: the transaction's own workspace, of which members and all else are still to come."""
    if not await store.create(tx, slug, name):
        raise SlugTaken(f"A workspace {slug} exists")
    await store.set_created_at(tx, created_at)


async def set_first_password(tx: Tx, member: Member, password: str) -> UUID | None:
    """Let an invited member in with a password of the operator's choice; returns the account, None when they have
    joined. Hashes under the address's lock, so not for requests."""
    hashed = await hash_password(password, await sign_in_store.lock_accounts(tx, member.email))
    return await sign_in_store.set_first_password(tx, member.user_id, hashed, member.name)
