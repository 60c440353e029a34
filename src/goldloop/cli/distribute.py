"""`goldloop distribute`: tenant tables of a PostgreSQL with Citus are sharded by tenant."""

import argparse
from typing import Any

from goldloop.cli.opening import settings_of
from goldloop.cli.output import CommandError, Exit, Output
from goldloop.databases import database_urls
from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import HolderKind
from goldloop.kit.logs import set_up_logs
from goldloop.migrations import distribution, runner
from goldloop.migrations.distribution import Distribution, DistributionError, Plan


async def distribute(arguments: argparse.Namespace, output: Output) -> None:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    async with database_urls(settings, HolderKind.COMMAND) as urls:
        connection = await connect(urls.direct)
        try:
            found, plan = await _distribute(connection, arguments, output)
        except DistributionError as error:
            raise CommandError(str(error), Exit.FAILED, error.code) from error
        finally:
            await connection.close()
    output.result(_as_json(found, plan, dry=arguments.dry_run), _as_text(found, plan, dry=arguments.dry_run))


async def _distribute(
    connection: Any, arguments: argparse.Namespace, output: Output
) -> tuple[Distribution, Plan]:
    state = await runner.status(connection)
    async with runner.Locked(connection):
        found = await distribution.examine(connection)
        await distribution.check(connection, found, log_in=arguments.login_roles)
        if not state.current:
            raise DistributionError(
                "not_migrated", "the schema is not current: run `goldloop migrate up` first"
            )
        plan = await distribution.plan(connection, found)
        if not arguments.dry_run:
            if found.cannot_log_in:
                await distribution.let_roles_log_in(connection)
            plan = await distribution.distribute(
                connection,
                shards=arguments.shards,
                moved=lambda table: output.note(f"{table} is on the shards"),
            )
            found = await distribution.examine(connection)
    return found, plan


def _as_json(found: Distribution, plan: Plan, *, dry: bool) -> dict[str, Any]:
    return {
        "dry_run": dry,
        "citus": found.citus,
        "distributed": plan.tables,
        "foreign_keys_kept": [key.name for key in plan.kept_keys],
        "foreign_keys_given_up": [key.name for key in plan.given_up],
        "on_shards": found.on_shards,
        "on_coordinator": found.on_coordinator,
        "nodes": [{"name": node.name, "shards": node.shards} for node in found.nodes],
        "faults": found.faults,
    }


def _as_text(found: Distribution, plan: Plan, *, dry: bool) -> str:
    if not plan.tables and not plan.kept_keys and not plan.policies:
        return "all tables are where they should be"
    lines = [
        f"{len(plan.tables)} tables {'would be' if dry else 'are'} distributed by tenant",
        f"{len(found.on_coordinator) - (len(plan.tables) if dry else 0)} tables stay on the coordinator",
        f"{len(plan.kept_keys)} foreign keys are taken down and put up again",
        f"{len(plan.given_up)} foreign keys are given up, as they cannot be there (docs/scaling.md)",
    ]
    lines += [f"  {node.name}: {node.shards} shards" for node in found.nodes]
    return "\n".join(lines)


COMMANDS = {"distribute": distribute}
