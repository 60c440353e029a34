"""`goldloop user reset`: the operator's way in for somebody."""

import argparse

from goldloop.cli.opening import opened_database, settings_of, tenant_actor
from goldloop.cli.output import Output
from goldloop.kit.db import Database
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.sign_in import service as sign_in


async def user_reset(arguments: argparse.Namespace, output: Output) -> None:
    """For who has not joined yet it is a new invitation."""
    url = settings_of(arguments).public_url
    async with opened_database(arguments) as db:
        if arguments.tenant and (invitation := await _invite_again(db, arguments)):
            link, expires_at = f"{url}/join#token={invitation.token}", invitation.expires_at
        else:
            made = await sign_in.open_account_reset(
                db, arguments.email, arguments.tenant, second_factor=arguments.second_factor
            )
            link, expires_at = f"{url}/reset#token={made.token}", made.expires_at
    output.result(
        {"link": link, "expires_at": expires_at.isoformat()},
        f"{link}\n\nWhoever opens this link is {arguments.email} here. It is good once, until {expires_at:%Y-%m-%d %H:%M} UTC.",
    )


async def _invite_again(db: Database, arguments: argparse.Namespace) -> members.Invitation | None:
    """For who is invited to the workspace and has not joined; None for everybody else."""
    async with db.tx(await tenant_actor(db, arguments.tenant)) as tx:
        member = await member_store.find_by_email(tx, arguments.email)
        return (
            await members.invite_again(tx, member.user_id) if member and member.status == "invited" else None
        )
