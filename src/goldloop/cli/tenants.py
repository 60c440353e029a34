"""The commands that make workspaces and people: `goldloop tenant create`, `user create` and `user password`."""

import argparse
import sys
from uuid import UUID

from goldloop.cli.opening import checked_name, checked_slug, opened_database, tenant_of
from goldloop.cli.output import Output
from goldloop.kit.db import Database
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import Role
from goldloop.tenants.sign_in import service as sign_in
from goldloop.tenants.sign_in.passwords import check_new_password
from goldloop.tenants.workspaces import service as workspaces


async def tenant_create(arguments: argparse.Namespace, output: Output) -> None:
    slug, name, password = (
        checked_slug(arguments.slug),
        checked_name(arguments.name),
        _read_password(arguments),
    )
    async with opened_database(arguments) as db:
        made = await workspaces.create(db, slug, name, arguments.owner, password)
    output.result(
        {
            "id": str(made.workspace.id),
            "slug": made.workspace.slug,
            "owner": made.owner.email,
            "owner_id": str(made.owner.user_id),
            "invite_token": made.invite_token,
        },
        f"made workspace {made.workspace.slug} for {made.owner.email}{_how_to_join(made.invite_token)}",
    )


async def user_create(arguments: argparse.Namespace, output: Output) -> None:
    name = checked_name(arguments.name) if arguments.name is not None else None
    email, password = members.checked_email(arguments.email), _read_password(arguments)
    async with opened_database(arguments) as db, tenant_of(db, arguments.tenant) as tx:
        invitation = await members.invite(tx, email, name, Role(arguments.role))
        if password:
            await workspaces.set_first_password(tx, invitation.member, password)
    member, token = invitation.member, None if password else invitation.token
    output.result(
        {"id": str(member.user_id), "email": member.email, "role": member.role, "invite_token": token},
        f"{member.email} is {member.role} of {arguments.tenant}{_how_to_join(token)}",
    )


async def user_password(arguments: argparse.Namespace, output: Output) -> None:
    arguments.password_stdin = True
    password = _read_password(arguments) or ""
    async with opened_database(arguments) as db:
        first = await _first_password(db, arguments, password) if arguments.tenant else None
        account_id = first or await sign_in.reset_password(db, arguments.email, arguments.tenant, password)
    done = "has joined with this password" if first else "has a new password and is signed out everywhere"
    output.result({"id": str(account_id)}, f"{arguments.email} {done}")


async def _first_password(db: Database, arguments: argparse.Namespace, password: str) -> UUID | None:
    """The account of who is invited to the workspace and joins by this; None for everybody else."""
    async with tenant_of(db, arguments.tenant) as tx:
        member = await member_store.find_by_email(tx, arguments.email)
        return await workspaces.set_first_password(tx, member, password) if member else None


def _how_to_join(token: str | None) -> str:
    return f"\nthey set their password at <server>/join#token={token}" if token else ""


def _read_password(arguments: argparse.Namespace) -> str | None:
    if not arguments.password_stdin:
        return None
    password = sys.stdin.readline().rstrip("\n")
    check_new_password(password, "the password")
    return password
