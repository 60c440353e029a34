"""The commands `goldloop key create`, `list` and `revoke`."""

import argparse
from uuid import UUID

import msgspec

from goldloop.cli.durations import parse_duration
from goldloop.cli.opening import checked_id, checked_name, checked_slug, opened_tenant
from goldloop.cli.output import Output, table
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import NotFound
from goldloop.tenants.agents import service as agents
from goldloop.tenants.agents import store as agent_store
from goldloop.tenants.keys import service as keys
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import Role


async def key_create(arguments: argparse.Namespace, output: Output) -> None:
    name = checked_name(arguments.name)
    expires_at = now() + parse_duration(arguments.expires) if arguments.expires else None
    async with opened_tenant(arguments) as tx:
        agent_id, user_id = await _holder(tx, arguments)
        made = await keys.create(
            tx,
            keys.NewKey(
                id=None,
                name=name,
                role=Role(arguments.role),
                agent_id=agent_id,
                user_id=user_id,
                scopes=arguments.scope,
                expires_at=expires_at,
            ),
        )
    output.result(
        {**msgspec.to_builtins(made.key), "key": made.secret},
        f"{made.secret}\n\nThis key ({made.key.name}, {made.key.role}, id {made.key.id}) is shown once.",
    )


async def _holder(tx: Tx, arguments: argparse.Namespace) -> tuple[UUID | None, UUID | None]:
    """The agent or the member that a new key belongs to."""
    if arguments.agent:
        slug = checked_slug(arguments.agent)
        agent = await agent_store.find_by_slug(tx, slug) or await agents.create(tx, None, slug, slug, "")
        return agent.id, None
    member = await (
        member_store.find_by_email(tx, arguments.user) if arguments.user else member_store.first_owner(tx)
    )
    if member is None:
        raise NotFound(f"{arguments.user or 'an owner'} is no member of {arguments.tenant}")
    return None, member.user_id


async def key_list(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_tenant(arguments) as tx:
        found, cursor = [], None
        while True:
            page = await keys.list_keys(tx, cursor, 200)
            found += page.data
            if (cursor := page.next_cursor) is None:
                break
    rows = [
        (k.id, k.name, k.status, k.role, f"{k.holder.kind} {k.holder.name or k.holder.id}", k.last_used_at)
        for k in found
    ]
    output.result(
        {"data": msgspec.to_builtins(found)},
        table(("ID", "NAME", "STATUS", "ROLE", "HOLDER", "LAST USED"), rows) if rows else "no keys",
    )


async def key_revoke(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_tenant(arguments) as tx:
        key = await keys.revoke(tx, checked_id(arguments.id))
    output.result(msgspec.to_builtins(key), f"revoked {key.name}")
