"""The commands `goldloop tenant list` and `goldloop user list`: what an operator sees of the whole installation."""

import argparse
from collections.abc import AsyncIterator
from uuid import UUID

import msgspec

from goldloop.cli.opening import opened_database, tenant_actor
from goldloop.cli.output import Output, table
from goldloop.kit.db import Database, Tx
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import Member, Role, Workspace
from goldloop.tenants.workspaces import service as workspaces
from goldloop.tenants.workspaces import store as workspace_store


class ListedWorkspace(Workspace, frozen=True, kw_only=True):
    members: int


class ListedMember(Member, frozen=True, kw_only=True):
    workspace: str


async def tenant_list(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_database(arguments) as db:
        found = [await _workspace(tx) async for tx in _tenants(db)]
    rows = [(w.slug, w.name, w.members, f"{w.created_at:%Y-%m-%d %H:%M}", w.id) for w in found]
    output.result(
        {"data": msgspec.to_builtins(found)},
        table(("SLUG", "NAME", "MEMBERS", "MADE", "ID"), rows) if rows else "no workspaces",
    )


async def user_list(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_database(arguments) as db:
        found = [member async for tx in _tenants(db, arguments.tenant) for member in await _members(tx)]
    rows = [(m.email, m.name, m.workspace, m.role, m.status, _signs_in_by(m), m.user_id) for m in found]
    output.result(
        {"data": msgspec.to_builtins(found)},
        table(("EMAIL", "NAME", "WORKSPACE", "ROLE", "STATUS", "SIGNS IN BY", "ID"), rows)
        if rows
        else "no members",
    )


async def _tenants(db: Database, slug: str | None = None) -> AsyncIterator[Tx]:
    """A transaction in each workspace, or in one, oldest first."""
    if slug is not None:
        async with db.tx(await tenant_actor(db, slug)) as tx:
            yield tx
        return
    after: UUID | None = None
    while batch := await workspace_store.ids(db, after, 1000):
        for tenant_id in batch:
            async with db.tx(system_actor(tenant_id, "command line")) as tx:
                yield tx
        after = batch[-1]


async def _workspace(tx: Tx) -> ListedWorkspace:
    workspace = await workspaces.access(tx)
    return ListedWorkspace(
        **msgspec.structs.asdict(workspace), members=await member_store.count_joined(tx, list(Role))
    )


async def _members(tx: Tx) -> list[ListedMember]:
    slug = (await workspaces.access(tx)).slug
    found: list[ListedMember] = []
    cursor: str | None = None
    while True:
        page = await members.list_members(tx, cursor, 200)
        found += [ListedMember(**msgspec.structs.asdict(member), workspace=slug) for member in page.data]
        if (cursor := page.next_cursor) is None:
            return found


def _signs_in_by(member: Member) -> str:
    ways = ["password"] if member.sign_in.password else []
    ways += ["second factor"] if member.sign_in.second_factor else []
    return ", ".join([*ways, *member.sign_in.providers]) or "-"
